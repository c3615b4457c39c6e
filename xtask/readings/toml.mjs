// Tables and keys as toml-eslint-parser reads them.

import { parseTOML } from "toml-eslint-parser";
import { run, Symbols } from "./reading.mjs";

await run((text) => {
  const symbols = new Symbols(text);
  walk(symbols, text, parseTOML(text, { tomlVersion: "1.1.0" }), []);
  return symbols.list;
});

function walk(symbols, text, node, inside) {
  if (node.type === "TOMLTable" || node.type === "TOMLKeyValue") {
    node.key.keys.forEach((key, index) => {
      const isLast = index === node.key.keys.length - 1;
      const isQuoted = key.type === "TOMLQuoted";
      const written = text.slice(...key.range);
      const name = isQuoted ? written.slice(1, -1) : written;
      const kind = (node.type === "TOMLTable" ? "table" : "key") + (isLast ? "" : "-part");
      symbols.add(name, kind, key.range[0] + (isQuoted ? 1 : 0), inside);
    });
  }
  const within = [...inside, node.type.replace("TOML", "").toLowerCase()];
  const children = node.type === "TOMLKeyValue" ? [node.value] : (node.body ?? node.elements ?? []);
  for (const child of children) walk(symbols, text, child, within);
}
