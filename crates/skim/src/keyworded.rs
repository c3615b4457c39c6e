//! The symbols of a text in which every declaration has a word for what it is: `pub fn f() { … }`.

mod code;
mod declarations;
mod members;
mod scopes;

use locant_tree::SymbolKind;

use crate::finish::Words;
use crate::item::{Attachable, Attached, Findings, Frame, Item};
use crate::stream::Stream;
use crate::tokens::{Lexicon, TEXT, tokens};

/// How such a language is written.
#[derive(Debug)]
pub(crate) struct Keyworded {
    pub(crate) lexicon: Lexicon,
    pub(crate) declarations: &'static [Declaration],
    /// Words in front of a declaration. A text may follow the one that has an interface to other languages.
    pub(crate) modifiers: &'static [&'static str],
    /// The modifier after which brackets may say who sees it.
    pub(crate) visibility: &'static str,
    /// The modifier that a text may follow.
    pub(crate) foreign: &'static str,
    /// A name that is none.
    pub(crate) nameless: &'static str,
    /// What a macro is given is read as a text of its own if it has one of these words,
    pub(crate) declares: &'static [&'static str],
    /// or if the macro is one of these.
    pub(crate) transparent: &'static [&'static str],
    pub(crate) words: Words,
}

/// A word that opens a declaration.
#[derive(Debug)]
pub(crate) struct Declaration {
    pub(crate) word: &'static str,
    pub(crate) form: Form,
}

/// How a declaration goes on after its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A name, parameters, and perhaps a body.
    Function,
    /// A name, and perhaps fields in braces.
    Structure,
    /// The same; the word may also be a name.
    SoftStructure,
    /// A name, and its members in braces.
    Enumeration,
    /// A name, and declarations in braces.
    Holder(SymbolKind),
    /// A name and more, up to `;`; only in these frames.
    Value(SymbolKind, &'static [Frame]),
    /// Declarations in braces, for a type.
    Scope,
    /// `!`, a name and brackets.
    Macro,
    /// Up to `;`, without a declaration.
    Nothing,
    /// The same, after the modifier for other languages: `extern crate a;`.
    Foreign,
}

/// What is found in a text; `None` if it is not sure.
pub(crate) fn read(text: &[u8], table: &Keyworded) -> Option<Findings> {
    let (tokens, attachables) = tokens(text, &table.lexicon)?;
    let n_tokens = tokens.len();
    let found = Findings { attachables, ..Findings::default() };
    let mut reader = Reader { stream: Stream { text, tokens }, table, found, regions: Vec::new() };
    reader.regions.push(Region {
        first: 0,
        end: n_tokens,
        style: Style::Declarations,
        frame: Frame::File,
        owner: None,
    });
    while let Some(region) = reader.regions.pop() {
        match region.style {
            Style::Declarations => reader.declarations(region)?,
            Style::Code => reader.code(region)?,
            Style::Fields => reader.fields(region)?,
            Style::Variants => reader.variants(region)?,
        }
    }
    reader.found.sort_attachables();
    Some(reader.found)
}

struct Reader<'a> {
    stream: Stream<'a>,
    table: &'a Keyworded,
    found: Findings,
    /// What is still to be read, the next one last.
    regions: Vec<Region>,
}

/// Some tokens to read.
#[derive(Clone, Copy, Debug)]
struct Region {
    first: usize,
    /// After the last one.
    end: usize,
    style: Style,
    frame: Frame,
    owner: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Declarations,
    Code,
    Fields,
    Variants,
}

impl Reader<'_> {
    /// Notes the attributes that start here, and gives the token after them.
    fn attributes(&mut self, mut at: usize) -> usize {
        while self.stream.mark(at) == b'#' && self.stream.mark(at + 1) == b'[' {
            let range = self.stream.span(at, self.stream.partner(at + 1));
            self.found.attachables.push(Attachable { range, attached: Attached::Decorator });
            at = self.stream.after(at + 1);
        }
        at
    }

    /// The token after the modifiers that start here.
    fn after_modifiers(&self, mut at: usize) -> usize {
        while self.stream.is_among(at, self.table.modifiers) && !self.is_own_declaration(at) {
            let is_visibility = self.stream.is(at, self.table.visibility);
            let is_foreign = self.stream.is(at, self.table.foreign);
            at += 1;
            if is_visibility && self.stream.mark(at) == b'(' || is_foreign && self.stream.mark(at) == TEXT {
                at = self.stream.after(at);
            }
        }
        at
    }

    /// Whether a modifier is the word of a declaration here: `const A`, but not `const fn`.
    fn is_own_declaration(&self, at: usize) -> bool {
        let is_function = |next: &Declaration| next.form == Form::Function;
        let goes_on = self.stream.is_among(at + 1, self.table.modifiers)
            || self.declaration_at(at + 1).is_some_and(is_function);
        self.declaration_at(at).is_some() && !goes_on
    }

    fn declaration_at(&self, at: usize) -> Option<&'static Declaration> {
        let own = self.stream.word(at);
        if own.is_empty() {
            return None;
        }
        self.table.declarations.iter().find(|declaration| declaration.word.as_bytes() == own)
    }

    fn is_named(&self, at: usize) -> bool {
        self.stream.is_name(at) && !self.stream.is(at, self.table.nameless)
    }

    fn add(&mut self, item: Item) -> usize {
        self.found.items.push(item);
        self.found.items.len() - 1
    }

    /// Reads what stands in brackets next.
    fn descend(&mut self, open: usize, style: Style, frame: Frame, owner: Option<usize>) {
        let end = self.stream.partner(open);
        self.regions.push(Region { first: open + 1, end, style, frame, owner });
    }

    /// Lets what was left to be read since then come before the rest of a region; whether there is any.
    fn comes_first(&mut self, n_regions: usize, rest: Region) -> bool {
        let has_new = self.regions.len() > n_regions;
        if has_new {
            self.regions.insert(n_regions, rest);
        }
        has_new
    }
}
