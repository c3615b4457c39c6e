//! Edits at random, in the sources of all languages: a preview says what is made, all other bytes stay, `undo` brings
//! every byte back, and an edit that was written for another text lands on its line or nowhere.
//!
//! The edits are the same in each run. `cargo xtask random-edits N` tries many, in real sources.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "random_edits/project.rs"]
mod project;
#[path = "random_edits/sources.rs"]
mod sources;
#[path = "random_edits/stale.rs"]
mod stale;

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use project::Project;
use sources::{Draw, Source, sources};

/// How many edits are tried.
fn n_edits() -> usize {
    std::env::var("LOCANT_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(200)
}

/// A place in a file, and what is done there.
struct Trial {
    file: String,
    source: String,
    place: Place,
    /// The lines of the place, both included.
    lines: (usize, usize),
    request: Value,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    Line,
    Lines,
    Coordinate,
    Symbol,
    Find,
    Mark,
    Anchor,
}

const PLACES: [Place; 7] =
    [Place::Line, Place::Lines, Place::Coordinate, Place::Symbol, Place::Find, Place::Mark, Place::Anchor];

const TEXTS: [&str; 8] = ["x", "x\n", "", "  a\n    b", "ä𝄞\r\n", "\n\n", "\tif a:\n\t\tb", "a b  \n\n"];

#[test]
fn edits_do_what_their_previews_say_and_are_taken_back() {
    let project = Project::new("random");
    let mut draw = Draw::new(1);
    let trials = trials(&project, &sources(), &mut draw);
    let requests: Vec<Value> = trials.iter().map(|trial| trial.request.clone()).collect();
    let previews = project.batch(&requests);
    let changed: Vec<(&Trial, &Value)> =
        trials.iter().zip(&previews).filter(|(_, preview)| preview["result"]["id"].is_string()).collect();
    assert!(changed.len() * 3 > trials.len(), "most edits change something: {}", changed.len());
    for (trial, preview) in trials.iter().zip(&previews) {
        assert!(preview["result"].is_object() || is_refusal(preview), "{}: {preview}", trial.request);
    }
    for (trial, preview) in &changed {
        trial.check_lines(preview);
    }
    check_diffs(&project, &changed);
    let all = |op: &str| -> Vec<Value> {
        let request = |(_, preview): &(&Trial, &Value)| json!({"op": op, "preview": preview["result"]["id"]});
        project.batch(&changed.iter().map(request).collect::<Vec<_>>())
    };
    let applied = all("apply");
    for ((trial, preview), applied) in changed.iter().zip(&applied) {
        let made = String::from_utf8(project.read(&trial.file)).unwrap();
        assert!(made == trial.promised(preview), "{} {applied}", trial.request);
        assert_eq!(applied["result"]["locations"].as_array().map(Vec::len), Some(1), "{applied}");
    }
    let locations = applied.iter().map(|applied| &applied["result"]["locations"][0]);
    let questions = locations.map(|location| json!({"op": "locate", "locate": location}));
    let found = project.batch(&questions.collect::<Vec<_>>());
    for ((trial, _), found) in changed.iter().zip(&found) {
        assert!(found["result"].is_object(), "{}: {found}", trial.request);
    }
    for ((trial, _), undone) in changed.iter().zip(all("undo")) {
        assert!(project.read(&trial.file) == trial.source.as_bytes(), "{} {undone}", trial.request);
    }
    println!("{} edits: {} changed something and were taken back", trials.len(), changed.len());
}

/// Whether an answer begins by saying, in exactly these words, that nothing was written.
fn is_refusal(answer: &Value) -> bool {
    answer["error"]["message"].as_str().is_some_and(|message| message.starts_with("nothing was written: "))
}

/// Files with a place in each, and what to do there.
fn trials(project: &Project, sources: &[Source], draw: &mut Draw) -> Vec<Trial> {
    let mut trials: Vec<Trial> = (0..n_edits())
        .map(|n| {
            let (extension, source) = sources::varied(sources, draw);
            let n_lines = source.lines().count().max(1);
            let first = 1 + draw.below(n_lines);
            let last = (first + draw.below(3)).min(n_lines);
            let place = PLACES[n % PLACES.len()];
            let last = if place == Place::Lines { last } else { first };
            Trial {
                file: format!("f{n}.{extension}"),
                source,
                place,
                lines: (first, last),
                request: Value::Null,
            }
        })
        .collect();
    trials.iter().for_each(|trial| project.write(&trial.file, &trial.source));
    let questions: Vec<Value> = trials.iter().map(|trial| trial.question(draw)).collect();
    let answers = project.batch(&questions);
    for ((trial, question), answer) in trials.iter_mut().zip(&questions).zip(&answers) {
        trial.request = trial.request(&answer["result"], question, draw);
    }
    trials
}

impl Trial {
    /// The question that leads to the location of the place.
    fn question(&self, draw: &mut Draw) -> Value {
        let line = format!("{}:{}", self.file, self.lines.0);
        match self.place {
            Place::Symbol => json!({"op": "outline", "file_path": self.file}),
            Place::Mark => json!({"op": "read", "locate": line, "marks": true}),
            _ => {
                let text = self.source.lines().nth(self.lines.0 - 1).unwrap_or_default();
                let text = text.trim_start_matches('\u{feff}');
                let before = draw.below(1 + text.chars().count());
                let column: usize = text.chars().take(before).map(char::len_utf16).sum();
                let position = json!({"line": self.lines.0, "character": column + 1});
                json!({"op": "describe", "file_path": self.file, "position": position})
            }
        }
    }

    /// The edit, given the answer to the question.
    fn request(&mut self, answer: &Value, question: &Value, draw: &mut Draw) -> Value {
        let (file, (first, last)) = (&self.file, self.lines);
        let mut request = json!({"op": "edit", "encoding": "utf-8"});
        match self.place {
            Place::Line => request["locate"] = json!(format!("{file}:{first}")),
            Place::Lines => request["locate"] = json!(format!("{file}:{first}-{last}")),
            Place::Coordinate => {
                let column = &question["position"]["character"];
                request["locate"] = json!(format!("{file}:{first}:{column}"));
            }
            Place::Find => request["locate"] = answer["location"].clone(),
            Place::Anchor => request["anchor"] = answer["anchor"].clone(),
            Place::Mark => {
                let check = answer["items"][0]["lines"][0]["check"].as_str().unwrap_or("none");
                request["locate"] = json!(format!("{file}:{first}~{check}"));
            }
            Place::Symbol => {
                let mut symbols = Vec::new();
                flatten(&mut symbols, &answer["symbols"]);
                match symbols.get(draw.below(symbols.len())) {
                    None => request["locate"] = json!(format!("{file}:{first}")),
                    Some(symbol) => {
                        let line =
                            |end: &str| usize::try_from(symbol["range"][end]["line"].as_u64().unwrap());
                        self.lines = (line("start").unwrap(), line("end").unwrap());
                        request["locate"] = symbol["location"].clone();
                    }
                }
            }
        }
        if matches!(self.place, Place::Find | Place::Anchor) {
            // A find may begin some lines above its place. And if the place is the name of a symbol, the whole symbol
            // is meant.
            self.lines = (1, self.source.lines().count());
        }
        let mode = ["replace", "before", "after", "delete"][draw.below(4)];
        let text = TEXTS[draw.below(TEXTS.len())];
        request[mode] = if mode == "delete" { json!(true) } else { json!(text) };
        request
    }

    /// The text that a preview promises.
    fn promised(&self, preview: &Value) -> String {
        let mut text = self.source.clone();
        for (range, new_text) in self.edits(preview).iter().rev() {
            text.replace_range(range.clone(), new_text);
        }
        text
    }

    /// The ranges of a preview, in bytes, and their new texts.
    fn edits(&self, preview: &Value) -> Vec<(std::ops::Range<usize>, String)> {
        let number = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
        let starts = starts_of_lines(&self.source);
        let range = |edit: &Value| {
            let end = &edit["range"]["end"];
            let mark = if number(&end["line"]) == 1 && self.source.starts_with('\u{feff}') { 3 } else { 0 };
            let start_of_line = starts[number(&end["line"]) - 1];
            number(&edit["offset"])..start_of_line + mark + number(&end["character"]) - 1
        };
        let edits = preview["result"]["changes"][0]["edits"].as_array().cloned().unwrap_or_default();
        edits.iter().map(|edit| (range(edit), edit["new_text"].as_str().unwrap().to_owned())).collect()
    }

    /// Checks that nothing changes but the lines of the place, the lines next to it, and blank lines between.
    fn check_lines(&self, preview: &Value) {
        let lines: Vec<&str> = self.source.split('\n').collect();
        let is_blank = |line: usize| lines.get(line - 1).is_none_or(|line| line.trim().is_empty());
        let (mut first, mut last) = self.lines;
        while first > 1 && is_blank(first - 1) {
            first -= 1;
        }
        // The comments and decorators above a symbol change with it, and may take many lines.
        let n_above = if self.place == Place::Symbol { 200 } else { 1 };
        while last < lines.len() && is_blank(last + 1) {
            last += 1;
        }
        let number = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
        for edit in preview["result"]["changes"][0]["edits"].as_array().unwrap() {
            let (from, to) = (number(&edit["range"]["start"]["line"]), number(&edit["range"]["end"]["line"]));
            assert!(from + n_above >= first && to <= last + 1, "{}: {preview}", self.request);
        }
    }
}

/// Where each line of a text starts, in bytes. A line ends at `\n`, `\r\n` or a lone `\r`.
fn starts_of_lines(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let is_end = |&at: &usize| bytes[at] == b'\n' || bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n');
    std::iter::once(0).chain((0..bytes.len()).filter(is_end).map(|at| at + 1)).collect()
}

fn flatten(symbols: &mut Vec<Value>, tree: &Value) {
    for symbol in tree.as_array().into_iter().flatten() {
        flatten(symbols, &symbol["children"]);
        symbols.push(symbol.clone());
    }
}

/// Gives the diffs of all previews to git, and compares the files that it writes with what the previews promise.
fn check_diffs(project: &Project, changed: &[(&Trial, &Value)]) {
    let copy = project.folder.join("copy");
    fs::create_dir_all(&copy).unwrap();
    let mut diffs = String::new();
    for (trial, preview) in changed {
        fs::write(copy.join(&trial.file), &trial.source).unwrap();
        diffs += preview["result"]["diff"].as_str().unwrap();
    }
    fs::write(project.folder.join("all.diff"), diffs).unwrap();
    let mut git = Command::new("git");
    git.args(["-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", "../all.diff"]).current_dir(&copy);
    git.env("GIT_CEILING_DIRECTORIES", &project.folder);
    let output = git.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for (trial, preview) in changed {
        let made = fs::read_to_string(copy.join(&trial.file)).unwrap_or_default();
        assert!(made == trial.promised(preview), "{}", trial.request);
    }
}
