"use strict";
// The bytes of the file: lines, characters, and columns in three encodings.
//
// Everywhere in these scripts a place is a number of bytes from the start of the file. Columns are computed only to show
// them.

/** How many units of each encoding a column counts. */
const ENCODINGS = ["utf-16", "utf-8", "utf-32"];

/** How many characters there are between the places of a line whose columns are kept. */
const CHECKPOINT = 256;

/** The bytes that base64 stands for, one character of the string for each. */
const bytesOf = (base64) => atob(base64);

/** Reads numbers in groups of seven bits, the low bits first. */
class Numbers {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }
  get isDone() {
    return this.at >= this.bytes.length;
  }
  byte() {
    return this.bytes.charCodeAt(this.at++);
  }
  next() {
    let number = 0;
    let scale = 1;
    for (;;) {
      const byte = this.byte();
      number += (byte & 0x7f) * scale;
      if (byte < 0x80) return number;
      scale *= 128;
    }
  }
}

/** How many bytes a character has that starts with this byte, or 0 if none does. */
function lengthByLead(lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  if (lead >= 0xf0 && lead <= 0xf4) return 4;
  return 0;
}

/** Whether a byte can follow the first byte of a character, as its second one. */
function isSecond(lead, byte) {
  const [least, most] =
    lead === 0xe0 ? [0xa0, 0xbf] : lead === 0xed ? [0x80, 0x9f] : lead === 0xf0 ? [0x90, 0xbf] : lead === 0xf4 ? [0x80, 0x8f] : [0x80, 0xbf];
  return byte >= least && byte <= most;
}

class Text {
  /** @param {string} bytes the file, one character of the string for each byte */
  constructor(bytes) {
    this.bytes = bytes;
    this.length = bytes.length;
    this.start = bytes.startsWith("\xef\xbb\xbf") ? 3 : 0;
    this.starts = lineStarts(bytes, this.start);
    this.checkpoints = new Map();
  }

  get nLines() {
    return this.starts.length;
  }

  /** The line that a place is in, counted from 1. A line break belongs to the line that it ends. */
  lineAt(place) {
    let [low, high] = [0, this.starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle] <= place) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  lineStart(line) {
    return this.starts[line - 1];
  }

  /** Where a line ends, without its line break. */
  lineEnd(line) {
    if (line >= this.nLines) return this.length;
    let end = this.starts[line] - 1;
    if (this.bytes[end] === "\n" && end > this.starts[line - 1] && this.bytes[end - 1] === "\r") end -= 1;
    return end;
  }

  /** Where a line ends, with its line break. */
  lineBreakEnd(line) {
    return line >= this.nLines ? this.length : this.starts[line];
  }

  /** The character at a place: its bytes, and its text. Bytes that are no character count as one U+FFFD. */
  characterAt(place) {
    const lead = this.bytes.charCodeAt(place);
    const wanted = lengthByLead(lead);
    if (wanted === 1) return { size: 1, text: this.bytes[place], isBad: false };
    let size = 1;
    while (wanted > size && place + size < this.length) {
      const byte = this.bytes.charCodeAt(place + size);
      if (size === 1 ? !isSecond(lead, byte) : byte < 0x80 || byte > 0xbf) break;
      size += 1;
    }
    if (wanted === 0 || size < wanted) return { size, text: "\ufffd", isBad: true };
    return { size, text: decoded(this.bytes.slice(place, place + size)), isBad: false };
  }

  /** The characters between two places. */
  *characters(from, to) {
    for (let at = from; at < to; ) {
      const character = this.characterAt(at);
      yield { at, ...character };
      at += character.size;
    }
  }

  /** The text between two places, with U+FFFD for bytes that are no character. */
  slice(from, to) {
    const bytes = this.bytes.slice(from, to);
    if (!/[\x80-\xff]/.test(bytes)) return bytes;
    let text = "";
    for (const character of this.characters(from, to)) text += character.text;
    return text;
  }

