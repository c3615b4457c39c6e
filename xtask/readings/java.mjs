// Declarations as the java-parser package reads Java.

import { parse } from "java-parser";
import { run, Symbols } from "./reading.mjs";

// For each node that declares something: the kind of the symbol, and the node with its name.
const NAMES = {
  normalClassDeclaration: ["class", "typeIdentifier"],
  recordDeclaration: ["class", "typeIdentifier"],
  normalInterfaceDeclaration: ["interface", "typeIdentifier"],
  annotationInterfaceDeclaration: ["interface", "typeIdentifier"],
  enumDeclaration: ["enum", "typeIdentifier"],
  enumConstant: ["enum-member", "Identifier"],
  methodDeclarator: ["method", "Identifier"],
  constructorDeclarator: ["constructor", "simpleTypeName"],
  annotationInterfaceElementDeclaration: ["method", "Identifier"],
  compactConstructorDeclaration: ["constructor", "simpleTypeName"],
};

await run((text) => {
  const symbols = new Symbols(text);
  walk(symbols, parse(text), []);
  return symbols.list;
});

function walk(symbols, node, inside) {
  const rule = NAMES[node.name];
  let within = inside;
  const add = (token, kind) => symbols.add(token.image, kind, token.startOffset, inside);
  if (rule) {
    const [kind, child] = rule;
    const found = node.children[child]?.[0];
    const token = found?.image ? found : found && first(found);
    if (token) add(token, kind);
  }
  if (node.name === "fieldDeclaration" || node.name === "constantDeclaration") {
    const list = node.children.variableDeclaratorList[0];
    for (const declarator of list.children.variableDeclarator) {
      const token = first(declarator.children.variableDeclaratorId[0]);
      if (token) add(token, "field");
    }
  }
  if (node.name === "recordComponent" && node.children.Identifier) add(node.children.Identifier[0], "record-component");
  if (/Body$|Declarator$|^lambda|^block$|Expression$/.test(node.name)) within = [...inside, node.name];
  for (const children of Object.values(node.children ?? {})) {
    for (const child of children) if (child.children) walk(symbols, child, within);
  }
}

function first(node) {
  if (node.image) return /^[\w$]/.test(node.image) ? node : undefined;
  for (const children of Object.values(node.children)) {
    for (const child of children) {
      const token = first(child);
      if (token) return token;
    }
  }
  return undefined;
}
