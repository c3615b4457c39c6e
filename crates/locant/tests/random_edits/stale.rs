//! Edits that were written for a text which has been changed since.

use serde_json::{Value, json};

use super::project::Project;
use super::sources::{Draw, sources, varied};
use super::{is_refusal, n_edits};

/// A line of a text, and where it comes from.
#[derive(Clone)]
struct Line {
    text: String,
    origin: Origin,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Origin {
    /// The line with this index in the old text.
    Old(usize),
    /// A copy of the line with this index in the old text.
    Copy(usize),
    /// A line that is not from the old text.
    New,
}

/// How a place is remembered.
const WAYS: [&str; 3] = ["mark", "check", "anchor"];

/// The command that is asked in place of an edit that is not tried.
const NOT_ASKED: &str = "outline";

/// A file that has changed since a place in it was remembered.
struct Trial {
    file: String,
    /// The index of the line that is meant.
    line: usize,
    old: String,
    new: Vec<Line>,
}

#[derive(Debug, Default)]
struct Tally {
    n_asked: usize,
    n_right: usize,
    n_refused: usize,
    /// How many edits went to a copy of the line. Nothing tells a line from a copy right beside it.
    n_copies: usize,
    wrong: Vec<String>,
}

#[test]
fn an_edit_lands_on_the_line_that_was_meant_or_nowhere() {
    let project = Project::new("stale");
    let (sources, mut draw) = (sources(), Draw::new(2));
    let trials: Vec<Trial> =
        (0..n_edits()).map(|n| Trial::new(n, &varied(&sources, &mut draw), &mut draw)).collect();
    let questions: Vec<Value> = trials.iter().flat_map(|trial| trial.questions(&mut draw)).collect();
    trials.iter().for_each(|trial| project.write(&trial.file, &trial.old));
    let answers = project.batch(&questions);
    trials.iter().for_each(|trial| project.write(&trial.file, trial.new_text()));
    let requests: Vec<Value> =
        trials.iter().zip(answers.chunks(2)).flat_map(|(trial, answers)| trial.requests(answers)).collect();
    let edits = project.batch(&requests);
    let mut n_wrong = 0;
    for (at, way) in WAYS.iter().enumerate() {
        let mut tally = Tally::default();
        for (n, trial) in trials.iter().enumerate() {
            let index = WAYS.len() * n + at;
            trial.count(&mut tally, &requests[index], &edits[index]);
        }
        println!(
            "{way}: {} asked, {} right, {} refused, {} on a copy, {} wrong",
            tally.n_asked,
            tally.n_right,
            tally.n_refused,
            tally.n_copies,
            tally.wrong.len()
        );
        tally.wrong.iter().take(5).for_each(|wrong| println!("  {wrong}"));
        assert!(tally.n_right * 3 > tally.n_asked, "many edits land: {tally:?}");
        assert!(tally.n_asked * 3 > trials.len(), "many edits are asked for: {tally:?}");
        n_wrong += tally.wrong.len();
    }
    assert!(n_wrong * 1000 <= WAYS.len() * trials.len(), "{n_wrong} edits landed elsewhere");
}

impl Trial {
    fn new(n: usize, (extension, source): &(String, String), draw: &mut Draw) -> Trial {
        // A line without a line break would run into one that is put after it.
        let source = source.trim_start_matches('\u{feff}').trim_end_matches(['\r', '\n']).to_owned() + "\n";
        let lines: Vec<&str> = source.split_inclusive('\n').collect();
        let told: Vec<usize> =
            (0..lines.len()).filter(|line| lines[*line].contains(char::is_alphanumeric)).collect();
        let line = told.get(draw.below(told.len())).copied().unwrap_or_default();
        let mut new: Vec<Line> = lines
            .iter()
            .enumerate()
            .map(|(index, text)| Line { text: (*text).to_owned(), origin: Origin::Old(index) })
            .collect();
        for _ in 0..1 + draw.below(5) {
            change(&mut new, line, draw);
        }
        Trial { file: format!("s{n}.{extension}"), line, old: source, new }
    }

    fn new_text(&self) -> String {
        self.new.iter().map(|line| line.text.as_str()).collect()
    }

