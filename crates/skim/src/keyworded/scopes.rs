//! Blocks of members for a type that is declared elsewhere: `impl<T> Show for Pair<T> { … }`.

use locant_text::Range;

use super::{Reader, Region, Style};
use crate::tokens::WORD;
use locant_tree::{Frame, Item};

impl Reader<'_> {
    pub(super) fn scope(&mut self, start: usize, word: usize, region: Region) -> Option<usize> {
        let mut at = word + 1;
        if self.stream.mark(at) == b'<' {
            // The grammar does not know `impl<> A`.
            if self.stream.mark(at + 1) == b'>' {
                return None;
            }
            at = self.stream.after_angles(at)?;
        }
        let (mut first, mut end) = (at, None);
        loop {
            match self.stream.mark(at) {
                b'{' => break,
                b'<' => {
                    at = self.stream.after_angles(at)?;
                    continue;
                }
                0 | b';' | b'=' => return None,
                WORD if end.is_none() && self.stream.is(at, "for") && self.stream.mark(at + 1) != b'<' => {
                    first = at + 1;
                }
                WORD if self.stream.is(at, "where") => end = end.or(Some(at)),
                _ => {}
            }
            at = self.stream.after(at);
        }
        let name = self.type_name(first, end.unwrap_or(at))?;
        let close = self.stream.partner(at);
        let item = self.add(Item {
            qualifier: vec![name],
            body: Some(self.stream.start(at)),
            ..Item::scope(name, self.stream.span(start, close), region.owner)
        });
        self.descend(at, Style::Declarations, Frame::Type, Some(item));
        Some(close + 1)
    }

    /// The name of a type. If the type has no name, the whole type.
    fn type_name(&self, first: usize, end: usize) -> Option<Range> {
        let whole = self.stream.span(first, end.checked_sub(1).filter(|last| first <= *last)?);
        let mut at = first;
        loop {
            match self.stream.mark(at) {
                b'&' => at += 1,
                b'\'' => at += 2,
                b'*' => at += 2,
                WORD if self.stream.is_among(at, &["mut", "dyn"]) => at += 1,
                _ => break,
            }
        }
        match self.stream.mark(at) {
            b'[' | b'(' => {
                let is_all = self.stream.after(at) == end;
                return is_all.then_some(whole);
            }
            _ if self.stream.is_among(at, &["fn", "impl", "for", "unsafe", "extern"]) => return None,
            b':' => at += 2,
            _ => {}
        }
        loop {
            if !self.stream.is_name(at) {
                return None;
            }
            let name = self.stream.range(at);
            at += 1;
            if self.stream.mark(at) == b'<' {
                at = self.stream.after_angles(at)?;
            }
            if at == end || self.stream.mark(at) == b'+' {
                return Some(name);
            }
            let is_path = self.stream.mark(at) == b':' && self.stream.mark(at + 1) == b':';
            if !is_path {
                return None;
            }
            at += 2;
        }
    }
}
