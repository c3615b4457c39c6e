//! Detects stretches of lines that were copied directly above or below themselves.
//!
//! Pasting a copy above a stretch gives the same text as pasting it below. So it is unknown which of the two is the old
//! stretch. If the lines `a b c` have become `a b a b c`, the old `b` may be either of the two.

use super::known_lines::Nearby;
use super::new_text::NewText;
use super::target::Target;
use crate::lines::Digest;

/// How often each line may be compared for one candidate, on average.
const MOST_LOOKS: usize = 4;

/// Whether a line is one of two that cannot be distinguished, because the stretch around it was copied.
///
/// `equal` has all lines that are equal to the old line, ascending.
pub(crate) fn is_doubled(
    new_text: &NewText<'_>,
    target: &Target<'_>,
    nearby: &Nearby,
    equal: &[usize],
    line: usize,
) -> bool {
    let (Some(digest), Some(twins)) = (target.digest, target.twins) else { return false };
    if new_text.lines.digest(line) != digest || equal.len() <= twins.count as usize {
        return false;
    }
    let digests = new_text.lines.digests();
    // The number of comparisons is limited, so that the time stays linear in the number of lines even if all lines are
    // equal.
    let mut n_left = MOST_LOOKS * digests.len();
    distances(equal, line).any(|distance| {
        let now = run(digests, line, distance, n_left);
        n_left = n_left.saturating_sub(now);
        now >= distance && now > run(&nearby.lines, nearby.at, distance, usize::MAX)
    })
}

/// The distances of `line` from the other lines in `lines`, the smallest first, each distance once.
fn distances(lines: &[usize], line: usize) -> impl Iterator<Item = usize> {
    let (before, from) = lines.split_at(lines.partition_point(|&other| other < line));
    let mut before = before.iter().rev().map(move |other| line - other).peekable();
    let mut after =
        from.iter().skip_while(move |&&other| other == line).map(move |other| other - line).peekable();
    std::iter::from_fn(move || {
        let next = before.peek().into_iter().chain(after.peek()).copied().min()?;
        before.next_if_eq(&next);
        after.next_if_eq(&next);
        Some(next)
    })
}

/// How many lines in a row around `line` are equal to the lines at the given distance after them, or to the lines at
/// this distance before them: the longer of the two runs. At most `most` lines are compared in each direction.
fn run(lines: &[Digest], line: usize, distance: usize, most: usize) -> usize {
    let is_equal = |&at: &usize| lines.get(at).is_some_and(|one| lines.get(at + distance) == Some(one));
    let from = |start: usize| {
        let after = (start..lines.len()).take(most).take_while(is_equal).count();
        let before = (0..start).rev().take(most).take_while(is_equal).count();
        if after == 0 { 0 } else { after + before }
    };
    // The line may be in the first of the two equal stretches, or in the second.
    from(line).max(line.checked_sub(distance).map_or(0, from))
}
