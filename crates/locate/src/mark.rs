//! Marks: a few letters beside a line number. They tell later whether the line is still the same, and where it is now.
//!
//! A mark represents the text of its line. If other lines of the file are equal, it also represents the nearest one,
//! two or three lines above that are not blank: as many as are needed to distinguish the line. If three lines above are
//! not enough, the line is counted: the mark says how many such lines there are, and which of them this line is. So
//! equal lines have different marks. A mark also has a few bits for each of the two neighbours of its line, which are
//! the nearest lines above and below that contain words.
//!
//! To find a line again, all lines are compared with its mark. If exactly one line fits, it is the answer. If several
//! fit, the answer is the line with both old neighbours, provided that no other has one of them. A short line, such as
//! `return x`, must have at least one old neighbour, because an equal line may have been written elsewhere. A counted
//! line must have both. The old line number is no evidence, because another line may have that number now.

use std::collections::HashMap;
use std::fmt;

use locant_text::Text;

use crate::lines::hash_of_line;

/// The characters of a mark. Each represents five bits. Letters that look like a digit or another letter are left out.
const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// How many letters a mark has. docs/edits.md has the share of wrong lines for each length.
const N_LETTERS: u32 = 6;

/// How many lines above a mark represents at most.
const MOST_ABOVE: usize = 3;

/// How many kinds of marks there are: one for each number of lines above, from 0 on, and one for counted lines.
const N_KINDS: usize = MOST_ABOVE + 2;
const COUNTED: usize = N_KINDS - 1;

/// How many values a mark can have for each of the two neighbours of its line.
const N_NEIGHBOURS: u64 = 16;

/// A line with fewer bytes than this, not counting blanks, is too short to be found without one of its neighbours.
const LEAST_TELLING: usize = 12;

/// A line and its mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The number of the line, from 1.
    pub line: u32,
    /// The letters of its mark.
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
    /// Whether their line numbers have changed since they were marked.
    pub have_moved: bool,
}

/// Why marked lines are not found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unmarked {
    /// This line was not found: no line fits its mark, or it is not certain which line is the right one.
    Gone(Mark),
    /// Both ends were found, but the number of lines between them has changed.
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
    lines: Vec<Line>,
}

/// What the mark of a line is made of.
#[derive(Debug)]
struct Line {
    /// For each kind of mark, the number that represents the line.
    numbers: [u64; N_KINDS],
    neighbours: Neighbours,
    /// Whether the line is long enough to be found without its neighbours.
    is_telling: bool,
}

/// The nearest lines above and below that contain words, in a few bits each. Lines without words, such as closing
/// brackets, are skipped, because they are next to many lines.
#[derive(Clone, Copy, Debug)]
struct Neighbours {
    above: u64,
    below: u64,
}

/// A mark that was read.
struct Wanted {
    kind: usize,
    number: u64,
    neighbours: Neighbours,
}

impl Marks {
    /// The marks of the lines of a text.
    pub fn new(text: &Text) -> Marks {
        Marks::with_letters(text, N_LETTERS)
    }

    /// Marks with another number of letters, four or more, to measure how many are needed.
    pub fn with_letters(text: &Text, n_letters: u32) -> Marks {
        let n_numbers = (1 << (5 * n_letters)) / (N_KINDS as u64 * N_NEIGHBOURS * N_NEIGHBOURS);
        let mut lines: Vec<Line> = Vec::with_capacity(text.n_lines() as usize);
        let (mut above, mut neighbour) = (Above::default(), NO_LINE);
        let mut as_neighbours = Vec::with_capacity(lines.capacity());
        for line in 1..=text.n_lines() {
            crate::stopping::check_at(lines.len());
            let content = text.line_content(line).map_or(&[][..], |line| text.slice(line).trim_ascii());
            let neighbours = Neighbours { above: neighbour % N_NEIGHBOURS, below: NO_LINE };
            let n_signs = content.iter().filter(|byte| !byte.is_ascii_whitespace()).count();
            let numbers = above.next(content);
            lines.push(Line { numbers, neighbours, is_telling: n_signs >= LEAST_TELLING });
            let as_neighbour = has_words(content).then_some(above.nearest[0]);
            neighbour = as_neighbour.unwrap_or(neighbour);
            as_neighbours.push(as_neighbour);
        }
        note_below(&mut lines, &as_neighbours);
        count_equals(&mut lines);
        for line in &mut lines {
            line.numbers = line.numbers.map(|hash| hash % n_numbers.max(1));
        }
        Marks { n_letters, lines }
    }

