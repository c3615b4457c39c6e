// The source: only the lines that are seen are elements of the page, so that it stays quick in long files.

/** How many characters of a line are shown at once. */
const WINDOW = 1500;

/** Browsers do not lay out elements that are higher than this. */
const HIGHEST = 8_000_000;

class Source {
  constructor(text, tokens, tree, on) {
    Object.assign(this, { text, tokens, tree, on });
    this.box = document.getElementById("source");
    this.tall = this.box.querySelector(".tall");
    this.lines = this.box.querySelector(".lines");
    this.marks = [];
    this.place = undefined;
    this.hovered = -1;
    this.windows = new Map();
    this.lineHeight = 20;
    this.first = -1;
    this.digits = String(text.nLines).length;
    this.box.style.setProperty("--digits", this.digits);
    this.box.addEventListener("scroll", () => this.draw());
    this.box.addEventListener("pointermove", (event) => this.pointed(event));
    this.box.addEventListener("pointerleave", () => this.leave());
    this.box.addEventListener("click", (event) => this.clicked(event));
    new ResizeObserver(() => this.measure()).observe(this.box);
    this.measure();
  }

  measure() {
    const style = getComputedStyle(this.lines);
    this.lineHeight = parseFloat(style.lineHeight) || 20;
    this.height = Math.min(this.text.nLines * this.lineHeight, HIGHEST);
    this.tall.style.height = `${this.height + this.lineHeight}px`;
    this.first = -1;
    this.draw();
  }

  get nSeen() {
    return Math.ceil(this.box.clientHeight / this.lineHeight) + 1;
  }

  /** The first line that is seen, counted from 0. In a very long file the scroll bar stands for more than its height. */
  get firstSeen() {
    const { scrollTop, clientHeight } = this.box;
    const all = this.text.nLines * this.lineHeight;
    if (all <= this.height) return Math.floor(scrollTop / this.lineHeight);
    const share = scrollTop / Math.max(1, this.height - clientHeight);
    return Math.round(Math.min(1, share) * Math.max(0, this.text.nLines - this.nSeen + 2));
  }

  draw(isForced = false) {
    const first = Math.max(0, Math.min(this.firstSeen, this.text.nLines - 1));
    if (first === this.first && !isForced) return;
    this.first = first;
    const last = Math.min(this.text.nLines, first + this.nSeen);
    const drawn = [];
    for (let line = first + 1; line <= last; line += 1) drawn.push(this.line(line));
    this.lines.replaceChildren(...drawn);
    const all = this.text.nLines * this.lineHeight;
    const top = all <= this.height ? first * this.lineHeight : this.box.scrollTop;
    this.lines.style.transform = `translateY(${top}px)`;
    this.hover(this.hovered);
  }

  redraw() {
    this.draw(true);
  }

  /** A line as elements: each word, and each stretch between words, with the byte where it starts. */
  line(line) {
    const [start, end] = [this.text.lineStart(line), this.text.lineEnd(line)];
    const [from, to] = this.window(line, start, end);
    const content = element("span", { class: "content" });
    if (from > start) content.append(this.more(line, from - start, Math.max(start, from - WINDOW)));
    const cuts = this.cuts(from, to);
    for (let at = 0; at + 1 < cuts.length; at += 1) content.append(...this.stretch(cuts[at], cuts[at + 1]));
    if (to < end) content.append(this.more(line, end - to, to));
    const marks = this.marks.filter((mark) => mark.start <= end && start <= mark.end).map((mark) => `has-${mark.kind}`);
    if (this.place !== undefined && this.place >= end && this.place >= start && this.place < this.nextStart(line, end)) {
      content.append(element("span", { class: "at caret", "data-at": String(end) }, "\u00a0"));
    }
    const number = element("span", { class: "number", "aria-hidden": "true" }, String(line));
    return element("div", { class: ["line", ...new Set(marks)].join(" "), "data-line": String(line) }, [number, content]);
  }

