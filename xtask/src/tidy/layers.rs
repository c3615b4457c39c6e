//! The rule that says which crate may use which.

use anyhow::{Context, Result};
use toml::{Table, Value};

use super::file::{File, Problem};

/// The folder of each crate, and which of our crates it may use. It is the table in ARCHITECTURE.md.
const LAYERS: &[(&str, &[&str])] = &[
    ("text", &[]),
    ("tree", &["text"]),
    ("stop", &[]),
    ("parse", &["stop"]),
    ("locate", &["text", "tree", "stop"]),
    ("layout", &["text"]),
    ("names", &["text", "tree"]),
    ("rholang", &["text", "tree", "stop", "parse", "layout", "names"]),
    ("lang", &["text", "tree", "parse", "rholang"]),
    ("proto", &["text", "tree", "stop", "layout", "names"]),
    ("skim", &["text", "tree"]),
    ("engine", &["text", "tree", "locate", "lang", "names", "proto", "rholang", "skim"]),
    ("workspace", &["engine", "stop"]),
    ("frames", &[]),
    ("servers", &["engine", "workspace", "stop", "frames"]),
    ("hosts", &[]),
    ("api", &["engine", "workspace", "servers", "hosts", "stop"]),
    ("locant", &["api", "engine", "workspace", "servers", "stop", "frames"]),
    ("python", &["api", "engine"]),
    ("benches", &["text", "locate", "engine"]),
    ("xtask", &[]),
    ("fuzz", &["text", "tree", "locate", "engine"]),
];

/// External crates that only some of our crates may use: the start of the external name, our crates, and the reason.
const RESERVED: &[(&str, &[&str], &str)] = &[
    (
        "tree-sitter",
        &["parse", "lang", "rholang", "benches", "xtask"],
        "grammars are read in one place, our own is made and read in one more, and all are measured in one",
    ),
    (
        "serde",
        &["workspace", "servers", "api", "locant", "python", "xtask", "benches"],
        "types that travel are defined at the rim; previews and journals are kept in the workspace",
    ),
    ("tokio", &["locant", "benches"], "no async below the rim, except in what we measure ourselves against"),
    ("gen-lsp-types", &["locant"], "the types of the protocol are seen only by the door that speaks it"),
];

pub(super) fn dependencies(file: &File) -> Vec<Problem> {
    let Some(user) = file.path.strip_suffix("/Cargo.toml") else { return Vec::new() };
    let user = user.rsplit('/').next().unwrap_or(user);
    let manifest = match read(&file.text) {
        Ok(manifest) => manifest,
        Err(error) => return vec![file.problem(1, format!("{error:#}"), "a manifest is TOML")],
    };
    let Some(allowed) = allowed(user) else {
        return vec![file.problem(
            1,
            format!("{user} is not in LAYERS of xtask"),
            "a new crate is a decision",
        )];
    };
    let mut problems = Vec::new();
    for used in names(&manifest, "dependencies") {
        problems.extend(ours(file, user, allowed, &used));
        problems.extend(reserved(file, user, &used));
    }
    // A build script may use reserved crates, because it is not part of the crate.
    for used in names(&manifest, "build-dependencies") {
        problems.extend(ours(file, user, allowed, &used));
    }
    for used in names(&manifest, "dev-dependencies") {
        problems.extend(cycle(file, user, &used));
    }
    problems.sort_by_key(|problem| problem.line);
    problems
}

fn read(text: &str) -> Result<Table> {
    text.parse().context("not to be read")
}

fn allowed(user: &str) -> Option<&'static [&'static str]> {
    LAYERS.iter().find(|(name, _)| *name == user).map(|(_, allowed)| *allowed)
}

fn ours(file: &File, user: &str, allowed: &[&str], used: &str) -> Option<Problem> {
    let folder = folder(used)?;
    let why = "dependencies point down, see LAYERS in xtask";
    (!allowed.contains(&folder)).then(|| file.problem(line(file, used), format!("{user} uses {folder}"), why))
}

fn reserved(file: &File, user: &str, used: &str) -> Option<Problem> {
    let (_, users, why) = RESERVED.iter().find(|(start, ..)| used.starts_with(start))?;
    (!users.contains(&user)).then(|| file.problem(line(file, used), format!("{user} uses {used}"), why))
}

fn cycle(file: &File, user: &str, used: &str) -> Option<Problem> {
    let folder = folder(used)?;
    let stands_on_user = allowed(folder)?.contains(&user);
    let what = format!("{user} uses {folder}, which uses {user}");
    let why = "a test in a circle would test a second copy of its crate";
    stands_on_user.then(|| file.problem(line(file, used), what, why))
}

/// The names of the packages in all sections called `section`, including sections for certain targets.
fn names(manifest: &Table, section: &str) -> Vec<String> {
    let of = |table: &Table| {
        let names = table.get(section).and_then(Value::as_table).map(|names| names.keys().cloned());
        names.into_iter().flatten().collect::<Vec<_>>()
    };
    let targets = manifest.get("target").and_then(Value::as_table).into_iter().flat_map(Table::values);
    of(manifest).into_iter().chain(targets.filter_map(Value::as_table).flat_map(of)).collect()
}

/// The folder of a package; `None` if it is not ours.
fn folder(package: &str) -> Option<&str> {
    match package {
        "locant" => Some("locant"),
        _ => package.strip_prefix("locant-"),
    }
}

fn line(file: &File, used: &str) -> usize {
    file.text.lines().position(|line| line.trim_start().starts_with(used)).map_or(1, |index| index + 1)
}
