//! Suggestions for what to write at a place.

use locant_text::Range;

/// Something that could be written at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The text to write.
    pub text: String,
    /// What it is.
    pub kind: SuggestionKind,
    /// More about it in a few words, such as its file or its signature; empty when there is nothing to say.
    pub detail: String,
    /// Its documentation, in Markdown; empty when there is none.
    pub docs: String,
    /// The range that the text replaces: the part of the word before the place, which may be empty.
    pub replaces: Range,
}

/// What a suggestion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuggestionKind {
    /// A word of the language.
    Keyword,
    /// A type of the language, or a message, struct or the like.
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
    /// A variable, or a name that is bound.
    Variable,
    /// A package, or a part of one.
    Module,
    /// A file.
    File,
}
