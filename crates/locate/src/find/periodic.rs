//! Searches for one long word in a text that is full of it.
//!
//! If occurrences of a word overlap by more than half, they form a run in which each starts one period of the word
//! after the previous one. In `aaaaaa` the word `aaa` occurs at every letter, so its period is 1. A run continues as
//! long as each byte equals the byte one period before it. After the end of a run, the next occurrence is at least half
//! a word away. So starting a new search there keeps the time linear.

use std::iter::zip;
use std::ops::{ControlFlow, Range};

use memchr::memmem::Finder;

use super::pattern::{Match, Pattern};
use super::rarest_first::period;
use super::sink::Sink;

/// Gives `sink` every match of a pattern with one token, including matches inside longer words.
pub(super) fn search(pattern: &Pattern, source: &[u8], region: &Range<usize>, sink: &mut impl Sink) {
    let text = &source[..region.end];
    let word = pattern.bytes(0);
    let period = period(word);
    let finder = Finder::new(word);
    let mut at = region.start;
    while let Some(found) = finder.find(&text[at..]) {
        locant_stop::check();
        let first = at + found;
        let end = first + word.len();
        let n_same =
            zip(&text[end..], &text[end - period..]).take_while(|(one, before)| one == before).count();
        let last = first + n_same - n_same % period;
        let run = Run { first, last, period, len: word.len() };
        if run.hand_out(pattern, source, region, sink).is_break() {
            return;
        }
        at = last + period;
    }
}

/// A run of occurrences.
struct Run {
    /// Where the first and the last occurrence start.
    first: usize,
    last: usize,
    period: usize,
    len: usize,
}

/// How many matches are counted at once. If the sink wants to see one of them, it gets all of them one by one.
const N_COUNTED: usize = 64;

impl Run {
    fn hand_out(
        &self,
        pattern: &Pattern,
        source: &[u8],
        region: &Range<usize>,
        sink: &mut impl Sink,
    ) -> ControlFlow<()> {
        if self.first < self.last && pattern.is_bare() {
            return self.hand_out_cut(sink);
        }
        // If the pattern has a blank at an end, only the first or the last occurrence of the run can match: all others
        // have letters where the blank should be.
        let last = (self.first < self.last).then_some(self.last);
        for start in [Some(self.first), last].into_iter().flatten() {
            if let Some(found) = pattern.finish(source, region, start..start + self.len, &mut 0) {
                sink.take(found)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Hands out all occurrences of a run that has several. Each of them cuts a word, because they overlap or touch
    /// each other.
    fn hand_out_cut(&self, sink: &mut impl Sink) -> ControlFlow<()> {
        let n_all = (self.last - self.first) / self.period + 1;
        for from in (0..n_all).step_by(N_COUNTED) {
            locant_stop::check();
            let some = from..n_all.min(from + N_COUNTED);
            if !sink.count(0, some.len()) {
                for start in some.map(|n| self.first + n * self.period) {
                    sink.take(Match { range: start..start + self.len, partial: true })?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}
