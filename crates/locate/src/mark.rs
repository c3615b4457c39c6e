//! Marks: a few letters beside the number of a line that tell later whether it is still the same line, and where it is
//! now.
//!
//! A mark stands for the text of its line and for as many of the lines above it, up to three, as were needed to tell it
//! from all other lines of the file. So equal lines have different marks. A line that has moved is found where the same
//! lines stand in the same order, if that is in one place only. A line that no three lines above tell apart is found
//! only at its number.

use std::collections::HashMap;
use std::fmt;

use locant_text::Text;

use crate::lines::hash_of_line;

/// The characters of a mark, each for five bits. No two of them look alike.
const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// How many letters a mark has. docs/edits.md has the share of wrong lines for each length.
const N_LETTERS: u32 = 5;

/// How many lines above may be needed to tell a line from all others.
const MOST_ABOVE: usize = 3;

/// The kinds of marks: by the number of lines above that they stand for, and one for lines that are not told apart.
const N_KINDS: usize = MOST_ABOVE + 2;
const NOT_TOLD_APART: usize = N_KINDS - 1;

/// A line and its mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The number of the line, from 1.
    pub line: u32,
    /// Its mark.
    pub check: String,
}

/// Marked lines: the first and the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marked {
    /// The first line.
    pub first: Mark,
    /// The last line; `None` for a single line.
    pub last: Option<Mark>,
}

/// Where marked lines are now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkedLines {
    /// The first line.
    pub first: u32,
    /// The last line, which is included.
    pub last: u32,
    /// Whether they stood at other numbers when they were marked.
    pub have_moved: bool,
}

/// Why marked lines are not found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unmarked {
    /// This line is nowhere, or could be one of several.
    Gone(Mark),
    /// Both ends are there, but not as many lines between them.
    ChangedBetween {
        /// Where the first line is now.
        first: u32,
        /// Where the last line is now.
        last: u32,
    },
}

/// The marks of all lines of a text.
#[derive(Debug)]
pub struct Marks {
    n_letters: u32,
    /// For each line, the numbers for each kind of mark.
    numbers: Vec<[u64; N_KINDS]>,
}

impl Marks {
    /// The marks of the lines of a text.
    pub fn new(text: &Text) -> Marks {
        Marks::with_letters(text, N_LETTERS)
    }

    /// Marks with another number of letters, to measure how many are needed.
    pub fn with_letters(text: &Text, n_letters: u32) -> Marks {
        let n_numbers = (1 << (5 * n_letters)) / N_KINDS as u64;
        let mut numbers = Vec::with_capacity(text.n_lines() as usize);
        let mut above = Above::default();
        for line in 1..=text.n_lines() {
            crate::stopping::check_at(numbers.len());
            let content = text.line_content(line).map_or(&[][..], |line| text.slice(line));
            numbers.push(above.next(content.trim_ascii()).map(|hash| hash % n_numbers));
        }
        Marks { n_letters, numbers }
    }

    /// The marks of all lines, in order.
    pub fn checks(&self) -> Vec<String> {
        let mut counts: Vec<HashMap<u64, u32>> = vec![HashMap::new(); NOT_TOLD_APART];
        for line in &self.numbers {
            for (count, number) in counts.iter_mut().zip(line) {
                *count.entry(*number).or_default() += 1;
            }
        }
        let check = |line: &[u64; N_KINDS]| {
            let kind = counts.iter().zip(line).position(|(count, number)| count.get(number) == Some(&1));
            let kind = kind.unwrap_or(NOT_TOLD_APART);
            written(line[kind] * N_KINDS as u64 + kind as u64, self.n_letters)
        };
        self.numbers.iter().map(check).collect()
    }

    /// Where marked lines are.
    pub fn find(&self, marked: &Marked) -> Result<MarkedLines, Unmarked> {
        let find = |mark: &Mark| self.line(mark).ok_or_else(|| Unmarked::Gone(mark.clone()));
        let first = find(&marked.first)?;
        let Some(last_mark) = &marked.last else {
            return Ok(MarkedLines { first, last: first, have_moved: first != marked.first.line });
        };
        let last = find(last_mark)?;
        if last.checked_sub(first) != last_mark.line.checked_sub(marked.first.line) {
            return Err(Unmarked::ChangedBetween { first, last });
        }
        Ok(MarkedLines { first, last, have_moved: first != marked.first.line })
    }

    /// The line of a mark: the one with its number, or the only one that it fits.
    fn line(&self, mark: &Mark) -> Option<u32> {
        let value = read(&mark.check, self.n_letters)?;
        let kind = usize::try_from(value % N_KINDS as u64).ok()?;
        let number = value / N_KINDS as u64;
        let fits = |line: &[u64; N_KINDS]| line[kind] == number;
        let at = mark.line.checked_sub(1)? as usize;
        if self.numbers.get(at).is_some_and(fits) {
            return Some(mark.line);
        }
        let mut fitting = self.numbers.iter().enumerate().filter(|(_, line)| fits(line));
        let (found, None) = (fitting.next()?.0, fitting.next()) else { return None };
        (kind != NOT_TOLD_APART).then(|| u32::try_from(found + 1).ok()).flatten()
    }
}

/// The lines above the next one.
#[derive(Default)]
struct Above {
    /// The hashes of the nearest lines above that are not blank, the nearest first.
    nearest: [u64; MOST_ABOVE],
    /// How many blank lines are directly above.
    n_blank: u64,
    /// How many lines equal to the nearest one above follow each other there.
    n_equal: u64,
}

