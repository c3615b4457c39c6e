//! Reads style sheets: CSS.
//!
//! What is not CSS, such as the extensions of SCSS, is left to the parser.

use std::ops;

use locant_text::{Offset, Range, trimmed};
use locant_tree::{Attachable, Attached, Item, SymbolKind};

use crate::bytes::is_word;
use crate::finish::Words;
use crate::item::Findings;

/// How a style language is written.
#[derive(Debug)]
pub(crate) struct Styled {
    /// The word that opens a rule with a name of its own: `@keyframes a`.
    pub(crate) named: &'static str,
    /// The start of the names of custom properties, which a style sheet declares: `--` in `--size`.
    pub(crate) declared: &'static str,
    /// Texts that no selector contains. If one of them comes before a block, the grammar reads the code there as
    /// something else.
    pub(crate) no_selectors: &'static [&'static str],
    pub(crate) words: Words,
}

/// The rules and properties that a style sheet declares.
pub(crate) fn read(text: &[u8], table: &Styled) -> Option<Findings> {
    let mut reader = Reader { text, table, at: 0, open: Vec::new(), owner: None, found: Findings::default() };
    while reader.blanks()? {
        match text[reader.at] {
            b'}' => reader.close()?,
            _ => reader.statement()?,
        }
    }
    reader.open.is_empty().then_some(reader.found)
}

struct Reader<'a> {
    text: &'a [u8],
    table: &'a Styled,
    at: usize,
    /// The open blocks, the innermost last. Each has the indices of the items whose body it is, and the owner around
    /// it.
    open: Vec<(ops::Range<usize>, Option<usize>)>,
    owner: Option<usize>,
    found: Findings,
}

/// The text before a block, or a whole statement without a block.
struct Front {
    range: Range,
    /// The byte after it: `{`, `;` or `}`.
    end: u8,
    /// The commas outside of brackets.
    commas: Vec<usize>,
    has_comment: bool,
}

