//! Places in files, as answers give them.

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
    /// What the name is mentioned for.
    pub role: Role,
    /// Whether the mention is only likely, such as the same bare name in another file.
    pub is_guess: bool,
}

/// What a name is mentioned for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// To declare it: here it comes into scope.
    Declaration,
    /// To define it: here it gets its meaning.
    Definition,
    /// To use it.
    Use,
}

/// A symbol of one of the files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundSymbol {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: SymbolKind,
    /// The path of the symbol that it is a member of; empty at the top of a file.
    pub container: String,
    /// Where it is.
    pub target: Target,
}
