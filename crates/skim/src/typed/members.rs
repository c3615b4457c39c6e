//! The members of a file or type.

use locant_text::Range;
use locant_tree::{Item, SymbolKind};

use super::{Front, Reader, Region, Style, TypeWord};

impl Reader<'_> {
    pub(super) fn members(&mut self, region: Region) -> Option<()> {
        let mut at = region.first;
        while at < region.end {
            let n_regions = self.regions.len();
            at = self.member(region, at)?;
            if self.regions.len() > n_regions {
                // The content of a member is read before the members after it.
                self.regions.insert(n_regions, Region { first: at, ..region });
                return Some(());
            }
        }
        Some(())
    }

    /// Reads the declaration that starts here. Returns the token after it. The content of the declaration is only added
    /// to the regions, to be read later.
    pub(super) fn member(&mut self, region: Region, start: usize) -> Option<usize> {
        let front = self.front(start)?;
        let at = front.at;
        if self.stream.mark(at) == b';' {
            return (at == start).then_some(at + 1);
        }
        if region.style == Style::File && self.stream.is(at, self.table.package) {
            return self.package(at);
        }
        if region.style == Style::File && self.stream.is_among(at, self.table.skipped) {
            return self.statement_end(at + 1).map(|end| end + 1);
        }
        // `@interface`
        let is_marked = self.stream.mark(at) == self.table.annotation;
        let word = at + usize::from(is_marked);
        if let Some(kind) = self.type_word(word).filter(|kind| self.opens_type(word, kind)) {
            return self.type_declaration(region, start, word, kind);
        }
        let is_unknown = is_marked || self.stream.is_among(at, self.table.unknown);
        if region.style == Style::File || is_unknown {
            return None;
        }
        self.plain_member(region, start, &front)
    }

    pub(super) fn opens_type(&self, at: usize, word: &TypeWord) -> bool {
        let is_record = word.style == Style::Record;
        self.stream.is_name(at + 1) && (!is_record || matches!(self.stream.mark(at + 2), b'(' | b'<'))
    }

    fn package(&mut self, at: usize) -> Option<usize> {
        let end = self.statement_end(at + 1)?;
        let words = (at + 1..end).map(|part| self.stream.word(part)).filter(|word| !word.is_empty());
        // At any other character, `locant-lang` cuts the name in two.
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        if !words.clone().flatten().all(is_plain) {
            return None;
        }
        self.found.package.extend(words.map(|word| String::from_utf8_lossy(word).into_owned()));
        Some(end + 1)
    }

    /// The next `;` outside of brackets.
    fn statement_end(&self, mut at: usize) -> Option<usize> {
        while self.stream.mark(at) != b';' {
            if matches!(self.stream.mark(at), 0 | b'}' | b')' | b']') {
                return None;
            }
            at = self.stream.after(at);
        }
        Some(at)
    }

    fn type_declaration(
        &mut self,
        region: Region,
        start: usize,
        word: usize,
        kind: &TypeWord,
    ) -> Option<usize> {
        let name = word + 1;
        let mut open = name + 1;
        while self.stream.mark(open) != b'{' {
            if matches!(self.stream.mark(open), 0 | b';' | b'=' | b'}' | b')' | b']') {
                return None;
            }
            open = self.stream.after(open);
        }
        let close = self.stream.partner(open);
        let range = self.stream.span(start, close);
        let item = Item::new(kind.kind, self.stream.range(name), range, region.owner);
        let item = self.add(Item { body: Some(self.stream.start(open)), ..item });
        self.descend(open + 1, close, kind.style, Some(item));
        if kind.style == Style::Record {
            self.components(name + 1, item)?;
        }
        Some(close + 1)
    }

    /// The fields of a record, in the parentheses after its name.
    fn components(&mut self, at: usize, record: usize) -> Option<()> {
        let open = if self.stream.mark(at) == b'<' { self.stream.after_angles(at)? } else { at };
        if self.stream.mark(open) != b'(' {
            return None;
        }
        let close = self.stream.partner(open);
        let mut at = open + 1;
        while at < close {
            let start = at;
            let front = self.front(start)?;
            let name = self.after_type(front.at)?;
            let end = name + 1;
            if !self.stream.is_name(name) || end != close && self.stream.mark(end) != b',' {
                return None;
            }
            let range = self.stream.span(start, name);
            self.add(Item::new(SymbolKind::Field, self.stream.range(name), range, Some(record)));
            at = end + 1;
        }
        Some(())
    }

    /// Reads a member that no word opens: a block, a constructor, a method or fields. Returns the token after it.
    fn plain_member(&mut self, region: Region, start: usize, front: &Front) -> Option<usize> {
        let mut at = front.at;
        if self.stream.mark(at) == b'{' {
            let close = self.stream.partner(at);
            self.descend(at + 1, close, Style::Code, region.owner);
            return Some(close + 1);
        }
        if self.stream.mark(at) == b'<' {
            at = self.stream.after_angles(at)?;
            at = self.after_inner_annotations(at);
        }
        if self.stream.is_name(at) && self.stream.mark(at + 1) == b'(' {
            return self.function(region, start, at, SymbolKind::Constructor);
        }
        if region.style == Style::Record && self.stream.is_name(at) && self.stream.mark(at + 1) == b'{' {
            return self.body(region, start, at, at + 1, SymbolKind::Constructor);
        }
        let name = self.after_type(at)?;
        if !self.stream.is_name(name) || self.stream.is(name, "_") {
            return None;
        }
        match self.stream.mark(name + 1) {
            b'(' => self.function(region, start, name, SymbolKind::Method),
            _ => self.fields(region, start, name, front),
        }
    }

    /// Reads a function whose parameters come right after its name. Returns the token after it.
    fn function(&mut self, region: Region, start: usize, name: usize, kind: SymbolKind) -> Option<usize> {
        let mut at = self.stream.after(name + 1);
        loop {
            match self.stream.mark(at) {
                b'{' => return self.body(region, start, name, at, kind),
                b';' => {
                    let range = self.stream.span(start, at);
                    self.add(Item::new(kind, self.stream.range(name), range, region.owner));
                    return Some(at + 1);
                }
                b'[' => at = self.stream.after(at),
                _ if self.stream.is(at, self.table.default) => at = self.statement_end(at)?,
                _ if self.stream.is(at, self.table.throws) => at = self.after_list(at + 1)?,
                _ => return None,
            }
        }
    }

    /// The token after a list of types.
    fn after_list(&self, mut at: usize) -> Option<usize> {
        loop {
            at = self.after_type(at)?;
            if self.stream.mark(at) != b',' {
                return Some(at);
            }
            at += 1;
        }
    }

    fn body(
        &mut self,
        region: Region,
        start: usize,
        name: usize,
        open: usize,
        kind: SymbolKind,
    ) -> Option<usize> {
        let close = self.stream.partner(open);
        let item = Item::new(kind, self.stream.range(name), self.stream.span(start, close), region.owner);
        let item = self.add(Item { body: Some(self.stream.start(open)), ..item });
        self.descend(open + 1, close, Style::Code, Some(item));
        Some(close + 1)
    }

    /// Reads the fields of one declaration, which share a type: `int a, b = 1;`.
    fn fields(&mut self, region: Region, start: usize, name: usize, front: &Front) -> Option<usize> {
        let mut names: Vec<Range> = Vec::new();
        let mut value = None;
        let mut at = name;
        let end = loop {
            if !self.stream.is_name(at) {
                return None;
            }
            names.push(self.stream.range(at));
            at += 1;
            while self.stream.mark(at) == b'[' && self.stream.mark(at + 1) == b']' {
                at += 2;
            }
            if self.stream.mark(at) == b'=' {
                value = value.or(Some(at + 1));
                at = self.value_end(at + 1)?;
            }
            match self.stream.mark(at) {
                b',' => at += 1,
                b';' => break at,
                _ => return None,
            }
        };
        let is_constant = region.style == Style::Interface || front.n_constant >= self.table.constant.len();
        let kind = if is_constant { SymbolKind::Constant } else { SymbolKind::Field };
        let range = self.stream.span(start, end);
        let first = self.found.items.len();
        self.found.items.extend(names.into_iter().map(|name| Item::new(kind, name, range, region.owner)));
        if let Some(value) = value {
            self.descend(value, end, Style::Code, Some(first));
        }
        Some(end + 1)
    }

    /// The `,` or `;` after a value.
    fn value_end(&self, mut at: usize) -> Option<usize> {
        loop {
            match self.stream.mark(at) {
                b';' => return Some(at),
                b',' => {
                    let after = self.stream.mark(at + 2);
                    let is_next = self.stream.is_name(at + 1) && matches!(after, b'=' | b',' | b';' | b'[');
                    return is_next.then_some(at);
                }
                b'<' if matches!(self.stream.before(at), b'.' | b':') => at = self.stream.after_angles(at)?,
                _ if self.stream.is(at, self.table.makes) => at = self.after_plain_type(at + 1)?,
                0 | b')' | b']' | b'}' => return None,
                _ => at = self.stream.after(at),
            }
        }
    }

    /// The members of an enumeration.
    pub(super) fn enum_members(&mut self, region: Region) -> Option<()> {
        let mut at = region.first;
        while at < region.end {
            if self.stream.mark(at) == b';' {
                self.descend(at + 1, region.end, Style::Class, region.owner);
                return Some(());
            }
            let n_regions = self.regions.len();
            at = self.enum_member(region, at)?;
            if self.regions.len() > n_regions {
                self.regions.insert(n_regions, Region { first: at, ..region });
                return Some(());
            }
        }
        Some(())
    }

    fn enum_member(&mut self, region: Region, start: usize) -> Option<usize> {
        let name = self.front(start)?.at;
        if !self.stream.is_name(name) {
            return None;
        }
        let arguments = (self.stream.mark(name + 1) == b'(').then_some(name + 1);
        let mut end = arguments.map_or(name + 1, |open| self.stream.after(open));
        let body = (self.stream.mark(end) == b'{').then_some(end);
        end = body.map_or(end, |open| self.stream.after(open));
        let range = self.stream.span(start, end - 1);
        let item = Item::new(SymbolKind::EnumMember, self.stream.range(name), range, region.owner);
        let body_start = body.map(|open| self.stream.start(open));
        let item = self.add(Item { body: body_start, ..item });
        if let Some(open) = body {
            self.descend(open + 1, self.stream.partner(open), Style::Class, Some(item));
        }
        if let Some(open) = arguments {
            self.descend(open + 1, self.stream.partner(open), Style::Code, Some(item));
        }
        match self.stream.mark(end) {
            b',' => Some(end + 1),
            b';' => Some(end),
            _ => (end == region.end).then_some(end),
        }
    }
}
