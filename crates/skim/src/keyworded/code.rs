//! Finds what is declared among statements and expressions.

use locant_tree::Frame;

use super::{Form, Reader, Region};
use crate::tokens::WORD;

impl Reader<'_> {
    /// Looks for declarations among statements.
    pub(super) fn code(&mut self, region: Region) -> Option<()> {
        let inner = Region { frame: Frame::Function, ..region };
        let mut at = region.first;
        let mut is_start = true;
        while at < region.end {
            let mark = self.stream.mark(at);
            if is_start && mark == b'#' && self.stream.mark(at + 1) == b'[' {
                at = self.attributes(at);
                continue;
            }
            if is_start
                && mark == b'#'
                && self.stream.mark(at + 1) == b'!'
                && self.stream.mark(at + 2) == b'['
            {
                at = self.stream.after(at + 2);
                continue;
            }
            if mark == WORD {
                let n_regions = self.regions.len();
                if is_start && let Some(next) = self.declaration_among(at, inner)? {
                    at = next;
                    if self.comes_first(n_regions, Region { first: at, ..region }) {
                        return Some(());
                    }
                    continue;
                }
                if !is_start && self.is_declaration_elsewhere(at) {
                    return None;
                }
                // The arguments of a macro are skipped.
                if self.stream.mark(at + 1) == b'!' && matches!(self.stream.mark(at + 2), b'(' | b'[' | b'{')
                {
                    at = self.stream.after(at + 2);
                    is_start = self.stream.before(at) == b'}';
                    continue;
                }
            }
            is_start = matches!(mark, b'{' | b'}' | b';');
            at += 1;
        }
        Some(())
    }

    /// The token after the declaration that starts here, among statements. `Some(None)` if no declaration starts here.
    fn declaration_among(&mut self, at: usize, region: Region) -> Option<Option<usize>> {
        let word = self.after_modifiers(at);
        match self.declaration_at(word) {
            None => Some(None),
            Some(declaration) if matches!(declaration.form, Form::Nothing | Form::Foreign) => Some(None),
            Some(_) => self.declaration(at, region),
        }
    }

    /// Whether a declaration seems to start here, although no statement starts here.
    fn is_declaration_elsewhere(&self, at: usize) -> bool {
        let Some(declaration) = self.declaration_at(at) else { return false };
        let is_named = self.stream.is_name(at + 1);
        match declaration.form {
            Form::Function | Form::Structure | Form::Enumeration | Form::Holder(_) => {
                // If there are modifiers, a declaration was looked for at the first of them.
                is_named && !self.stream.is_among(at.wrapping_sub(1), self.table.modifiers)
            }
            _ => false,
        }
    }
}
