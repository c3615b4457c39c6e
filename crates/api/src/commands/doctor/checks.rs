//! What is looked at, one function for each.

use std::env;
use std::path::Path;

use locant_hosts::{Addition, Host, known, program};
use locant_servers::config::{self, Config};
use locant_servers::{Entry, Pool, Settings};
use locant_workspace::health::{may_write, try_cache};
use locant_workspace::{Origin, Project, shell_word, written};

use super::Check;
use super::languages::Languages;
use crate::commands::init::{Found, Wanted};
use crate::request::Context;

/// All that is looked at for a project.
pub(super) fn all(root: &Path, context: Context<'_>) -> Vec<Check> {
    let own = Pool::new(Settings::default());
    let pool = context.files.pool().map_or(&own, |pool| pool);
    let mut checks = vec![this_program(), folder(root)];
    checks.extend(servers(root, pool));
    checks.extend([daemon(pool), cache(), git()]);
    checks.extend(known().iter().filter(|host| host.is_used(root)).map(|host| in_host(host, root)));
    checks
}

fn this_program() -> Check {
    let version = concat!("locant ", env!("CARGO_PKG_VERSION"));
    let Ok(own) = env::current_exe().and_then(|own| own.canonicalize()) else {
        return Check::ok("program", version);
    };
    let (name, says) = ("program", format!("{version}, {}", own.display()));
    let Some(found) = program("locant") else {
        let todo = "hosts look for `locant` on the PATH: add its folder, or give hosts the whole path: \
                    locant init --program";
        return Check::advice(
            name,
            format!("{says}, is not on the PATH"),
            format!("{todo} {}", quoted(&own)),
        );
    };
    if found.canonicalize().is_ok_and(|found| found == own) {
        return Check::ok(name, says);
    }
    let says = format!("{says}; hosts would start another one, {}", found.display());
    Check::advice(
        name,
        says,
        format!("remove one of them, or give hosts this one: locant init --program {}", quoted(&own)),
    )
}

fn folder(root: &Path) -> Check {
    let (name, shown) = ("root", root.display());
    if !root.is_dir() {
        return Check::problem(
            name,
            format!("there is no folder {shown}"),
            "name the folder of the project: --root DIR",
        );
    }
    let how = match Project::around_lone(&root.join("any")).origin {
        Origin::Repository => "a repository",
        Origin::Folder => "a package",
        Origin::Guess => {
            let says = format!("{shown}: nothing in it or above it marks a project");
            return Check::advice(name, says, "run it in the project, or name its folder: --root DIR");
        }
    };
    if may_write(root) {
        Check::ok(name, format!("{shown}, {how}"))
    } else {
        Check::advice(
            name,
            format!("{shown}, {how}, is read-only for you"),
            "edits there will fail; all else works",
        )
    }
}

/// The settings of servers, and for each language of the project who answers.
fn servers(root: &Path, pool: &Pool) -> Vec<Check> {
    let Config { entries, faults } = Config::of(root);
    let languages = Languages::of(root);
    let fault = |fault: &String| {
        Check::problem("settings", fault.clone(), "correct the file; until then it is not read")
    };
    let mut checks: Vec<Check> = faults.iter().map(fault).collect();
    let is_allowed = config::is_allowed(root);
    for entry in entries.iter().filter(|entry| entry.is_of_project && !is_allowed) {
        let says = format!("the project names a program for {}, which is not started", entry.name);
        let todo = format!("if you trust the project: locant servers allow {}", quoted(root));
        checks.push(Check::advice("server", says, todo));
    }
    let own = languages.known();
    for name in &own {
        checks.push(Check::ok("server", format!("{name}: locant answers itself")));
    }
    let asked = languages.with_servers(&entries);
    let asked = asked.iter().filter(|(name, ..)| !own.contains(&name.as_str()));
    checks.extend(asked.map(|(language, n_files, servers)| server(language, *n_files, servers, pool)));
    checks
}

fn server(language: &str, n_files: usize, servers: &[&Entry], pool: &Pool) -> Check {
    let files = if n_files == 1 { "1 file".to_owned() } else { format!("{n_files} files") };
    let found = servers.iter().find_map(|entry| Some((entry, pool.program(entry)?)));
    match found {
        Some((entry, program)) => {
            Check::ok("server", format!("{language} ({files}): {}, {}", entry.name, program.display()))
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
            Check::advice("server", says, todo)
        }
    }
}

fn daemon(pool: &Pool) -> Check {
    let Some(client) = pool.daemon() else {
        return Check::ok("daemon", "none: each command starts the servers that it needs");
    };
    match client.state() {
        Ok(None) => Check::ok("daemon", "stopped; it starts when a server is needed"),
        Ok(Some(status)) if status.version != env!("CARGO_PKG_VERSION") => {
            let says = format!("version {} runs as process {}", status.version, status.process);
            Check::advice("daemon", says, "end it, the next command starts this version: locant daemon stop")
        }
        Ok(Some(status)) => {
            let n_servers = status.servers.len();
            Check::ok("daemon", format!("runs as process {} with {n_servers} servers", status.process))
        }
        Err(why) => Check::problem(
            "daemon",
            why,
            "make the folder in XDG_RUNTIME_DIR one of yours alone, or go without: --no-daemon",
        ),
    }
}

fn cache() -> Check {
    match try_cache() {
        Ok(cache) => {
            let megabytes = cache.n_bytes >> 20;
            Check::ok(
                "cache",
                format!("{}, {megabytes} MB; it may be removed at any time", cache.folder.display()),
            )
        }
        Err(error) => Check::problem(
            "cache",
            format!("it cannot be written: {error}; no change can be previewed"),
            "name a folder that is yours alone as XDG_CACHE_HOME",
        ),
    }
}

fn git() -> Check {
    match program("git") {
        Some(program) => Check::ok("git", program.display().to_string()),
        None => Check::advice("git", "it is not on the PATH", "`--from` and `track` need it"),
    }
}

/// Whether a host starts locant, in this project or in all of them.
fn in_host(host: &Host, root: &Path) -> Check {
    let found = [false, true].map(|is_for_user| Wanted { root, program: "locant", is_for_user }.found(host));
    let mut worst = None;
    for one in found {
        let Found::File(path, found) = one else { continue };
        let said = |what: &str| format!("{}: {} {what}", host.title, path.display());
        match found {
            Ok((_, Addition::Present | Addition::Different)) => {
                return Check::ok("host", said("starts locant"));
            }
            Ok((_, Addition::Missing(_))) => {}
            Err(why) => worst = Some(Check::problem("host", said(&why), "correct the file")),
        }
    }
    worst.unwrap_or_else(|| {
        let todo = format!("locant init {} --write", host.name);
        Check::advice("host", format!("{} does not start locant", host.title), todo)
    })
}

/// A path to paste into a shell.
fn quoted(path: &Path) -> String {
    shell_word(&written(path)).into_owned()
}
