//! Headings: a symbol with a level holds all that follows, up to the next one that is not deeper.

use locant_text::Range;

use crate::bytes::trimmed;
use crate::item::Item;

/// Extends items with a level to the end of their sections, and nests them.
///
/// Those that stand at the top count; the items are in the order of their starts.
pub(crate) fn nest_by_level(items: &mut [Item], text: &[u8]) {
    let mut open: Vec<usize> = Vec::new();
    for index in 0..items.len() {
        if items[index].parent.is_some() {
            continue;
        }
        let Some(level) = items[index].level else {
            // In broken source an item may stand between the start of a heading and its name.
            let is_after = |heading: &usize| items[*heading].name.end() <= items[index].range.start();
            items[index].parent = open.last().copied().filter(is_after);
            continue;
        };
        let start = items[index].range.start().index();
        while let Some(ended) = open.pop_if(|open| items[*open].level >= Some(level)) {
            extend(&mut items[ended], text, start);
        }
        items[index].parent = open.last().copied();
        open.push(index);
    }
    for ended in open {
        extend(&mut items[ended], text, text.len());
    }
}

/// What was the declaration is the header now, if it has no body of its own.
fn extend(item: &mut Item, text: &[u8], end: usize) {
    item.body.get_or_insert(item.range.end());
    let section = trimmed(text, item.range.start().index()..end);
    item.range = Range::new(item.range.start(), section.end()).cover(item.range);
}
