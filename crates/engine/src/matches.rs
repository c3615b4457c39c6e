//! All matches of a find in a text.

use std::ops::ControlFlow;

use locant_locate::{Match, Pattern, Sink};
use locant_text::{Offset, Range};

use crate::Document;

/// The matches of a find in a document. Matches that cut a word in two, as `int` does in `print`, are left out unless
/// there are no others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matches {
    /// The first matches in the order of the text: each range, and the place of the marker in it. Without a marker, the
    /// place is the start of the range.
    pub first: Vec<(Range, Offset)>,
    /// How many matches there are in all.
    pub total: usize,
    /// Whether these matches cut words in two.
    pub are_partial: bool,
}

/// Finds and counts all matches, and keeps the first `most`.
pub fn matches(document: &Document, find: &str, most: usize) -> Matches {
    let pattern = Pattern::new(find);
    let text = document.text();
    let mut all =
        All { pattern: &pattern, bytes: text.bytes(), most, found: [Matches::default(), Matches::default()] };
    if !pattern.is_empty() {
        pattern.search(text.bytes(), text.start().index()..text.end().index(), &mut all);
    }
    let [whole, partial] = all.found;
    if whole.total > 0 { whole } else { Matches { are_partial: partial.total > 0, ..partial } }
}

struct All<'a> {
    pattern: &'a Pattern,
    bytes: &'a [u8],
    most: usize,
    /// First the matches that cut no word in two, then those that do.
    found: [Matches; 2],
}

impl Sink for All<'_> {
    fn take(&mut self, found: Match) -> ControlFlow<()> {
        let matches = &mut self.found[usize::from(found.partial)];
        matches.total += 1;
        if matches.first.len() < self.most {
            let place = Offset::of_index(self.pattern.place(self.bytes, &found));
            matches.first.push((Range::of_indices(found.range), place));
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_that_cut_a_word_count_only_where_there_are_no_others() {
        let document = Document::new("a.c", "int x; print(1); int  y;").expect("it is a text");
        let found = matches(&document, "int <|>y", 10);
        assert_eq!((found.total, found.first[0].1), (1, Offset::of_index(22)));
        let found = matches(&document, "int", 1);
        assert_eq!((found.total, found.first.len(), found.are_partial), (2, 1, false));
        let found = matches(&document, "prin", 10);
        assert_eq!((found.total, found.are_partial), (1, true));
    }
}