    fn questions(&self, draw: &mut Draw) -> [Value; 2] {
        let line = self.line + 1;
        let text = self.old.lines().nth(self.line).unwrap_or_default().trim_start_matches('\u{feff}');
        let words: Vec<usize> =
            text.char_indices().filter(|(_, c)| c.is_alphanumeric()).map(|(at, _)| at).collect();
        let at = words.get(draw.below(words.len())).copied().unwrap_or_default();
        let column = text[..at].encode_utf16().count() + 1;
        [
            json!({"op": "read", "locate": format!("{}:{line}", self.file), "marks": true}),
            json!({"op": "describe", "file_path": self.file, "checked": true,
                "position": {"line": line, "character": column}}),
        ]
    }

    /// The edit, once for each of the three ways to remember its place.
    fn requests(&self, answers: &[Value]) -> [Value; 3] {
        let check = answers[0]["result"]["items"][0]["lines"][0]["check"].as_str().unwrap_or("none");
        let marked = format!("{}:{}~{check}", self.file, self.line + 1);
        let described = &answers[1]["result"];
        let location = described["location"].as_str().unwrap_or_default();
        // A location without a find means a whole symbol, which may begin elsewhere. Some places cannot have a check.
        // Edits at such locations are not tried.
        let request = |is_asked: bool, key: &str, value: &Value| {
            if is_asked {
                json!({"op": "edit", key: value, "before": "EDITED"})
            } else {
                json!({"op": NOT_ASKED, "locate": self.file})
            }
        };
        let is_found = location.contains('@') && !location.contains("@<#");
        [
            json!({"op": "edit", "locate": marked, "delete": true}),
            request(is_found && location.contains("<#"), "locate", &described["location"]),
            request(is_found, "anchor", &described["anchor"]),
        ]
    }

    fn count(&self, tally: &mut Tally, request: &Value, answer: &Value) {
        if request["op"] == NOT_ASKED {
            return;
        }
        tally.n_asked += 1;
        if is_refusal(answer) {
            tally.n_refused += 1;
            return;
        }
        let edit = &answer["result"]["changes"][0]["edits"][0];
        let Some(line) = edit["range"]["start"]["line"].as_u64() else {
            // To remove the last line, which is empty, changes nothing.
            assert!(answer["result"].is_object(), "{request}: {answer}");
            tally.n_refused += 1;
            return;
        };
        // If the last line has no line break, the line break before it is removed with it.
        let is_end = edit["new_text"] == "" && edit["range"]["start"]["character"] != 1;
        let line = usize::try_from(line).unwrap() - 1 + usize::from(is_end);
        match self.new.get(line).map(|line| line.origin) {
            Some(Origin::Old(origin)) if origin == self.line => tally.n_right += 1,
            Some(Origin::Copy(origin)) if origin == self.line => tally.n_copies += 1,
            origin => tally.wrong.push(format!(
                "{} line {} on {line} ({origin:?}): {request}",
                self.file,
                self.line + 1
            )),
        }
    }
}

/// Changes a text as people do, often near the line that is meant.
fn change(lines: &mut Vec<Line>, line: usize, draw: &mut Draw) {
    let near = lines.iter().position(|one| one.origin == Origin::Old(line)).unwrap_or_default();
    let at = match draw.below(2) {
        0 => draw.below(lines.len()),
        _ => (near + draw.below(9)).saturating_sub(4).min(lines.len().saturating_sub(1)),
    };
    if lines.is_empty() {
        return;
    }
    let end = (at + 1 + draw.below(6)).min(lines.len());
    match draw.below(6) {
        0 => lines.insert(at, Line { text: "something_new = 1\n".to_owned(), origin: Origin::New }),
        1 => drop(lines.drain(at..end)),
        2 => {
            // A copy of some lines, right below them.
            let copies: Vec<Line> = lines[at..end].iter().map(Line::copy).collect();
            drop(lines.splice(end..end, copies));
        }
        3 => {
            // A copy of some lines, anywhere.
            let copies: Vec<Line> = lines[at..end].iter().map(Line::copy).collect();
            let to = draw.below(lines.len() + 1);
            drop(lines.splice(to..to, copies));
        }
        4 => {
            let text = lines[at].text.trim_end().to_owned() + " more\n";
            lines[at].text = text;
        }
        _ => {
            let moved: Vec<Line> = lines.drain(at..end).collect();
            let to = draw.below(lines.len() + 1);
            drop(lines.splice(to..to, moved));
        }
    }
}

impl Line {
    fn copy(&self) -> Line {
        let origin = match self.origin {
            Origin::Old(index) | Origin::Copy(index) => Origin::Copy(index),
            Origin::New => Origin::New,
        };
        Line { text: self.text.clone(), origin }
    }
}
