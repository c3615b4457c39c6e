//! Replaces the marker lines of merge conflicts by blanks, because they are not code in any language. The grammar then
//! reads both sides of a conflict, one below the other, and the code around them stays intact.

use std::borrow::Cow;
use std::ops::Range;

/// A text with blanks in place of the marker lines of conflicts. The markers of a conflict that is never closed stay.
pub(crate) fn without_conflicts(text: &[u8]) -> Cow<'_, [u8]> {
    let mut masked = Cow::Borrowed(text);
    for mark in conflicts(text).into_iter().flatten() {
        masked.to_mut()[mark].fill(b' ');
    }
    masked
}

/// The conflicts of a text, each as the list of its marker lines.
pub(crate) fn conflicts(text: &[u8]) -> Vec<Vec<Range<usize>>> {
    let mut conflicts = Vec::new();
    let mut from = 0;
    while let Some(start) = opening(text, from) {
        // If this conflict is not closed, no later one is either.
        let Some(marks) = marks(text, start) else { break };
        from = marks.last().map_or(text.len(), |last| last.end);
        conflicts.push(marks);
    }
    conflicts
}

/// Where the first line that opens a conflict starts, searching from `from`.
fn opening(text: &[u8], from: usize) -> Option<usize> {
    let starts = memchr::memmem::find_iter(&text[from..], b"<<<<<<< ").map(|at| from + at);
    starts.into_iter().find(|&start| start == 0 || matches!(text[start - 1], b'\n' | b'\r'))
}

/// The marker lines of a conflict, from the one that opens it to the one that closes it.
fn marks(text: &[u8], start: usize) -> Option<Vec<Range<usize>>> {
    let mut marks = Vec::new();
    let (mut at, mut n_open) = (start, 0_usize);
    while at < text.len() {
        let length = memchr::memchr2(b'\n', b'\r', &text[at..]).unwrap_or(text.len() - at);
        if let Some(mark) = mark(&text[at..at + length]) {
            marks.push(at..at + length);
            n_open = if mark == b'>' { n_open - 1 } else { n_open + usize::from(mark == b'<') };
            if n_open == 0 {
                return Some(marks);
            }
        }
        at += length + 1;
    }
    None
}

/// The character of a marker line, which has it seven times, possibly followed by a remark. `None` for other lines.
fn mark(line: &[u8]) -> Option<u8> {
    let (mark, rest) = line.split_at_checked(7)?;
    let first = mark[0];
    let is_one = matches!(first, b'<' | b'|' | b'=' | b'>') && mark.iter().all(|byte| *byte == first);
    (is_one && rest.first().is_none_or(|next| *next == b' ')).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let seen = without_conflicts(text.as_bytes());
        assert_eq!(String::from_utf8_lossy(&seen).replace(' ', "."), expected);
    }

    #[test]
    fn marks_of_conflicts_are_blank() {
        check("a\n<<<<<<< b\nc\n=======\nd\n>>>>>>> e\nf", "a\n.........\nc\n.......\nd\n.........\nf");
        check(
            "<<<<<<< a\r\n||||||| b\r\n=======\r\n>>>>>>> c",
            ".........\r\n.........\r\n.......\r\n.........",
        );
        check(
            "<<<<<<< a\n<<<<<<< b\n>>>>>>> b\n=======\n>>>>>>> a\n",
            ".........\n.........\n.........\n.......\n.........\n",
        );
    }

    #[test]
    fn what_only_looks_so_stays() {
        for text in [
            "title\n=======\n",
            "<<<<<<<.a\n=======\n",
            "x.<<<<<<<.a\n>>>>>>>.b\n",
            "<<<<<<<<.a\n>>>>>>>.b\n",
        ] {
            check(&text.replace('.', " "), text);
        }
    }
}
