//! Readers: programs that read paths and print the symbols of each file, as one line of JSON for each file.
//!
//! Our own reader is `locant batch`, so that the comparison is about what users get.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use serde_json::{Value, json};

use super::reading::Reading;
use crate::children::{cargo, run, target_directory};

/// A symbol that a reader gives.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub(super) struct Symbol {
    pub(super) name: String,
    pub(super) kind: String,
    /// The line where its name starts, counted from 1.
    pub(super) line: u64,
    #[serde(default)]
    pub(super) column: u64,
    /// The kinds of the symbols that contain it, the outermost first.
    #[serde(default)]
    pub(super) inside: Vec<String>,
}

/// The symbols of files, by path; `Err` says why a file could not be read.
pub(super) type Outlines = BTreeMap<PathBuf, Result<Vec<Symbol>, String>>;

pub(super) fn build_locant() -> Result<PathBuf> {
    run(&mut cargo(&["build", "--quiet", "-p", "locant"]))?;
    Ok(target_directory()?.join("debug").join("locant"))
}

/// The outlines that another program makes.
pub(super) fn theirs(command: &mut Command, paths: &[PathBuf]) -> Result<Outlines> {
    #[derive(Deserialize)]
    struct Line {
        path: PathBuf,
        symbols: Option<Vec<Symbol>>,
        error: Option<String>,
    }
    let input: String = paths.iter().map(|path| format!("{}\n", path.display())).collect();
    let mut outlines = Outlines::new();
    for line in exchange(command, input)?.lines() {
        let line: Line = serde_json::from_str(line).with_context(|| format!("it said {line}"))?;
        let symbols = line.symbols.ok_or_else(|| line.error.unwrap_or_default());
        outlines.insert(line.path, symbols);
    }
    for path in paths {
        ensure!(outlines.contains_key(path), "it did not speak about {}", path.display());
    }
    Ok(outlines)
}

/// Our outlines, with columns in the encoding of the other program.
pub(super) fn ours(locant: &Path, reading: &Reading, paths: &[PathBuf]) -> Result<Outlines> {
    let encoding = reading.columns.as_deref().unwrap_or("utf-8");
    let language = &reading.language;
    let request = |path: &PathBuf| {
        let request = json!({"op": "outline", "file_path": path, "language": language, "encoding": encoding});
        format!("{request}\n")
    };
    let input: String = paths.iter().map(request).collect();
    let answers = exchange(Command::new(locant).arg("batch"), input)?;
    let mut outlines = Outlines::new();
    for (path, answer) in paths.iter().zip(answers.lines()) {
        let answer: Value = serde_json::from_str(answer).context("our own answer is no JSON")?;
        let outline = match answer["error"]["message"].as_str() {
            Some(message) => Err(message.to_owned()),
            None => {
                let mut symbols = Vec::new();
                collect(&mut symbols, &answer["result"]["symbols"], &[]);
                Ok(symbols)
            }
        };
        outlines.insert(path.clone(), outline);
    }
    ensure!(outlines.len() == paths.len(), "locant did not answer every line");
    Ok(outlines)
}

fn collect(symbols: &mut Vec<Symbol>, list: &Value, inside: &[String]) {
    for symbol in list.as_array().into_iter().flatten() {
        let text = |key: &str| symbol[key].as_str().unwrap_or_default().to_owned();
        let start = &symbol["selection_range"]["start"];
        let number = |key: &str| start[key].as_u64().unwrap_or_default();
        let inside = inside.to_vec();
        let kind = text("kind");
        let within: Vec<String> = inside.iter().chain([&kind]).cloned().collect();
        symbols.push(Symbol {
            name: text("name"),
            kind,
            line: number("line"),
            column: number("character"),
            inside,
        });
        collect(symbols, &symbol["children"], &within);
    }
}

/// Gives a program its input and returns what it prints.
fn exchange(command: &mut Command, input: String) -> Result<String> {
    let name = format!("{command:?}");
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("could not start {name}"))?;
    let mut stdin = child.stdin.take().expect("it is piped");
    // Another thread writes the input. Otherwise the two programs could wait for each other, with both pipes full.
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output()?;
    ensure!(output.status.success(), "{name} failed ({})", output.status);
    writer.join().expect("writing does not panic").with_context(|| format!("{name} did not listen"))?;
    String::from_utf8(output.stdout).with_context(|| format!("{name} printed no UTF-8"))
}
