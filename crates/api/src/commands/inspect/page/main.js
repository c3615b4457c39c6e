// Puts the page together: what is kept, what is pointed at, what was asked for.

class Page {
  constructor() {
    this.facts = JSON.parse(document.getElementById("facts").textContent);
    const { facts } = this;
    this.text = new Text(bytesOf(facts.text));
    this.tokens = new Tokens(this.text, bytesOf(facts.places.tokens));
    this.tree = facts.nodes && new Tree(bytesOf(facts.nodes.stored), facts.nodes.contents);
    this.resolver = new Resolver(facts, this.text, this.tokens);
    this.places = new Places(facts, this.text, this.tokens, this.resolver);
    this.header();
    this.go = {
      place: (place) => this.keep(place, { focus: false }),
      symbol: (id) => this.toSymbol(id),
      node: (id) => this.toNode(id),
      row: (index) => this.toRow(index),
      release: () => this.release(),
    };
    this.panel = new PlacePanel(this, this.go);
    this.source = new Source(this.text, this.tokens, this.tree, {
      hover: (place) => this.hover(place),
      keep: (place) => this.keep(place),
    });
    this.lists();
    this.keys();
    this.asking();
    this.panel.show(undefined);
    this.fromAddress();
    addEventListener("hashchange", () => this.fromAddress());
  }

  header() {
    const { facts, text } = this;
    document.getElementById("file").replaceChildren(...visible(facts.path));
    const about = [
      facts.language || "language not read",
      `${text.nLines.toLocaleString("en")} lines`,
      `${text.length.toLocaleString("en")} bytes`,
      text.start > 0 ? "byte-order mark" : "",
      facts.is_utf8 ? "" : "not all UTF-8",
      ...facts.notes,
      this.places.areDescribed ? "" : "too many words to describe each: locations here are coordinates, and `locant describe` gives lasting ones",
      facts.table?.missing_imports.length ? `imports not found: ${facts.table.missing_imports.join(", ")}` : "",
    ];
    document.getElementById("about").replaceChildren(...visible(about.filter(Boolean).join(" · ")));
    document.getElementById("made").textContent = `locant ${facts.version} · this page is one file and loads nothing`;
    document.getElementById("location").placeholder = `${facts.written}:SYMBOL@text <|>text`;
  }

  /** A place is pointed at: it is shown unless another one is kept. */
  hover(place) {
    if (this.kept !== undefined) return;
    this.panel.show(place);
  }

  /** Keeps a place until it is let go of. */
  keep(place, { marks = [], range, focus = true, isQuiet = false } = {}) {
    this.kept = place;
    const others = this.places.others(place)?.places ?? [];
    const size = (at) => this.tokens.end[this.tokens.at(at)];
    const same = others.length < 5000 ? others.map((start) => ({ start, end: size(start), kind: "same" })) : [];
    this.source.mark([...same, ...marks], place);
    this.source.reveal(place);
    this.panel.show(place, { isKept: true, range });
    if (!isQuiet) this.list?.follow?.(place, this);
    if (focus) this.source.box.focus({ preventScroll: true });
    const { line, "utf-16": column } = this.text.position(place);
    const symbols = this.places.symbolsAround(place).map((id) => this.facts.symbols[id].name);
    say([`line ${line}, column ${column}`, ...symbols.slice(-1)].join(", "));
  }

  release() {
    this.kept = undefined;
    this.source.mark([], undefined);
    this.panel.show(undefined);
  }

  toSymbol(id) {
    const { name_range: name, extent } = this.facts.symbols[id];
    this.keep(name[0], { range: extent, marks: [{ start: extent[0], end: extent[1], kind: "range" }], focus: false, isQuiet: true });
    if (this.tab === "symbols") this.list.activate(id);
  }

  toNode(id) {
    const [start, end] = [this.tree.start[id], this.tree.end[id]];
    const content = this.tree.contentEnd(id);
    const marks = [{ start, end, kind: "range" }];
    if (content !== end) marks.push({ start: content, end, kind: "closing" });
    this.keep(Math.max(start, this.text.start), { range: [start, end], marks, focus: false, isQuiet: true });
    if (this.tab === "nodes") this.list.openTo(id);
  }

