//! The lines that change, for a reader who pays for each character. The lines around them are left out. If the same
//! word changes everywhere, the old lines are left out, too.
//!
//! The whole diff is in the structured form of the answer.

use std::fmt::Write as _;

use super::unified::{LineChange, Texts};
use super::{ChangedFile, Whole};

/// How many lines of a file are shown where the same word changes everywhere. For further lines, only the numbers are
/// given.
const MOST_ALIKE: usize = 10;

/// What changes in some files. Each file is named once; lines have their numbers before and after the changes.
pub(super) fn brief(files: &[ChangedFile]) -> String {
    let are_alike = are_alike(files);
    files.iter().map(|file| of_file(file, are_alike)).collect()
}

fn of_file(file: &ChangedFile, are_alike: bool) -> String {
    let new_text = file.changed();
    let texts = Texts::of(file.document.text().bytes(), &new_text);
    let changes = texts.changes(&file.replacements);
    let mut brief = heading(file) + "\n";
    if !are_alike {
        for change in &changes {
            write(&mut brief, '-', change.old.clone().zip(&texts.old.contents[change.old.clone()]));
            write(&mut brief, '+', change.new.clone().zip(&texts.new.contents[change.new.clone()]));
        }
        return brief;
    }
    let lines: Vec<usize> = changes.iter().flat_map(|change: &LineChange| change.new.clone()).collect();
    let (shown, rest) = lines.split_at(lines.len().min(MOST_ALIKE));
    write(&mut brief, '+', shown.iter().map(|line| (*line, &texts.new.contents[*line])));
    if !rest.is_empty() {
        let rest: Vec<String> = rest.iter().map(|line| (line + 1).to_string()).collect();
        // Writing to a string does not fail.
        let _ = writeln!(brief, "and likewise in the lines {}", rest.join(", "));
    }
    brief
}

fn heading(file: &ChangedFile) -> String {
    let path = &file.path;
    match &file.whole {
        Whole::Stays => path.clone(),
        Whole::Created => format!("{path} (new)"),
        Whole::Removed => format!("{path} (removed)"),
        Whole::MovedTo(to) => format!("{path} (moved to {to})"),
    }
}

/// Lines with their numbers, counted from 1.
fn write<'l>(brief: &mut String, sign: char, lines: impl Iterator<Item = (usize, &'l &'l [u8])>) {
    for (line, content) in lines {
        let content = String::from_utf8_lossy(content);
        let _ = writeln!(brief, "{sign}{}: {}", line + 1, content.trim_end_matches(['\n', '\r']));
    }
}

/// Whether the same word becomes the same other word in several places, and nothing else changes.
fn are_alike(files: &[ChangedFile]) -> bool {
    let mut places = files.iter().flat_map(|file| file.replacements.iter().map(move |one| (file, one)));
    let Some((file, first)) = places.next() else { return false };
    let old = |file: &ChangedFile, one: &super::Replacement| {
        file.document
            .text()
            .bytes()
            .get(one.range.start().index()..one.range.end().index())
            .map(<[u8]>::to_vec)
    };
    let word = old(file, first);
    let is_word = word.as_ref().is_some_and(|word| !word.is_empty() && !word.contains(&b'\n'));
    let mut n_more = 0;
    let all = places.all(|(file, one)| {
        n_more += 1;
        one.text == first.text && old(file, one) == word
    });
    all && n_more > 0 && is_word && !first.text.contains('\n')
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use locant_engine::names::Replacement;
    use locant_engine::{Document, Offset, Range};

    use super::*;

    fn check(old: &str, edits: &[(u32, u32, &str)], expected: &str) {
        let document = Document::new("a.txt", old.as_bytes()).expect("text");
        let replacement = |(start, end, text): &(u32, u32, &str)| Replacement {
            path: "a.txt".to_owned(),
            range: Range::new(Offset::new(*start), Offset::new(*end)),
            text: (*text).to_owned(),
        };
        let file = ChangedFile {
            path: "a.txt".to_owned(),
            document: Arc::new(document),
            replacements: edits.iter().map(replacement).collect(),
            whole: Whole::Stays,
        };
        assert_eq!(brief(&[file]), expected);
    }

    #[test]
    fn only_what_changes_is_shown() {
        check("a\nb\nc\n", &[(2, 3, "x\ny")], "a.txt\n-2: b\n+2: x\n+3: y\n");
        check("a\nb\nc\n", &[(0, 2, "")], "a.txt\n-1: a\n");
        check("a\nb", &[(3, 3, "!")], "a.txt\n-2: b\n+2: b!\n");
        check("", &[(0, 0, "a\r\n")], "a.txt\n+1: a\n");
    }

    #[test]
    fn a_word_that_changes_everywhere_is_told_by_the_new_lines() {
        check("a = b\nc = a\n", &[(0, 1, "x"), (10, 11, "x")], "a.txt\n+1: x = b\n+2: c = x\n");
        let edits: Vec<(u32, u32, &str)> = (0..12).map(|n| (n * 2, n * 2 + 1, "y")).collect();
        let shown: String = (1..=10).map(|n| format!("+{n}: y\n")).collect();
        let expected = format!("a.txt\n{shown}and likewise in the lines 11, 12\n");
        check(&"a\n".repeat(12), &edits, &expected);
        check("a\nb\n", &[(0, 1, "x"), (2, 3, "x")], "a.txt\n-1: a\n-2: b\n+1: x\n+2: x\n");
    }
}
