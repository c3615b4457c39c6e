//! Loops over a range: `for (const auto &piece : pieces) {`.

use super::reading::LONGEST;
use crate::bytes::token;
use crate::mask::masked_part::{As, MaskedPart};

/// Masks the loop, so that the grammar sees `if (pieces) {`.
pub(super) fn range_loop(text: &[u8], name: usize) -> Option<Vec<MaskedPart>> {
    let text = &text[..text.len().min(LONGEST)];
    let open =
        name + text[name..].iter().position(|byte| *byte != b' ').filter(|&at| text[name + at] == b'(')?;
    let mut depth = 0_usize;
    let mut at = open + 1;
    while at < text.len() {
        match text[at] {
            b'(' | b'[' | b'<' => depth += 1,
            b')' | b']' | b'>' => depth = depth.checked_sub(1)?,
            b';' | b'?' | b'{' | b'}' | b'=' => return None,
            b':' if text.get(at + 1) == Some(&b':') => at += 1,
            b':' if depth == 0 => {
                return Some(vec![
                    MaskedPart(0..name, As::Word("if")),
                    MaskedPart(open + 1..at + 1, As::Blank),
                ]);
            }
            _ => {}
        }
        at += token(&text[at..]);
    }
    None
}
