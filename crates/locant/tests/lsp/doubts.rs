//! Incomplete answers say so: a rename that may miss some uses, and a list of problems that was cut.

use std::fs;

use serde_json::{Value, json};

use crate::client::{Client, capabilities, list};

const MONEY: &str = "syntax = \"proto3\";\nmessage Money {}\n";
const HIDDEN: &str = "syntax = \"proto3\";\nimport \"money.proto\";\nmessage Bill { Money total = 1; }\n";

fn renamed(client: &mut Client) -> Value {
    client.open("money.proto", MONEY);
    let mut params = client.place("money.proto", &MONEY.replacen("Money", "<|>Money", 1));
    params["newName"] = json!("Cash");
    client.request("textDocument/rename", params)
}

#[test]
fn a_rename_that_may_miss_uses_is_shown_before_it_is_made() {
    let mut able = capabilities("utf-16");
    able["workspace"]["workspaceEdit"]["changeAnnotationSupport"] = json!({"groupsOnLabel": true});
    let mut client = Client::with(&[("money.proto", MONEY), (".hidden/bill.proto", HIDDEN)], "utf-16", able);
    let answer = renamed(&mut client);
    let annotations = answer["changeAnnotations"].as_object().unwrap();
    let (name, annotation) = annotations.iter().next().unwrap();
    assert_eq!(annotation["needsConfirmation"], true);
    assert!(annotation["description"].as_str().unwrap().contains("`.hidden/bill.proto`"), "{annotation}");
    let edits = list(&answer["documentChanges"]).iter().flat_map(|change| list(&change["edits"]));
    assert!(edits.clone().count() > 0 && edits.clone().all(|edit| edit["annotationId"] == *name), "{answer}");
}

#[test]
fn a_client_that_cannot_ask_shows_a_warning() {
    let files = [("money.proto", MONEY), (".hidden/bill.proto", HIDDEN)];
    let mut client = Client::start(&files, "utf-16");
    let answer = renamed(&mut client);
    assert_eq!(answer["changeAnnotations"], Value::Null);
    let told = client.told.iter().find(|told| told["method"] == "window/showMessage").unwrap();
    assert_eq!(told["params"]["type"], 2);
    assert!(told["params"]["message"].as_str().unwrap().contains("may not be complete"), "{told}");
}

#[test]
fn a_rename_that_reaches_all_uses_is_made_without_a_word() {
    let mut client = Client::start(&[("money.proto", MONEY), ("bill.proto", HIDDEN)], "utf-16");
    let answer = renamed(&mut client);
    assert_eq!(list(&answer["documentChanges"]).len(), 2);
    assert!(client.told.iter().all(|told| told["method"] != "window/showMessage"), "{:?}", client.told);
}

fn who_asks() -> Value {
    let mut able = capabilities("utf-16");
    able["textDocument"]["diagnostic"] = json!({"dynamicRegistration": false});
    able
}

fn problems(client: &mut Client, name: &str) -> Vec<Value> {
    let params = json!({"textDocument": {"uri": client.uri(name)}});
    list(&client.request("textDocument/diagnostic", params)["items"]).to_vec()
}

#[test]
fn of_many_problems_the_first_are_told_and_that_there_are_more() {
    let mut client = Client::with(&[], "utf-16", who_asks());
    let fields: String = (1..=1_500).map(|n| format!("  T{n} f{n} = {n};\n")).collect();
    client.open("many.proto", &format!("syntax = \"proto3\";\nmessage M {{\n{fields}}}\n"));
    let problems = problems(&mut client, "many.proto");
    assert_eq!(problems.len(), 1_001);
    assert_eq!(problems[1_000]["message"], "from here on, 500 more problems are not shown");
    assert_eq!(problems[1_000]["range"]["start"]["line"], 1_002);
}

/// One walk through the files is enough for the problems of several documents. But if the problems of a document are
/// requested again, the answer sees what has changed on disk since.
#[test]
fn what_has_changed_on_disk_without_notice_is_seen_when_the_same_is_asked_again() {
    let files = [("money.proto", MONEY), ("a.proto", HIDDEN), ("b.proto", HIDDEN)];
    let mut client = Client::with(&files, "utf-16", who_asks());
    for name in ["a.proto", "b.proto"] {
        client.open(name, HIDDEN);
        assert_eq!(problems(&mut client, name), [] as [Value; 0]);
    }
    fs::write(client.folder.join("money.proto"), "syntax = \"proto3\";\nmessage Other {}\n").unwrap();
    for name in ["b.proto", "a.proto"] {
        assert_eq!(problems(&mut client, name)[0]["code"], "unknown-type");
    }
}
