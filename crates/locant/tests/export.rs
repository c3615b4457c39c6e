//! Reads back what `export` writes, and checks the rules of SCIP indexes and tags files.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod scip;

use std::collections::HashMap;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use scip::{Index, Occurrence};
use serde_json::Value;

/// Files with difficult contents: unusual characters, all kinds of line breaks, duplicate names and syntax errors.
const FILES: &[(&str, &[u8])] = &[
    (
        "models.py",
        "class Größe:\n    '''Wie groß.'''\n    def 𝒇(self): pass\n    def 𝒇(self, x): pass\n".as_bytes(),
    ),
    (
        "src/a b.rs",
        b"mod m {\r\n    /// Adds.\r\n    pub fn add() {}\r\n    macro_rules! x { () => {} }\r\n}\r\n",
    ),
    (
        "web/cart.ts",
        b"\xef\xbb\xbfexport interface A { x: number }\ninterface A { y: number }\nenum E { One }\n",
    ),
    ("broken.py", b"class A:\n    def f(self:\n        return (\nclass B\n    def g(self): pass\n"),
    ("latin.c", b"/* caf\xe9 */ int caf\xe9(void) { return 0; }\nint main(void) { return 0; }\n"),
    ("odd.json", br#"{"a\tb": 1, "!x": 2, " y": 3, "`": 4, "back\\slash": 5, "x[1]": 6, "x": 7, "x": 8}"#),
    ("binary.py", b"def f\0\0\0\xff\xfe"),
    ("notes.md", "# Über uns\n\n## `code` and *more*\n".as_bytes()),
    (
        "shop/order.proto",
        b"syntax = \"proto3\";\npackage shop;\nimport \"shop/money.proto\";\n\
        message Order { Money total = 1; shop.Money tax = 2; State state = 3; enum State { NEW = 0; } }\n",
    ),
    ("shop/money.proto", b"syntax = \"proto3\";\npackage shop;\nmessage Money { int64 units = 1; }\n"),
    (
        "cell.rho",
        br#"new cell in { contract cell(@"get", ret) = { ret!(1) } | new x in { cell!("get", *x) } }"#,
    ),
];

#[test]
fn every_symbol_of_the_outline_is_in_the_index_once_where_it_stands() {
    let tree = tree("index");
    for encoding in ["utf-8", "utf-16", "utf-32"] {
        let index = Index::read(&locant(&tree, &["export", ".", "--scip", "--encoding", encoding]));
        let outline = locant(&tree, &["outline", ".", "--json", "--encoding", encoding]);
        let outline: Value = serde_json::from_slice(&outline).unwrap();
        let mut expected = Vec::new();
        for file in outline["files"].as_array().unwrap() {
            collect(&mut expected, file["file_path"].as_str().unwrap(), &file["symbols"]);
        }
        expected.sort();
        let mut written = Vec::new();
        for document in &index.documents {
            for occurrence in document.occurrences.iter().filter(|one| one.is_definition()) {
                let of_it = |symbol: &&scip::Symbol| symbol.symbol == occurrence.symbol;
                let symbols: Vec<_> = document.symbols.iter().filter(of_it).collect();
                let [symbol] = symbols.as_slice() else { panic!("{}: {symbols:?}", occurrence.symbol) };
                if !symbol.symbol.starts_with("local ") {
                    let (range, extent) = (whole(&occurrence.range), whole(&occurrence.enclosing_range));
                    written.push((document.path.clone(), symbol.name.clone(), range, extent));
                }
            }
        }
        written.sort();
        assert_eq!(written, expected, "{encoding}");
        assert!(index.root.starts_with("file:///") && index.root.ends_with("index"), "{}", index.root);
    }
    fs::remove_dir_all(tree).unwrap();
}

#[test]
fn no_two_symbols_of_an_index_have_one_name() {
    let tree = tree("names");
    let index = Index::read(&locant(&tree, &["export", ".", "--scip"]));
    let mut names = HashMap::new();
    for (document, symbol) in index.symbols().filter(|(_, symbol)| !symbol.symbol.starts_with("local ")) {
        let other = names.insert(symbol.symbol.as_str(), document.path.as_str());
        assert_eq!(other, None, "{}", symbol.symbol);
        let parent = symbol.enclosing.as_str();
        assert!(
            symbol.symbol.starts_with(parent) && symbol.symbol.starts_with("locant . . . "),
            "{symbol:?}"
        );
    }
    for name in ["`models.py`/Größe#`𝒇`(+1).", "`odd.json`/````.", "`odd.json`/`x[2]`.", "src/`a b.rs`/m/x!"]
    {
        let name = format!("locant . . . {}", name.replace("Größe", "`Größe`"));
        assert!(names.contains_key(name.as_str()), "{name} is not among {names:?}");
    }
    fs::remove_dir_all(tree).unwrap();
}

#[test]
fn references_lead_to_what_is_defined() {
    let tree = tree("references");
    let index = Index::read(&locant(&tree, &["export", ".", "--scip"]));
    let mut mentions = Vec::new();
    for document in &index.documents {
        let text = String::from_utf8_lossy(&fs::read(tree.join(&document.path)).unwrap()).into_owned();
        let mentioned = document.occurrences.iter().filter(|one| !one.is_definition());
        mentions.extend(mentioned.map(|one| format!("{} {}", word(&text, one), one.symbol)));
    }
    assert_eq!(
        mentions,
        [
            "cell locant . . . `cell.rho`/cell().",
            "ret local 0",
            "cell locant . . . `cell.rho`/cell().",
            "x locant . . . `cell.rho`/x.",
            "Money locant . . . shop/`money.proto`/Money#",
            "Money locant . . . shop/`money.proto`/Money#",
            "State locant . . . shop/`order.proto`/Order#State#",
        ]
    );
    fs::remove_dir_all(tree).unwrap();
}

#[test]
fn two_runs_write_the_same_and_a_batch_has_it_too() {
    let tree = tree("twice");
    for form in ["--scip", "--ctags"] {
        let bytes = locant(&tree, &["export", ".", form]);
        assert_eq!(bytes, locant(&tree, &["export", ".", form, "--color", "always"]), "{form}");
        let json: Value = serde_json::from_slice(&locant(&tree, &["export", ".", form, "--json"])).unwrap();
        let n_symbols = json["symbols"].as_u64().unwrap();
        match form {
            "--ctags" => {
                let tags = json["tags"].as_str().unwrap();
                assert_eq!(tags.as_bytes(), bytes);
                let n_tags = tags.lines().filter(|line| !line.starts_with('!')).count();
                assert_eq!(n_tags as u64, n_symbols);
            }
            _ => assert_eq!(json["index"].as_str().unwrap().len(), bytes.len().div_ceil(3) * 4),
        }
        let note = json["notes"][0].as_str().unwrap();
        assert!(note.starts_with("1 files were left out") && note.ends_with("is not UTF-8"), "{note}");
    }
    fs::remove_dir_all(tree).unwrap();
}

#[test]
fn tags_are_sorted_and_lead_to_their_lines() {
    let tree = tree("tags");
    let tags = String::from_utf8(locant(&tree, &["export", ".", "--ctags"])).unwrap();
    assert!(tags.lines().map(str::as_bytes).is_sorted());
    for tag in tags.lines().filter(|tag| !tag.starts_with("!_TAG_")) {
        let fields: Vec<&str> = tag.split('\t').collect();
        let [name, path, line, kind, line_field, ..] = fields[..] else { panic!("{tag:?} lacks fields") };
        let number: usize = line.strip_suffix(";\"").unwrap().parse().unwrap();
        assert_eq!(line_field, format!("line:{number}"), "{tag}");
        assert!(kind.bytes().all(|byte| byte.is_ascii_lowercase()), "{tag}");
        let text = fs::read(tree.join(path)).unwrap();
        let line = text.split(|byte| *byte == b'\n').nth(number - 1).unwrap();
        // Names with other characters may be escaped in the tags file or in the source, so they are not compared.
        if name.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            assert!(String::from_utf8_lossy(line).contains(name), "{tag}");
        }
    }
    fs::remove_dir_all(tree).unwrap();
}

