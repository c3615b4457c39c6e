// Selectors as the CSS language service of VS Code outlines them.

import css from "vscode-css-languageservice";
import { TextDocument } from "vscode-languageserver-textdocument";
import { run, Symbols } from "./reading.mjs";

const service = css.getCSSLanguageService();

await run((text, path) => {
  const document = TextDocument.create("file://" + path, "css", 1, text);
  const outline = service.findDocumentSymbols2(document, service.parseStylesheet(document));
  const symbols = new Symbols(text);
  const walk = (list, inside) => {
    for (const { name, kind, range, selectionRange, children } of list) {
      // The service selects an @ rule at the text after its keyword, but names it with the keyword.
      const isCondition = /^@(media|supports)/.test(name);
      const offset = document.offsetAt((isCondition ? range : selectionRange).start);
      symbols.add(name.replace(/^@keyframes /, ""), String(kind), offset, inside);
      walk(children ?? [], [...inside, String(kind)]);
    }
  };
  walk(outline, []);
  return symbols.list;
});
