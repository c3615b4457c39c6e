//! Finds where a place is now by a diff of the old and the new text.
//!
//! A place in unchanged text needs no comparison of candidates. A line is certainly the same if it is part of an
//! unchanged stretch that contains a unique line: one that occurs exactly once in each of both texts. If only blanks
//! and line breaks have changed, the n-th word of the old text is the n-th word of the new text.

use std::ops::Range as Indices;

use locant_text::{Offset, Text};

use super::diff;
use super::new_text::NewText;
use super::similarity::{run, start_of_token};
use super::target::Mapped;
use super::thresholds::Thresholds;
use crate::answer::Document;
use crate::lines::{Fnv, Lines};
use crate::stopping::check_at;
use crate::tokens;

/// How many lines of a stretch are tested for being unique. Each test reads both texts.
const MOST_ASKED: usize = 32;

/// The result of following a place through a diff.
pub(super) struct Followed {
    pub(super) mapped: Mapped,
    /// The word at the place in the new text, if the diff alone makes it certain.
    pub(super) sure: Option<Offset>,
}

/// Follows a place of the old text through the diff, by the word nearest to the place. `None` if the old text has only
/// blanks.
pub(super) fn follow(document: &dyn Document, new_text: &NewText<'_>, place: Offset) -> Option<Followed> {
    let old = document.text();
    let (new, now, thresholds) = (new_text.text(), &new_text.lines, &new_text.thresholds);
    let word = tokens::pivot(old.bytes(), old.start().index(), place.index())?;
    let then = document.lines();
    let line = then.of_offset(Offset::of_index(word.start))?;
    let same = diff::same_lines(then.hashes(), now.hashes());
    let above = (0..line).rev().find(|&line| same[line].is_some());
    let below = (line + 1..then.len()).find(|&line| same[line].is_some());
    let from = above.and_then(|above| same[above]).map_or(0, |above| above + 1);
    let to = below.and_then(|below| same[below]).unwrap_or(now.len());
    let both =
        LineMap { text: old, lines: &then, then: then.hashes(), now: now.hashes(), same: &same, thresholds };
    let mut mapped = Mapped { line: same[line], from, to, ..Mapped::default() };
    if let Some(at) = mapped.line {
        let content = then.range(line);
        let n_before = tokens_in(old.bytes(), content.start().index()..word.start, false).count();
        let line_now = now.range(at);
        let start = line_now.start().index() + start_of_token(new.slice(line_now), n_before);
        let sure = both.is_unchanged(line, at).then(|| Offset::of_index(start));
        return Some(Followed { mapped, sure });
    }
    let hunk_then = stretch(&then, above.map_or(0, |above| above + 1)..below.unwrap_or(then.len()));
    let hunk_now = stretch(now, from..to);
    let is_word = tokens::is_word_at(old.bytes(), word.start);
    let old_tokens = listed(old.bytes(), hunk_then, is_word);
    let new_tokens = listed(new.bytes(), hunk_now, is_word);
    let at = old_tokens.iter().position(|(start, _)| *start == word.start)?;
    let [old_hashes, new_hashes] =
        [&old_tokens, &new_tokens].map(|tokens| tokens.iter().map(|(_, hash)| *hash).collect::<Vec<u64>>());
    let same_tokens = diff::same_lines(&old_hashes, &new_hashes);
    mapped.word = same_tokens[at].map(|at| Offset::of_index(new_tokens[at].0));
    let n_kept = same_tokens.iter().filter(|same| same.is_some()).count();
    mapped.kept = n_kept as f64 / old_tokens.len().max(1) as f64;
    let is_near_unique = || {
        let is_beside = |line: Option<usize>| {
            line.is_some_and(|line| same[line].is_some_and(|at| both.has_unique(line, at)))
        };
        is_beside(above) || is_beside(below)
    };
    let is_sure =
        old_hashes == new_hashes && (old_tokens.len() as f64 >= thresholds.enough_words || is_near_unique());
    Some(Followed { mapped, sure: mapped.word.filter(|_| is_sure) })
}

/// The hashes of the lines of both texts, and for each old line the new line that is the same, if any.
struct LineMap<'b> {
    text: &'b Text,
    lines: &'b Lines,
    then: &'b [u64],
    now: &'b [u64],
    same: &'b [Option<usize>],
    thresholds: &'b Thresholds,
}