    /// The marks of all lines, in order.
    pub fn checks(&self) -> Vec<String> {
        let mut counts: Vec<HashMap<u64, u32>> = vec![HashMap::new(); COUNTED];
        for line in &self.lines {
            for (count, number) in counts.iter_mut().zip(&line.numbers) {
                *count.entry(*number).or_default() += 1;
            }
        }
        let check = |line: &Line| {
            let kind =
                counts.iter().zip(&line.numbers).position(|(count, number)| count.get(number) == Some(&1));
            let kind = kind.unwrap_or(COUNTED);
            Wanted { kind, number: line.numbers[kind], neighbours: line.neighbours }.written(self.n_letters)
        };
        self.lines.iter().map(check).collect()
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

    /// The line of a mark: the only line that fits it, or the one with both old neighbours.
    fn line(&self, mark: &Mark) -> Option<u32> {
        let wanted = Wanted::read(&mark.check, self.n_letters)?;
        let fitting = self.lines.iter().enumerate().filter(|(_, line)| wanted.fits(line));
        let mut fitting: Vec<(usize, usize)> =
            fitting.map(|(index, line)| (wanted.n_neighbours(line), index)).collect();
        fitting.sort_unstable();
        let (n_neighbours, index) = fitting.pop()?;
        // A copy of a line may also have one of the old neighbours. So the line must have both, and the others none.
        if fitting.last().is_some_and(|next| n_neighbours < 2 || next.0 > 0) {
            return None;
        }
        let is_sure = match wanted.kind {
            COUNTED => n_neighbours == 2,
            _ => n_neighbours > 0 || self.lines[index].is_telling,
        };
        is_sure.then(|| u32::try_from(index + 1).ok()).flatten()
    }
}

/// Notes the nearest line with words below each line. `as_neighbours` has the hashes of the lines with words.
fn note_below(lines: &mut [Line], as_neighbours: &[Option<u64>]) {
    let mut below = NO_LINE;
    for (line, own) in lines.iter_mut().zip(as_neighbours).rev() {
        line.neighbours.below = below % N_NEIGHBOURS;
        below = own.unwrap_or(below);
    }
}

/// Sets the numbers for counted lines. Here lines are equal if they and the three lines above them are equal. The
/// number of a line is made from how many lines equal it, and from its rank among them.
fn count_equals(lines: &mut [Line]) {
    let mut equals: HashMap<u64, Vec<usize>> = HashMap::new();
    for (index, line) in lines.iter().enumerate() {
        equals.entry(line.numbers[MOST_ABOVE]).or_default().push(index);
    }
    for (hash, equal) in equals {
        let of_all = mixed(hash, equal.len() as u64);
        for (rank, index) in equal.into_iter().enumerate() {
            lines[index].numbers[COUNTED] = mixed(of_all, rank as u64);
        }
    }
}

impl Wanted {
    fn fits(&self, line: &Line) -> bool {
        line.numbers[self.kind] == self.number
    }

    /// How many of the two neighbours in the mark are neighbours of the line.
    fn n_neighbours(&self, line: &Line) -> usize {
        let (own, other) = (self.neighbours, line.neighbours);
        usize::from(own.above == other.above) + usize::from(own.below == other.below)
    }

    fn written(&self, n_letters: u32) -> String {
        let Neighbours { above, below } = self.neighbours;
        let mut value = self.number * N_NEIGHBOURS + above;
        value = (value * N_NEIGHBOURS + below) * N_KINDS as u64 + self.kind as u64;
        let letter = |_| {
            let letter = LETTERS[(value % 32) as usize];
            value /= 32;
            char::from(letter)
        };
        (0..n_letters).map(letter).collect()
    }

