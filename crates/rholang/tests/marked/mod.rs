//! Programs with a cursor, and answers shown in them.
//!
//! `<|>` is the cursor. If there are several programs, a line `--- PATH` starts each of them. In an answer, `«…»` marks
//! a place that was found, and `‹…›` a place that is a guess.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::collections::BTreeMap;

use locant_names::{Mention, Names, Target};
use locant_rholang::Workspace;
use locant_text::{Offset, Range};

pub(crate) const MARKER: &str = "<|>";

/// Programs, and the place of the cursor in one of them.
pub(crate) struct Marked {
    pub(crate) workspace: Workspace,
    pub(crate) path: String,
    pub(crate) at: Offset,
    texts: BTreeMap<String, String>,
}

impl Marked {
    pub(crate) fn new(source: &str) -> Marked {
        let mut texts = BTreeMap::new();
        let mut cursor = None;
        for (path, text) in programs(source) {
            if let Some(at) = text.find(MARKER) {
                cursor = Some((path.clone(), Offset::of_index(at)));
            }
            texts.insert(path, text.replacen(MARKER, "", 1));
        }
        let (path, at) = cursor.expect("a program has the cursor");
        let mut workspace = Workspace::default();
        for (path, text) in &texts {
            workspace.set(path, text.as_bytes());
        }
        Marked { workspace, path, at, texts }
    }

    /// The programs with these ranges marked. The `bool` says whether a range is a guess.
    pub(crate) fn show(&self, ranges: &[(String, Range, bool)]) -> String {
        let mut shown = String::new();
        for (path, text) in &self.texts {
            let mut text = text.clone();
            let mut own: Vec<_> = ranges.iter().filter(|(other, ..)| other == path).collect();
            own.sort_by_key(|(_, range, _)| range.start());
            for (_, range, is_guess) in own.into_iter().rev() {
                let (open, close) = if *is_guess { ('‹', '›') } else { ('«', '»') };
                text.insert(range.end().index(), close);
                text.insert(range.start().index(), open);
            }
            let is_only = self.texts.len() == 1;
            shown += &if is_only { text } else { format!("--- {path}\n{text}") };
        }
        shown
    }

    pub(crate) fn targets(&self, targets: Vec<Target>) -> String {
        let ranges: Vec<_> = targets.into_iter().map(|t| (t.path, t.name, t.is_guess)).collect();
        self.show(&ranges)
    }

    pub(crate) fn mentions(&self, mentions: Vec<Mention>) -> String {
        let ranges: Vec<_> = mentions.into_iter().map(|m| (m.path, m.range, m.is_guess)).collect();
        self.show(&ranges)
    }
}

fn programs(source: &str) -> Vec<(String, String)> {
    if !source.starts_with("--- ") {
        return vec![("a.rho".to_owned(), source.to_owned())];
    }
    let parts = source.split("--- ").filter(|part| !part.is_empty());
    parts
        .filter_map(|part| part.split_once('\n'))
        .map(|(path, text)| (path.to_owned(), text.to_owned()))
        .collect()
}

#[track_caller]
pub(crate) fn declaration(source: &str, expected: &str) {
    let marked = Marked::new(source);
    let found = marked.workspace.declaration(&marked.path, marked.at);
    assert_eq!(marked.targets(found), expected);
}

#[track_caller]
pub(crate) fn definition(source: &str, expected: &str) {
    let marked = Marked::new(source);
    let found = marked.workspace.definition(&marked.path, marked.at);
    assert_eq!(marked.targets(found), expected);
}

#[track_caller]
pub(crate) fn references(source: &str, expected: &str) {
    let marked = Marked::new(source);
    let found = marked.workspace.references(&marked.path, marked.at);
    assert_eq!(marked.mentions(found), expected);
}

/// Checks that the name at the cursor has no declaration.
#[track_caller]
pub(crate) fn no_declaration(source: &str) {
    declaration(source, &source.replacen(MARKER, "", 1));
}