  /** Columns at some places of a line, so that a long line is not read again for each of its places. */
  checkpointsOf(line) {
    let known = this.checkpoints.get(line);
    if (known) return known;
    const [start, end] = [this.lineStart(line), this.lineEnd(line)];
    known = [{ at: start, "utf-16": 1, "utf-8": 1, "utf-32": 1 }];
    const columns = { ...known[0] };
    for (let at = start; at < end; ) {
      at = this.step(columns, at);
      if (columns["utf-32"] % CHECKPOINT === 0) known.push({ ...columns, at });
    }
    this.checkpoints.set(line, known);
    return known;
  }

  /** Adds the character at a place to columns, and returns the place after it. */
  step(columns, at) {
    const { size, text, isBad } = this.characterAt(at);
    columns["utf-16"] += text.length;
    columns["utf-8"] += isBad ? 3 : size;
    columns["utf-32"] += 1;
    return at + size;
  }

  /** The line of a place, and its column in each encoding; all count from 1. */
  position(place) {
    const to = Math.max(place, this.start);
    const line = this.lineAt(to);
    const start = this.lineStart(line);
    const n = to - start;
    if (!/[\x80-\xff]/.test(this.bytes.slice(start, to))) return { line, "utf-16": n + 1, "utf-8": n + 1, "utf-32": n + 1 };
    const { at: from, ...columns } = this.checkpointsOf(line).findLast(({ at }) => at <= to);
    // A place after the end of a line is in its line break, which counts as it is.
    const end = this.lineEnd(line);
    let at = from;
    while (at < Math.min(to, end)) at = this.step(columns, at);
    for (const encoding of ENCODINGS) columns[encoding] += Math.max(0, to - end);
    return { line, ...columns };
  }

  /** The place with a line and a column in an encoding; undefined if there is none, as inside of a character. */
  place(line, column, encoding = "utf-16") {
    if (line < 1 || line > this.nLines || column < 1) return undefined;
    const end = this.lineEnd(line);
    const { at: from, ...columns } = this.checkpointsOf(line).findLast((checkpoint) => checkpoint[encoding] <= column);
    let at = from;
    while (columns[encoding] < column && at < end) at = this.step(columns, at);
    return columns[encoding] === column ? at : undefined;
  }

  /** The start of the character before a place. Between `\r` and `\n` there is none. */
  before(place) {
    if (place <= this.start) return this.start;
    const line = this.lineAt(place - 1);
    const end = this.lineEnd(line);
    if (place > end) return end;
    const start = this.lineStart(line);
    if (place - 1 === start || !/[\x80-\xff]/.test(this.bytes.slice(Math.max(start, place - 4), place))) return place - 1;
    let last = this.checkpointsOf(line).findLast(({ at }) => at < place)?.at ?? start;
    for (const { at } of this.characters(last, place)) last = at;
    return last;
  }

  /** The start of the character after the one at a place. */
  after(place) {
    if (place >= this.length) return this.length;
    const line = this.lineAt(place);
    return place >= this.lineEnd(line) ? this.lineBreakEnd(line) : place + this.characterAt(place).size;
  }
}

/** The text of bytes that are whole characters. */
function decoded(bytes) {
  const numbers = Uint8Array.from(bytes, (byte) => byte.charCodeAt(0));
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(numbers);
}

/** The bytes of a text, one character of the string for each. */
function encoded(text) {
  let bytes = "";
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return bytes;
}

/** Where lines start. A line ends at `\n`, `\r\n` or `\r`, and nowhere else. */
function lineStarts(bytes, first) {
  const starts = [first];
  for (let at = first; at < bytes.length; at += 1) {
    const code = bytes.charCodeAt(at);
    if (code === 10 || (code === 13 && bytes.charCodeAt(at + 1) !== 10)) starts.push(at + 1);
  }
  return starts;
}
