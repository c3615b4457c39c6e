//! Places that answers name.

use locant_text::Range;
use locant_tree::SymbolKind;

/// Where something is declared or defined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The file.
    pub path: String,
    /// The name.
    pub name: Range,
    /// The whole of it.
    pub extent: Range,
    /// Whether it is only likely, such as the same bare name in another file.
    pub is_guess: bool,
}

/// A place that means something that has a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The file.
    pub path: String,
    /// The name, as it is written there.
    pub range: Range,
    /// What it is there for.
    pub role: Role,
    /// Whether it is only likely, such as the same bare name in another file.
    pub is_guess: bool,
}

/// What a name is mentioned for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It is made known here.
    Declaration,
    /// It gets its meaning here.
    Definition,
    /// It is used.
    Use,
}

/// A symbol of one of the files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundSymbol {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: SymbolKind,
    /// What it is a member of, by its path; empty at the top of a file.
    pub container: String,
    /// Where it is.
    pub target: Target,
}
