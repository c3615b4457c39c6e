//! Whatever files a server wants to create, move or remove: it is understood, or refused.
#![cfg(target_os = "linux")]

mod stage;

use serde_json::{Value, json};
use stage::Stage;

/// Asks for a rename that a server answers with these changes of documents, in a project with the file `a.py`, whose
/// text is `x = target` twice, and `b.py`. `@` is the address of the project.
fn renamed(changes: &Value) -> Value {
    let stage = Stage::new("edit");
    stage.write("b.py", "b = 1\n");
    std::fs::create_dir_all(stage.path("project/folder")).expect("there is room");
    let project = format!("file://{}", stage.path("project").display());
    let edit = json!({"documentChanges": changes}).to_string().replace('@', &project);
    std::fs::write(stage.path("acts/edit"), edit).expect("there is room");
    let answer = stage.client(5_000).ask(&json!({"op": "rename", "alone": true}));
    answer["value"].clone()
}

#[track_caller]
fn check(changes: &Value, expected: &Value) {
    assert_eq!(renamed(changes), *expected, "{changes}");
}

#[track_caller]
fn check_refused(changes: &Value, why: &str) {
    let answer = renamed(changes);
    let refused = answer["refused"].as_str().unwrap_or_default();
    assert!(refused.contains(why), "{changes}: {answer}");
}

fn create(name: &str) -> Value {
    json!({"kind": "create", "uri": format!("@/{name}")})
}

fn rename(from: &str, to: &str) -> Value {
    json!({"kind": "rename", "oldUri": format!("@/{from}"), "newUri": format!("@/{to}")})
}

fn delete(name: &str) -> Value {
    json!({"kind": "delete", "uri": format!("@/{name}")})
}

fn with(mut change: Value, option: &str) -> Value {
    change["options"] = json!({option: true});
    change
}

/// An edit that replaces columns of the first line.
fn edit(name: &str, start: u32, end: u32, text: &str) -> Value {
    let range = json!({"start": {"line": 0, "character": start}, "end": {"line": 0, "character": end}});
    let document = json!({"uri": format!("@/{name}"), "version": null});
    json!({"textDocument": document, "edits": [{"range": range, "newText": text}]})
}

#[test]
fn files_are_created_with_their_texts() {
    let text = |text: &str| format!("Create {{ path: \"new/c.py\", text: {text:?} }}");
    check(&json!([create("new/c.py")]), &json!([text("")]));
    check(&json!([create("new/c.py"), edit("new/c.py", 0, 0, "x\n")]), &json!([text("x\n")]));
    let twice = [edit("new/c.py", 0, 0, "one two\n"), edit("new/c.py", 4, 7, "three")];
    check(&json!([create("new/c.py"), twice[0], twice[1]]), &json!([text("one three\n")]));
    check(&json!([create("c.py"), edit("c.py", 0, 0, "x"), rename("c.py", "new/c.py")]), &json!([text("x")]));
    check(&json!([create("c.py"), delete("c.py"), edit("b.py", 0, 1, "c")]), &json!([["b.py", "c"]]));
}

#[test]
fn files_are_moved_together_with_their_edits() {
    let moved = |to: &str| format!("Move {{ from: \"a.py\", to: {to:?} }}");
    check(&json!([rename("a.py", "c.py")]), &json!([moved("c.py")]));
    for changes in [
        json!([edit("a.py", 4, 10, "other"), rename("a.py", "sub/c.py")]),
        json!([rename("a.py", "sub/c.py"), edit("sub/c.py", 4, 10, "other")]),
        json!([rename("a.py", "d.py"), edit("d.py", 4, 10, "other"), rename("d.py", "sub/c.py")]),
    ] {
        check(&changes, &json!([["a.py", "other"], moved("sub/c.py")]));
    }
}

#[test]
fn files_are_removed() {
    let removed = "Remove { path: \"b.py\" }";
    check(&json!([delete("b.py")]), &json!([removed]));
    check(&json!([edit("b.py", 0, 1, "c"), delete("b.py")]), &json!([removed]));
    check(&json!([rename("b.py", "c.py"), delete("c.py")]), &json!([removed]));
    check(
        &json!([with(delete("no.py"), "ignoreIfNotExists"), edit("b.py", 0, 1, "c")]),
        &json!([["b.py", "c"]]),
    );
}

