// Uses the page in a real browser as people do: points, clicks, copies, types, uses only keys, light and dark colours,
// and narrow screens.
//
//     node browser.test.mjs PROGRAM FOLDER PLAYWRIGHT CHROMIUM [PICTURE]
//
// With PICTURE, the page of an example is drawn into that file, for the documentation.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { coordinates, numbers, starts } from './facts.mjs';
import { FILES } from './files.mjs';

const [, , program, folder, playwright, chromium, picture] = process.argv;
const { chromium: browsers } = await import(pathToFileURL(path.join(playwright, 'index.mjs')).href);
const run = (args) => execFileSync(program, args, { cwd: folder, maxBuffer: 1 << 30, encoding: 'utf8' });
const asked = (...args) => JSON.parse(run([...args, '--json']));

// Without these flags, Chromium connects to hosts of its maker.
const QUIET = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const browser = await browsers.launch({ executablePath: chromium, args: QUIET });

/** Messages about everything that a page did but must not do. */
const wrong = [];

async function open(name, { scheme = 'light', viewport = { width: 1360, height: 860 }, hash = '', args = [] } = {}) {
  const out = path.join(folder, `page-${Object.keys(FILES).indexOf(name)}.html`);
  run(['inspect', `./${name}`, '-o', out, ...args]);
  const context = await browser.newContext({ colorScheme: scheme, viewport, permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await context.newPage();
  const own = pathToFileURL(out).href;
  page.on('request', (request) => request.url().split('#')[0] === own || wrong.push(`${name} asks for ${request.url()}`));
  page.on('pageerror', (error) => wrong.push(`${name}: ${error.stack}`));
  page.on('console', (message) => message.type() === 'error' && wrong.push(`${name}: ${message.text()}`));
  page.on('dialog', (dialog) => wrong.push(`${name} shows a dialog: ${dialog.message()}`));
  await page.goto(own + hash);
  return page;
}

/** Where on the screen the middle of the character at an offset is; undefined if it is not visible. */
const spot = (page, offset) =>
  page.evaluate((at) => {
    const { text, source } = globalThis.page;
    source.reveal(at);
    for (const piece of source.lines.querySelectorAll('[data-at]')) {
      const start = Number(piece.dataset.at);
      if (at < start) continue;
      const [node] = piece.childNodes;
      const units = text.slice(start, at).length;
      const isOdd = piece.dataset.odd !== undefined;
      if (isOdd ? at !== start : units >= node.length || text.slice(start, text.after(at)) !== node.data.slice(0, units + text.characterAt(at).text.length)) continue;
      const range = document.createRange();
      if (isOdd) range.selectNodeContents(piece);
      else [range.setStart(node, units), range.setEnd(node, units + text.characterAt(at).text.length)];
      const { left, top, width, height } = range.getBoundingClientRect();
      const box = source.box.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      return x > box.left + 60 && x < box.right - 4 && y > box.top && y < box.bottom - 4 ? { x, y } : undefined;
    }
    return undefined;
  }, offset);

/** Waits until the panel is about a place. */
const shows = (page, offset) => page.waitForFunction((at) => document.getElementById('place').dataset.place === String(at), offset, { timeout: 5000 });

const cell = (page, name) => page.locator(`[data-cell="${name}"]`).textContent();

/** Checks that the panel shows the coordinates that are computed from the raw bytes. */
async function checkShown(page, bytes, offset) {
  const own = coordinates(bytes, offset);
  for (const encoding of ['utf-16', 'utf-8', 'utf-32']) {
    assert.equal(await cell(page, `place ${encoding}`), `${own.line}:${own[encoding]}`, `byte ${offset} in ${encoding}`);
  }
  assert.equal(await cell(page, 'place offset'), String(offset));
  const word = (await cell(page, 'word offset')).split('–').map(Number);
  if (word.length < 2) return;
  const [start, end] = word.map((at) => coordinates(bytes, at));
  for (const encoding of ['utf-16', 'utf-8', 'utf-32']) {
    assert.equal(await cell(page, `word ${encoding}`), `${start.line}:${start[encoding]}–${end.line}:${end[encoding]}`);
  }
}

/** Points at places, clicks on them, copies their locations, and asks the program where they lead. */
async function pointing(name) {
  const bytes = FILES[name];
  const page = await open(name);
  const pick = numbers(7);
  const places = starts(bytes).filter((at) => at < bytes.length && ![0x0a, 0x0d, 0x20].includes(bytes[at]));
  const copied = [];
  let pointed = 0;
  for (let n = 0; n < 40 && pointed < 10; n += 1) {
    const offset = places[pick(places.length)];
    await page.mouse.move(5, 5);
    const at = await spot(page, offset);
    if (!at) continue;
    await page.mouse.move(at.x, at.y);
    await shows(page, offset);
    await checkShown(page, bytes, offset);
    await page.mouse.click(at.x, at.y);
    assert.equal(await page.locator('.keep').count(), 1, 'a click keeps the place');
    await page.mouse.move(at.x + 3, at.y + 40);
    await shows(page, offset);
    const buttons = page.locator('#place .copy');
    // A browser writes to the clipboard in its own time, and the page says when it is done.
    await page.evaluate(() => (document.getElementById('said').textContent = ''));
    const button = buttons.nth(pick(await buttons.count()));
    // Inside of a word, one of the locations leads to its start, and says so.
    const isOfWord = await button.evaluate((one) => one.closest('.word-start') !== null);
    const expected = isOfWord ? Number((await cell(page, 'word offset')).split('–')[0]) : offset;
    await button.click();
    await page.waitForFunction(() => document.getElementById('said').textContent.startsWith('Copied'));
    copied.push([await page.evaluate(() => navigator.clipboard.readText()), expected]);
    await page.keyboard.press('Escape');
    pointed += 1;
  }
  assert.ok(pointed >= Math.min(8, places.length), `${name}: places were pointed at: ${pointed}`);
  for (const [location, offset] of copied) {
    const found = asked('locate', location);
    // The location of a descriptor path leads to the start of its declaration, even if the place is further inside.
    if (!/:\[[\d,]*\]$/.test(location)) assert.equal(found.offset, offset, location);
    else assert.ok(found.offset <= offset, location);
  }
  await page.context().close();
}

/** Types locations, which are then highlighted. */
async function typing() {
  const page = await open('cart.py');
  const field = page.getByLabel('Location', { exact: true });
  const verdict = page.locator('#verdict');
  await field.fill('cart.py:Cart.add@return <|>self');
  assert.match(await verdict.textContent(), /8:10 is the only match/);
  const lit = async () => (await page.locator('.at.range').allTextContents()).join('');
  assert.equal(await lit(), 'return self');
  await field.fill('cart.py@items');
  const { matches } = asked('locate', 'cart.py@items');
  assert.match(await verdict.textContent(), new RegExp(`first of ${matches} matches`));
  assert.equal(await lit(), 'items');
  await field.fill('cart.py:total');
  assert.match(await verdict.textContent(), /3:6|10:5/);
  await field.fill('cart.py:Cart.total(items)');
  assert.match(await verdict.textContent(), /cannot decide/);
  assert.match(await verdict.textContent(), /locant locate 'cart\.py:Cart\.total\(items\)'/);
  await field.fill('cart.py@not there at all');
  assert.match(await verdict.textContent(), /Not found/);
  await field.fill('');
  assert.ok(await verdict.isHidden());
  // A page can be opened at a location.
  const opened = await open('cart.py', { hash: '#:Cart.total' });
  assert.match(await opened.locator('#verdict').textContent(), /3:6/);
  await page.context().close();
  await opened.context().close();
}

/** Does everything with keys alone. */
async function keys() {
  const bytes = FILES['crlf.py'];
  const page = await open('crlf.py');
  const names = [];
  for (let n = 0; n < 5; n += 1) {
    await page.keyboard.press('Tab');
    names.push(await page.evaluate(() => document.activeElement.getAttribute('role') ?? document.activeElement.id));
  }
  assert.deepEqual(names.slice(0, 2), ['location', 'textbox'], `the keys reach ${names}`);
  assert.ok(names.includes('tab') && names.includes('tree'), `the keys reach ${names}`);
  await page.locator('#source').focus();
  const walk = [['Control+Home', 0], ['ArrowDown'], ['ArrowDown'], ['End'], ['ArrowRight'], ['ArrowLeft'], ['Control+ArrowRight'], ['ArrowRight'], ['ArrowUp'], ['Home']];
  const all = starts(bytes);
  for (const [key] of walk) {
    await page.keyboard.press(key);
    const place = Number(await page.locator('#place').getAttribute('data-place'));
    assert.ok(all.includes(place), `${key} leads to a character: ${place}`);
    await checkShown(page, bytes, place);
  }
  // From the end of a line, one press of the key passes the whole line break.
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowRight');
  assert.equal(await cell(page, 'place utf-16'), '2:1');
  await page.keyboard.press('Control+ArrowRight');
  await page.keyboard.press('c');
  await page.waitForFunction(() => document.getElementById('said').textContent.startsWith('Copied'));
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'crlf.py:Cart'.replace('crlf.py', './crlf.py'));
  await page.keyboard.press('/');
  await page.keyboard.type(':Cart.add');
  await page.keyboard.press('Enter');
  assert.equal(await cell(page, 'place utf-16'), '6:6');
  await page.keyboard.press('Escape');
  // The list of nodes: its tab, then its rows.
  await page.locator('#tab-symbols').focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'tab-nodes');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  const row = page.locator('[role=treeitem][aria-selected=true]');
  assert.equal(await row.count(), 1);
  assert.equal(await row.getAttribute('aria-level'), '2');
  await page.keyboard.press('Enter');
  assert.ok((await page.locator('.at.range').count()) > 0, 'a node that is chosen lights up');
  await page.context().close();
}

