// From a location to its place in this file.
//
// Symbols are found by their names alone, from the top of the file or from further inside. Whatever needs more than that
// is undecided here, and the program decides it.

/** Several symbols that a path may mean. */
class Ambiguous extends Error {
  constructor(message, places) {
    super(message);
    this.places = places;
  }
}

class NotFound extends Error {}

class Resolver {
  /** @param facts what the page knows @param {Text} text @param {Tokens} tokens */
  constructor(facts, text, tokens) {
    this.facts = facts;
    this.text = text;
    this.tokens = tokens;
    this.symbols = facts.symbols;
    this.paths = this.symbols.map(() => undefined);
  }

  /** The names that lead to a symbol from the top of the file. */
  path(id) {
    const symbol = this.symbols[id];
    if (this.paths[id] === undefined) {
      const above = symbol.parent === null ? [] : this.path(symbol.parent);
      this.paths[id] = [...above, ...symbol.qualifier, symbol.name];
    }
    return this.paths[id];
  }

  /** The place that a location means: `{ place, start, end, matches, others, isPartial, note }`. */
  resolve(words) {
    const { scope: written, find } = split(words, this.facts.path, this.facts.written);
    if (find !== undefined && /<#[0-9a-z]{8}>$/.test(find)) throw new Undecided("a check at the end of a find is not read by this page");
    const scope = readScope(written);
    const hasFind = find !== undefined && find !== "";
    if (!scope && !hasFind) throw new Invalid("it names no place: add :SYMBOL, :LINE or @TEXT");
    if (!scope) return this.found(find, [region(this.text.start, this.text.length)], "the file");
    if (scope.is === "coordinate") return this.coordinate(scope, hasFind);
    if (scope.is === "lines") return this.lines(scope, hasFind ? find : undefined);
    if (scope.is === "descriptor") return this.descriptor((row) => String(row.path) === String(scope.path), hasFind ? find : undefined);
    return this.symbol(scope, hasFind ? find : undefined);
  }

  coordinate({ line, column, endLine, endColumn }, hasFind) {
    if (hasFind) throw new Invalid("a coordinate takes no find: it is a place already");
    const place = this.text.place(line, column);
    const end = endLine === undefined ? place : this.text.place(endLine, endColumn);
    if (place === undefined || end === undefined) throw new NotFound("there is no such place; columns count UTF-16 units from 1");
    if (end < place) throw new Invalid("the range ends before it starts");
    return only(place, place, end);
  }

  lines({ first, last: given }, find) {
    const last = given === 0 ? Math.max(this.text.nLines, first) : given;
    if (last > this.text.nLines) throw new NotFound(`there is no line ${last}: the file has ${this.text.nLines}`);
    const [start, end] = [this.text.lineStart(first), this.text.lineBreakEnd(last)];
    if (find !== undefined) return this.found(find, [region(start, end)], "these lines");
    const content = this.text.lineEnd(first);
    const blank = this.tokens.blanksAfter(start, content, false);
    return only(blank === content ? start : blank, start, end);
  }

  descriptor(isMeant, find) {
    const { table } = this.facts;
    if (!table) throw new Undecided("this file has no location table");
    const rows = table.rows.filter((row) => row.nth !== undefined && isMeant(row)).sort((one, other) => one.nth - other.nth);
    if (rows.length === 0) throw new Undecided("no location in the table of this page has this path");
    if (find !== undefined) return this.found(find, rows.map(({ range }) => region(...range)), "that location");
    const [start, end] = rows[0].range;
    const others = rows.slice(1).map(({ range }) => range[0]);
    return { place: start, start, end, matches: rows.length, others, isPartial: false };
  }

  symbol({ segments: path, written }, find) {
    if (path[0].index !== undefined && this.facts.table) {
      const name = written.replaceAll("::", ".");
      if (this.facts.table.rows.some((row) => row.name === name && row.nth !== undefined)) {
        return this.descriptor((row) => row.name === name, find);
      }
      throw new Undecided("such a path is not read by this page");
    }
    const groups = this.named(path);
    if (groups.length === 0) throw new Undecided("no symbol of the page has exactly these names");
    if (find !== undefined) return this.inGroups(groups, find);
    if (groups.length > 1) {
      throw new Ambiguous("several symbols end with this path", groups.map(([id]) => this.symbols[id].name_range[0]));
    }
    const [id, ...twins] = groups[0];
    const { name_range: name, extent } = this.symbols[id];
    const others = twins.map((twin) => this.symbols[twin].name_range[0]);
    return { place: name[0], start: extent[0], end: extent[1], matches: groups[0].length, others, isPartial: false };
  }

  /** The symbols with a path, in groups of those with the same whole path. */
  named(path) {
    const names = path.map(({ name }) => name);
    const [whole, ending] = [[], []];
    for (const [id, symbol] of this.symbols.entries()) {
      if (symbol.name !== names.at(-1)) continue;
      const own = this.path(id);
      const full = [...this.facts.package, ...own];
      if (!full.slice(-names.length).every((name, at) => name === names.at(at - names.length)) || names.length > full.length) continue;
      const isTop = names.length === own.length || names.length === full.length;
      (isTop ? whole : ending).push(id);
    }
    if (path.slice(0, -1).some(({ index }) => index !== undefined)) throw new Undecided("an index inside of a path is not read by this page");
    let groups = this.byPath(whole.length > 0 ? whole : ending);
    const isConstructor = ([id]) => this.symbols[id].kind === "constructor";
    if (path.length === 1 && !groups.every(isConstructor)) groups = groups.filter((group) => !isConstructor(group));
    const { index } = path.at(-1);
    if (index === undefined) return groups;
    if (groups.some((group) => group.length === 1)) throw new Undecided("the index may mean an item of a list");
    return groups.map((group) => group.slice(index, index + 1)).filter((group) => group.length > 0);
  }

  byPath(ids) {
    const groups = new Map();
    for (const id of ids) {
      const key = JSON.stringify(this.path(id));
      groups.set(key, [...(groups.get(key) ?? []), id]);
    }
    return [...groups.values()];
  }

  /** Searches in each group. The find must match in exactly one of them. */
  inGroups(groups, find) {
    const searched = groups.map((group) => ({ group, matches: this.matchesIn(group, find) }));
    const whole = searched.filter(({ matches }) => matches.some(({ isPartial }) => !isPartial));
    const any = searched.filter(({ matches }) => matches.length > 0);
    const hits = whole.length > 0 ? whole : any;
    if (hits.length === 1) return chosen(hits[0].matches);
    if (hits.length === 0 && groups.length > 1) {
      const places = groups.map(([id]) => this.symbols[id].name_range[0]);
      throw new Ambiguous("several symbols end with this path, and none of them has the text", places);
    }
    if (hits.length === 0) throw new NotFound("the text is not in this symbol");
    throw new Ambiguous("the text is in several symbols that end with this path", hits.map(({ matches }) => matches[0].place));
  }

  matchesIn(group, find) {
    const matches = this.tokens.matches(find, this.regions(group));
    if (matches === undefined) throw new Undecided("a text of blanks alone is not searched by this page");
    return matches;
  }

  /** The parts of the text to search for symbols: each declaration, then its comments and decorators, then its members
   * elsewhere in the file. */
  regions(group) {
    const regions = [];
    for (const id of group) {
      const { extent } = this.symbols[id];
      regions.push(...ownRegions(this.symbols[id]));
      let seen = 0;
      for (const member of this.membersElsewhere(id, group)) {
        const from = Math.min(Math.max(member.extent[0], seen), member.extent[1]);
        for (const own of ownRegions(member)) {
          const fresh = within(own, from, member.extent[1]);
          const outside = fresh && (within(fresh, extent[1], Infinity) ?? within(fresh, 0, extent[0]));
          if (outside) regions.push(outside);
        }
        seen = Math.max(seen, member.extent[1]);
      }
    }
    return regions;
  }

  /** The members of a symbol that are not inside of it. */
  membersElsewhere(id, group) {
    const holders = [];
    const { extent } = this.symbols[id];
    return this.symbols.filter((symbol, at) => {
      const { parent } = symbol;
      holders[at] = parent === null ? undefined : group.includes(parent) ? parent : holders[parent];
      const isInside = extent[0] <= symbol.extent[0] && symbol.extent[1] <= extent[1];
      return holders[at] === id && !isInside;
    });
  }

  found(find, regions, where) {
    const matches = this.tokens.matches(find, regions);
    if (matches === undefined) throw new Undecided("a text of blanks alone is not searched by this page");
    if (matches.length === 0) throw new NotFound(`the text is not in ${where}`);
    return chosen(matches);
  }
}

const only = (place, start, end) => ({ place, start, end, matches: 1, others: [], isPartial: false });

/** The first of several matches. */
function chosen([first, ...rest]) {
  const others = rest.map(({ place }) => place);
  return { place: first.place, start: first.start, end: first.end, matches: rest.length + 1, others, isPartial: first.isPartial };
}

function ownRegions({ extent: [start, end], declaration }) {
  const own = { start, end, from: declaration, to: end };
  return start < declaration ? [own, { start, end, from: start, to: declaration }] : [own];
}

/** The region restricted to matches that start between two places; undefined if nothing is left. */
function within(region, from, to) {
  const [least, most] = [Math.max(region.from, from), Math.min(region.to, to)];
  return least < most ? { ...region, from: least, to: most } : undefined;
}