  nextStart(line, end) {
    return line < this.text.nLines ? this.text.lineStart(line + 1) : end + 1;
  }

  /** The part of a long line that is shown: from its start, or around the place. */
  window(line, start, end) {
    if (end - start <= WINDOW) return [start, end];
    let from = this.windows.get(line) ?? start;
    if (this.place !== undefined && this.place >= start && this.place <= end && !this.windows.has(line)) {
      from = Math.max(start, this.place - WINDOW / 2);
    }
    while (from > start && this.text.before(this.text.after(from)) !== from) from -= 1;
    let to = Math.min(end, from + WINDOW);
    while (to < end && this.text.before(this.text.after(to)) !== to) to += 1;
    return [from, to];
  }

  /** A button in place of the rest of a long line. */
  more(line, n, from) {
    const onclick = (event) => {
      event.stopPropagation();
      this.windows.set(line, from);
      this.redraw();
    };
    return element("button", { type: "button", class: "more", onclick }, `⋯ ${n} bytes`);
  }

  /** Where the pieces of a stretch of the text start and end: at words, and at the ends of marks. */
  cuts(from, to) {
    const cuts = new Set([from, to]);
    // Bytes that are no character may be several words, but are shown together.
    const isPlain = !/[\x80-\xff]/.test(this.text.bytes.slice(from, to));
    const starts = isPlain ? undefined : new Set([...this.text.characters(from, to)].map(({ at }) => at));
    const add = (place) => place > from && place < to && (isPlain || starts.has(place)) && cuts.add(place);
    for (let token = Math.max(0, this.tokens.lastFrom(from)); token < this.tokens.length && this.tokens.start[token] < to; token += 1) {
      add(this.tokens.start[token]);
      add(this.tokens.end[token]);
    }
    for (const { start, end } of this.marks) [start, end].forEach(add);
    if (this.place !== undefined && this.place < to && this.place >= from) [this.place, this.text.after(this.place)].forEach(add);
    return [...cuts].sort((one, other) => one - other);
  }

  /** A stretch with the same look, as elements. */
  stretch(from, to) {
    const token = this.tokens.at(from);
    const classes = ["at"];
    if (token >= 0) classes.push(this.look(token));
    for (const mark of this.marks) if (mark.start <= from && to <= mark.end && mark.start < mark.end) classes.push(mark.kind);
    if (this.place === from) classes.push("caret");
    const properties = { class: classes.join(" "), "data-token": token >= 0 ? String(token) : undefined };
    const made = [];
    let [plain, start] = ["", from];
    const flush = (next) => {
      if (plain !== "") made.push(element("span", { ...properties, "data-at": String(start) }, plain));
      [plain, start] = ["", next];
    };
    for (const { at, size, text, isBad } of this.text.characters(from, to)) {
      if (!isBad && (text === "\t" || !ODD.test(text))) {
        plain += text;
        continue;
      }
      flush(at + size);
      made.push(element("span", { ...properties, class: `${properties.class} odd`, ...this.oddity(at, size, text, isBad) }));
    }
    flush(to);
    return made;
  }

  oddity(at, size, text, isBad) {
    const bytes = [...this.text.bytes.slice(at, at + size)].map((byte) => hex(byte.charCodeAt(0), 2)).join(" ");
    const words = isBad ? { textContent: bytes, title: `${bytes}: not UTF-8` } : { textContent: numbered(text), title: called(text) };
    return { ...words, "data-at": String(at), "data-odd": "" };
  }

  /** The class of a word by the nodes around it. */
  look(token) {
    if (!this.tree) return "word";
    const path = this.tree.path(this.tokens.start[token]).reverse();
    for (const id of path.slice(0, 4)) {
      const { name } = this.tree.kind(id);
      if (/comment/.test(name)) return "comment";
      if (/string|char_lit|character|heredoc/.test(name)) return "string";
      if (/^(integer|float|number|decimal|int_lit)|_literal$/.test(name) && /^[\d.]/.test(this.tokens.bytes(token))) return "literal";
    }
    const { isNamed } = path.length > 0 ? this.tree.kind(path[0]) : { isNamed: true };
    if (!this.tokens.isWord(token)) return "mark";
    return isNamed ? "word" : "keyword";
  }

