//! Blocks that a macro gives a text for a name: `TEST_CASE("grows") {`.

use super::{As, LONGEST, Shown, call};
use crate::breaks::token;

/// Shows such a macro as `if ("grows") {`, whatever else it has in brackets.
pub(super) fn titled(text: &[u8], name: usize) -> Option<Vec<Shown>> {
    let text = &text[..text.len().min(LONGEST)];
    let open =
        name + text[name..].iter().position(|byte| *byte != b' ').filter(|&at| text[name + at] == b'(')?;
    let close = call(&text[open..], 0)? + open - 1;
    // A fixture may stand in front: `TEST_CASE_METHOD(Fixture, "grows") {`.
    let title = open + memchr::memchr(b'"', &text[open..close])?;
    let end = title + token(&text[title..]);
    let is_alone = !text[title - 1].is_ascii_alphanumeric()
        && (end == close || text[end..close].trim_ascii_start().starts_with(b","));
    let opens = text[close + 1..].trim_ascii_start().starts_with(b"{");
    (is_alone && opens).then(|| {
        vec![Shown(0..open, As::Word("if")), Shown(open + 1..title, As::Blank), Shown(end..close, As::Blank)]
    })
}
