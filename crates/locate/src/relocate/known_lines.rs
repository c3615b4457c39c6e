//! Recognises other lines of the old text, so that they are not taken for the place.
//!
//! Two kinds of other lines are known: those that contained the word, and those near the place. Both are compared with
//! the new text. If a line was known n times and now occurs m times, n of these m lines are the known ones. Only the
//! others can be the place.

use super::align::{KnownSide, Sides};
use super::new_text::NewText;
use super::target::Target;
use crate::anchor::N_OTHERS;
use crate::lines::Digest;
use crate::lines::Other;
use crate::stopping::check_at;

/// To find out which known line a new line is, this number of known lines on each side is aligned with [`REACH`] new
/// lines.
const N_AROUND: usize = 8;
const REACH: usize = 12;

/// How many known lines equal to a new line are tried.
const MOST_EQUAL: usize = 8;

/// The lines that contained the word in the old text, compared with those that contain it in the new text.
pub(crate) struct KnownLines {
    pub(crate) lines: Tally<Digest>,
    whole: Tally<Other>,
    around: Tally<Digest>,
    /// Whether all lines that had the word are known.
    pub(crate) is_listed: bool,
}

impl KnownLines {
    /// `lines` are the lines of the new text that contain the word.
    pub(crate) fn new(new_text: &NewText<'_>, target: &Target<'_>, lines: &[usize]) -> KnownLines {
        let now: Vec<Other> = lines.iter().map(|&line| new_text.lines.other(line)).collect();
        KnownLines {
            lines: Tally::new(target.others, &now, |other| other.line),
            whole: Tally::new(target.others, &now, |other| *other),
            around: Tally::new(target.others, &now, |other| other.around),
            is_listed: target.words.is_some() && target.others.len() < N_OTHERS,
        }
    }

    /// How probable it is that a line is one of the known lines: by its content, by its content and neighbours, and by
    /// its neighbours alone.
    pub(crate) fn known(&self, other: Other) -> [f64; 3] {
        [self.lines.known(&other.line), self.whole.known(&other), self.around.known(&other.around)]
    }
}

/// How often each thing occurs in the old text, not counting the place itself, and how often in the new text. A thing
/// is a digest, or a line with its neighbours.
pub(crate) struct Tally<Thing> {
    /// The things of the old text, each with its old and its new count. Invariant: sorted by thing.
    counts: Vec<(Thing, u32, u32)>,
    /// How many occurrences in the new text are new.
    pub(crate) n_new: u32,
    /// The share of the old occurrences that still exist; 1 if there were none.
    pub(crate) stayed: f64,
}

impl<Thing: Ord> Tally<Thing> {
    fn new(then: &[Other], now: &[Other], thing: impl Fn(&Other) -> Thing) -> Tally<Thing> {
        let mut counts: Vec<(Thing, u32, u32)> = then.iter().map(|other| (thing(other), 1, 0)).collect();
        counts.sort_unstable();
        counts.dedup_by(|next, one| {
            let is_same = next.0 == one.0;
            one.1 += u32::from(is_same);
            is_same
        });
        let mut tally = Tally { counts, n_new: 0, stayed: 1.0 };
        for (turn, other) in now.iter().enumerate() {
            check_at(turn);
            match tally.position(&thing(other)) {
                Some(at) => tally.counts[at].2 += 1,
                None => tally.n_new += 1,
            }
        }
        tally.n_new += tally.counts.iter().map(|(_, then, now)| now.saturating_sub(*then)).sum::<u32>();
        if !then.is_empty() {
            let n_stayed: u32 = tally.counts.iter().map(|(_, then, now)| *then.min(now)).sum();
            tally.stayed = f64::from(n_stayed) / then.len() as f64;
        }
        tally
    }

    fn position(&self, thing: &Thing) -> Option<usize> {
        self.counts.binary_search_by(|(other, ..)| other.cmp(thing)).ok()
    }

    /// How probable it is that one occurrence of `thing` in the new text is an old one. There must be an occurrence.
    fn known(&self, thing: &Thing) -> f64 {
        let share = |at: usize| f64::from(self.counts[at].1) / f64::from(self.counts[at].2);
        self.position(thing).map_or(0.0, |at| share(at).min(1.0))
    }

    /// If an occurrence of `thing` is new: one divided by the number of all new occurrences. Otherwise 0. `thing` must
    /// occur in the new text.
    pub(crate) fn alone(&self, thing: &Thing) -> f64 {
        let is_new = self.position(thing).is_none_or(|at| self.counts[at].2 > self.counts[at].1);
        if is_new { f64::from(self.n_new).recip() } else { 0.0 }
    }
}

/// The lines near the old place in their order, including the line of the place, which is at index `at`.
pub(crate) struct Nearby {
    pub(crate) lines: Vec<Digest>,
    pub(crate) at: usize,
    /// The weight of each line: how much it tells about its position.
    weights: Vec<f64>,
    /// The factor for the weight of a line, by its distance. It is 1 for the nearest line.
    decay: Vec<f64>,
}

impl Nearby {
    /// `None` if the line of the old place is not known.
    pub(crate) fn new(new_text: &NewText<'_>, target: &Target<'_>) -> Option<Nearby> {
        let digest = target.digest?;
        let (above, below) = (target.above.iter().rev(), target.below.iter());
        let lines: Vec<Digest> = above.chain([&digest]).chain(below).copied().collect();
        let weights = lines.iter().map(|&line| new_text.weight(line)).collect();
        let decay = |distance: usize| (1.0 + distance as f64 / new_text.thresholds.half_known).recip();
        Some(Nearby { lines, at: target.above.len(), weights, decay: (0..N_AROUND).map(decay).collect() })
    }

    /// A line of the new text may be one of the lines near the old place, and not the line of the place itself. Of the
    /// lines near the place that are equal to the new line, the one whose surroundings fit best is taken. Returns how
    /// well they fit, and how much better than the surroundings of the place. `None` if no line near the place is
    /// equal.
    pub(crate) fn fit(&self, new_text: &NewText<'_>, line: usize) -> Option<(f64, f64)> {
        let digest = new_text.lines.digest(line);
        let others = (0..self.lines.len()).filter(|&at| at != self.at && self.lines[at] == digest);
        let mut nearest: Vec<usize> = others.collect();
        nearest.sort_by_key(|at| at.abs_diff(self.at));
        let fits = nearest.into_iter().take(MOST_EQUAL).map(|at| self.fit_at(new_text, line, at));
        let best = fits.max_by(f64::total_cmp)?;
        Some((best, best - self.fit_at(new_text, line, self.at)))
    }

    fn fit_at(&self, new_text: &NewText<'_>, line: usize, at: usize) -> f64 {
        let digests = new_text.lines.digests();
        let known = |indices: &mut dyn Iterator<Item = usize>| {
            let weighed = |(at, decay): (usize, &f64)| (self.lines[at], self.weights[at] * decay);
            let (lines, weights) = indices.zip(&self.decay).map(weighed).unzip();
            KnownSide::new(lines, weights)
        };
        let (above, below) = (known(&mut (0..at).rev()), known(&mut (at + 1..self.lines.len())));
        let fits = Sides::new(
            above.aligned(digests[..line].iter().rev().take(REACH)),
            below.aligned(digests[line + 1..].iter().take(REACH)),
        );
        fits.sum()
    }
}
