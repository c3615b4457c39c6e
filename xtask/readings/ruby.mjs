// Declarations as Prism, Ruby's own parser, reads them.

import { loadPrism } from "@ruby/prism";
import { run, Symbols } from "./reading.mjs";

const parse = await loadPrism();

await run((text) => {
  const result = parse(text);
  if (result.errors.length > 0) throw new Error(result.errors[0].message);
  const symbols = new Symbols(text);
  walk(symbols, Buffer.from(text), result.value, []);
  return symbols.list;
});

function walk(symbols, bytes, node, inside) {
  if (!node) return;
  const add = (location, kind) => {
    const { startOffset: start, length } = location;
    const name = bytes.subarray(start, start + length).toString();
    symbols.add(name, kind, bytes.subarray(0, start).toString().length, inside);
  };
  let within = inside;
  switch (node.constructor.name) {
    case "ClassNode":
    case "ModuleNode": {
      const path = node.constantPath;
      add(path.nameLoc ?? path.location, node.constructor.name === "ClassNode" ? "class" : "module");
      within = [...inside, "type"];
      break;
    }
    case "SingletonClassNode":
      within = [...inside, "type"];
      break;
    case "DefNode":
      add(node.nameLoc, "method");
      within = [...inside, "method"];
      break;
    case "ConstantWriteNode":
      add(node.nameLoc, "constant");
      break;
    case "AliasMethodNode":
      add(node.newName.valueLoc ?? node.newName.location, "alias");
      break;
    case "CallNode":
      if (/^attr_(reader|writer|accessor)$/.test(node.name) && !node.receiver) {
        for (const argument of node.arguments_?.arguments_ ?? []) {
          if (argument.valueLoc) add(argument.valueLoc, "attribute");
        }
      }
      within = node.block ? [...inside, "block"] : inside;
      break;
  }
  for (const child of node.childNodes()) walk(symbols, bytes, child, within);
}
