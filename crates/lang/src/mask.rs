//! Masks: replacements for those parts of a text that the grammar cannot read.
//!
//! A masked text has the same number of bytes and lines as the original, so all offsets stay valid.

mod annotations;
mod c_macros;
mod conflicts;
mod dialect;
mod masked_part;
mod scan;
mod virtual_newlines;

use std::borrow::Cow;

use locant_text::Edit;

use self::annotations::without_annotations;
use self::dialect::{has_dialect, with_dialect};
use crate::table::Words;

pub(crate) use self::c_macros::{after_body, attached, directive};
pub(crate) use self::conflicts::{conflicts, without_conflicts};
pub(crate) use self::scan::Masks;

/// A text as the grammar sees it, with all masks applied.
pub(crate) fn masked<'t>(text: &'t [u8], words: &Words) -> Cow<'t, [u8]> {
    masked_with(text, &masks_of(text, words), words)
}

/// The masks that can only be found by reading the text from its start, for [`masked_with`].
pub(crate) fn masks_of(text: &[u8], words: &Words) -> Masks {
    Masks::of(&without_conflicts(text), words)
}

/// A text as the grammar sees it, given the masks that [`masks_of`] found.
pub(crate) fn masked_with<'t>(text: &'t [u8], masks: &Masks, words: &Words) -> Cow<'t, [u8]> {
    let text = then(without_conflicts(text), |text| masks.apply(text));
    let text = then(text, |text| without_annotations(text, &words.unannotated));
    then(text, |text| with_dialect(text, words))
}

/// Applies one more mask. The text is copied only if the mask changes something.
fn then<'t>(text: Cow<'t, [u8]>, mask: impl Fn(&[u8]) -> Cow<'_, [u8]>) -> Cow<'t, [u8]> {
    match mask(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(masked) => Cow::Owned(masked),
    }
}

/// Replaces each carriage return that is not followed by a line feed by a line feed. Such a carriage return is a line
/// break too, but few grammars accept it.
pub(crate) fn with_line_feeds(text: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    let is_alone = |at: &usize| text.get(at + 1) != Some(&b'\n');
    match memchr::memchr_iter(b'\r', &text).find(is_alone) {
        None => text,
        Some(first) => {
            let mut with = text.into_owned();
            for at in first..with.len() {
                if with[at] == b'\r' && with.get(at + 1) != Some(&b'\n') {
                    with[at] = b'\n';
                }
            }
            Cow::Owned(with)
        }
    }
}

/// Whether the grammar sees a change outside the range of an edit. Each text is given with its masks.
pub(crate) fn changes_more(edit: &Edit, old: (&[u8], &Masks), new: (&[u8], &Masks), words: &Words) -> bool {
    // Whether a carriage return is replaced by a line feed depends on the byte after it.
    let before = edit.range.start().index().checked_sub(1);
    if before.is_some_and(|before| old.0[before] != new.0[before]) || new.1.change_more(old.1, edit) {
        return true;
    }
    // Whether lines far above are masked depends on the mark that closes the conflict.
    if [old.0, new.0].iter().any(|text| matches!(without_conflicts(text), Cow::Owned(_))) {
        return true;
    }
    if !has_dialect(words) && words.unannotated.is_empty() {
        return false;
    }
    let (old, new) = (masked_with(old.0, old.1, words), masked_with(new.0, new.1, words));
    if let (Cow::Borrowed(_), Cow::Borrowed(_)) = (&old, &new) {
        return false;
    }
    let (start, old_end) = (edit.range.start().index(), edit.range.end().index());
    old[..start] != new[..start] || old[old_end..] != new[start + edit.insert.len()..]
}
