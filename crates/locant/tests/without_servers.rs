//! What is answered without a language server: names by text, and changes that are checked before they are made.

use std::sync::Arc;

use locant::voice::CommandLine;
use locant_api::{Context, ErrorAnswer, Files, Form, Request, run};
use locant_engine::Document;
use locant_engine::names::{Proposal, Question, Refusal, Replacement, Target};
use locant_workspace::{Answered, Asked, InProcess, Known, Provider, Providers, Textual, Unanswered};
use serde_json::{Value, json};

/// A provider that renames the name at the place to any text that is given, and has no other answers.
struct Careless;

impl Provider for Careless {
    fn who(&self) -> String {
        "careless".to_owned()
    }

    fn knows(&self, document: &Document) -> bool {
        document.language() == "python"
    }

    fn extensions(&self, _: Question) -> Vec<String> {
        Vec::new()
    }

    fn definition(&self, _: &Asked<'_>) -> Answered<Vec<Target>> {
        Err(Unanswered::Failed("it fell over".to_owned()))
    }

    fn rename(&self, asked: &Asked<'_>, name: &str) -> Answered<Result<Proposal, Refusal>> {
        let path = asked.document.path().to_owned();
        let replacement = Replacement { path, range: asked.word_range(), text: name.to_owned() };
        let value = Ok(Proposal::from(vec![replacement]));
        Ok(Known { value, who: self.who(), root: None, gaps: Vec::new() })
    }
}

fn ask(providers: Vec<Arc<dyn Provider>>, request: Value) -> Value {
    let Value::Object(fields) = request else { unreachable!("it is an object") };
    let request = Request::from_json(fields, &Default::default()).expect("it is a request");
    let files = Files::default().with_providers(Providers::new(providers));
    match run(request, Context { files: &files, form: Form::Json, voice: &CommandLine }) {
        Ok(answer) => {
            let mut json = Vec::new();
            answer.write(Form::Json, &CommandLine, &mut json).expect("a vector can be written to");
            serde_json::from_slice(&json).expect("it is JSON")
        }
        Err(failure) => json!(ErrorAnswer { error: failure.error(&CommandLine) }),
    }
}

fn by_text(op: &str, locate: &str) -> Value {
    let files = json!({
        "a.py": "class A:\n    def save(self):\n        \"\"\"Keeps it; see save.\"\"\"\n\nA().save()  # save\n",
        "b.py": "import a\na.A().save()\nsaved = 'save'\n",
        "b.js": "save()\n",
    });
    ask(
        vec![Arc::new(InProcess::default()), Arc::new(Textual)],
        json!({"op": op, "locate": locate, "files": files}),
    )
}

/// The places of an answer, as `FILE:LINE:COLUMN`.
fn places(answer: &Value) -> Vec<String> {
    let items = answer["items"].as_array().unwrap_or_else(|| panic!("there are items: {answer}"));
    let place = |item: &Value| {
        let (file, position) = (&item["file_path"], &item["position"]);
        format!("{}:{}:{}", file.as_str().unwrap_or_default(), position["line"], position["character"])
    };
    items.iter().map(place).collect()
}

#[test]
fn a_definition_is_found_by_its_name() {
    let answer = by_text("definition", "b.py@A().<|>save");
    assert_eq!(places(&answer), ["a.py:2:9"]);
    assert_eq!((&answer["server"], &answer["complete"]), (&json!("text"), &json!(false)));
    assert_eq!(answer["items"][0]["guess"], true);
    assert!(answer["incomplete_because"][0].as_str().is_some_and(|why| why.contains("by text")), "{answer}");
    assert_eq!(places(&by_text("declaration", "a.py@A().<|>save")), ["a.py:2:9"]);
    // At its own name, a symbol is no guess.
    assert_eq!(by_text("definition", "a.py:A.save")["items"][0].get("guess"), None);
    assert_eq!(by_text("definition", "b.py@import <|>a")["error"]["kind"], "not_found");
}

#[test]
fn references_are_whole_words_in_code_of_the_language() {
    let answer = by_text("references", "b.py@A().<|>save");
    assert_eq!(places(&answer), ["a.py:2:9", "a.py:5:5", "b.py:2:7"]);
    assert_eq!(answer["complete"], false);
}

#[test]
fn a_hover_shows_the_declaration() {
    let answer = by_text("hover", "b.py@A().<|>save").to_string();
    assert!(answer.contains("def save(self)") && answer.contains("Keeps it"), "{answer}");
}

#[test]
fn what_text_cannot_tell_stays_unsupported() {
    for op in ["completion", "type_definition", "format", "diagnostics"] {
        assert_eq!(by_text(op, "b.py@A().<|>save")["error"]["kind"], "unsupported", "{op}");
    }
}

#[test]
fn a_failure_is_not_hidden_behind_an_answer_by_text() {
    let request = |server: Value| {
        let files = json!({"a.py": "def f(): pass\nf()\n"});
        json!({"op": "definition", "locate": "a.py@<|>f()", "files": files, "server": server})
    };
    let providers = || -> Vec<Arc<dyn Provider>> { vec![Arc::new(Careless), Arc::new(Textual)] };
    assert_eq!(ask(providers(), request(Value::Null))["error"]["kind"], "server");
    assert_eq!(places(&ask(vec![Arc::new(Textual)], request(json!("text")))), ["a.py:1:5"]);
}

#[test]
fn a_check_tells_the_syntax_error_that_a_change_would_bring() {
    let check = |name: &str, text: &str| {
        let files = json!({"a.py": text});
        let rename =
            json!({"op": "rename", "locate": "a.py@<|>f", "files": files, "new_name": name, "check": true});
        ask(vec![Arc::new(Careless)], rename)["check"].clone()
    };
    let sound = check("g", "x = 1\nf = 2\n");
    assert_eq!((&sound["new"], &sound["gone"], &sound["parses"]), (&json!([]), &json!([]), &json!(true)));
    assert_eq!((&sound["server"], &sound["checked"]), (&Value::Null, &json!(["a.py"])));
    let broken = check("g(", "x = 1\nf = 2\n");
    assert_eq!(broken["parses"], false);
    let problem = &broken["new"][0];
    assert_eq!((&problem["code"], &problem["position"]["line"]), (&json!("syntax"), &json!(2)), "{broken}");
    // What was broken before is not new.
    let before = check("g", "x = (\nf = 2\n");
    assert_eq!((&before["new"], &before["parses"]), (&json!([]), &json!(false)));
}

#[test]
fn a_check_tells_the_problems_that_come_and_go() {
    let files = json!({"a.rho": "new x in{\nx!(1)|\n\n\n@\"a\"!(*x, *unknown)}\n"});
    let format = json!({"op": "format", "locate": "a.rho", "files": files, "check": true});
    let answer = ask(vec![Arc::new(InProcess::default())], format);
    let check = &answer["check"];
    // Blanks bring no problems and take none away, wherever they move to.
    assert_eq!(
        (&check["new"], &check["gone"], &check["parses"]),
        (&json!([]), &json!([]), &json!(true)),
        "{answer}"
    );
    assert!(check["server"].as_str().is_some_and(|who| who.starts_with("locant ")), "{answer}");
    let files = json!({"a.proto": "syntax = \"proto3\";\nmessage A {}\nmessage B { A a = 1; C c = 2; }\n"});
    let rename =
        json!({"op": "rename", "locate": "a.proto:A", "new_name": "C", "files": files, "check": true});
    let check = &ask(vec![Arc::new(InProcess::default())], rename)["check"];
    if !check.is_null() {
        assert_eq!(check["gone"][0]["code"], "unknown-type", "{check}");
    }
}
