//! A place with the lines around it. If these lines are unchanged in the next version, the place is known without
//! parsing, which takes most of the time in a long history.

use locant_engine::{Offset, Range, Text};

/// How many lines above and below a place must be unchanged.
const AROUND: u32 = 3;

/// The lines around a place.
pub(super) struct Stretch<'a> {
    /// Invariant: whole lines.
    lines: &'a [u8],
    /// The offset of the place in `lines`, in bytes.
    n_before: usize,
}

impl<'a> Stretch<'a> {
    /// The lines around a place; `None` if the text contains them more than once.
    pub(super) fn around(text: &'a Text, place: Offset) -> Option<Stretch<'a>> {
        let line = text.line_of(place);
        let first = line.saturating_sub(AROUND).max(1);
        let last = (line + AROUND).min(text.n_lines());
        let range = Range::new(text.line_start(first)?, text.line_with_break(last)?.end());
        let n_before = place.index() - range.start().index();
        let stretch = Stretch { lines: text.slice(range), n_before };
        stretch.place_in(text).is_some().then_some(stretch)
    }

    /// The place in another text; `None` unless that text contains these lines exactly once.
    pub(super) fn place_in(&self, text: &Text) -> Option<Offset> {
        let bytes = text.bytes();
        let starts = (1..=text.n_lines()).filter_map(|line| Some(text.line_start(line)?.index()));
        let mut found = starts.filter(|&start| bytes[start..].starts_with(self.lines));
        match (found.next(), found.next()) {
            (Some(start), None) => Some(Offset::of_index(start + self.n_before)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks where the place of `x` in the first text is found in the second.
    fn check(old: &str, new: &str, expected: Option<usize>) {
        let [old, new] = [old, new].map(|text| Text::new(text).expect("it is short"));
        let place = old.bytes().iter().position(|byte| *byte == b'x').expect("it has the place");
        let stretch = Stretch::around(&old, Offset::of_index(place));
        let found = stretch.and_then(|stretch| stretch.place_in(&new));
        assert_eq!(found.map(Offset::index), expected);
    }

    #[test]
    fn lines_that_moved_are_found_where_they_stand_once() {
        check("1\n2\n3\n= x\n5\n6\n7\n8\n", "0\n1\n2\n3\n= x\n5\n6\n7\n", Some(10));
        check("1\n2\n3\n= x\n5\n6\n7\n", "1\n2\n3\n= x\n5\n6\n7", None);
        check("1\n2\n3\n= x\n5\n6\n7\n", "1\n2\n3\n= x\n5\n0\n7\n", None);
    }

    #[test]
    fn lines_that_stand_twice_are_not_found() {
        check("x\n", "x\nx\n", None);
        check("x\n\n\n\nx\n\n\n\n", "x\n\n\n\n", None);
    }

    #[test]
    fn a_line_that_ends_alike_is_another_one() {
        check("x\n", "= x\n", None);
    }
}
