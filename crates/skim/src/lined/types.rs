//! Reads the fields and methods of types.

use locant_text::Range;
use locant_tree::{Frame, Item, SymbolKind};

use super::{Reader, Region, Style};
use crate::tokens::{TEXT, WORD};

impl Reader<'_> {
    /// Reads one type: `A[T any] struct { … }`.
    pub(super) fn type_spec(
        &mut self,
        start: usize,
        name: usize,
        end: usize,
        owner: Option<usize>,
    ) -> Option<()> {
        if !self.is_name(name) {
            return None;
        }
        let mut own = name + 1;
        let is_alias = self.stream.mark(own) == b'=';
        if is_alias {
            own += 1;
        } else if self.has_parameters(own)? {
            own = self.stream.after(own);
            if self.stream.mark(own) == b'=' {
                return None;
            }
        }
        if own >= end {
            return None;
        }
        let opens = |word: &str| self.stream.is(own, word) && self.stream.mark(own + 1) == b'{' && !is_alias;
        let kind = match () {
            () if opens(self.table.structure) => SymbolKind::Struct,
            () if opens(self.table.interface) => SymbolKind::Interface,
            () => SymbolKind::Type,
        };
        let body = (kind != SymbolKind::Type).then(|| self.stream.start(own + 1));
        let mut inner = owner;
        let mut frame = Frame::Function;
        if self.is_named(name) {
            let range = self.stream.span(start, end - 1);
            let item = Item::new(kind, self.stream.range(name), range, owner);
            inner = Some(self.add(Item { body, ..item }));
            frame = Frame::Type;
        }
        self.descend(own, end, Style::Type(frame), inner);
        Some(())
    }

    /// Whether the brackets after the name of a type hold parameters, rather than the length of an array.
    fn has_parameters(&self, open: usize) -> Option<bool> {
        if self.stream.mark(open) != b'[' {
            return Some(false);
        }
        match (self.stream.mark(open + 1), self.stream.mark(open + 2)) {
            (b']', _) | (WORD, b']') => Some(false),
            (WORD, WORD | b',' | b'~' | b'[' | b'(') => Some(self.stream.is_name(open + 1)),
            // This may be `[N * 2]int` or `[P *T]`.
            _ => None,
        }
    }

    /// Looks for the members of a type.
    pub(super) fn inside_type(&mut self, region: Region, frame: Frame) -> Option<()> {
        let mut at = region.first;
        while at < region.end {
            // The types of parameters have no members that can be named.
            if self.stream.mark(at) == b'(' {
                at = self.stream.after(at);
                continue;
            }
            let Some(style) = self.members_of(at) else {
                at += 1;
                continue;
            };
            let close = self.stream.partner(at + 1);
            self.descend(close + 1, region.end, region.style, region.owner);
            if matches!(frame, Frame::Type | Frame::Value) {
                self.descend(at + 2, close, style, region.owner);
            }
            return Some(());
        }
        Some(())
    }

    /// What the braces of a type contain, if a type with members starts here.
    pub(super) fn members_of(&self, at: usize) -> Option<Style> {
        match () {
            () if self.stream.mark(at + 1) != b'{' => None,
            () if self.stream.is(at, self.table.structure) => Some(Style::Fields),
            () if self.stream.is(at, self.table.interface) => Some(Style::Methods),
            () => None,
        }
    }

    pub(super) fn fields(&mut self, region: Region) -> Option<()> {
        let mut at = region.first;
        while at < region.end {
            if self.stream.mark(at) == b';' {
                at += 1;
                continue;
            }
            let stop = self.line_end(at, region.end);
            let n_regions = self.regions.len();
            self.field(at, stop, region.owner)?;
            at = stop;
            if self.comes_first(n_regions, Region { first: at, ..region }) {
                return Some(());
            }
        }
        Some(())
    }

    fn field(&mut self, start: usize, end: usize, owner: Option<usize>) -> Option<()> {
        let range = self.stream.span(start, end - 1);
        let embedded = self.embedded(start, end);
        let (names, own): (Vec<Range>, usize) = match embedded {
            Some(name) => (vec![self.stream.range(name)], end),
            None => self.names(start)?,
        };
        let first = self.found.items.len();
        let item = |name| Item::new(SymbolKind::Field, name, range, owner);
        self.found.items.extend(names.into_iter().map(item));
        let is_declared = self.found.items.len() > first;
        let (owner, frame) = if is_declared { (Some(first), Frame::Value) } else { (owner, Frame::Type) };
        self.descend(own, end, Style::Type(frame), owner);
        Some(())
    }

    /// The name of a field that is only a type: `*a.B[C]`.
    fn embedded(&self, start: usize, end: usize) -> Option<usize> {
        let mut at = start + usize::from(self.stream.mark(start) == b'*');
        while self.stream.mark(at) == WORD && self.stream.mark(at + 1) == b'.' {
            at += 2;
        }
        let mut after = at + 1;
        if self.stream.mark(after) == b'[' && after < end {
            after = self.stream.after(after);
        }
        let is_over = after >= end || self.stream.mark(after) == TEXT && after + 1 >= end;
        (self.is_name(at) && is_over).then_some(at)
    }

    pub(super) fn methods(&mut self, region: Region) -> Option<()> {
        let mut at = region.first;
        while at < region.end {
            let stop = self.line_end(at, region.end);
            // `~struct { … }` has members, and only a parser can tell whose, and a keyword is no name.
            if (at..stop).any(|at| self.members_of(at).is_some()) || self.is_keyword(at) {
                return None;
            }
            if self.is_named(at) && self.stream.mark(at + 1) == b'(' {
                let range = self.stream.span(at, stop - 1);
                let name = self.stream.range(at);
                self.add(Item::new(SymbolKind::Method, name, range, region.owner));
            }
            at = if self.stream.mark(stop) == b';' { stop + 1 } else { stop };
        }
        Some(())
    }
}
