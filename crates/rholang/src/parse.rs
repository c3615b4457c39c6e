//! From a text to tree-sitter's tree.

use std::ops::ControlFlow;

use tree_sitter::{InputEdit, ParseOptions, ParseState, Parser, Point, Tree};

/// How often a text may be looked at by the parser before it gives up: hostile ones make it try all there is.
const MOST_STEPS: usize = 64;
const FREE_STEPS: usize = 1 << 16;

/// The parser tells of its progress once in about so many steps.
const STEPS_A_CALL: usize = 100;

/// What the parser makes of errors depends on what it takes over from the tree before. Broken texts that are shorter
/// than this are read from their start, so that the answer does not; for longer ones that takes longer than typing.
const READ_ANEW: usize = 1 << 15;

const BYTE_ORDER_MARK: &[u8] = "\u{FEFF}".as_bytes();

/// Reads a text; `None` when the parser gives up.
pub(crate) fn parse(text: &[u8]) -> Option<Tree> {
    parse_after(text, None)
}

/// Reads a text that differs little from one that was read before.
pub(crate) fn reparse(text: &[u8], old_text: &[u8], old: &Tree) -> Option<Tree> {
    let mut edited = old.clone();
    edited.edit(&difference(old_text, text));
    let tree = parse_after(text, Some(&edited));
    match tree {
        Some(tree) if !tree.root_node().has_error() || text.len() >= READ_ANEW => Some(tree),
        _ => parse(text),
    }
}

fn parse_after(text: &[u8], old: Option<&Tree>) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&crate::LANGUAGE.into()).expect("the grammar is made for this library");
    let mut left = FREE_STEPS + MOST_STEPS * text.len();
    let mut give_up = |_: &ParseState| match left {
        0 => ControlFlow::Break(()),
        _ => {
            left = left.saturating_sub(STEPS_A_CALL);
            ControlFlow::Continue(())
        }
    };
    let options = ParseOptions::new().progress_callback(&mut give_up);
    // Blanks in place of a byte-order mark move nothing, and the grammar knows them.
    let n_mark = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    let mut piece = |at: usize, _| if at < n_mark { &b"   "[at..] } else { &text[at.min(text.len())..] };
    parser.parse_with_options(&mut piece, old, Some(options))
}

/// What stands between the equal starts and the equal ends of two texts.
fn difference(old: &[u8], new: &[u8]) -> InputEdit {
    let start = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let ends = old[start..].iter().rev().zip(new[start..].iter().rev());
    let n_behind = ends.take_while(|(old, new)| old == new).count();
    let (old_end, new_end) = (old.len() - n_behind, new.len() - n_behind);
    let start_position = behind(Point::new(0, 0), &old[..start]);
    InputEdit {
        start_byte: start,
        old_end_byte: old_end,
        new_end_byte: new_end,
        start_position,
        old_end_position: behind(start_position, &old[start..old_end]),
        new_end_position: behind(start_position, &new[start..new_end]),
    }
}

/// The point behind some text that starts at a point.
fn behind(point: Point, text: &[u8]) -> Point {
    match text.iter().rposition(|&byte| byte == b'\n') {
        None => Point::new(point.row, point.column + text.len()),
        Some(last) => {
            let n_rows = text.iter().filter(|&&byte| byte == b'\n').count();
            Point::new(point.row + n_rows, text.len() - last - 1)
        }
    }
}
