//! The symbols of a text in which a member is written as its type and its name, and may have accessors:
//! `int Size { get; }`.

mod code;
mod members;
mod namespaces;
mod types;

use locant_text::Range;
use locant_tree::{Attachable, Attached, Item, SymbolKind};

use crate::finish::Words;
use crate::item::Findings;
use crate::regions::{self, Regions};
use crate::tokens::Lexicon;

/// How a language of this kind is written.
#[derive(Debug)]
pub(crate) struct Propertied {
    pub(crate) lexicon: Lexicon,
    pub(crate) namespace: &'static str,
    /// Words that open statements which declare nothing, at the top of a file or namespace.
    pub(crate) skipped: &'static [&'static str],
    /// The words that open types.
    pub(crate) types: &'static [(&'static str, SymbolKind)],
    /// The word for a class whose parameters are properties, and the word after it that makes it a structure.
    pub(crate) record: &'static str,
    pub(crate) structure: &'static str,
    /// The word that opens the declaration of a type of functions.
    pub(crate) delegate: &'static str,
    pub(crate) event: &'static str,
    pub(crate) indexer: &'static str,
    pub(crate) operator: &'static str,
    pub(crate) conversions: &'static [&'static str],
    pub(crate) constraint: &'static str,
    pub(crate) modifiers: &'static [&'static str],
    /// Modifiers of parameters.
    pub(crate) passing: &'static [&'static str],
    /// The modifier of constants.
    pub(crate) constant: &'static str,
    /// Words that open members which only a parser can read.
    pub(crate) unknown: &'static [&'static str],
    /// Words that are neither types nor names, though they may be where one is expected.
    pub(crate) keywords: &'static [&'static str],
    /// The words with which attributes of a whole assembly start: `[assembly: …]`.
    pub(crate) global_targets: &'static [&'static str],
    pub(crate) words: Words,
}

/// What is found in a text; `None` if the reader is not sure.
pub(crate) fn read(text: &[u8], table: &Propertied) -> Option<Findings> {
    let reader = Reader::new(text, &table.lexicon, table)?;
    let end = reader.stream.tokens.len();
    reader.all(Region { first: 0, end, style: Style::Namespace, owner: None }, |reader, region| match region
        .style
    {
        Style::Code => reader.code(region),
        Style::Enum => reader.enum_members(region),
        Style::Namespace | Style::Type => reader.members(region),
    })
}

type Reader<'a> = Regions<'a, Propertied, Region>;

type Region = regions::Region<Style>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// A file or namespace.
    Namespace,
    Type,
    Enum,
    /// Statements.
    Code,
}

/// A declaration whose attributes and modifiers have been read.
#[derive(Clone, Copy, Debug)]
struct Started {
    /// Its first token.
    start: usize,
    /// Its first token after the attributes and modifiers.
    at: usize,
    is_constant: bool,
    owner: Option<usize>,
}

impl Reader<'_> {
    /// Reads the attributes and modifiers of a declaration.
    fn front(&mut self, start: usize, owner: Option<usize>) -> Option<Started> {
        let mut at = start;
        while self.stream.mark(at) == b'[' {
            let range = self.stream.span(at, self.stream.partner(at));
            self.found.attachables.push(Attachable { range, attached: Attached::Decorator });
            at = self.stream.after(at);
        }
        let mut is_constant = false;
        while self.stream.is_among(at, self.table.modifiers) && self.is_modifier(at) {
            is_constant |= self.stream.is(at, self.table.constant);
            at += 1;
        }
        // If a directive such as `#if` is between these tokens, the grammar does not read them as the start of one
        // declaration.
        let is_conditional = |at: usize| self.stream.tokens.get(at).is_some_and(|token| token.is_conditional);
        let is_whole = !(start + 1..=at).any(is_conditional);
        is_whole.then_some(Started { start, at, is_constant, owner })
    }

    /// Whether a word that can be a modifier is one here. It can also be a name, and the token after it tells which.
    fn is_modifier(&self, at: usize) -> bool {
        self.stream.is_name(at + 1) || matches!(self.stream.mark(at + 1), b'(' | b'~')
    }

    /// Adds a declaration whose last token is `last`. Returns its index.
    fn add(
        &mut self,
        started: Started,
        kind: SymbolKind,
        name: Range,
        last: usize,
        body: Option<usize>,
    ) -> usize {
        let range = self.stream.span(started.start, last);
        let body = body.map(|body| self.stream.start(body));
        self.found.items.push(Item { body, ..Item::new(kind, name, range, started.owner) });
        self.found.items.len() - 1
    }

    /// Puts a region with these tokens on the list, to be read next.
    fn descend(&mut self, first: usize, end: usize, style: Style, owner: Option<usize>) {
        if first < end {
            self.regions.push(Region { first, end, style, owner });
        }
    }

    /// Whether `=>` starts here.
    fn is_arrow(&self, at: usize) -> bool {
        self.stream.mark(at) == b'=' && self.stream.mark(at + 1) == b'>' && self.stream.is_glued(at + 1)
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
