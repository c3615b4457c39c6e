// What is known of a place, and the lists beside the source.

/** How many other places are listed. */
const MOST_LISTED = 12;

class PlacePanel {
  constructor(known, go) {
    Object.assign(this, known);
    this.go = go;
    this.box = document.getElementById("place");
  }

  /** Shows a place. `range` is the range that was asked for, such as that of a symbol; `isKept` whether it stays. */
  show(place, { isKept = false, range } = {}) {
    this.place = place;
    if (place === undefined) {
      this.box.replaceChildren(element("p", { class: "quiet" }, "Point at a place in the source, or type a location."));
      return;
    }
    const { text, tokens } = this;
    const token = tokens.at(place);
    // Bytes that are no character are shown as one, but each of them is a word.
    const word = token < 0 ? undefined : [tokens.start[token], Math.max(tokens.end[token], text.after(tokens.start[token]))];
    const best = this.places.locationOf(place);
    this.location = best.location;
    const parts = [this.heading(place, isKept), this.locations(place, best), this.around(place), this.numbers(place, word, range), this.elsewhere(place)];
    this.box.replaceChildren(...parts.flat().filter(Boolean));
    this.box.dataset.place = String(place);
    this.box.dataset.line = String(text.lineAt(place));
  }

  heading(place, isKept) {
    const { line, "utf-16": column } = this.text.position(place);
    const kept = isKept
      ? element("button", { type: "button", class: "keep", onclick: () => this.go.release() }, ["kept ", element("kbd", {}, "Esc")])
      : element("span", { class: "quiet" }, "click to keep");
    return element("h2", {}, [element("span", { class: "coordinate" }, `${line}:${column}`), this.character(place), kept]);
  }

  /** The character at a place: what it is, and its bytes. */
  character(place) {
    const { text } = this;
    if (place >= text.length) return element("span", { class: "character" }, "end of the file");
    const end = text.lineEnd(text.lineAt(place));
    const size = place >= end ? text.lineBreakEnd(text.lineAt(place)) - end : text.characterAt(place).size;
    const bytes = [...text.bytes.slice(place, place + size)].map((byte) => hex(byte.charCodeAt(0), 2)).join(" ");
    if (place >= end) return element("span", { class: "character" }, `line break, ${bytes}`);
    const { text: character, isBad } = text.characterAt(place);
    if (isBad) return element("span", { class: "character" }, `not UTF-8, ${bytes}`);
    const shown = ODD.test(character) || character === " " ? [] : [code(character), " "];
    return element("span", { class: "character" }, [...shown, `${called(character)}${size > 1 ? `, ${bytes}` : ""}`]);
  }

  /** The locations that lead to a place, each to copy. */
  locations(place, best) {
    const rows = [];
    const add = (location, what, role) => rows.push(this.locationRow(location, what, role));
    if (best.isStable) add(best.location, best.isMadeHere ? "made here, and found again" : "lasting", "best");
    const token = this.tokens.at(place);
    const word = token >= 0 && this.tokens.start[token] < place ? this.places.locationOfToken(token) : undefined;
    if (word?.isStable) add(word.location, "the start of the word", "word-start");
    const [row] = this.places.rowsAround(place).filter((index) => this.facts.table.rows[index].nth === 0 && this.facts.table.rows[index].path.length > 0);
    if (row !== undefined) add(`${this.facts.written}:[${this.facts.table.rows[row].path}]`, this.facts.table.rows[row].name, "by-path");
    add(best.isStable ? this.places.coordinate(place) : best.location, "moves with edits", "bare");
    return element("div", { class: "locations" }, rows);
  }

  locationRow(location, what, role) {
    return element("div", { class: `location ${role}`, "data-location": location }, [
      element("span", { class: "what" }, visible(what)),
      code(location),
      copyButton(location, "the location"),
    ]);
  }

