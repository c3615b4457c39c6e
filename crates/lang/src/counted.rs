//! Tests that the number of steps of a walk is proportional to the number of nodes, for every text.

use std::cell::Cell;

use crate::language::{Language, all};
use crate::node::{Cursor, Node};
use crate::walk::walk;

/// A node that counts the cursor steps taken from it.
#[derive(Clone, Copy)]
struct Counted<'c, N> {
    node: N,
    n_steps: &'c Cell<usize>,
}

struct CountedCursor<'c, C> {
    cursor: C,
    n_steps: &'c Cell<usize>,
}

impl<C> CountedCursor<'_, C> {
    fn step(&mut self, go: fn(&mut C) -> bool) -> bool {
        self.n_steps.set(self.n_steps.get() + 1);
        go(&mut self.cursor)
    }
}

impl<'c, N: Node> Node for Counted<'c, N> {
    type Cursor = CountedCursor<'c, N::Cursor>;

    fn kind_id(self) -> u16 {
        self.node.kind_id()
    }

    fn start_byte(self) -> usize {
        self.node.start_byte()
    }

    fn end_byte(self) -> usize {
        self.node.end_byte()
    }

    fn is_named(self) -> bool {
        self.node.is_named()
    }

    fn is_extra(self) -> bool {
        self.node.is_extra()
    }

    fn is_error(self) -> bool {
        self.node.is_error()
    }

    fn is_missing(self) -> bool {
        self.node.is_missing()
    }

    fn has_error(self) -> bool {
        self.node.has_error()
    }

    fn in_field(self, field_id: u16) -> Option<Self> {
        self.all_in_field(field_id).next()
    }

    fn walk(self) -> Self::Cursor {
        CountedCursor { cursor: self.node.walk(), n_steps: self.n_steps }
    }
}

impl<'c, C: Cursor> Cursor for CountedCursor<'c, C> {
    type Node = Counted<'c, C::Node>;

    fn node(&self) -> Self::Node {
        Counted { node: self.cursor.node(), n_steps: self.n_steps }
    }

    fn field_id(&self) -> u16 {
        self.cursor.field_id()
    }

    fn goto_first_child(&mut self) -> bool {
        self.step(C::goto_first_child)
    }

    fn goto_next_sibling(&mut self) -> bool {
        self.step(C::goto_next_sibling)
    }

    fn goto_parent(&mut self) -> bool {
        self.step(C::goto_parent)
    }
}

/// How often each text is repeated.
const N_TIMES: usize = 1000;

/// How many steps a walk may take for each node. A kind has a few rules, each rule has a few paths of a few steps, and
/// each step looks at the children of one node. A walk that looked at all siblings of each node would take a thousand
/// steps.
const MOST_STEPS: usize = 100;

/// How many random texts are made for each language.
const N_DRAWN: usize = 20;

/// Each of these opens a construct in some language. In other languages, it puts everything after it into one broken
/// node.
const OPENERS: [&str; 22] = [
    "fn f() {",
    "def f\n",
    "function f() {",
    "class A {",
    "a(",
    "f(x,",
    "x = ",
    "{a: ",
    "x[",
    "a: 1,",
    "a = 1\n",
    "a.b ",
    "const x = 1, ",
    "a=1 ",
    "(",
    "<a>",
    "- a\n",
    "x => ",
    "@a ",
    "#if x\n",
    "case x of ",
    "f x do\n",
];

/// A random text of one to five tokens of a grammar. `number` is the seed.
fn drawn(language: &Language, number: usize) -> String {
    let grammar = &language.kinds().grammar;
    let n_kinds = u16::try_from(grammar.node_kind_count()).unwrap_or(u16::MAX);
    let is_token = |id: &u16| !grammar.node_kind_is_named(*id) && grammar.node_kind_is_visible(*id);
    let mut tokens: Vec<&str> =
        (0..n_kinds).filter(is_token).filter_map(|id| grammar.node_kind_for_id(id)).collect();
    // Names are frequent in real texts, and many rules are about them.
    tokens.extend(["x", "A", "f", "\n"].repeat(tokens.len() / 8 + 1));
    let mut state = (number as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut below = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap_or(0) % n
    };
    (0..=below(5)).map(|_| tokens[below(tokens.len())].to_owned() + " ").collect()
}

/// How many steps a walk over a text takes for each node.
fn n_steps_a_node(language: &'static Language, text: &[u8]) -> usize {
    let Some(tree) = language.parse(text) else { return 0 };
    let n_steps = Cell::new(0);
    let root = Counted { node: tree.root_node(), n_steps: &n_steps };
    walk(root, text, &language.tables, language.kinds());
    n_steps.get() / tree.root_node().descendant_count()
}

#[test]
fn a_walk_takes_steps_in_proportion_to_the_nodes() {
    for language in all() {
        let drawn = (0..N_DRAWN).map(|number| drawn(language, number));
        for unit in OPENERS.map(str::to_owned).into_iter().chain(drawn) {
            let n_steps = n_steps_a_node(language, unit.repeat(N_TIMES).as_bytes());
            assert!(n_steps <= MOST_STEPS, "{} {unit:?}: {n_steps} steps for each node", language.name());
        }
    }
}
