//! Parses a text into tree-sitter's tree.

use std::borrow::Cow;

use locant_parse::Characters;
use tree_sitter::{InputEdit, Point, Tree};

use crate::slips;

/// Broken texts shorter than this are parsed from scratch after each edit. How the parser recovers from an error
/// depends on what it reuses of the old tree, and answers must not depend on that. Longer texts would take too long to
/// parse from scratch after each keystroke.
const READ_ANEW: usize = 1 << 15;

const BYTE_ORDER_MARK: &[u8] = "\u{FEFF}".as_bytes();

/// Parses a text; `None` when the parser gives up.
pub(crate) fn parse(text: &[u8]) -> Option<Tree> {
    parse_after(text, None)
}

/// Parses a text that differs little from `old_text`, whose tree is `old`.
pub(crate) fn reparse(text: &[u8], old_text: &[u8], old: &Tree) -> Option<Tree> {
    // The parser is given the mended texts, and these may differ in other places than the texts themselves.
    if [old_text, text].into_iter().any(|text| slips::mended(text).is_some()) {
        return parse(text);
    }
    let mut edited = old.clone();
    edited.edit(&difference(old_text, text));
    let tree = parse_after(text, Some(&edited));
    match tree {
        Some(tree) if !tree.root_node().has_error() || text.len() >= READ_ANEW => Some(tree),
        _ => parse(text),
    }
}

fn parse_after(text: &[u8], old: Option<&Tree>) -> Option<Tree> {
    let mended = slips::mended(text);
    let text = mended.as_deref().unwrap_or(text);
    // The grammar has no byte-order mark. Three blanks in its place keep all offsets.
    let text = match text.strip_prefix(BYTE_ORDER_MARK) {
        Some(rest) => Cow::Owned([b"   ", rest].concat()),
        None => Cow::Borrowed(text),
    };
    locant_parse::parse(&crate::LANGUAGE.into(), &text, old, Characters::All)
}

/// The edit that turns one text into another. It replaces what is between their common start and their common end.
fn difference(old: &[u8], new: &[u8]) -> InputEdit {
    let start = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let ends = old[start..].iter().rev().zip(new[start..].iter().rev());
    let n_after = ends.take_while(|(old, new)| old == new).count();
    let (old_end, new_end) = (old.len() - n_after, new.len() - n_after);
    let start_position = after(Point::new(0, 0), &old[..start]);
    InputEdit {
        start_byte: start,
        old_end_byte: old_end,
        new_end_byte: new_end,
        start_position,
        old_end_position: after(start_position, &old[start..old_end]),
        new_end_position: after(start_position, &new[start..new_end]),
    }
}

/// The point at the end of a text that starts at `point`.
fn after(point: Point, text: &[u8]) -> Point {
    match text.iter().rposition(|&byte| byte == b'\n') {
        None => Point::new(point.row, point.column + text.len()),
        Some(last) => {
            let n_rows = text.iter().filter(|&&byte| byte == b'\n').count();
            Point::new(point.row + n_rows, text.len() - last - 1)
        }
    }
}
