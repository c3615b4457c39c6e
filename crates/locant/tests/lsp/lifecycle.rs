//! From the first message to the last: nothing but `exit` ends the server, and it ends as the protocol says.

use serde_json::{Value, json};

use crate::client::{Client, capabilities};

#[test]
fn a_farewell_ends_well_and_leaving_without_one_does_not() {
    let client = Client::start(&[], "utf-16");
    assert_eq!(client.leave(), Some(0));
    let mut client = Client::start(&[], "utf-16");
    client.notify("exit", Value::Null);
    assert_eq!(client.wait(), Some(1));
    let mut client = Client::start(&[], "utf-16");
    assert_eq!(client.wait(), Some(1), "the client is gone");
    let mut client = Client::start(&[], "utf-16");
    client.request("shutdown", Value::Null);
    assert_eq!(client.ask("textDocument/hover", Value::Null)["error"]["code"], -32600);
    assert_eq!(client.wait(), Some(0), "it has said so before");
}

#[cfg(target_os = "linux")]
#[test]
fn the_server_ends_with_the_process_that_has_started_it() {
    use std::process::{Command, Stdio};
    let mut parent = Command::new("cat").stdin(Stdio::piped()).spawn().expect("it starts");
    let mut client = Client::silent(&[], "utf-16");
    client.request("initialize", json!({"processId": parent.id(), "capabilities": {}}));
    client.request("workspace/symbol", json!({"query": "x"}));
    parent.kill().expect("it runs");
    parent.wait().expect("it has ended");
    assert_eq!(client.wait_listening(), Some(1));
}

#[test]
fn nothing_is_answered_before_the_handshake() {
    let mut client = Client::silent(&[], "utf-16");
    assert_eq!(client.ask("textDocument/hover", json!({}))["error"]["code"], -32002);
    assert_eq!(client.ask("shutdown", json!({}))["error"]["code"], -32002);
    client.notify("textDocument/didOpen", json!({"nonsense": 1}));
    let answer = client.request("initialize", json!({"capabilities": capabilities("utf-8")}));
    assert_eq!(answer["serverInfo"]["name"], "locant");
    assert_eq!(client.ask("initialize", json!({}))["error"]["code"], -32600);
    assert_eq!(client.leave(), Some(0));
}

#[test]
fn a_client_that_says_nothing_counts_in_utf_16() {
    let mut client = Client::silent(&[], "utf-16");
    let answer = client.request("initialize", json!({}));
    assert_eq!(answer["capabilities"]["positionEncoding"], "utf-16");
    let mut client = Client::silent(&[], "utf-16");
    let odd = json!({"capabilities": {"general": {"positionEncodings": ["utf-7", 3, "utf-32", "utf-8"]}}});
    assert_eq!(client.request("initialize", odd)["capabilities"]["positionEncoding"], "utf-32");
}

#[test]
fn what_is_malformed_gets_an_error_and_the_server_goes_on() {
    let mut client = Client::start(&[("a.proto", "message A {}\n")], "utf-16");
    client.send_raw(b"Content-Length: 5\r\n\r\n{oops");
    assert_eq!(client.answer(&Value::Null)["error"]["code"], -32700);
    client.send_raw(b"Content-Length: 2\r\n\r\n[]");
    assert_eq!(client.answer(&Value::Null)["error"]["code"], -32600);
    client.send_raw(b"rubbish\r\nX: y\r\n");
    assert_eq!(client.ask("textDocument/nothing", json!({}))["error"]["code"], -32601);
    for params in [Value::Null, json!([]), json!({}), json!({"textDocument": {"uri": 3}}), json!("x")] {
        assert_eq!(client.ask("textDocument/hover", params.clone())["error"]["code"], -32602, "{params}");
        client.notify("textDocument/didOpen", params.clone());
        client.notify("textDocument/didChange", params.clone());
        client.notify("textDocument/didClose", params.clone());
        client.notify("workspace/didChangeWatchedFiles", params);
    }
    let far = json!({"line": 4_000_000_000u32, "character": 4_000_000_000u32});
    let far = json!({"textDocument": {"uri": client.uri("a.proto")}, "position": far});
    client.request("textDocument/hover", far);
    let negative =
        json!({"textDocument": {"uri": client.uri("a.proto")}, "position": {"line": -1, "character": 0}});
    assert_eq!(client.ask("textDocument/hover", negative)["error"]["code"], -32602);
    assert_ne!(client.at("textDocument/hover", "a.proto", "message <|>A {}\n"), Value::Null);
    assert_eq!(client.leave(), Some(0));
}

#[test]
fn a_document_that_is_not_there_has_nothing() {
    let mut client = Client::start(&[], "utf-16");
    for uri in [client.uri("no.proto"), "untitled:x".to_owned(), "file://".to_owned(), String::new()] {
        let document = json!({"uri": uri});
        let place = json!({"textDocument": document, "position": {"line": 0, "character": 0}});
        for method in ["definition", "hover", "completion", "documentHighlight", "prepareRename"] {
            assert_eq!(
                client.request(&format!("textDocument/{method}"), place.clone()),
                Value::Null,
                "{method}"
            );
        }
        for method in ["documentSymbol", "foldingRange", "semanticTokens/full"] {
            let params = json!({"textDocument": document});
            assert_eq!(client.request(&format!("textDocument/{method}"), params), Value::Null, "{method}");
        }
    }
    assert_eq!(client.leave(), Some(0));
}

#[test]
fn a_cancelled_request_is_answered_once() {
    let mut client = Client::start(&[("a.proto", "message A {}\n")], "utf-16");
    let place = client.place("a.proto", "message <|>A {}\n");
    // Many at once, so that some are cancelled while they wait.
    for id in 1000..1200 {
        client.send(&json!({"jsonrpc": "2.0", "id": id, "method": "textDocument/hover", "params": place}));
        client.notify("$/cancelRequest", json!({"id": id}));
    }
    for id in 1000..1200 {
        let answer = client.answer(&json!(id));
        let is_cancelled = answer["error"]["code"] == -32800;
        assert!(is_cancelled || answer["result"].is_object(), "{answer}");
    }
    client.notify("$/cancelRequest", json!({"id": "never asked"}));
    assert_eq!(client.leave(), Some(0));
}
