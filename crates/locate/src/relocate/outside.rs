//! Places that stand before all that has changed between two texts, or after it.

use locant_text::{Offset, Text};
use memchr::memmem;

use super::words::run;
use crate::anchor::LINE;
use crate::tokens;

/// Where a place is that no change touched.
pub(super) enum Outside {
    /// Here.
    At(Offset),
    /// At one of both: what was put in is a copy of what it stands beside, so it was put in above it or below.
    Doubled([Offset; 2]),
}

/// Where a place is that stands before all that has changed, or behind it.
pub(super) fn outside_of_change(old: &Text, new: &Text, place: Offset) -> Option<Outside> {
    let (before, now) = (old.bytes(), new.bytes());
    if !old.is_boundary(place) {
        return None;
    }
    let word = tokens::pivot(before, old.start().index(), place.index())?;
    let (from, to) = (word.start.min(place.index()), word.end.max(place.index()));
    let n_front = run(before.iter(), now.iter());
    let n_back = run(before.iter().rev(), now.iter().rev());
    let behind = (now.len() + place.index()).checked_sub(before.len());
    // Its line must be the same: an equal token of another line is another one. Long lines are the same nearby.
    let start = before[..from].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let end = before[to..].iter().position(|byte| *byte == b'\n').map_or(before.len(), |at| to + at);
    let starts =
        |start: usize| start == new.start().index() || start > 0 && now.get(start - 1) == Some(&b'\n');
    let ends = |end: usize| end == now.len() || now.get(end) == Some(&b'\n');
    let back = before.len() - n_back;
    let is_in_front = to + LINE <= n_front || end <= n_front && ends(end);
    let is_behind =
        back + LINE <= from || back <= start && starts((now.len() + start).checked_sub(before.len())?);
    // Where a copy of it was put in, it may be the one or the other; also where one was taken out that had the same
    // line beside it.
    let put_in = now.get(n_front..now.len() - n_back).unwrap_or_default();
    let taken_out = before.get(n_front..back).unwrap_or_default();
    let is_in = |changed: &[u8], stretch: &[u8]| memmem::find(changed, stretch).is_some();
    let is_front_twice = || {
        let above = before[..start].trim_ascii_end().iter().rposition(|byte| *byte == b'\n');
        to + n_back > now.len()
            || is_in(put_in, &before[start.min(n_front)..n_front])
            || is_in(taken_out, &before[above.map_or(0, |end| end + 1).min(n_front)..n_front])
    };
    let is_back_twice = |behind: usize| {
        let n_blank = before[end..].len() - before[end..].trim_ascii_start().len();
        let below = before[end + n_blank..].iter().position(|byte| *byte == b'\n');
        let below = below.map_or(before.len(), |at| end + n_blank + at);
        behind < n_front
            || is_in(put_in, &before[back..end.max(back)])
            || is_in(taken_out, &before[back..below.max(back)])
    };
    let at = |index: usize| Some(Offset::of_index(index)).filter(|&offset| new.is_boundary(offset));
    match (is_in_front, is_behind) {
        (true, true) => Some(Outside::Doubled([at(place.index())?, at(behind?)?])),
        (true, false) if !is_front_twice() => at(place.index()).map(Outside::At),
        (false, true) if !is_back_twice(behind?) => at(behind?).map(Outside::At),
        _ => None,
    }
}