/** Checks that light and dark colours differ, and that words can be read in both. */
async function colours() {
  const seen = {};
  for (const scheme of ['light', 'dark']) {
    const page = await open('cart.py', { scheme });
    const pairs = await page.evaluate(() => {
      const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
      const light = (colour) => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        const [red, green, blue] = [...canvas.getImageData(0, 0, 1, 1).data].map((byte) => {
          const share = byte / 255;
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      };
      const style = getComputedStyle(document.documentElement);
      const value = (name) => light(style.getPropertyValue(`--${name}`));
      const contrast = (one, other) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
      const names = ['ink', 'quiet', 'accent', 'good', 'bad', 'warn', 'comment', 'string', 'literal', 'keyword', 'mark', 'odd'];
      return { paper: value('paper'), contrasts: names.flatMap((name) => ['paper', 'raised'].map((ground) => [`${name} on ${ground}`, contrast(value(name), value(ground))])) };
    });
    seen[scheme] = pairs.paper;
    for (const [pair, contrast] of pairs.contrasts) assert.ok(contrast >= 4.5, `${pair} in ${scheme}: ${contrast.toFixed(2)}`);
    await page.context().close();
  }
  assert.ok(seen.light > 0.8 && seen.dark < 0.05, `light ${seen.light}, dark ${seen.dark}`);
}

/** Checks that nothing in a file becomes a part of the page itself. */
async function hostile() {
  for (const name of ['hostile.js', 'odd <b>&"name\'.py']) {
    const page = await open(name);
    assert.equal(await page.evaluate(() => globalThis.broken), undefined, 'nothing of the file runs');
    assert.equal(await page.locator('img, iframe, object, b').count(), 0);
    assert.equal(await page.evaluate(() => document.scripts.length), 2);
    const shown = await page.locator('#source .content').allTextContents();
    if (name === 'hostile.js') {
      assert.ok(shown[0].includes('</script><script>window.broken = 1</script>'), 'the text is shown as it is');
      for (const sign of ['U+202E', 'U+2066', 'U+200B']) assert.ok(shown[1].includes(sign), `${sign} is seen`);
      for (const sign of ['FF', 'C3', 'E2 82', 'F0 9F 98', 'U+001B', 'U+007F', 'U+2028']) assert.ok(shown[2].includes(sign), `${sign} is seen`);
      assert.ok(!/[\u202e\u2066\u200b\u001b]/.test(shown.join('')));
      const lefts = await page.evaluate(() => {
        const word = [...document.querySelectorAll('#source [data-at]')].find((piece) => piece.textContent === 'שלום').firstChild;
        return [...word.data].map((_, at) => {
          const range = document.createRange();
          range.setStart(word, at);
          range.setEnd(word, at + 1);
          return range.getBoundingClientRect().left;
        });
      });
      assert.deepEqual(lefts, [...lefts].sort((one, other) => one - other), 'characters stand in the order of the file');
    }
    // If a script could get into the page through a mistake, the policy would stop it.
    const ran = await page.evaluate(() => {
      const script = document.createElement('script');
      try {
        script.textContent = 'globalThis.broken = 3';
      } catch {
        return 'refused';
      }
      document.head.append(script);
      return globalThis.broken;
    });
    assert.ok(ran === 'refused' || ran === undefined, `the policy let a script run: ${ran}`);
    wrong.splice(0, wrong.length, ...wrong.filter((said) => !/Content Security Policy|Trusted/.test(said)));
    const fetched = await page.evaluate(() => fetch('data:text/plain,x').then(() => 'fetched', () => 'refused'));
    assert.equal(fetched, 'refused', 'the policy lets nothing be loaded');
    wrong.splice(0, wrong.length, ...wrong.filter((said) => !/Content Security Policy|data:/.test(said)));
    await page.context().close();
  }
}

/** Checks that of ten thousand lines only a few are elements of the page, and that a place is shown at once. */
async function longFile() {
  const bytes = FILES['long.rs'];
  const page = await open('long.rs');
  const times = [];
  for (const line of [3, 2502, 5003, 7777, 9992]) {
    let offset = await page.evaluate((number) => globalThis.page.text.lineStart(number), line);
    while (bytes[offset] === 0x20) offset += 1;
    const at = await spot(page, offset);
    assert.ok(at, `the first word of line ${line} is seen`);
    await page.mouse.move(at.x, at.y);
    await shows(page, offset);
    await checkShown(page, bytes, offset);
    times.push(await page.evaluate((place) => {
      const start = performance.now();
      globalThis.page.hover(place);
      document.body.getBoundingClientRect();
      return performance.now() - start;
    }, offset));
    const elements = await page.evaluate(() => document.querySelectorAll('*').length);
    assert.ok(elements < 4000, `the page has ${elements} elements at line ${line}`);
  }
  console.log(`a place in 10,000 lines is shown within ${times.map((time) => time.toFixed(1)).join(', ')} ms`);
  await page.context().close();
  const wide = await open('one-line.json');
  const place = FILES['one-line.json'].indexOf('{"n": 780');
  const at = await spot(wide, place + 2);
  assert.equal(at !== undefined || (await wide.locator('.more').count()) > 0, true, 'a long line is shown in parts');
  assert.ok((await wide.evaluate(() => document.querySelectorAll('*').length)) < 4000);
  await wide.context().close();
}

/** Checks the location table of a .proto file, row by row. */
async function table() {
  const page = await open('shop.proto');
  const { locations } = asked('proto', './shop.proto');
  const rows = page.locator('#panel [role=option]');
  assert.equal(await page.locator('#tab-table').getAttribute('aria-selected'), 'true');
  assert.equal(await rows.first().getAttribute('aria-setsize'), String(locations.length));
  const lines = FILES['shop.proto'].toString('latin1').split('\n');
  for (const number of [3, 8, 11]) {
    const row = rows.nth(number);
    const { path: numbers, span } = locations[number];
    assert.equal(await row.locator('.descriptor').textContent(), `[${numbers.join(', ')}]`);
    assert.equal(await row.locator('.at-line').textContent(), `[${span.join(', ')}]`);
    await row.click();
    // In protoc's columns, a tab extends to a multiple of 8, so only the lines can be compared.
    assert.equal((await cell(page, 'range utf-16')).split(':')[0], String(span[0] + 1), lines[span[0]]);
  }
  await page.context().close();
}

/** Shows the nodes of another program, one with a wrong length: the chain shows it, and the nodes that it shifts. */
async function chain() {
  const { list } = asked('tree', './cell.rho', '--nodes');
  const from = 12;
  const shifted = list.map(([kind, start, end], at) => (at < from ? [kind, start, end] : [kind, start + 2, end + 2]));
  fs.writeFileSync(path.join(folder, 'nodes.json'), JSON.stringify(shifted));
  const page = await open('cell.rho', { args: ['--compare', 'nodes.json'] });
  const verdict = await page.locator('#chain-verdict').textContent();
  assert.match(verdict, new RegExp(`${list.length - from} of the ${list.length} nodes of nodes\\.json differ; the first is number ${from}`));
  const rows = page.locator('#chain-list [role=option]');
  const [, start, end] = list[from];
  assert.match(await rows.first().textContent(), new RegExp(`${start}–${end} ≠ ${start + 2}–${end + 2}`));
  await rows.first().click();
  const detail = page.locator('#chain-detail tr.differs');
  assert.ok((await detail.count()) >= 2, 'what differs is shown side by side');
  await page.getByLabel('only where they differ').uncheck();
  assert.equal(await rows.first().getAttribute('aria-setsize'), String(list.length));
  const same = await open('cart.py');
  await same.locator('#tab-chain').click();
  assert.match(await same.locator('#chain-verdict').textContent(), /all are where the parser has them/);
  await page.context().close();
  await same.context().close();
}

/** Checks that nothing is cut off on a narrow screen. */
async function narrow() {
  const page = await open('cart.py', { viewport: { width: 360, height: 740 } });
  await page.locator('#source .line').nth(3).click();
  const { wide, seen } = await page.evaluate(() => ({ wide: document.scrollingElement.scrollWidth, seen: innerWidth }));
  assert.ok(wide <= seen, `the page is ${wide} wide on a screen of ${seen}`);
  for (const part of ['#location', '#source', '#place', '#tabs']) assert.ok(await page.locator(part).isVisible(), part);
  await page.context().close();
}

/** Checks that every part has a role and a name. */
async function roles() {
  const page = await open('shop.proto');
  const parts = [['textbox', 'Location'], ['textbox', 'Source of the file'], ['tab', 'Symbols'], ['tab', 'Nodes'], ['tab', 'Locations'], ['tab', 'Chain'],
    ['listbox', 'Location table'], ['region', 'Source'], ['region', 'Place'], ['complementary', 'What is known'], ['search', undefined]];
  for (const [role, name] of parts) assert.ok((await page.getByRole(role, name ? { name } : {}).count()) >= 1, `${role} ${name}`);
  const nameless = await page.evaluate(() => [...document.querySelectorAll('button')].filter((button) => (button.getAttribute('aria-label') ?? button.textContent).trim() === '').length);
  assert.equal(nameless, 0, 'every button has a name');
  await page.context().close();
}

for (const [name, bytes] of Object.entries(FILES)) fs.writeFileSync(path.join(folder, name), bytes);
const steps = { typing, keys, colours, hostile, longFile, table, chain, narrow, roles };
try {
  for (const name of ['cart.py', 'crlf.py', 'mark.py', 'hostile.js', 'shop.proto', 'cell.rho']) await pointing(name);
  for (const [name, step] of Object.entries(steps)) {
    await step();
    assert.deepEqual(wrong, [], name);
  }
  const empty = await open('empty.py');
  assert.match(await empty.locator('#about').textContent(), /1 lines? · 0 bytes/);
  await empty.locator('#source').focus();
  await empty.keyboard.press('ArrowDown');
  if (picture) await draw(picture);
  assert.deepEqual(wrong, []);
  console.log('the page does what it should in Chromium');
} finally {
  await browser.close();
}

/** Draws the page of an example for the documentation. */
async function draw(out) {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const made = path.join(folder, 'picture.html');
  execFileSync(program, ['inspect', 'examples/shop.py', '-o', made], { cwd: root });
  const page = await browser.newPage({ viewport: { width: 1180, height: 700 } });
  await page.goto(`${pathToFileURL(made).href}#:Cart.total@return <|>total`);
  await page.locator('#tab-nodes').click();
  await page.screenshot({ path: out });
}
