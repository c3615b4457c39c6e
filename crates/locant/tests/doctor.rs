//! What `locant doctor` finds, on machines that the tests set up completely.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// A machine: a home, folders for the cache and for sockets, programs, and a project.
struct Machine(PathBuf);

impl Machine {
    fn new(name: &str) -> Machine {
        let top = std::env::temp_dir().join(format!("locant-doctor-{name}-{}", std::process::id()));
        for folder in ["home", "cache", "run", "bin", "project/.git"] {
            fs::create_dir_all(top.join(folder)).unwrap();
        }
        fs::set_permissions(top.join("run"), PermissionsExt::from_mode(0o700)).unwrap();
        let machine = Machine(fs::canonicalize(top).unwrap());
        symlink(env!("CARGO_BIN_EXE_locant"), machine.path("bin/locant")).unwrap();
        machine.program("bin/git");
        machine
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.join(path)
    }

    fn write(&self, path: &str, text: &str) {
        fs::create_dir_all(self.path(path).parent().unwrap()).unwrap();
        fs::write(self.path(path), text).unwrap();
    }

    fn program(&self, path: &str) {
        self.write(path, "#!/bin/sh\nexit 1\n");
        fs::set_permissions(self.path(path), PermissionsExt::from_mode(0o755)).unwrap();
    }

    /// The answer, and the exit code.
    fn doctor(&self) -> (Value, i32) {
        let done = Command::new(env!("CARGO_BIN_EXE_locant"))
            .args(["doctor", "--json"])
            .env_clear()
            .envs(
                [("HOME", "home"), ("XDG_CACHE_HOME", "cache"), ("XDG_RUNTIME_DIR", "run"), ("PATH", "bin")]
                    .map(|(name, folder)| (name, self.path(folder))),
            )
            .current_dir(self.path("project"))
            .output()
            .unwrap();
        (serde_json::from_slice(&done.stdout).unwrap(), done.status.code().unwrap())
    }

    /// The states of all checks with this name, each with what is to be done.
    fn checks(&self, name: &str) -> Vec<String> {
        let (answer, _) = self.doctor();
        let checks = answer["checks"].as_array().unwrap().iter().filter(|check| check["name"] == name);
        let said = |check: &Value| {
            let words = ["state", "says", "todo"].map(|field| check[field].as_str().unwrap_or_default());
            words.join("; ").replace(self.0.to_str().unwrap(), "TOP")
        };
        checks.map(said).collect()
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(Path::new(&self.0));
    }
}

#[test]
fn a_machine_on_which_all_is_well() {
    let machine = Machine::new("well");
    machine.write("project/a.py", "x = 1\n");
    machine.write("project/b.proto", "message M {}\n");
    machine.program("bin/ty");
    let (answer, code) = machine.doctor();
    assert_eq!((answer["problems"].as_u64(), code), (Some(0), 0), "{answer:#}");
    let states = answer["checks"].as_array().unwrap().iter().map(|check| check["state"].as_str().unwrap());
    assert!(states.clone().all(|state| state == "ok") && states.count() > 5, "{answer:#}");
    assert_eq!(
        machine.checks("server"),
        ["ok; proto: answered without a server; ", "ok; python (1 file): ty, TOP/bin/ty; "]
    );
    assert_eq!(machine.checks("root"), ["ok; TOP/project, a repository; "]);
    // It has changed nothing.
    assert_eq!(fs::read_dir(machine.path("project")).unwrap().count(), 3);
    assert_eq!(fs::read_dir(machine.path("home")).unwrap().count(), 0);
}

#[test]
fn what_is_missing_and_how_to_get_it() {
    let machine = Machine::new("missing");
    machine.write("project/main.go", "package main\n");
    fs::remove_file(machine.path("bin/git")).unwrap();
    fs::remove_file(machine.path("bin/locant")).unwrap();
    let server = machine.checks("server");
    assert!(
        server[0]
            .starts_with("advice; go (1 file): no server is found; known are gopls; install one: go install")
    );
    assert!(machine.checks("git")[0].starts_with("advice; "));
    let program = &machine.checks("program")[0];
    assert!(
        program.contains("is not on the PATH; ") && program.contains("locant init --program "),
        "{program}"
    );
    assert_eq!(machine.doctor().1, 0, "advice is no problem");
}

#[test]
fn settings_of_the_project() {
    let machine = Machine::new("settings");
    machine.write("project/locant.toml", "[servers.mine]\ncommand = [\"mine\"]\nlanguages = [\"python\"]\n");
    let server = machine.checks("server");
    assert!(server[0].ends_with("if you trust the project: locant servers allow TOP/project"), "{server:?}");
    machine.write("project/locant.toml", "[servers.mine\n");
    let settings = machine.checks("settings");
    assert!(settings[0].starts_with("problem; ") && settings[0].contains("locant.toml"), "{settings:?}");
    assert_eq!(machine.doctor().1, 1);
}

#[test]
fn folders_that_cannot_be_used() {
    let machine = Machine::new("folders");
    fs::remove_dir(machine.path("cache")).unwrap();
    machine.write("cache", "");
    fs::remove_dir(machine.path("project/.git")).unwrap();
    assert!(machine.checks("cache")[0].starts_with("problem; it cannot be written: "));
    assert!(
        machine.checks("root")[0]
            .starts_with("advice; TOP/project: nothing in it or above it marks a project; ")
    );
    let _ = fs::remove_dir_all(machine.path("run/locant"));
    machine.write("run/locant", "in the way");
    assert!(machine.checks("daemon")[0].starts_with("problem; "), "{:?}", machine.checks("daemon"));
    assert_eq!(machine.doctor().0["problems"], 2);
}

#[test]
fn hosts_that_are_used() {
    let machine = Machine::new("hosts");
    machine.write("project/.zed/settings.json", "{ broken");
    machine.write("project/.mcp.json", "{}");
    machine.write("home/.gemini/settings.json", r#"{"mcpServers": {"locant": {"command": "x"}}}"#);
    let hosts = machine.checks("host");
    assert_eq!(hosts[0], "advice; Claude Code does not start locant; locant init claude-code --write");
    assert!(
        hosts[1]
            .starts_with("problem; Zed: TOP/project/.zed/settings.json line 1, column 3: a key in quotes is")
    );
    assert_eq!(hosts[2], "ok; Gemini CLI: TOP/home/.gemini/settings.json starts locant; ");
    assert_eq!(hosts.len(), 3, "{hosts:?}");
}