    fn read(check: &str, n_letters: u32) -> Option<Wanted> {
        if check.len() != n_letters as usize {
            return None;
        }
        let digit = |letter: u8| LETTERS.iter().position(|known| *known == letter.to_ascii_lowercase());
        let letters = check.bytes().rev();
        let mut value =
            letters.into_iter().try_fold(0, |value, letter| Some(value * 32 + digit(letter)? as u64))?;
        let mut take = |n_values: u64| {
            let taken = value % n_values;
            value /= n_values;
            taken
        };
        let kind = usize::try_from(take(N_KINDS as u64)).ok()?;
        let (below, above) = (take(N_NEIGHBOURS), take(N_NEIGHBOURS));
        Some(Wanted { kind, number: value, neighbours: Neighbours { above, below } })
    }
}

/// The lines above the line that is read next.
struct Above {
    /// The hashes of the nearest lines above that are not blank, the nearest first.
    nearest: [u64; MOST_ABOVE],
    /// How many blank lines are directly above.
    n_blank: u64,
}

impl Default for Above {
    fn default() -> Above {
        Above { nearest: [NO_LINE; MOST_ABOVE], n_blank: 0 }
    }
}

impl Above {
    /// Reads the next line, and returns its hash for each kind of mark. The hash for counted lines is set later.
    fn next(&mut self, line: &[u8]) -> [u64; N_KINDS] {
        let is_blank = line.is_empty();
        let own = if is_blank { mixed(BLANK, self.n_blank) } else { hash_of_line(without_end(line)) };
        let mut hashes = [0; N_KINDS];
        let mut hash = mixed(own, 0);
        for (kind, kept) in hashes[..COUNTED].iter_mut().enumerate() {
            *kept = hash;
            let more = self.nearest.get(kind).copied().unwrap_or_default();
            hash = mixed(hash, more.wrapping_add(kind as u64));
        }
        if is_blank {
            self.n_blank += 1;
        } else {
            self.nearest.rotate_right(1);
            self.nearest[0] = own;
            self.n_blank = 0;
        }
        hashes
    }
}

/// Represents the line above the first one, and the line below the last one.
const NO_LINE: u64 = 0;

/// Whether a line has a letter or a digit. Every character that is not ASCII counts as a letter.
fn has_words(line: &[u8]) -> bool {
    line.iter().any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
}

/// Represents a blank line.
const BLANK: u64 = 0x9e37_79b9_7f4a_7c15;

/// A line without the comma or semicolon at its end, which is often added or removed together with the next line.
fn without_end(line: &[u8]) -> &[u8] {
    match line {
        [rest @ .., b',' | b';'] if !rest.is_empty() => rest,
        _ => line,
    }
}

/// A hash of two hashes. Each of its bits depends on all bits of both.
fn mixed(one: u64, other: u64) -> u64 {
    let mut hash = one.wrapping_add(other.wrapping_mul(0xff51_afd7_ed55_8ccd)).wrapping_add(1);
    for factor in [0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53] {
        hash = (hash ^ (hash >> 33)).wrapping_mul(factor);
    }
    hash ^ (hash >> 33)
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
        check("first line of all\nb\nc", "c\nb\nfirst line of all", "3 - -");
        check("return x\n", "  return  x;\n", "1 2");
        check("f(a, b)\n", "  f( a,b );\n", "1 2");
    }

    #[test]
    fn equal_lines_are_told_apart_by_those_above() {
        check("a\nx\nb\nx", "c\na\nx\nb\nx", "2 3 4 5");
        check("a\nx\nb\nx", "c\nb\nx", "- - 2 3");
        check("a\n\nb\n\n", "z\na\n\nb\n\n", "2 3 4 5 6");
        check("x\nx\nx\nx\nx\nx", "x\nx\nx\nx\nx\nx", "1 2 3 4 5 6");
        let block = "a\nx\nx\nx\nx\n";
        let blocks = |n: usize| block.repeat(n) + "end\n";
        check(&blocks(2), &format!("new\n{}", blocks(2)), "- - - 5 6 7 8 9 10 11 12 13");
        // One of several lines that nothing distinguishes was removed, and nobody can know which.
        check(&blocks(3), &blocks(2), "1 2 3 - - - - - - - - - - - - 11 12");
    }

    #[test]
    fn a_short_line_is_taken_only_beside_an_old_neighbour() {
        check("def f():\n    return x\n", "def g():\n    return x\n\ndef f():\n    return x\n", "4 5 -");
        let [first, second] = ["open {\n  x()\n}\nshut {\n}\n", "open {\n}\nshut {\n  x()\n}\n"];
        check(first, second, "1 - 5 - - 6");
        let [first, second] = [first, second].map(|text| text.replace("x()", "compute(the_total)"));
        check(&first, &second, "1 4 5 - - 6");
        check("f {\n  x()\n}\n", "f {\n  x()\n  y()\n}\n", "1 2 4 5");
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
