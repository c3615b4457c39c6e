//! The checks that `doctor` makes, one function for each.

use std::env;
use std::path::Path;

use locant_hosts::{Addition, Host, known, program};
use locant_servers::config::{self, Config};
use locant_servers::{Entry, Pool, Settings};
use locant_workspace::health::{may_write, try_cache};
use locant_workspace::{Origin, Project, written};

use super::Found;
use super::languages::Languages;
use crate::commands::init::{self, Wanted};
use crate::phrase::{Phrase, call, phrase, setting};
use crate::request::Context;

/// All checks for a project.
pub(super) fn all(root: &Path, context: Context<'_>) -> Vec<Found> {
    let own = Pool::new(Settings::default());
    let pool = context.files.pool().map_or(&own, |pool| pool);
    let mut checks = vec![this_program(), folder(root)];
    checks.extend(servers(root, pool));
    checks.extend([daemon(pool), cache(), git()]);
    checks.extend(known().iter().filter(|host| host.is_used(root)).map(|host| in_host(host, root)));
    checks
}

fn this_program() -> Found {
    let version = concat!("locant ", env!("CARGO_PKG_VERSION"));
    let Ok(own) = env::current_exe().and_then(|own| own.canonicalize()) else {
        return Found::ok("program", version);
    };
    let (name, says) = ("program", format!("{version}, {}", own.display()));
    let whole = call("init").with("program", written(&own));
    let Some(found) = program("locant") else {
        let todo = "hosts look for `locant` on the PATH: add its folder, or give hosts the whole path: ";
        return Found::advice(name, format!("{says}, is not on the PATH"), phrase![todo, whole]);
    };
    if found.canonicalize().is_ok_and(|found| found == own) {
        return Found::ok(name, says);
    }
    let says = format!("{says}; hosts would start another one, {}", found.display());
    Found::advice(name, says, phrase!["remove one of them, or give hosts this one: ", whole])
}

fn folder(root: &Path) -> Found {
    let (name, shown) = ("root", root.display());
    if !root.is_dir() {
        return Found::problem(
            name,
            format!("there is no folder {shown}"),
            phrase!["name the folder of the project: ", setting("root", "DIR")],
        );
    }
    let how = match Project::around_lone(&root.join("any")).origin {
        Origin::Repository => "a repository",
        Origin::Folder => "a package",
        Origin::Guess => {
            let says = format!("{shown}: nothing in it or above it marks a project");
            return Found::advice(
                name,
                says,
                phrase!["run it in the project, or name its folder: ", setting("root", "DIR")],
            );
        }
    };
    if may_write(root) {
        Found::ok(name, format!("{shown}, {how}"))
    } else {
        Found::advice(
            name,
            format!("{shown}, {how}, is read-only for you"),
            "edits there will fail; all else works",
        )
    }
}

/// Checks the settings of servers, and says for each language of the project who answers questions about its names.
fn servers(root: &Path, pool: &Pool) -> Vec<Found> {
    let Config { entries, faults } = Config::of(root);
    let languages = Languages::of(root);
    let fault = |fault: &String| {
        Found::problem("settings", fault.clone(), "correct the file; until then it is not read")
    };
    let mut checks: Vec<Found> = faults.iter().map(fault).collect();
    let is_allowed = config::is_allowed(root);
    for entry in entries.iter().filter(|entry| entry.is_of_project && !is_allowed) {
        let says = format!("the project names a program for {}, which is not started", entry.name);
        let todo = phrase!["if you trust the project: ", call("servers").with("allow", written(root))];
        checks.push(Found::advice("server", says, todo));
    }
    let own = languages.known();
    for name in &own {
        checks.push(Found::ok("server", format!("{name}: answered without a server")));
    }
    let asked = languages.with_servers(&entries);
    let asked = asked.iter().filter(|(name, ..)| !own.contains(&name.as_str()));
    checks.extend(asked.map(|(language, n_files, servers)| server(language, *n_files, servers, pool)));
    checks
}

fn server(language: &str, n_files: usize, servers: &[&Entry], pool: &Pool) -> Found {
    let files = if n_files == 1 { "1 file".to_owned() } else { format!("{n_files} files") };
    let found = servers.iter().find_map(|entry| Some((entry, pool.program(entry)?)));
    match found {
        Some((entry, program)) => {
            Found::ok("server", format!("{language} ({files}): {}, {}", entry.name, program.display()))
        }
        None => {
            let names: Vec<&str> = servers.iter().map(|entry| entry.name.as_str()).collect();
            let says = format!("{language} ({files}): no server is found; known are {}", names.join(", "));
            let install =
                servers.iter().map(|entry| entry.install.as_str()).find(|install| !install.is_empty());
            let todo = install.map_or_else(
                || "put one on the PATH".to_owned(),
                |install| format!("install one: {install}"),
            );
            Found::advice("server", says, todo)
        }
    }
}

fn daemon(pool: &Pool) -> Found {
    let Some(client) = pool.daemon() else {
        return Found::ok("daemon", "none: each command starts the servers that it needs");
    };
    match client.state() {
        Ok(None) => Found::ok("daemon", "stopped; it starts when a server is needed"),
        Ok(Some(status)) if status.version != env!("CARGO_PKG_VERSION") => {
            let says = format!("version {} runs as process {}", status.version, status.process);
            Found::advice(
                "daemon",
                says,
                phrase![
                    "end it, the next command starts this version: ",
                    call("daemon").with("verb", "stop")
                ],
            )
        }
        Ok(Some(status)) => {
            let n_servers = status.servers.len();
            Found::ok("daemon", format!("runs as process {} with {n_servers} servers", status.process))
        }
        Err(why) => Found::problem(
            "daemon",
            why,
            phrase![
                "make the folder in XDG_RUNTIME_DIR one of yours alone, or go without: ",
                setting("no_daemon", "")
            ],
        ),
    }
}

fn cache() -> Found {
    match try_cache() {
        Ok(cache) => {
            let megabytes = cache.n_bytes >> 20;
            Found::ok(
                "cache",
                format!("{}, {megabytes} MB; it may be removed at any time", cache.folder.display()),
            )
        }
        Err(error) => Found::problem(
            "cache",
            format!("it cannot be written: {error}; no change can be previewed"),
            "name a folder that is yours alone as XDG_CACHE_HOME",
        ),
    }
}

fn git() -> Found {
    match program("git") {
        Some(program) => Found::ok("git", program.display().to_string()),
        None => Found::advice(
            "git",
            "it is not on the PATH",
            phrase![
                "earlier versions are read with it: `",
                setting("from", "REV"),
                "`, `",
                call("track"),
                "`"
            ],
        ),
    }
}

/// Whether a host starts locant, in this project or in all projects of the user.
fn in_host(host: &Host, root: &Path) -> Found {
    let found = [false, true].map(|is_for_user| Wanted { root, program: "locant", is_for_user }.found(host));
    let mut worst = None;
    for one in found {
        let init::Found::File(path, found) = one else { continue };
        let said = |what: &str| format!("{}: {} {what}", host.title, path.display());
        match found {
            Ok((_, Addition::Present | Addition::Different)) => {
                return Found::ok("host", said("starts locant"));
            }
            Ok((_, Addition::Missing(_))) => {}
            Err(why) => worst = Some(Found::problem("host", said(&why), "correct the file")),
        }
    }
    worst.unwrap_or_else(|| {
        let todo: Phrase = call("init").with("hosts", host.name.as_str()).with("write", "").into();
        Found::advice("host", format!("{} does not start locant", host.title), todo)
    })
}
