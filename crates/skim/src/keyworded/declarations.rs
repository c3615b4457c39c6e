//! Reads declarations, whether in a file, a type or a function.

use locant_text::Range;
use locant_tree::{Frame, Item, SymbolKind};

use super::{Form, Reader, Region, Style};
use crate::bytes::has_word;
use crate::tokens::TEXT;

impl Reader<'_> {
    pub(super) fn declarations(&mut self, region: Region) -> Option<()> {
        let mut at = region.first;
        while at < region.end {
            let n_regions = self.regions.len();
            at = match self.stream.mark(at) {
                b';' => at + 1,
                b'#' => self.attribute(at)?,
                _ => match self.declaration(at, region)? {
                    Some(next) => next,
                    None => self.macro_call(at)?,
                },
            };
            if self.comes_first(n_regions, Region { first: at, ..region }) {
                return Some(());
            }
        }
        Some(())
    }

    /// Reads an attribute of what follows, `#[a]`, or of what is around it, `#![a]`. Returns the token after it.
    fn attribute(&mut self, at: usize) -> Option<usize> {
        match (self.stream.mark(at + 1), self.stream.mark(at + 2)) {
            (b'[', _) => Some(self.attributes(at)),
            (b'!', b'[') => Some(self.stream.after(at + 2)),
            _ => None,
        }
    }

    /// The token after the declaration that starts here. `Some(None)` if no declaration starts here.
    pub(super) fn declaration(&mut self, start: usize, region: Region) -> Option<Option<usize>> {
        let at = self.after_modifiers(start);
        let Some(declaration) = self.declaration_at(at) else {
            return self.foreign_block(start, at, region);
        };
        let is_foreign = |at: usize| self.stream.is(at, self.table.foreign);
        let next = match declaration.form {
            Form::SoftStructure if !self.stream.is_name(at + 1) => return Some(None),
            // `impl Trait` as a part of a type is no declaration, but no statement starts with it.
            Form::Scope => self.scope(start, at, region)?,
            Form::Macro => match self.stream.mark(at + 1) {
                b'!' => self.macro_rules(start, at, region)?,
                _ => return Some(None),
            },
            Form::Nothing => self.statement_end(at)? + 1,
            Form::Foreign if at > start && is_foreign(at - 1) => self.statement_end(at)? + 1,
            Form::Foreign => return Some(None),
            Form::Value(..) if self.stream.mark(at + 1) == b'{' => return Some(None),
            Form::Value(kind, frames) => self.value(start, at, region, kind, frames)?,
            Form::Function if !self.stream.is_name(at + 1) => return Some(None),
            _ if at > start && is_foreign(at - 1) => return None,
            form => self.holder(start, at, region, form)?,
        };
        Some(Some(next))
    }

    /// The token after `extern "C" { … }`; `Some(None)` if this is something else. The declarations in it belong to the
    /// region around it.
    fn foreign_block(&mut self, start: usize, at: usize, region: Region) -> Option<Option<usize>> {
        let is_foreign = (start..at).any(|at| self.stream.is(at, self.table.foreign));
        if !is_foreign || self.stream.mark(at) != b'{' {
            return Some(None);
        }
        self.descend(at, Style::Declarations, region.frame, region.owner);
        Some(Some(self.stream.after(at)))
    }

    /// The next `;` outside of brackets.
    pub(super) fn statement_end(&self, mut at: usize) -> Option<usize> {
        while self.stream.mark(at) != b';' {
            if matches!(self.stream.mark(at), 0 | b'}' | b')' | b']') {
                return None;
            }
            at = self.stream.after(at);
        }
        Some(at)
    }

    /// Reads a declaration that has a name and perhaps a body in braces. Returns the token after it.
    fn holder(&mut self, start: usize, word: usize, region: Region, form: Form) -> Option<usize> {
        let name = word + 1;
        if !self.is_named(name) || !self.goes_on(name + 1, form) {
            return None;
        }
        let end = self.header_end(name + 1)?;
        let has_body = self.stream.mark(end) == b'{';
        let last = if has_body { self.stream.partner(end) } else { end };
        let kind = match form {
            Form::Function => SymbolKind::Function,
            Form::Enumeration => SymbolKind::Enum,
            Form::Holder(kind) => kind,
            _ => SymbolKind::Struct,
        };
        let range = self.stream.span(start, last);
        let item = Item::new(kind, self.stream.range(name), range, region.owner);
        let body = has_body.then(|| self.stream.start(end));
        let item = self.add(Item { body, ..item });
        let (style, frame) = match form {
            Form::Function => (Style::Code, Frame::Function),
            Form::Enumeration => (Style::Variants, Frame::Type),
            Form::Holder(kind) => (Style::Declarations, Frame::of(kind)),
            _ => (Style::Fields, Frame::Type),
        };
        if has_body {
            self.descend(end, style, frame, Some(item));
        }
        Some(last + 1)
    }

    /// Whether the token after the name can follow it in such a declaration. The arguments of macros often look like
    /// declarations up to here.
    fn goes_on(&self, after: usize, form: Form) -> bool {
        let mark = self.stream.mark(after);
        let is_plain = matches!(mark, b'{' | b'<') || self.stream.is(after, "where");
        match form {
            Form::Function => matches!(mark, b'(' | b'<'),
            Form::Structure | Form::SoftStructure => is_plain || matches!(mark, b'(' | b';'),
            Form::Enumeration => is_plain,
            Form::Holder(SymbolKind::Module) => matches!(mark, b'{' | b';'),
            _ => is_plain || mark == b':',
        }
    }

    /// The `{` or `;` after a header.
    pub(super) fn header_end(&self, mut at: usize) -> Option<usize> {
        loop {
            at = match self.stream.mark(at) {
                // `Array<{ N }>`
                b'{' if matches!(self.stream.before(at), b'<' | b',') && self.stream.is_glued(at) => {
                    self.stream.after(at)
                }
                b'{' | b';' => return Some(at),
                b'[' if self.follows_type(at) => return None,
                0 | b'}' | b')' | b']' => return None,
                _ => self.stream.after(at),
            };
        }
    }

    /// Whether square brackets follow a type. They do so only in the arguments of macros.
    fn follows_type(&self, open: usize) -> bool {
        let is_lifetime = self.stream.mark(open.wrapping_sub(2)) == b'\'';
        let is_after = self.stream.is_name(open.wrapping_sub(1))
            && !self.stream.is_among(open.wrapping_sub(1), &["mut", "const", "where", "dyn", "as"]);
        is_after && !(is_lifetime && open > 2 && self.stream.mark(open.wrapping_sub(3)) == b'&')
    }

    /// Reads a constant, a variable or a type, which ends with `;`. Returns the token after it.
    fn value(
        &mut self,
        start: usize,
        word: usize,
        region: Region,
        kind: SymbolKind,
        frames: &[Frame],
    ) -> Option<usize> {
        let is_front = self.stream.is_among(word + 1, &["mut", "ref"]) && self.stream.is_name(word + 2);
        let name = word + 1 + usize::from(is_front);
        let end = self.statement_end(name)?;
        let is_typed = self.stream.mark(name + 1) == b':';
        let has_value = || (name..end).any(|at| self.stream.mark(at) == b'=');
        let is_whole = match kind {
            // Only a type that a trait leaves open has no value, and it has no modifiers.
            SymbolKind::Type => start == word || has_value(),
            _ => is_typed,
        };
        if !self.stream.is_name(name) || !is_whole {
            return None;
        }
        let mut owner = region.owner;
        let mut frame = region.frame;
        if self.is_named(name) && frames.contains(&region.frame) {
            let range = self.stream.span(start, end);
            owner = Some(self.add(Item::new(kind, self.stream.range(name), range, region.owner)));
            frame = Frame::Value;
        }
        // What is declared in the value belongs to it.
        let frame = if frame == Frame::Value { frame } else { Frame::Function };
        self.regions.push(Region { first: name + 1, end, style: Style::Code, frame, owner });
        Some(end + 1)
    }

    /// `macro_rules! name { … }`.
    fn macro_rules(&mut self, start: usize, word: usize, region: Region) -> Option<usize> {
        let name = word + 2;
        let open = name + 1;
        if !self.stream.is_name(name) || !matches!(self.stream.mark(open), b'(' | b'[' | b'{') {
            return None;
        }
        let close = self.stream.partner(open);
        let is_closed = self.stream.mark(open) != b'{';
        let last = close + usize::from(is_closed);
        if is_closed && self.stream.mark(last) != b';' {
            return None;
        }
        let range = self.stream.span(start, last);
        self.add(Item::new(SymbolKind::Macro, self.stream.range(name), range, region.owner));
        Some(last + 1)
    }

    /// Reads a call of a macro in the place of a declaration. Its arguments may be declarations. Returns the token
    /// after it.
    fn macro_call(&mut self, start: usize) -> Option<usize> {
        let mut at = start;
        while self.stream.is_name(at) && self.stream.mark(at + 1) == b':' && self.stream.mark(at + 2) == b':'
        {
            at += 3;
        }
        if !self.stream.is_name(at) || self.stream.mark(at + 1) != b'!' {
            return None;
        }
        let open = at + 2;
        if !matches!(self.stream.mark(open), b'(' | b'[' | b'{') {
            return None;
        }
        let close = self.stream.partner(open);
        let given = Range::new(self.stream.range(open).end(), self.stream.start(close));
        let is_transparent = self.stream.is_among(at, self.table.transparent);
        // No declaration starts with two strings, as these arguments do: `link!("a.dll" "system" fn f());`.
        let is_list = self.stream.mark(open + 1) == TEXT && self.stream.mark(open + 2) == TEXT;
        if is_list && !is_transparent {
            return Some(close + 1);
        }
        if is_transparent || has_word(&self.stream.text[given.indices()], self.table.declares) {
            self.found.embeds.push(given);
        }
        Some(close + 1)
    }
}
