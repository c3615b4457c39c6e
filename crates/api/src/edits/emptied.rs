//! A block from which several edits of a plan take all symbols: as after the last of them alone, it gets what the
//! language wants in an empty block.

use std::collections::BTreeMap;

use locant_engine::{self as engine, Change, Document, Offset, Range, Rewrite, Stretch, SymbolId};

/// An edit that removes a whole symbol.
struct Removed {
    /// Its index among the edits.
    index: usize,
    id: SymbolId,
    range: Range,
}

/// Fills the blocks that are left empty. Beside each edit stands the symbol that it removes, if it removes one.
pub(super) fn fill(document: &Document, edits: &mut [(String, Rewrite, Option<SymbolId>)]) {
    let Some(outline) = document.outline() else { return };
    let mut blocks: BTreeMap<Option<SymbolId>, Vec<Removed>> = BTreeMap::new();
    for (index, (_, rewrite, removes)) in edits.iter().enumerate() {
        if let Some(id) = removes.filter(|_| rewrite.text.is_empty()) {
            let removed = Removed { index, id, range: rewrite.core };
            blocks.entry(outline.get(id).parent).or_default().push(removed);
        }
    }
    for mut removed in blocks.into_values().filter(|removed| removed.len() > 1) {
        removed.sort_by_key(|one| one.range.start());
        let Some(last) = removed.pop() else { continue };
        if let Some(filler) = filler(document, &removed, last.id) {
            let (range, text) = as_lines(document, last.range, &filler);
            edits[last.index].1 = Rewrite { range, core: range, text };
        }
    }
}

/// What takes the place of a symbol when others are gone already. `None` when nothing does.
fn filler(document: &Document, gone: &[Removed], last: SymbolId) -> Option<String> {
    let bytes = document.text().bytes();
    let (mut left, mut done) = (Vec::with_capacity(bytes.len()), 0);
    for one in gone {
        left.extend_from_slice(bytes.get(done..one.range.start().index())?);
        done = one.range.end().index();
    }
    left.extend_from_slice(&bytes[done..]);
    let name = document.outline()?.get(last).name_range.start();
    let n_gone: usize = gone.iter().map(|one| one.range.end().index() - one.range.start().index()).sum();
    let name = Offset::of_index(name.index().checked_sub(n_gone)?);
    let document = Document::new(document.path(), left).ok()?.in_language(document.reader()?);
    let (id, _) = document.outline()?.iter().find(|(_, symbol)| symbol.name_range.start() == name)?;
    let rewrite = engine::change(&document, Stretch::Symbol(id), &Change::Delete).ok()??;
    (!rewrite.text.is_empty()).then_some(rewrite.text)
}

/// A text in place of whole lines. The line break behind them stays or, at the end of a file, the one before them.
fn as_lines(document: &Document, lines: Range, text: &str) -> (Range, String) {
    let old = document.text().slice(lines);
    let is_break = |byte: &&u8| matches!(byte, b'\n' | b'\r');
    let n_after =
        old.iter().rev().take_while(is_break).count().min(if old.ends_with(b"\r\n") { 2 } else { 1 });
    let n_before = old.iter().take_while(is_break).count().min(if old.starts_with(b"\r\n") { 2 } else { 1 });
    let n_before = if n_after == 0 { n_before } else { 0 };
    let kept = lines.start().index() + n_before..lines.end().index() - n_after;
    (Range::of_indices(kept), text.to_owned())
}
