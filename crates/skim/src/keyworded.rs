//! The symbols of a text in which every declaration has a word that says what is declared: `pub fn f() { … }`.

mod code;
mod declarations;
mod members;
mod scopes;

use locant_tree::{Attachable, Attached, Frame, Item, SymbolKind};

use crate::finish::Words;
use crate::item::Findings;
use crate::regions::Regions;
use crate::tokens::{Lexicon, TEXT};

/// How a language of this kind is written.
#[derive(Debug)]
pub(crate) struct Keyworded {
    pub(crate) lexicon: Lexicon,
    pub(crate) declarations: &'static [Declaration],
    /// Words that may come before the word of a declaration.
    pub(crate) modifiers: &'static [&'static str],
    /// The modifier that brackets may follow: `pub(crate)`.
    pub(crate) visibility: &'static str,
    /// The modifier that a string may follow: `extern "C"`.
    pub(crate) foreign: &'static str,
    /// The word in the place of a name that declares nothing: `_`.
    pub(crate) nameless: &'static str,
    /// If the arguments of a macro contain one of these words, they are read as a text of their own.
    pub(crate) declares: &'static [&'static str],
    /// The arguments of these macros are always read as a text of their own.
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
    /// Like `Structure`, but the word may also be an ordinary name.
    SoftStructure,
    /// A name, and its members in braces.
    Enumeration,
    /// A name, and declarations in braces.
    Holder(SymbolKind),
    /// A name and more, up to `;`. The name is a symbol only in these frames.
    Value(SymbolKind, &'static [Frame]),
    /// A type, and in braces declarations that belong to it.
    Scope,
    /// `!`, a name and brackets.
    Macro,
    /// Anything up to `;`. Nothing is declared.
    Nothing,
    /// Like `Nothing`, but only after the `foreign` modifier: `extern crate a;`.
    Foreign,
}

/// What is found in a text; `None` if the reader is not sure.
pub(crate) fn read(text: &[u8], table: &Keyworded) -> Option<Findings> {
    let reader = Reader::new(text, &table.lexicon, table)?;
    let end = reader.stream.tokens.len();
    reader.all(
        Region { first: 0, end, style: Style::Declarations, frame: Frame::File, owner: None },
        |reader, region| match region.style {
            Style::Declarations => reader.declarations(region),
            Style::Code => reader.code(region),
            Style::Fields => reader.fields(region),
            Style::Variants => reader.variants(region),
        },
    )
}

type Reader<'a> = Regions<'a, Keyworded, Region>;

/// Some tokens that are read together.
#[derive(Clone, Copy, Debug)]
struct Region {
    first: usize,
    /// The index after the last token.
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
    /// Adds the attributes that start here to the findings. Returns the token after them.
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

    /// Whether a word that can be a modifier opens a declaration here: it does in `const A`, but not in `const fn`.
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

    /// Puts the tokens in brackets on the list, to be read next.
    fn descend(&mut self, open: usize, style: Style, frame: Frame, owner: Option<usize>) {
        let end = self.stream.partner(open);
        self.regions.push(Region { first: open + 1, end, style, frame, owner });
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
