//! The order of an outline: as declared, but parents before their members.

use locant_tree::{Outline, Symbol, SymbolId};

/// Fills an outline with the symbols there are, given the index of each one's parent.
pub(crate) fn ordered(
    mut outline: Outline,
    mut symbols: Vec<Option<Symbol>>,
    parents: &[Option<usize>],
) -> Outline {
    let mut order: Vec<usize> = (0..symbols.len()).filter(|&index| symbols[index].is_some()).collect();
    let start = |index: usize| symbols[index].as_ref().map(|symbol| symbol.declaration.start());
    order.sort_by_key(|&index| start(index));
    let mut ids: Vec<Option<SymbolId>> = vec![None; symbols.len()];
    let mut waiting = Vec::new();
    for index in order {
        // A member may stand before its type: then the type and all around it go first. What is taken out of
        // `symbols` is on its way, so that a circle of parents ends here.
        let mut next = Some(index);
        while let Some(index) = next
            && let Some(symbol) = symbols[index].take()
        {
            waiting.push((index, symbol));
            next = parents[index];
        }
        while let Some((index, mut symbol)) = waiting.pop() {
            symbol.parent = parents[index].and_then(|parent| ids[parent]);
            ids[index] = Some(outline.push(symbol));
        }
    }
    outline
}
