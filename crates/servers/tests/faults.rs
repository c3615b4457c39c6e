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
    check("hang-at-start well", &["ty showed no progress for 0.", "ty 1.2"]);
    check("hang well", &[" s; the last it wrote to standard error:\nit waits for a lock", "ty 1.2"]);
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

#[test]
fn a_server_that_says_far_too_much_by_itself_is_answered_and_understood() {
    for (script, is_alone) in [("register-flood", true), ("problems-flood", true), ("problems-flood", false)]
    {
        let stage = Stage::new(script);
        let mut client = stage.client(60_000);
        for _ in 0..2 {
            let answer = client.definition(is_alone);
            assert_eq!(
                (&answer["who"], &answer["value"]),
                (&json!("ty 1.1"), &json!([["a.py", 4]])),
                "{answer}"
            );
        }
    }
}

#[test]
fn an_answer_with_very_many_places_is_read() {
    for is_alone in [true, false] {
        let stage = Stage::new("very-many");
        let answer = stage.client(60_000).ask(&json!({"op": "references", "alone": is_alone}));
        assert_eq!(answer["value"], json!([["a.py", 4], ["a.py", 15]]), "{answer}");
    }
}

#[test]
fn an_edit_that_nobody_has_asked_for_is_refused_and_nothing_is_written() {
    for is_alone in [true, false] {
        let stage = Stage::new("edit-unasked");
        let mut client = stage.client(5_000);
        assert_eq!(client.definition(is_alone)["who"], "ty 1.1");
        assert_eq!(client.definition(is_alone)["who"], "ty 1.1");
        while stage.notes().lines().count() < 2 {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        assert_eq!(stage.notes(), "false\nfalse\n");
        let text = std::fs::read_to_string(stage.path("project/a.py")).expect("it is there");
        assert_eq!(text, "x = target\ny = target\n");
    }
}

/// Asks a server that names this place. `@` is the address of the project.
fn places(answer: &Value) -> Value {
    let stage = Stage::new("place");
    let project = format!("file://{}", stage.path("project").display());
    let answer = answer.to_string().replace('@', &project);
    std::fs::write(stage.path("acts/edit"), answer).expect("there is room");
    stage.write("b c.py", "target = 1\n");
    let answer = stage.client(5_000).definition(true);
    json!([answer["value"], answer["complete"]])
}

#[test]
fn a_place_that_is_in_no_file_is_said_to_be_lost() {
    let at = |address: &str, line: u32, start: u32, end: u32| {
        json!({"uri": address, "range": {"start": {"line": line, "character": start},
            "end": {"line": line, "character": end}}})
    };
    for there in ["@/b%20c.py", "@/%62%20%63.py"] {
        assert_eq!(places(&at(there, 0, 0, 6)), json!([[["b c.py", 0]], true]), "{there}");
    }
    for lost in [
        at("@/a.py", 99, 0, 6),
        at("@/a.py", 0, 60, 66),
        at("@/none.py", 0, 0, 6),
        at("@/b%FFc.py", 0, 0, 6),
        at("@/%00.py", 0, 0, 6),
        at("@/../project/a.py", 0, 4, 10),
        at("file://elsewhere/a.py", 0, 4, 10),
        at("jdt://contents/a.py", 0, 4, 10),
        at("", 0, 4, 10),
        json!({"uri": 7}),
        json!({"targetUri": "@/a.py", "targetRange": "all"}),
        json!("@/a.py"),
        json!(true),
    ] {
        assert_eq!(places(&lost), json!([[], false]), "{lost}");
        let both = json!([lost, at("@/a.py", 0, 4, 10)]);
        assert_eq!(places(&both), json!([[["a.py", 4]], false]), "{both}");
    }
    assert_eq!(places(&Value::Null), json!([[], true]));
}
