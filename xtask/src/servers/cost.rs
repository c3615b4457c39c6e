//! `cargo xtask bench servers`: measures how much time and memory locant adds to a language server, and checks that
//! both give the same answers.
//!
//! In one run, the same questions about Django go to the server ty through locant and through a bare client, in turn.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::install;
use super::raw::{Raw, uri};
use super::session::Session;
use crate::children::{cargo, output, run as run_child, target_directory};
use crate::root::{self, root};
use crate::sources;

/// Well-known names of Django.
const NAMES: [&str; 10] = [
    "django/db/models/query.py:QuerySet.filter",
    "django/db/models/base.py:Model.save",
    "django/http/response.py:HttpResponse",
    "django/shortcuts.py:render",
    "django/urls/base.py:reverse",
    "django/db/models/fields/__init__.py:CharField",
    "django/core/exceptions.py:ImproperlyConfigured",
    "django/utils/functional.py:cached_property",
    "django/utils/timezone.py:now",
    "django/template/base.py:Template.render",
];

const VERSION: &str = "5.2.8";
const SERVER: &str = "ty";
const COMMAND: [&str; 2] = ["ty", "server"];

/// How often each question is asked: of a running server, and of a server that is started for the question.
const N_WARM: usize = 9;
const N_COLD: usize = 9;

/// The lines in docs/servers.md before and after the figures.
const STARTS: &str = "<!-- figures: written by cargo xtask bench servers -->";
const ENDS: &str = "<!-- end of the figures -->";

/// A place: its file, line and column. Line and column are counted from 1.
type Place = (String, u64, u64);

/// A name that is asked about.
struct Name {
    location: &'static str,
    path: PathBuf,
    line: u64,
    character: u64,
}

/// Measures, and writes the figures into docs/servers.md. `--program=PATH` measures another build of locant.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let table = install::table()?;
    let server = table.iter().find(|server| server.name == SERVER).context("ty is in the table")?;
    server.ready()?;
    let given = arguments.iter().find_map(|argument| argument.strip_prefix("--program="));
    let locant = match given {
        Some(program) => PathBuf::from(program),
        None => {
            run_child(&mut cargo(&["build", "--quiet", "--release", "-p", "locant"]))?;
            target_directory()?.join("release").join("locant")
        }
    };
    let django = sources::source_of("Django", VERSION)?;
    if !django.join(".git").exists() {
        // With a repository of its own, the folder is a project and not a part of this one.
        output(Command::new("git").args(["init", "--quiet"]).arg(&django))?;
    }
    let home = root::work().join("bench").join("servers");
    fs::create_dir_all(&home)?;
    let mut session = Session::start(&locant, &django, &home, SERVER)?;
    let names = NAMES.map(|location| name(&mut session, &django, location));
    let names = names.into_iter().collect::<Result<Vec<Name>>>()?;
    let mut raw = Raw::start(&COMMAND, &django)?;
    for name in &names {
        raw.open(&name.path, "python")?;
    }
    let mut rows = String::new();
    for name in &names {
        rows += &references(&mut session, &mut raw, name, &django)?;
    }
    let mut figures = format!(
        "| references of | through locant | ty itself | as sets |\n|---|--:|--:|---|\n{rows}\n\
         | what | ty itself | through locant | our own cost |\n|---|--:|--:|--:|\n"
    );
    figures += &warm(&mut session, &mut raw, &names)?;
    let (own, bare) = (memory(session.id()), memory(raw.id()));
    let (held, its) = (own.saturating_sub(server_memory(session.id())), server_memory(session.id()));
    drop((session, raw));
    figures += &cold(&locant, &django, &home, &names[0])?;
    let mut row = |what: &str, its: u64, held: u64| {
        let (bare, its, held) = (bare >> 20, its >> 20, held >> 20);
        figures += &format!("| {what} | {bare} MB | {its} MB for the same server | {held} MB |\n");
    };
    row("memory, of a batch", its, held);
    let (its, held) = memory_of_daemon(&locant, &django, &home, &names)?;
    row("memory, of the daemon", its, held);
    println!("{figures}");
    write(&figures)
}

/// Finds a name with locant.
fn name(session: &mut Session, django: &Path, location: &'static str) -> Result<Name> {
    let found = session.ask("locate", &json!({"locate": location}))?;
    let number =
        |field: &str| found["position"][field].as_u64().with_context(|| format!("{location}: {found}"));
    let (line, character) = (number("line")? - 1, number("character")? - 1);
    let file = location.split_once(':').map_or(location, |(file, _)| file);
    Ok(Name { location, path: django.join(file), line, character })
}

/// Compares the references of a name.
fn references(session: &mut Session, raw: &mut Raw, name: &Name, django: &Path) -> Result<String> {
    let through = session.ask("references", &json!({"locate": name.location, "limit": 1_000_000}))?;
    ensure!(through["complete"] == json!(true), "not complete: {through}");
    let items = through["items"].as_array().with_context(|| format!("no places: {through}"))?;
    let number = |value: &Value| value.as_u64().unwrap_or_default();
    let ours: BTreeSet<Place> = items
        .iter()
        .map(|item| {
            let (file, start) = (item["file_path"].as_str().unwrap_or_default(), &item["position"]);
            (uri(&django.join(file)), number(&start["line"]), number(&start["character"]))
        })
        .collect();
    let bare = raw.ask_at("textDocument/references", &name.path, name.line, name.character)?;
    let theirs: BTreeSet<Place> = bare
        .as_array()
        .into_iter()
        .flatten()
        .map(|item| {
            let start = &item["range"]["start"];
            let uri = item["uri"].as_str().unwrap_or_default().to_owned();
            (uri, number(&start["line"]) + 1, number(&start["character"]) + 1)
        })
        .collect();
    let is_equal = if ours == theirs { "equal" } else { "**different**" };
    Ok(format!("| `{}` | {} | {} | {is_equal} |\n", name.location, ours.len(), theirs.len()))
}

