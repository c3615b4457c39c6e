//! Writes the lines of a file that change as a unified diff, which is what `diff -u` writes and `git apply` reads.

use std::fmt::Write as _;
use std::iter;
use std::ops::Range;

use locant_engine::names::Replacement;

use super::{ChangedFile, Whole};

/// How many unchanged lines are shown before and after those that change.
const CONTEXT: usize = 3;

/// How many pairs of lines may be compared to find out which lines of a change stay the same.
const MOST_PAIRS: usize = 1 << 20;

/// The lines of a file that change.
pub(super) fn diff(file: &ChangedFile) -> String {
    let new_text = file.changed();
    let texts = Texts::of(file.document.text().bytes(), &new_text);
    let changes = texts.changes(&file.replacements);
    let mut diff = String::new();
    for hunk in changes.chunk_by(|one, next| next.old.start - one.old.end <= 2 * CONTEXT) {
        texts.write_hunk(&mut diff, hunk);
    }
    let (old, new) = (name("a", &file.path), name("b", file.moved_to().unwrap_or(&file.path)));
    if diff.is_empty() && file.whole == Whole::Stays {
        return diff;
    }
    let nowhere = || "/dev/null".to_owned();
    let (before, after) = match file.whole {
        Whole::Created => (nowhere(), new.clone()),
        Whole::Removed => (old.clone(), nowhere()),
        Whole::Stays | Whole::MovedTo(_) => (old.clone(), new.clone()),
    };
    let lines = if diff.is_empty() { diff } else { format!("--- {before}\n+++ {after}\n{diff}") };
    header(file, old.trim_end(), new.trim_end()) + &lines
}

/// The lines from which git knows that a file is created, removed or moved.
fn header(file: &ChangedFile, old: &str, new: &str) -> String {
    let what = match &file.whole {
        Whole::Stays => return String::new(),
        Whole::Created => "new file mode 100644".to_owned(),
        Whole::Removed => "deleted file mode 100644".to_owned(),
        Whole::MovedTo(to) => format!("rename from {}\nrename to {}", plain(&file.path), plain(to)),
    };
    format!("diff --git {old} {new}\n{what}\n")
}

/// The name of a file on one side of a diff.
fn name(side: &str, path: &str) -> String {
    let path = plain(&format!("{side}/{}", path.trim_start_matches('/')));
    if path.starts_with('"') {
        return path;
    }
    // A tab ends the name. Without a tab, a name with blanks could be taken to end at a blank.
    let end = if path.contains(' ') { "\t" } else { "" };
    path + end
}

/// A path as git writes it. It is in quotes if it contains quotes, backslashes or control characters.
fn plain(path: &str) -> String {
    let is_odd = |c: char| matches!(c, '"' | '\\') || c.is_ascii_control();
    if !path.contains(is_odd) {
        return path.to_owned();
    }
    let quoted = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        c if c.is_ascii_control() => format!("\\{:03o}", u32::from(c)),
        c => c.to_string(),
    };
    format!("\"{}\"", path.chars().map(quoted).collect::<String>())
}

/// The lines of a text. Only a line feed ends a line, because programs that read diffs know no other line break.
pub(super) struct Lines<'t> {
    /// The lines with their line feeds. The last line may have none.
    pub(super) contents: Vec<&'t [u8]>,
    /// Where each line starts. The last number is where the text ends.
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    fn of(text: &'t [u8]) -> Lines<'t> {
        let contents: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
        let mut starts = vec![0];
        for line in &contents {
            starts.push(starts.last().map_or(0, |start| start + line.len()));
        }
        Lines { contents, starts }
    }

    fn len(&self) -> usize {
        self.contents.len()
    }

    /// The number of the first line that starts at an offset or later.
    fn starting_at(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start < offset)
    }

    /// The lines that a stretch of bytes is in, including a line that starts right at its end.
    fn touched(&self, start: usize, end: usize) -> Range<usize> {
        let starts = &self.starts[..self.len()];
        let first = starts.partition_point(|line| *line <= start).saturating_sub(1);
        first..starts.partition_point(|line| *line <= end)
    }
}

/// Lines of the old text, and the lines of the new text that take their place.
#[derive(Clone, Debug)]
pub(super) struct LineChange {
    pub(super) old: Range<usize>,
    pub(super) new: Range<usize>,
}

/// The text of a file before and after the changes.
pub(super) struct Texts<'t> {
    pub(super) old: Lines<'t>,
    pub(super) new: Lines<'t>,
}

