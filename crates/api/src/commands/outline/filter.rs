//! Which symbols of an outline are listed.

use clap::Args;
use locant_engine::{Document, Offset, Outline, Symbol, SymbolId, SymbolKind};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::failure::Failure;

/// Which symbols are listed.
#[derive(Args, Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Filter {
    /// List symbols down to this depth: 1 is the top of the file, or the named symbol
    #[arg(long, value_name = "N")]
    depth: Option<usize>,
    /// List symbols of this kind and what is around them: class, function, method …; may be given several times
    #[arg(long, value_name = "KIND")]
    kind: Vec<String>,
    /// Leave out what is private: by a word in front such as `private`, or by a `_` or `#` at the start of its name
    #[arg(long)]
    public: bool,
    /// Show signatures whole
    #[arg(long)]
    pub(crate) signatures: bool,
}

/// Words in front of a name that make it private.
const PRIVATE: [&str; 3] = ["private", "protected", "fileprivate"];

impl Filter {
    /// Refuses kinds that no symbol has.
    pub(crate) fn checked(self) -> Result<Filter, Failure> {
        kinds(&self.kind)?;
        Ok(self)
    }

    /// For each symbol of the outline, whether it is listed. If `top` is given, depths count from the symbol whose name
    /// starts there.
    pub(super) fn listed(&self, document: &Document, outline: &Outline, top: Option<Offset>) -> Vec<bool> {
        let kinds = kinds(&self.kind).unwrap_or_default();
        let mut depths: Vec<usize> = Vec::new();
        let mut is_hidden: Vec<bool> = Vec::new();
        for (_, symbol) in outline.iter() {
            let above = symbol.parent.map(SymbolId::index);
            let is_top = above.is_none() || top == Some(symbol.name_range.start());
            let depth = above.filter(|_| !is_top).map_or(1, |above| depths[above] + 1);
            let is_too_deep = self.depth.is_some_and(|most| depth > most);
            let is_in_hidden = !is_top && above.is_some_and(|above| is_hidden[above]);
            depths.push(depth);
            is_hidden.push(is_too_deep || is_in_hidden || self.public && is_private(document, symbol));
        }
        let is_asked = |symbol: &Symbol| kinds.is_empty() || kinds.contains(&symbol.kind);
        let mut listed: Vec<bool> =
            outline.iter().map(|(id, symbol)| !is_hidden[id.index()] && is_asked(symbol)).collect();
        // The symbols around a listed one are listed, too, to show where it is. In reverse order, members come before
        // their parents.
        for (id, symbol) in outline.iter().collect::<Vec<_>>().into_iter().rev() {
            if let Some(parent) = symbol.parent.filter(|_| listed[id.index()]) {
                listed[parent.index()] = true;
            }
        }
        listed
    }
}

fn is_private(document: &Document, symbol: &Symbol) -> bool {
    let is_special = symbol.name.starts_with("__") && symbol.name.ends_with("__");
    if symbol.name.starts_with(['_', '#']) && !is_special {
        return true;
    }
    let (start, name) = (symbol.declaration.start(), symbol.name_range.start());
    if start >= name {
        return false;
    }
    let before = document.text().lossy(locant_engine::Range::new(start, name));
    before.split(|c: char| !c.is_alphanumeric()).any(|word| PRIVATE.contains(&word))
}

/// The kinds with these names.
pub(crate) fn kinds(words: &[String]) -> Result<Vec<SymbolKind>, Failure> {
    words.iter().map(|word| SymbolKind::of_word(word).ok_or_else(|| no_kind(word))).collect()
}

fn no_kind(kind: &str) -> Failure {
    let kinds: Vec<&str> = SymbolKind::ALL.iter().map(|kind| kind.word()).collect();
    Failure::invalid(
        format!("there is no kind `{kind}` of symbols"),
        format!("use one of {}", kinds.join(", ")),
    )
}
