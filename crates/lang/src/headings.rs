//! Headings. A symbol with a level contains everything up to the next heading of the same or a higher rank.

use locant_text::{Range, trimmed};
use locant_tree::Item;

/// Extends items with a level to the end of their sections, and nests them.
///
/// Only items without a parent are changed. The items must be ordered by their starts.
pub(crate) fn nest_by_level(items: &mut [Item], text: &[u8]) {
    let mut open: Vec<usize> = Vec::new();
    for index in 0..items.len() {
        if items[index].parent.is_some() {
            continue;
        }
        let Some(level) = items[index].level else {
            // In broken source, an item may start between the start of a heading and its name.
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

/// Extends a heading to the end of its section. The old range of the item becomes its header, unless the item has a
/// body.
fn extend(item: &mut Item, text: &[u8], end: usize) {
    item.body.get_or_insert(item.range.end());
    let section = trimmed(text, item.range.start().index()..end);
    item.range = Range::new(item.range.start(), section.end()).cover(item.range);
}
