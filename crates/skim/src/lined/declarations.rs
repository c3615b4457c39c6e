//! Reads the top level of a file, and declarations that may also be in functions.

use locant_tree::{Frame, Item, SymbolKind};

use super::{Reader, Region, Style};
use crate::stream::MAX_AHEAD;
use crate::tokens::WORD;

impl Reader<'_> {
    pub(super) fn file(&mut self, region: Region) -> Option<()> {
        let mut at = region.first;
        while at < region.end {
            let n_regions = self.regions.len();
            at = self.top_level(at, region.end)?;
            if self.comes_first(n_regions, Region { first: at, ..region }) {
                return Some(());
            }
        }
        Some(())
    }

    fn top_level(&mut self, at: usize, end: usize) -> Option<usize> {
        if self.stream.mark(at) == b';' {
            return Some(at + 1);
        }
        if self.stream.is(at, self.table.package) {
            let name = String::from_utf8_lossy(self.stream.word(at + 1)).into_owned();
            self.found.package.push(name);
            return self.is_name(at + 1).then_some(at + 2);
        }
        if self.stream.is(at, self.table.import) {
            return Some(self.line_end(at, end));
        }
        if self.stream.is(at, self.table.function) {
            return self.function(at, end);
        }
        self.declaration(at, end, Frame::File, None)
    }

    /// The token after the declaration of types, constants or variables that starts here.
    pub(super) fn declaration(
        &mut self,
        at: usize,
        end: usize,
        frame: Frame,
        owner: Option<usize>,
    ) -> Option<usize> {
        let is_one = [self.table.declares_type, self.table.constant, self.table.variable]
            .iter()
            .any(|word| self.stream.is(at, word));
        if !is_one {
            return None;
        }
        if self.stream.mark(at + 1) != b'(' {
            let stop = self.line_end(at, end);
            self.spec(at, at, at + 1, stop, frame, owner)?;
            return Some(stop);
        }
        let close = self.stream.partner(at + 1);
        let mut first = at + 2;
        // The regions inside the entries are read in the order of the source.
        let n_regions = self.regions.len();
        let mut held = Vec::new();
        while first < close {
            let stop = self.line_end(first, close);
            if self.stream.mark(first) != b';' {
                self.spec(at, first, first, stop, frame, owner)?;
            }
            held.extend(self.regions.drain(n_regions..).rev());
            first = if self.stream.mark(stop) == b';' { stop + 1 } else { stop };
        }
        self.regions.extend(held.into_iter().rev());
        Some(close + 1)
    }

    /// Reads one entry of the declaration that starts with `word`. The range of the entry starts at `start`, and its
    /// name is at `name`.
    fn spec(
        &mut self,
        word: usize,
        start: usize,
        name: usize,
        end: usize,
        frame: Frame,
        owner: Option<usize>,
    ) -> Option<()> {
        if self.stream.is(word, self.table.declares_type) {
            return self.type_spec(start, name, end, owner);
        }
        let is_constant = self.stream.is(word, self.table.constant);
        let (names, after) = self.names(name)?;
        // What a variable lacks, the grammar looks for in the next line.
        if after >= end && !is_constant {
            return None;
        }
        let value = self.value_of(after, end);
        let range = self.stream.span(start, end - 1);
        let body = value.filter(|_| !is_constant).and_then(|value| self.literal_body(value + 1));
        let body = body.filter(|&body| {
            let next = self.stream.after(body);
            next >= end || self.stream.mark(next) == b','
        });
        let kind = match body {
            Some(_) => SymbolKind::Function,
            None if frame != Frame::File => return self.local_value(after, end, owner),
            None if is_constant => SymbolKind::Constant,
            None => SymbolKind::Variable,
        };
        let first = self.found.items.len();
        let body = body.map(|body| self.stream.start(body));
        let item = |name| Item { body, ..Item::new(kind, name, range, owner) };
        self.found.items.extend(names.into_iter().map(item));
        let is_declared = self.found.items.len() > first;
        let owner = if is_declared { Some(first) } else { owner };
        let inner = match self.found.items.get(first) {
            Some(item) => item.frame,
            None => frame,
        };
        self.descend(after, end, Style::Code(inner), owner);
        Some(())
    }

    fn local_value(&mut self, after: usize, end: usize, owner: Option<usize>) -> Option<()> {
        self.descend(after, end, Style::Code(Frame::Function), owner);
        Some(())
    }

    /// The first `=` outside of brackets.
    fn value_of(&self, first: usize, end: usize) -> Option<usize> {
        let mut at = first;
        while at < end && self.stream.mark(at) != b'=' {
            at = self.stream.after(at);
        }
        (at < end).then_some(at)
    }

    /// The `{` of the function without a name that starts here. `None` if no such function starts here.
    pub(super) fn literal_body(&self, at: usize) -> Option<usize> {
        let is_literal = self.stream.is(at, self.table.function) && self.stream.mark(at + 1) == b'(';
        if is_literal { self.body_after(self.stream.after(at + 1)) } else { None }
    }

    /// The `{` after the parameters of a function.
    fn body_after(&self, mut at: usize) -> Option<usize> {
        for _ in 0..MAX_AHEAD {
            let mark = self.stream.mark(at);
            let is_typed =
                self.stream.is_among(at.wrapping_sub(1), &[self.table.structure, self.table.interface]);
            match mark {
                b'{' if !is_typed => return Some(at),
                0 | b';' | b')' | b']' | b'}' | b',' | b'=' | b':' => return None,
                _ if self.is_over(at) => return None,
                _ => at = self.stream.after(at),
            }
        }
        None
    }

    /// Reads a function or method with a name. Returns the token after it.
    fn function(&mut self, start: usize, end: usize) -> Option<usize> {
        let mut qualifier = Vec::new();
        let mut name = start + 1;
        if self.stream.mark(name) == b'(' {
            qualifier.push(self.stream.range(self.receiver(name)?));
            name = self.stream.after(name);
        }
        let kind = if qualifier.is_empty() { SymbolKind::Function } else { SymbolKind::Method };
        let mut open = name + 1;
        if self.stream.mark(open) == b'[' {
            open = self.stream.after(open);
        }
        if !self.is_name(name) || self.stream.mark(open) != b'(' {
            return None;
        }
        let body = self.body_after(self.stream.after(open));
        // After a function without a body, the grammar takes a block as a statement of its own.
        if body.is_some_and(|body| self.is_over(body)) {
            return None;
        }
        let next = body.map_or_else(|| self.line_end(open, end), |body| self.stream.after(body));
        let mut owner = None;
        if self.is_named(name) {
            let range = self.stream.span(start, next - 1);
            let item = Item::new(kind, self.stream.range(name), range, None);
            let body = body.map(|body| self.stream.start(body));
            owner = Some(self.add(Item { body, qualifier, ..item }));
        }
        if let Some(body) = body {
            self.descend(body + 1, next - 1, Style::Code(Frame::Function), owner);
        }
        Some(next)
    }

    /// The type in the brackets of a receiver: `T` of `(t *T[K])`.
    fn receiver(&self, open: usize) -> Option<usize> {
        let mut last = self.stream.partner(open) - 1;
        if self.stream.mark(last) == b',' {
            last -= 1;
        }
        if self.stream.mark(last) == b']' {
            last = self.stream.partner(last) - 1;
        }
        (self.stream.mark(last) == WORD).then_some(last)
    }
}
