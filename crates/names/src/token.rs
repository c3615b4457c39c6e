//! The tokens of a file, and what can be folded away.

use locant_text::Range;

/// A token of a file and its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Where it is; a token may go over several lines, such as a comment.
    pub range: Range,
    /// What it is.
    pub kind: TokenKind,
    /// Whether the token declares the name that it is.
    pub is_declaration: bool,
}

/// The kind of a token.
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
    /// The part that is folded away: from a place in the line that stays visible to the end of the last hidden line.
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
