// Declarations as the php-parser package reads PHP.

import { Engine } from "php-parser";
import { run, Symbols } from "./reading.mjs";

const engine = new Engine({ parser: { php8: true, suppressErrors: false, version: "8.3" }, ast: { withPositions: true } });

const KINDS = new Set([
  "class", "interface", "trait", "enum", "enumcase", "function", "method", "property", "constant", "classconstant",
  "propertystatement", "parameter",
]);

await run((text, path) => {
  const symbols = new Symbols(text);
  walk(symbols, text, engine.parseCode(text, path), []);
  return symbols.list;
});

function walk(symbols, text, node, inside) {
  if (node === null || typeof node !== "object") return;
  if (Array.isArray(node)) return node.forEach((child) => walk(symbols, text, child, inside));
  let within = inside;
  const name = typeof node.name === "string" ? node.name : node.name?.name;
  const isPromoted = node.kind === "parameter" && node.flags > 0;
  if (KINDS.has(node.kind) && name && (node.kind !== "parameter" || isPromoted)) {
    const start = find(text, name, node.name?.loc?.start.offset ?? node.loc.start.offset, node.loc.end.offset);
    if (start >= 0) symbols.add(name, isPromoted ? "promoted" : node.kind, start, inside);
  }
  if (node.kind === "call" && node.what?.name === "define" && node.arguments[0]?.kind === "string") {
    symbols.add(node.arguments[0].value, "define", node.arguments[0].loc.start.offset + 1, inside);
  }
  if (node.kind && !["identifier", "name"].includes(node.kind)) within = [...inside, node.kind];
  for (const [key, child] of Object.entries(node)) {
    if (!["loc", "comments", "leadingComments", "trailingComments"].includes(key)) walk(symbols, text, child, within);
  }
}

/** Finds a name in a range: some nodes have their names only as text, and others start with `$` or `case`. */
function find(text, name, start, end) {
  const found = new RegExp(`(?<![\\w])${name}(?!\\w)`).exec(text.slice(start, end));
  return found ? start + found.index : -1;
}
