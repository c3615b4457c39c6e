// Finds a text as locations do: literally, but aware of words and blanks. docs/locations.md of locant has the rules.

const MOST_LEVELS = 10;

const isWordCharacter = (character) => /[\p{XID_Continue}]/u.test(character);
const isBlank = (character) => /\p{White_Space}/u.test(character);

/** Takes the marker out of a find: the one with the most brackets that occurs only once. */
function takeMarker(find) {
  const all = [];
  let free = 0;
  for (let pipe = find.indexOf("|"); pipe >= 0; pipe = find.indexOf("|", pipe + 1)) {
    if (pipe < free) continue;
    let [left, right] = [0, 0];
    while (pipe - left - 1 >= free && find[pipe - left - 1] === "<") left += 1;
    while (find[pipe + right + 1] === ">") right += 1;
    if (left === 0 || right === 0) continue;
    all.push({ pipe, level: Math.min(left, right, MOST_LEVELS) });
    free = pipe + 1 + right;
  }
  for (let level = MOST_LEVELS; level > 0; level -= 1) {
    const found = all.filter((marker) => marker.level === level);
    if (found.length !== 1) continue;
    const { pipe } = found[0];
    const before = find.slice(0, pipe - level);
    return { text: before + find.slice(pipe + 1 + level), at: before.length };
  }
  return { text: find, at: undefined };
}

/** A text with a marker at `at`, so that exactly this marker is taken out again; undefined if brackets prevent that. */
function putMarker(text, at) {
  for (let level = 1; level < MOST_LEVELS; level += 1) {
    const find = `${text.slice(0, at)}${"<".repeat(level)}|${">".repeat(level)}${text.slice(at)}`;
    const marked = takeMarker(find);
    if (marked.text === text && marked.at === at) return find;
  }
  return undefined;
}

/** The words and punctuation characters of a find. */
function patternTokens(text) {
  const tokens = [];
  let at = 0;
  for (const character of text) {
    const end = at + character.length;
    const last = tokens.at(-1);
    if (isWordCharacter(character)) {
      if (last?.isWord && last.end === at) last.end = end;
      else tokens.push({ start: at, end, isWord: true });
    } else if (!isBlank(character)) {
      tokens.push({ start: at, end, isWord: false });
    }
    at = end;
  }
  for (const token of tokens) token.bytes = encoded(text.slice(token.start, token.end));
  return tokens;
}

/** A find, ready for the search. */
class Pattern {
  constructor(find) {
    const { text, at } = takeMarker(find);
    this.text = text;
    this.tokens = patternTokens(text);
    this.isEmpty = text === "";
    this.isBlank = !this.isEmpty && this.tokens.length === 0;
    if (this.isEmpty || this.isBlank) return;
    const [first, last] = [this.tokens[0], this.tokens.at(-1)];
    this.lead = edge(text.slice(0, first.start), first);
    this.trail = edge(text.slice(last.end), last);
    this.mark = at === undefined ? { is: "start" } : markPlace(text, this.tokens, at);
    this.rarest = this.tokens.reduce((best, token, index) => (token.bytes.length > this.tokens[best].bytes.length ? index : best), 0);
  }
}

/** The blanks at an end of a find: required beside a word, optional beside punctuation. */
function edge(blanks, token) {
  if (blanks === "") return { is: "bare" };
  return { is: token.isWord ? "mandatory" : "flexible", crossesLines: /[\n\r]/.test(blanks) };
}

/** Where the marker of a find is, by the tokens around it. */
function markPlace(text, tokens, at) {
  const cut = tokens.findIndex(({ start, end }) => start < at && at < end);
  if (cut >= 0) return { is: "inside", token: cut, bytes: encoded(text.slice(tokens[cut].start, at)).length };
  const before = tokens.findLastIndex(({ end }) => end <= at);
  const after = tokens.findIndex(({ start }) => at <= start);
  const blankBefore = /\p{White_Space}$/u.test(text.slice(0, at));
  const blankAfter = /^\p{White_Space}/u.test(text.slice(at));
  if (after < 0 && at === text.length) return { is: "end" };
  if (before < 0 && at === 0) return { is: "start" };
  if (before >= 0 && blankAfter && !blankBefore) return { is: "after", token: before };
  return after >= 0 ? { is: "before", token: after } : { is: "end" };
}

/** The words and punctuation characters of the file, and where finds match among them. */
class Tokens {
  constructor(text, packed) {
    this.text = text;
    const numbers = new Numbers(packed);
    const [starts, ends] = [[], []];
    let at = 0;
    while (!numbers.isDone) {
      at += numbers.next();
      starts.push(at);
      at += numbers.next();
      ends.push(at);
    }
    this.start = Uint32Array.from(starts);
    this.end = Uint32Array.from(ends);
    this.length = starts.length;
  }

