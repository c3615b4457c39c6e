//! The fast search: finds the rarest token, then compares the tokens on both sides of it.

use std::ops::Range;

use super::pattern::Pattern;
use super::rarest::Rarest;
use super::sink::Sink;
use crate::tokens;

/// The search gave up, because it did too much work for the number of bytes that it had passed.
pub(super) struct Slow {
    /// How many matches it had handed out before it gave up.
    pub(super) n_matches: usize,
}

/// How much work is allowed for each byte passed, and how much more in any case. The unit is one compared byte.
const WORK_PER_BYTE: usize = 1;
const FREE_WORK: usize = 1 << 12;

/// The work of restarting the search after a hit, in the same unit.
const WORK_PER_HIT: usize = 16;

/// How many bytes are searched between two checks for a request to stop.
const STRETCH: usize = 1 << 16;

/// Searches until the end of the region, or until the sink breaks off. Returns [`Slow`] if it gives up before.
pub(super) fn search(
    pattern: &Pattern,
    rarest: &Rarest,
    source: &[u8],
    region: Range<usize>,
    sink: &mut impl Sink,
) -> Option<Slow> {
    // A match must be inside the region. Only the check for cut words reads outside of it.
    let text = &source[..region.end];
    let needle = pattern.bytes(rarest.token);
    let step = period(needle);
    let (mut n_matches, mut work, mut from) = (0, 0, region.start);
    while let Some(found) = rarest.finder.find(&text[from..]) {
        let hit = from + found;
        // Not checked at each hit, since some texts have a hit at every other byte.
        if from / STRETCH != hit / STRETCH {
            locant_stop::check();
        }
        work += needle.len() + WORK_PER_HIT;
        let tokens = compare(pattern, rarest.token, text, region.start, hit, &mut work);
        if let Some(found) = tokens.and_then(|tokens| pattern.finish(source, &region, tokens, &mut work)) {
            n_matches += 1;
            if sink.take(found).is_break() {
                return None;
            }
        }
        from = hit + step;
        if work > FREE_WORK + WORK_PER_BYTE * (from - region.start) {
            return Some(Slow { n_matches });
        }
    }
    None
}

/// Compares the tokens on both sides of the one at `hit`. Returns the range of all tokens, if they match.
fn compare(
    pattern: &Pattern,
    token: usize,
    text: &[u8],
    floor: usize,
    hit: usize,
    work: &mut usize,
) -> Option<Range<usize>> {
    let end = compare_right(pattern, token, text, hit, work)?;
    let start = compare_left(pattern, token, text, floor, hit, work)?;
    Some(start..end)
}

fn compare_right(
    pattern: &Pattern,
    token: usize,
    text: &[u8],
    hit: usize,
    work: &mut usize,
) -> Option<usize> {
    let mut end = hit + pattern.tokens[token].at.len();
    for next in token + 1..pattern.tokens.len() {
        let at = tokens::blanks_after(text, end);
        let needs_blank = pattern.tokens[next].is_word && pattern.tokens[next - 1].is_word;
        *work += at - end + 1;
        if needs_blank && at == end || !text[at..].starts_with(pattern.bytes(next)) {
            return None;
        }
        end = at + pattern.tokens[next].at.len();
        *work += pattern.tokens[next].at.len();
    }
    Some(end)
}

pub(super) fn compare_left(
    pattern: &Pattern,
    token: usize,
    text: &[u8],
    floor: usize,
    hit: usize,
    work: &mut usize,
) -> Option<usize> {
    let text = &text[floor..];
    let mut start = hit - floor;
    for previous in (0..token).rev() {
        let at = tokens::blanks_before(text, start);
        let needs_blank = pattern.tokens[previous].is_word && pattern.tokens[previous + 1].is_word;
        *work += start - at + 1;
        if needs_blank && at == start || !text[..at].ends_with(pattern.bytes(previous)) {
            return None;
        }
        start = at - pattern.tokens[previous].at.len();
        *work += pattern.tokens[previous].at.len();
    }
    Some(floor + start)
}

/// The smallest distance at which two occurrences of a word can start. It is the length of the word minus its longest
/// end that is also its start: for `abcab`, 5 - 2 = 3.
pub(super) fn period(word: &[u8]) -> usize {
    word.len() - borders(word).last().copied().unwrap_or(0)
}

/// For each prefix of a sequence, the length of its longest border: a shorter part that is both its start and its end.
/// For `abcab` the result is 0, 0, 0, 1, 2.
pub(super) fn borders<T: PartialEq>(sequence: &[T]) -> Vec<usize> {
    let mut borders = vec![0; sequence.len()];
    let mut border = 0;
    for at in 1..sequence.len() {
        while border > 0 && sequence[at] != sequence[border] {
            border = borders[border - 1];
        }
        if sequence[at] == sequence[border] {
            border += 1;
        }
        borders[at] = border;
    }
    borders
}
