//! Stretches that stand twice, one right behind the other, and did not before.
//!
//! A stretch that is pasted below itself gives the same text as one that is pasted above: nobody can know which of both
//! was there. So with `a b c` now `a b a b c`, the old `b` is one of two.

use super::company::Nearby;
use super::evidence::Present;
use super::lines::Digest;
use super::sought::Sought;

/// How often each line may be compared with another one, for each candidate.
const MOST_LOOKS: usize = 4;

/// Is a line one of two that nobody can tell apart, because the stretch around it was doubled?
///
/// `equal` are all lines that are the one that is looked for, in their order.
pub(crate) fn is_doubled(
    present: &Present<'_>,
    sought: &Sought<'_>,
    nearby: &Nearby,
    equal: &[usize],
    line: usize,
) -> bool {
    let (Some(digest), Some(twins)) = (sought.digest, sought.twins) else { return false };
    if present.lines.digest(line) != digest || equal.len() <= twins.count as usize {
        return false;
    }
    let digests = present.lines.digests();
    // Lines are compared as often as there are some, so that time stays linear where all are alike.
    let mut n_left = MOST_LOOKS * digests.len();
    distances(equal, line).any(|distance| {
        let now = run(digests, line, distance, n_left);
        n_left = n_left.saturating_sub(now);
        now >= distance && now > run(&nearby.lines, nearby.at, distance, usize::MAX)
    })
}

/// How far the others of some lines stand from one of them, the nearest first, each distance once.
fn distances(lines: &[usize], line: usize) -> impl Iterator<Item = usize> {
    let (before, from) = lines.split_at(lines.partition_point(|&other| other < line));
    let mut before = before.iter().rev().map(move |other| line - other).peekable();
    let mut behind =
        from.iter().skip_while(move |&&other| other == line).map(move |other| other - line).peekable();
    std::iter::from_fn(move || {
        let next = before.peek().into_iter().chain(behind.peek()).copied().min()?;
        before.next_if_eq(&next);
        behind.next_if_eq(&next);
        Some(next)
    })
}

/// How many lines in a row, the one at `line` among them, are equal to the one that stands so far behind or before
/// them. At most `most` are looked at.
fn run(lines: &[Digest], line: usize, distance: usize, most: usize) -> usize {
    let is_equal = |&at: &usize| lines.get(at).is_some_and(|one| lines.get(at + distance) == Some(one));
    let from = |start: usize| {
        let behind = (start..lines.len()).take(most).take_while(is_equal).count();
        let before = (0..start).rev().take(most).take_while(is_equal).count();
        if behind == 0 { 0 } else { behind + before }
    };
    // The line is in the first of both stretches, or in the second.
    from(line).max(line.checked_sub(distance).map_or(0, from))
}
