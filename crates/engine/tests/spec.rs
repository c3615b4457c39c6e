//! The specification of the location language, as cases in Markdown: `tests/spec/*.md`.
//!
//! A case file has fenced sources, whose info string is `LANGUAGE PATH`, and fenced `cases` that ask about the source
//! above them. Each question is one line: `locate LOCATION`, `range LOCATION`, `describe L:C` or `describe L:C-L:C`.
//! The answer follows, indented. In a question, `␤` stands for a line break. `UPDATE=1` rewrites the answers; read them
//! before you commit.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use locant_engine::{
    Candidate, Diagnosis, Document, Encoding, Found, Location, Offset, Position, Resolution,
};

#[test]
fn the_specification_holds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/spec");
    let mut n_cases = 0;
    let mut wrong = String::new();
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in files.iter().filter(|file| file.extension().is_some_and(|end| end == "md")) {
        let text = std::fs::read_to_string(file).unwrap();
        let (answered, n) = answer_all(&text);
        n_cases += n;
        if answered == text {
            continue;
        }
        match std::env::var_os("UPDATE") {
            Some(_) => std::fs::write(file, answered).unwrap(),
            None => wrong += &difference(file, &text, &answered),
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(n_cases > 100, "only {n_cases} cases were found");
}

/// The lines around the first difference between a file and the same file with new answers.
fn difference(file: &Path, text: &str, answered: &str) -> String {
    let mut shown = format!("{}\n", file.display());
    let (old, new): (Vec<_>, Vec<_>) = (text.lines().collect(), answered.lines().collect());
    let first = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    for line in old.iter().skip(first.saturating_sub(2)).take(8) {
        let _ = writeln!(shown, "  expected {line}");
    }
    for line in new.iter().skip(first.saturating_sub(2)).take(8) {
        let _ = writeln!(shown, "  answered {line}");
    }
    shown
}

/// The file with all answers rewritten, and the number of answers.
fn answer_all(text: &str) -> (String, usize) {
    let (mut out, mut n_cases) = (String::new(), 0);
    let mut document = None;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let _ = writeln!(out, "{line}");
        let Some(fence) = line.strip_prefix("```").filter(|fence| !fence.is_empty()) else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        if fence == "cases" {
            let document: &Document = document.as_ref().expect("a source stands above the cases");
            for question in block.iter().filter(|line| !line.starts_with(' ') && !line.is_empty()) {
                let _ = write!(out, "{question}\n{}", answer(document, question));
                n_cases += 1;
            }
        } else {
            document = Some(source(fence, &block));
            block.iter().for_each(|line| out += &format!("{line}\n"));
        }
        out += "```\n";
    }
    (out, n_cases)
}

/// Reads a source. `␍`, `␌`, `\u{FEFF}` and `\u{2028}` stand for the characters that they name. `␄` ends the source
/// without a line break.
fn source(fence: &str, block: &[&str]) -> Document {
    let (_, path) = fence.split_once(' ').unwrap_or((fence, "file.txt"));
    let mut text = block.iter().map(|line| format!("{line}\n")).collect::<String>();
    for (name, meant) in [("␍", "\r"), ("␌", "\u{c}"), ("\\u{FEFF}", "\u{feff}"), ("\\u{2028}", "\u{2028}")]
    {
        text = text.replace(name, meant);
    }
    if let Some(end) = text.find('␄') {
        text.truncate(end);
    }
    Document::new(path, text).expect("a readable source")
}

fn answer(document: &Document, question: &str) -> String {
    let question = question.replace('␤', "\n");
    let (verb, what) = question.split_once(' ').expect("a verb and what it asks");
    match verb {
        "locate" => resolved(document, what, locant_engine::locate),
        "range" => resolved(document, what, locant_engine::range),
        "describe" => described(document, what),
        _ => panic!("what is {verb}?"),
    }
}

