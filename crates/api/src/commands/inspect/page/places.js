// What is known of a place: the symbols and nodes around it, the locations that lead there, and what else they would match.


class Places {
  constructor(facts, text, tokens, resolver) {
    Object.assign(this, { facts, text, tokens, resolver });
    this.read(new Numbers(bytesOf(facts.places.locations)));
    this.fronts = facts.places.fronts;
  }

  /** Reads how the location of each word is made. */
  read(numbers) {
    const ways = { kind: [], front: [], one: [], other: [] };
    while (!numbers.isDone) {
      const kind = numbers.next();
      const way = kind >> 1;
      ways.kind.push(kind);
      ways.front.push(way > 0 ? numbers.next() : 0);
      ways.one.push(way > 1 ? numbers.next() : 0);
      ways.other.push(way === 2 ? numbers.next() : 0);
    }
    this.kind = Uint8Array.from(ways.kind);
    this.front = Uint32Array.from(ways.front);
    this.one = Uint32Array.from(ways.one);
    this.other = Uint32Array.from(ways.other);
  }

  get areDescribed() {
    return this.kind.length > 0 || this.tokens.length === 0;
  }

  /** The location of a word's start, as the program gives it; undefined if it gives none. */
  locationOfToken(token) {
    const kind = this.kind[token] >> 1;
    if (!kind) return undefined;
    const front = this.fronts[this.front[token]];
    const isStable = this.kind[token] % 2 === 1;
    if (kind === 1) return { location: front, isStable };
    if (kind === 3) return { location: `${front}@${this.facts.places.finds[this.one[token]]}`, isStable };
    const at = this.tokens.start[token];
    const before = this.text.slice(at - this.one[token], at);
    return { location: `${front}@${before}<|>${this.text.slice(at, at + this.other[token])}`, isStable };
  }

  /** The coordinate of a place. It is always a location, but the next edit above makes it wrong. */
  coordinate(place) {
    const { line, "utf-16": column } = this.text.position(place);
    return `${this.facts.written}:${line}:${column}`;
  }

  /** The best location for a place: `{ location, isStable, isMadeHere }`. */
  locationOf(place) {
    const token = this.tokens.at(place);
    if (token < 0) return { location: this.coordinate(place), isStable: false, isMadeHere: false };
    const known = this.locationOfToken(token);
    if (!known) return { location: this.coordinate(place), isStable: false, isMadeHere: false };
    const start = this.tokens.start[token];
    if (start === place) return { ...known, isMadeHere: false };
    const inside = known.isStable ? this.inside(known.location, token, place) : undefined;
    return inside ?? { location: this.coordinate(place), isStable: false, isMadeHere: false };
  }

  /** The location of a place inside of a word, made from the location of the word: the marker is moved into the word. It is
   * given only if it leads back to the place and to no other. */
  inside(location, token, place) {
    const start = this.tokens.start[token];
    const head = this.text.slice(start, place);
    const whole = this.text.slice(start, this.tokens.end[token]);
    const { scope, find } = split(location, this.facts.path, this.facts.written);
    const { text, at } = find === undefined ? { text: whole, at: 0 } : takeMarker(find);
    if (at === undefined || !text.startsWith(head, at)) return undefined;
    const marked = putMarker(text, at + head.length);
    if (marked === undefined) return undefined;
    const made = `${this.facts.written}${scope === "" ? "" : `:${scope}`}@${marked}`;
    return this.leadsTo(made, place) ? { location: made, isStable: true, isMadeHere: true } : undefined;
  }

  leadsTo(location, place) {
    try {
      const found = this.resolver.resolve(location);
      return found.place === place && found.matches === 1 && !found.isPartial;
    } catch {
      return false;
    }
  }

  /** The symbols around a place, the outermost first. */
  symbolsAround(place) {
    const around = [];
    for (const [id, { extent }] of this.facts.symbols.entries()) {
      if (extent[0] <= place && place < extent[1]) around.push(id);
    }
    const size = (id) => this.facts.symbols[id].extent[1] - this.facts.symbols[id].extent[0];
    return around.sort((one, other) => size(other) - size(one));
  }

  /** The locations of a .proto file that cover a place, the most specific first. */
  rowsAround(place) {
    const rows = this.facts.table?.rows ?? [];
    const around = [...rows.keys()].filter((index) => rows[index].range[0] <= place && place < rows[index].range[1]);
    const size = (index) => rows[index].range[1] - rows[index].range[0];
    return around.sort((one, other) => size(one) - size(other) || rows[other].path.length - rows[one].path.length);
  }

  /** Where the same word stands too: in the symbol around the place and in the file. */
  others(place) {
    const token = this.tokens.at(place);
    if (token < 0) return undefined;
    const word = this.text.slice(this.tokens.start[token], this.tokens.end[token]);
    const find = takeMarker(word).at === undefined ? word : undefined;
    if (find === undefined || word.includes("\ufffd")) return undefined;
    const whole = this.tokens.matches(find, [region(this.text.start, this.text.length)]) ?? [];
    return { word, places: whole.filter(({ isPartial }) => !isPartial).map((match) => match.start) };
  }
}