/// Measures questions to a server that is already running.
fn warm(session: &mut Session, raw: &mut Raw, names: &[Name]) -> Result<String> {
    let mut rows = String::new();
    for (op, method) in [
        ("definition", "textDocument/definition"),
        ("hover", "textDocument/hover"),
        ("references", "textDocument/references"),
    ] {
        let (mut bare, mut through) = (Vec::new(), Vec::new());
        for name in names {
            let fields = json!({"locate": name.location});
            for _ in 0..N_WARM {
                let start = Instant::now();
                raw.ask_at(method, &name.path, name.line, name.character)?;
                bare.push(start.elapsed());
                let start = Instant::now();
                session.ask(op, &fields)?;
                through.push(start.elapsed());
            }
        }
        rows += &row(&format!("{op}, warm"), &mut bare, &mut through);
    }
    Ok(rows)
}

/// Measures a question for a definition, including the start of the server.
fn cold(locant: &Path, django: &Path, home: &Path, name: &Name) -> Result<String> {
    let (mut bare, mut through) = (Vec::new(), Vec::new());
    for _ in 0..N_COLD {
        let start = Instant::now();
        let mut raw = Raw::start(&COMMAND, django)?;
        raw.open(&name.path, "python")?;
        raw.ask_at("textDocument/definition", &name.path, name.line, name.character)?;
        bare.push(start.elapsed());
        drop(raw);
        let start = Instant::now();
        let mut command = Command::new(locant);
        command.args(["definition", name.location, "--json", "--no-daemon", "--server", SERVER]);
        command.env("LOCANT_SERVER_PATH", install::programs()).env("XDG_CONFIG_HOME", home);
        let status = command.current_dir(django).stdin(Stdio::null()).stdout(Stdio::null()).status()?;
        ensure!(status.success(), "locant found no definition");
        through.push(start.elapsed());
    }
    Ok(row("definition, cold: processes are started and ended", &mut bare, &mut through))
}

fn row(what: &str, bare: &mut [Duration], through: &mut [Duration]) -> String {
    let milliseconds = |times: &mut [Duration]| {
        times.sort_unstable();
        times[times.len() / 2].as_secs_f64() * 1000.0
    };
    let (bare, through) = (milliseconds(bare), milliseconds(through));
    format!("| {what} | {bare:.1} ms | {through:.1} ms | {:.1} ms |\n", through - bare)
}

/// Asks a daemon about all names. Returns the memory of its server, and the memory of the daemon without the server, in
/// bytes.
fn memory_of_daemon(locant: &Path, django: &Path, home: &Path, names: &[Name]) -> Result<(u64, u64)> {
    let run = |arguments: &[&str]| {
        let mut command = Command::new(locant);
        command.args(arguments).env("LOCANT_SERVER_PATH", install::programs()).env("XDG_CONFIG_HOME", home);
        output(command.env("XDG_RUNTIME_DIR", home).env("XDG_CACHE_HOME", home).current_dir(django))
    };
    for name in names {
        run(&["references", name.location, "--server", SERVER])?;
    }
    let status: Value = serde_json::from_str(&run(&["daemon", "status", "--json"])?)?;
    let id = status["process_id"].as_u64().and_then(|id| u32::try_from(id).ok());
    let id = id.with_context(|| format!("no daemon: {status}"))?;
    let (all, its) = (memory(id), server_memory(id));
    run(&["daemon", "stop"])?;
    Ok((its, all.saturating_sub(its)))
}

/// The memory of a process and of all its descendants, in bytes.
fn memory(process: u32) -> u64 {
    tree(process).into_iter().map(resident).sum()
}

/// The memory of the server, which is a descendant of this process.
fn server_memory(process: u32) -> u64 {
    let is_server = |id: &u32| {
        let name = fs::read_to_string(format!("/proc/{id}/comm")).unwrap_or_default();
        name.trim() == SERVER
    };
    tree(process).into_iter().filter(is_server).map(resident).sum()
}

fn tree(process: u32) -> Vec<u32> {
    let mut all = vec![process];
    let mut next = 0;
    while let Some(&id) = all.get(next) {
        let tasks = fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten();
        for task in tasks {
            let children = fs::read_to_string(task.path().join("children")).unwrap_or_default();
            all.extend(children.split_whitespace().filter_map(|id| id.parse::<u32>().ok()));
        }
        next += 1;
    }
    all
}

fn resident(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes: Option<u64> = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse().ok());
    kilobytes.unwrap_or_default() << 10
}

fn write(figures: &str) -> Result<()> {
    let path = root().join("docs/servers.md");
    let page = fs::read_to_string(&path).with_context(|| format!("could not read {}", path.display()))?;
    let (before, rest) = page.split_once(STARTS).context("docs/servers.md has no place for them")?;
    let (_, after) = rest.split_once(ENDS).context("the figures in docs/servers.md have no end")?;
    let page = format!("{before}{STARTS}\n\n{}\n\n{ENDS}{after}", figures.trim_end());
    fs::write(&path, page).with_context(|| format!("could not write {}", path.display()))
}
