// The code that all readings in JavaScript share. It reads one path per line, and prints the symbols of each file as JSON.

import fs from "node:fs";
import readline from "node:readline";

/** Reads paths from standard input, and answers each with the list of symbols that `read(text, path)` returns. */
export async function run(read) {
  for await (const path of readline.createInterface({ input: process.stdin })) {
    let answer;
    try {
      const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(fs.readFileSync(path));
      answer = { path, symbols: await read(text, path) };
    } catch (error) {
      answer = { path, error: String(error.message ?? error).split("\n")[0].toWellFormed() };
    }
    process.stdout.write(JSON.stringify(answer) + "\n");
  }
}

/** Collects symbols by the offsets of their names, in UTF-16 units. */
export class Symbols {
  constructor(text) {
    this.text = text;
    this.starts = [0];
    for (const end of text.matchAll(/\r\n|\r|\n/g)) this.starts.push(end.index + end[0].length);
    this.list = [];
  }

  add(name, kind, offset, inside = []) {
    let [low, high] = [0, this.starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.starts[middle] <= offset) low = middle;
      else high = middle;
    }
    this.addAt(name, kind, low + 1, offset - this.starts[low] + 1, inside);
  }

  /** The line and the column, counted from 1. */
  addAt(name, kind, line, column, inside = []) {
    this.list.push({ name: name.toWellFormed(), kind, line, column, inside: [...inside] });
  }
}