  /** The symbols and nodes around a place, as paths to walk. */
  around(place) {
    const symbols = this.places.symbolsAround(place).map((id) =>
      element("button", { type: "button", class: "step symbol", onclick: () => this.go.symbol(id) }, [
        element("span", { class: "kind" }, this.facts.symbols[id].kind), " ", ...visible(this.facts.symbols[id].name),
      ]));
    const nodes = (this.tree?.path(place) ?? []).slice(-6).map((id) =>
      element("button", { type: "button", class: "step node", onclick: () => this.go.node(id) }, visible(this.tree.kind(id).name)));
    const path = (label, steps) => steps.length > 0 && element("nav", { class: "path", "aria-label": label }, steps);
    return [path("Symbols around the place", symbols), path("Nodes around the place", nodes)].filter(Boolean);
  }

  /** Lines and columns of the place, the word and the range in all encodings. */
  numbers(place, word, range) {
    const { text } = this;
    const at = (offset, encoding) => {
      const position = text.position(offset);
      return `${position.line}:${position[encoding]}`;
    };
    const span = ([start, end], encoding) => `${at(start, encoding)}–${at(end, encoding)}`;
    const cells = (name, encoding) => [
      element("th", { scope: "row" }, name),
      element("td", { "data-cell": `place ${encoding}` }, at(place, encoding)),
      element("td", { "data-cell": `word ${encoding}` }, word ? span(word, encoding) : ""),
      range && element("td", { "data-cell": `range ${encoding}` }, span(range, encoding)),
    ];
    const head = ["", "place", "word", range && "range"].filter((title) => title !== undefined);
    const bytes = [
      element("th", { scope: "row" }, "bytes from the start"),
      element("td", { "data-cell": "place offset" }, String(place)),
      element("td", { "data-cell": "word offset" }, word ? word.join("–") : ""),
      range && element("td", { "data-cell": "range offset" }, range.join("–")),
    ];
    const rows = [cells("UTF-16 units", "utf-16"), cells("bytes (UTF-8)", "utf-8"), cells("code points", "utf-32"), bytes];
    return element("table", { class: "numbers" }, [
      element("caption", { class: "unseen" }, "Coordinates in three encodings"),
      element("thead", {}, element("tr", {}, head.map((title) => element("th", { scope: "col" }, title)))),
      element("tbody", {}, rows.map((row) => element("tr", {}, row.filter(Boolean)))),
    ]);
  }

  /** Where the same word stands too. A find that is only this word would mean the first of these places. */
  elsewhere(place) {
    const found = this.places.others(place);
    if (!found) return undefined;
    const { word, places } = found;
    const own = this.tokens.start[this.tokens.at(place)];
    const others = places.filter((other) => other !== own);
    const find = `${this.facts.written}@${word}`;
    if (others.length === 0) {
      return element("p", { class: "elsewhere", "data-matches": "1" }, [code(`@${word}`), " matches only here"]);
    }
    const near = nearest(others, place);
    return element("details", { class: "elsewhere", open: true, "data-matches": String(places.length) }, [
      element("summary", {}, [code(`@${word}`), ` would match ${places.length} places; this is number ${places.indexOf(own) + 1}`]),
      element("ul", { title: find }, near.map((other) => element("li", {}, this.placeButton(other)))),
      others.length > near.length && element("p", { class: "quiet" }, `and ${others.length - near.length} more`),
    ].filter(Boolean));
  }

  /** A button that goes to a place, with the line it is in. */
  placeButton(place) {
    const { text } = this;
    const { line, "utf-16": column } = text.position(place);
    const start = text.lineStart(line);
    const from = Math.max(start, place - 30);
    const shown = text.slice(from === start ? start : text.before(text.after(from)), Math.min(text.lineEnd(line), place + 60));
    return element("button", { type: "button", class: "goto", onclick: () => this.go.place(place) }, [
      element("span", { class: "coordinate" }, `${line}:${column}`), code(shown.trim()),
    ]);
  }
}

/** The places that are nearest to a place, in order. */
function nearest(places, place) {
  const near = [...places].sort((one, other) => Math.abs(one - place) - Math.abs(other - place)).slice(0, MOST_LISTED);
  return near.sort((one, other) => one - other);
}