  /** The last token that starts at a place or before it; -1 if there is none. */
  lastFrom(place) {
    let [low, high] = [0, this.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.start[middle] <= place) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** The token that contains the byte after a place; -1 if there is none. */
  at(place) {
    const token = this.lastFrom(place);
    return token >= 0 && place < this.end[token] ? token : -1;
  }

  isWord(token) {
    return isWordCharacter(this.text.characterAt(this.start[token]).text) && !this.text.characterAt(this.start[token]).isBad;
  }

  bytes(token) {
    return this.text.bytes.slice(this.start[token], this.end[token]);
  }

  /** Where blanks that start at a place end, at most at `limit`. */
  blanksAfter(place, limit, crossesLines) {
    let at = place;
    while (at < limit) {
      const { size, text, isBad } = this.text.characterAt(at);
      if (isBad || !isBlank(text) || (!crossesLines && /[\n\r]/.test(text))) break;
      at += size;
    }
    return at;
  }

  /** Where blanks that end at a place start, at least at `limit`. */
  blanksBefore(place, limit, crossesLines) {
    const last = this.lastFrom(place - 1);
    let start = Math.max(limit, last < 0 ? this.text.start : this.end[last]);
    if (crossesLines) return start;
    for (let at = place; at > start; at -= 1) if (/[\n\r]/.test(this.text.bytes[at - 1])) return at;
    return start;
  }

  /** All matches of a pattern in a region, in order. */
  *search(pattern, region) {
    if (pattern.isEmpty) {
      yield { start: region.start, end: region.start, place: region.start, isPartial: false };
      return;
    }
    const { bytes } = this.text;
    const { rarest, tokens } = pattern;
    const wanted = tokens[rarest].bytes;
    for (let at = bytes.indexOf(wanted, region.start); at >= 0 && at < region.end; at = bytes.indexOf(wanted, at + 1)) {
      const token = this.at(at);
      if (token < 0) continue;
      const match = this.compare(pattern, token - rarest, at, region);
      if (match && match.start >= region.from && match.start < region.to) yield match;
    }
  }

  /** The match whose first token is the given one, if its tokens are those of the pattern. `at` is where the rarest token of
   * the pattern is. */
  compare({ tokens, rarest, lead, trail, mark }, first, at, region) {
    const last = first + tokens.length - 1;
    if (first < 0 || last >= this.length) return undefined;
    const places = [];
    for (const [index, { bytes }] of tokens.entries()) {
      const token = first + index;
      const isFirst = index === 0;
      const isLast = index === tokens.length - 1;
      // Only the first token may start inside of a longer word, and only the last may end inside of one.
      const place = index === rarest ? at : isFirst ? this.end[token] - bytes.length : this.start[token];
      const end = place + bytes.length;
      if ((!isFirst && place !== this.start[token]) || (!isLast && end !== this.end[token])) return undefined;
      if (place < this.start[token] || end > this.end[token] || !this.text.bytes.startsWith(bytes, place)) return undefined;
      places.push(place);
    }
    const [from, to] = [places[0], places.at(-1) + tokens.at(-1).bytes.length];
    if (from < region.start || to > region.end) return undefined;
    const start = lead.is === "bare" ? from : this.blanksBefore(from, region.start, lead.crossesLines);
    const end = trail.is === "bare" ? to : this.blanksAfter(to, region.end, trail.crossesLines);
    if ((lead.is === "mandatory" && start === from) || (trail.is === "mandatory" && end === to)) return undefined;
    const cutsStart = start === from && from > this.start[first];
    const cutsEnd = end === to && to < this.end[last];
    const marked = {
      start: () => start,
      end: () => end,
      before: () => places[mark.token],
      after: () => places[mark.token] + tokens[mark.token].bytes.length,
      inside: () => places[mark.token] + mark.bytes,
    };
    return { start, end, place: marked[mark.is](), isPartial: cutsStart || cutsEnd };
  }

  /** The matches of a find in several regions. Those that cut a word count only if there are no others. */
  matches(find, regions, most = Infinity) {
    const pattern = new Pattern(find);
    if (pattern.isBlank) return undefined;
    const [whole, partial] = [[], []];
    for (const region of pattern.isEmpty ? regions.slice(0, 1) : regions) {
      for (const match of this.search(pattern, region)) {
        (match.isPartial ? partial : whole).push(match);
        if (whole.length >= most) return whole;
      }
    }
    return whole.length > 0 ? whole : partial;
  }
}

/** The part of the text between two places, as a region to search. */
const region = (start, end) => ({ start, end, from: start, to: end });
