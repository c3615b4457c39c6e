// Names in the scripts of a component, as Svelte's own compiler parses them.

import { parse } from "svelte/compiler";
import { run, Symbols } from "./reading.mjs";

await run((text) => {
  const tree = parse(text, { modern: true });
  const symbols = new Symbols(text);
  for (const script of [tree.module, tree.instance]) {
    for (const node of script?.content.body ?? []) statement(symbols, node, []);
  }
  snippets(symbols, tree.fragment, []);
  return symbols.list;
});

function statement(symbols, node, inside) {
  switch (node.type) {
    case "ExportNamedDeclaration":
      if (node.declaration) statement(symbols, node.declaration, inside);
      break;
    case "VariableDeclaration":
      for (const declarator of node.declarations) pattern(symbols, declarator.id, inside);
      break;
    case "FunctionDeclaration":
    case "ClassDeclaration":
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
    case "TSEnumDeclaration":
      symbols.add(node.id.name, node.type, node.id.start, inside);
      break;
  }
}

function pattern(symbols, node, inside) {
  switch (node?.type) {
    case "Identifier":
      return symbols.add(node.name, "variable", node.start, inside);
    case "ObjectPattern":
      return node.properties.forEach((part) => pattern(symbols, part.argument ?? part.value, [...inside, "pattern"]));
    case "ArrayPattern":
      return node.elements.forEach((part) => pattern(symbols, part, [...inside, "pattern"]));
    case "AssignmentPattern":
      return pattern(symbols, node.left, inside);
    case "RestElement":
      return pattern(symbols, node.argument, inside);
  }
}

function snippets(symbols, node, inside) {
  if (node === null || typeof node !== "object") return;
  if (Array.isArray(node)) return node.forEach((child) => snippets(symbols, child, inside));
  if (node.type === "SnippetBlock") symbols.add(node.expression.name, "snippet", node.expression.start, inside);
  const id = node.attributes?.find?.((attribute) => attribute.type === "Attribute" && attribute.name === "id");
  const value = Array.isArray(id?.value) && id.value.length === 1 ? id.value[0] : undefined;
  if (value?.type === "Text") symbols.add(value.data, "id", value.start, inside);
  for (const child of Object.values(node)) snippets(symbols, child, inside);
}
