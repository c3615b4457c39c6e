// Positions as a chain: each node by its distance from the end of the one before it, beside what another program or the
// parser says. A wrong length shows in one row, and what it shifts in all rows after it.

/** The distance between two places, as such chains store it: over a line break the column counts from the line's start. */
function distance(text, from, to) {
  const [one, other] = [text.position(from), text.position(to)];
  const lines = other.line - one.line;
  const columns = lines === 0 ? other["utf-8"] - one["utf-8"] : other["utf-8"] - 1;
  return { lines, columns, bytes: to - from };
}

const signed = (number) => (number < 0 ? `−${-number}` : `+${number}`);

const delta = ({ lines, columns, bytes }) => `${signed(lines)} lines, ${lines === 0 ? signed(columns) : columns} columns, ${signed(bytes)} bytes`;

class Chain {
  constructor({ facts, text, tree }) {
    const { compared, nodes } = facts;
    Object.assign(this, { text, tree, compared });
    this.isRebuilt = tree.digest() === nodes.digest;
    this.differing = new Map(compared.differing.map(([id, kind, start, end]) => [id, { kind, start, end }]));
    this.isWhole = this.differing.size === 0;
  }

  /** Whether the nodes here are exactly those of the parser, and how many there are. */
  verdict() {
    const { tree, compared } = this;
    const n = tree.length.toLocaleString("en");
    const parser = this.isRebuilt
      ? `${n} nodes, rebuilt in this page from ${tree.nBytes.toLocaleString("en")} stored bytes: all are where the parser has them`
      : `${n} nodes, rebuilt in this page: they are not those of the parser`;
    if (!compared.is_given) return { isGood: this.isRebuilt && compared.n_differing === 0, words: parser };
    const others = compared.total.toLocaleString("en");
    const words = compared.n_differing === 0
      ? `all ${others} nodes of ${compared.name} are in the same places`
      : `${compared.n_differing.toLocaleString("en")} of the ${others} nodes of ${compared.name} differ; the first is number ${this.first}`;
    return { isGood: this.isRebuilt && compared.n_differing === 0, words: `${parser}. And ${words}` };
  }

  /** The number of the first node that differs. */
  get first() {
    const [first] = this.compared.differing;
    return first ? first[0] : this.compared.total;
  }

  /** The nodes that are shown: those that differ, or all. */
  rows() {
    if (this.isWhole) return Array.from({ length: this.tree.length }, (_, id) => id);
    const missing = [];
    for (let id = this.compared.total; id < this.tree.length && missing.length < 1000; id += 1) missing.push(id);
    return [...this.differing.keys(), ...missing];
  }

  /** What the other program has for a node; undefined if it has none. */
  other(id) {
    const { tree, differing, compared } = this;
    if (differing.has(id)) return differing.get(id);
    return id < compared.total && id < tree.length ? { kind: tree.kind(id).name, start: tree.start[id], end: tree.end[id] } : undefined;
  }

  /** The same node in both, each by its distance from where its chain stood. */
  both(id) {
    const { tree, text } = this;
    const own = id < tree.length ? { kind: tree.kind(id).name, start: tree.start[id], end: tree.end[id] } : undefined;
    const before = own ? tree.chainBefore(id) : 0;
    const other = this.other(id);
    const otherBefore = own ? this.otherBefore(id) : 0;
    const told = (node, from) =>
      node && {
        ...node,
        from,
        delta: distance(text, Math.min(from, text.length), Math.min(node.start, text.length)),
        length: node.end - node.start,
      };
    return { own: told(own, before), other: told(other, otherBefore), content: own && tree.contentEnd(id) };
  }

  /** Where the chain of the other program stands before a node: at the end of its node before, or the start of its parent. */
  otherBefore(id) {
    const { tree } = this;
    const parent = tree.parent[id];
    if (parent < 0) return 0;
    if (id === parent + 1) return this.other(parent)?.start ?? 0;
    let before = id - 1;
    while (tree.parent[before] !== parent) before = tree.parent[before];
    return this.other(before)?.end ?? 0;
  }

  list(box, go) {
    const { isGood, words } = this.verdict();
    const toggle = this.differing.size > 0 || this.compared.n_differing > 0
      ? element("label", { class: "toggle" }, [element("input", {
          type: "checkbox",
          checked: !this.isWhole,
          onchange: ({ currentTarget }) => {
            this.isWhole = !currentTarget.checked;
            this.shown.refresh();
          },
        }), " only where they differ"])
      : "";
    const inner = element("div", { id: "chain-list", class: "fill" });
    const detail = element("div", { id: "chain-detail", "aria-live": "polite" });
    box.replaceChildren(
      element("p", { class: isGood ? "verdict good" : "verdict bad", id: "chain-verdict" }, visible(words)),
      toggle,
      inner,
      detail,
    );
    const show = (id) => {
      detail.replaceChildren(this.detail(id));
      const { own } = this.both(id);
      if (own) go.node(id);
    };
    this.shown = new List(inner, { label: "Chain of nodes", rows: () => this.rows(), draw: (id) => this.draw(id), pick: show });
    this.shown.follow = (place) => {
      const id = this.tree.path(place).at(-1);
      if (id === undefined) return;
      this.shown.activate(id);
      detail.replaceChildren(this.detail(id));
    };
    return this.shown;
  }

  draw(id) {
    const { own, other } = this.both(id);
    const differs = !own || !other || own.kind !== other.kind || own.start !== other.start || own.end !== other.end;
    const range = (node) => (node ? `${node.start}–${node.end}` : "none");
    return [
      element("span", { class: "number" }, String(id)),
      element("span", { class: "name" }, visible((own ?? other)?.kind ?? "")),
      element("span", { class: differs ? "pair differs" : "pair" }, differs ? `${range(own)} ≠ ${range(other)}` : range(own)),
    ];
  }

  /** A node in both, side by side. */
  detail(id) {
    const { own, other, content } = this.both(id);
    const name = this.compared.is_given ? this.compared.name : "the parser";
    const line = (title, read) => {
      const [one, another] = [own && read(own), other && read(other)];
      return element("tr", { class: one === another ? "" : "differs" }, [
        element("th", { scope: "row" }, title),
        element("td", {}, visible(one ?? "none")),
        element("td", {}, visible(another ?? "none")),
      ]);
    };
    const place = (at) => {
      const { line: row, "utf-8": column } = this.text.position(Math.min(at, this.text.length));
      return `${row}:${column}, byte ${at}`;
    };
    return element("table", { class: "numbers chain" }, [
      element("thead", {}, element("tr", {}, ["", "chain, rebuilt here", name].map((title) => element("th", { scope: "col" }, visible(title))))),
      element("tbody", {}, [
        line("node", (node) => `${id} ${node.kind}`),
        line("chain stands at", (node) => place(node.from)),
        line("+ gap", (node) => delta(node.delta)),
        line("= start", (node) => place(node.start)),
        line("+ length", (node) => `${node.length} bytes`),
        line("= end", (node) => place(node.end)),
      ]),
      own && content !== own.end && element("tfoot", {}, element("tr", {}, [
        element("th", { scope: "row" }, "content ends"), element("td", { colSpan: 2 }, `${place(content)}, before the closing delimiter`),
      ])),
    ].filter(Boolean));
  }
}
