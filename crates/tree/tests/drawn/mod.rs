//! Random trees of any shape, including shapes that no parser makes.

use std::sync::Arc;

use locant_text::{Offset, Range};
use locant_tree::{Event, Kind, Label, Source, Tree, Vocabulary};
use proptest::prelude::*;

/// How many kinds and fields random labels have: enough for some label numbers to need more than one byte.
const N_KINDS: u16 = 400;
const N_FIELDS: u16 = 5;

/// One step of a random tree. The numbers are the gap before the step and, for a leaf, its length.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Drawn {
    Enter(Label, u32),
    Leaf(Label, u32, u32),
    Leave(u32),
}

pub(crate) fn vocabulary() -> Arc<Vocabulary> {
    // Some kinds have the name of a token that closes a node.
    let word = |n| if n % 4 == 1 { "end" } else { "kind" };
    let kind = |n| Kind { name: format!("{}{n}", word(n)), is_named: n % 2 == 0 };
    let fields = (0..N_FIELDS).map(|n| format!("field{n}")).collect();
    Arc::new(Vocabulary::new((0..N_KINDS).map(kind).collect(), fields).unwrap())
}

fn label() -> impl Strategy<Value = Label> {
    (0..N_KINDS, 0..=N_FIELDS, any::<bool>(), any::<bool>())
        .prop_map(|(kind, field, extra, missing)| Label::new(kind, field).extra(extra).missing(missing))
}

fn gap() -> impl Strategy<Value = u32> {
    prop_oneof![5 => Just(0), 3 => 1..3u32, 1 => 3..300u32]
}

fn length() -> impl Strategy<Value = u32> {
    prop_oneof![1 => Just(0), 8 => 1..17u32, 1 => 17..300u32]
}

fn drawn() -> impl Strategy<Value = Drawn> {
    prop_oneof![
        3 => (label(), gap()).prop_map(|(label, gap)| Drawn::Enter(label, gap)),
        4 => (label(), gap(), length()).prop_map(|(label, gap, length)| Drawn::Leaf(label, gap, length)),
        3 => gap().prop_map(Drawn::Leave),
    ]
}

/// The events of a tree of any shape: deep, flat, with empty nodes, and with nodes that start or end in gaps.
pub(crate) fn events() -> impl Strategy<Value = Vec<Event>> {
    let deep = (1..700usize).prop_flat_map(|depth| {
        (proptest::collection::vec(drawn(), 0..20), label(), proptest::collection::vec(drawn(), 0..20))
            .prop_map(move |(before, label, after)| {
                let down = vec![Drawn::Enter(label, 0); depth];
                let up = vec![Drawn::Leave(0); depth / 2];
                [before, down, vec![Drawn::Leaf(label, 1, 3)], up, after].concat()
            })
    });
    let any = proptest::collection::vec(drawn(), 0..1500);
    prop_oneof![4 => any, 1 => deep].prop_map(|drawn| placed(&drawn))
}

/// The events of random steps. Nodes that are still open after the last step are closed.
fn placed(drawn: &[Drawn]) -> Vec<Event> {
    let (mut at, mut depth) = (0, 0);
    let mut events = Vec::new();
    for &step in drawn {
        match step {
            Drawn::Enter(label, gap) => {
                at += gap;
                depth += 1;
                events.push(Event::Enter { label, start: Offset::new(at) });
            }
            Drawn::Leaf(label, gap, length) => {
                let start = at + gap;
                at = start + length;
                events.push(Event::Leaf { label, range: Range::new(Offset::new(start), Offset::new(at)) });
            }
            Drawn::Leave(_) if depth == 0 => {}
            Drawn::Leave(gap) => {
                at += gap;
                depth -= 1;
                events.push(Event::Leave { end: Offset::new(at) });
            }
        }
    }
    events.extend((0..depth).map(|_| Event::Leave { end: Offset::new(at) }));
    events
}

/// A source that walks through a list of events.
pub(crate) struct Listed<'e> {
    events: &'e [Event],
    next: usize,
}

impl Source for Listed<'_> {
    fn start(&mut self) {
        self.next = 0;
    }

    fn start_after(&mut self, leaf: Range, open: &mut Vec<(Label, Offset)>) -> bool {
        open.clear();
        for (index, event) in self.events.iter().enumerate() {
            match *event {
                Event::Enter { label, start } => open.push((label, start)),
                Event::Leave { .. } => drop(open.pop()),
                Event::Leaf { range, .. } if range == leaf => {
                    let closes = |event: &&Event| **event == (Event::Leave { end: leaf.end() });
                    let n_closed = self.events[index + 1..].iter().take_while(closes).count();
                    open.truncate(open.len() - n_closed);
                    self.next = index + 1 + n_closed;
                    return true;
                }
                Event::Leaf { .. } => {}
            }
        }
        false
    }

    fn next_event(&mut self) -> Option<Event> {
        self.next += 1;
        self.events.get(self.next - 1).copied()
    }
}

pub(crate) fn source(events: &[Event]) -> Listed<'_> {
    Listed { events, next: 0 }
}

pub(crate) fn build(events: &[Event]) -> Tree {
    Tree::build(vocabulary(), &mut source(events)).unwrap()
}