impl<'t> Texts<'t> {
    pub(super) fn of(old: &'t [u8], new: &'t [u8]) -> Texts<'t> {
        Texts { old: Lines::of(old), new: Lines::of(new) }
    }

    /// The lines that replacements change, in their order.
    pub(super) fn changes(&self, replacements: &[Replacement]) -> Vec<LineChange> {
        self.touched(replacements).iter().flat_map(|change| self.refined(change)).collect()
    }

    /// The lines that replacements touch, in their order, without overlaps.
    fn touched(&self, replacements: &[Replacement]) -> Vec<LineChange> {
        let mut changes: Vec<LineChange> = Vec::new();
        let mut shift = 0_isize;
        for one in replacements {
            let (start, end) = (one.range.start().index(), one.range.end().index());
            let old = self.old.touched(start, end);
            let from = self.old.starts[old.start].saturating_add_signed(shift);
            shift += one.text.len().cast_signed() - (end - start).cast_signed();
            let to = self.old.starts[old.end].saturating_add_signed(shift);
            let new = self.new.starting_at(from)..self.new.starting_at(to);
            match changes.last_mut().filter(|last| last.old.end >= old.start) {
                Some(last) => (last.old.end, last.new.end) = (old.end, new.end),
                None => changes.push(LineChange { old, new }),
            }
        }
        changes
    }

    /// The parts of a change in which the old and the new lines differ.
    fn refined(&self, change: &LineChange) -> Vec<LineChange> {
        let (old, new) = (&self.old.contents[change.old.clone()], &self.new.contents[change.new.clone()]);
        let n_before = iter::zip(old, new).take_while(|(old, new)| old == new).count();
        let (old, new) = (&old[n_before..], &new[n_before..]);
        let n_after =
            iter::zip(old.iter().rev(), new.iter().rev()).take_while(|(old, new)| old == new).count();
        let (old, new) = (&old[..old.len() - n_after], &new[..new.len() - n_after]);
        let (from_old, from_new) = (change.old.start + n_before, change.new.start + n_before);
        let moved = |LineChange { old, new }: LineChange| LineChange {
            old: old.start + from_old..old.end + from_old,
            new: new.start + from_new..new.end + from_new,
        };
        shortest(old, new).into_iter().map(moved).collect()
    }

    /// Writes changes that are near each other, with the unchanged lines around them.
    fn write_hunk(&self, diff: &mut String, hunk: &[LineChange]) {
        let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { return };
        let n_before = first.old.start.min(CONTEXT);
        let n_after = (self.old.len() - last.old.end).min(CONTEXT);
        let old = first.old.start - n_before..last.old.end + n_after;
        let new = first.new.start - n_before..last.new.end + n_after;
        // Writing to a string does not fail.
        let _ = writeln!(diff, "@@ -{} +{} @@", numbers(&old), numbers(&new));
        let mut done = old.start;
        for change in hunk {
            write_lines(diff, ' ', &self.old.contents[done..change.old.start]);
            write_lines(diff, '-', &self.old.contents[change.old.clone()]);
            write_lines(diff, '+', &self.new.contents[change.new.clone()]);
            done = change.old.end;
        }
        write_lines(diff, ' ', &self.old.contents[done..old.end]);
    }
}

/// Lines as they are given in the header of a hunk: the number of the first line, counted from 1, and how many lines
/// there are. If there are none, the first number is that of the line before.
fn numbers(lines: &Range<usize>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => format!("{}", lines.start + 1),
        n => format!("{},{n}", lines.start + 1),
    }
}

fn write_lines(diff: &mut String, sign: char, lines: &[&[u8]]) {
    for line in lines {
        diff.push(sign);
        diff.push_str(&String::from_utf8_lossy(line));
        if !line.ends_with(b"\n") {
            diff.push_str("\n\\ No newline at end of file\n");
        }
    }
}

/// The smallest changes that turn one list of lines into another. If the lists are too long to be compared, there is
/// one change with all lines.
fn shortest(old: &[&[u8]], new: &[&[u8]]) -> Vec<LineChange> {
    if old.is_empty() && new.is_empty() {
        return Vec::new();
    }
    if old.len().saturating_mul(new.len()) > MOST_PAIRS {
        return vec![LineChange { old: 0..old.len(), new: 0..new.len() }];
    }
    let mut changes: Vec<LineChange> = Vec::new();
    let (mut from_old, mut from_new) = (0, 0);
    let ends = [(old.len(), new.len())];
    for (same_old, same_new) in longest_common(old, new).into_iter().chain(ends) {
        if (from_old, from_new) != (same_old, same_new) {
            changes.push(LineChange { old: from_old..same_old, new: from_new..same_new });
        }
        (from_old, from_new) = (same_old + 1, same_new + 1);
    }
    changes
}

