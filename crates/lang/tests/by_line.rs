//! An outline that is read from lines has the same names as the parser's outline, or none.

mod fences;
mod sources;

use locant_lang::{Language, Outline};
use locant_tree::Symbol;

/// Damage elsewhere must not change the name of a declaration, or a path that was noted earlier would no longer find
/// it.
#[test]
fn a_header_line_has_the_name_that_the_parser_gives_it() {
    let mut wrong = Vec::new();
    for (language, source) in sources::sources() {
        wrong.extend(other_names(language, &source));
    }
    assert!(wrong.is_empty(), "{} names\n{}", wrong.len(), wrong.join("\n"));
}

/// The names that are read from a line on which the parser finds only other names.
fn other_names(language: &'static Language, source: &str) -> Vec<String> {
    let whole = language.outline(source.as_bytes());
    // An outline with damage is itself partly read from lines.
    if whole.is_damaged {
        return Vec::new();
    }
    let by_line = language.outline_by_line(source.as_bytes());
    let mut wrong = Vec::new();
    for symbol in symbols(&by_line) {
        let line = line_of(source, symbol);
        let beside: Vec<&Symbol> = symbols(&whole).filter(|other| line_of(source, other) == line).collect();
        let is_same = |other: &&Symbol| {
            other.name_range.start() == symbol.name_range.start() && other.name == symbol.name
        };
        if !beside.is_empty() && !beside.iter().any(is_same) {
            let names: Vec<&str> = beside.iter().map(|other| other.name.as_str()).collect();
            let text = source.lines().nth(line).unwrap_or_default().trim();
            wrong.push(format!("{}: {} is {names:?} in {text}", language.name(), symbol.name));
        }
    }
    wrong
}

fn symbols(outline: &Outline) -> impl Iterator<Item = &Symbol> {
    outline.iter().map(|(_, symbol)| symbol)
}

fn line_of(source: &str, symbol: &Symbol) -> usize {
    source.as_bytes()[..symbol.name_range.start().index()].iter().filter(|&&byte| byte == b'\n').count()
}
