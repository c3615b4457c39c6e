// Keys as the JSON language service of VS Code outlines them.

import { getLanguageService } from "vscode-json-languageservice";
import { TextDocument } from "vscode-languageserver-textdocument";
import { run, Symbols } from "./reading.mjs";

const service = getLanguageService({});

await run((text, path) => {
  // The service outlines broken files too, but there is no right way to read them, so they are left out.
  JSON.parse(text);
  const document = TextDocument.create("file://" + path, "json", 1, text);
  const tree = service.parseJSONDocument(document);
  const symbols = new Symbols(text);
  const walk = (list, inside) => {
    for (const { name, selectionRange, children } of list) {
      const offset = document.offsetAt(selectionRange.start);
      // Elements of a list are named by their index. A key is compared as it is written, including escapes.
      const written = /"((?:[^"\\]|\\.)*)"(?=\s*:)/y;
      written.lastIndex = offset;
      const key = written.exec(text);
      if (key) symbols.add(key[1], "key", offset + 1, inside);
      else symbols.add(name, "element", offset, inside);
      walk(children ?? [], [...inside, key ? "key" : "element"]);
    }
  };
  walk(service.findDocumentSymbols2(document, tree, { resultLimit: 1e6 }), []);
  return symbols.list;
});
