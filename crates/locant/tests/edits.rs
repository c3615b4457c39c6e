//! Edits from the command line: shown, made, taken back, refused.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// A folder with files to edit.
struct Project {
    folder: PathBuf,
}

/// What a command answers.
struct Answered {
    code: i32,
    json: Value,
}

impl Project {
    fn new(name: &str) -> Project {
        let folder = std::env::temp_dir().join(format!("locant-edits-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("root/.git")).unwrap();
        Project { folder }
    }

    fn write(&self, file: &str, text: impl AsRef<[u8]>) {
        fs::write(self.folder.join("root").join(file), text).unwrap();
    }

    fn read(&self, file: &str) -> Vec<u8> {
        fs::read(self.folder.join("root").join(file)).unwrap()
    }

    fn locant(&self, arguments: &[&str], input: &str) -> Answered {
        let mut command = Command::new(env!("CARGO_BIN_EXE_locant"));
        command.args(arguments).arg("--json").current_dir(self.folder.join("root"));
        command.env("XDG_CACHE_HOME", self.folder.join("cache"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A command that does not read its input may have ended.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        let json = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
        Answered { code: output.status.code().unwrap(), json }
    }

    fn ok(&self, arguments: &[&str], input: &str) -> Value {
        let Answered { code, json } = self.locant(arguments, input);
        assert_eq!(code, 0, "{arguments:?}: {json}");
        json
    }

    /// The kind and the message of a failure.
    fn failed(&self, arguments: &[&str], input: &str) -> (i32, String) {
        let Answered { code, json } = self.locant(arguments, input);
        let message = json["error"]["message"].as_str().unwrap_or_default().to_owned();
        assert!(message.starts_with("nothing was "), "{arguments:?}: {json}");
        (code, message)
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

const SOURCE: &[u8] =
    b"\xef\xbb\xbfclass A:\r\n    x = 1\r\n\r\n    def f(self):\r\n        return \"\xff\xfe\"\r\n";

#[test]
fn what_is_applied_leads_on_and_is_taken_back() {
    let project = Project::new("undo");
    project.write("a.py", SOURCE);
    let made = project.ok(&["edit", "a.py:A.f", "--after", "-", "--apply"], "def g(self):\n    return 2\n");
    let expected = [SOURCE, b"\r\n    def g(self):\r\n        return 2\r\n"].concat();
    assert_eq!(project.read("a.py"), expected);
    assert_eq!(made["locations"], json!(["a.py:A.g"]));
    let shown = project.ok(&["edit", "a.py:A.f", "--delete"], "");
    let applied = project.ok(&["apply", shown["id"].as_str().unwrap()], "");
    assert_eq!(applied["total"], 1);
    let undone = project.ok(&["undo", applied["undo"].as_str().unwrap()], "");
    assert_eq!(project.read("a.py"), expected);
    project.ok(&["undo", undone["undo"].as_str().unwrap()], "");
    assert_ne!(project.read("a.py"), expected);
    let (code, _) = project.failed(&["undo", made["undo"].as_str().unwrap()], "");
    assert_eq!(code, 3);
}

#[test]
fn a_plan_is_one_change() {
    let project = Project::new("plan");
    project.write("a.py", "x = 1\n\n\ndef f():\n    pass\n");
    project.write("b.py", "y = 1\n");
    let plan = json!([
        {"locate": "a.py:f", "replace": "def f():\n    return 1"},
        {"locate": "a.py:x", "before": "import os"},
        {"locate": {"file_path": "b.py", "scope": {"line": 1}}, "after": "z = 2"},
        {"locate": "b.py:1", "after": "w = 3"},
    ]);
    let made = project.ok(&["edit", "--plan", "-", "--apply"], &plan.to_string());
    assert_eq!(project.read("a.py"), b"import os\n\n\nx = 1\n\n\ndef f():\n    return 1\n");
    assert_eq!(project.read("b.py"), b"y = 1\nz = 2\nw = 3\n");
    assert_eq!((&made["total"], made["locations"].as_array().unwrap().len()), (&json!(4), 4));
    let overlapping = json!([{"locate": "a.py:1-3", "delete": true}, {"locate": "a.py:2", "replace": "y"}]);
    let (code, message) = project.failed(&["edit", "--plan", "-"], &overlapping.to_string());
    assert!(code == 3 && message.contains("`a.py:1-3` and `a.py:2` overlap"), "{message}");
    assert_eq!(project.failed(&["edit", "--plan", "-"], "{}").0, 2);
}

#[test]
fn wrong_requests_write_nothing() {
    let project = Project::new("wrong");
    project.write("a.py", "x = 1\ny = 1\n");
    for (arguments, code) in [
        (&["edit", "a.py:1"][..], 2),
        (&["edit", "a.py:1", "--delete", "--replace", "x"], 2),
        (&["edit", "a.py@1", "--delete"], 1),
        (&["edit", "a.py:nowhere", "--delete"], 1),
        (&["edit", "a.py:1", "--delete", "--sha256", "00"], 3),
        (&["edit", "/etc/hosts:1", "--delete", "--apply"], 3),
    ] {
        assert_eq!(project.failed(arguments, "").0, code, "{arguments:?}");
    }
    assert_eq!(project.read("a.py"), b"x = 1\ny = 1\n");
}

#[test]
fn marked_lines_are_edited_where_they_are_now() {
    let project = Project::new("marks");
    project.write("a.py", "a = 1\nb = 2\nc = 3\nb = 2\n");
    let read = project.ok(&["read", "a.py", "--marks"], "");
    let lines = read["items"][0]["lines"].as_array().unwrap();
    let mark = |n: usize| format!("{n}~{}", lines[n - 1]["check"].as_str().unwrap());
    project.write("a.py", "new = 0\na = 1\nb = 2\nc = 3\nb = 2\n");
    let last = format!("a.py:{}", mark(4));
    let made = project.ok(&["edit", &last, "--replace", "b = 5", "--apply"], "");
    assert_eq!(
        (&made["status"], project.read("a.py")),
        (&json!("relocated"), b"new = 0\na = 1\nb = 2\nc = 3\nb = 5\n".to_vec())
    );
    assert_eq!(project.failed(&["edit", &last, "--delete"], "").0, 3);
    let range = format!("a.py:{}-{}", mark(1), mark(3));
    project.ok(&["edit", &range, "--delete", "--apply"], "");
    assert_eq!(project.read("a.py"), b"new = 0\nb = 5\n");
    assert_eq!(project.locant(&["locate", &range], "").code, 1);
}

/// The sources of the cases of all languages, each with the ending of its files.
fn sources() -> Vec<(String, String)> {
    let languages = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../languages");
    let mut sources = Vec::new();
    let mut folders: Vec<PathBuf> =
        fs::read_dir(languages).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    for folder in folders {
        let settings = fs::read_to_string(folder.join("language.toml")).unwrap();
        let extensions =
            settings.lines().find_map(|line| line.strip_prefix("extensions = [\"")).unwrap_or("txt\"");
        let extension = extensions.split('"').next().unwrap_or_default().to_owned();
        let cases = fs::read_to_string(folder.join("cases.md")).unwrap();
        let fenced = cases.split("\n```").collect::<Vec<_>>();
        // What stands between the first and the second fence is a source, what follows is text or an outline.
        let source = |part: &&str| part.split_once('\n').map(|(_, source)| format!("{source}\n"));
        sources.extend(
            fenced.iter().skip(1).step_by(2).filter_map(source).map(|text| (extension.clone(), text)),
        );
    }
    sources
}

/// How many edits are tried at random.
fn n_edits() -> usize {
    std::env::var("LOCANT_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(200)
}

/// A small generator of numbers (xorshift), so that each run tries the same edits.
fn next(state: &mut u64, below: usize) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    usize::try_from(*state >> 33).unwrap() % below.max(1)
}

fn edit(state: &mut u64, file: &str, source: &str) -> Value {
    let n_lines = source.lines().count();
    let first = 1 + next(state, n_lines);
    let last = (first + next(state, 3)).min(n_lines.max(1));
    let columns = source.lines().nth(first - 1).map_or(1, |line| 1 + line.chars().count());
    let column = 1 + next(state, columns);
    let location = match next(state, 3) {
        0 => format!("{file}:{first}"),
        1 => format!("{file}:{first}-{last}"),
        _ => format!("{file}:{first}:{column}"),
    };
    let text = ["x", "x\n", "", "  a\n    b", "ä𝄞\r\n", "\n\n"][next(state, 6)];
    let mode = ["replace", "before", "after", "delete"][next(state, 4)];
    let value = if mode == "delete" { json!(true) } else { json!(text) };
    json!({"op": "edit", "locate": location, mode: value, "encoding": "utf-8"})
}

/// The text that a preview promises.
fn promised(source: &str, preview: &Value) -> String {
    let mut text = source.to_owned();
    let edits = preview["changes"][0]["edits"].as_array().cloned().unwrap_or_default();
    for edit in edits.iter().rev() {
        let end = &edit["range"]["end"];
        let number = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
        let start_of_line: usize =
            source.split_inclusive('\n').take(number(&end["line"]) - 1).map(str::len).sum();
        let range = number(&edit["offset"])..start_of_line + number(&end["character"]) - 1;
        text.replace_range(range, edit["new_text"].as_str().unwrap());
    }
    text
}

impl Project {
    fn batch(&self, requests: &[Value]) -> Vec<Value> {
        let input: String = requests.iter().map(|request| format!("{request}\n")).collect();
        let mut command = Command::new(env!("CARGO_BIN_EXE_locant"));
        command
            .arg("batch")
            .current_dir(self.folder.join("root"))
            .env("XDG_CACHE_HOME", self.folder.join("cache"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap().unwrap();
        let answers = String::from_utf8(output.stdout).unwrap();
        answers.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

#[test]
fn random_edits_do_what_their_previews_say_and_are_taken_back() {
    let (project, sources, mut state) = (Project::new("random"), sources(), 0x2545_f491_4f6c_dd1d);
    let cases: Vec<(String, &String)> = (0..n_edits())
        .map(|n| {
            let (extension, source) = &sources[next(&mut state, sources.len())];
            (format!("f{n}.{extension}"), source)
        })
        .collect();
    cases.iter().for_each(|(file, source)| project.write(file, source));
    let requests: Vec<Value> = cases.iter().map(|(file, source)| edit(&mut state, file, source)).collect();
    let previews = project.batch(&requests);
    let ids: Vec<(usize, Value)> = previews
        .iter()
        .enumerate()
        .map(|(n, answer)| (n, answer["result"]["id"].clone()))
        .filter(|(_, id)| id.is_string())
        .collect();
    assert!(ids.len() * 3 > cases.len(), "most edits change something: {} of {}", ids.len(), cases.len());
    let all = |op: &str| -> Vec<Value> {
        let requests: Vec<Value> = ids.iter().map(|(_, id)| json!({"op": op, "preview": id})).collect();
        project.batch(&requests)
    };
    for ((n, _), answer) in ids.iter().zip(all("apply")) {
        let (file, source) = &cases[*n];
        let expected = promised(source, &previews[*n]["result"]);
        assert_eq!(String::from_utf8(project.read(file)).unwrap(), expected, "{} {answer}", requests[*n]);
        assert_eq!(answer["result"]["locations"].as_array().map(Vec::len), Some(1), "{answer}");
    }
    for ((n, _), answer) in ids.iter().zip(all("undo")) {
        let (file, source) = &cases[*n];
        assert_eq!(String::from_utf8(project.read(file)).unwrap(), **source, "{} {answer}", requests[*n]);
    }
}
