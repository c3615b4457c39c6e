//! Macros that open a block and name it with a string: `TEST_CASE("grows") {`.

use super::reading::{LONGEST, call};
use crate::bytes::token;
use crate::mask::masked_part::{As, MaskedPart};

/// Masks the macro and its other arguments, so that the grammar sees `if ("grows") {`.
pub(super) fn titled(text: &[u8], name: usize) -> Option<Vec<MaskedPart>> {
    let text = &text[..text.len().min(LONGEST)];
    let open =
        name + text[name..].iter().position(|byte| *byte != b' ').filter(|&at| text[name + at] == b'(')?;
    let close = call(&text[open..], 0)? + open - 1;
    // A fixture may come before the title: `TEST_CASE_METHOD(Fixture, "grows") {`.
    let title = open + memchr::memchr(b'"', &text[open..close])?;
    let end = title + token(&text[title..]);
    let is_alone = !text[title - 1].is_ascii_alphanumeric()
        && (end == close || text[end..close].trim_ascii_start().starts_with(b","));
    let opens = text[close + 1..].trim_ascii_start().starts_with(b"{");
    (is_alone && opens).then(|| {
        vec![
            MaskedPart(0..open, As::Word("if")),
            MaskedPart(open + 1..title, As::Blank),
            MaskedPart(end..close, As::Blank),
        ]
    })
}
