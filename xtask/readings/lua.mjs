// Declarations as luaparse reads Lua.

import luaparse from "luaparse";
import { run, Symbols } from "./reading.mjs";

await run((text) => {
  const symbols = new Symbols(text);
  const plain = text.startsWith("#!") ? "--" + text.slice(2) : text;
  const tree = luaparse.parse(plain, { luaVersion: "5.3", ranges: true, comments: false, encodingMode: "none" });
  block(symbols, tree.body, []);
  return symbols.list;
});

function block(symbols, list, inside) {
  for (const node of list) walk(symbols, node, inside);
}

function walk(symbols, node, inside) {
  if (node === null || typeof node !== "object") return;
  if (Array.isArray(node)) return block(symbols, node, inside);
  let within = inside;
  if (node.type === "FunctionDeclaration") {
    if (node.identifier) last(symbols, node.identifier, "function", inside);
    within = [...inside, "function"];
  } else if (node.type === "LocalStatement" || node.type === "AssignmentStatement") {
    node.variables.forEach((variable, index) => {
      const isFunction = node.init[index]?.type === "FunctionDeclaration";
      const isTable = node.init[index]?.type === "TableConstructorExpression";
      const kind = isFunction ? "function" : isTable ? "table" : node.type === "LocalStatement" ? "local" : "assignment";
      last(symbols, variable, kind, inside);
    });
  } else if (node.type === "TableKeyString") {
    last(symbols, node.key, node.value.type === "FunctionDeclaration" ? "function" : "key", inside);
  } else if (node.type === "TableConstructorExpression") {
    within = [...inside, "table"];
  } else if (node.type === "CallExpression" || node.type === "TableCallExpression") {
    within = [...inside, "call"];
  } else if (node.type === "ReturnStatement") {
    within = [...inside, "return"];
  } else if (/^(If|For|While|Do|Repeat)/.test(node.type)) {
    within = [...inside, "block"];
  }
  for (const [key, child] of Object.entries(node)) if (key !== "range") walk(symbols, child, within);
}

function last(symbols, node, kind, inside) {
  if (node.type === "Identifier") symbols.add(node.name, kind, node.range[0], inside);
  if (node.type === "MemberExpression") symbols.add(node.identifier.name, kind, node.identifier.range[0], [...inside, "member"]);
}
