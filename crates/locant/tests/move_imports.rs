//! A symbol moves, and whoever knows the language offers the imports that are needed then.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use locant::voice::CommandLine;
use locant_api::{Context, Files, Form, Request, run};
use locant_engine::names::{Action, Diagnostic, Mention, Question, Replacement, Role, Severity};
use locant_engine::{Document, Range};
use locant_workspace::{Answered, Asked, Known, Provider, Providers};
use serde_json::{Value, json};

/// Knows the functions `f`, `g` and `two`, and the module `json`: a name that a file uses must be declared or imported.
/// It remembers the last text that it was asked about of each file.
#[derive(Default)]
struct Scripted(Mutex<Vec<(String, String)>>);

const NAMES: [(&str, &[&str]); 4] = [
    ("f", &["from b import f"]),
    ("g", &["from a import g"]),
    ("json", &["import json", "from elsewhere import json"]),
    ("two", &["from x import two", "from y import two"]),
];

impl Scripted {
    fn known<T>(&self, asked: &Asked<'_>, value: T) -> Known<T> {
        Known { value, who: self.who(), root: Some(asked.scope.project.root.clone()), gaps: Vec::new() }
    }
}

fn text_of(document: &Document) -> String {
    String::from_utf8(document.text().bytes().to_vec()).unwrap()
}

fn path_of(asked: &Asked<'_>) -> String {
    asked.scope.project.below(&asked.scope.base.absolute(asked.document.path()))
}

/// Where a text uses a name, and whether it knows it.
fn uses(text: &str, name: &str) -> (Vec<Range>, bool) {
    let is_known = text.contains(&format!("def {name}("))
        || text.lines().any(|line| line.contains("import") && line.ends_with(&format!(" {name}")));
    let mut ranges = Vec::new();
    for end in ["(", "."] {
        for (at, _) in text.match_indices(&format!("{name}{end}")) {
            let is_word = at == 0 || !text.as_bytes()[at - 1].is_ascii_alphanumeric();
            let is_declared = text[..at].ends_with("def ");
            if is_word && !is_declared {
                ranges.push(Range::of_indices(at..at + name.len()));
            }
        }
    }
    (ranges, is_known)
}

impl Provider for Scripted {
    fn who(&self) -> String {
        "scripted 1".to_owned()
    }

    fn knows(&self, document: &Document) -> bool {
        document.language() == "python"
    }

    fn extensions(&self, _: Question) -> Vec<String> {
        vec!["py".to_owned()]
    }

    fn references(&self, asked: &Asked<'_>) -> Answered<Vec<Mention>> {
        let mut mentions = Vec::new();
        for path in ["a.py", "c.py"] {
            let text = fs::read_to_string(asked.scope.project.root.join(path)).unwrap();
            let all = uses(&text, &asked.word()).0;
            let mention = |range| Mention { path: path.to_owned(), range, role: Role::Use, is_guess: false };
            mentions.extend(all.into_iter().map(mention));
        }
        Ok(self.known(asked, mentions))
    }

    fn problems(&self, asked: &Asked<'_>) -> Answered<Vec<Diagnostic>> {
        let text = text_of(asked.document);
        self.0.lock().unwrap().push((path_of(asked), text.clone()));
        let mut problems = Vec::new();
        // The file `c.py` knows all that `a.py` declares.
        let a = asked.scope.snapshot.text(&asked.scope.project.root.join("a.py")).unwrap();
        let a = String::from_utf8_lossy(a.bytes()).into_owned();
        for (name, _) in NAMES {
            let (ranges, mut is_known) = uses(&text, name);
            is_known |= path_of(asked) == "c.py" && a.contains(&format!("def {name}("));
            let problem = |range| Diagnostic {
                range,
                severity: Severity::Error,
                code: String::new(),
                source: "scripted".to_owned(),
                message: format!("`{name}` is unknown"),
                hint: String::new(),
                is_unused: false,
            };
            problems.extend(ranges.into_iter().filter(|_| !is_known).map(problem));
        }
        Ok(self.known(asked, problems))
    }

