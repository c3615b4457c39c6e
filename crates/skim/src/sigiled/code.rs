//! Finds what is declared among statements and expressions.

use super::{Reader, Region, Style};
use crate::tokens::WORD;

impl Reader<'_> {
    pub(super) fn code(&mut self, region: Region) -> Option<()> {
        let mut at = region.first;
        let mut is_start = true;
        while at < region.end {
            let mark = self.stream.mark(at);
            if mark == WORD {
                let n_regions = self.regions.len();
                let next = self.word(at, is_start, region)?;
                if self.regions.len() > n_regions {
                    self.regions.insert(n_regions, Region { first: next, ..region });
                    return Some(());
                }
            }
            is_start = matches!(mark, b'{' | b'}' | b';' | b':');
            at += 1;
        }
        Some(())
    }

    fn word(&mut self, at: usize, is_start: bool, region: Region) -> Option<usize> {
        let is_member = matches!(self.stream.before(at), b'>' | b':');
        if is_member {
            return Some(at + 1);
        }
        // `new class(…) extends A { … }`
        if self.stream.is(at, self.table.makes) {
            if self.stream.mark(at + 1) == b'#' {
                return None;
            }
            if self.is_type_word(at + 1) {
                let open = self.body_after(at + 2)?;
                self.descend(open, Style::Type, region.owner);
                self.regions.push(Region { first: at + 2, end: open, ..region });
                return Some(self.stream.after(open));
            }
            return Some(at + 1);
        }
        let is_call =
            self.stream.mark(at + 1) == b'(' && !self.stream.is(at.wrapping_sub(1), self.table.function);
        if is_call && self.stream.is_among(at, self.table.declaring_calls) {
            return None;
        }
        let is_named = self.is_plain_name(at + 1);
        if self.stream.is(at, self.table.function) && (is_named || self.is_plain_name(at + 2)) {
            let is_closure = self.stream.mark(at + 1) == b'(';
            let is_own = is_start && !is_closure;
            return if is_own { self.function(region, at, at) } else { is_closure.then_some(at + 1) };
        }
        if self.is_type_word(at) && is_named && !self.stream.is(at.wrapping_sub(1), self.table.makes) {
            return None;
        }
        Some(at + 1)
    }

    fn is_type_word(&self, at: usize) -> bool {
        let own = self.stream.word(at);
        self.table.types.iter().any(|(word, _)| word.as_bytes() == own)
    }
}
