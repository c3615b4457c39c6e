//! The items of a repaired text in order.

use std::collections::HashSet;

use locant_tree::SymbolKind;

use crate::item::Item;

/// The items by their start, without those that are dropped, their parents renumbered.
pub(super) fn in_order(mut items: Vec<Item>, dropped: &HashSet<usize>) -> Vec<Item> {
    // What a dropped one holds goes to what is around that.
    for index in 0..items.len() {
        while let Some(parent) = items[index].parent.filter(|parent| dropped.contains(parent)) {
            items[index].parent = items[parent].parent;
        }
    }
    let mut order: Vec<usize> = (0..items.len()).filter(|item| !dropped.contains(item)).collect();
    order.sort_by_key(|&item| items[item].range.start());
    let mut places = vec![0; items.len()];
    for (place, &item) in order.iter().enumerate() {
        places[item] = place;
    }
    let mut items: Vec<Option<Item>> = items.into_iter().map(Some).collect();
    let mut ordered = Vec::with_capacity(items.len());
    for mut item in order.into_iter().filter_map(|item| items[item].take()) {
        item.parent = item.parent.map(|parent| places[parent]).filter(|&parent| parent < ordered.len());
        if let Some(parent) = item.parent {
            // An error may have moved the start of a body after what it holds. Parameters that are members stand in
            // front of it.
            let parent: &mut Item = &mut ordered[parent];
            let is_in_header = matches!(item.kind, Some(SymbolKind::Field | SymbolKind::Property));
            parent.body =
                parent.body.map(|body| if is_in_header { body } else { body.min(item.range.start()) });
        }
        ordered.push(item);
    }
    ordered
}
