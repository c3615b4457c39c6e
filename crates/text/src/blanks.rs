//! Ranges without the blanks around them.

use std::ops;

use crate::offset::Range;

/// A range of a text without the blanks and line breaks at its ends.
pub fn trimmed(text: &[u8], range: ops::Range<usize>) -> Range {
    let bytes = &text[range.clone()];
    let front = bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let back = bytes[front..].iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
    Range::of_indices(range.start + front..range.end - back)
}
