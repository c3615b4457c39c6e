//! Symbols that may be an old one under a longer name: `save_all` beside a new `save`.
//!
//! A location alone knows nothing of the lines around its place. Where it leads to a place in the symbol that it names,
//! that is the answer; but not where the very line stands as well in a symbol whose name has the old one in it. Such a
//! one is made of the other mostly, and which of both is the older one, nobody can know.

use std::iter::successors;

use locant_text::{Offset, Range};
use locant_tree::{Outline, Symbol, SymbolId};

use super::lines::Digest;
use crate::resolve::Document;

/// Does the line of a place stand in another symbol that may be the one which held the place, under another name?
pub(crate) fn is_heir(document: &dyn Document, own: (SymbolId, Offset), other: (SymbolId, Offset)) -> bool {
    let Some(outline) = document.outline() else { return false };
    let Some(symbols) = counterparts(outline, own.0, other.0) else { return false };
    let (own_symbol, other_symbol) = (outline.get(symbols.0), outline.get(symbols.1));
    own_symbol.kind == other_symbol.kind
        && letters(&other_symbol.name).contains(&letters(&own_symbol.name))
        && is_after_name(document, own_symbol, own.1)
        && line(document, own.1) == line(document, other.1)
}

/// The symbols around two others, or these themselves, that alone have different names in their paths.
pub(crate) fn counterparts(
    outline: &Outline,
    own: SymbolId,
    other: SymbolId,
) -> Option<(SymbolId, SymbolId)> {
    let (own_path, other_path) = (outline.path(own), outline.path(other));
    let names = || own_path.iter().zip(&other_path);
    let at = names().position(|(own, other)| own != other)?;
    let n_different = names().filter(|(own, other)| own != other).count();
    // A name may belong to no symbol of its own, as `A` in `void A::f()`.
    let around = |id: SymbolId| {
        let mut around = successors(Some(id), |&id| outline.get(id).parent);
        around.find(|&id| outline.path(id).len() == at + 1)
    };
    let is_one = own_path.len() == other_path.len() && n_different == 1;
    around(own).zip(around(other)).filter(|_| is_one)
}

/// The letters of a name, without what is written between its words.
fn letters(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Is a place in a line after that of the name? Headers are alike.
fn is_after_name(document: &dyn Document, symbol: &Symbol, place: Offset) -> bool {
    let text = document.text();
    text.line_of(place) > text.line_of(symbol.name_range.start())
}

fn line(document: &dyn Document, place: Offset) -> Option<Digest> {
    let text = document.text();
    let content: Range = text.line_content(text.line_of(place))?;
    Some(Digest::of_line(text.slice(content)))
}
