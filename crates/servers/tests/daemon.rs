//! One daemon holds the servers for all clients of a user, and gives the same answers as a client alone.
#![cfg(target_os = "linux")]

mod stage;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};
use stage::{Client, Stage, kill};

fn status(client: &mut Client) -> Value {
    client.ask(&json!({"op": "status"}))
}

/// The folder with the daemon's socket.
fn place(stage: &Stage) -> PathBuf {
    let places: Vec<_> =
        fs::read_dir(stage.path("run/locant")).expect("a client looked for it").flatten().collect();
    assert_eq!(places.len(), 1, "one program has one place");
    places[0].path()
}

#[test]
fn clients_share_a_server_and_answers_are_the_same_without_the_daemon() {
    let stage = Stage::new("well");
    let mut clients = [stage.client(5_000), stage.client(5_000)];
    for op in ["definition", "references", "rename"] {
        let mut ask = |n: usize, is_alone: bool| -> Value {
            let mut answer = clients[n].ask(&json!({"op": op, "alone": is_alone}));
            // `who` contains how often the server was started, which differs between servers.
            answer["who"] = Value::Null;
            answer
        };
        let answers = [ask(0, false), ask(1, false), ask(0, true)];
        assert!(answers[0]["value"].as_array().is_some_and(|value| !value.is_empty()), "{answers:?}");
        assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    }
    assert_eq!(stage.n_starts(), 2, "one of the daemon, one of the client that asked alone");
    let held = status(&mut clients[1]);
    assert_eq!(held["servers"][0]["name"], "ty");
    assert_eq!(held["servers"].as_array().map(Vec::len), Some(1));
}

#[test]
fn many_clients_at_once_start_one_daemon_and_one_server() {
    let stage = Stage::new("well");
    let mut clients: Vec<Client> = (0..6).map(|_| stage.client(20_000)).collect();
    for client in &mut clients {
        client.say(&json!([{"op": "definition"}, {"op": "references"}]));
    }
    for client in &mut clients {
        let answers = client.hear();
        assert_eq!(
            (&answers[0]["who"], &answers[1]["who"]),
            (&json!("ty 1.1"), &json!("ty 1.1")),
            "{answers}"
        );
    }
    assert_eq!(stage.n_starts(), 1);
}

#[test]
fn texts_of_one_client_are_not_seen_by_another() {
    let stage = Stage::new("well");
    let mut clients = [stage.client(5_000), stage.client(5_000)];
    let with_text = json!({"op": "definition", "text": "unsaved = target"});
    assert_eq!(clients[0].ask(&with_text)["value"], json!([["a.py", 10]]));
    assert_eq!(clients[1].definition(false)["value"], json!([["a.py", 4]]));
    assert_eq!(clients[0].ask(&with_text)["value"], json!([["a.py", 10]]));
}

#[test]
fn nobody_else_can_enter_the_place() {
    let stage = Stage::new("well");
    // A folder that other users may enter is closed to them.
    fs::create_dir(stage.path("run/locant")).expect("it can be made");
    fs::set_permissions(stage.path("run/locant"), PermissionsExt::from_mode(0o777)).expect("it is ours");
    let mut client = stage.client(5_000);
    assert_eq!(client.definition(false)["who"], "ty 1.1");
    for (path, expected) in [
        (stage.path("run/locant"), 0o700),
        (place(&stage), 0o700),
        (place(&stage).join("socket"), 0o600),
        (place(&stage).join("lock"), 0o600),
        (place(&stage).join("log"), 0o600),
    ] {
        let mode = fs::metadata(&path).expect("it is there").permissions().mode() & 0o777;
        assert_eq!(mode, expected, "{}", path.display());
    }
}

#[test]
fn without_a_place_the_client_starts_servers_itself() {
    let stage = Stage::new("well");
    // A link could lead into the folder of someone else.
    std::os::unix::fs::symlink(stage.path("acts"), stage.path("run/locant")).expect("it can be made");
    let mut client = stage.client(5_000);
    assert_eq!(client.definition(false)["who"], "ty 1.1");
    assert_eq!(status(&mut client), Value::Null);
}

#[test]
fn a_socket_that_was_left_behind_is_replaced() {
    let stage = Stage::new("well");
    let mut client = stage.client(5_000);
    let first = client.ask(&json!({"op": "start"}))["Ok"]["process"].clone();
    kill(u32::try_from(first.as_u64().expect("it is an id")).expect("it is an id"));
    assert!(place(&stage).join("socket").exists());
    assert_eq!(client.definition(false)["who"], "ty 1.1");
    assert_ne!(status(&mut client)["process"], first);
}

