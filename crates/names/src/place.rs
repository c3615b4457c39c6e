//! The places that answers consist of: targets, mentions and symbols.

use locant_text::Range;
use locant_tree::SymbolKind;

/// Where something is declared or defined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The file.
    pub path: String,
    /// The name.
    pub name: Range,
    /// The whole declaration or definition.
    pub extent: Range,
    /// Whether the target is only likely, such as the same bare name in another file.
    pub is_guess: bool,
}

/// A place that mentions something by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The file.
    pub path: String,
    /// The name, as it is written there.
    pub range: Range,
    /// Whether the mention declares, defines or uses the name.
    pub role: Role,
    /// Whether the mention is only likely, such as the same bare name in another file.
    pub is_guess: bool,
}

/// What a mention does with the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Declares the name: brings it into scope.
    Declaration,
    /// Defines the name: gives it its meaning.
    Definition,
    /// Uses the name.
    Use,
}

/// A symbol of one of the files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundSymbol {
    /// Its name.
    pub name: String,
    /// The kind of symbol, such as a class.
    pub kind: SymbolKind,
    /// The path of the symbol that contains it, such as `User.Address`; empty at the top of a file.
    pub container: String,
    /// Where it is.
    pub target: Target,
}