#[test]
fn what_is_in_the_way_stays() {
    check_refused(&json!([create("b.py")]), "wants to create `b.py`, which is there already");
    check_refused(&json!([with(create("b.py"), "overwrite")]), "wants to create `b.py`, which is there");
    check_refused(&json!([rename("a.py", "b.py")]), "wants to move a file to `b.py`, which is there already");
    check_refused(&json!([with(rename("a.py", "b.py"), "overwrite")]), "which is there already");
    check_refused(&json!([create("c.py"), create("c.py")]), "wants to create `c.py`");
    let places = json!([rename("a.py", "t.py"), rename("b.py", "a.py"), rename("t.py", "b.py")]);
    check_refused(&places, "a file in the place of");
    check_refused(&json!([delete("a.py"), create("a.py")]), "a file in the place of `a.py`");
    let ignored = [with(create("b.py"), "ignoreIfExists"), edit("b.py", 0, 1, "c")];
    check(&json!(ignored), &json!([["b.py", "c"]]));
}

#[test]
fn what_makes_no_sense_is_refused() {
    check_refused(&json!([delete("no.py")]), "wants to remove `no.py`, which cannot be read");
    check_refused(&json!([rename("folder", "other")]), "the folder `folder`; only files can be");
    check_refused(&json!([delete("folder")]), "the folder `folder`; only files can be");
    check_refused(&json!([rename("a.py", "c.py"), edit("a.py", 0, 1, "y")]), "has moved away or removed");
    check_refused(&json!([delete("a.py"), edit("a.py", 0, 1, "y")]), "has moved away or removed");
    check_refused(&json!([delete("a.py"), delete("a.py")]), "cannot be read");
    check_refused(&json!([{"kind": "explode", "uri": "@/a.py"}]), "wants to explode a file");
    check_refused(&json!([{"kind": "create", "uri": "untitled:c.py"}]), "`untitled:c.py`, which is no file");
    check_refused(&json!([{"kind": "create"}]), "which is no file");
}

#[test]
fn edits_of_another_text_than_there_is_are_refused() {
    let of_version = |version: Value| {
        let mut change = edit("a.py", 4, 10, "z");
        change["textDocument"]["version"] = version;
        json!([change])
    };
    check(&of_version(json!(1)), &json!([["a.py", "z"]]));
    check_refused(&of_version(json!(7)), "would change another version of");
    check_refused(&of_version(json!(0)), "would change another version of");
    let not_there = "wants to change a range that `a.py` does not have";
    check_refused(&json!([edit("a.py", 60, 66, "z")]), not_there);
    check_refused(&json!([edit("a.py", 4, 11, "z")]), not_there);
    check_refused(&json!([edit("a.py", 10, 4, "z")]), not_there);
    let mut below = edit("a.py", 4, 10, "z");
    below["edits"][0]["range"] =
        json!({"start": {"line": 9, "character": 0}, "end": {"line": 9, "character": 1}});
    check_refused(&json!([below]), not_there);
    below["edits"][0]["range"] =
        json!({"start": {"line": -1, "character": 0}, "end": {"line": 0, "character": 1}});
    check_refused(&json!([below]), not_there);
}

#[test]
fn edits_that_contradict_each_other_are_refused() {
    check_refused(&json!([edit("a.py", 4, 10, "y"), edit("a.py", 4, 10, "z")]), "overlap");
    check_refused(&json!([edit("a.py", 0, 10, "y"), edit("a.py", 4, 10, "z")]), "overlap");
    // The same one twice is one.
    check(&json!([edit("a.py", 4, 10, "z"), edit("a.py", 4, 10, "z")]), &json!([["a.py", "z"]]));
    check_refused(&json!([edit("a.py", 5, 10, "z")]), "a part of a word");
}

#[test]
fn what_is_no_file_of_this_machine_is_not_changed() {
    let at = |address: &str| {
        let mut change = edit("a.py", 4, 10, "z");
        change["textDocument"]["uri"] = json!(address);
        json!([change])
    };
    for address in
        ["file://elsewhere/a.py", "@/../project/a.py", "@/%2e%2e/project/a.py", "untitled:a.py", "a.py", ""]
    {
        check_refused(&at(address), "which is no file of this machine");
    }
    check_refused(&at("@/none.py"), "cannot be read");
    check_refused(&at("@/a%FF.py"), "cannot be read");
    check_refused(&json!([{"kind": "create", "uri": "@/../c.py"}]), "which is no file of this machine");
    check_refused(
        &json!([{"kind": "rename", "oldUri": "@/a.py", "newUri": "@/../c.py"}]),
        "which is no file",
    );
}

#[test]
fn commands_that_may_do_more_than_send_edits_are_not_run() {
    let stage = Stage::new("well");
    stage.settings("[servers.ty]\ncommands = [\"send\"]\n");
    let answer = stage.client(5_000).ask(&json!({"op": "actions", "alone": true}));
    let [send, write] = [0, 1].map(|n| answer["value"][n][1].as_str().unwrap_or_default().to_owned());
    assert!(send.contains("Remove { path: \"a.py\" }"), "{answer}");
    assert!(write.contains("by the command `write`, which may do more"), "{answer}");
    assert_eq!(stage.notes(), "send\n");
}
