//! What one test needs: a project, a language server that answers by a script, and clients that ask it. One program is
//! the server, the client and the daemon, according to its arguments.
#![allow(dead_code, reason = "each test uses a part of it")]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The program that is server, client and daemon.
const PROGRAM: &str = env!("CARGO_BIN_EXE_scripted-server");

/// The folders of one test. All processes that belong to it end with it.
pub(crate) struct Stage(PathBuf);

/// A running client. The test tells it what to ask a server.
pub(crate) struct Client {
    child: Child,
    lines: BufReader<std::process::ChildStdout>,
}

impl Stage {
    /// A project with a file `a.py`, and a server with this script. Each start of the server plays the next act of it.
    pub(crate) fn new(script: &str) -> Stage {
        static N_STAGES: AtomicUsize = AtomicUsize::new(0);
        let n = N_STAGES.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("locant-stage-{}-{n}", std::process::id()));
        fs::create_dir_all(path.join("project/.git")).expect("the temporary folder can be written to");
        for folder in ["bin", "run", "config/locant", "acts"] {
            fs::create_dir_all(path.join(folder)).expect("it can be made");
        }
        let stage = Stage(path.canonicalize().expect("it is there"));
        fs::write(stage.0.join("acts/script"), script).expect("it can be written");
        stage.write("a.py", "x = target\ny = target\n");
        stage.add_server("ty", "acts");
        stage
    }

    /// Puts a server of this name on the path. Its script is in the folder `acts`.
    pub(crate) fn add_server(&self, name: &str, acts: &str) {
        let program = self.0.join("bin").join(name);
        let text = format!("#!/bin/sh\nexec '{PROGRAM}' play '{}'\n", self.0.join(acts).display());
        fs::write(&program, text).expect("it can be written");
        fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).expect("it is ours");
    }

    /// A path in the folder of the test.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file of the project.
    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join("project").join(name), text).expect("it can be written");
    }

    /// Writes the user's settings.
    pub(crate) fn settings(&self, text: &str) {
        fs::write(self.0.join("config/locant/locant.toml"), text).expect("it can be written");
    }

    /// What the server has noted.
    pub(crate) fn notes(&self) -> String {
        fs::read_to_string(self.0.join("acts/notes")).unwrap_or_default()
    }

    /// How often the server was started.
    pub(crate) fn n_starts(&self) -> usize {
        fs::read_to_string(self.0.join("acts/starts")).unwrap_or_default().len()
    }

    /// A client whose servers may show no progress for this time.
    pub(crate) fn client(&self, patience_ms: u64) -> Client {
        self.client_of(Path::new(PROGRAM), patience_ms)
    }

    /// A client that is another copy of the program.
    pub(crate) fn client_of(&self, program: &Path, patience_ms: u64) -> Client {
        let mut command = Command::new(program);
        command.args([Path::new("ask"), &self.0.join("project")]);
        command.env("LOCANT_SERVER_PATH", self.0.join("bin")).env("XDG_RUNTIME_DIR", self.0.join("run"));
        command.env("XDG_CONFIG_HOME", self.0.join("config")).env("XDG_CACHE_HOME", self.0.join("cache"));
        command.env("PATIENCE_MS", patience_ms.to_string()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the program was built");
        let lines = BufReader::new(child.stdout.take().expect("it is piped"));
        Client { child, lines }
    }

    /// The processes of the test that still run, with their commands.
    pub(crate) fn processes(&self) -> Vec<(u32, String)> {
        let mark = self.0.to_string_lossy().into_owned();
        let ids = fs::read_dir("/proc").expect("this is Linux").flatten();
        let ids = ids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        ids.filter_map(|id| Some((id, of_stage(id, &mark)?))).collect()
    }

    /// Waits until the test has no process any more, but no longer than `most`. Returns the processes that are left.
    pub(crate) fn left_after(&self, most: Duration) -> Vec<(u32, String)> {
        let begun = Instant::now();
        loop {
            let left = self.processes();
            if left.is_empty() || begun.elapsed() > most {
                return left;
            }
            thread::sleep(Duration::from_millis(50));
        }
    }
}

/// The command of a process, if it belongs to a test: its command or its environment names the folder.
fn of_stage(id: u32, mark: &str) -> Option<String> {
    let read = |name: &str| fs::read(format!("/proc/{id}/{name}")).unwrap_or_default();
    let command = String::from_utf8_lossy(&read("cmdline")).replace('\0', " ");
    let environment = String::from_utf8_lossy(&read("environ")).into_owned();
    let is_ours = !command.is_empty() && (command.contains(mark) || environment.contains(mark));
    is_ours.then_some(command)
}

impl Drop for Stage {
    fn drop(&mut self) {
        for (id, _) in self.processes() {
            kill(id);
        }
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Kills a process as `kill -9` does.
pub(crate) fn kill(id: u32) {
    let id = i32::try_from(id).ok().and_then(rustix::process::Pid::from_raw);
    let _ = rustix::process::kill_process(id.expect("it is an id"), rustix::process::Signal::KILL);
}

impl Client {
    /// Sends a question.
    pub(crate) fn say(&mut self, question: &Value) {
        let input = self.child.stdin.as_mut().expect("it is piped");
        writeln!(input, "{question}").expect("the client listens");
    }

    /// The next answer.
    pub(crate) fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.lines.read_line(&mut line).expect("the client answers");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("no answer: {error}: {line:?}"))
    }

    /// Asks, and waits for the answer.
    pub(crate) fn ask(&mut self, question: &Value) -> Value {
        self.say(question);
        self.hear()
    }

    /// Asks for the definition, of a server of its own or one of the daemon.
    pub(crate) fn definition(&mut self, is_alone: bool) -> Value {
        self.ask(&json!({"op": "definition", "alone": is_alone}))
    }

    /// Closes the input of the client, and waits until it ends.
    pub(crate) fn leave(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }

    /// The id of its process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
