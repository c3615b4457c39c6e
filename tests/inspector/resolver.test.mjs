// Checks that the page's own resolver says the same as the program, or that it cannot decide. Runs the scripts of the
// page without a browser.
//
//     node resolver.test.mjs PROGRAM FOLDER
//
// FOLDER has the files, and in `spec` the cases of the location language.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';

import { coordinates, starts } from './facts.mjs';
import { FILES, TYPED } from './files.mjs';

const [, , program, folder] = process.argv;
const run = (args, input = '') => execFileSync(program, args, { cwd: folder, input, maxBuffer: 1 << 30, encoding: 'utf8' });
const ask = (requests) => requests.length === 0 ? [] : run(['batch'], requests.map((request) => `${JSON.stringify(request)}\n`).join('')).trimEnd().split('\n').map((line) => JSON.parse(line));

/** Runs the scripts of a page without a browser. Returns what they know about its file. */
function load(html) {
  const facts = JSON.parse(/<script type="application\/json" id="facts">(.*?)<\/script>/s.exec(html)[1]);
  const script = html.slice(html.lastIndexOf('<script>') + 8, html.lastIndexOf('</script>'));
  const scope = vm.createContext({ atob, TextDecoder, TextEncoder });
  const classes = '({ Text, Tokens, Tree, Resolver, Places, bytesOf, Undecided, Invalid, Ambiguous, NotFound })';
  const known = vm.runInContext(`${script}\n${classes}`, scope);
  const text = new known.Text(known.bytesOf(facts.text));
  const tokens = new known.Tokens(text, known.bytesOf(facts.places.tokens));
  const tree = facts.nodes && new known.Tree(known.bytesOf(facts.nodes.stored), facts.nodes.contents);
  const resolver = new known.Resolver(facts, text, tokens);
  const places = new known.Places(facts, text, tokens, resolver);
  return { ...known, facts, text, tokens, tree, resolver, places };
}

const count = { same: 0, undecided: 0, places: 0, inside: 0, nodes: 0 };

/** What the page says about a location. */
function said({ resolver, Undecided, Invalid, Ambiguous, NotFound }, location) {
  try {
    const found = resolver.resolve(location);
    return { is: 'found', offset: found.place, matches: found.matches, range: [found.start, found.end], partial: found.isPartial };
  } catch (error) {
    const kinds = [[Undecided, 'undecided'], [Invalid, 'invalid_location'], [Ambiguous, 'ambiguous'], [NotFound, 'not_found']];
    const kind = kinds.find(([type]) => error instanceof type);
    if (!kind) throw error;
    return { is: kind[1] };
  }
}

/** Compares the page with the program for a location. */
function compare(page, location, answer, range) {
  const own = said(page, location);
  if (own.is === 'undecided') {
    count.undecided += 1;
    return;
  }
  if (answer.error) {
    assert.equal(own.is, answer.error.kind, `${location}: the page says ${JSON.stringify(own)}, the program ${JSON.stringify(answer.error)}`);
  } else {
    const { offset, matches, partial } = answer.result;
    assert.deepEqual([own.offset, own.matches, own.partial], [offset, matches, partial], `${location}: ${JSON.stringify(own)}`);
    if (range?.result) assert.equal(page.text.slice(...own.range), range.result.text, `the range of ${location}`);
  }
  count.same += 1;
}

