// Elements with an id, as parse5 reads HTML by the standard.

import { parse } from "parse5";
import { run, Symbols } from "./reading.mjs";

await run((text) => {
  const symbols = new Symbols(text);
  walk(symbols, text, parse(text, { sourceCodeLocationInfo: true }), []);
  return symbols.list;
});

function walk(symbols, text, node, inside) {
  const id = node.attrs?.find((attribute) => attribute.name === "id");
  const at = node.sourceCodeLocation?.attrs?.id ?? node.sourceCodeLocation?.startTag?.attrs?.id;
  if (id && at) {
    const written = text.slice(at.startOffset, at.endOffset);
    const value = /^[^=]*=\s*["']?/.exec(written);
    // An empty id names nothing.
    if (value && id.value) symbols.add(id.value, "element", at.startOffset + value[0].length, inside);
  }
  for (const child of node.childNodes ?? []) walk(symbols, text, child, [...inside, node.nodeName]);
  if (node.content) walk(symbols, text, node.content, [...inside, node.nodeName]);
}
