//! Lines that were there before beside the one that is looked for: what is one of them is not the place.
//!
//! Two kinds are known: other lines that had the word, and the lines near the place. Both are held against the new
//! text together: as many lines as were known are still those, and only what is left can be the one.

use std::collections::HashMap;
use std::hash::Hash;

use super::align::{Sides, aligned_equal};
use super::evidence::Present;
use super::lines::Digest;
use super::sought::Sought;
use crate::anchor::{N_OTHERS, Other};

/// How many lines on each side tell which of the known lines one is, and how many new ones are lined up with them.
const N_AROUND: usize = 8;
const REACH: usize = 12;

/// How many known lines that are equal are tried.
const MOST_EQUAL: usize = 8;

/// The lines of the word, then and now.
pub(crate) struct Company {
    lines: Tally<Digest>,
    whole: Tally<Other>,
    around: Tally<Digest>,
    /// Are all lines known that had the word?
    pub(crate) is_listed: bool,
}

impl Company {
    /// `lines` are those that have the word now.
    pub(crate) fn new(present: &Present<'_>, sought: &Sought<'_>, lines: &[usize]) -> Company {
        let now: Vec<Other> = lines.iter().map(|&line| present.lines.other(line)).collect();
        Company {
            lines: Tally::new(sought.others, &now, |other| other.line),
            whole: Tally::new(sought.others, &now, |other| *other),
            around: Tally::new(sought.others, &now, |other| other.around),
            is_listed: sought.words.is_some() && sought.others.len() < N_OTHERS,
        }
    }

    /// How probable it is that a line is one of the others: by itself, with the lines around it, and by those alone.
    pub(crate) fn known(&self, other: Other) -> [f64; 3] {
        [self.lines.known(&other.line), self.whole.known(&other), self.around.known(&other.around)]
    }

    /// Of all lines that are none of the others, which share is this one?
    pub(crate) fn alone(&self, other: Other) -> f64 {
        self.lines.alone(&other.line)
    }

    /// Are there lines that are none of the others?
    pub(crate) fn has_new(&self) -> bool {
        self.lines.n_new > 0
    }

    /// How many of the others are still there.
    pub(crate) fn stayed(&self) -> f64 {
        self.lines.stayed
    }
}

/// How often each thing was there, beside the one that is looked for, and is now.
struct Tally<Thing> {
    counts: HashMap<Thing, (u32, u32)>,
    n_new: u32,
    /// The share of the old ones that are still there; 1 when there were none.
    stayed: f64,
}

impl<Thing: Eq + Hash> Tally<Thing> {
    fn new(then: &[Other], now: &[Other], thing: impl Fn(&Other) -> Thing) -> Tally<Thing> {
        let mut counts: HashMap<Thing, (u32, u32)> = HashMap::new();
        for other in then {
            counts.entry(thing(other)).or_default().0 += 1;
        }
        for other in now {
            counts.entry(thing(other)).or_default().1 += 1;
        }
        let (mut n_new, mut n_stayed) = (0, 0);
        for (then, now) in counts.values() {
            n_new += now.saturating_sub(*then);
            n_stayed += then.min(now);
        }
        let stayed = if then.is_empty() { 1.0 } else { f64::from(n_stayed) / then.len() as f64 };
        Tally { counts, n_new, stayed }
    }

    fn known(&self, thing: &Thing) -> f64 {
        match self.counts.get(thing) {
            Some((then, now)) if *now > 0 => (f64::from(*then) / f64::from(*now)).min(1.0),
            _ => 0.0,
        }
    }

    fn alone(&self, thing: &Thing) -> f64 {
        match self.counts.get(thing) {
            Some((then, now)) if now > then => f64::from(self.n_new).recip(),
            _ => 0.0,
        }
    }
}

/// The lines near the place in their order, the place among them.
pub(crate) struct Nearby {
    pub(crate) lines: Vec<Digest>,
    pub(crate) at: usize,
}

impl Nearby {
    /// `None` when the line is not known.
    pub(crate) fn new(sought: &Sought<'_>) -> Option<Nearby> {
        let lines =
            sought.above.iter().rev().copied().chain(sought.digest).chain(sought.below.iter().copied());
        sought.digest.map(|_| Nearby { lines: lines.collect(), at: sought.above.len() })
    }

    /// How well a line of the new text fits where an equal one stood near the place, and by how much better than
    /// where the place was. `None` when no line near it was equal.
    pub(crate) fn fit(&self, present: &Present<'_>, line: usize) -> Option<(f64, f64)> {
        let digest = present.lines.digest(line);
        let others = (0..self.lines.len()).filter(|&at| at != self.at && self.lines[at] == digest);
        let mut nearest: Vec<usize> = others.collect();
        nearest.sort_by_key(|at| at.abs_diff(self.at));
        let fits = nearest.into_iter().take(MOST_EQUAL).map(|at| self.fit_at(present, line, at));
        let best = fits.max_by(f64::total_cmp)?;
        Some((best, best - self.fit_at(present, line, self.at)))
    }

    fn fit_at(&self, present: &Present<'_>, line: usize, at: usize) -> f64 {
        let digests = present.lines.digests();
        let side = |old: Vec<Digest>, new: Vec<Digest>| {
            let decay = |distance: usize| (1.0 + distance as f64 / present.bounds.half_known).recip();
            let weight = |(distance, digest): (usize, &Digest)| present.weight(*digest) * decay(distance);
            let weights: Vec<f64> = old.iter().enumerate().map(weight).collect();
            aligned_equal(&weights, &old, &new)
        };
        let above =
            |lines: &[Digest], at: usize, most: usize| lines[..at].iter().rev().take(most).copied().collect();
        let below =
            |lines: &[Digest], at: usize, most: usize| lines[at + 1..].iter().take(most).copied().collect();
        let fits = Sides::new(
            side(above(&self.lines, at, N_AROUND), above(digests, line, REACH)),
            side(below(&self.lines, at, N_AROUND), below(digests, line, REACH)),
        );
        fits.sum()
    }
}
