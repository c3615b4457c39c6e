//! The order of an outline: by start of the declaration, but parents before their members.

use crate::outline::{Outline, Symbol, SymbolId};

impl Outline {
    /// The same outline filled with symbols, given the index of the parent of each; those that are `None` are left out.
    #[must_use]
    pub fn filled(mut self, mut symbols: Vec<Option<Symbol>>, parents: &[Option<usize>]) -> Outline {
        let mut order: Vec<usize> = (0..symbols.len()).filter(|&index| symbols[index].is_some()).collect();
        let start = |index: usize| symbols[index].as_ref().map(|symbol| symbol.declaration.start());
        order.sort_by_key(|&index| start(index));
        let mut ids: Vec<Option<SymbolId>> = vec![None; symbols.len()];
        let mut waiting = Vec::new();
        for index in order {
            // A member may be declared before its type. Then the type and all around it are added first. Each symbol is
            // taken out of `symbols` at once, so that a cycle of parents ends.
            let mut next = Some(index);
            while let Some(index) = next
                && let Some(symbol) = symbols[index].take()
            {
                waiting.push((index, symbol));
                next = parents[index];
            }
            while let Some((index, mut symbol)) = waiting.pop() {
                symbol.parent = parents[index].and_then(|parent| ids[parent]);
                ids[index] = Some(self.push(symbol));
            }
        }
        self
    }
}