function checkFile(name, bytes) {
  const page = load(run(['inspect', `./${name}`]).toString());
  const { text, tokens, tree, places, facts } = page;
  const written = facts.written;
  assert.deepEqual(Buffer.from(text.bytes, 'latin1'), bytes, 'the page has the bytes of the file');

  // Compares lines and columns with those computed from the raw bytes.
  const all = starts(bytes);
  const some = all.filter((_, at) => all.length < 1000 || at % Math.ceil(all.length / 1000) === 0);
  for (const offset of some) {
    const own = coordinates(bytes, offset);
    assert.deepEqual({ ...text.position(offset), offset }, own, `${name}: byte ${offset}`);
    for (const encoding of ['utf-16', 'utf-8', 'utf-32']) assert.equal(text.place(own.line, own[encoding], encoding), offset);
    if (text.after(offset) < bytes.length) assert.ok(all.includes(text.after(offset)), `${name}: after ${offset}`);
    assert.equal(text.before(text.after(offset)), offset, `${name}: there and back from ${offset}`);
  }

  // The location of each word is the one that `describe` gives. Both resolvers lead back from it.
  const step = Math.max(1, Math.floor(tokens.length / 400));
  // Bytes that are not characters may share a column.
  const hasColumn = (token) => {
    const at = text.position(tokens.start[token]);
    return text.place(at.line, at['utf-16'], 'utf-16') === tokens.start[token];
  };
  const chosen = Array.from({ length: tokens.length }, (_, token) => token).filter((token) => token % step === 0 && hasColumn(token));
  const position = (offset) => ({ line: text.position(offset).line, character: text.position(offset)['utf-16'] });
  const described = ask(chosen.map((token) => ({ op: 'describe', file_path: `./${name}`, position: position(tokens.start[token]) })));
  const locations = chosen.map((token) => places.locationOf(tokens.start[token]).location);
  const found = chosen.length > 0 ? ask(locations.map((locate) => ({ locate }))) : [];
  chosen.forEach((token, at) => {
    const own = places.locationOf(tokens.start[token]);
    assert.equal(locations[at], described[at].result.location, `${name}: the location of word ${token}`);
    assert.equal(own.location, locations[at]);
    assert.equal(found[at].result?.offset, tokens.start[token], `${locations[at]} leads back`);
    compare(page, locations[at], found[at]);
    count.places += 1;
  });

  // Inside of words, the page makes locations by itself.
  const inner = chosen.map((token) => [token, text.after(tokens.start[token])]).filter(([token, place]) => place < tokens.end[token]);
  const made = inner.map(([, place]) => places.locationOf(place).location);
  if (made.length > 0) {
    ask(made.map((locate) => ({ locate }))).forEach((answer, at) => {
      assert.equal(answer.result?.offset, inner[at][1], `${made[at]} leads into the word: ${JSON.stringify(answer)}`);
      assert.equal(answer.result.matches, 1, made[at]);
      count.inside += 1;
    });
  }

  // The nodes, rebuilt from gaps and lengths, are those of the program and of the parser.
  if (tree) {
    const { list } = JSON.parse(run(['tree', `./${name}`, '--nodes', '--json']));
    const own = Array.from({ length: tree.length }, (_, id) => [tree.kind(id).name, tree.start[id], tree.end[id]]);
    assert.deepEqual(own, list, `${name}: the nodes`);
    assert.equal(tree.digest(), facts.nodes.digest, `${name}: the digest of the parser's nodes`);
    assert.equal(facts.compared.n_differing, 0);
    count.nodes += list.length;
  }
  if (facts.table) {
    const { locations: rows } = JSON.parse(run(['proto', `./${name}`, '--json']));
    assert.deepEqual(facts.table.rows.map(({ path: numbers, span }) => ({ path: numbers, span })), rows.map(({ path: numbers, span }) => ({ path: numbers, span })));
  }

  const typed = (TYPED[name] ?? []).map((location) => (location.startsWith(':') ? written + location : location));
  if (typed.length > 0) {
    const answers = ask(typed.map((locate) => ({ locate })));
    const ranges = ask(typed.map((locate) => ({ op: 'range', locate })));
    typed.forEach((location, at) => compare(page, location, answers[at], location.includes('@') && !location.includes('|') ? ranges[at] : undefined));
  }
}

/** Checks the cases of the location language: each file with the locations that are looked up in it. */
function checkSpec() {
  for (const page of fs.readdirSync(path.join(folder, 'spec'))) {
    let file;
    const lines = fs.readFileSync(path.join(folder, 'spec', page), 'utf8').split('\n');
    for (let at = 0; at < lines.length; at += 1) {
      const fence = /^```(\S+)(?: (.+))?$/.exec(lines[at]);
      if (!fence) continue;
      const end = lines.indexOf('```', at + 1);
      const block = lines.slice(at + 1, end);
      at = end;
      // Files with signs for special characters are left out. The checks of files above have such characters.
      const isPlain = !block.some((line) => /[␄␌␍␤]|\\u\{/.test(line));
      if (fence[1] === 'cases' && file) checkCases(file, block);
      if (fence[1] !== 'cases') file = fence[2] && isPlain ? { name: fence[2], text: `${block.join('\n')}\n` } : undefined;
    }
  }
}

function checkCases({ name, text }, lines) {
  const locations = lines.map((line) => /^(?:locate|range) (.+)$/.exec(line)?.[1]).filter((location) => location?.startsWith(name));
  const place = path.join(folder, 'case');
  fs.mkdirSync(path.dirname(path.join(place, name)), { recursive: true });
  fs.writeFileSync(path.join(place, name), text);
  const inspected = ask([{ op: 'inspect', file_path: name, text }])[0];
  const page = load(inspected.result.page);
  const answers = locations.length > 0 ? ask(locations.map((locate) => ({ locate, text }))) : [];
  locations.forEach((location, at) => compare(page, location, answers[at]));
}

for (const [name, bytes] of Object.entries(FILES)) {
  fs.writeFileSync(path.join(folder, name), bytes);
  checkFile(name, bytes);
}
checkSpec();
assert.ok(count.same > 3 * count.undecided, `most locations are decided: ${JSON.stringify(count)}`);
console.log(`the page agrees with the program: ${JSON.stringify(count)}`);
