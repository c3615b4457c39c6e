// Declarations as the TypeScript compiler parses them, for TypeScript, TSX and JavaScript.

import ts from "typescript";
import { run, Symbols } from "./reading.mjs";

const KINDS = new Map([
  [ts.SyntaxKind.ClassDeclaration, "class"],
  [ts.SyntaxKind.InterfaceDeclaration, "interface"],
  [ts.SyntaxKind.EnumDeclaration, "enum"],
  [ts.SyntaxKind.EnumMember, "enum-member"],
  [ts.SyntaxKind.TypeAliasDeclaration, "type"],
  [ts.SyntaxKind.FunctionDeclaration, "function"],
  [ts.SyntaxKind.ModuleDeclaration, "module"],
  [ts.SyntaxKind.MethodDeclaration, "method"],
  [ts.SyntaxKind.MethodSignature, "method"],
  [ts.SyntaxKind.PropertyDeclaration, "property"],
  [ts.SyntaxKind.PropertySignature, "property"],
  [ts.SyntaxKind.GetAccessor, "accessor"],
  [ts.SyntaxKind.SetAccessor, "accessor"],
  [ts.SyntaxKind.VariableDeclaration, "variable"],
  [ts.SyntaxKind.PropertyAssignment, "property-assignment"],
]);

// Nodes that can contain declarations, and what to call them.
const HOLDERS = new Map([
  [ts.SyntaxKind.Constructor, "function"],
  [ts.SyntaxKind.FunctionExpression, "function"],
  [ts.SyntaxKind.ArrowFunction, "function"],
  [ts.SyntaxKind.MethodDeclaration, "function"],
  [ts.SyntaxKind.GetAccessor, "function"],
  [ts.SyntaxKind.SetAccessor, "function"],
  [ts.SyntaxKind.ClassStaticBlockDeclaration, "function"],
  [ts.SyntaxKind.ClassExpression, "class-expression"],
  [ts.SyntaxKind.ObjectLiteralExpression, "object"],
  [ts.SyntaxKind.TypeLiteral, "type-literal"],
  [ts.SyntaxKind.CallExpression, "call"],
  [ts.SyntaxKind.NewExpression, "call"],
  [ts.SyntaxKind.ArrayLiteralExpression, "list"],
  [ts.SyntaxKind.Parameter, "parameter"],
  [ts.SyntaxKind.CallSignature, "signature"],
  [ts.SyntaxKind.ConstructSignature, "signature"],
  [ts.SyntaxKind.FunctionType, "signature"],
  [ts.SyntaxKind.TypeReference, "type-reference"],
  [ts.SyntaxKind.ExpressionWithTypeArguments, "type-reference"],
  [ts.SyntaxKind.Block, "block"],
  [ts.SyntaxKind.CatchClause, "catch"],
  [ts.SyntaxKind.ForStatement, "for"],
  [ts.SyntaxKind.ForInStatement, "for"],
  [ts.SyntaxKind.ForOfStatement, "for"],
]);

await run((text, path) => {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  if (source.parseDiagnostics.length > 0) throw new Error(source.parseDiagnostics[0].messageText);
  const symbols = new Symbols(text);
  visit(symbols, source, source, []);
  return symbols.list;
});

function visit(symbols, source, node, inside) {
  let within = inside;
  const kind = KINDS.get(node.kind);
  if (ts.isPropertyAssignment(node) && isFunction(node.initializer)) {
    name(symbols, source, node.name, "function-key", inside);
  } else if (kind && node.name) name(symbols, source, node.name, kind, inside);
  if (kind && kind !== "variable") within = [...within, kind];
  if (ts.isParameter(node) && node.modifiers?.some((m) => m.kind !== ts.SyntaxKind.Decorator)) {
    name(symbols, source, node.name, "parameter-property", inside);
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken && isFunction(node.right)) {
    if (ts.isPropertyAccessExpression(node.left)) name(symbols, source, node.left.name, "assigned", inside);
  }
  if (ts.isConstructorDeclaration(node)) {
    const keyword = node.getChildren(source).find((child) => child.kind === ts.SyntaxKind.ConstructorKeyword);
    symbols.add("constructor", "constructor", keyword.getStart(source), inside);
  }
  const holder = HOLDERS.get(node.kind);
  if (holder) within = [...within, holder];
  ts.forEachChild(node, (child) => visit(symbols, source, child, within));
}

function isFunction(node) {
  return ts.isFunctionExpression(node) || ts.isArrowFunction(node);
}

function name(symbols, source, node, kind, inside) {
  if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
    if (node.getWidth(source) > 0) symbols.add(node.getText(source), kind, node.getStart(source), inside);
  } else if (ts.isStringLiteralLike(node)) {
    symbols.add(node.getText(source).slice(1, -1), kind, node.getStart(source) + 1, inside);
  } else if (ts.isObjectBindingPattern(node) || ts.isArrayBindingPattern(node)) {
    for (const element of node.elements) if (element.name) name(symbols, source, element.name, kind, inside);
  } else if (ts.isComputedPropertyName(node)) {
    symbols.add(node.getText(source), "computed", node.getStart(source), inside);
  } else {
    symbols.add(node.getText(source), kind, node.getStart(source), inside);
  }
}
