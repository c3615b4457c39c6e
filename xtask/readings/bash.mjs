// Functions and assignments as the parser of shfmt reads shell.

import sh from "mvdan-sh";
import { run, Symbols } from "./reading.mjs";

const { syntax } = sh;

await run((text, path) => {
  const parser = syntax.NewParser(syntax.Variant(syntax.LangBash));
  const file = parser.Parse(text, path);
  const symbols = new Symbols(text);
  const bytes = Buffer.from(text);
  const inside = [];
  syntax.Walk(file, (node) => {
    if (node === null) {
      inside.pop();
      return true;
    }
    // A call with words after its assignments sets the variables only for this call.
    const isCall = syntax.NodeType(node) === "CallExpr" && node.Args?.length > 0;
    const type = isCall ? "environment" : syntax.NodeType(node);
    const add = (name, kind) => {
      const offset = bytes.subarray(0, name.Pos().Offset()).toString().length;
      symbols.add(name.Value, kind, offset, inside);
    };
    if (type === "FuncDecl") add(node.Name, "function");
    if (type === "Assign" && node.Name && node.Value !== undefined) {
      add(node.Name, node.Naked ? "mentioned" : node.Append ? "appended" : node.Index ? "element" : "variable");
    }
    inside.push(type);
    return true;
  });
  return symbols.list;
});
