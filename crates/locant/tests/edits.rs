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
    let misspelt = json!([{"locate": "a.py:1", "replace": "y", "sha": "00"}]);
    let (code, message) = project.failed(&["edit", "--plan", "-"], &misspelt.to_string());
    assert!(code == 2 && message.contains("no field `sha`"), "{message}");
}

/// Removes symbols from a file by one plan, and takes that back.
fn check_removed(old: &str, symbols: &[&str], expected: &str) {
    let project = Project::new("emptied");
    project.write("a.py", old);
    let edits = symbols.iter().map(|symbol| json!({"locate": format!("a.py:{symbol}"), "delete": true}));
    let made = project.ok(&["edit", "--plan", "-", "--apply"], &json!(edits.collect::<Vec<_>>()).to_string());
    assert_eq!(String::from_utf8(project.read("a.py")).unwrap(), expected, "{symbols:?}");
    project.ok(&["undo", made["undo"].as_str().unwrap()], "");
    assert_eq!(project.read("a.py"), old.as_bytes());
}

#[test]
fn a_block_that_a_plan_empties_gets_what_its_language_wants_there() {
    let method = |name: &str| format!("    def {name}(self):\n        pass\n");
    let old = format!("class A:\n{}\n    # About g.\n{}\n\ndef h():\n    pass\n", method("f"), method("g"));
    let emptied = "class A:\n    pass\n\n\ndef h():\n    pass\n";
    check_removed(&old, &["A.f", "A.g"], emptied);
    check_removed(&old, &["A.g", "A.f"], emptied);
    check_removed(&old, &["A.g", "A.f", "h"], "class A:\n    pass\n");
    let windows = |text: &str| text.replace('\n', "\r\n");
    check_removed(&windows(&old), &["A.f", "A.g"], &windows(emptied));
    check_removed("class A:\n    x = 1\n    y = 2", &["A.x", "A.y"], "class A:\n    pass");
    // Something is left.
    let documented = "class A:\n    \"About A.\"\n    x = 1\n    y = 2\n";
    check_removed(documented, &["A.x", "A.y"], "class A:\n    \"About A.\"\n");
    check_removed("x = 1\ny = 2\nz = 3\n", &["x", "y", "z"], "");
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
fn marks_in_a_new_text_are_not_written() {
    let project = Project::new("copied");
    project.write("a.py", "def f():\n    return 1\n");
    let read = project.ok(&["read", "a.py", "--marks"], "");
    let check = read["items"][0]["lines"][1]["check"].as_str().unwrap();
    let copied = format!("2~{check} │     return 2\n");
    let (code, message) = project.failed(&["edit", "a.py:2", "--replace", "-", "--apply"], &copied);
    assert!(code == 3 && message.contains(&format!("the mark `2~{check}`")), "{message}");
    // What only looks like a mark is a text like any other.
    project.ok(&["edit", "a.py:2", "--replace", "2~aaaaaa │ x", "--apply"], "");
    assert_eq!(project.read("a.py"), "def f():\n    2~aaaaaa │ x\n".as_bytes());
}

#[test]
fn what_has_another_name_now_is_not_changed() {
    let project = Project::new("renamed");
    let old = "def process(items):\n    result = []\n    return result\n\n\ndef other():\n    pass\n";
    project.write("a.py", old);
    let described = project.ok(&["describe", "a.py:process"], "");
    project.write("anchor.json", described.to_string());
    project.write("a.py", old.replace("process", "handle"));
    let found = project.ok(&["locate", "--anchor", "anchor.json"], "");
    assert_eq!(found["status"], "renamed", "{found}");
    let refused = project.locant(&["edit", "--anchor", "anchor.json", "--delete", "--apply"], "");
    assert_eq!(refused.code, 3, "{}", refused.json);
    assert_eq!(refused.json["error"]["candidates"][0]["location"], "a.py:handle", "{}", refused.json);
    assert_eq!(project.read("a.py"), old.replace("process", "handle").as_bytes());
}

#[test]
fn a_refused_apply_says_first_that_nothing_was_written() {
    let project = Project::new("refused");
    project.write("a.py", "x = 1\n");
    let shown = project.ok(&["edit", "a.py:1", "--replace", "x = 2"], "");
    let id = shown["id"].as_str().unwrap();
    assert_eq!(project.failed(&["undo", id], "").0, 3);
    project.write("a.py", "x = 3\n");
    assert_eq!(project.failed(&["apply", id], "").0, 3);
    assert_eq!(project.failed(&["apply", "0123456789abcdef0123456789abcdef"], "").0, 1);
    assert_eq!(project.failed(&["undo", "0123456789abcdef0123456789abcdef"], "").0, 1);
    assert_eq!(project.read("a.py"), b"x = 3\n");
}

#[test]
fn a_move_says_what_else_may_need_an_import() {
    let project = Project::new("move");
    project.write("a.py", "def helper():\n    pass\n\n\ndef f():\n    return helper()\n");
    project.write("b.py", "def g():\n    pass\n");
    let moved = project.ok(&["move", "a.py:f", "--to", "b.py", "--no-daemon"], "");
    let notes = moved["notes"].to_string();
    assert!(notes.contains("it uses `helper` of `a.py`"), "{notes}");
    let moved = project.ok(&["move", "a.py:f", "--to", "a.py:helper", "--no-daemon"], "");
    assert!(!moved["notes"].to_string().contains("import"), "{moved}");
    let moved = project.ok(&["move", "a.py:f", "--to", "b.py", "--check", "--no-daemon"], "");
    assert_eq!(moved["check"]["parses"], json!(true));
}

/// Moves a symbol to a file that is not there, and takes that back. Returns the text of the new file.
fn moved_to_new(project: &Project, symbol: &str, to: &str) -> String {
    let (from, _) = symbol.split_once(':').unwrap();
    let before = project.read(from);
    let made = project.ok(&["move", symbol, "--to", to, "--apply", "--no-daemon", "--check"], "");
    assert_eq!((&made["check"]["parses"], &made["total"]), (&json!(true), &json!(2)), "{made}");
    assert!(made["diff"].as_str().unwrap().contains(&format!("--- /dev/null\n+++ b/{to}\n")), "{made}");
    let text = String::from_utf8(project.read(to)).unwrap();
    project.ok(&["undo", made["undo"].as_str().unwrap()], "");
    assert_eq!(project.read(from), before);
    assert!(!project.folder.join("root").join(to).exists(), "{to}");
    text
}

#[test]
fn a_move_makes_the_file_that_is_missing() {
    let project = Project::new("move-new");
    let class = "class C:\n    def m(self):\n        return 1\n\n    x = 1\n";
    project.write("a.py", format!("import os\n\n\n# About f.\n@cache\ndef f():\n    return os\n\n\n{class}"));
    assert_eq!(
        moved_to_new(&project, "a.py:f", "deep/er/b.py"),
        "# About f.\n@cache\ndef f():\n    return os\n"
    );
    assert!(!project.folder.join("root/deep").exists());
    assert_eq!(moved_to_new(&project, "a.py:C.m", "b.py"), "def m(self):\n    return 1\n");
    project.write("crlf.py", "def f():\r\n    return 1\r\n\r\n\r\ndef g():\r\n    pass\r\n");
    assert_eq!(moved_to_new(&project, "crlf.py:f", "b.py"), "def f():\r\n    return 1\r\n");
}

#[test]
fn a_file_that_is_made_begins_as_its_language_wants_it() {
    let project = Project::new("move-head");
    let go = "// Copyright.\npackage shop\n\nimport \"fmt\"\n\n// F does.\nfunc F() { fmt.Println() }\n";
    project.write("a.go", format!("{go}\nfunc G() {{}}\n"));
    assert_eq!(
        moved_to_new(&project, "a.go:F", "b.go"),
        "package shop\n\n// F does.\nfunc F() { fmt.Println() }\n"
    );
    project.write("a.php", "<?php\n\nnamespace A\\B;\n\nuse X;\n\nfunction f() {}\n\nfunction g() {}\n");
    assert_eq!(moved_to_new(&project, "a.php:f", "b.php"), "<?php\nnamespace A\\B;\n\nfunction f() {}\n");
    project.write(
        "a.proto",
        "syntax = \"proto3\";\npackage p;\n\nimport \"x.proto\";\n\nmessage M {}\n\nmessage N {}\n",
    );
    assert_eq!(
        moved_to_new(&project, "a.proto:M", "b.proto"),
        "syntax = \"proto3\";\npackage p;\n\nmessage M {}\n"
    );
}

#[test]
fn how_a_file_begins_is_not_made_up() {
    let project = Project::new("move-package");
    let java = "package a;\n\nclass X {}\n\nclass Y {}\n";
    for folder in ["a", "b", "empty"] {
        fs::create_dir_all(project.folder.join("root").join(folder)).unwrap();
    }
    project.write("a/X.java", java);
    for to in ["empty/Y.java", "nowhere/Y.java"] {
        let (code, message) =
            project.failed(&["move", "a/X.java:Y", "--to", to, "--apply", "--no-daemon"], "");
        assert!(code == 3 && message.contains("how it would have to begin is not known"), "{message}");
    }
    project.write("b/Z.java", "package b;\n\nclass Z {}\n");
    assert_eq!(moved_to_new(&project, "a/X.java:Y", "b/Y.java"), "package b;\n\nclass Y {}\n");
    // In some languages a file alone has this name.
    project.write("words.erl", "-module(words).\n\nf() -> 1.\n\ng() -> 2.\n");
    assert_eq!(project.failed(&["move", "words.erl:f", "--to", "other.erl", "--no-daemon"], "").0, 3);
    assert_eq!(project.read("a/X.java"), java.as_bytes());
}

#[test]
fn a_file_is_made_only_where_nothing_is_and_below_the_root() {
    let project = Project::new("move-where");
    project.write("a.py", "def f():\n    pass\n\n\ndef g():\n    pass\n");
    let root = project.folder.join("root");
    fs::create_dir(root.join("folder")).unwrap();
    fs::create_dir(project.folder.join("outside")).unwrap();
    std::os::unix::fs::symlink("../outside", root.join("link")).unwrap();
    std::os::unix::fs::symlink("../outside/dangling.py", root.join("dangling.py")).unwrap();
    let outside = project.folder.join("outside/b.py");
    for to in
        ["folder", "new/", "../b.py", outside.to_str().unwrap(), "link/b.py", "dangling.py", "a.py/b.py"]
    {
        project.failed(&["move", "a.py:f", "--to", to, "--apply", "--no-daemon"], "");
        assert_eq!(fs::read_dir(project.folder.join("outside")).unwrap().count(), 0, "{to}");
        assert!(!project.folder.join("b.py").exists(), "{to}");
    }
    // Someone makes the file, or takes the other one away, between the preview and the change.
    let shown = project.ok(&["move", "a.py:f", "--to", "b.py", "--no-daemon"], "");
    project.write("b.py", "theirs = 1\n");
    assert_eq!(project.failed(&["apply", shown["id"].as_str().unwrap()], "").0, 3);
    assert_eq!(project.read("b.py"), b"theirs = 1\n");
    fs::remove_file(root.join("b.py")).unwrap();
    fs::rename(root.join("a.py"), root.join("gone.py")).unwrap();
    assert_eq!(project.failed(&["apply", shown["id"].as_str().unwrap()], "").0, 3);
    assert!(!root.join("b.py").exists() && !root.join("a.py").exists());
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
