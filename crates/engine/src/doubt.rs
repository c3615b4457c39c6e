//! Which symbols may be misread because they depend on a part of the text that has syntax errors.

use locant_text::{Offset, Range};
use locant_tree::{Node, Outline, SymbolId};

use crate::Document;

/// Why a symbol may be misread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misread {
    /// There are syntax errors in the symbol itself, or before it in the symbol that contains it.
    Damaged,
    /// The parser gave up on the file, so symbols were recognised line by line.
    ByLine,
}

/// Why a symbol of a document may be misread; `None` when nothing suggests that it is.
///
/// Damage is a part of the text with syntax errors. A symbol may be misread when damage touches it. It may also be
/// misread when it follows damage and is indented more deeply, since the damage may be the broken header of a
/// declaration that should contain it. Damage inside its neighbours, or after it, does not count.
pub fn misread(document: &Document, symbol: SymbolId) -> Option<Misread> {
    let outline = document.outline()?;
    if outline.is_by_line {
        return Some(Misread::ByLine);
    }
    let is_touched = outline.damage.iter().any(|damage| touch(*damage, outline.get(symbol).extent));
    let is_doubtful = is_touched || is_below_damage(document, outline, symbol);
    (outline.is_damaged && is_doubtful).then_some(Misread::Damaged)
}

/// Why `symbol`, which contains a place, may be misread. Without a symbol: why a symbol there may have been missed.
pub fn misread_at(document: &Document, symbol: Option<SymbolId>, offset: Offset) -> Option<Misread> {
    if let Some(symbol) = symbol {
        return misread(document, symbol);
    }
    let outline = document.outline()?;
    let is_touched = outline.damage.iter().any(|damage| damage.touches(offset));
    if outline.is_by_line { Some(Misread::ByLine) } else { is_touched.then_some(Misread::Damaged) }
}

/// The first syntax error of a document; `Some(None)` when it has none. `None` when its language is not read, or the
/// parser gives up on it.
pub fn syntax_error(document: &Document) -> Option<Option<Range>> {
    if let Some(file) = document.proto() {
        let first = file.problems.iter().filter(|problem| problem.flaw.is_of_syntax());
        return Some(first.map(|problem| problem.range).min_by_key(|range| range.start()));
    }
    let tree = document.tree()?;
    let vocabulary = tree.vocabulary();
    let is_error = |node: &Node| node.label.is_missing() || vocabulary.kind(node.label).name == "ERROR";
    Some(tree.nodes().into_iter().find(is_error).map(|node| node.range))
}

fn touch(one: Range, other: Range) -> bool {
    one.start() <= other.end() && other.start() <= one.end()
}

/// Whether the last damage before the symbol starts on a line with less indentation. Damage counts only if it is in the
/// same parent and not inside a neighbour of the symbol.
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

/// The number of blanks at the start of the line that a place is in.
fn indent(document: &Document, offset: Offset) -> usize {
    let text = document.text();
    let line = text.line_content(text.line_of(offset)).map_or(&[][..], |line| text.slice(line));
    line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}