#[test]
fn a_daemon_that_does_not_react_keeps_nobody_waiting_for_ever() {
    let stage = Stage::new("well");
    let mut client = stage.client(5_000);
    client.ask(&json!({"op": "start"}));
    let place = place(&stage);
    client.ask(&json!({"op": "stop"}));
    assert!(stage.left_after(Duration::from_millis(200)).len() <= 2, "the daemon ends");
    // In place of the daemon, a process listens that never says anything.
    let _ = fs::remove_file(place.join("socket"));
    let _silent = UnixListener::bind(place.join("socket")).expect("the path is short enough");
    assert_eq!(client.definition(false)["who"], "ty 1.1", "the client starts the server itself");
}

#[test]
fn a_daemon_that_nobody_needs_ends() {
    let stage = Stage::new("well");
    stage.settings("[daemon]\nidle_minutes = 0.01\n");
    let mut client = stage.client(5_000);
    assert_eq!(client.definition(false)["who"], "ty 1.1");
    client.leave();
    let left = stage.left_after(Duration::from_secs(30));
    assert!(left.is_empty(), "{left:?}");
    assert_eq!(stage.client(5_000).definition(false)["who"], "ty 1.2");
}

#[test]
fn the_server_that_was_asked_longest_ago_makes_room() {
    let stage = Stage::new("well");
    stage.settings("[daemon]\nmost_servers = 1\n");
    stage.add_server("clangd", "acts");
    stage.write("a.c", "int target;\n");
    let mut client = stage.client(5_000);
    client.definition(false);
    client.ask(&json!({"op": "definition", "file": "a.c"}));
    let names = |status: &Value| -> Vec<String> {
        let servers = status["servers"].as_array().cloned().unwrap_or_default();
        servers.iter().map(|server| server["name"].as_str().unwrap_or_default().to_owned()).collect()
    };
    while names(&status(&mut client)) != ["clangd"] {
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_question_to_a_server_whose_daemon_was_stopped_starts_both_anew() {
    let stage = Stage::new("well");
    let mut clients = [stage.client(5_000), stage.client(5_000)];
    assert_eq!(clients[0].definition(false)["who"], "ty 1.1");
    assert_eq!(clients[1].ask(&json!({"op": "stop"})), json!({"Ok": true}));
    assert_eq!(clients[0].definition(false)["who"], "ty 1.2");
    assert_eq!(clients[1].definition(false)["who"], "ty 1.2");
}

#[test]
fn a_program_that_has_changed_gets_a_daemon_of_its_own() {
    let stage = Stage::new("well");
    let program = stage.path("program");
    fs::copy(env!("CARGO_BIN_EXE_scripted-server"), &program).expect("it was built");
    let mut old = stage.client_of(&program, 5_000);
    assert_eq!(old.definition(false)["who"], "ty 1.1");
    let first = status(&mut old)["process"].clone();
    // An upgrade puts another program at the same path.
    let new = stage.path("new");
    fs::copy(&program, &new).expect("there is room");
    fs::rename(&new, &program).expect("both are here");
    let mut client = stage.client_of(&program, 5_000);
    assert_eq!(client.definition(false)["who"], "ty 1.2");
    let second = status(&mut client)["process"].clone();
    assert!(second.is_u64() && second != first, "{first} {second}");
    // A client that was started before the upgrade works on, without the daemon of the new program.
    assert_eq!(old.definition(false)["who"], "ty 1.3");
    assert_eq!(status(&mut client)["process"], second);
    // The daemon of the replaced program ends by itself.
    let is_there = || stage.processes().iter().any(|(id, _)| first == *id);
    while is_there() {
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn two_programs_at_once_have_a_daemon_each() {
    let stage = Stage::new("well");
    let programs = ["one", "other"].map(|name| stage.path(name));
    let mut clients = programs.each_ref().map(|program| {
        fs::copy(env!("CARGO_BIN_EXE_scripted-server"), program).expect("it was built");
        stage.client_of(program, 20_000)
    });
    let mut daemons = Vec::new();
    // In turn: neither takes the place of the other one.
    for n in [0, 1, 0, 1] {
        assert_eq!(clients[n].definition(false)["who"], format!("ty 1.{}", n + 1));
        daemons.push(status(&mut clients[n])["process"].clone());
    }
    assert!(daemons[0].is_u64() && daemons[0] != daemons[1], "{daemons:?}");
    assert_eq!(daemons[..2], daemons[2..]);
    // The other one goes on when one is stopped.
    assert_eq!(clients[0].ask(&json!({"op": "stop"})), json!({"Ok": true}));
    assert_eq!(clients[1].definition(false)["who"], "ty 1.2");
    assert_eq!(status(&mut clients[1])["process"], daemons[1]);
}
