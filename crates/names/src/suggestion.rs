//! Suggestions for what to write at a place.

use locant_text::Range;

/// Something that could be written at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The text to write.
    pub text: String,
    /// How a list of suggestions shows this one: `f(x, y)` for the text `f`. `None` if it shows the text.
    pub label: Option<String>,
    /// The kind of thing that the text names.
    pub kind: SuggestionKind,
    /// A few more words to show, such as its file or its signature; may be empty.
    pub detail: String,
    /// Its documentation, in Markdown; empty when there is none.
    pub docs: String,
    /// The range that the text replaces: the letters already written before the place. May be empty.
    pub replaces: Range,
}

/// The kind of thing that is suggested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuggestionKind {
    /// A keyword of the language.
    Keyword,
    /// A type: one that the language provides, or a declared one, such as a message or a struct.
    Type,
    /// An enumeration.
    Enum,
    /// A value of an enumeration.
    EnumMember,
    /// A field, or an option.
    Field,
    /// A function or a contract.
    Function,
    /// A method.
    Method,
    /// A variable, or a name that a pattern binds.
    Variable,
    /// A package, or a part of one.
    Module,
    /// A file.
    File,
}
