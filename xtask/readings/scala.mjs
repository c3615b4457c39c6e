// Declarations as Scalameta parses them.

import scalameta from "scalameta-parsers";
import { run, Symbols } from "./reading.mjs";

await run((text) => {
  const tree = scalameta.parseSource(text);
  if (tree.error) throw new Error(tree.error);
  const symbols = new Symbols(text);
  // In backticks, as in `a-b`, the name is between the backticks.
  const unquoted = { add: (name, kind, at, inside) => symbols.add(name, kind, text[at] === "`" ? at + 1 : at, inside) };
  walk(unquoted, tree, []);
  return symbols.list;
});

function walk(symbols, node, inside) {
  if (node === null || typeof node !== "object") return;
  if (Array.isArray(node)) return node.forEach((child) => walk(symbols, child, inside));
  let within = inside;
  const type = node.type ?? "";
  if (/^(Defn|Decl)\./.test(type)) {
    const kind = type.split(".")[1].toLowerCase();
    const names = node.name ? [node.name] : (node.pats ?? []).flatMap(bound);
    for (const name of names) if (name.pos.end > name.pos.start) symbols.add(name.value, kind, name.pos.start, inside);
    within = [...inside, kind];
  } else if (type === "Ctor.Secondary") within = [...inside, "def"];
  else if (type === "Ctor.Primary") within = [...inside, "constructor"];
  else if (type === "Term.Param") {
    if (inside.at(-1) === "constructor" && node.name.value) {
      const mods = node.mods.map((mod) => mod.type);
      const kind = mods.includes("Mod.ValParam") || mods.includes("Mod.VarParam") ? "val-parameter" : "parameter";
      symbols.add(node.name.value, kind, node.name.pos.start, inside);
    }
  } else if (/^Term\.(Block|Function|PartialFunction|For|ForYield|NewAnonymous|Match)$/.test(type)) {
    within = [...inside, type.slice(5).toLowerCase()];
  } else if (type.startsWith("Pkg.Object")) {
    symbols.add(node.name.value, "object", node.name.pos.start, inside);
    within = [...inside, "object"];
  }
  for (const child of Object.values(node)) walk(symbols, child, within);
}

function bound(pattern) {
  if (pattern.type === "Pat.Var") return [pattern.name];
  if (pattern.type === "Pat.Tuple") return pattern.args.flatMap(bound);
  if (pattern.type === "Pat.Extract" || pattern.type === "Pat.ExtractInfix") {
    return [pattern.lhs, ...(pattern.args ?? pattern.argClause?.values ?? pattern.rhs ?? [])].filter(Boolean).flatMap(bound);
  }
  if (pattern.type === "Pat.Typed") return bound(pattern.lhs);
  return [];
}