/// A symbol in the index and in the outline: its file, its name, the range of the name, and its whole range.
type Place = (String, String, Vec<u64>, Vec<u64>);

fn collect(places: &mut Vec<Place>, path: &str, symbols: &Value) {
    for symbol in symbols.as_array().unwrap() {
        let name = symbol["name"].as_str().unwrap().to_owned();
        let (name_range, extent) = (ends(&symbol["selection_range"]), ends(&symbol["range"]));
        places.push((path.to_owned(), name, name_range, extent));
        collect(places, path, &symbol["children"]);
    }
}

/// The ends of a range, counted from 0.
fn ends(range: &Value) -> Vec<u64> {
    let number = |end: &str, field: &str| range[end][field].as_u64().unwrap() - 1;
    let ends = [("start", "line"), ("start", "character"), ("end", "line"), ("end", "character")];
    ends.iter().map(|(end, field)| number(end, field)).collect()
}

/// A range with both of its lines. The index leaves out the second if it is equal to the first.
fn whole(range: &[u64]) -> Vec<u64> {
    match range {
        [line, start, end] => vec![*line, *start, *line, *end],
        range => range.to_vec(),
    }
}

/// The text of an occurrence in a line of ASCII.
fn word<'t>(text: &'t str, occurrence: &Occurrence) -> &'t str {
    let [line, start, end] = occurrence.range[..] else { panic!("{occurrence:?} is not in one line") };
    let line = text.lines().nth(usize::try_from(line).unwrap()).unwrap();
    &line[usize::try_from(start).unwrap()..usize::try_from(end).unwrap()]
}

/// Writes the files into a temporary folder, with one more file whose name is not valid Unicode.
fn tree(name: &str) -> PathBuf {
    let top = std::env::temp_dir().join(format!("locant-export-{}-{name}", std::process::id()));
    for (path, text) in FILES {
        let path = top.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    fs::write(top.join(std::ffi::OsStr::from_bytes(b"bad\xff.py")), "def f(): pass\n").unwrap();
    top
}

fn locant(tree: &Path, arguments: &[&str]) -> Vec<u8> {
    let output =
        Command::new(env!("CARGO_BIN_EXE_locant")).args(arguments).current_dir(tree).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}