/// The longest list of lines that are in both lists in the same order. Each line is given by its index in `old` and its
/// index in `new`.
fn longest_common(old: &[&[u8]], new: &[&[u8]]) -> Vec<(usize, usize)> {
    let width = new.len() + 1;
    // For each pair of an old and a new line, the length of the longest common list that starts at these two lines or
    // later.
    let mut n_pairs = vec![0_u32; (old.len() + 1) * width];
    for (x, old_line) in old.iter().enumerate().rev() {
        for (y, new_line) in new.iter().enumerate().rev() {
            let at = x * width + y;
            n_pairs[at] = if old_line == new_line {
                n_pairs[at + width + 1] + 1
            } else {
                n_pairs[at + width].max(n_pairs[at + 1])
            };
        }
    }
    let (mut x, mut y, mut pairs) = (0, 0, Vec::new());
    while x < old.len() && y < new.len() {
        let at = x * width + y;
        if old[x] == new[y] {
            pairs.push((x, y));
            (x, y) = (x + 1, y + 1);
        } else if n_pairs[at + width] >= n_pairs[at + 1] {
            x += 1;
        } else {
            y += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use locant_engine::{Document, Offset, Range};

    use super::*;

    fn check(old: &str, edits: &[(u32, u32, &str)], expected: &str) {
        check_whole(old, edits, Whole::Stays, expected);
    }

    fn check_whole(old: &str, edits: &[(u32, u32, &str)], whole: Whole, expected: &str) {
        let document = Document::new("a b.txt", old.as_bytes()).expect("text");
        let replacement = |(start, end, text): &(u32, u32, &str)| Replacement {
            path: "a b.txt".to_owned(),
            range: Range::new(Offset::new(*start), Offset::new(*end)),
            text: (*text).to_owned(),
        };
        let replacements = edits.iter().map(replacement).collect();
        let path = "a.txt".to_owned();
        let file = ChangedFile { path, document: Arc::new(document), replacements, whole };
        assert_eq!(diff(&file), expected);
    }

    #[test]
    fn files_that_come_go_and_move() {
        let git = "diff --git a/a.txt b/a.txt\n";
        check_whole(
            "",
            &[(0, 0, "x\n")],
            Whole::Created,
            &format!("{git}new file mode 100644\n--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+x\n"),
        );
        check_whole("", &[], Whole::Created, &format!("{git}new file mode 100644\n"));
        check_whole(
            "x\n",
            &[(0, 2, "")],
            Whole::Removed,
            &format!("{git}deleted file mode 100644\n--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"),
        );
        let moved = "diff --git a/a.txt b/b c.txt\nrename from a.txt\nrename to b c.txt\n";
        let to = || Whole::MovedTo("b c.txt".to_owned());
        check_whole("x\n", &[], to(), moved);
        let lines = "--- a/a.txt\n+++ b/b c.txt\t\n@@ -1 +1 @@\n-x\n+y\n";
        check_whole("x\n", &[(0, 1, "y")], to(), &format!("{moved}{lines}"));
    }

    #[test]
    fn a_word_on_a_line() {
        check(
            "one\ntwo\nthree\n",
            &[(4, 7, "2")],
            "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n",
        );
    }

    #[test]
    fn a_text_without_a_last_line_break() {
        let end = "\\ No newline at end of file\n";
        check("a", &[(1, 1, "\n")], &format!("--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n{end}+a\n"));
        check("a\n", &[(1, 2, "")], &format!("--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+a\n{end}"));
    }

    #[test]
    fn lines_that_come_and_go() {
        check("", &[(0, 0, "a\n")], "--- a/a.txt\n+++ b/a.txt\n@@ -0,0 +1 @@\n+a\n");
        check("a\n", &[(0, 2, "")], "--- a/a.txt\n+++ b/a.txt\n@@ -1 +0,0 @@\n-a\n");
        check("a\nb\n", &[(2, 2, "x\ny\n")], "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,4 @@\n a\n+x\n+y\n b\n");
    }

    #[test]
    fn lines_inside_of_a_change_that_stay() {
        check(
            "a\nb\nc\n",
            &[(0, 6, "x\nb\ny\n")],
            "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n-a\n+x\n b\n-c\n+y\n",
        );
    }

    #[test]
    fn names_that_need_quotes() {
        assert_eq!(name("a", "b c.txt"), "a/b c.txt\t");
        assert_eq!(name("a", "b\"\n.txt"), "\"a/b\\\"\\012.txt\"");
    }
}
