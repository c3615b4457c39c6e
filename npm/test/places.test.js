// These tests need the path of the program in LOCANT_PROGRAM.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import test from "node:test";
import * as locant from "../lib/index.js";

const SOURCE = "class User:\n    def save(self):\n        return self\n\n    def load(self):\n        return self\n";

test("a place is found, described and found again", async () => {
  const found = await locant.locate("m.py:User.save@return <|>self", { text: SOURCE });
  assert.deepEqual(found.position, { line: 3, character: 16 });
  const described = await locant.describe("m.py", found.position, { text: SOURCE });
  assert.equal(described.location, "m.py:User.save@return <|>self");
  const again = await locant.relocate(described.anchor, { file_path: "m.py", text: `# new\n${SOURCE}` });
  assert.deepEqual(again.position, { line: 4, character: 16 });
  const words = await locant.relocate("m.py:3@<|>return", { old_text: SOURCE, text: `# new\n${SOURCE}` });
  assert.equal(words.position.line, 4);
});

test("ranges and outlines", async () => {
  const range = await locant.range({ file_path: "m.py", scope: { symbol_path: ["User", "load"] } }, { text: SOURCE });
  assert.equal(range.text, "def load(self):\n        return self");
  const { symbols } = await locant.outline("m.py", { text: SOURCE });
  assert.deepEqual(symbols[0].children.map((child) => child.name), ["save", "load"]);
});

test("what is not there is an error with candidates", async () => {
  const asked = locant.locate("m.py:User.svae", { text: SOURCE });
  const error = await asked.then(() => null, (error) => error);
  assert.ok(error instanceof locant.LocantError);
  assert.equal(error.kind, "not_found");
  assert.deepEqual(error.candidates.map((one) => one.location), ["m.py:User.save"]);
});

test("many questions at once, each with its own answer", async () => {
  const client = new locant.Client();
  const lines = Array.from({ length: 200 }, (_, n) => (n % 6) + 1);
  const found = await Promise.all(lines.map((line) => client.locate(`m.py:${line}`, { text: `${SOURCE}${"é".repeat(line * 1000)}` })));
  assert.deepEqual(found.map((one) => one.position.line), lines);
  await client.close();
  await assert.rejects(client.locate("m.py:1", { text: SOURCE }), { kind: "server" });
});

test("a program that is not there is said", async () => {
  const client = new locant.Client({ program: "/no/such/program" });
  await assert.rejects(client.ask("locate", {}), { kind: "server" });
  await client.close();
});

test("the command passes arguments, output and the exit code on", () => {
  const bin = new URL("../bin/locant.js", import.meta.url).pathname;
  const run = (...args) => spawnSync(process.execPath, [bin, ...args], { input: SOURCE, encoding: "utf8" });
  const found = run("locate", "--json", "-:User.save", "--stdin-path", "m.py");
  assert.equal(JSON.parse(found.stdout).position.line, 2);
  assert.equal(run("locate", "-:User.svae", "--stdin-path", "m.py").status, 1);
  assert.equal(run("locate").status, 2);
});

test("a client does not keep its process alive", () => {
  const script = "import('../lib/index.js').then((m) => m.locate('m.py:1', { text: 'x' })).then(() => console.log('ok'))";
  const run = spawnSync(process.execPath, ["--input-type=module", "-e", script.replace("../", new URL("../", import.meta.url).href)], {
    encoding: "utf8",
    timeout: 20000,
  });
  assert.deepEqual([run.stdout, run.status], ["ok\n", 0]);
});
