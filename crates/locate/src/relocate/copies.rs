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
pub(crate) fn is_doubled(present: &Present<'_>, sought: &Sought<'_>, nearby: &Nearby, line: usize) -> bool {
    let (Some(digest), Some(twins)) = (sought.digest, sought.twins) else { return false };
    if present.lines.digest(line) != digest || present.count(digest) <= twins.count {
        return false;
    }
    let digests = present.lines.digests();
    // Lines are compared as often as there are some, so that time stays linear where all are alike.
    let mut n_left = MOST_LOOKS * digests.len();
    let twins = (0..digests.len()).filter(|&twin| twin != line && digests[twin] == digest);
    let mut distances: Vec<usize> = twins.map(|twin| twin.abs_diff(line)).collect();
    distances.sort_unstable();
    distances.dedup();
    distances.into_iter().any(|distance| {
        let now = run(digests, line, distance, n_left);
        n_left = n_left.saturating_sub(now);
        now >= distance && now > run(&nearby.lines, nearby.at, distance, usize::MAX)
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
