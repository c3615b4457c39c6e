//! Runs `languages/*/cases.md`: every fenced source block is followed by a block with its outline.
//!
//! `UPDATE=1 cargo test -p locant-lang --test cases` writes the current answers. Read the difference before you keep
//! it.

mod fences;
mod render;

use std::path::{Path, PathBuf};
use std::{env, fs};

use locant_lang::{all, by_name};

#[test]
fn outlines_are_as_written() {
    let languages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../languages");
    // A misspelled kind finds nothing, and that must not become the expected answer.
    for language in all() {
        let unknown = language.unknown_kinds();
        assert!(unknown.is_empty(), "languages/{}: the grammar has no {unknown:?}", language.name());
    }
    let is_update = env::var_os("UPDATE").is_some();
    let mut failures = Vec::new();
    for file in case_files(&languages) {
        let before = fs::read_to_string(&file).unwrap();
        let after = answered(&before);
        if before == after {
            continue;
        }
        if is_update {
            fs::write(&file, after).unwrap();
        } else {
            failures.push(format!("{}\n{}", file.display(), first_difference(&before, &after)));
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n\n"));
}

fn case_files(languages: &Path) -> Vec<PathBuf> {
    let folders =
        fs::read_dir(languages).expect("the languages are there").flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> =
        folders.map(|folder| folder.join("cases.md")).filter(|file| file.exists()).collect();
    files.sort();
    files
}

/// The Markdown with the current answers.
fn answered(markdown: &str) -> String {
    let mut answered = String::new();
    let mut outline: Option<String> = None;
    let mut lines = markdown.lines();
    while let Some(line) = lines.next() {
        answered += &format!("{line}\n");
        let Some(block) = fences::opened(line, &mut lines) else { continue };
        if block.info == "outline" {
            answered += &outline.take().expect("an outline follows a source");
        } else {
            answered += &block.text;
            outline = Some(outline_of(block.info, &block.text));
        }
        answered += &format!("{}\n", line.trim_end_matches(block.info));
    }
    if outline.is_some() {
        panic!("the last source has no outline block");
    }
    answered
}

/// `info` is the language and, optionally, `crlf`.
fn outline_of(info: &str, source: &str) -> String {
    let mut words = info.split_whitespace();
    let name = words.next().expect("a source block names its language");
    let language = by_name(name).unwrap_or_else(|| panic!("no language {name}"));
    let source = match words.next() {
        Some("crlf") => source.replace('\n', "\r\n"),
        Some(word) => panic!("unknown word {word}"),
        None => source.to_owned(),
    };
    render::rendered(&language.outline(source.as_bytes()), source.as_bytes())
}

fn first_difference(before: &str, after: &str) -> String {
    let pairs = before.lines().zip(after.lines()).enumerate();
    let mut differences = pairs.filter(|(_, (before, after))| before != after);
    match differences.next() {
        Some((n, (before, after))) => format!("line {}\n  written: {before}\n  is:      {after}", n + 1),
        None => "the number of lines differs".to_owned(),
    }
}
