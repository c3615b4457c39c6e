//! Line endings and the markers of a merge conflict do not change an outline.

mod fences;
mod sources;

use locant_lang::Language;
use locant_tree::Symbol;

#[test]
fn a_carriage_return_breaks_a_line_as_a_line_feed_does() {
    let mut wrong = Vec::new();
    for (language, source) in sources::sources() {
        let expected = symbols(language, &source);
        let is = symbols(language, &source.replace('\n', "\r"));
        if expected != is {
            wrong.push(format!("{}: {source}\nis {is:#?}\nnot {expected:#?}", language.name()));
        }
    }
    assert!(wrong.is_empty(), "{} sources\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn marks_of_a_conflict_are_blank_lines() {
    const MARKS: [&str; 3] = ["<<<<<<< HEAD", "=======", ">>>>>>> 1a2b3c4 (fix: x)"];

    let blanks = MARKS.map(|mark| " ".repeat(mark.len()));
    let blanks = blanks.each_ref().map(String::as_str);
    let mut wrong = Vec::new();
    for (language, source) in sources::sources() {
        for around in [source.lines().count() / 3, source.lines().count() / 2] {
            let is = symbols(language, &conflicting(&source, around, MARKS));
            let expected = symbols(language, &conflicting(&source, around, blanks));
            if expected != is {
                wrong.push(format!(
                    "{}: line {around} of {source}\nis {is:#?}\nnot {expected:#?}",
                    language.name()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} sources\n{}", wrong.len(), wrong.join("\n"));
}

/// A text with a conflict: one side has the line `around`, and the other side is empty.
fn conflicting(source: &str, around: usize, [ours, theirs, end]: [&str; 3]) -> String {
    let mut lines: Vec<&str> = source.lines().collect();
    let after = lines.len().min(around + 1);
    lines.splice(after..after, [theirs, end]);
    lines.insert(around.min(after), ours);
    lines.join("\n")
}

fn symbols(language: &'static Language, source: &str) -> Vec<Symbol> {
    language.outline(source.as_bytes()).iter().map(|(_, symbol)| symbol.clone()).collect()
}
