//! Namespaces, types, and the members of enumerations.

use locant_text::Range;
use locant_tree::{Item, SymbolKind};

use super::{Reader, Region, Started, Style};

impl Reader<'_> {
    /// `namespace A.B { … }` or `namespace A.B;`.
    pub(super) fn namespace(&mut self, started: Started) -> Option<usize> {
        let mut names: Vec<Range> = Vec::new();
        let mut at = started.at + 1;
        loop {
            if !self.stream.is_name(at) {
                return None;
            }
            names.push(self.stream.range(at));
            at += 1;
            if self.stream.mark(at) != b'.' {
                break;
            }
            at += 1;
        }
        if self.stream.mark(at) == b';' {
            let text = |name: &Range| String::from_utf8_lossy(&self.stream.text[name.indices()]).into_owned();
            self.found.package.extend(names.iter().map(text));
            return Some(at + 1);
        }
        if self.stream.mark(at) != b'{' {
            return None;
        }
        let close = self.stream.partner(at);
        let name = names.pop()?;
        let range = self.stream.span(started.start, close);
        let item = Item::new(SymbolKind::Module, name, range, started.owner);
        let body = Some(self.stream.start(at));
        self.found.items.push(Item { body, qualifier: names, ..item });
        let owner = Some(self.found.items.len() - 1);
        self.descend(at + 1, close, Style::Namespace, owner);
        Some(close + 1)
    }

    /// The kind of the type that the word here opens, and where its name is; `None` if the word opens no type.
    pub(super) fn type_word(&self, at: usize) -> Option<(SymbolKind, usize)> {
        if self.stream.is(at, self.table.record) {
            let is_structure = self.stream.is(at + 1, self.table.structure);
            let is_class = self.stream.is(at + 1, "class");
            let name = at + 1 + usize::from(is_structure || is_class);
            let is_record = matches!(self.stream.mark(name + 1), b'(' | b'<' | b'{' | b':' | b';');
            let kind = if is_structure { SymbolKind::Struct } else { SymbolKind::Class };
            return (self.stream.is_name(name) && is_record).then_some((kind, name));
        }
        let own = self.stream.word(at);
        let word = self.table.types.iter().find(|(word, _)| word.as_bytes() == own)?;
        self.stream.is_name(at + 1).then_some((word.1, at + 1))
    }

    pub(super) fn type_declaration(
        &mut self,
        started: Started,
        kind: SymbolKind,
        name: usize,
    ) -> Option<usize> {
        let mut open = name + 1;
        while !matches!(self.stream.mark(open), b'{' | b';') {
            if matches!(self.stream.mark(open), 0 | b'}' | b')' | b']' | b'=') {
                return None;
            }
            open = self.stream.after(open);
        }
        let has_body = self.stream.mark(open) == b'{';
        let last = if has_body { self.stream.partner(open) } else { open };
        let name_range = self.stream.range(name);
        let item = self.add(started, kind, name_range, last, has_body.then_some(open));
        if has_body {
            let style = if kind == SymbolKind::Enum { Style::Enum } else { Style::Type };
            self.descend(open + 1, last, style, Some(item));
        }
        if (started.at..name).any(|at| self.stream.is(at, self.table.record)) {
            self.components(name + 1, item)?;
        }
        Some(last + 1)
    }

    /// The properties of a record, in the parentheses after its name.
    fn components(&mut self, at: usize, record: usize) -> Option<()> {
        let open = if self.stream.mark(at) == b'<' { self.stream.after_angles(at)? } else { at };
        if self.stream.mark(open) != b'(' {
            return Some(());
        }
        let close = self.stream.partner(open);
        let mut at = open + 1;
        while at < close {
            let mut started = self.front(at, Some(record))?;
            while self.stream.is_among(started.at, self.table.passing) {
                started.at += 1;
            }
            // The grammar has no parameter node for `params`, so only a parser can tell.
            if self.stream.is(started.at, "params") {
                return None;
            }
            let name = self.after_type(started.at)?;
            let mut end = name + 1;
            while end < close && self.stream.mark(end) != b',' {
                end = self.stream.after(end);
            }
            if !self.stream.is_name(name) || !matches!(self.stream.mark(name + 1), b',' | b'=' | b')') {
                return None;
            }
            self.add(started, SymbolKind::Property, self.stream.range(name), end - 1, None);
            at = end + 1;
        }
        Some(())
    }

    pub(super) fn enum_members(&mut self, region: Region) -> Option<()> {
        let mut at = region.first;
        while at < region.end {
            let started = self.front(at, region.owner)?;
            let name = started.at;
            let mut end = name + 1;
            while end < region.end && self.stream.mark(end) != b',' {
                end = self.stream.after(end);
            }
            let is_valued = self.stream.mark(name + 1) == b'=';
            if !self.stream.is_name(name) || end != name + 1 && !is_valued {
                return None;
            }
            self.add(started, SymbolKind::EnumMember, self.stream.range(name), end - 1, None);
            at = end + 1;
        }
        Some(())
    }
}