/** The symbols as a tree. */
function symbolList(box, { facts, text }, go) {
  const children = facts.symbols.map(() => []);
  const tops = [];
  facts.symbols.forEach(({ parent }, id) => (parent === null ? tops : children[parent]).push(id));
  const depth = (id) => (facts.symbols[id].parent === null ? 0 : depth(facts.symbols[id].parent) + 1);
  const closed = new Set();
  const rows = () => {
    const all = [];
    const stack = [...tops].reverse();
    while (stack.length > 0) {
      const id = stack.pop();
      all.push(id);
      if (!closed.has(id)) stack.push(...[...children[id]].reverse());
    }
    return all;
  };
  const list = new List(box, {
    label: "Symbols",
    rows,
    depth,
    isOpen: (id) => (children[id].length > 0 ? !closed.has(id) : undefined),
    open: (id, isOpen) => (isOpen ? closed.delete(id) : closed.add(id)),
    draw: (id) => [
      element("span", { class: "kind" }, facts.symbols[id].kind),
      element("span", { class: "name" }, visible(facts.symbols[id].name)),
      element("span", { class: "at-line" }, String(text.lineAt(facts.symbols[id].name_range[0]))),
    ],
    pick: (id) => go.symbol(id),
  });
  list.follow = (place, { places }) => list.activate(places.symbolsAround(place).at(-1));
  return list;
}

/** The nodes as a tree. Only those around a place are open. */
function nodeList(box, { tree, text }, go) {
  const opened = new Set([0]);
  const rows = () => {
    const all = [];
    for (let id = 0; id < tree.length; ) {
      all.push(id);
      id = opened.has(id) ? id + 1 : tree.after[id];
    }
    return all;
  };
  const list = new List(box, {
    label: "Nodes of the syntax tree",
    rows,
    depth: (id) => tree.depth[id],
    isOpen: (id) => (tree.isLeaf(id) ? undefined : opened.has(id)),
    open: (id, isOpen) => (isOpen ? opened.add(id) : opened.delete(id)),
    draw: (id) => {
      const { name, isNamed } = tree.kind(id);
      const field = tree.field(id);
      const { line, "utf-16": column } = text.position(tree.start[id]);
      return [
        field && element("span", { class: "field" }, `${field}:`),
        element("span", { class: isNamed ? "name" : "name token" }, visible(isNamed ? name : `“${name}”`)),
        tree.isMissing(id) && element("span", { class: "bad" }, "missing"),
        name === "ERROR" && element("span", { class: "bad" }, "error"),
        element("span", { class: "at-line" }, `${line}:${column}`),
      ];
    },
    pick: (id) => go.node(id),
  });
  list.follow = (place) => {
    const path = tree.path(place);
    path.forEach((id) => !tree.isLeaf(id) && opened.add(id));
    list.refresh();
    list.activate(path.at(-1));
  };
  list.openTo = (id) => {
    for (let above = id; above >= 0; above = tree.parent[above]) if (!tree.isLeaf(above)) opened.add(above);
    list.refresh();
    list.activate(id);
  };
  return list;
}

/** The location table of a .proto file. */
function tableList(box, { facts }, go) {
  const { rows } = facts.table;
  const comments = ({ leading, trailing, detached = [] }) => [...detached, leading, trailing].filter(Boolean);
  const list = new List(box, {
    label: "Location table",
    rows: () => [...rows.keys()],
    draw: (index) => {
      const row = rows[index];
      const said = comments(row);
      return [
        code(`[${row.path.join(", ")}]`, { class: "descriptor" }),
        element("span", { class: "name" }, visible(row.name || "the file")),
        said.length > 0 && element("span", { class: "comment-sign", title: said.join("\n") }, "“ ”"),
        element("span", { class: "at-line", title: "as protoc counts: from 0, in bytes, with tab stops of 8" }, `[${row.span.join(", ")}]`),
      ];
    },
    pick: (index) => go.row(index),
  });
  list.follow = (place, { places }) => list.activate(places.rowsAround(place)[0]);
  return list;
}
