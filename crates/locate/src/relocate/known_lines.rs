//! Other lines that already existed in the old text: a line of the new text that is one of them is not the place.
//!
//! Two kinds are known: the other lines that had the word, and the lines near the place. Both are compared with the new
//! text. As many equal lines as were known count as the old ones, and only the rest can be the place.

use super::align::{KnownSide, Sides};
use super::new_text::NewText;
use super::target::Target;
use crate::anchor::N_OTHERS;
use crate::lines::Digest;
use crate::lines::Other;
use crate::stopping::check_at;

/// How many known lines on each side are aligned to find which known line a line is, and with how many new lines.
const N_AROUND: usize = 8;
const REACH: usize = 12;

/// How many equal known lines are tried.
const MOST_EQUAL: usize = 8;

/// The lines that contained the word before, compared with those that contain it now.
pub(crate) struct KnownLines {
    pub(crate) lines: Tally<Digest>,
    whole: Tally<Other>,
    around: Tally<Digest>,
    /// Whether all lines that had the word are known.
    pub(crate) is_listed: bool,
}

impl KnownLines {
    /// `lines` are those that contain the word now.
    pub(crate) fn new(new_text: &NewText<'_>, target: &Target<'_>, lines: &[usize]) -> KnownLines {
        let now: Vec<Other> = lines.iter().map(|&line| new_text.lines.other(line)).collect();
        KnownLines {
            lines: Tally::new(target.others, &now, |other| other.line),
            whole: Tally::new(target.others, &now, |other| *other),
            around: Tally::new(target.others, &now, |other| other.around),
            is_listed: target.words.is_some() && target.others.len() < N_OTHERS,
        }
    }

    /// How probable it is that a line is one of the other lines: by its content, by its content and neighbours, and by
    /// its neighbours alone.
    pub(crate) fn known(&self, other: Other) -> [f64; 3] {
        [self.lines.known(&other.line), self.whole.known(&other), self.around.known(&other.around)]
    }
}

/// How often each thing occurred before, not counting the place itself, and how often it does now.
pub(crate) struct Tally<Thing> {
    /// The things that occurred before, each with its old and new count. Invariant: sorted by the things.
    counts: Vec<(Thing, u32, u32)>,
    /// How many occurrences are new.
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

    /// How probable it is that `thing`, which occurs now, is an old one.
    fn known(&self, thing: &Thing) -> f64 {
        let share = |at: usize| f64::from(self.counts[at].1) / f64::from(self.counts[at].2);
        self.position(thing).map_or(0.0, |at| share(at).min(1.0))
    }

    /// One divided by the number of new things; 0 for an old one. `thing` must occur now.
    pub(crate) fn alone(&self, thing: &Thing) -> f64 {
        let is_new = self.position(thing).is_none_or(|at| self.counts[at].2 > self.counts[at].1);
        if is_new { f64::from(self.n_new).recip() } else { 0.0 }
    }
}

/// The lines near the place in their order, including its own.
pub(crate) struct Nearby {
    pub(crate) lines: Vec<Digest>,
    pub(crate) at: usize,
    /// The weight of each line: how much it tells about its position.
    weights: Vec<f64>,
    /// The weight of a line by its distance, relative to the nearest.
    decay: Vec<f64>,
}

impl Nearby {
    /// `None` if the line of the place is not known.
    pub(crate) fn new(new_text: &NewText<'_>, target: &Target<'_>) -> Option<Nearby> {
        let digest = target.digest?;
        let (above, below) = (target.above.iter().rev(), target.below.iter());
        let lines: Vec<Digest> = above.chain([&digest]).chain(below).copied().collect();
        let weights = lines.iter().map(|&line| new_text.weight(line)).collect();
        let decay = |distance: usize| (1.0 + distance as f64 / new_text.thresholds.half_known).recip();
        Some(Nearby { lines, at: target.above.len(), weights, decay: (0..N_AROUND).map(decay).collect() })
    }

    /// How well a line of the new text fits where an equal line was near the place, and how much better than where the
    /// place was. `None` if no line near the place was equal.
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
