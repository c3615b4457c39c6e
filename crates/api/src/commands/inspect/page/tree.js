// The position tree: computes from the stored gaps and lengths where every node is.
//
// docs/tree.md of locant describes the stored form.

class Tree {
  /** @param {string} bytes the stored tree @param {number[][]} contents numbers of nodes, and where their contents end */
  constructor(bytes, contents) {
    const head = bytes.slice(0, 5);
    if (head !== "ltre\x02") throw new Error("the stored tree has another form than this page reads");
    const numbers = new Numbers(bytes, 5);
    this.nBytes = bytes.length;
    this.readWords(numbers);
    this.readSteps(numbers, bytes.length - 8);
    this.contents = new Map(contents);
  }

  readWords(numbers) {
    const word = (size) => {
      const text = decoded(numbers.bytes.slice(numbers.at, numbers.at + size));
      numbers.at += size;
      return text;
    };
    const list = (read) => Array.from({ length: numbers.next() }, read);
    this.kinds = list(() => {
      const number = numbers.next();
      return { isNamed: number % 2 === 1, name: word(number >> 1) };
    });
    this.fields = list(() => word(numbers.next()));
    this.labels = list(() => {
      const [kind, field, flags] = [numbers.next(), numbers.next(), numbers.byte()];
      const has = (flag) => (flags & flag) !== 0;
      return { kind, field, isMissing: has(2), isLeaf: has(4), isFiller: has(8) };
    });
  }

  readSteps(numbers, end) {
    const nodes = { label: [], start: [], end: [], depth: [], parent: [], after: [] };
    const open = [];
    // Inner nodes that have started, but whose first leaf has not come: they start where it starts.
    let waiting = [];
    let at = 0;
    const add = (label, start, stop) => {
      nodes.label.push(label);
      nodes.start.push(start);
      nodes.end.push(stop);
      nodes.depth.push(open.length);
      nodes.parent.push(open.at(-1) ?? -1);
      nodes.after.push(nodes.label.length);
      return nodes.label.length - 1;
    };
    while (numbers.at < end) {
      const code = readCode(numbers);
      const label = this.labels[code];
      if (!label.isLeaf) {
        const id = add(code, 0, 0);
        waiting.push(id);
        open.push(id);
        continue;
      }
      const { gap, length, closes } = readShape(numbers);
      const start = at + gap;
      at = start + length;
      for (const id of waiting) nodes.start[id] = start;
      waiting = [];
      if (!label.isFiller) add(code, start, at);
      for (let n = 0; n < closes; n += 1) {
        const id = open.pop();
        nodes.end[id] = at;
        nodes.after[id] = nodes.label.length;
      }
    }
    this.label = Uint32Array.from(nodes.label);
    this.start = Uint32Array.from(nodes.start);
    this.end = Uint32Array.from(nodes.end);
    this.depth = Uint32Array.from(nodes.depth);
    this.parent = Int32Array.from(nodes.parent);
    this.after = Uint32Array.from(nodes.after);
    this.length = this.label.length;
  }

  kind(id) {
    return this.kinds[this.labels[this.label[id]].kind];
  }
  field(id) {
    const { field } = this.labels[this.label[id]];
    return field === 0 ? "" : this.fields[field - 1];
  }
  isMissing(id) {
    return this.labels[this.label[id]].isMissing;
  }
  isLeaf(id) {
    return this.after[id] === id + 1;
  }
  /** Where a node ends without its closing delimiter. */
  contentEnd(id) {
    return this.contents.get(id) ?? this.end[id];
  }

  /** The last node that starts at a place or before it; -1 if there is none. Nodes are in the order of their starts. */
  lastFrom(place) {
    let [low, high] = [0, this.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.start[middle] <= place) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** The nodes that contain the byte after a place, the outermost first. */
  path(place) {
    const path = [];
    for (let id = this.lastFrom(place); id >= 0; id = this.parent[id]) if (place < this.end[id]) path.push(id);
    return path.reverse();
  }

  /** Where the chain stands when a node begins: the end of the node before it, or the start of its parent. */
  chainBefore(id) {
    const parent = this.parent[id];
    if (parent < 0) return 0;
    if (id === parent + 1) return this.start[parent];
    let before = id - 1;
    while (this.parent[before] !== parent) before = this.parent[before];
    return this.end[before];
  }

  /** The digest that the program computes from the parser's nodes. */
  digest() {
    let digest = 0x811c9dc5;
    const add = (byte) => {
      digest = Math.imul(digest ^ byte, 0x01000193) >>> 0;
    };
    const words = this.kinds.map(({ name }) => [...encoded(name)].map((byte) => byte.charCodeAt(0)).concat(0));
    for (let id = 0; id < this.length; id += 1) {
      words[this.labels[this.label[id]].kind].forEach(add);
      for (const number of [this.start[id], this.end[id]]) {
        for (let shift = 0; shift < 32; shift += 8) add((number >>> shift) & 0xff);
      }
    }
    return digest;
  }
}

/** The number of a label: one byte below `e0`, two from there, and beyond that `ff` and a number. */
function readCode(numbers) {
  const byte = numbers.byte();
  if (byte < 0xe0) return byte;
  if (byte < 0xff) return 0xe0 + (byte - 0xe0) * 256 + numbers.byte();
  return 0xe0 + 0x1f * 256 + numbers.next();
}

/** The gap, the length and how many nodes end: together in one byte, and numbers for what it does not hold. */
function readShape(numbers) {
  const shape = numbers.byte();
  let gap = Math.floor(shape / 80);
  const least = Math.floor(shape / 5) % 16;
  let closes = shape % 5;
  if (gap === 2) gap += numbers.next();
  let length = least + 1;
  if (least === 15) {
    const more = numbers.next();
    length = more === 0 ? 0 : more + 15;
  }
  if (closes === 4) closes += numbers.next();
  return { gap, length, closes };
}
