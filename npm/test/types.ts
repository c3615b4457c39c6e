// This file is only compiled, not run. The types must accept what people write, and refuse what is wrong.

import { ask, Client, describe, LocantError, locate, range, relocate } from "../lib/index.js";

export async function examples(text: string): Promise<number> {
  const found = await locate("m.py:User", { text, encoding: "utf-32" });
  const described = await describe("m.py", found.position, { text });
  if (described.anchor) await relocate(described.anchor, { file_path: "m.py", text });
  await relocate("m.py:User", { old_text: text, text });
  const { text: matched } = await range({ file_path: "m.py", scope: { line: [1, 2] } }, { text });
  const { items } = await ask<{ items: string[] }>("references", { locate: "m.py:User" });
  const client = new Client({ root: "." });
  await client.close();
  // @ts-expect-error a scope has a form
  await locate({ file_path: "m.py", scope: { name: "User" } });
  // @ts-expect-error there is no such encoding
  await locate("m.py:User", { encoding: "latin-1" });
  const error: unknown = new Error();
  return error instanceof LocantError ? error.candidates.length : matched.length + items.length;
}
