//! Finds functions that are declared among statements.

use locant_tree::SymbolKind;

use super::{Reader, Region, Started};
use crate::tokens::WORD;

impl Reader<'_> {
    pub(super) fn code(&mut self, region: Region) -> Option<()> {
        let mut at = region.first;
        let mut is_start = true;
        while at < region.end {
            let mark = self.stream.mark(at);
            if is_start
                && matches!(mark, WORD | b'[' | b'(')
                && let Some(started) = self.local_function(at, region)
            {
                let n_regions = self.regions.len();
                let name = self.after_type(started.at)?;
                if started.start < started.at {
                    self.front(at, region.owner)?;
                }
                let next = self.function(started, name, SymbolKind::Function)?;
                self.regions.insert(n_regions, Region { first: next, ..region });
                return Some(());
            }
            is_start = matches!(mark, b'{' | b'}' | b';' | b':' | b')');
            at += 1;
        }
        Some(())
    }

    /// The function that the statement at `start` declares, if it declares one.
    fn local_function(&self, start: usize, region: Region) -> Option<Started> {
        let mut at = start;
        while self.stream.mark(at) == b'[' {
            at = self.stream.after(at);
        }
        while self.stream.is_among(at, self.table.modifiers) && self.is_modifier(at) {
            at += 1;
        }
        let name = self.after_type(at)?;
        let is_name = self.stream.is_name(name) && !self.stream.is_among(name, self.table.keywords);
        let mut open = name + 1;
        if self.stream.mark(open) == b'<' {
            open = self.stream.after_angles(open)?;
        }
        if !is_name || self.stream.mark(open) != b'(' {
            return None;
        }
        let after = self.after_constraints(self.stream.after(open))?;
        let has_body = self.stream.mark(after) == b'{' || self.is_arrow(after);
        has_body.then_some(Started { start, at, is_constant: false, owner: region.owner })
    }
}