  toRow(index) {
    const [start, end] = this.facts.table.rows[index].range;
    this.keep(Math.max(start, this.text.start), { range: [start, end], marks: [{ start, end, kind: "range" }], focus: false, isQuiet: true });
    if (this.tab === "table") this.list.activate(index);
  }

  /** The lists beside the source, each under a tab. */
  lists() {
    const { facts, tree } = this;
    const box = document.getElementById("panel");
    this.tabs = [
      { id: "symbols", title: "Symbols", n: facts.symbols.length, make: () => symbolList(box, this, this.go) },
      tree && { id: "nodes", title: "Nodes", n: tree.length, make: () => nodeList(box, this, this.go) },
      facts.table && { id: "table", title: "Locations", n: facts.table.rows.length, make: () => tableList(box, this, this.go) },
      tree && facts.compared && { id: "chain", title: "Chain", make: () => new Chain(this).list(box, this.go) },
    ].filter(Boolean);
    const row = document.getElementById("tabs");
    row.replaceChildren(...this.tabs.map(({ id, title, n }) =>
      element("button", {
        type: "button", role: "tab", id: `tab-${id}`, "aria-controls": "panel", "aria-selected": "false", tabIndex: -1,
        onclick: () => this.open(id),
      }, [title, n === undefined ? "" : element("span", { class: "n" }, n.toLocaleString("en"))])));
    row.addEventListener("keydown", (event) => this.turnTab(event));
    const differs = facts.compared && facts.compared.n_differing > 0;
    this.open(differs ? "chain" : facts.table ? "table" : "symbols");
  }

  open(id) {
    this.list?.leave?.();
    this.tab = id;
    for (const { id: other } of this.tabs) {
      const tab = document.getElementById(`tab-${other}`);
      tab.setAttribute("aria-selected", String(other === id));
      tab.tabIndex = other === id ? 0 : -1;
    }
    document.getElementById("panel").setAttribute("aria-labelledby", `tab-${id}`);
    this.list = this.tabs.find((tab) => tab.id === id).make();
    if (this.kept !== undefined) this.list.follow?.(this.kept, this);
  }

  turnTab(event) {
    const at = this.tabs.findIndex(({ id }) => id === this.tab);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: this.tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const { id } = this.tabs[(to + this.tabs.length) % this.tabs.length];
    this.open(id);
    document.getElementById(`tab-${id}`).focus();
  }

