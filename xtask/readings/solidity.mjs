// Declarations as the Solidity compiler parses them.

import solc from "solc";
import { run, Symbols } from "./reading.mjs";

await run((text, path) => {
  const input = {
    language: "Solidity",
    sources: { [path]: { content: text } },
    settings: { stopAfter: "parsing", outputSelection: { "*": { "": ["ast"] } } },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input)));
  const ast = output.sources?.[path]?.ast;
  if (!ast) throw new Error(output.errors?.[0]?.message ?? "no tree");
  const bytes = Buffer.from(text);
  const symbols = new Symbols(text);
  walk(symbols, bytes, ast, []);
  return symbols.list;
});

function walk(symbols, bytes, node, inside) {
  if (node === null || typeof node !== "object") return;
  if (Array.isArray(node)) return node.forEach((child) => walk(symbols, bytes, child, inside));
  let within = inside;
  if (node.nodeType) {
    const start = Number(node.nameLocation?.split(":")[0] ?? -1);
    // The compiler counts bytes.
    if (start >= 0 && node.name) symbols.add(node.name, node.nodeType, bytes.subarray(0, start).toString().length, inside);
    else if (node.nodeType === "FunctionDefinition") {
      const at = Number(node.src.split(":")[0]);
      symbols.add(node.kind, node.nodeType, bytes.subarray(0, at).toString().length, inside);
    }
    within = [...inside, node.nodeType];
  }
  for (const [key, child] of Object.entries(node)) {
    if (key !== "typeDescriptions") walk(symbols, bytes, child, within);
  }
}
