//! A remark about an answer, such as that it may be wrong, is in every form of the answer, whatever the command.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// A request whose answer has a remark, and the start of the remark.
struct Situation {
    asked: &'static [&'static str],
    said: &'static str,
}

const PLACES: [&str; 5] = ["locate", "range", "describe", "read", "tree"];
const NAMES: [&str; 4] = ["definition", "declaration", "references", "hover"];

const OF_PLACES: &[Situation] = &[
    Situation { asked: &["several.py@i"], said: "this is the first of 4 matches" },
    Situation {
        asked: &["several.py@i", "--nth", "2"],
        said: "this is number 2 of 4 matches, counted from 0",
    },
    Situation { asked: &["several.py:f"], said: "this is the first of 2 matches" },
    Situation { asked: &["several.py@ret"], said: "the match cuts a word in two" },
    Situation { asked: &["broken.py:b"], said: "there are syntax errors in or around the symbol" },
    Situation { asked: &["broken.py:b@x"], said: "there are syntax errors in or around the symbol" },
    Situation { asked: &["bad.py:f"], said: "the text is not valid UTF-8" },
    Situation { asked: &["--anchor", "moved.json"], said: "the file has changed; " },
    Situation { asked: &["--anchor", "renamed.json"], said: "the method `add` around it is `put_in` now" },
];

/// The file is read line by line, so that it has no syntax tree.
const BY_LINE: Situation =
    Situation { asked: &["deep.xml:`first`"], said: "the file is too much for its parser" };

const OF_NAMES: &[Situation] = &[
    Situation { asked: &["shop.proto@Money"], said: "this is the first of 3 matches" },
    Situation { asked: &["shop.proto@Mon"], said: "the match cuts a word in two" },
];

#[test]
fn every_form_of_every_command_says_every_remark() {
    let directory = directory();
    let of_places =
        PLACES.iter().flat_map(|command| OF_PLACES.iter().map(move |situation| (command, situation)));
    let of_names =
        NAMES.iter().flat_map(|command| OF_NAMES.iter().map(move |situation| (command, situation)));
    let by_line = PLACES[..4].iter().map(|command| (command, &BY_LINE));
    let wrong: Vec<String> = of_places
        .chain(of_names)
        .chain(by_line)
        .flat_map(|(command, situation)| unsaid(command, situation, &directory))
        .collect();
    fs::remove_dir_all(&directory).unwrap();
    assert!(wrong.is_empty(), "not said:\n{}", wrong.join("\n"));
}

/// The forms of an answer that lack the remark.
fn unsaid(command: &str, situation: &Situation, directory: &Path) -> Vec<String> {
    let asked = [&[command][..], situation.asked].concat();
    let said = situation.said;
    let (text, beside) = run(&asked, directory);
    let (markdown, _) = run(&[&asked[..], &["--markdown"]].concat(), directory);
    let (json, _) = run(&[&asked[..], &["--json"]].concat(), directory);
    let json: Value = serde_json::from_str(&json).unwrap_or_else(|_| panic!("{asked:?}: {json}"));
    let notes = json["notes"].as_array().cloned().unwrap_or_default();
    let in_json = notes.iter().filter_map(Value::as_str).any(|note| note.starts_with(said));
    let forms = [
        ("text", text.contains(said) || beside.contains(said)),
        ("markdown", markdown.lines().any(|line| line.starts_with(said))),
        ("json", in_json),
    ];
    forms
        .iter()
        .filter(|(_, is_said)| !is_said)
        .map(|(form, _)| format!("{asked:?} {form}: {said}"))
        .collect()
}

/// Where an answer says that there are other places, it has their locations to paste.
#[test]
fn the_other_places_are_there_to_paste() {
    let directory = directory();
    for command in ["locate", "range", "describe", "read"] {
        let (markdown, _) = run(&[command, "several.py@i", "--markdown"], &directory);
        let (json, _) = run(&[command, "several.py@i", "--json"], &directory);
        let json: Value = serde_json::from_str(&json).unwrap();
        let candidates = json["candidates"].as_array().unwrap();
        assert_eq!(candidates.len(), 3, "{command}");
        for candidate in candidates {
            let location = candidate["location"].as_str().unwrap();
            assert!(markdown.contains(&format!("- `{location}`")), "{command}: {location}\n{markdown}");
            let (place, _) = run(&["locate", location, "--json"], &directory);
            let place: Value = serde_json::from_str(&place).unwrap();
            assert_eq!(place["position"], candidate["position"]);
        }
    }
    fs::remove_dir_all(&directory).unwrap();
}

#[test]
fn the_first_line_of_markdown_is_as_ever() {
    let directory = directory();
    let (markdown, _) = run(&["locate", "several.py@i", "--markdown"], &directory);
    assert_eq!(markdown.lines().next(), Some("Located `several.py` at 1:7"));
    fs::remove_dir_all(&directory).unwrap();
}

/// Runs the program; gives its standard output and standard error.
fn run(arguments: &[&str], directory: &Path) -> (String, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_locant")).args(arguments).current_dir(directory).output().unwrap();
    let [out, error] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(output.status.success(), "{arguments:?}: {error}");
    (out, error)
}

/// A directory with the files of the situations. Each test has its own, since tests run side by side.
fn directory() -> PathBuf {
    static N_MADE: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
    let number = N_MADE.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let directory = std::env::temp_dir().join(format!("locant-remarks-{}-{number}", std::process::id()));
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).unwrap();
    let write = |name: &str, text: &[u8]| fs::write(directory.join(name), text).unwrap();
    write("several.py", b"def f(i):\n    i = i + 1\n    return i\n\ndef f(a):\n    pass\n");
    write("broken.py", b"def a():\n    return 1\n\ndef b(:\n    x = 1\n");
    write("bad.py", b"# \xff\ndef f():\n    pass\n");
    write("shop.proto", b"message Money {}\nmessage Cart { Money sum = 1; Money tax = 2; }\n");
    let stairs: String = (0..2000).map(|level| format!("{}<a>\n", " ".repeat(level % 50))).collect();
    write("deep.xml", format!("<a id=\"first\">\n{stairs}").as_bytes());
    let cart =
        "class Cart:\n    def add(self, item):\n        self.items.append(item)\n        return self.items\n";
    write("cart.py", cart.as_bytes());
    for (anchor, file, place) in
        [("moved.json", "moved.py", "@<|>append"), ("renamed.json", "renamed.py", "@<|>append")]
    {
        write(file, cart.as_bytes());
        let (described, _) = run(&["describe", &format!("{file}{place}"), "--json"], &directory);
        write(anchor, described.as_bytes());
    }
    write("moved.py", cart.replace("        self", "        log.append(item)\n        self").as_bytes());
    write("renamed.py", cart.replace("def add", "def put_in").as_bytes());
    directory
}
