//! The commands about locations, in files of any language.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::client::{Client, ENCODINGS, capabilities, list};

const CART: &str = "class Cart:\n    def total(self):\n        x = \"😀\"; return self.sum\n";

/// A client that knows the commands and uses their answers itself.
fn knowing(files: &[(&str, &str)], encoding: &str) -> Client {
    let mut client = Client::silent(files, encoding);
    let folders = json!([{"uri": client.uri("").trim_end_matches('/'), "name": "test"}]);
    let params = json!({
        "workspaceFolders": folders,
        "capabilities": capabilities(encoding),
        "initializationOptions": {"knowsCommands": true},
    });
    let answer = client.request("initialize", params);
    let commands = &answer["capabilities"]["executeCommandProvider"]["commands"];
    assert_eq!(list(commands).len(), 3, "{commands}");
    client
}

fn execute(client: &mut Client, command: &str, argument: Value) -> Value {
    client.ask("workspace/executeCommand", json!({"command": command, "arguments": [argument]}))
}

/// The place that `<|>` marks, as an argument.
fn argument(client: &Client, name: &str, marked: &str) -> Value {
    let place = client.place(name, marked);
    json!({"uri": place["textDocument"]["uri"], "position": place["position"]})
}

#[test]
fn a_location_is_given_for_a_place_or_a_range_in_every_encoding() {
    for encoding in ENCODINGS {
        let mut client = knowing(&[("src/cart.py", CART)], encoding);
        client.open("src/cart.py", CART);
        let here = argument(&client, "src/cart.py", &CART.replace("self.sum", "<|>self.sum"));
        let copied = execute(&mut client, "locant.copyLocation", here);
        assert_eq!(copied["result"]["location"], "src/cart.py:Cart.total@<|>self.sum", "{copied}");
        assert_eq!(copied["result"]["stable"], true);
        let (start, end) = (CART.find("self.sum").expect("it is there"), CART.len() - 1);
        let range = json!({"start": client.position(CART, start), "end": client.position(CART, end)});
        let range = json!({"uri": client.uri("src/cart.py"), "range": range});
        let copied = execute(&mut client, "locant.copyLocation", range);
        assert_eq!(copied["result"]["location"], "src/cart.py:Cart.total@self.sum", "{copied}");
    }
}

#[test]
fn a_location_leads_to_its_place_also_in_a_text_that_is_not_saved() {
    for encoding in ENCODINGS {
        let mut client = knowing(&[("src/cart.py", CART)], encoding);
        let location = json!({"location": "src/cart.py:Cart.total@self.<|>sum"});
        let there = |client: &Client, text: &str| {
            let at = text.find("sum").expect("it is there");
            let position = client.position(text, at);
            json!({"start": position, "end": position})
        };
        let found = execute(&mut client, "locant.goToLocation", location.clone());
        assert_eq!(found["result"]["range"], there(&client, CART), "{found}");
        assert_eq!(client.name(&found["result"]["uri"]), "src/cart.py");
        let text = format!("# 😀\n\n{CART}");
        client.open("src/cart.py", &text);
        let found = execute(&mut client, "locant.goToLocation", location);
        assert_eq!(found["result"]["range"], there(&client, &text), "{found}");
        let lost = execute(&mut client, "locant.goToLocation", json!({"location": "src/cart.py:Cart.totla"}));
        let message = lost["error"]["message"].as_str().expect("it fails");
        assert!(message.contains("totla"), "{message}");
    }
}

