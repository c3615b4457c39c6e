//! Each example location in docs/languages.md resolves in a source from the `cases.md` of its language.

#[path = "../../lang/tests/fences/mod.rs"]
mod fences;

use std::fs;
use std::path::Path;

use locant_engine::{Document, Location, Resolution, languages, locate};

/// A source for the example of protocol buffers, which have no `cases.md`.
const PROTO: &str = "message Person {\n  string name = 1;\n}\n";

#[test]
fn every_example_resolves() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("docs/languages.md")).expect("the page is there");
    let table = page.split("\n## ").next().unwrap_or_default();
    let rows: Vec<&str> = table.lines().filter(|line| line.starts_with("| ") && line.contains('`')).collect();
    for row in &rows {
        // A row is written as `| title | files | kinds | EXAMPLE |`, with the example in backticks.
        let cell = row.trim_end_matches('|').rsplit(" | ").next().unwrap_or_default().trim();
        let example = cell.trim_matches('`');
        let path = example.split(':').next().unwrap_or_default();
        let sources = match languages::for_file(path, b"") {
            Some(language) => {
                let cases = root.join("languages").join(language.name()).join("cases.md");
                sources(&fs::read_to_string(&cases).expect("a language has cases"))
            }
            None => vec![PROTO.to_owned()],
        };
        assert!(sources.iter().any(|source| leads(path, source, example)), "{example} leads nowhere");
    }
    let n_folders = fs::read_dir(root.join("languages")).expect("there are languages").count();
    assert_eq!(rows.len(), n_folders + 1, "all that have a folder, and protocol buffers");
}

fn leads(path: &str, source: &str, example: &str) -> bool {
    let location = Location::parse(example, &|_| false).expect("an example is a location");
    let document = Document::new(path, source).expect("cases are text");
    matches!(locate(&document, &location), Resolution::Found(_))
}

/// The fenced sources of a `cases.md`.
fn sources(markdown: &str) -> Vec<String> {
    let mut sources = Vec::new();
    let mut lines = markdown.lines();
    while let Some(line) = lines.next() {
        if let Some(block) = fences::opened(line, &mut lines)
            && block.info != "outline"
        {
            sources.push(block.text);
        }
    }
    sources
}
