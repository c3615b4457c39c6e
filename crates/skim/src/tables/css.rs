//! CSS.

use crate::finish::Words;
use crate::styled::Styled;

pub(crate) static CSS: Styled = Styled {
    named: "keyframes",
    declared: "--",
    no_selectors: &[": ", ":\n", ":\r"],
    words: Words { inner_comments: &[], terminator: None, silent: &[] },
};
