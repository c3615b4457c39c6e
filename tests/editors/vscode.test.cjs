// Tests the packed extension for VS Code: its files, and its commands with the real server. VS Code itself is not
// available here, so a small editor takes its place. The connection to the server is the packed one.
//
//     node vscode.test.cjs PROGRAM EXTENSION FOLDER
'use strict';
const assert = require('node:assert/strict');
const { execFileSync, spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

const [, , program, extension, folder] = process.argv;
const packed = (name) => require(path.join(extension, name));
const { argumentOf, executed, oldFile, COPY, GO, GONE } = packed('src/commands.js');
const { createProtocolConnection } = packed('node_modules/vscode-languageserver-protocol/node.js');

const CART = 'class Cart:\n    def total(self):\n        x = "😀"; return self.sum\n';

function project() {
  fs.mkdirSync(path.join(folder, 'src'), { recursive: true });
  fs.writeFileSync(path.join(folder, 'src/cart.py'), CART);
  const git = (...args) => execFileSync('git', ['-C', folder, '-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args]);
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
}

/** An editor with one document. It records what it is told to do. */
function editorWith(current, answers = []) {
  const did = [];
  return {
    did,
    current: async () => current,
    uriOf: (file) => pathToFileURL(file).href,
    copy: async (text) => void did.push(['copy', text]),
    say: (message) => void did.push(['say', message]),
    warn: (message) => void did.push(['warn', message]),
    ask: async () => answers.shift(),
    show: async (uri, range) => void did.push(['show', path.basename(uri), range.start]),
  };
}

async function main() {
  const manifest = JSON.parse(fs.readFileSync(path.join(extension, 'package.json'), 'utf8'));
  assert.ok(fs.existsSync(path.join(extension, manifest.main)), 'the extension has its script');
  const files = fs.readdirSync(extension, { recursive: true }).map(String);
  assert.ok(!files.some((file) => /typescript[/\\]|jsconfig|\.vsix$/.test(file)), 'only what runs is packed');
  project();
  const child = spawn(program, ['lsp'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const connection = createProtocolConnection(child.stdout, child.stdin);
  connection.listen();
  const root = pathToFileURL(folder).href;
  const { capabilities } = await connection.sendRequest('initialize', {
    processId: process.pid, rootUri: root, workspaceFolders: [{ uri: root, name: 'test' }], capabilities: {},
    initializationOptions: { knowsCommands: true },
  });
  assert.deepEqual(capabilities.executeCommandProvider.commands, [COPY, GO, GONE]);
  const contributed = manifest.contributes.commands.map(({ command }) => command);
  assert.deepEqual(contributed, [COPY, GO, GONE], 'the commands of the palette are those of the server');

  const uri = pathToFileURL(path.join(folder, 'src/cart.py')).href;
  const at = (line, character) => ({ line, character });
  const here = (line, character, text = CART) => ({
    uri, scheme: 'file', path: path.join(folder, 'src/cart.py'), query: '', text, selected: '', position: at(line, character),
    range: { start: at(line, character), end: at(line, character) },
  });
  const execute = async (command, given, editor) => {
    const argument = await argumentOf(command, given, editor);
    if (!argument) return editor.did;
    await executed(command, await connection.sendRequest('workspace/executeCommand', { command, arguments: [argument] }), editor);
    return editor.did;
  };

  // After an emoji, a column in UTF-16 units differs from columns in bytes and in characters.
  const column = '        x = "😀"; return '.length;
  assert.deepEqual((await execute(COPY, undefined, editorWith(here(2, column))))[0], ['copy', 'src/cart.py:Cart.total@<|>self.sum']);
  assert.deepEqual((await execute(GO, undefined, editorWith(here(0, 0), ['src/cart.py:Cart.total'])))[0], ['show', 'cart.py', at(1, 8)]);
  assert.deepEqual(await execute(GO, undefined, editorWith(here(0, 0), [undefined])), [], 'nothing is done without a location');
  const changed = `import os\n\n${CART}`;
  fs.writeFileSync(path.join(folder, 'src/cart.py'), changed);
  const fromRevision = await execute(GONE, undefined, editorWith(here(2, column, changed), ['HEAD']));
  assert.deepEqual(fromRevision[0], ['show', 'cart.py', at(4, column)]);
  // The left side of a comparison is a document of git. Its query has the path of the file.
  const query = JSON.stringify({ path: path.join(folder, 'src/cart.py'), ref: 'HEAD' });
  const left = { ...here(2, column), scheme: 'git', query };
  assert.equal(oldFile(left), path.join(folder, 'src/cart.py'));
  assert.deepEqual((await execute(GONE, undefined, editorWith(left)))[0], ['show', 'cart.py', at(4, column)]);
  await assert.rejects(execute(GO, { location: 'src/cart.py:Cart.totla' }, editorWith(undefined)), /totla/);
  await connection.sendRequest('shutdown');
  await connection.sendNotification('exit');
  console.log('the extension for VS Code is packed, and its commands do what they should');
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