impl Reader<'_> {
    /// Goes to the next byte that is neither blank nor part of a comment. Returns whether there is such a byte.
    fn blanks(&mut self) -> Option<bool> {
        loop {
            let rest = &self.text[self.at..];
            self.at += rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            match &self.text[self.at..] {
                [] => return Some(false),
                [b'/', b'*', ..] => self.comment()?,
                _ => return Some(true),
            }
        }
    }

    fn comment(&mut self) -> Option<()> {
        let start = self.at;
        self.at += memchr::memmem::find(&self.text[start + 2..], b"*/")? + 4;
        let range = trimmed(self.text, start..self.at);
        self.found.attachables.push(Attachable { range, attached: Attached::Comment });
        Some(())
    }

    fn close(&mut self) -> Option<()> {
        self.at += 1;
        let (items, owner) = self.open.pop()?;
        for item in &mut self.found.items[items] {
            item.range = Range::new(item.range.start(), Offset::of_index(self.at));
        }
        self.owner = owner;
        Some(())
    }

    fn statement(&mut self) -> Option<()> {
        let front = self.front()?;
        match front.end {
            b'{' => self.block(&front),
            _ => self.declaration(&front),
        }
    }

    /// Reads up to a block, or to the end of a statement.
    fn front(&mut self) -> Option<Front> {
        let (start, mut depth, mut has_comment) = (self.at, 0_usize, false);
        let mut commas = Vec::new();
        loop {
            let byte = *self.text.get(self.at)?;
            match byte {
                b'"' | b'\'' => {
                    self.string(byte)?;
                    continue;
                }
                b'/' if self.text.get(self.at + 1) == Some(&b'*') => {
                    self.comment()?;
                    has_comment = true;
                    continue;
                }
                b'(' if self.is_address() => {
                    self.at += memchr::memchr(b')', &self.text[self.at..])?;
                }
                b'(' | b'[' => depth += 1,
                b')' | b']' => depth = depth.checked_sub(1)?,
                b'\\' => self.at += 1,
                b'{' | b';' | b'}' if depth > 0 => return None,
                b'{' | b';' | b'}' => {
                    let range = trimmed(self.text, start..self.at);
                    return (!range.is_empty()).then_some(Front { range, end: byte, commas, has_comment });
                }
                b',' if depth == 0 => commas.push(self.at),
                _ if self.is_beyond(byte, depth) => return None,
                _ => {}
            }
            self.at += 1;
        }
    }

    /// Whether something starts here that CSS does not have.
    fn is_beyond(&self, byte: u8, depth: usize) -> bool {
        let next = self.text.get(self.at + 1).copied().unwrap_or(0);
        let is_before_word = is_word(next) || next == b'-';
        match byte {
            b'$' => depth == 0,
            b'&' => is_before_word,
            b'%' => is_before_word && !self.text[self.at - 1].is_ascii_digit(),
            b'#' => next == b'{',
            b'/' => next == b'/',
            b'<' => next == b'!',
            _ => false,
        }
    }

    /// Whether the parenthesis here has an address in it that is not quoted: `url(data:a;b)`.
    fn is_address(&self) -> bool {
        let before = &self.text[..self.at];
        let is_url = before.len() >= 3 && before[before.len() - 3..].eq_ignore_ascii_case(b"url");
        let inside = self.text[self.at + 1..].iter().find(|byte| !byte.is_ascii_whitespace());
        is_url && !matches!(inside, Some(b'"' | b'\''))
    }

    fn string(&mut self, quote: u8) -> Option<()> {
        self.at += 1;
        loop {
            self.at += memchr::memchr3(quote, b'\\', b'\n', self.text.get(self.at..)?)?;
            match self.text[self.at] {
                b'\\' => self.at += 2,
                b'\n' => return None,
                _ => break,
            }
        }
        self.at += 1;
        Some(())
    }

    /// Reads the selectors before a block, and opens the block.
    fn block(&mut self, front: &Front) -> Option<()> {
        if front.has_comment {
            return None;
        }
        let start = front.range.start().index();
        let end = front.range.end().index();
        let first = self.found.items.len();
        if self.text[start] != b'@' {
            let mut from = start;
            for &to in front.commas.iter().chain([&end]) {
                self.add(trimmed(self.text, from..to), front)?;
                from = to + 1;
            }
        } else if let Some(name) = self.name_after_word(front) {
            return self.frames(name?, front);
        } else {
            self.add(front.range, front)?;
        }
        self.enter(first);
        Some(())
    }

    fn enter(&mut self, first: usize) {
        let items = first..self.found.items.len();
        let owner = self.owner;
        self.owner = (!items.is_empty()).then_some(first).or(owner);
        self.open.push((items, owner));
        self.at += 1;
    }

    /// The name after `@keyframes`. The outer `None` means that the rule does not start with this word, and the inner
    /// `None` that the name is missing.
    fn name_after_word(&self, front: &Front) -> Option<Option<Range>> {
        let text = &self.text[front.range.indices()];
        let length = text.iter().take_while(|byte| matches!(byte, b'@' | b'-' | b'a'..=b'z')).count();
        text[..length].ends_with(self.table.named.as_bytes()).then(|| {
            let start = front.range.start().index() + length;
            let name = trimmed(self.text, start..front.range.end().index());
            let is_word = |byte: &u8| is_word(*byte) || *byte == b'-';
            let is_name = !name.is_empty() && self.text[name.indices()].iter().all(is_word);
            is_name.then_some(name)
        })
    }

    /// Reads a rule in which blocks have no selectors: `@keyframes a { from { … } 50.5% { … } }`.
    fn frames(&mut self, name: Range, front: &Front) -> Option<()> {
        let first = self.found.items.len();
        self.add(name, front)?;
        self.enter(first);
        while self.blanks()? && self.text[self.at] != b'}' {
            let frame = self.front()?;
            (frame.end == b'{').then_some(())?;
            let n_items = self.found.items.len();
            self.enter(n_items);
            while self.blanks()? && self.text[self.at] != b'}' {
                let inner = self.front()?;
                (inner.end != b'{').then_some(())?;
                self.declaration(&inner)?;
            }
            (self.at < self.text.len()).then_some(())?;
            self.close()?;
        }
        (self.at < self.text.len()).then_some(())?;
        self.close()
    }

    fn add(&mut self, name: Range, front: &Front) -> Option<()> {
        let text = &self.text[name.indices()];
        if text.is_empty() {
            return None;
        }
        if self.table.no_selectors.iter().any(|no| memchr::memmem::find(text, no.as_bytes()).is_some())
            && self.text[front.range.start().index()] != b'@'
        {
            return Some(());
        }
        let item = Item::new(SymbolKind::Selector, name, front.range, self.owner);
        self.found.items.push(Item { body: Some(Offset::of_index(self.at)), ..item });
        Some(())
    }

    /// Reads a statement without a block.
    fn declaration(&mut self, front: &Front) -> Option<()> {
        let (start, end) = (front.range.start().index(), front.range.end().index());
        let has_end = front.end == b';';
        let is_at_top = self.open.is_empty();
        let text = &self.text[start..end];
        self.at += usize::from(has_end);
        if text[0] == b'@' {
            return has_end.then_some(());
        }
        let length = memchr::memchr(b':', text).filter(|_| has_end || !is_at_top)?;
        if !text.starts_with(self.table.declared.as_bytes()) {
            return Some(());
        }
        // Only a parser can tell whether a comment at the end is a part of the declaration.
        let is_apart = has_end && memchr::memmem::find(&text[..length], b"/*").is_none();
        if front.has_comment && !is_apart {
            return None;
        }
        let name = trimmed(self.text, start..start + length);
        let range = Range::of_indices(start..if has_end { self.at } else { end });
        self.found.items.push(Item::new(SymbolKind::Property, name, range, self.owner));
        Some(())
    }
}
