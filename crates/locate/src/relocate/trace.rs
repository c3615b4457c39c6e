//! Where a place is by the difference of two texts.
//!
//! What did not change needs no likeness: a line in a stretch that stayed as it was, beside one that stands once in
//! both texts, is that line; and where only blanks and breaks between lines changed, words are the same one by one.

use std::ops::Range as Indices;

use locant_text::{Offset, Text};

use super::diff;
use super::evidence::Present;
use super::lines::{Fnv, Lines};
use super::sought::Mapped;
use super::thresholds::Thresholds;
use super::words::{run, start_of_token};
use crate::answer::Document;
use crate::tokens;

/// How many lines of a stretch are asked whether they stand once in both texts. Each is looked for in both.
const MOST_ASKED: usize = 32;

/// What a difference says of a place.
pub(super) struct Trace {
    pub(super) mapped: Mapped,
    /// The word of the place, where that is sure by the texts alone.
    pub(super) sure: Option<Offset>,
}

/// The word that a place of an old text hangs on, in a new one. `None` when the old one has nothing but blanks.
pub(super) fn trace(document: &dyn Document, present: &Present<'_>, place: Offset) -> Option<Trace> {
    let old = document.text();
    let (new, now, thresholds) = (present.text(), &present.lines, &present.thresholds);
    let word = tokens::pivot(old.bytes(), old.start().index(), place.index())?;
    let then = document.lines();
    let line = then.of_offset(Offset::of_index(word.start))?;
    let same = diff::same_lines(then.hashes(), now.hashes());
    let above = (0..line).rev().find(|&line| same[line].is_some());
    let below = (line + 1..then.len()).find(|&line| same[line].is_some());
    let from = above.and_then(|above| same[above]).map_or(0, |above| above + 1);
    let to = below.and_then(|below| same[below]).unwrap_or(now.len());
    let both =
        Both { text: old, lines: &then, then: then.hashes(), now: now.hashes(), same: &same, thresholds };
    let mut mapped = Mapped { line: same[line], from, to, ..Mapped::default() };
    if let Some(at) = mapped.line {
        let content = then.range(line);
        let n_before = Words::new(old.bytes(), content.start().index()..word.start, false).count();
        let line_now = now.range(at);
        let start = line_now.start().index() + start_of_token(new.slice(line_now), n_before);
        let sure = both.is_unchanged(line, at).then(|| Offset::of_index(start));
        return Some(Trace { mapped, sure });
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
    Some(Trace { mapped, sure: mapped.word.filter(|_| is_sure) })
}

/// The hashes of the lines of both texts, and for each old line the new one that it is.
struct Both<'b> {
    text: &'b Text,
    lines: &'b Lines,
    then: &'b [u64],
    now: &'b [u64],
    same: &'b [Option<usize>],
    thresholds: &'b Thresholds,
}

impl Both<'_> {
    /// Is a line in a stretch that stayed as it was, all of the text or with a line that stands once in both, and
    /// could not as well be one that was put in or taken out beside it?
    fn is_unchanged(&self, then: usize, now: usize) -> bool {
        !self.slides(then, now) && (self.is_all(then, now) || self.has_unique(then, now))
    }

    /// Did all lines of the old text stay together?
    fn is_all(&self, then: usize, now: usize) -> bool {
        let (above, below) = self.stretch(then, now);
        above == then && then + below + 1 == self.then.len()
    }

    /// The lines around a line that stayed with it, as distances from it: so many above, and so many below.
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
        near.any(|line| self.is_telling(line) && is_unique(line))
    }

    /// Has a line so many letters that another one is hardly ever the same by chance? Brackets and `else` are.
    fn is_telling(&self, line: usize) -> bool {
        let range = self.lines.range(line).indices();
        let words = Words::new(self.text.bytes(), range, true).take(MOST_ASKED);
        words.map(|word| word.len()).sum::<usize>() as f64 >= self.thresholds.telling
    }

    /// Is a line one of several that lines put in or taken out beside it could be? Then it is a guess which is new.
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

/// The bytes of some lines.
fn stretch(lines: &Lines, indices: Indices<usize>) -> Indices<usize> {
    match (indices.start < indices.end).then(|| (lines.range(indices.start), lines.range(indices.end - 1))) {
        Some((first, last)) => first.start().index()..last.end().index(),
        None => 0..0,
    }
}

/// The word of a place when nothing but blanks and breaks between lines changed, and marks if it is none.
pub(super) fn reformatted(old: &Text, new: &Text, place: Offset) -> Option<Offset> {
    let (then, now) = (old.bytes(), new.bytes());
    let word = tokens::pivot(then, old.start().index(), place.index())?.start;
    let is_word = tokens::is_word_at(then, word);
    // What is the same at the start needs no look at its words; a line is taken as a whole, to cut no word.
    let n_front = run(then.iter(), now.iter());
    let start = then[..n_front].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let from = |text: &Text| start.max(text.start().index());
    let mut words_then = Words::new(then, from(old)..then.len(), is_word);
    let mut words_now = Words::new(now, from(new)..now.len(), is_word);
    let mut found = (word < start).then(|| Offset::of_index(word));
    loop {
        match (words_then.next(), words_now.next()) {
            (None, None) => return found,
            (Some(one), Some(other)) if then[one.clone()] == now[other.clone()] => {
                found = found.or_else(|| (one.start == word).then(|| Offset::of_index(other.start)));
            }
            _ => return None,
        }
    }
}

/// The tokens of a stretch, or its words alone.
struct Words<'b> {
    bytes: &'b [u8],
    at: usize,
    words_only: bool,
}

impl<'b> Words<'b> {
    fn new(bytes: &'b [u8], stretch: Indices<usize>, words_only: bool) -> Words<'b> {
        let bytes = &bytes[..stretch.end];
        Words { bytes, at: tokens::blanks_after(bytes, stretch.start), words_only }
    }
}

impl Iterator for Words<'_> {
    type Item = Indices<usize>;

    fn next(&mut self) -> Option<Indices<usize>> {
        while self.at < self.bytes.len() {
            let token = self.at..tokens::token_end(self.bytes, self.at);
            self.at = tokens::blanks_after(self.bytes, token.end);
            if !self.words_only || tokens::is_word_at(self.bytes, token.start) {
                return Some(token);
            }
        }
        None
    }
}

/// The tokens of a stretch, or its words alone: where they start, and their hashes.
fn listed(bytes: &[u8], stretch: Indices<usize>, words_only: bool) -> Vec<(usize, u64)> {
    let words = Words::new(bytes, stretch, words_only);
    words.map(|token| (token.start, Fnv::of(&bytes[token]))).collect()
}