fn resolved(document: &Document, what: &str, ask: fn(&Document, &Location) -> Resolution) -> String {
    // `location #2` asks for the match with index 2.
    let (what, find_index) = match what.rsplit_once(" #") {
        Some((what, index)) => (what, index.parse().expect("an index")),
        None => (what, 0),
    };
    let location = match Location::parse(what, &|path| path == document.path()) {
        Ok(location) => Location { find_index, ..location },
        Err(invalid) => return format!("    invalid: {}\n    hint: {}\n", invalid.message, invalid.hint),
    };
    let is_range = std::ptr::fn_addr_eq(ask, locant_engine::range as fn(&Document, &Location) -> Resolution);
    match ask(document, &location) {
        Resolution::Found(found) if is_range => range_line(document, &found),
        Resolution::Found(found) => found_line(document, &found),
        Resolution::NotFound(diagnosis) => diagnosis_lines(document, "not found", &diagnosis),
        Resolution::Ambiguous(diagnosis) => diagnosis_lines(document, "ambiguous", &diagnosis),
        Resolution::Unsupported(diagnosis) => diagnosis_lines(document, "unsupported", &diagnosis),
        Resolution::Invalid(invalid) => {
            format!("    invalid: {}\n    hint: {}\n", invalid.message, invalid.hint)
        }
    }
}

fn found_line(document: &Document, found: &Found) -> String {
    format!(
        "    {}{}\n{}",
        shown(document, found.offset),
        remarks(found),
        candidates(document, &found.others)
    )
}

fn range_line(document: &Document, found: &Found) -> String {
    let position = |offset| document.text().position(offset, Encoding::Utf16).expect("a position");
    let text = document.text().lossy(found.range).replace('\n', "␤").replace('\r', "␍");
    let range = format!("{}-{}", position(found.range.start()), position(found.range.end()));
    format!("    {range} [{text}]{}\n{}", remarks(found), candidates(document, &found.others))
}

fn remarks(found: &Found) -> String {
    let matches = if found.matches == 1 { String::new() } else { format!(" ({} matches)", found.matches) };
    let partial = if found.partial { " (cuts a word)" } else { "" };
    format!(
        "{matches}{partial}{}",
        if found.has_unread_parameters { " (parameters not compared)" } else { "" }
    )
}

fn diagnosis_lines(document: &Document, what: &str, diagnosis: &Diagnosis) -> String {
    let hints: Vec<_> = diagnosis.hints.iter().map(|hint| hint.words(document.path())).collect();
    let (message, hint) = (&diagnosis.message, hints.join("; "));
    format!("    {what}: {message}\n    hint: {hint}\n{}", candidates(document, &diagnosis.candidates))
}

fn candidates(document: &Document, candidates: &[Candidate]) -> String {
    let line = |candidate: &Candidate| {
        let described = locant_engine::describe_one_of(document, candidate.offset, 1);
        let description = described.expect("a position");
        format!("    - {} ({})\n", description.location, candidate.reason.words())
    };
    candidates.iter().map(line).collect()
}

/// The position of a place and the text of its line, with `‸` at the place.
fn shown(document: &Document, offset: Offset) -> String {
    let text = document.text();
    let position = text.position(offset, Encoding::Utf16).expect("a position");
    let line = text.line_content(position.line).expect("a line");
    let (before, after) = (
        text.lossy(locant_engine::Range::new(line.start(), offset)),
        text.lossy(locant_engine::Range::new(offset, line.end())),
    );
    format!("{position} {before}‸{after}")
}

fn described(document: &Document, what: &str) -> String {
    let position = |word: &str| {
        let (line, character) = word.split_once(':').expect("LINE:COLUMN");
        Position { line: line.parse().expect("a line"), character: character.parse().expect("a column") }
    };
    let offset = |word: &str| document.text().offset(position(word), Encoding::Utf16).expect("a position");
    let description = match what.split_once('-') {
        None => locant_engine::describe(document, offset(what)),
        Some((start, end)) => {
            let range = locant_engine::Range::new(offset(start), offset(end));
            locant_engine::describe_range(document, range)
        }
    };
    let description = description.expect("a description");
    let remark = if description.stable { "" } else { " (unstable)" };
    format!("    {}{remark}\n", description.location)
}
