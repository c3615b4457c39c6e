//! Whatever a server does, a question has an answer or an error, and the next question works.
#![cfg(target_os = "linux")]

mod stage;

use serde_json::{Value, json};
use stage::Stage;

/// How long servers may show no progress in these tests.
const PATIENCE_MS: u64 = 700;

/// Asks a server that plays these acts, once for each expectation: the version that answers, or a part of the error.
/// The same is expected of a server of the client and of one that the daemon holds.
fn check(script: &str, expected: &[&str]) {
    for is_alone in [true, false] {
        let stage = Stage::new(script);
        let mut client = stage.client(PATIENCE_MS);
        for (n, expected) in expected.iter().enumerate() {
            let answer = client.definition(is_alone);
            match answer["failed"].as_str() {
                Some(why) => assert!(why.contains(expected), "{script}, question {n}: {why}"),
                None => assert_eq!(answer["who"], *expected, "{script}, question {n}: {answer}"),
            }
        }
        let held = client.ask(&json!({"op": "status"}));
        assert_eq!(held.is_null(), is_alone, "the daemon runs only if it is needed: {held}");
    }
}

#[test]
fn a_server_that_behaves_is_started_once() {
    check("well", &["ty 1.1", "ty 1.1", "ty 1.1"]);
}

#[test]
fn a_server_that_ends_is_started_again() {
    check("die-at-start well", &["it found no licence", "ty 1.2", "ty 1.2"]);
    check("crash well", &["it ran into a wall", "ty 1.2"]);
    check("mute well", &["it ended", "ty 1.2"]);
}

#[test]
fn a_server_that_does_nothing_is_ended_and_started_again() {
    check("hang-at-start well", &["ty showed no progress for 0.7 s", "ty 1.2"]);
    check(
        "hang well",
        &[
            "ty showed no progress for 0.7 s; the last it wrote to standard error:\nit waits for a lock",
            "ty 1.2",
        ],
    );
    check("ignore well", &["ty showed no progress", "ty 1.2"]);
}

#[test]
fn a_server_that_works_in_silence_gets_a_second_chance() {
    check("busy well", &["ty showed no progress", "ty showed no progress", "ty 1.2"]);
}

#[test]
fn a_server_that_speaks_nonsense_is_started_again() {
    check("garbage well", &["it does not speak the protocol", "ty 1.2"]);
    check("huge well", &["ty showed no progress", "ty 1.2"]);
}

#[test]
fn progress_is_waited_for_but_not_for_ever() {
    check("flood", &["ty 1.1", "ty 1.1"]);
    check("flood-for-ever well", &["ty has not come to an end within 7 s", "ty 1.2"]);
}

#[test]
fn a_server_that_keeps_asking_does_not_keep_us_from_ending() {
    for is_alone in [true, false] {
        let stage = Stage::new("ask-for-ever well");
        let mut client = stage.client(PATIENCE_MS);
        let first = client.definition(is_alone);
        assert!(first["failed"].is_string(), "{first}");
        // Whether the server counts as working depends on how busy this machine is. So the second answer may be either.
        let second = client.definition(is_alone);
        let third = client.definition(is_alone);
        assert_eq!(third["who"], "ty 1.2", "{first}\n{second}\n{third}");
    }
}

#[test]
fn a_server_that_keeps_failing_is_left_alone_for_a_while() {
    for is_alone in [true, false] {
        let stage = Stage::new("die-at-start");
        let mut client = stage.client(PATIENCE_MS);
        let failures: Vec<String> = (0..4)
            .map(|_| client.definition(is_alone)["failed"].as_str().unwrap_or_default().to_owned())
            .collect();
        assert!(failures.iter().all(|why| why.contains("it found no licence")), "{failures:?}");
        assert!(failures[3].contains("is not started again for"), "{failures:?}");
        assert!(stage.n_starts() < 4);
    }
}

#[test]
fn answers_in_another_order_come_to_whoever_asked() {
    for is_alone in [true, false] {
        let stage = Stage::new("reversed");
        let mut client = stage.client(PATIENCE_MS);
        stage.write("b.py", "# target\n");
        let ask = |file: &str| json!({"op": "definition", "file": file, "alone": is_alone});
        let answers = client.ask(&json!([ask("a.py"), ask("b.py")]));
        let values: Vec<&Value> = [&answers[0]["value"], &answers[1]["value"]].to_vec();
        assert_eq!(values, [&json!([["a.py", 4]]), &json!([["b.py", 2]])], "{answers}");
    }
}

#[test]
fn a_server_that_never_ends_its_reading_answers_with_a_word_about_it() {
    for is_alone in [true, false] {
        let stage = Stage::new("indexing");
        stage.add_server("clangd", "acts");
        stage.write("a.c", "int target;\n");
        let mut client = stage.client(PATIENCE_MS);
        let answer = client.ask(&json!({"op": "references", "file": "a.c", "alone": is_alone}));
        assert_eq!(
            (&answer["value"], &answer["complete"]),
            (&json!([["a.c", 4]]), &json!(false)),
            "{answer}"
        );
    }
}

/// The same answer again and again proves nothing while the server works, or waits for a processor.
#[test]
fn a_server_that_reads_in_silence_is_waited_for() {
    for is_alone in [true, false] {
        let stage = Stage::new("reads-in-silence");
        stage.add_server("clangd", "acts");
        stage.write("a.c", "int target;\nint other = target;\n");
        let mut client = stage.client(30_000);
        let answer = client.ask(&json!({"op": "references", "file": "a.c", "alone": is_alone}));
        assert_eq!(answer["value"], json!([["a.c", 4], ["a.c", 24]]), "{answer}");
    }
}

#[test]
fn an_answer_is_about_the_text_as_it_is_now() {
    for is_alone in [true, false] {
        let stage = Stage::new("well");
        let mut client = stage.client(PATIENCE_MS);
        let ask = |text: Value| json!({"op": "definition", "text": text, "alone": is_alone});
        let mut value = |question: &Value| client.ask(question)["value"].clone();
        assert_eq!(value(&ask(Value::Null)), json!([["a.py", 4]]));
        stage.write("a.py", "changed = target\n");
        assert_eq!(value(&ask(Value::Null)), json!([["a.py", 10]]), "what is on disk now");
        assert_eq!(
            value(&ask(json!("given_here = target"))),
            json!([["a.py", 13]]),
            "what came with the question"
        );
        assert_eq!(value(&ask(Value::Null)), json!([["a.py", 10]]), "and only with that question");
    }
}

#[test]
fn a_server_is_told_which_files_have_changed_before_it_is_asked_again() {
    for is_alone in [true, false] {
        let stage = Stage::new("well");
        stage.write("old.py", "");
        let mut client = stage.client(PATIENCE_MS);
        client.definition(is_alone);
        stage.write("new.py", "");
        std::fs::remove_file(stage.path("project/old.py")).expect("it is there");
        client.definition(is_alone);
        assert_eq!(stage.notes(), "1 new.py\n3 old.py\n");
        client.definition(is_alone);
        assert_eq!(stage.notes(), "1 new.py\n3 old.py\n", "each change is told once");
    }
}

#[test]
fn a_question_that_is_stopped_is_cancelled_at_the_server() {
    for is_alone in [true, false] {
        let stage = Stage::new("ignore");
        let mut client = stage.client(60_000);
        let answer = client.ask(&json!({"op": "definition", "alone": is_alone, "timeout_ms": 1500}));
        assert_eq!(answer["stopped"], true, "{answer}");
        // The daemon notices soon that its client is gone.
        while !stage.notes().contains("cancelled") {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }
}
