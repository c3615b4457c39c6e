//! Answers two questions that rules ask about the text of a node: whether it is one line, and whether it contains a
//! word.
//!
//! Nodes may be nested as deep as the text is long, so the same stretch of text could be searched once for each of
//! them. To avoid that, line ends and words are searched once in the whole text, and a node only looks up the places
//! found.

use std::cell::{OnceCell, RefCell};
use std::ops::Range;

/// The places of line ends and words in one text. Each is searched when it is first needed.
#[derive(Default)]
pub(crate) struct Asked {
    /// Where lines end, sorted. A line break after a backslash does not end a line.
    ends: OnceCell<Vec<usize>>,
    /// The words searched so far, each with the sorted places where it occurs.
    starts: RefCell<Vec<(&'static str, Vec<usize>)>>,
}

impl Asked {
    /// Whether no line ends in this part of the text.
    pub(crate) fn is_one_line(&self, text: &[u8], part: Range<usize>) -> bool {
        let ends = self.ends.get_or_init(|| {
            let breaks = memchr::memchr2_iter(b'\n', b'\r', text);
            breaks.filter(|&at| !text[..at].ends_with(b"\\")).collect()
        });
        // The part is treated as a text of its own, so a backslash before its start does not count.
        let starts_with_break = matches!(text[part.clone()].first(), Some(b'\n' | b'\r'));
        !starts_with_break && first_from(ends, part.start).is_none_or(|at| part.end <= at)
    }

    /// Whether this part of the text contains the word.
    pub(crate) fn has(&self, text: &[u8], part: Range<usize>, word: &'static str) -> bool {
        let mut known = self.starts.borrow_mut();
        let at = known.iter().position(|(other, _)| *other == word).unwrap_or_else(|| {
            known.push((word, starts_of(text, word.as_bytes())));
            known.len() - 1
        });
        first_from(&known[at].1, part.start).is_some_and(|start| start + word.len() <= part.end)
    }
}

/// All places where a word starts in a text. Occurrences may overlap.
fn starts_of(text: &[u8], word: &[u8]) -> Vec<usize> {
    let finder = memchr::memmem::Finder::new(word);
    let next = |from: usize| finder.find(text.get(from..)?).map(|at| from + at);
    std::iter::successors(next(0), |&start| next(start + 1)).collect()
}

/// The first of the sorted places that is at or after `from`.
fn first_from(places: &[usize], from: usize) -> Option<usize> {
    places.get(places.partition_point(|&place| place < from)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that for every part of a text, the answer is the same as for that part as a text of its own.
    #[test]
    fn a_part_has_what_it_has_alone() {
        let is_one_line =
            |text: &[u8]| memchr::memchr2_iter(b'\n', b'\r', text).all(|at| text[..at].ends_with(b"\\"));
        for text in [&b"a\\\nb\n\\\r\n=aa=aaa\n"[..], b"\n\\\n", b"==\\=", b""] {
            let asked = Asked::default();
            for start in 0..=text.len() {
                for end in start..=text.len() {
                    let part = &text[start..end];
                    assert_eq!(asked.is_one_line(text, start..end), is_one_line(part), "{part:?}");
                    for word in ["=", "aa", "=="] {
                        let has = memchr::memmem::find(part, word.as_bytes()).is_some();
                        assert_eq!(asked.has(text, start..end, word), has, "{part:?} {word}");
                    }
                }
            }
        }
    }
}
