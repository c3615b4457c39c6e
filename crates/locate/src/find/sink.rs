//! The receiver of the matches of a search.

use std::ops::ControlFlow;

use super::pattern::Match;

/// Receives matches. A closure that takes each match is a sink.
pub trait Sink {
    /// Takes the next match.
    fn take(&mut self, found: Match) -> ControlFlow<()>;

    /// Counts the next matches without seeing them: `n_whole` that cut no word, and `n_partial` that do.
    ///
    /// Returns `false` if the sink wants to see one of them. Then nothing is counted, and [`Sink::take`] is called for
    /// each. Counting many matches at once matters for texts that match at every byte, where most of the time would be
    /// spent on single matches.
    fn count(&mut self, n_whole: usize, n_partial: usize) -> bool {
        (n_whole, n_partial) == (0, 0)
    }
}

impl<Take: FnMut(Match) -> ControlFlow<()>> Sink for Take {
    fn take(&mut self, found: Match) -> ControlFlow<()> {
        self(found)
    }
}

/// Skips the first `n_passed` matches, which another search has handed out already.
pub(super) struct AfterFirst<'s, S> {
    pub(super) n_passed: usize,
    pub(super) sink: &'s mut S,
}

impl<S: Sink> Sink for AfterFirst<'_, S> {
    #[inline(always)]
    fn take(&mut self, found: Match) -> ControlFlow<()> {
        match self.n_passed {
            0 => self.sink.take(found),
            _ => {
                self.n_passed -= 1;
                ControlFlow::Continue(())
            }
        }
    }

    #[inline(always)]
    fn count(&mut self, n_whole: usize, n_partial: usize) -> bool {
        let n_all = n_whole + n_partial;
        if self.n_passed >= n_all {
            self.n_passed -= n_all;
            return true;
        }
        self.n_passed == 0 && self.sink.count(n_whole, n_partial)
    }
}
