//! The symbols of a text in which a member is written as its type and its name: `int size() { … }`.

mod code;
mod members;

use crate::finish::Words;
use crate::item::Findings;
use crate::regions::{self, Regions};
use crate::tokens::Lexicon;
use locant_tree::{Attachable, Attached, Item, SymbolKind};

/// How a language of this kind is written.
#[derive(Debug)]
pub(crate) struct Typed {
    pub(crate) lexicon: Lexicon,
    /// The word before the name of the package that the file is in.
    pub(crate) package: &'static str,
    /// Words that open statements which declare nothing.
    pub(crate) skipped: &'static [&'static str],
    /// The words that open types.
    pub(crate) types: &'static [TypeWord],
    pub(crate) modifiers: &'static [&'static str],
    /// A field with all of these modifiers is a constant.
    pub(crate) constant: &'static [&'static str],
    /// The mark before an annotation.
    pub(crate) annotation: u8,
    /// The word that makes a value, which may have members of its own: `new A() { … }`.
    pub(crate) makes: &'static str,
    /// The word between the parameters of a function and the types that it throws.
    pub(crate) throws: &'static str,
    /// The word between the parameters of a function and its default value.
    pub(crate) default: &'static str,
    /// Words that open members which only a parser can read.
    pub(crate) unknown: &'static [&'static str],
    pub(crate) words: Words,
}

/// A word that opens a type.
#[derive(Debug)]
pub(crate) struct TypeWord {
    pub(crate) word: &'static str,
    pub(crate) kind: SymbolKind,
    pub(crate) style: Style,
}

/// What a body contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// The file.
    File,
    Class,
    /// An interface: its fields are constants.
    Interface,
    /// The values of an enumeration. Other members may follow after a `;`.
    Enum,
    /// A class whose fields are in parentheses after its name.
    Record,
    /// Statements.
    Code,
}

/// What is found in a text; `None` if the reader is not sure.
pub(crate) fn read(text: &[u8], table: &Typed) -> Option<Findings> {
    let reader = Reader::new(text, &table.lexicon, table)?;
    let end = reader.stream.tokens.len();
    reader.all(Region { first: 0, end, style: Style::File, owner: None }, |reader, region| {
        match region.style {
            Style::Code => reader.code(region),
            Style::Enum => reader.enum_members(region),
            _ => reader.members(region),
        }
    })
}

type Reader<'a> = Regions<'a, Typed, Region>;

type Region = regions::Region<Style>;

/// The annotations and modifiers before a declaration.
struct Front {
    /// The first token after them.
    at: usize,
    n_constant: usize,
}

impl Reader<'_> {
    /// Reads the annotations and modifiers that start here.
    fn front(&mut self, start: usize) -> Option<Front> {
        let mut front = Front { at: start, n_constant: 0 };
        loop {
            let at = front.at;
            if self.stream.mark(at) == self.table.annotation && self.is_annotation(at) {
                front.at = self.annotation(at)?;
            } else if self.stream.is_among(at, self.table.modifiers) {
                front.n_constant += usize::from(self.stream.is_among(at, self.table.constant));
                front.at += 1;
            } else if self.stream.is(at, "non") && self.stream.mark(at + 1) == b'-' {
                // `non-sealed`
                front.at += 3;
            } else {
                return Some(front);
            }
        }
    }

    /// Whether an annotation starts here, rather than the declaration of one.
    fn is_annotation(&self, at: usize) -> bool {
        self.stream.is_name(at + 1) && self.type_word(at + 1).is_none()
    }

    /// Adds an annotation to the findings. Returns the token after it.
    fn annotation(&mut self, start: usize) -> Option<usize> {
        let mut at = start + 2;
        while self.stream.mark(at) == b'.' && self.stream.is_name(at + 1) {
            at += 2;
        }
        if self.stream.mark(at) == b'(' {
            at = self.stream.after(at);
        }
        let range = self.stream.span(start, at - 1);
        self.found.attachables.push(Attachable { range, attached: Attached::Decorator });
        Some(at)
    }

    fn type_word(&self, at: usize) -> Option<&'static TypeWord> {
        let own = self.stream.word(at);
        self.table.types.iter().find(|word| word.word.as_bytes() == own)
    }

    /// The token after the type that starts here: `a.B<C>[]`.
    fn after_type(&self, start: usize) -> Option<usize> {
        let mut at = self.after_plain_type(start)?;
        loop {
            at = self.after_inner_annotations(at);
            if self.stream.mark(at) != b'[' || self.stream.mark(at + 1) != b']' {
                return Some(at);
            }
            at += 2;
        }
    }

    /// The token after the type that starts here, without any `[]` after the type.
    fn after_plain_type(&self, start: usize) -> Option<usize> {
        let mut at = start;
        loop {
            at = self.after_inner_annotations(at);
            if !self.stream.is_name(at) {
                return None;
            }
            at += 1;
            if self.stream.mark(at) == b'<' {
                at = self.stream.after_angles(at)?;
            }
            if self.stream.mark(at) != b'.' || self.stream.mark(at + 1) == b'.' {
                return Some(at);
            }
            at += 1;
        }
    }

    /// The token after the annotations that start here, inside a type. They belong to no declaration.
    fn after_inner_annotations(&self, mut at: usize) -> usize {
        while self.stream.mark(at) == self.table.annotation && self.stream.is_name(at + 1) {
            at += 2;
            while self.stream.mark(at) == b'.' && self.stream.is_name(at + 1) {
                at += 2;
            }
            if self.stream.mark(at) == b'(' {
                at = self.stream.after(at);
            }
        }
        at
    }

    fn add(&mut self, item: Item) -> usize {
        self.found.items.push(item);
        self.found.items.len() - 1
    }

    /// Puts a region with these tokens on the list, to be read next.
    fn descend(&mut self, first: usize, end: usize, style: Style, owner: Option<usize>) {
        if first < end {
            self.regions.push(Region { first, end, style, owner });
        }
    }
}