impl Above {
    /// The hashes of the next line, for each kind of mark.
    fn next(&mut self, line: &[u8]) -> [u64; N_KINDS] {
        let is_blank = line.is_empty();
        let own = if is_blank { mixed(BLANK, self.n_blank) } else { hash_of_line(without_end(line)) };
        let is_equal = !is_blank && own == self.nearest[0];
        let n_equal = if is_equal { self.n_equal + 1 } else { 0 };
        let mut hashes = [0; N_KINDS];
        let mut hash = mixed(own, 0);
        for (kind, kept) in hashes.iter_mut().enumerate() {
            *kept = hash;
            let more = self.nearest.get(kind).copied().unwrap_or(n_equal);
            hash = mixed(hash, more.wrapping_add(kind as u64));
        }
        if is_blank {
            self.n_blank += 1;
        } else {
            self.nearest.rotate_right(1);
            self.nearest[0] = own;
            (self.n_blank, self.n_equal) = (0, n_equal);
        }
        hashes
    }
}

/// Stands for a blank line.
const BLANK: u64 = 0x9e37_79b9_7f4a_7c15;

/// A line without the comma or semicolon at its end: these come and go with the lines around it.
fn without_end(line: &[u8]) -> &[u8] {
    match line {
        [rest @ .., b',' | b';'] if !rest.is_empty() => rest,
        _ => line,
    }
}

/// A hash of two hashes, all of whose bits depend on all bits of both.
fn mixed(one: u64, other: u64) -> u64 {
    let mut hash = one.wrapping_add(other.wrapping_mul(0xff51_afd7_ed55_8ccd)).wrapping_add(1);
    for factor in [0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53] {
        hash = (hash ^ (hash >> 33)).wrapping_mul(factor);
    }
    hash ^ (hash >> 33)
}

fn written(mut value: u64, n_letters: u32) -> String {
    let letter = |_| {
        let letter = LETTERS[(value % 32) as usize];
        value /= 32;
        char::from(letter)
    };
    (0..n_letters).map(letter).collect()
}

fn read(check: &str, n_letters: u32) -> Option<u64> {
    if check.len() != n_letters as usize {
        return None;
    }
    let digit = |letter: u8| LETTERS.iter().position(|known| *known == letter.to_ascii_lowercase());
    check.bytes().rev().try_fold(0, |value, letter| Some(value * 32 + digit(letter)? as u64))
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}~{}", self.line, self.check)
    }
}

impl fmt::Display for Marked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.first)?;
        match &self.last {
            Some(last) => write!(f, "-{last}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Marks each line of `old`, and says where each is in `new`; `-` for those that are not found.
    fn check(old: &str, new: &str, expected: &str) {
        let text = |source: &str| Text::new(source).expect("the text is short");
        let checks = Marks::new(&text(old)).checks();
        let now = Marks::new(&text(new));
        let line = |(check, line): (&String, u32)| {
            let first = Mark { line, check: check.clone() };
            now.find(&Marked { first, last: None }).map_or("-".to_owned(), |lines| lines.first.to_string())
        };
        let found: Vec<String> = checks.iter().zip(1..).map(line).collect();
        assert_eq!(found.join(" "), expected, "{old:?} to {new:?}");
    }

    #[test]
    fn lines_are_found_where_they_are_now() {
        check("a\nb\nc", "a\nb\nc", "1 2 3");
        check("a\nb\nc", "x\na\nb\nc", "2 3 4");
        check("a\nb\nc", "a\nx\nc", "1 - 3");
        check("a\nb\nc", "c\nb\na", "3 2 1");
        check("f(a, b)\n", "  f( a,b );\n", "1 2");
    }

    #[test]
    fn equal_lines_are_told_apart_by_those_above() {
        check("a\nx\nb\nx", "c\na\nx\nb\nx", "2 3 4 5");
        check("a\nx\nb\nx", "c\nb\nx", "- - 2 3");
        check("a\n\nb\n\n", "z\na\n\nb\n\n", "2 3 4 5 6");
        check("x\nx\nx\nx\nx\nx", "x\nx\nx\nx\nx\nx", "1 2 3 4 5 6");
    }

    #[test]
    fn neighbouring_equal_lines_have_different_marks() {
        let text = Text::new("}\n".repeat(12) + "\n\n\n").expect("the text is short");
        let checks = Marks::new(&text).checks();
        assert!(checks.windows(2).all(|pair| pair[0] != pair[1]), "{checks:?}");
    }

    #[test]
    fn a_range_is_found_only_whole() {
        let marks = |source: &str| Marks::new(&Text::new(source).expect("the text is short"));
        let checks = marks("a\nb\nc\n").checks();
        let mark = |line: u32| Mark { line, check: checks[line as usize - 1].clone() };
        let marked = Marked { first: mark(1), last: Some(mark(3)) };
        let moved = MarkedLines { first: 2, last: 4, have_moved: true };
        assert_eq!(marks("x\na\nb\nc\n").find(&marked), Ok(moved));
        assert_eq!(marks("a\nb\nx\nc\n").find(&marked), Err(Unmarked::ChangedBetween { first: 1, last: 4 }));
        assert_eq!(marks("a\nb\n").find(&marked), Err(Unmarked::Gone(mark(3))));
    }
}
