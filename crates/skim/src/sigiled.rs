//! The symbols of a text in which a mark comes before each variable, and a word before each function and type:
//! `function f($a) { … }`.

mod code;
mod members;

use locant_text::Range;
use locant_tree::{Attachable, Attached, Item, SymbolKind};

use crate::finish::Words;
use crate::item::Findings;
use crate::regions::{self, Regions};
use crate::tokens::Lexicon;

/// How a language of this kind is written.
#[derive(Debug)]
pub(crate) struct Sigiled {
    pub(crate) lexicon: Lexicon,
    /// The mark that a text must start with, and the mark that ends the code. A text with the second mark is not read.
    pub(crate) opens: &'static str,
    pub(crate) closes: &'static str,
    pub(crate) namespace: &'static str,
    /// Words that open statements which declare nothing.
    pub(crate) skipped: &'static [&'static str],
    pub(crate) types: &'static [(&'static str, SymbolKind)],
    pub(crate) function: &'static str,
    /// The name of the function that makes a value of its type.
    pub(crate) constructor: &'static str,
    pub(crate) constant: &'static str,
    /// The word before a member of an enumeration.
    pub(crate) case: &'static str,
    pub(crate) makes: &'static str,
    pub(crate) modifiers: &'static [&'static str],
    /// Functions whose calls declare something. Only a parser can read such calls.
    pub(crate) declaring_calls: &'static [&'static str],
    pub(crate) words: Words,
}

/// What is found in a text; `None` if the reader is not sure.
pub(crate) fn read(text: &[u8], table: &Sigiled) -> Option<Findings> {
    let is_pure = text.starts_with(table.opens.as_bytes())
        && memchr::memmem::find(text, table.closes.as_bytes()).is_none();
    if !is_pure {
        return None;
    }
    let reader = Reader::new(text, &table.lexicon, table)?;
    let end = reader.stream.tokens.len();
    // What the text starts with is skipped. It may be several tokens: `<`, `?` and `php`.
    let first = reader.stream.tokens.partition_point(|token| (token.start as usize) < table.opens.len());
    reader.all(Region { first, end, style: Style::File, owner: None }, |reader, region| match region.style {
        Style::Code => reader.code(region),
        Style::File | Style::Type => reader.members(region),
    })
}

type Reader<'a> = Regions<'a, Sigiled, Region>;

type Region = regions::Region<Style>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    File,
    Type,
    Code,
}

impl Reader<'_> {
    /// Adds the attributes that start here to the findings. Returns the token after them.
    fn attributes(&mut self, mut at: usize) -> usize {
        while self.stream.mark(at) == b'#' && self.stream.mark(at + 1) == b'[' {
            let range = self.stream.span(at, self.stream.partner(at + 1));
            self.found.attachables.push(Attachable { range, attached: Attached::Decorator });
            at = self.stream.after(at + 1);
        }
        at
    }

    fn after_modifiers(&self, mut at: usize) -> usize {
        while self.stream.is_among(at, self.table.modifiers) {
            at += 1;
            // `private(set)`
            if self.stream.mark(at) == b'(' {
                at = self.stream.after(at);
            }
        }
        at
    }

    /// The name of a variable, without its mark.
    fn variable(&self, at: usize) -> Option<Range> {
        let range = self.stream.range(at);
        let is_variable = self.stream.word(at).starts_with(b"$") && range.extent().len() > 1;
        is_variable.then(|| Range::of_indices(range.start().index() + 1..range.end().index()))
    }

    fn is_plain_name(&self, at: usize) -> bool {
        self.stream.is_name(at) && !self.stream.word(at).starts_with(b"$")
    }

    fn add(&mut self, item: Item) -> usize {
        self.found.items.push(item);
        self.found.items.len() - 1
    }

    /// Puts the tokens in brackets on the list, to be read next.
    fn descend(&mut self, open: usize, style: Style, owner: Option<usize>) {
        let end = self.stream.partner(open);
        self.regions.push(Region { first: open + 1, end, style, owner });
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
}
