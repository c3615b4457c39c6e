//! Reads languages of elements in tags: XML.

use std::ops;

use locant_text::{Offset, Range, trimmed};
use locant_tree::{Attachable, Attached, Item, SymbolKind};

use crate::finish::Words;
use crate::item::Findings;

/// How a language with tags is written.
#[derive(Debug)]
pub(crate) struct Tagged {
    /// The attributes that name an element. If an element has several of them, the first in this list counts, even if
    /// its value is empty.
    pub(crate) names: &'static [&'static str],
    pub(crate) words: Words,
}

/// The elements of a text.
pub(crate) fn read(text: &[u8], table: &Tagged) -> Option<Findings> {
    let mut reader = Reader {
        text,
        table,
        at: 0,
        open: Vec::new(),
        n_open_bytes: 0,
        owner: None,
        found: Findings::default(),
    };
    reader.prolog()?;
    reader.element()?;
    while !reader.open.is_empty() {
        reader.content()?;
    }
    reader.rest()?;
    Some(reader.found)
}

/// How many bytes the names of all open elements may have together. With a few more, the grammar forgets elements.
const MAX_OPEN: usize = 900;

struct Reader<'a> {
    text: &'a [u8],
    table: &'a Tagged,
    at: usize,
    open: Vec<Open>,
    n_open_bytes: usize,
    /// The item around the current place.
    owner: Option<usize>,
    found: Findings,
}

/// An element whose end has not been read.
struct Open {
    name: ops::Range<usize>,
    /// Its item, if it is a symbol.
    item: Option<usize>,
    /// The item around the element.
    owner: Option<usize>,
    /// Where its start tag ends.
    body: usize,
}

