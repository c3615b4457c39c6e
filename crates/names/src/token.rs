//! What the words of a file are, and what can be folded away.

use locant_text::Range;

/// A word of a file and what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Where it is; a token may go over several lines, such as a comment.
    pub range: Range,
    /// What it is.
    pub kind: TokenKind,
    /// Whether it is declared here.
    pub is_declaration: bool,
}

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A package, or a part of one.
    Namespace,
    /// A type: a message, a struct or one of the language.
    Type,
    /// An enumeration.
    Enum,
    /// A value of an enumeration.
    EnumMember,
    /// A service or another list of methods.
    Interface,
    /// A field.
    Property,
    /// A method.
    Method,
    /// A function or a contract.
    Function,
    /// A parameter.
    Parameter,
    /// A variable, or a name that is bound.
    Variable,
    /// An option.
    Decorator,
    /// A word of the language.
    Keyword,
    /// A comment.
    Comment,
    /// A string.
    String,
    /// A number.
    Number,
    /// An operator.
    Operator,
}

/// Something that can be folded away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    /// What is folded: from a place in the line that stays to the end of the last line that goes.
    pub range: Range,
    /// What it is.
    pub kind: FoldKind,
}

/// What is folded away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldKind {
    /// A block.
    Block,
    /// Comments.
    Comment,
    /// Imports.
    Imports,
}