  /** Keys for the whole page, and for moving in the source. */
  keys() {
    document.addEventListener("keydown", (event) => {
      const isTyping = event.target.matches("input, textarea");
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key === "Escape") return this.escape(isTyping);
      if (isTyping) return;
      if (event.key === "/") {
        event.preventDefault();
        document.getElementById("location").select();
        document.getElementById("location").focus();
      }
      if (event.key === "c" && this.panel.place !== undefined) copy(this.panel.location, this.panel.box.querySelector(".copy"));
    });
    this.source.box.addEventListener("keydown", (event) => this.move(event));
  }

  escape(isTyping) {
    if (isTyping) this.source.box.focus();
    else this.release();
  }

  move(event) {
    if (event.altKey || event.metaKey || event.target !== this.source.box) return;
    const { text, tokens } = this;
    const place = this.kept ?? this.panel.place ?? text.start;
    const byLines = (n) => {
      const { line, "utf-16": column } = text.position(place);
      const to = Math.max(1, Math.min(text.nLines, line + n));
      let at = text.lineStart(to);
      for (let units = 1; units < column && at < text.lineEnd(to); ) {
        units += text.characterAt(at).text.length;
        at += text.characterAt(at).size;
      }
      return at;
    };
    const token = tokens.lastFrom(place);
    const page = Math.max(1, this.source.nSeen - 3);
    const moves = {
      ArrowLeft: () => (event.ctrlKey ? tokens.start[tokens.start[token] === place ? Math.max(0, token - 1) : Math.max(0, token)] ?? place : text.before(place)),
      ArrowRight: () => (event.ctrlKey ? tokens.start[Math.min(tokens.length - 1, token + 1)] ?? place : text.after(place)),
      ArrowUp: () => byLines(-1),
      ArrowDown: () => byLines(1),
      PageUp: () => byLines(-page),
      PageDown: () => byLines(page),
      Home: () => (event.ctrlKey ? text.start : text.lineStart(text.lineAt(place))),
      End: () => (event.ctrlKey ? text.length : text.lineEnd(text.lineAt(place))),
      Enter: () => place,
    };
    if (!moves[event.key]) return;
    event.preventDefault();
    this.keep(moves[event.key]());
  }

  /** The field for a location. */
  asking() {
    const field = document.getElementById("location");
    field.addEventListener("input", () => this.ask(field.value, { isTyping: true }));
    document.getElementById("ask").addEventListener("submit", (event) => {
      event.preventDefault();
      this.ask(field.value, { isTyping: false });
    });
  }

  /** Finds a typed location and lights it up, or says why not. */
  ask(words, { isTyping }) {
    const verdict = document.getElementById("verdict");
    const told = (kind, children) => {
      verdict.className = kind;
      verdict.hidden = kind === "";
      verdict.replaceChildren(...[children].flat(Infinity).filter((child) => child !== "" && child !== undefined));
    };
    if (words.trim() === "") {
      told("", []);
      if (isTyping) this.release();
      return;
    }
    let found;
    try {
      found = this.resolver.resolve(words);
    } catch (error) {
      const [kind, children] = this.failure(error, words);
      this.source.mark([], undefined);
      this.kept = undefined;
      this.panel.show(undefined);
      told(kind, children);
      return;
    }
    const { place, start, end, matches, others, isPartial } = found;
    const marks = [{ start, end, kind: "range" }, ...others.slice(0, 1000).map((at) => ({ start: at, end: this.text.after(at), kind: "other" }))];
    this.keep(place, { marks, range: [start, end], focus: !isTyping });
    const { line, "utf-16": column } = this.text.position(place);
    told("found", [
      element("strong", {}, `${line}:${column}`),
      matches > 1 ? ` is the first of ${matches} matches` : " is the only match",
      isPartial ? ", and it cuts a word in two" : "",
      others.length > 0 ? element("span", { class: "others" }, others.slice(0, MOST_LISTED).map((at) => this.panel.placeButton(at))) : "",
    ]);
  }

  /** What to say of a location that does not lead to one place. */
  failure(error, words) {
    const command = `locant locate ${quoted(/^[:@#]/.test(words.trim()) ? this.facts.written + words.trim() : words.trim())}`;
    const ask = element("span", { class: "command" }, [code(command), copyButton(command, "the command")]);
    if (error instanceof Invalid) return ["bad", [`Not a location: ${error.message}`]];
    if (error instanceof Ambiguous) {
      const buttons = error.places.slice(0, MOST_LISTED).map((at) => this.panel.placeButton(at));
      return ["several", [`Ambiguous: ${error.message}`, element("span", { class: "others" }, buttons)]];
    }
    if (error instanceof NotFound) return ["bad", [`Not found: ${error.message}. Near misses: `, ask]];
    if (error instanceof Undecided) return ["undecided", [`This page cannot decide it: ${error.message}. The program can: `, ask]];
    throw error;
  }

  /** The page can be opened at a location: `models.html#User.save`. */
  fromAddress() {
    let words;
    try {
      words = decodeURIComponent(location.hash.slice(1));
    } catch {
      return;
    }
    if (words === "") return;
    const field = document.getElementById("location");
    field.value = /^[:@]/.test(words) ? this.facts.written + words : words;
    this.ask(field.value, { isTyping: false });
  }
}

if (typeof document !== "undefined") globalThis.page = new Page();
