//! The files that can always be imported: descriptor.proto and the well-known types.
//!
//! `known.txt` is a table of the names and numbers that they declare. The text of each file is generated from it. A
//! test compares the table with the files that come with protoc.

use std::fmt::Write as _;

/// The table of all known files.
const TABLE: &str = include_str!("../known.txt");

/// The text of a known file, without comments and without options that do not matter for paths.
pub fn known_file(path: &str) -> Option<String> {
    let is_file =
        |line: &&str| line.strip_prefix("file ").is_some_and(|rest| rest.split(' ').next() == Some(path));
    let mut lines = TABLE.lines().skip_while(|line| !is_file(line));
    let mut head = lines.next()?.split(' ').skip(2);
    let (package, syntax) = (head.next()?, head.next()?);
    let mut text = match syntax {
        "editions" => "edition = \"2023\";\n".to_owned(),
        syntax => format!("syntax = \"{syntax}\";\n"),
    };
    writeln!(text, "package {package};").ok()?;
    for line in lines.take_while(|line| !line.starts_with("file ")) {
        writeln!(text, "{}", statement(line, syntax == "proto2")?).ok()?;
    }
    Some(text)
}

/// The paths of all known files.
pub fn known_files() -> impl Iterator<Item = &'static str> {
    TABLE.lines().filter_map(|line| line.strip_prefix("file ")?.split(' ').next())
}

/// A line of the table as a line of a .proto file: `* string path 1` gives `repeated string path = 1;`.
fn statement(line: &str, has_labels: bool) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    Some(match *words.as_slice() {
        ["import", path] => format!("import \"{path}\";"),
        ["public", path] => format!("import public \"{path}\";"),
        [block @ ("message" | "enum" | "extend"), name] => format!("{block} {name} {{"),
        ["end"] => "}".to_owned(),
        ["leaves", start, end] => format!("extensions {start} to {end};"),
        ["=", name, number] => format!("{name} = {number};"),
        ["map", key, value, name, number] => format!("map<{key}, {value}> {name} = {number};"),
        [label, kind, name, number, ref rest @ ..] => {
            let label = match label {
                "*" => "repeated ",
                "!" => "required ",
                _ if has_labels => "optional ",
                _ => "",
            };
            let options = if rest.is_empty() { "" } else { " [retention = RETENTION_SOURCE]" };
            format!("{label}{kind} {name} = {number}{options};")
        }
        _ => return None,
    })
}
