//! The order of an outline: by the start of the declaration, except that parents come before their members.

use crate::outline::{Outline, Symbol, SymbolId};

impl Outline {
    /// Fills the outline with the given symbols and puts them in order. `parents` has the index of each symbol's
    /// parent in `symbols`. Symbols that are `None` are left out.
    #[must_use]
    pub fn filled(mut self, mut symbols: Vec<Option<Symbol>>, parents: &[Option<usize>]) -> Outline {
        let mut order: Vec<usize> = (0..symbols.len()).filter(|&index| symbols[index].is_some()).collect();
        let start = |index: usize| symbols[index].as_ref().map(|symbol| symbol.declaration.start());
        order.sort_by_key(|&index| start(index));
        let mut ids: Vec<Option<SymbolId>> = vec![None; symbols.len()];
        let mut waiting = Vec::new();
        for index in order {
            // A member may be declared before its type. Then the type, and everything around the type, is added first.
            // Each symbol is taken out of `symbols` when it is met, so a cycle of parents does not loop forever.
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
