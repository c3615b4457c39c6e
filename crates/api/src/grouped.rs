//! Places as a list for agents: a file is named once, and so is the symbol around several places.
//!
//! ```text
//! `src/shop.py`
//! :3 from prices import total
//! in Basket.pay
//! :12 amount = total(self.items)
//! ```
//!
//! What stands before the text of a line is the rest of a location: `src/shop.py:12`.

use std::fmt::Write as _;

use locant_engine::{Document, Offset, Range};

use crate::{show, wire};

/// How many characters of a line are shown.
const MOST: usize = 90;

/// Places that are written one after the other. Several places of one line are written once, with their number.
#[derive(Default)]
pub(crate) struct Grouped {
    markdown: String,
    file: Option<String>,
    within: String,
    last: Option<Row>,
}

/// The line that is written next, and how many places it has.
struct Row {
    line: u32,
    said: String,
    n_places: usize,
}

impl Grouped {
    /// Adds a place. `within` is the symbol around it, or nothing.
    pub(crate) fn add(&mut self, file: &str, within: &str, line: u32, said: &str) {
        let is_same = self.file.as_deref() == Some(file) && self.within == within;
        match &mut self.last {
            Some(last) if is_same && last.line == line => {
                last.n_places += 1;
                return;
            }
            _ => self.write_last(),
        }
        if self.file.as_deref() != Some(file) {
            // Writing to a string does not fail.
            let _ = writeln!(self.markdown, "{}", show::code(file));
            self.file = Some(file.to_owned());
            self.within.clear();
        }
        if self.within != within {
            let _ = match within {
                "" => writeln!(self.markdown, "outside of symbols"),
                within => writeln!(self.markdown, "in {}", show::visible(within)),
            };
            within.clone_into(&mut self.within);
        }
        self.last = Some(Row { line, said: said.to_owned(), n_places: 1 });
    }

    fn write_last(&mut self) {
        if let Some(Row { line, said, n_places }) = self.last.take() {
            let _ = writeln!(self.markdown, ":{line} {}{}", show::visible(&said), times(n_places));
        }
    }

    /// The list.
    pub(crate) fn markdown(mut self) -> String {
        self.write_last();
        self.markdown
    }
}

/// The line of a place without the blanks around it. A long line is cut to what is near the place.
pub(crate) fn line_around(document: &Document, place: Offset) -> String {
    let text = document.text();
    let Some(line) = text.line_content(text.line_of(place)) else { return String::new() };
    let (_, near, _) = wire::window(document, line, place, MOST * 8);
    let before = text.lossy(Range::new(near.start(), place.max(near.start())));
    clipped(&text.lossy(near), before.chars().count())
}

/// A text without the blanks around it, cut to what is near the character with this number.
pub(crate) fn clipped(line: &str, near: usize) -> String {
    let n_blanks = line.chars().take_while(|c| c.is_whitespace()).count();
    let line: Vec<char> = line.trim().chars().collect();
    if line.len() <= MOST {
        return line.into_iter().collect();
    }
    let first = near.saturating_sub(n_blanks).saturating_sub(MOST / 3).min(line.len() - MOST);
    // A cut of a few characters saves none.
    let first = if first < 4 { 0 } else { first };
    let shown: String = line[first..first + MOST].iter().collect();
    let (before, after) = (first > 0, first + MOST < line.len());
    format!("{}{shown}{}", if before { "…" } else { "" }, if after { "…" } else { "" })
}

/// What follows a line that has several of the places: ` (3 times)`.
pub(crate) fn times(n_places: usize) -> String {
    if n_places > 1 { format!(" ({n_places} times)") } else { String::new() }
}

/// Line numbers as the rests of locations: `:3 :8 :12`.
pub(crate) fn numbers(lines: &[u32]) -> String {
    lines.iter().map(|line| format!(":{line}")).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_symbols_are_named_once() {
        let mut list = Grouped::default();
        for (file, within, line) in [
            ("a.py", "", 1),
            ("a.py", "f", 3),
            ("a.py", "f", 3),
            ("a.py", "f", 4),
            ("a.py", "", 9),
            ("b.py", "", 2),
        ] {
            list.add(file, within, line, "x");
        }
        assert_eq!(
            list.markdown(),
            "`a.py`\n:1 x\nin f\n:3 x (2 times)\n:4 x\noutside of symbols\n:9 x\n`b.py`\n:2 x\n"
        );
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let long = format!("  {}here{}", "a".repeat(200), "b".repeat(200));
        let shown = clipped(&long, 202);
        assert!(shown.starts_with('…') && shown.ends_with('…') && shown.contains("here"), "{shown}");
        assert_eq!(shown.chars().count(), MOST + 2);
        assert_eq!(clipped("  short  ", 3), "short");
        assert!(clipped(&long, 3).starts_with("aaa"));
    }
}
