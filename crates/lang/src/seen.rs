//! What the grammar sees of a text: the same number of bytes, some of which say in its words what it cannot read.

use std::borrow::Cow;

use locant_text::Edit;

use crate::breaks::with_breaks;
use crate::macros::with_comments;
use crate::table::Words;

/// A text as the grammar sees it.
pub(crate) fn seen<'t>(text: &'t [u8], words: &Words) -> Cow<'t, [u8]> {
    match with_comments(text, words) {
        Cow::Borrowed(text) => with_breaks(text, words.breaks),
        Cow::Owned(text) => Cow::Owned(with_breaks(&text, words.breaks).into_owned()),
    }
}

/// Does the grammar see a change outside of the range of an edit?
pub(crate) fn changes_more(edit: &Edit, old: &[u8], new: &[u8], words: &Words) -> bool {
    let (old, new) = (seen(old, words), seen(new, words));
    if let (Cow::Borrowed(_), Cow::Borrowed(_)) = (&old, &new) {
        return false;
    }
    let (start, old_end) = (edit.range.start().index(), edit.range.end().index());
    old[..start] != new[..start] || old[old_end..] != new[start + edit.insert.len()..]
}
