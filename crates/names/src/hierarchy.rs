//! What a function calls and is called by, and the types above and below a type.

use locant_text::Range;
use locant_tree::SymbolKind;

use crate::Target;

/// Which calls are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallDirection {
    /// The functions that call this one.
    Incoming,
    /// The functions that this one calls.
    Outgoing,
}

/// Which types are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeDirection {
    /// The types that this one extends or implements.
    Super,
    /// The types that extend or implement this one.
    Sub,
}

/// A function or a type that is related to another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relative {
    /// Its name.
    pub name: String,
    /// Its kind; `None` when no [`SymbolKind`] fits.
    pub kind: Option<SymbolKind>,
    /// Where it is.
    pub target: Target,
    /// For calls: each place of a call, with the path of its file.
    pub call_sites: Vec<(String, Range)>,
}
