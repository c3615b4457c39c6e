//! What the grammar sees of a text: the same number of bytes, some of which say in its words what it cannot read.

use std::borrow::Cow;

use locant_text::Edit;

use crate::annotations::without_annotations;
use crate::conflicts::without_conflicts;
use crate::macros::Macros;
use crate::stand_ins::{has_stand_ins, with_stand_ins};
use crate::table::Words;

/// A text as the grammar sees it.
pub(crate) fn seen<'t>(text: &'t [u8], words: &Words) -> Cow<'t, [u8]> {
    seen_with(text, &macros_of(text, words), words)
}

/// The macros of a text, as [`seen_with`] wants them.
pub(crate) fn macros_of(text: &[u8], words: &Words) -> Macros {
    Macros::of(&without_conflicts(text), words)
}

/// The same for a text whose macros are known.
pub(crate) fn seen_with<'t>(text: &'t [u8], macros: &Macros, words: &Words) -> Cow<'t, [u8]> {
    let text = then(without_conflicts(text), |text| macros.in_text(text));
    let text = then(text, |text| without_annotations(text, words.unannotated));
    then(text, |text| with_stand_ins(text, words))
}

/// A text, changed once more. What neither changes is not copied.
fn then<'t>(text: Cow<'t, [u8]>, show: impl Fn(&[u8]) -> Cow<'_, [u8]>) -> Cow<'t, [u8]> {
    match show(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(seen) => Cow::Owned(seen),
    }
}

/// A text with a line feed for each carriage return that stands alone: it breaks a line as well, but hardly a grammar
/// knows.
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

/// Does the grammar see a change outside of the range of an edit? The texts are given with their macros.
pub(crate) fn changes_more(edit: &Edit, old: (&[u8], &Macros), new: (&[u8], &Macros), words: &Words) -> bool {
    // What follows a carriage return decides whether it is shown as a line feed.
    let before = edit.range.start().index().checked_sub(1);
    if before.is_some_and(|before| old.0[before] != new.0[before]) || new.1.change_more(old.1, edit) {
        return true;
    }
    // One line decides over others far away.
    if [old.0, new.0].iter().any(|text| matches!(without_conflicts(text), Cow::Owned(_))) {
        return true;
    }
    if !has_stand_ins(words) && words.unannotated.is_empty() {
        return false;
    }
    let (old, new) = (seen_with(old.0, old.1, words), seen_with(new.0, new.1, words));
    if let (Cow::Borrowed(_), Cow::Borrowed(_)) = (&old, &new) {
        return false;
    }
    let (start, old_end) = (edit.range.start().index(), edit.range.end().index());
    old[..start] != new[..start] || old[old_end..] != new[start + edit.insert.len()..]
}
