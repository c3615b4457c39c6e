//! The tokens of a file, and the parts of it that can be folded away.

use locant_text::Range;

/// A token of a file and its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Where the token is. Some tokens span several lines, such as comments.
    pub range: Range,
    /// The kind of token.
    pub kind: TokenKind,
    /// Whether the token is a name at the place where it is declared.
    pub is_declaration: bool,
}

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A package, or a part of one.
    Namespace,
    /// A type: a message, a struct, or one that the language provides.
    Type,
    /// An enumeration.
    Enum,
    /// A value of an enumeration.
    EnumMember,
    /// A service, or anything else that lists methods.
    Interface,
    /// A field.
    Property,
    /// A method.
    Method,
    /// A function or a contract.
    Function,
    /// A parameter.
    Parameter,
    /// A variable, or a name that a pattern binds.
    Variable,
    /// An option.
    Decorator,
    /// A keyword of the language.
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

/// A part of a file that can be folded away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    /// The text to hide. It starts in the line that stays visible and ends with the last hidden line.
    pub range: Range,
    /// The kind of text that is hidden.
    pub kind: FoldKind,
}

/// The kind of text that a fold hides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldKind {
    /// A block.
    Block,
    /// Comments.
    Comment,
    /// Imports.
    Imports,
}