    fn actions(&self, asked: &Asked<'_>, within: Range) -> Answered<Vec<Action>> {
        let (path, word) = (path_of(asked), asked.document.text().lossy(within).into_owned());
        let action = |title: String, path: &str, text: String| Action {
            title,
            kind: "quickfix".to_owned(),
            is_preferred: false,
            changes: Ok(
                vec![Replacement { path: path.to_owned(), range: Range::of_indices(0..0), text }].into()
            ),
        };
        let offers = NAMES.iter().filter(|(name, _)| *name == word).flat_map(|(_, offers)| offers.iter());
        let mut actions: Vec<Action> =
            offers.map(|line| action(format!("Add import: {line}"), &path, format!("{line}\n"))).collect();
        // What mends nothing, or is no import, is not taken.
        actions.push(action("Ignore the import for this line".to_owned(), &path, "# ignored\n".to_owned()));
        actions.push(action("Add import to another file".to_owned(), "d.py", format!("import {word}\n")));
        Ok(self.known(asked, actions))
    }
}

struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn imports_that_are_offered_are_part_of_the_move() {
    let folder = std::env::temp_dir().join(format!("locant-move-imports-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join(".git")).unwrap();
    let folder = Folder(folder.canonicalize().unwrap());
    let f = "# About f.\ndef f():\n    return json.dumps(g() + two() + g())\n";
    let a = format!("import json\n\n\n{f}\n\ndef g():\n    return f()\n");
    let texts = [("a.py", a.as_str()), ("b.py", "x = 1\n"), ("c.py", "print(f())\n"), ("d.py", "y = 1\n")];
    texts.iter().for_each(|(path, text)| fs::write(folder.0.join(path), text).unwrap());
    let scripted = Arc::new(Scripted::default());
    let providers: Vec<Arc<dyn Provider>> = vec![scripted.clone()];
    let files = Files::default().with_providers(Providers::new(providers));
    let question = json!({"op": "move", "locate": "a.py:f", "to": "b.py", "root": folder.0});
    let Value::Object(fields) = question else { unreachable!("it is an object") };
    let request = Request::from_json(fields, &Default::default()).unwrap();
    let Ok(answer) = run(request, Context { files: &files, form: Form::Json, voice: &CommandLine }) else {
        panic!("refused")
    };
    let mut said = Vec::new();
    answer.write(Form::Json, &CommandLine, &mut said).unwrap();
    let said: Value = serde_json::from_slice(&said).unwrap();
    let new = |path: &str| -> String {
        let change = said["changes"].as_array().unwrap().iter().find(|change| change["file_path"] == path);
        let edits = change.map(|change| change["edits"].as_array().unwrap().clone()).unwrap_or_default();
        edits.iter().map(|edit| edit["new_text"].as_str().unwrap()).collect()
    };
    assert_eq!(new("a.py"), "from b import f\n");
    assert_eq!(new("c.py"), "from b import f\n");
    let b = new("b.py");
    assert!(
        b.contains("import json\n") && b.contains("from a import g\n") && !b.contains("elsewhere"),
        "{said}"
    );
    assert!(!b.contains(" two\n") && !b.contains("ignored"), "two are as good: {said}");
    assert_eq!((new("d.py"), said["server"].as_str()), (String::new(), Some("scripted 1")));
    let notes = said["notes"].to_string();
    assert!(notes.contains("`b.py`: Add import: import json"), "{notes}");
    assert!(notes.contains("both files import each other now"), "{notes}");
    assert!(notes.contains("all places that use it have their imports"), "{notes}");
    // Whoever was told of texts that are not on disk is told last how the files are.
    let asked = scripted.0.lock().unwrap();
    for (path, text) in &texts[..3] {
        let last = asked.iter().rev().find(|(other, _)| other == path);
        assert_eq!(last.map(|(_, text)| text.as_str()), Some(*text), "{path}");
        assert_eq!(fs::read_to_string(folder.0.join(path)).unwrap(), *text);
    }
}
