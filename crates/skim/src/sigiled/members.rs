//! The members of a file or type.

use locant_text::Range;
use locant_tree::{Frame, Item, SymbolKind};

use super::{Reader, Region, Style};

impl Reader<'_> {
    pub(super) fn members(&mut self, region: Region) -> Option<()> {
        let mut at = region.first;
        while at < region.end {
            let n_regions = self.regions.len();
            at = self.member(region, at)?;
            if self.regions.len() > n_regions {
                self.regions.insert(n_regions, Region { first: at, ..region });
                return Some(());
            }
        }
        Some(())
    }

    fn member(&mut self, region: Region, start: usize) -> Option<usize> {
        if self.stream.mark(start) == b';' {
            return Some(start + 1);
        }
        let after = self.attributes(start);
        let at = self.after_modifiers(after);
        let is_file = region.style == Style::File;
        if is_file && self.stream.is(at, self.table.namespace) {
            return self.namespace(at);
        }
        if at == start && self.stream.is_among(at, self.table.skipped) {
            return self.after_skipped(at);
        }
        if self.stream.is(at, self.table.function) {
            return self.function(region, start, at);
        }
        if self.stream.is(at, self.table.constant) {
            return self.constants(region, start, at);
        }
        if is_file && let Some(next) = self.type_declaration(region, start, at)? {
            return Some(next);
        }
        if is_file {
            return None;
        }
        if self.stream.is(at, self.table.case) {
            return self.case(region, start, at);
        }
        (after < at).then(|| self.properties(region, start, at))?
    }

    /// `namespace A\B;`.
    fn namespace(&mut self, at: usize) -> Option<usize> {
        let end = self.statement_end(at)?;
        for part in at + 1..end {
            match self.stream.mark(part) {
                b'\\' => {}
                _ if self.is_plain_name(part) => {
                    self.found.package.push(String::from_utf8_lossy(self.stream.word(part)).into_owned());
                }
                _ => return None,
            }
        }
        Some(end + 1)
    }

    /// The token after a statement, which may end with braces: `use A { b as c; }`.
    fn after_skipped(&self, start: usize) -> Option<usize> {
        let mut at = start;
        loop {
            match self.stream.mark(at) {
                b';' => return Some(at + 1),
                b'{' => {
                    let after = self.stream.after(at);
                    return Some(if self.stream.mark(after) == b';' { after + 1 } else { after });
                }
                0 | b'}' | b')' | b']' => return None,
                _ => at = self.stream.after(at),
            }
        }
    }

    /// The token after the type that is declared here. `Some(None)` if no type is declared here.
    pub(super) fn type_declaration(
        &mut self,
        region: Region,
        start: usize,
        at: usize,
    ) -> Option<Option<usize>> {
        let own = self.stream.word(at);
        let Some((_, kind)) = self.table.types.iter().find(|(word, _)| word.as_bytes() == own) else {
            return Some(None);
        };
        let name = at + 1;
        if !self.is_plain_name(name) {
            return Some(None);
        }
        let open = self.body_after(name + 1)?;
        let close = self.stream.partner(open);
        let item = Item::new(*kind, self.stream.range(name), self.stream.span(start, close), region.owner);
        let item = self.add(Item { body: Some(self.stream.start(open)), ..item });
        self.descend(open, Style::Type, Some(item));
        Some(Some(close + 1))
    }

    /// The next `{`.
    pub(super) fn body_after(&self, mut at: usize) -> Option<usize> {
        while self.stream.mark(at) != b'{' {
            if matches!(self.stream.mark(at), 0 | b';' | b'}' | b')' | b']' | b'=') {
                return None;
            }
            at = self.stream.after(at);
        }
        Some(at)
    }

    /// Reads a function with a name. Returns the token after it.
    pub(super) fn function(&mut self, region: Region, start: usize, word: usize) -> Option<usize> {
        let name = word + 1 + usize::from(self.stream.mark(word + 1) == b'&');
        let open = name + 1;
        if !self.is_plain_name(name) || self.stream.mark(open) != b'(' {
            return None;
        }
        let mut end = self.stream.after(open);
        while !matches!(self.stream.mark(end), b'{' | b';') {
            if matches!(self.stream.mark(end), 0 | b'}' | b')' | b']' | b'=') {
                return None;
            }
            end = self.stream.after(end);
        }
        let has_body = self.stream.mark(end) == b'{';
        let last = if has_body { self.stream.partner(end) } else { end };
        let is_constructor = self.stream.is(name, self.table.constructor);
        let kind = match region.style {
            Style::Type if is_constructor => SymbolKind::Constructor,
            Style::Type => SymbolKind::Method,
            _ => SymbolKind::Function,
        };
        let range = self.stream.span(start, last);
        let item = Item::new(kind, self.stream.range(name), range, region.owner);
        let body = has_body.then(|| self.stream.start(end));
        let item = self.add(Item { body, ..item });
        if region.style == Style::Type {
            self.promoted(open, self.type_around(region.owner))?;
        }
        if has_body {
            self.descend(end, Style::Code, Some(item));
        }
        Some(last + 1)
    }

    /// The innermost type around a member. A class without a name is not an item, so its members belong to the type
    /// around it.
    fn type_around(&self, owner: Option<usize>) -> Option<usize> {
        let items = &self.found.items;
        let mut outward = std::iter::successors(owner, |&item| items[item].parent).take(MAX_OUTWARD);
        outward.find(|&item| items[item].frame == Frame::Type)
    }

    /// Adds the parameters that are properties too: `__construct(private int $x)`.
    fn promoted(&mut self, open: usize, owner: Option<usize>) -> Option<()> {
        let close = self.stream.partner(open);
        let mut at = open + 1;
        while at < close {
            let start = at;
            let after = self.attributes(at);
            let own = self.after_modifiers(after);
            let mut end = own;
            let mut name = None;
            while end < close && self.stream.mark(end) != b',' {
                name = name.or_else(|| self.variable(end));
                end = self.stream.after(end);
            }
            if after < own {
                let range = self.stream.span(start, end - 1);
                self.add(Item::new(SymbolKind::Property, name?, range, owner));
            }
            at = end + 1;
        }
        Some(())
    }

    /// `const A = 1, B = 2;`.
    fn constants(&mut self, region: Region, start: usize, word: usize) -> Option<usize> {
        let end = self.statement_end(word)?;
        let mut at = word + 1;
        let mut names = Vec::new();
        while at < end {
            let mut value = at;
            while value < end && self.stream.mark(value) != b'=' {
                value += 1;
            }
            if !self.is_plain_name(value.checked_sub(1)?) || value <= at {
                return None;
            }
            names.push(self.stream.range(value - 1));
            at = value + 1;
            while at < end && self.stream.mark(at) != b',' {
                at = self.stream.after(at);
            }
            at += 1;
        }
        self.several(region, SymbolKind::Constant, names, self.stream.span(start, end));
        Some(end + 1)
    }

    fn several(&mut self, region: Region, kind: SymbolKind, names: Vec<Range>, range: Range) {
        let item = |name| Item::new(kind, name, range, region.owner);
        self.found.items.extend(names.into_iter().map(item));
    }

    /// `case A = 1;`.
    fn case(&mut self, region: Region, start: usize, word: usize) -> Option<usize> {
        let name = word + 1;
        let end = self.statement_end(name)?;
        if !self.is_plain_name(name) || !matches!(self.stream.mark(name + 1), b';' | b'=') {
            return None;
        }
        let range = self.stream.span(start, end);
        self.several(region, SymbolKind::EnumMember, vec![self.stream.range(name)], range);
        Some(end + 1)
    }

    /// `private int $a = 1, $b;`.
    fn properties(&mut self, region: Region, start: usize, first: usize) -> Option<usize> {
        let end = self.statement_end(first)?;
        let mut names = Vec::new();
        let mut at = first;
        while at < end {
            // The type comes before the first name, and is the type of all names.
            while names.is_empty() && at < end && self.variable(at).is_none() {
                if matches!(self.stream.mark(at), b'{' | b'=' | b',') {
                    return None;
                }
                at += 1;
            }
            names.push(self.variable(at)?);
            at += 1;
            if !matches!(self.stream.mark(at), b'=' | b',' | b';') {
                return None;
            }
            while at < end && self.stream.mark(at) != b',' {
                at = self.stream.after(at);
            }
            at += 1;
        }
        self.several(region, SymbolKind::Property, names, self.stream.span(start, end));
        Some(end + 1)
    }
}

/// How many items around a member are searched for a type. Nobody nests functions and classes deeper.
const MAX_OUTWARD: usize = 100;
