//! Sorts the items of a repaired text.

use std::collections::HashSet;

use locant_tree::{Item, SymbolKind};

/// The items sorted by their start, without the dropped ones, and with their parents renumbered.
pub(super) fn in_order(mut items: Vec<Item>, dropped: &HashSet<usize>) -> Vec<Item> {
    // A member of a dropped item goes to the item around the dropped one.
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
            // An error may have put the start of the parent's body after a member. In that case, the body starts with
            // the member. Parameters do not count: they are in the header, before the body.
            let parent: &mut Item = &mut ordered[parent];
            let is_in_header = matches!(item.kind, Some(SymbolKind::Field | SymbolKind::Property));
            parent.body =
                parent.body.map(|body| if is_in_header { body } else { body.min(item.range.start()) });
        }
        ordered.push(item);
    }
    ordered
}
