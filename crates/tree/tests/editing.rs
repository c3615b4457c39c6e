//! After an edit, the tree equals the one built from the new text, and the old tree is unchanged.

#![allow(clippy::unwrap_used, clippy::cast_possible_truncation, reason = "a test may fail")]

mod drawn;

use drawn::{build, events, source};
use locant_text::{Edit, Extent, Offset, Range};
use locant_tree::Event;
use proptest::prelude::*;

/// Replaces a stretch of the `old` events by the first events of `new`. `at` has the two ends of the stretch and the
/// number of new events. Returns the events after the edit, and the edit.
fn joined(old: &[Event], new: &[Event], at: (usize, usize, usize)) -> (Vec<Event>, Edit) {
    let (first, last) = (at.0.min(at.1) % (old.len() + 1), at.0.max(at.1) % (old.len() + 1));
    let (first, last) = (first.min(last), first.max(last));
    let inserted = &new[..at.2.min(new.len())];
    let place = |index: usize| old[..index].iter().map(end).next_back().unwrap_or(0);
    let (start, old_end) = (place(first), place(last));
    let new_end = start + inserted.iter().map(end).next_back().unwrap_or(0);
    let mut events: Vec<Event> = old[..first].to_vec();
    events.extend(inserted.iter().map(|event| moved(event, 0, start)));
    events.extend(old[last..].iter().map(|event| moved(event, old_end, new_end)));
    let range = Range::new(Offset::new(start), Offset::new(old_end));
    (balanced(events), Edit { range, insert: Extent::new(new_end - start) })
}

fn end(event: &Event) -> u32 {
    match event {
        Event::Enter { start, .. } => start.to_u32(),
        Event::Leaf { range, .. } => range.end().to_u32(),
        Event::Leave { end } => end.to_u32(),
    }
}

fn moved(event: &Event, from: u32, to: u32) -> Event {
    let moved = |offset: Offset| Offset::new(offset.to_u32() - from + to);
    match *event {
        Event::Enter { label, start } => Event::Enter { label, start: moved(start) },
        Event::Leaf { label, range } => {
            Event::Leaf { label, range: Range::new(moved(range.start()), moved(range.end())) }
        }
        Event::Leave { end } => Event::Leave { end: moved(end) },
    }
}

/// The events without the ends of nodes that never start, and with ends added for nodes that never end.
fn balanced(events: Vec<Event>) -> Vec<Event> {
    let mut depth = 0;
    let mut kept = Vec::new();
    for event in events {
        match event {
            Event::Enter { .. } => depth += 1,
            Event::Leave { .. } if depth == 0 => continue,
            Event::Leave { .. } => depth -= 1,
            Event::Leaf { .. } => {}
        }
        kept.push(event);
    }
    let last = kept.last().map_or(0, end);
    kept.extend((0..depth).map(|_| Event::Leave { end: Offset::new(last) }));
    kept
}

/// The stretch of the new text in which events may differ. Outside of it, events may only have moved.
fn differing(old: &[Event], new: &[Event], edit: Edit) -> Range {
    let (old_end, new_end) = (edit.range.end().to_u32(), edit.range.start().to_u32() + edit.insert.to_u32());
    let front = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let rest = old.len().min(new.len()) - front;
    let is_moved = |(old, new): &(&Event, &Event)| {
        end(old) >= old_end && start(old) >= old_end && moved(old, old_end, new_end) == **new
    };
    let back = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(is_moved).count();
    let from = new[..front].iter().map(start).next_back().unwrap_or(0).min(edit.range.start().to_u32());
    let to = new[new.len() - back..].first().map_or_else(|| new.last().map_or(0, end), end).max(new_end);
    Range::new(Offset::new(from.min(to)), Offset::new(to))
}

fn start(event: &Event) -> u32 {
    match event {
        Event::Leaf { range, .. } => range.start().to_u32(),
        _ => end(event),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn update_is_building_anew(
        old in events(),
        new in events(),
        at in (0..3000usize, 0..3000usize, 0..60usize),
    ) {
        let (events, edit) = joined(&old, &new, at);
        let before = build(&old);
        let changed = differing(&old, &events, edit);
        let after = before.update(edit, changed, &mut source(&events)).unwrap();
        prop_assert_eq!(after.events().collect::<Vec<_>>(), events.clone());
        prop_assert_eq!(after.nodes(), build(&events).nodes());
        prop_assert_eq!(before.events().collect::<Vec<_>>(), old);
        // The branches above the blocks are correct too: every node is found through them.
        for node in after.nodes().iter().step_by(17) {
            prop_assert_eq!(after.node(node.id), Some(*node));
        }
    }

    #[test]
    fn an_edit_in_a_leaf_moves_what_is_after_it(events in events(), pick in 0..1000usize, insert in 0..100u32) {
        let before = build(&events);
        let is_roomy = |event: &&Event| matches!(event, Event::Leaf { range, .. } if range.extent().len() > 2);
        let roomy: Vec<&Event> = events.iter().filter(is_roomy).collect();
        prop_assume!(!roomy.is_empty());
        let Event::Leaf { range: leaf, .. } = *roomy[pick % roomy.len()] else { unreachable!("filtered") };
        let inside = Range::new(Offset::new(leaf.start().to_u32() + 1), Offset::new(leaf.end().to_u32() - 1));
        let edit = Edit { range: inside, insert: Extent::new(insert) };
        let carry = |offset: Offset| {
            let is_before = offset <= leaf.start();
            if is_before { offset } else { Offset::new(offset.to_u32() + insert - inside.extent().to_u32()) }
        };
        let moved: Vec<Event> = events.iter().map(|event| match *event {
            Event::Enter { label, start } => Event::Enter { label, start: carry(start) },
            Event::Leaf { label, range } => {
                Event::Leaf { label, range: Range::new(carry(range.start()), carry(range.end())) }
            }
            Event::Leave { end } => Event::Leave { end: carry(end) },
        }).collect();
        let after = before.edit(edit).unwrap();
        prop_assert_eq!(after.events().collect::<Vec<_>>(), moved);
        // Nodes that extend over several blocks are found through the lists of the blocks, so this checks that the
        // places in these lists have moved too.
        for node in after.nodes().iter().step_by(17) {
            prop_assert_eq!(after.node(node.id), Some(*node));
        }
        let across = Edit { range: Range::new(inside.start(), leaf.end()), ..edit };
        prop_assert!(before.edit(across).is_none());
        let beyond = Edit { range: Range::new(inside.start(), Offset::new(u32::MAX)), ..edit };
        prop_assert!(before.edit(beyond).is_none());
        prop_assert_eq!(before.events().collect::<Vec<_>>(), events);
    }
}
