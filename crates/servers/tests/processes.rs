//! No process of a server outlives the process that holds the server, no matter how the holder ends.
#![cfg(target_os = "linux")]

mod stage;

use std::time::Duration;

use serde_json::{Value, json};
use stage::{Client, Stage, kill};

/// How long processes may take to end.
const TO_END: Duration = Duration::from_secs(5);

/// A server with two children, of which one has left its session and one has lost its parent. Also returns the client
/// that asked the server.
fn family(is_alone: bool) -> (Stage, Client) {
    let stage = Stage::new("family");
    let mut client = stage.client(5_000);
    let answer = client.definition(is_alone);
    assert_eq!(answer["who"], "ty 1.1", "{answer}");
    let n_children = || stage.processes().iter().filter(|(_, command)| command.contains(" linger ")).count();
    while n_children() < 2 {
        std::thread::sleep(Duration::from_millis(20));
    }
    (stage, client)
}

fn id_of(stage: &Stage, is_it: impl Fn(&str) -> bool) -> u32 {
    let processes = stage.processes();
    let found = processes.iter().find(|(_, command)| is_it(command));
    found.unwrap_or_else(|| panic!("it is not there: {processes:?}")).0
}

fn daemon_of(stage: &Stage) -> u32 {
    id_of(stage, |command| command.ends_with(" serve "))
}

fn supervisor_of(stage: &Stage) -> u32 {
    id_of(stage, |command| command.starts_with("server-guard supervise"))
}

fn assert_none_is_left(stage: &Stage) {
    let left = stage.left_after(TO_END);
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn servers_of_a_client_end_with_it() {
    let (stage, mut client) = family(true);
    client.leave();
    assert_none_is_left(&stage);
}

#[test]
fn servers_of_a_client_end_when_it_is_killed() {
    let (stage, client) = family(true);
    kill(client.id());
    drop(client);
    assert_none_is_left(&stage);
}

#[test]
fn servers_of_the_daemon_outlive_a_client_that_is_killed() {
    let (stage, client) = family(false);
    kill(client.id());
    drop(client);
    let mut other = stage.client(5_000);
    assert_eq!(other.definition(false)["who"], "ty 1.1");
    assert_eq!(stage.n_starts(), 1);
}

#[test]
fn servers_of_the_daemon_end_with_it() {
    let (stage, mut client) = family(false);
    let stopped = client.ask(&json!({"op": "stop"}));
    assert_eq!(stopped, json!({"Ok": true}));
    client.leave();
    assert_none_is_left(&stage);
}

#[test]
fn servers_of_the_daemon_end_when_it_is_killed() {
    let (stage, client) = family(false);
    kill(daemon_of(&stage));
    kill(client.id());
    drop(client);
    assert_none_is_left(&stage);
}

#[test]
fn after_the_supervisor_is_killed_its_tree_ends_and_the_next_question_works() {
    for is_alone in [true, false] {
        let (stage, mut client) = family(is_alone);
        let server = id_of(&stage, |command| command.contains(" play ") && !command.contains("supervise"));
        kill(supervisor_of(&stage));
        // The server itself is killed by the system, a moment later.
        while stage.processes().iter().any(|(id, _)| *id == server) {
            std::thread::sleep(Duration::from_millis(5));
        }
        let answer = client.definition(is_alone);
        let answer = if answer["failed"].is_null() { answer } else { client.definition(is_alone) };
        assert_eq!(answer["who"], "ty 1.2", "{answer}");
        // The daemon ends what is left of the first family before it starts another one, and so does a client.
        let n_children = stage.processes().iter().filter(|(_, command)| command.contains(" linger ")).count();
        assert!(n_children <= 3, "two children of the second family, and one that is about to end");
        client.ask(&json!({"op": "stop"}));
        client.leave();
        assert_none_is_left(&stage);
    }
}

#[test]
fn when_the_daemon_is_killed_the_next_question_starts_another_one() {
    let (stage, mut client) = family(false);
    let first = daemon_of(&stage);
    kill(first);
    let answer = client.definition(false);
    assert_eq!(answer["who"], "ty 1.2", "{answer}");
    let status = client.ask(&json!({"op": "status"}));
    assert_ne!(status["process"], Value::from(first));
}

#[test]
fn when_the_daemon_is_killed_in_a_question_that_is_an_error() {
    let stage = Stage::new("ignore well");
    let mut client = stage.client(60_000);
    client.say(&json!({"op": "definition"}));
    while stage.n_starts() == 0 {
        std::thread::sleep(Duration::from_millis(20));
    }
    // The server has started. Now the question gets time to reach it.
    std::thread::sleep(Duration::from_millis(300));
    kill(daemon_of(&stage));
    let answer = client.hear();
    let is_told = |why: &str| why.contains("the daemon ended before it answered");
    assert!(answer["failed"].as_str().is_some_and(is_told) || answer["who"] == "ty 1.2", "{answer}");
    assert_eq!(client.definition(false)["who"], "ty 1.2");
}
