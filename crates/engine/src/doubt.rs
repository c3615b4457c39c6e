//! Which symbols may be misread, since they depend on a part of the text with syntax errors.

use locant_text::{Offset, Range};
use locant_tree::{Outline, SymbolId};

use crate::Document;

/// Why a symbol may be misread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misread {
    /// There are syntax errors in it, or before it in the symbol around it.
    Damaged,
    /// The parser gave up on the file, so that only single lines were read.
    ByLine,
}

/// Why a symbol of a document may be misread; `None` when there is no sign of it.
///
/// It may be misread when damage touches it, and when it follows damage and is indented more deeply: the damage may be
/// the rest of a declaration that should be around it. Damage in its neighbours, or after it, does not count.
pub fn misread(document: &Document, symbol: SymbolId) -> Option<Misread> {
    let outline = document.outline()?;
    if outline.is_by_line {
        return Some(Misread::ByLine);
    }
    let is_touched = outline.damage.iter().any(|damage| touch(*damage, outline.get(symbol).extent));
    let is_doubtful = is_touched || is_below_damage(document, outline, symbol);
    (outline.is_damaged && is_doubtful).then_some(Misread::Damaged)
}

/// Why the symbol around a place may be misread; without a symbol, why one may have been missed.
pub fn misread_at(document: &Document, symbol: Option<SymbolId>, offset: Offset) -> Option<Misread> {
    if let Some(symbol) = symbol {
        return misread(document, symbol);
    }
    let outline = document.outline()?;
    let is_touched = outline.damage.iter().any(|damage| damage.touches(offset));
    if outline.is_by_line { Some(Misread::ByLine) } else { is_touched.then_some(Misread::Damaged) }
}

fn touch(one: Range, other: Range) -> bool {
    one.start() <= other.end() && other.start() <= one.end()
}

/// Whether the last damage before the symbol starts on a line that is indented less. Only damage in the same parent
/// counts, outside of the symbol's neighbours.
fn is_below_damage(document: &Document, outline: &Outline, id: SymbolId) -> bool {
    let symbol = outline.get(id);
    let start = symbol.declaration.start();
    let holder = symbol.parent.map(|parent| outline.get(parent).extent);
    let holder = holder.filter(|holder| holder.touches(start)).unwrap_or(document.text().range());
    let above = &outline.damage[..outline.damage.partition_point(|damage| damage.start() < start)];
    let inside: Vec<&Range> =
        above.iter().rev().take_while(|damage| holder.start() <= damage.start()).collect();
    if inside.is_empty() {
        return false;
    }
    let mut neighbours: Vec<Range> =
        outline.children(symbol.parent).map(|id| outline.get(id).extent).collect();
    neighbours.sort_by_key(|extent| extent.start());
    let is_elsewhere = |damage: &Range| {
        let n_before = neighbours.partition_point(|extent| extent.start() <= damage.start());
        n_before > 0 && neighbours[n_before - 1].covers(*damage)
    };
    let last = inside.into_iter().find(|damage| !is_elsewhere(damage));
    last.is_some_and(|damage| indent(document, damage.start()) < indent(document, start))
}

/// How many blanks the line of a place starts with.
fn indent(document: &Document, offset: Offset) -> usize {
    let text = document.text();
    let line = text.line_content(text.line_of(offset)).map_or(&[][..], |line| text.slice(line));
    line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}
