//! The symbols of a text in which words open declarations and lines end them: `func f() int { … }`.

mod code;
mod declarations;
mod types;

use locant_text::Range;

use crate::finish::Words;
use crate::item::Findings;
use crate::regions::{self, Regions};
use crate::tokens::{Lexicon, TEXT, WORD};
use locant_tree::{Frame, Item};

/// How a language of this kind is written.
#[derive(Debug)]
pub(crate) struct Lined {
    pub(crate) lexicon: Lexicon,
    pub(crate) package: &'static str,
    pub(crate) import: &'static str,
    pub(crate) function: &'static str,
    /// The words that open declarations of types, of constants and of variables.
    pub(crate) declares_type: &'static str,
    pub(crate) constant: &'static str,
    pub(crate) variable: &'static str,
    /// The words that open types with members.
    pub(crate) structure: &'static str,
    pub(crate) interface: &'static str,
    /// The method that gives a name to a function and runs it: `t.Run("is empty", func(…) { … })`.
    pub(crate) runs: &'static str,
    /// The name that declares nothing: `_`.
    pub(crate) nameless: &'static str,
    /// Words that nobody uses as names, although the grammar takes some of them for names in places.
    pub(crate) keywords: &'static [&'static str],
    pub(crate) words: Words,
}

/// What is found in a text; `None` if the reader is not sure.
pub(crate) fn read(text: &[u8], table: &Lined) -> Option<Findings> {
    let reader = Reader::new(text, &table.lexicon, table)?;
    let end = reader.stream.tokens.len();
    reader.all(Region { first: 0, end, style: Style::File, owner: None }, |reader, region| {
        match region.style {
            Style::File => reader.file(region),
            Style::Code(frame) => reader.code(region, frame),
            Style::Type(frame) => reader.inside_type(region, frame),
            Style::Fields => reader.fields(region),
            Style::Methods => reader.methods(region),
        }
    })
}

type Reader<'a> = Regions<'a, Lined, Region>;

type Region = regions::Region<Style>;

/// What the tokens of a region are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    File,
    /// Statements and expressions, in this frame.
    Code(Frame),
    /// A type, in this frame.
    Type(Frame),
    Fields,
    Methods,
}

impl Reader<'_> {
    /// The token after the statement or member that contains the token `first`.
    fn line_end(&self, first: usize, end: usize) -> usize {
        let mut at = self.stream.after(first);
        while at < end && !matches!(self.stream.mark(at), b';' | b')' | b']' | b'}') && !self.is_over(at) {
            at = self.stream.after(at);
        }
        at.min(end)
    }

    /// Whether a statement ends before a token because the token is on another line.
    fn is_over(&self, at: usize) -> bool {
        if !self.stream.tokens.get(at).is_some_and(|token| token.is_below) {
            return false;
        }
        match self.stream.before(at) {
            WORD | TEXT | b')' | b']' | b'}' => true,
            // The number `1.` may end a statement.
            b'.' => self.stream.is_glued(at - 1) && self.is_number(at.wrapping_sub(2)),
            mark @ (b'+' | b'-') => {
                at > 1
                    && self.stream.mark(at.wrapping_sub(2)) == mark
                    && self.stream.is_glued(at.saturating_sub(1))
            }
            _ => false,
        }
    }

    fn is_number(&self, at: usize) -> bool {
        self.stream.word(at).first().is_some_and(u8::is_ascii_digit)
    }

    fn is_keyword(&self, at: usize) -> bool {
        self.stream.is_among(at, self.table.keywords)
    }

    fn is_name(&self, at: usize) -> bool {
        self.stream.is_name(at) && !self.is_keyword(at)
    }

    fn is_named(&self, at: usize) -> bool {
        self.is_name(at) && !self.stream.is(at, self.table.nameless)
    }

    /// The names of a list, and the token after it.
    fn names(&self, first: usize) -> Option<(Vec<Range>, usize)> {
        let mut names = Vec::new();
        let mut at = first;
        loop {
            if !self.is_name(at) {
                return None;
            }
            names.extend(self.is_named(at).then(|| self.stream.range(at)));
            if self.stream.mark(at + 1) != b',' {
                return Some((names, at + 1));
            }
            at += 2;
        }
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

    /// `n_regions` is the number of regions before some tokens were read. If regions were added since, puts `rest`
    /// below them in the list, so that it is read after them. Returns whether regions were added.
    fn comes_first(&mut self, n_regions: usize, rest: Region) -> bool {
        let has_new = self.regions.len() > n_regions;
        if has_new {
            self.regions.insert(n_regions, rest);
        }
        has_new
    }
}
