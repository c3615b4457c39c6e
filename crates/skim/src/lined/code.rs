//! Finds what is declared among statements and expressions.

use locant_text::Range;
use locant_tree::{Frame, Item, SymbolKind};

use super::{Reader, Region, Style};
use crate::tokens::TEXT;

impl Reader<'_> {
    /// Looks for types, and for functions that are values but have a name: `f := func() { … }`.
    pub(super) fn code(&mut self, region: Region, frame: Frame) -> Option<()> {
        let mut at = region.first;
        while at < region.end {
            let n_regions = self.regions.len();
            match self.stream.mark(at) {
                // If a field or method is selected from the result of a call, `locant-lang` does not look into its
                // arguments.
                b'(' if self.is_selected_from(at) => at = self.stream.after(at),
                b'.' if self.stream.is(at + 1, self.table.runs) && self.stream.mark(at + 2) == b'(' => {
                    at = self.run(at, region)?;
                }
                // The grammar takes `type` for the name of a field here.
                b'.' if self.is_field_called_as_a_keyword(at, region.end) => return None,
                b':' if self.stream.mark(at + 1) == b'=' => at = self.bound_function(at, region)?,
                crate::tokens::WORD => at = self.word(at, region, frame)?,
                _ => at += 1,
            }
            if self.comes_first(n_regions, Region { first: at, ..region }) {
                return Some(());
            }
        }
        Some(())
    }

    /// Whether a keyword follows this `.` as the name of a field. In `...func()` it is none.
    fn is_field_called_as_a_keyword(&self, dot: usize, end: usize) -> bool {
        dot + 1 < end && self.is_keyword(dot + 1) && self.stream.before(dot) != b'.'
    }

    fn word(&mut self, at: usize, region: Region, frame: Frame) -> Option<usize> {
        let is_type = self.stream.is(at, self.table.declares_type)
            && (self.stream.is_name(at + 1) || self.stream.mark(at + 1) == b'(')
            && self.stream.before(at) != b'(';
        if is_type || self.stream.is(at, self.table.variable) {
            return self.declaration(at, region.end, Frame::Function, region.owner);
        }
        if frame != Frame::Value {
            return Some(at + 1);
        }
        if self.stream.is(at, self.table.function) && self.stream.before(at) != b']' {
            let open = at + 1;
            if self.stream.mark(open) != b'(' {
                return None;
            }
            if let Some(body) = self.literal_body(at) {
                let close = self.stream.partner(body);
                self.descend(body + 1, close, Style::Code(Frame::Function), region.owner);
                return Some(close + 1);
            }
            return Some(self.stream.after(open));
        }
        let Some(style) = self.members_of(at) else { return Some(at + 1) };
        let close = self.stream.partner(at + 1);
        self.descend(at + 2, close, style, region.owner);
        Some(close + 1)
    }

    /// Whether a field or method is selected from the result of the call with these brackets: `f(a).b`.
    fn is_selected_from(&self, open: usize) -> bool {
        let after = self.stream.after(open);
        self.stream.mark(after) == b'.' && self.stream.mark(after + 1) != b'('
    }

    /// Reads `name := func() { … }`, given where its `:` is. Returns where to go on.
    fn bound_function(&mut self, colon: usize, region: Region) -> Option<usize> {
        let name = colon - 1;
        let after = colon + 2;
        if self.is_keyword(name) {
            return None;
        }
        let Some(body) = self.literal_body(after) else { return Some(after) };
        let next = self.stream.after(body);
        let is_list = colon > 1 && self.stream.mark(colon.wrapping_sub(2)) == b',';
        // The function is called or used right after it is written.
        let is_used = matches!(self.stream.mark(next), b'(' | b'.') && !self.is_over(next);
        if !self.is_named(name) || is_list || is_used {
            return Some(after);
        }
        // There are several values, but only one name.
        if self.stream.mark(next) == b',' {
            return None;
        }
        let range = self.stream.span(name, next - 1);
        let item = Item::new(SymbolKind::Function, self.stream.range(name), range, region.owner);
        let item = self.add(Item { body: Some(self.stream.start(body)), ..item });
        self.descend(body + 1, next - 1, Style::Code(Frame::Function), Some(item));
        Some(next)
    }

    /// Reads `t.Run("is empty", func(t *testing.T) { … })`, given where its `.` is. Returns where to go on.
    fn run(&mut self, dot: usize, region: Region) -> Option<usize> {
        let open = dot + 2;
        let text = open + 1;
        let is_text = self.stream.mark(text) == TEXT && self.stream.mark(text + 1) == b',';
        let Some(body) = self.literal_body(text + 2).filter(|_| is_text) else { return Some(open) };
        let Some(name) = self.first_words(self.stream.range(text)) else { return Some(open) };
        let close = self.stream.partner(open);
        if !matches!(self.stream.mark(self.stream.after(body)), b')' | b',') {
            return Some(open);
        }
        let range = self.stream.span(self.operand(dot)?, close);
        let item = Item::new(SymbolKind::Function, name, range, region.owner);
        let item = self.add(Item { body: Some(self.stream.start(body)), ..item });
        self.descend(body + 1, close, Style::Code(Frame::Function), Some(item));
        Some(close + 1)
    }

    /// The content of a string up to its first escape, without blanks at its ends.
    fn first_words(&self, text: Range) -> Option<Range> {
        let bytes = &self.stream.text[text.indices()];
        if !bytes.starts_with(b"\"") {
            return None;
        }
        let inside = &bytes[1..bytes.len() - 1];
        // If the string starts with an escape, there is no name.
        let end = memchr::memchr(b'\\', inside).unwrap_or(inside.len());
        let start = text.start().index() + 1;
        let name = locant_text::trimmed(self.stream.text, start..start + end);
        (!name.is_empty()).then_some(name)
    }

    /// The first token of the expression before a dot: `a` of `a.b(c).`.
    fn operand(&self, dot: usize) -> Option<usize> {
        let mut last = dot.checked_sub(1)?;
        for _ in 0..MAX_CALLS {
            while matches!(self.stream.mark(last), b')' | b']') {
                last = self.stream.partner(last).checked_sub(1)?;
            }
            if !self.stream.is_name(last) {
                return None;
            }
            if last == 0 || self.stream.before(last) != b'.' {
                return Some(last);
            }
            last = last.checked_sub(2)?;
        }
        None
    }
}

/// How many calls in a row are read. Nobody writes more.
const MAX_CALLS: usize = 50;
