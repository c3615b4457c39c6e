// A list or a tree of which only the rows that are seen are elements of the page.

class List {
  /**
   * @param {HTMLElement} box where it is shown
   * @param options `label`; `rows()`: the numbers of the rows; `draw(row)`: the elements of a row; `pick(row)`; and for a tree
   * `depth(row)`, `isOpen(row)` (undefined if there is nothing to open) and `open(row, isOpen)`
   */
  constructor(box, options) {
    Object.assign(this, { box, ...options });
    this.isTree = options.depth !== undefined;
    this.active = undefined;
    this.tall = element("div", { class: "tall" });
    this.shown = element("div", { class: "rows", role: "presentation" });
    this.tall.append(this.shown);
    this.view = element("div", { class: "list", tabIndex: 0, role: this.isTree ? "tree" : "listbox", "aria-label": options.label }, this.tall);
    this.view.addEventListener("scroll", () => this.paint());
    this.view.addEventListener("keydown", (event) => this.pressed(event));
    this.view.addEventListener("click", (event) => this.clicked(event));
    box.replaceChildren(this.view);
    this.resized = new ResizeObserver(() => this.paint());
    this.resized.observe(this.view);
    this.refresh();
  }

  /** Reads the rows again. */
  refresh() {
    this.all = this.rows();
    this.height = parseFloat(getComputedStyle(this.view).getPropertyValue("--row")) || 24;
    this.tall.style.height = `${Math.min(this.all.length * this.height, HIGHEST)}px`;
    this.paint();
  }

  paint() {
    const { scrollTop, clientHeight } = this.view;
    const all = this.all.length * this.height;
    const n = Math.ceil(clientHeight / this.height) + 1;
    const share = scrollTop / Math.max(1, Math.min(all, HIGHEST) - clientHeight);
    const first = all <= HIGHEST ? Math.floor(scrollTop / this.height) : Math.round(share * Math.max(0, this.all.length - n + 2));
    const rows = this.all.slice(first, first + n).map((row, at) => this.row(row, first + at));
    this.shown.replaceChildren(...rows);
    this.shown.style.transform = `translateY(${all <= HIGHEST ? first * this.height : scrollTop}px)`;
    this.tellActive();
  }

  row(row, at) {
    const isActive = row === this.active;
    const isOpen = this.isTree ? this.isOpen(row) : undefined;
    const depth = this.isTree ? this.depth(row) : 0;
    const made = element("div", {
      class: isActive ? "row active" : "row",
      id: `${this.box.id}-${row}`,
      role: this.isTree ? "treeitem" : "option",
      "aria-selected": String(isActive),
      "aria-level": this.isTree ? String(depth + 1) : undefined,
      "aria-expanded": isOpen === undefined ? undefined : String(isOpen),
      "aria-posinset": this.isTree ? undefined : String(at + 1),
      "aria-setsize": this.isTree ? undefined : String(this.all.length),
      "data-row": String(row),
    });
    made.style.setProperty("--depth", Math.min(depth, 12));
    if (this.isTree) made.append(element("span", { class: "twist", "aria-hidden": "true" }, isOpen === undefined ? "" : isOpen ? "▾" : "▸"));
    made.append(...[this.draw(row)].flat(Infinity).filter(Boolean));
    return made;
  }

  tellActive() {
    const id = `${this.box.id}-${this.active}`;
    if (this.active !== undefined && this.shown.querySelector(`[id="${id}"]`)) this.view.setAttribute("aria-activedescendant", id);
    else this.view.removeAttribute("aria-activedescendant");
  }

  /** Makes a row the active one, and scrolls to it. */
  activate(row) {
    this.active = row;
    const at = row === undefined ? -1 : this.all.indexOf(row);
    if (at >= 0 && this.all.length * this.height <= HIGHEST) {
      const { scrollTop, clientHeight } = this.view;
      const top = at * this.height;
      if (top < scrollTop) this.view.scrollTop = top;
      if (top + this.height > scrollTop + clientHeight) this.view.scrollTop = top + this.height - clientHeight;
    }
    this.paint();
  }

  clicked(event) {
    const row = event.target.closest(".row");
    if (!row || event.target.closest("button")) return;
    const number = Number(row.dataset.row);
    if (event.target.closest(".twist") && this.isOpen(number) !== undefined) this.turn(number, !this.isOpen(number));
    else this.chosen(number);
  }

  chosen(row) {
    this.activate(row);
    this.pick(row);
  }

  turn(row, isOpen) {
    this.open(row, isOpen);
    this.refresh();
    this.activate(row);
  }

  pressed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const at = this.all.indexOf(this.active);
    const page = Math.max(1, Math.floor(this.view.clientHeight / this.height) - 1);
    const go = (to) => this.all.length > 0 && this.activate(this.all[Math.max(0, Math.min(this.all.length - 1, to))]);
    const isOpen = this.isTree && at >= 0 ? this.isOpen(this.active) : undefined;
    const moves = {
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at < 0 ? 0 : at - 1),
      PageDown: () => go(at + page),
      PageUp: () => go(at - page),
      Home: () => go(0),
      End: () => go(this.all.length - 1),
      Enter: () => at >= 0 && this.chosen(this.active),
      " ": () => at >= 0 && this.chosen(this.active),
      ArrowRight: () => (isOpen === false ? this.turn(this.active, true) : isOpen && go(at + 1)),
      ArrowLeft: () => (isOpen ? this.turn(this.active, false) : this.isTree && at >= 0 && go(this.above(at))),
    };
    if (!moves[event.key]) return;
    event.preventDefault();
    moves[event.key]();
  }

  /** The row of the parent of a row. */
  above(at) {
    const depth = this.depth(this.all[at]);
    for (let up = at; up >= 0; up -= 1) if (this.depth(this.all[up]) < depth) return up;
    return at;
  }

  leave() {
    this.resized.disconnect();
  }
}
