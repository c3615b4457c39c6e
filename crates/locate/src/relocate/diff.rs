//! A diff: matches the lines of an old text with the lines of a new text.
//!
//! Lines that occur once in both texts and keep their order are matched. This is repeated for the stretches of lines
//! between them. Where no line occurs once, the longest common subsequence decides. Stretches that are too large for
//! this last step are not compared, so the time is linear in the texts, apart from sorting.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

/// How many cells the table for the longest common subsequence may have.
const MOST_CELLS: usize = 1 << 18;

/// For each old line, the index of the new line that is the same, if it still exists. The lines of both texts are given
/// as hashes.
pub(crate) fn same_lines(old: &[u64], new: &[u64]) -> Vec<Option<usize>> {
    let mut same = vec![None; old.len()];
    let mut open = vec![(0..old.len(), 0..new.len())];
    while let Some((mut left, mut right)) = open.pop() {
        while !left.is_empty() && !right.is_empty() && old[left.start] == new[right.start] {
            same[left.start] = Some(right.start);
            (left.start, right.start) = (left.start + 1, right.start + 1);
        }
        while !left.is_empty() && !right.is_empty() && old[left.end - 1] == new[right.end - 1] {
            same[left.end - 1] = Some(right.end - 1);
            (left.end, right.end) = (left.end - 1, right.end - 1);
        }
        if left.is_empty() || right.is_empty() {
            continue;
        }
        locant_stop::check();
        let pairs = in_order(&once_in_both(old, new, &left, &right));
        if pairs.is_empty() {
            longest_common(&mut same, old, new, &left, &right);
            continue;
        }
        let (mut from_old, mut from_new) = (left.start, right.start);
        for (old_line, new_line) in pairs {
            same[old_line] = Some(new_line);
            open.push((from_old..old_line, from_new..new_line));
            (from_old, from_new) = (old_line + 1, new_line + 1);
        }
        open.push((from_old..left.end, from_new..right.end));
    }
    same
}

/// The lines that occur exactly once in each of both stretches, as pairs of an old and a new line. They are sorted by
/// old line.
fn once_in_both(old: &[u64], new: &[u64], left: &Range<usize>, right: &Range<usize>) -> Vec<(usize, usize)> {
    #[derive(Default)]
    struct Seen {
        old: Option<usize>,
        new: Option<usize>,
        is_repeated: bool,
    }
    let mut seen: HashMap<u64, Seen, BuildHasherDefault<Hashed>> = HashMap::default();
    seen.reserve(left.len());
    for line in left.clone() {
        let entry = seen.entry(old[line]).or_default();
        entry.is_repeated |= entry.old.replace(line).is_some();
    }
    for line in right.clone() {
        if let Some(entry) = seen.get_mut(&new[line]) {
            entry.is_repeated |= entry.new.replace(line).is_some();
        }
    }
    let once = seen.into_values().filter(|entry| !entry.is_repeated);
    let mut pairs: Vec<(usize, usize)> = once.filter_map(|entry| Some((entry.old?, entry.new?))).collect();
    pairs.sort_unstable();
    pairs
}

/// A hasher for keys that are hashes already.
#[derive(Default)]
struct Hashed(u64);

impl Hasher for Hashed {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, hash: u64) {
        // The hash table uses upper and lower bits. A text can be constructed so that the lower bits of its lines are
        // equal, so all bits are mixed.
        self.0 = (self.0 ^ hash).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(26);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// The longest subsequence of the pairs in which the first parts and the second parts increase. The first parts are
/// already increasing in `pairs`.
fn in_order(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // Of all increasing subsequences of `n + 1` pairs, `ends[n]` is the last pair of the one that ends with the
    // smallest second part.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (at, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|&end| pairs[end].1 < pair.1);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut rising = Vec::with_capacity(ends.len());
    let mut next = ends.last().copied();
    while let Some(at) = next {
        rising.push(pairs[at]);
        next = before[at];
    }
    rising.reverse();
    rising
}

fn longest_common(
    same: &mut [Option<usize>],
    old: &[u64],
    new: &[u64],
    left: &Range<usize>,
    right: &Range<usize>,
) {
    let (n_left, n_right) = (left.len(), right.len());
    if n_left.saturating_mul(n_right) > MOST_CELLS {
        return;
    }
    // The cell in row `i` and column `j` is the length of the longest common subsequence of the old lines from `i` on
    // and the new lines from `j` on.
    let width = n_right + 1;
    let mut longest = vec![0u32; (n_left + 1) * width];
    for i in (0..n_left).rev() {
        for j in (0..n_right).rev() {
            longest[i * width + j] = if old[left.start + i] == new[right.start + j] {
                longest[(i + 1) * width + j + 1] + 1
            } else {
                longest[(i + 1) * width + j].max(longest[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < n_left && j < n_right {
        if old[left.start + i] == new[right.start + j] {
            same[left.start + i] = Some(right.start + j);
            (i, j) = (i + 1, j + 1);
        } else if longest[(i + 1) * width + j] >= longest[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(old: &str, new: &str, expected: &str) {
        let lines = |text: &str| -> Vec<u64> { text.bytes().map(u64::from).collect() };
        let shown: Vec<String> = same_lines(&lines(old), &lines(new))
            .iter()
            .map(|line| line.map_or("-".to_owned(), |line| line.to_string()))
            .collect();
        assert_eq!(shown.join(" "), expected, "{old} to {new}");
    }

    #[test]
    fn lines_that_stay_are_followed() {
        check("abc", "abc", "0 1 2");
        check("abc", "xabyc", "1 2 4");
        check("a}b}", "a}x}b}", "0 1 4 5");
        check("abc", "", "- - -");
        check("aaa", "aa", "0 1 -");
    }

    proptest! {
        #[test]
        fn what_is_the_same_is_equal_and_in_order(
            old in prop::collection::vec(0u64..6, 0..60),
            new in prop::collection::vec(0u64..6, 0..60),
        ) {
            let same = same_lines(&old, &new);
            let mut last = None;
            for (line, &found) in same.iter().enumerate() {
                let Some(found) = found else { continue };
                prop_assert_eq!(old[line], new[found]);
                prop_assert!(last < Some(found));
                last = Some(found);
            }
        }
    }
}
