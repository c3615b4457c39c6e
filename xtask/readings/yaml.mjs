// Keys as the yaml package parses them.

import { isMap, isPair, isScalar, isSeq, parseAllDocuments } from "yaml";
import { run, Symbols } from "./reading.mjs";

await run((text) => {
  const symbols = new Symbols(text);
  for (const document of parseAllDocuments(text, { keepSourceTokens: true, uniqueKeys: false, logLevel: "silent" })) {
    if (document.errors.length > 0) throw document.errors[0];
    walk(symbols, text, document.contents, []);
  }
  return symbols.list;
});

function walk(symbols, text, node, inside) {
  if (isMap(node)) {
    const holder = node.flow ? "flow" : "map";
    for (const pair of node.items) {
      if (isScalar(pair.key) && pair.key.range && pair.key.range[1] > pair.key.range[0]) {
        const [start, end] = pair.key.range;
        const written = text.slice(start, end);
        const isQuoted = /^["']/.test(written);
        symbols.add(isQuoted ? written.slice(1, -1) : written, "key", start + (isQuoted ? 1 : 0), [...inside, holder]);
      }
      walk(symbols, text, pair.value, [...inside, holder]);
    }
  } else if (isSeq(node)) {
    for (const item of node.items) walk(symbols, text, isPair(item) ? item.value : item, [...inside, "list"]);
  }
}
