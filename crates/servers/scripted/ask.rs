//! The client: a line of JSON for each question, a line for each answer.

use std::io::{self, BufRead, Write};
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use locant_engine::{Document, Offset, Range};
use locant_servers::{Pool, Servers};
use locant_stop::{Stop, until};
use locant_workspace::{Answered, Asked, Base, Documents, Project, Provider, Scope, Workspace};
use serde_json::{Value, json};

use crate::settings;

/// Answers the questions of standard input. A line has one question, or a list of questions that are asked at the same
/// time.
pub(super) fn ask(folder: &Path) {
    let pool = Arc::new(Pool::new(settings(true)));
    let servers = Servers::new(Arc::clone(&pool));
    let workspace = Workspace::default();
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let question: Value = serde_json::from_str(&line).unwrap_or_default();
        let one = |question: &Value| answer(folder, question, (&pool, &servers, &workspace));
        let answer = match question.as_array() {
            None => one(&question),
            Some(questions) => thread::scope(|scope| {
                let asked: Vec<_> =
                    questions.iter().map(|question| scope.spawn(move || one(question))).collect();
                asked.into_iter().map(|asked| asked.join().unwrap_or_default()).collect()
            }),
        };
        println!("{answer}");
        let _ = io::stdout().flush();
    }
}

fn answer(
    folder: &Path,
    question: &Value,
    (pool, servers, workspace): (&Pool, &Servers, &Workspace),
) -> Value {
    let Some(daemon) = pool.daemon() else { return Value::Null };
    match question["op"].as_str().unwrap_or_default() {
        "status" => json!(daemon.status()),
        "start" => json!(daemon.start().map(|started| started.status).map_err(|why| json!({"failed": why}))),
        "stop" => json!(daemon.stop()),
        op => {
            let stop = match question["timeout_ms"].as_u64() {
                Some(time) => Stop::after(Duration::from_millis(time), &Stop::default()),
                None => Stop::default(),
            };
            let answer = until(&stop, || about_name(folder, question, op, servers, workspace));
            answer.unwrap_or_else(|_| json!({"stopped": true}))
        }
    }
}

fn about_name(folder: &Path, question: &Value, op: &str, servers: &Servers, workspace: &Workspace) -> Value {
    let name = question["file"].as_str().unwrap_or("a.py");
    let path = folder.join(name);
    let given = question["text"].as_str().map(|text| Document::new(name, text).map(Arc::new));
    let given: Documents = given.and_then(Result::ok).map(|text| (path.clone(), text)).into_iter().collect();
    let snapshot = workspace.snapshot(given);
    let Some(document) = snapshot.document(&path, name) else { return json!({"failed": "no such file"}) };
    let base = Base::new(folder.to_str());
    let project = Project::around(name, &base);
    let scope = Scope {
        snapshot: &snapshot,
        project: &project,
        base: &base,
        import_roots: &[],
        beside: &[],
        server: question["server"].as_str(),
        is_alone: question["alone"] == true,
    };
    let asked = Asked { scope, document: &document, at: Offset::ZERO };
    match op {
        "definition" => said(servers.definition(&asked), |targets| {
            targets.iter().map(|target| json!([target.path, target.name.start().index()])).collect()
        }),
        "references" => said(servers.references(&asked), |mentions| {
            mentions.iter().map(|mention| json!([mention.path, mention.range.start().index()])).collect()
        }),
        "rename" => said(servers.rename(&asked, "other"), |renamed| match renamed {
            Ok(changes) => changes
                .replacements
                .iter()
                .map(|change| json!([change.path, change.text]))
                .chain(changes.files.iter().map(|step| json!(format!("{step:?}"))))
                .collect(),
            Err(refusal) => json!({"refused": format!("{refusal:?}")}),
        }),
        "actions" => said(servers.actions(&asked, Range::of_indices(0..0)), |actions| {
            actions.iter().map(|action| json!([action.title, format!("{:?}", action.changes)])).collect()
        }),
        _ => Value::Null,
    }
}

fn said<T>(answer: Answered<T>, show: impl Fn(&T) -> Value) -> Value {
    match answer {
        Ok(known) => {
            json!({"value": show(&known.value), "who": known.who, "complete": known.gaps.is_empty()})
        }
        Err(why) => json!({"failed": why.to_string()}),
    }
}
