// Headings as micromark reads Markdown by the CommonMark standard.

import { fromMarkdown } from "mdast-util-from-markdown";
import { run, Symbols } from "./reading.mjs";

await run((text) => {
  // CommonMark has no front matter. It is blanked out, because its last line would underline a heading.
  const front = /^---\r?\n[^]*?\n---[ \t]*(?=\r?\n|$)/.exec(text);
  const plain = front ? front[0].replace(/[^\r\n]/g, " ") + text.slice(front[0].length) : text;
  const symbols = new Symbols(text);
  walk(symbols, plain, fromMarkdown(plain), []);
  return symbols.list;
});

function walk(symbols, text, node, inside) {
  if (node.type === "heading" && node.children.length > 0) {
    const start = node.children[0].position.start.offset;
    const end = node.children.at(-1).position.end.offset;
    symbols.add(text.slice(start, end), "heading", start, inside);
  }
  for (const child of node.children ?? []) walk(symbols, text, child, [...inside, node.type]);
}