impl LineMap<'_> {
    /// Whether a line is certainly unchanged. Its unchanged stretch must be the whole old text or contain a unique
    /// line. And it must be clear which lines were inserted or deleted beside the stretch.
    fn is_unchanged(&self, then: usize, now: usize) -> bool {
        !self.slides(then, now) && (self.is_all(then, now) || self.has_unique(then, now))
    }

    /// Whether the unchanged stretch around a line is the whole old text.
    fn is_all(&self, then: usize, now: usize) -> bool {
        let (above, below) = self.stretch(then, now);
        above == then && then + below + 1 == self.then.len()
    }

    /// The unchanged stretch around a line: how many lines directly above it and directly below it are unchanged too.
    fn stretch(&self, then: usize, now: usize) -> (usize, usize) {
        let stays = |one: Option<usize>, other: Option<usize>| {
            one.zip(other).is_some_and(|(one, other)| self.same.get(one) == Some(&Some(other)))
        };
        let above = (1..).take_while(|n| stays(then.checked_sub(*n), now.checked_sub(*n))).count();
        let below = (1..).take_while(|n| stays(Some(then + n), Some(now + n))).count();
        (above, below)
    }

    fn has_unique(&self, then: usize, now: usize) -> bool {
        let (above, below) = self.stretch(then, now);
        let once = |lines: &[u64], hash: u64| lines.iter().filter(|other| **other == hash).count() == 1;
        let up = (then - above..then).rev().take(MOST_ASKED / 2);
        let mut near = (then..=then + below).take(MOST_ASKED / 2).chain(up);
        let is_unique = |line| once(self.then, self.then[line]) && once(self.now, self.then[line]);
        near.any(|line| {
            locant_stop::check();
            self.is_telling(line) && is_unique(line)
        })
    }

    /// Whether a line has so many letters that it hardly ever occurs twice by chance. Lines such as `}` and `else` do
    /// occur twice.
    fn is_telling(&self, line: usize) -> bool {
        let range = self.lines.range(line).indices();
        let words = tokens_in(self.text.bytes(), range, true).take(MOST_ASKED);
        words.map(|word| word.len()).sum::<usize>() as f64 >= self.thresholds.telling
    }

    /// Whether the diff could also match the line with another equal line. If `a b` becomes `a b a b`, it is unclear
    /// which `a b` was inserted.
    fn slides(&self, then: usize, now: usize) -> bool {
        let (above, below) = self.stretch(then, now);
        let next = then + below + 1;
        let next_same = (next..self.then.len()).find_map(|line| Some((line, self.same[line]?)));
        let (then_below, now_below) = next_same.unwrap_or((self.then.len(), self.now.len()));
        let last_same = (0..then - above).rev().find_map(|line| Some((line + 1, self.same[line]? + 1)));
        let (then_above, now_above) = last_same.unwrap_or((0, 0));
        let slides_down = |lines: &[u64], line: usize, edge: usize, end: usize| {
            end > edge && (line..edge).all(|at| lines[at] == lines[at + end - edge])
        };
        let slides_up = |lines: &[u64], line: usize, start: usize, edge: usize| {
            edge > start && (edge..=line).all(|at| lines[at] == lines[at - (edge - start)])
        };
        slides_down(self.then, then, next, then_below)
            || slides_down(self.now, now, now + below + 1, now_below)
            || slides_up(self.then, then, then_above, then - above)
            || slides_up(self.now, now, now_above, now - above)
    }
}

/// The byte range of some lines.
fn stretch(lines: &Lines, indices: Indices<usize>) -> Indices<usize> {
    match (indices.start < indices.end).then(|| (lines.range(indices.start), lines.range(indices.end - 1))) {
        Some((first, last)) => first.start().index()..last.end().index(),
        None => 0..0,
    }
}

/// Where the token at a place is now, if only blanks and line breaks have changed. If the token is a word, punctuation
/// may have changed too.
pub(super) fn reformatted(old: &Text, new: &Text, place: Offset) -> Option<Offset> {
    let (then, now) = (old.bytes(), new.bytes());
    let word = tokens::pivot(then, old.start().index(), place.index())?.start;
    let is_word = tokens::is_word_at(then, word);
    // The common start of both texts need not be compared. It ends with a whole line, so that no word is cut.
    let n_front = run(then.iter(), now.iter());
    let start = then[..n_front].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let from = |text: &Text| start.max(text.start().index());
    let words_then = tokens_in(then, from(old)..then.len(), is_word);
    let mut words_now = tokens_in(now, from(new)..now.len(), is_word);
    let mut found = (word < start).then(|| Offset::of_index(word));
    for (turn, one) in words_then.enumerate() {
        check_at(turn);
        let other = words_now.next()?;
        if then[one.clone()] != now[other.clone()] {
            return None;
        }
        found = found.or_else(|| (one.start == word).then(|| Offset::of_index(other.start)));
    }
    found.filter(|_| words_now.next().is_none())
}

/// The ranges of the tokens of a stretch, or only of its words.
fn tokens_in(
    bytes: &[u8],
    stretch: Indices<usize>,
    words_only: bool,
) -> impl Iterator<Item = Indices<usize>> {
    tokens::all_in(bytes, stretch).filter(move |token| !words_only || tokens::is_word_at(bytes, token.start))
}

/// The starts and hashes of the tokens of a stretch, or only of its words.
fn listed(bytes: &[u8], stretch: Indices<usize>, words_only: bool) -> Vec<(usize, u64)> {
    tokens_in(bytes, stretch, words_only).map(|token| (token.start, Fnv::of(&bytes[token]))).collect()
}
