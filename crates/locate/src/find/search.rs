//! Chooses the algorithm that searches a text.

use std::ops::Range;

use super::pattern::{Match, Pattern};
use super::rarest::Rarest;
use super::rarest_first::{self, Slow};
use super::sink::{AfterFirst, Sink};
use super::{blank, worst_case};

impl Pattern {
    /// Gives `sink` every match inside `region`, sorted by start, until the sink breaks off.
    ///
    /// Matches may overlap. Takes time linear in the region.
    pub fn search(&self, source: &[u8], region: Range<usize>, sink: &mut impl Sink) {
        match &self.rarest {
            None if self.is_empty() => {
                let _ = sink.take(Match { range: region.start..region.start, partial: false });
            }
            None => blank::search(self, source, &region, sink),
            Some(likely) => {
                if let Some(slow) = self.search_rarest_first(likely, source, &region, sink) {
                    worst_case::search(self, source, region, slow, sink);
                }
            }
        }
    }

    /// Searches by the token that is likely to be rare. If it turns out not to be rare in this text, searches by one
    /// that is.
    fn search_rarest_first(
        &self,
        likely: &Rarest,
        source: &[u8],
        region: &Range<usize>,
        sink: &mut impl Sink,
    ) -> Option<Slow> {
        let slow = rarest_first::search(self, likely, source, region.clone(), sink)?;
        match Rarest::in_text(self, likely, &source[region.clone()]) {
            Some(rarer) => {
                let rest = &mut AfterFirst { n_passed: slow.n_matches, sink };
                rarest_first::search(self, &rarer, source, region.clone(), rest)
            }
            None => Some(slow),
        }
    }
}
