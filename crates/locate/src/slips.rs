//! Finds where a text occurs with one slip: a letter too many, a letter missing, a wrong letter, or two letters
//! swapped.
//!
//! One half of the text has no slip, so a search for each half finds all such places. Only two swapped letters may be
//! in different halves. So the text is also split one letter later, where they are in the same half.

use locant_text::{Extent, Offset, Range, Text};
use memchr::memmem;

use crate::find::Pattern;
use crate::types::is_word;

/// The shortest text that is searched for, in bytes. Shorter texts are similar to too many others.
const SHORTEST: usize = 4;

/// How many occurrences of a half are tried. The limit is for texts that consist of nothing else.
const MOST_TRIED: usize = 10_000;

/// The places in `scope` where a find occurs with one slip. Those that cut no word come first.
pub(crate) fn places(text: &Text, scope: Range, find: &str) -> Vec<Offset> {
    let pattern = Pattern::new(find);
    let wanted = pattern.text().trim().as_bytes();
    if wanted.len() < SHORTEST {
        return Vec::new();
    }
    let here = text.slice(scope);
    let middle = wanted.len() / 2;
    let found = [middle, middle + 1].map(|cut| slipped(here, wanted.split_at(cut)));
    let mut found: Vec<(bool, usize)> = found
        .concat()
        .into_iter()
        .map(|(start, end)| (cuts_word(here, start) || cuts_word(here, end), start))
        .collect();
    found.sort_unstable();
    found.dedup_by_key(|(_, start)| *start);
    let is_boundary = |offset: &Offset| text.position(*offset, locant_text::Encoding::Utf8).is_some();
    let places = found.into_iter().map(|(_, start)| scope.start() + Extent::of_len(start));
    places.filter(is_boundary).collect()
}

/// The starts and ends of the places where a find, split into two halves, occurs with a slip in one half.
fn slipped(here: &[u8], (front, back): (&[u8], &[u8])) -> Vec<(usize, usize)> {
    let after = memmem::find_iter(here, front).take(MOST_TRIED).filter_map(|at| {
        let rest = &here[at + front.len()..];
        Some((at, at + front.len() + slipped_length(back, rest.iter().copied())?))
    });
    let mirrored: Vec<u8> = front.iter().rev().copied().collect();
    let before = memmem::find_iter(here, back).take(MOST_TRIED).filter_map(|at| {
        let length = slipped_length(&mirrored, here[..at].iter().rev().copied())?;
        Some((at - length, at + back.len()))
    });
    after.chain(before).collect()
}

/// How many bytes at the start of a text are the wanted bytes with at most one slip; `None` if there are more slips.
fn slipped_length(wanted: &[u8], text: impl Iterator<Item = u8>) -> Option<usize> {
    let own: Vec<u8> = text.take(wanted.len() + 1).collect();
    let n_same = wanted.iter().zip(&own).take_while(|(one, other)| one == other).count();
    let (wanted, own) = (&wanted[n_same..], &own[n_same..]);
    let is_swapped = || matches!((wanted, own), ([a, b, ..], [c, d, ..]) if a == d && b == c);
    let length = match (wanted, own) {
        ([], _) => 0,
        ([_, wanted @ ..], [_, own @ ..]) if own.starts_with(wanted) => 1 + wanted.len(),
        ([_, wanted @ ..], own) if own.starts_with(wanted) => wanted.len(),
        (wanted, [_, own @ ..]) if own.starts_with(wanted) => 1 + wanted.len(),
        ([_, _, wanted @ ..], [_, _, own @ ..]) if is_swapped() && own.starts_with(wanted) => {
            2 + wanted.len()
        }
        _ => return None,
    };
    Some(n_same + length)
}

fn cuts_word(text: &[u8], at: usize) -> bool {
    0 < at && at < text.len() && is_word(&text[at - 1]) && is_word(&text[at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, find: &str, expected: &[usize]) {
        let text = Text::new(text.to_owned()).expect("a short text");
        let places: Vec<usize> = places(&text, text.range(), find).into_iter().map(Offset::index).collect();
        assert_eq!(places, expected, "{find}");
    }

    #[test]
    fn one_slip_is_forgiven() {
        for find in ["retrn x", "returrn x", "requrn x", "retrun x", "qeturn x", "return q", "return xx"] {
            check("def f():\n    return x\n", find, &[13]);
        }
        check("def f():\n    return x\n", "retn x", &[]);
        check("xreturn y; return x", "retrun x", &[11]);
    }
}
