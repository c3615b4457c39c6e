//! Joins neighbouring declarations that form one symbol: the equations of a function, and the signature before them.

use std::collections::HashMap;

use locant_text::Range;
use locant_tree::{Attachable, Item, Joining, Link};

use crate::item::Findings;

/// Joins neighbours with the same name. One of them gets the range of all of them, and the others no longer count.
///
/// In the items, parents must come before their members.
pub(crate) fn join(found: &mut Findings, links: &mut [Link], text: &[u8]) {
    let Findings { items, attachables, .. } = found;
    if items.iter().all(|item| item.joining == Joining::Never) {
        return;
    }
    // For each item, the last declaration directly inside it. `None` is the top level.
    let mut neighbours: HashMap<Option<usize>, usize> = HashMap::new();
    for index in 0..items.len() {
        let around = items[index].parent;
        let last = neighbours.insert(around, index);
        let fits = |&last: &usize| {
            let gap = items[last].range.end().index()..items[index].range.start().index();
            has_same_name(items, text, last, index) && is_free(gap, attachables, text)
        };
        let Some(before) = last.filter(fits) else { continue };
        match (items[before].joining, items[index].joining) {
            (Joining::Announces, Joining::Joins { .. }) => {
                // The kind in the signature is more precise.
                items[index].kind = items[before].kind;
                unite(items, links, before, index);
            }
            (front, back) if are_alike(front, back) => {
                unite(items, links, index, before);
                neighbours.insert(around, before);
            }
            _ => {}
        }
    }
    drop_announced(items, links, text);
    for index in 0..links.len() {
        let parent = links[index].parent;
        links[index].parent = parent.map(|parent| links[parent].repeats.unwrap_or(parent));
    }
}

fn are_alike(front: Joining, back: Joining) -> bool {
    match (front, back) {
        (Joining::Joins { arity: Some(front) }, Joining::Joins { arity: Some(back) }) => front == back,
        (Joining::Joins { .. }, Joining::Joins { .. }) | (Joining::Announces, Joining::Announces) => true,
        _ => false,
    }
}

/// Whether the gap between two declarations contains only comments, decorators, blanks and semicolons.
fn is_free(gap: std::ops::Range<usize>, attachables: &[Attachable], text: &[u8]) -> bool {
    let mut at = gap.start;
    let first = attachables.partition_point(|item| item.range.start().index() < gap.start);
    for item in attachables[first..].iter().take_while(|item| item.range.start().index() < gap.end) {
        if !is_blank(text.get(at..item.range.start().index())) {
            return false;
        }
        at = item.range.end().index();
    }
    is_blank(text.get(at..gap.end))
}

fn is_blank(text: Option<&[u8]>) -> bool {
    text.is_some_and(|text| text.iter().all(|byte| byte.is_ascii_whitespace() || *byte == b';'))
}

/// Makes the declaration `part` a part of the declaration `whole`.
fn unite(items: &mut [Item], links: &mut [Link], part: usize, whole: usize) {
    items[whole].range = items[whole].range.cover(items[part].range);
    links[part].repeats = Some(whole);
}

fn has_same_name(items: &[Item], text: &[u8], one: usize, other: usize) -> bool {
    let bytes = |range: Range| &text[range.indices()];
    let qualifier = |index: usize| items[index].qualifier.iter().map(|&name| bytes(name));
    bytes(items[one].name) == bytes(items[other].name) && qualifier(one).eq(qualifier(other))
}

/// Drops a signature that is not next to its function, if the function has the same parent.
fn drop_announced(items: &[Item], links: &mut [Link], text: &[u8]) {
    let key = |index: usize| (items[index].parent, &text[items[index].name.indices()]);
    let mut real = HashMap::new();
    for index in 0..items.len() {
        if matches!(items[index].joining, Joining::Joins { .. }) && links[index].repeats.is_none() {
            real.entry(key(index)).or_insert(index);
        }
    }
    for index in 0..items.len() {
        if items[index].joining == Joining::Announces && links[index].repeats.is_none() {
            links[index].repeats = real.get(&key(index)).copied();
        }
    }
}
