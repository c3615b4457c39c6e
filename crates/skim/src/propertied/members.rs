//! The members of a namespace or type.

use locant_text::Range;
use locant_tree::SymbolKind;

use super::{Reader, Region, Started, Style};

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
    fn member(&mut self, region: Region, start: usize) -> Option<usize> {
        if self.stream.mark(start) == b';' {
            return Some(start + 1);
        }
        let is_global = self.stream.mark(start) == b'['
            && self.stream.is_among(start + 1, self.table.global_targets)
            && self.stream.mark(start + 2) == b':';
        if is_global {
            return Some(self.stream.after(start));
        }
        let is_namespace = region.style == Style::Namespace;
        if is_namespace && self.stream.is_among(start, self.table.skipped) {
            return self.statement_end(start).map(|end| end + 1);
        }
        let started = self.front(start, region.owner)?;
        if is_namespace && self.stream.is(started.at, self.table.namespace) {
            return self.namespace(started);
        }
        if let Some((kind, name)) = self.type_word(started.at) {
            return self.type_declaration(started, kind, name);
        }
        if self.stream.is(started.at, self.table.delegate) {
            return self.delegate(started);
        }
        if is_namespace || self.stream.is_among(started.at, self.table.unknown) {
            return None;
        }
        self.plain_member(started)
    }

    fn delegate(&mut self, started: Started) -> Option<usize> {
        let name = self.after_type(started.at + 1)?;
        let end = self.statement_end(name)?;
        if !self.stream.is_name(name) {
            return None;
        }
        self.add(started, SymbolKind::Type, self.stream.range(name), end, None);
        Some(end + 1)
    }

    /// Reads a member of a type that is not a type itself. Returns the token after it.
    fn plain_member(&mut self, started: Started) -> Option<usize> {
        let at = started.at;
        if self.stream.mark(at) == b'~' {
            return self.named_until(started, at, at + 2);
        }
        if self.stream.is_among(at, self.table.conversions) && self.stream.is(at + 1, self.table.operator) {
            let after = self.after_type(at + 2)?;
            return self.named_until(started, at, after);
        }
        if self.stream.is_name(at) && self.stream.mark(at + 1) == b'(' {
            return self.function(started, at, SymbolKind::Constructor);
        }
        if self.stream.is(at, self.table.event) {
            return self.event(started);
        }
        let after = self.after_type(at)?;
        if self.stream.is(after, self.table.operator) {
            let mut open = after + 1;
            while self.stream.mark(open) != b'(' {
                open = (self.stream.mark(open) != 0).then_some(open + 1)?;
            }
            return self.named_until(started, after, open);
        }
        let name = self.last_name(after)?;
        if self.stream.is(name, self.table.operator)
            || !self.stream.is(name, self.table.indexer) && self.stream.is_among(name, self.table.keywords)
        {
            return None;
        }
        let next = name + 1;
        match self.stream.mark(next) {
            b'[' if self.stream.is(name, self.table.indexer) => {
                self.property(started, name, self.stream.after(next))
            }
            b'(' | b'<' => self.function(started, name, SymbolKind::Method),
            b'{' => self.property(started, name, next),
            _ if self.is_arrow(next) => self.property(started, name, next),
            b'=' | b';' | b',' if name == after => {
                let kind = if started.is_constant { SymbolKind::Constant } else { SymbolKind::Field };
                self.fields(started, name, kind)
            }
            _ => None,
        }
    }

    /// Reads a function whose name is everything between `first` and its parameters: `~A`, `operator +`.
    fn named_until(&mut self, started: Started, first: usize, open: usize) -> Option<usize> {
        if self.stream.mark(open) != b'(' {
            return None;
        }
        let name = self.stream.span(first, open - 1);
        self.function_body(started, name, self.stream.after(open), SymbolKind::Method)
    }

    /// Reads a function whose name is one word. Returns the token after it.
    pub(super) fn function(&mut self, started: Started, name: usize, kind: SymbolKind) -> Option<usize> {
        let mut open = name + 1;
        if self.stream.mark(open) == b'<' {
            open = self.stream.after_angles(open)?;
        }
        if self.stream.mark(open) != b'(' {
            return None;
        }
        self.function_body(started, self.stream.range(name), self.stream.after(open), kind)
    }

    /// Reads what follows the parameters of a function. Returns the token after it.
    fn function_body(
        &mut self,
        started: Started,
        name: Range,
        after: usize,
        kind: SymbolKind,
    ) -> Option<usize> {
        let at = self.after_constraints(after)?;
        let mut open = at;
        // `: base(…)`
        let has_initializer = self.stream.mark(at) == b':' && kind == SymbolKind::Constructor;
        if has_initializer {
            open = self.stream.is_name(at + 1).then_some(at + 2)?;
            open = (self.stream.mark(open) == b'(').then(|| self.stream.after(open))?;
        }
        let body = if has_initializer { at } else { open };
        let (last, body) = match self.stream.mark(open) {
            b'{' => (self.stream.partner(open), Some(body)),
            b';' => (open, has_initializer.then_some(body)),
            _ if self.is_arrow(open) => (self.statement_end(open)?, Some(body)),
            _ => return None,
        };
        let item = self.add(started, kind, name, last, body);
        self.descend(after, last, Style::Code, Some(item));
        Some(last + 1)
    }

    /// Reads the rest of a property or indexer, given where its accessors start.
    fn property(&mut self, started: Started, name: usize, open: usize) -> Option<usize> {
        let last = match self.stream.mark(open) {
            b'{' => {
                let close = self.stream.partner(open);
                let is_valued = self.stream.mark(close + 1) == b'=' && !self.is_arrow(close + 1);
                if is_valued { self.statement_end(close + 1)? } else { close }
            }
            _ if self.is_arrow(open) => self.statement_end(open)?,
            _ => return None,
        };
        let item = self.add(started, SymbolKind::Property, self.stream.range(name), last, Some(open));
        self.descend(open + 1, last, Style::Code, Some(item));
        Some(last + 1)
    }

    fn event(&mut self, started: Started) -> Option<usize> {
        let after = self.after_type(started.at + 1)?;
        let name = self.last_name(after)?;
        match self.stream.mark(name + 1) {
            b'{' => {
                let close = self.stream.partner(name + 1);
                let range = self.stream.range(name);
                let item = self.add(started, SymbolKind::Property, range, close, Some(name + 1));
                self.descend(name + 2, close, Style::Code, Some(item));
                Some(close + 1)
            }
            _ if name == after => self.fields(started, name, SymbolKind::Property),
            _ => None,
        }
    }

    /// Reads the fields of one declaration, which share a type: `int a, b = 1;`.
    fn fields(&mut self, started: Started, name: usize, kind: SymbolKind) -> Option<usize> {
        let mut names: Vec<Range> = Vec::new();
        let mut value = None;
        let mut at = name;
        let end = loop {
            if !self.stream.is_name(at) {
                return None;
            }
            names.push(self.stream.range(at));
            at += 1;
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
        let first = self.found.items.len();
        for name in names {
            self.add(started, kind, name, end, None);
        }
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
                    let is_next = self.stream.is_name(at + 1) && matches!(after, b'=' | b',' | b';');
                    return is_next.then_some(at);
                }
                b'<' => at = self.after_arguments(at).unwrap_or(at + 1),
                0 | b')' | b']' | b'}' => return None,
                _ => at = self.stream.after(at),
            }
        }
    }

    /// The token after the type arguments that start here. `None` if that token shows that they are not type arguments.
    fn after_arguments(&self, open: usize) -> Option<usize> {
        let after = self.stream.after_angles(open)?;
        let is_it = matches!(
            self.stream.mark(after),
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b':' | b';' | b',' | b'.' | b'?'
        );
        is_it.then_some(after)
    }
}