  /** The character under the pointer. Beside the text it is the end of the line, or its start. */
  hit({ clientX, clientY }) {
    const line = document.elementFromPoint(clientX, clientY)?.closest?.(".line");
    if (!line || !this.box.contains(line)) return undefined;
    const number = Number(line.dataset.line);
    const pieces = [...line.querySelectorAll("[data-at]")];
    const span = pieces.find((piece) => [...piece.getClientRects()].some(({ left, right }) => left <= clientX && clientX < right));
    if (!span) return line.querySelector(".number").contains(document.elementFromPoint(clientX, clientY)) ? this.text.lineStart(number) : this.text.lineEnd(number);
    const start = Number(span.dataset.at);
    const [node] = span.childNodes;
    if (span.dataset.odd !== undefined || node?.nodeType !== Node.TEXT_NODE) return start;
    return this.placeAfter(start, indexAt(node, clientX));
  }

  /** The place so many UTF-16 units after a place. */
  placeAfter(start, units) {
    let [at, left] = [start, units];
    while (left > 0) {
      const { size, text } = this.text.characterAt(at);
      if (text.length > left) break;
      at += size;
      left -= text.length;
    }
    return at;
  }

  pointed(event) {
    this.pointer = event;
    if (this.isWaiting) return;
    this.isWaiting = true;
    requestAnimationFrame(() => {
      this.isWaiting = false;
      if (!this.pointer) return;
      const place = this.hit(this.pointer);
      if (place === undefined || place === this.last) return;
      this.last = place;
      this.hover(this.tokens.at(place));
      this.on.hover(place);
    });
  }

  leave() {
    this.pointer = undefined;
    this.last = undefined;
    this.hover(-1);
    this.on.hover(undefined);
  }

  clicked(event) {
    if (event.target.closest("button") || String(getSelection()) !== "") return;
    const place = this.hit(event);
    if (place !== undefined) this.on.keep(place);
  }

  hover(token) {
    this.hovered = token;
    for (const span of this.lines.querySelectorAll(".hovered")) span.classList.remove("hovered");
    if (token >= 0) for (const span of this.lines.querySelectorAll(`[data-token="${token}"]`)) span.classList.add("hovered");
  }

  /** Marks ranges `{ start, end, kind }`, and puts the caret at a place. */
  mark(marks, place) {
    this.marks = marks;
    if (place !== this.place) this.windows.clear();
    this.place = place;
    this.redraw();
  }

  /** Scrolls so that a place is seen. */
  reveal(place) {
    const line = this.text.lineAt(place) - 1;
    const { clientHeight } = this.box;
    const all = this.text.nLines * this.lineHeight;
    const nWhole = Math.max(1, Math.floor(clientHeight / this.lineHeight) - 1);
    const first = this.firstSeen;
    if (line < first || line >= first + nWhole) {
      const wanted = Math.max(0, line - Math.floor(nWhole / 3));
      const share = wanted / Math.max(1, this.text.nLines - this.nSeen + 2);
      this.box.scrollTop = all <= this.height ? wanted * this.lineHeight : share * (this.height - clientHeight);
    }
    this.redraw();
    this.lines.querySelector(".caret")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}

/** The index of the character of a text that is seen at `x`: the last one that starts at `x` or before it. */
function indexAt(node, x) {
  const range = document.createRange();
  const leftOf = (index) => {
    range.setStart(node, index);
    range.setEnd(node, index + 1);
    return range.getBoundingClientRect().left;
  };
  let [low, high] = [0, node.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (leftOf(middle) <= x) low = middle;
    else high = middle - 1;
  }
  return low;
}
