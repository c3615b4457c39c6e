// Computes where places are from the raw bytes alone, in another way than the page does.

/** The columns of a place in three encodings, its line, and its offset. */
export function coordinates(bytes, offset) {
  const mark = bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? 3 : 0;
  // Each byte becomes one character, so that a regular expression finds the line breaks.
  const before = bytes.subarray(mark, offset).toString('latin1');
  const isInBreak = before.endsWith('\r') && bytes[offset] === 0x0a;
  if (isInBreak) throw new Error(`${offset} is inside of a line break`);
  const lines = before.split(/\r\n|\r|\n/);
  const inLine = Buffer.from(lines.at(-1), 'latin1');
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(inLine);
  return {
    line: lines.length,
    'utf-16': text.length + 1,
    'utf-8': Buffer.byteLength(text) + 1,
    'utf-32': [...text].length + 1,
    offset,
  };
}

/** The offsets at which a character starts, outside of line breaks. */
export function starts(bytes) {
  const all = [];
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const mark = bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? 3 : 0;
  for (let offset = mark; offset < bytes.length; offset += 1) {
    if (bytes[offset] === 0x0a && bytes[offset - 1] === 0x0d) continue;
    // This is a boundary if the parts before and after it decode to the same text as the whole.
    const from = Math.max(mark, offset - 8);
    const near = [bytes.subarray(from, offset), bytes.subarray(offset, offset + 8)];
    const start = lastBoundary(near[0]);
    const whole = decoder.decode(Buffer.concat([near[0].subarray(start), near[1]]));
    if (decoder.decode(near[0].subarray(start)) + decoder.decode(near[1]) === whole) all.push(offset);
  }
  return all;
}

/** A place near the end of some bytes where a character surely starts: their last ASCII character, or their start. */
function lastBoundary(bytes) {
  for (let at = bytes.length - 1; at >= 0; at -= 1) if (bytes[at] < 0x80) return at;
  return 0;
}

/** A generator of numbers that is the same in every run. */
export function numbers(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