impl<'a> Reader<'a> {
    fn rest_of_text(&self) -> &'a [u8] {
        &self.text[self.at..]
    }

    /// Skips what may come before the root element: instructions, comments, and the type of the document.
    fn prolog(&mut self) -> Option<()> {
        loop {
            self.blanks();
            match self.rest_of_text() {
                [b'<', b'?', ..] => self.until(b"?>")?,
                [b'<', b'!', b'-', b'-', ..] => self.comment()?,
                [b'<', b'!', ..] => self.document_type()?,
                _ => return Some(()),
            }
        }
    }

    /// Skips what may come after the root element.
    fn rest(&mut self) -> Option<()> {
        loop {
            self.blanks();
            match self.rest_of_text() {
                [] => return Some(()),
                [b'<', b'?', ..] => self.until(b"?>")?,
                [b'<', b'!', b'-', b'-', ..] => self.comment()?,
                _ => return None,
            }
        }
    }

    fn blanks(&mut self) {
        self.at += self.rest_of_text().iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    }

    /// Goes to the place after the next `end`.
    fn until(&mut self, end: &[u8]) -> Option<()> {
        self.at += memchr::memmem::find(self.rest_of_text(), end)? + end.len();
        Some(())
    }

    fn comment(&mut self) -> Option<()> {
        let start = self.at;
        self.at += 4;
        // Two dashes end a comment, or are an error.
        self.until(b"--")?;
        (self.rest_of_text().first() == Some(&b'>')).then_some(())?;
        self.at += 1;
        let range = trimmed(self.text, start..self.at);
        self.found.attachables.push(Attachable { range, attached: Attached::Comment });
        Some(())
    }

    /// `<!DOCTYPE a …>`. Comments inside are left to the parser.
    fn document_type(&mut self) -> Option<()> {
        let length = self.rest_of_text().iter().position(|byte| matches!(byte, b'>' | b'['))?;
        self.at += length;
        if self.text[self.at] == b'[' {
            let start = self.at;
            self.until(b"]")?;
            let inside = &self.text[start..self.at];
            let is_plain = memchr::memmem::find(inside, b"<!--").is_none() && !inside.contains(&b'?');
            is_plain.then_some(())?;
            self.blanks();
        }
        (self.rest_of_text().first() == Some(&b'>')).then_some(())?;
        self.at += 1;
        Some(())
    }

    /// Reads the content of an element up to the next tag, and that tag.
    fn content(&mut self) -> Option<()> {
        self.at += memchr::memchr(b'<', self.rest_of_text())?;
        match self.rest_of_text() {
            [b'<', b'/', ..] => self.end_tag(),
            [b'<', b'?', ..] => self.until(b"?>"),
            [b'<', b'!', b'-', b'-', ..] => self.comment(),
            [b'<', b'!', b'[', b'C', b'D', b'A', b'T', b'A', b'[', ..] => self.until(b"]]>"),
            [b'<', b'!', ..] => None,
            _ => self.element(),
        }
    }

    /// Reads the start tag of an element, or a tag that is the whole element: `<a/>`.
    fn element(&mut self) -> Option<()> {
        let start = self.at;
        (self.rest_of_text().first() == Some(&b'<')).then_some(())?;
        self.at += 1;
        let tag = self.name()?;
        let mut called: Option<(usize, ops::Range<usize>)> = None;
        loop {
            let has_blank = self.rest_of_text().first()?.is_ascii_whitespace();
            self.blanks();
            match self.rest_of_text() {
                [b'/', b'>', ..] => {
                    self.at += 2;
                    self.add(start, tag, called);
                    return Some(());
                }
                [b'>', ..] => {
                    self.at += 1;
                    let owner = self.owner;
                    let item = self.add(start, tag.clone(), called);
                    self.owner = item.or(owner);
                    self.n_open_bytes += tag.len() + 1;
                    self.open.push(Open { name: tag, item, owner, body: self.at });
                    return (self.n_open_bytes <= MAX_OPEN).then_some(());
                }
                _ => {
                    let (name, value) = self.attribute().filter(|_| has_blank)?;
                    let name = &self.text[name];
                    let rank = self.table.names.iter().position(|known| known.as_bytes() == name);
                    if let Some(rank) = rank
                        && called.as_ref().is_none_or(|(known, _)| rank < *known)
                    {
                        called = Some((rank, value));
                    }
                }
            }
        }
    }

    /// The name of an attribute, and its value without the quotes.
    fn attribute(&mut self) -> Option<(ops::Range<usize>, ops::Range<usize>)> {
        let name = self.name()?;
        self.blanks();
        (self.rest_of_text().first() == Some(&b'=')).then_some(())?;
        self.at += 1;
        self.blanks();
        let quote = *self.rest_of_text().first().filter(|byte| matches!(byte, b'"' | b'\''))?;
        let start = self.at + 1;
        self.at = start + memchr::memchr2(quote, b'<', &self.text[start..])?;
        (self.text[self.at] == quote).then_some(())?;
        self.at += 1;
        Some((name, start..self.at - 1))
    }

    fn name(&mut self) -> Option<ops::Range<usize>> {
        let start = self.at;
        let is_part = |byte: &&u8| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b':') || !byte.is_ascii()
        };
        self.at += self.rest_of_text().iter().take_while(is_part).count();
        let first = *self.text[start..self.at].first()?;
        (first.is_ascii_alphabetic() || matches!(first, b'_' | b':') || !first.is_ascii())
            .then_some(start..self.at)
    }

    /// Adds the item of an element that starts at `start`. `called` is the attribute that names the element; without
    /// one, the tag is its name. `None` if the name is empty or spans several lines.
    fn add(
        &mut self,
        start: usize,
        tag: ops::Range<usize>,
        called: Option<(usize, ops::Range<usize>)>,
    ) -> Option<usize> {
        let name = called.map_or(tag, |(_, value)| value);
        let is_long = memchr::memchr2(b'\n', b'\r', &self.text[name.clone()]).is_some();
        if name.is_empty() || is_long {
            return None;
        }
        let range = Range::of_indices(start..self.at);
        self.found.items.push(Item::new(SymbolKind::Element, Range::of_indices(name), range, self.owner));
        Some(self.found.items.len() - 1)
    }

    fn end_tag(&mut self) -> Option<()> {
        let start = self.at;
        self.at += 2;
        let name = self.name()?;
        self.blanks();
        (self.rest_of_text().first() == Some(&b'>')).then_some(())?;
        self.at += 1;
        let open = self.open.pop()?;
        if self.text[open.name.clone()] != self.text[name] {
            return None;
        }
        self.n_open_bytes -= open.name.len() + 1;
        self.owner = open.owner;
        if let Some(item) = open.item {
            let item = &mut self.found.items[item];
            item.range = Range::new(item.range.start(), Offset::of_index(self.at));
            item.body = (open.body < start).then(|| Offset::of_index(open.body));
        }
        Some(())
    }
}
