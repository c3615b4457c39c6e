//! What the readers of languages with braces share: the tokens, what was found, and the regions still to be read.
//!
//! A reader reads one region at a time. What is in the brackets of a region becomes a region of its own, so nothing
//! recurses over the brackets of a text.

use crate::item::Findings;
use crate::stream::Stream;
use crate::tokens::{Lexicon, tokens};

/// A reader with the table `T` of its language and regions of type `R`.
pub(crate) struct Regions<'a, T, R> {
    pub(crate) stream: Stream<'a>,
    pub(crate) table: &'a T,
    pub(crate) found: Findings,
    /// The regions that are still to be read. The last one is read next.
    pub(crate) regions: Vec<R>,
}

/// Some tokens that are read together. The style `S` says what they are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region<S> {
    pub(crate) first: usize,
    /// The index after the last token.
    pub(crate) end: usize,
    pub(crate) style: S,
    pub(crate) owner: Option<usize>,
}

impl<'a, T, R> Regions<'a, T, R> {
    /// A reader that has read nothing yet. `None` if the text cannot be cut into tokens, for example because a bracket
    /// or string in it is not closed.
    pub(crate) fn new(text: &'a [u8], lexicon: &Lexicon, table: &'a T) -> Option<Regions<'a, T, R>> {
        let (tokens, attachables) = tokens(text, lexicon)?;
        let found = Findings { attachables, ..Findings::default() };
        Some(Regions { stream: Stream { text, tokens }, table, found, regions: Vec::new() })
    }

    /// Reads a region, and all regions that are added on the way.
    pub(crate) fn all(mut self, first: R, read: fn(&mut Self, R) -> Option<()>) -> Option<Findings> {
        self.regions.push(first);
        while let Some(region) = self.regions.pop() {
            read(&mut self, region)?;
        }
        self.found.sort_attachables();
        Some(self.found)
    }
}