#[test]
fn a_place_of_an_earlier_version_is_found() {
    let mut client = knowing(&[("src/cart.py", CART)], "utf-16");
    commit(&client.folder);
    let text = format!("import os\n\n{CART}");
    fs::write(client.folder.join("src/cart.py"), &text).expect("it can be written");
    client.open("src/cart.py", &text);
    let old = argument(&client, "src/cart.py", &CART.replace("self.sum", "<|>self.sum"));
    let expected = client.position(&text, text.find("self.sum").expect("it is there"));
    for earlier in [json!({}), json!({"from": "HEAD"}), json!({"oldText": CART})] {
        let mut asked = old.clone();
        let fields = asked.as_object_mut().expect("it is an object");
        fields.extend(earlier.as_object().expect("it is an object").clone());
        let found = execute(&mut client, "locant.whereDidThisPlaceGo", asked);
        assert_eq!(found["result"]["range"]["start"], expected, "{earlier}: {found}");
    }
    let asked = json!({"location": "src/cart.py:3", "from": "HEAD"});
    let found = execute(&mut client, "locant.whereDidThisPlaceGo", asked);
    assert_eq!(found["result"]["range"]["start"]["line"], 4, "{found}");
}

/// Makes a repository of a folder, with all its files in the first commit.
fn commit(folder: &Path) {
    let git = |arguments: &[&str]| {
        let mut git = Command::new("git");
        git.arg("-C").arg(folder).args(["-c", "user.name=t", "-c", "user.email=t@example.com"]);
        assert!(git.args(arguments).status().expect("git starts").success(), "git {arguments:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "src"]);
    git(&["commit", "-q", "-m", "first"]);
}

#[test]
fn actions_about_locations_are_offered_when_the_user_asks() {
    let notes = "see src/cart.py:Cart.total and more\n";
    let mut client = Client::start(&[("src/cart.py", CART), ("notes.txt", notes)], "utf-16");
    client.open("notes.txt", notes);
    let mut offered = |context: Value| {
        let place = client.place("notes.txt", &notes.replace("Cart", "<|>Cart"));
        let range = json!({"start": place["position"], "end": place["position"]});
        let params = json!({"textDocument": place["textDocument"], "range": range, "context": context});
        client.request("textDocument/codeAction", params)
    };
    let actions = offered(json!({"diagnostics": []}));
    let titles: Vec<&str> = list(&actions).iter().filter_map(|action| action["title"].as_str()).collect();
    let expected = [
        "Go to location src/cart.py:Cart.total",
        "Copy location",
        "Where did this place of the last commit go",
    ];
    assert_eq!(titles, expected);
    assert_eq!(offered(json!({"diagnostics": [], "only": ["source"]})), actions);
    assert_eq!(offered(json!({"diagnostics": [], "triggerKind": 2})), json!([]));
    assert_eq!(offered(json!({"diagnostics": [], "only": ["refactor"]})), Value::Null);
    // This client does not know the commands, so the location comes as a message too.
    let copy = &actions[1]["command"];
    let params = json!({"command": copy["command"], "arguments": copy["arguments"]});
    let copied = client.request("workspace/executeCommand", params);
    assert_eq!(client.wait_for("window/showMessage")["message"], copied["location"]);
}

#[test]
fn a_client_that_shows_documents_is_asked_to() {
    let mut able = capabilities("utf-16");
    able["window"] = json!({"showDocument": {"support": true}});
    let mut client = Client::with(&[("src/cart.py", CART)], "utf-16", able);
    let argument = json!({"location": "src/cart.py:2"});
    let found = execute(&mut client, "locant.goToLocation", argument);
    let shown = client.wait_for("window/showDocument");
    assert_eq!((&shown["uri"], &shown["selection"]), (&found["result"]["uri"], &found["result"]["range"]));
}

#[test]
fn wrong_arguments_are_said_to_be_wrong() {
    let mut client = knowing(&[("a.py", CART)], "utf-16");
    let uri = client.uri("a.py");
    for (command, argument) in [
        ("locant.copyLocation", json!({})),
        ("locant.copyLocation", json!({"uri": uri})),
        ("locant.goToLocation", json!({"uri": uri})),
        ("locant.whereDidThisPlaceGo", json!({})),
        ("locant.unknown", json!({})),
    ] {
        let answer = execute(&mut client, command, argument);
        assert_eq!(answer["error"]["code"], -32602, "{command}: {answer}");
    }
}
