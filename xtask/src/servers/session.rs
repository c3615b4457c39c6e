//! A running `locant batch`, which is asked one question after the other.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::install;

/// How long an answer may take: far longer than any server needs. This only ends a test that would never end.
const LONGEST: Duration = Duration::from_secs(120);

/// A running `locant batch` in the folder of a project. It ends, with its servers, when this value is dropped.
pub(crate) struct Session {
    child: Child,
    input: Option<ChildStdin>,
    answers: Receiver<String>,
    server: String,
    n_asked: u64,
}

impl Session {
    /// Starts `locant batch` in a folder, for questions to one server. `home` is the user's folder for settings.
    pub(crate) fn start(locant: &Path, folder: &Path, home: &Path, server: &str) -> Result<Session> {
        let mut command = Command::new(locant);
        command.args(["batch", "--no-daemon"]).current_dir(folder);
        command.env("LOCANT_SERVER_PATH", install::programs()).env("XDG_CONFIG_HOME", home);
        command.env("XDG_CACHE_HOME", home).env("XDG_STATE_HOME", home);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().context("could not start locant")?;
        let output = child.stdout.take().context("locant has no output")?;
        let (send, answers) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        Ok(Session { child, input, answers, server: server.to_owned(), n_asked: 0 })
    }

    /// The id of the process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Asks, and returns the field `result` of the answer, or an object with its `error`.
    pub(crate) fn ask(&mut self, op: &str, fields: &Value) -> Result<Value> {
        let mut request = json!({"id": self.n_asked, "op": op, "server": self.server});
        self.n_asked += 1;
        if let (Value::Object(request), Value::Object(fields)) = (&mut request, fields) {
            request.extend(fields.clone());
        }
        let input = self.input.as_mut().context("the session is over")?;
        writeln!(input, "{request}").context("locant reads no more")?;
        let Ok(line) = self.answers.recv_timeout(LONGEST) else {
            bail!("no answer to {request}");
        };
        let mut answer: Value = serde_json::from_str(&line).with_context(|| format!("no JSON: {line}"))?;
        Ok(match answer.get_mut("result") {
            Some(result) if !result.is_null() => result.take(),
            _ => json!({"error": answer["error"].take()}),
        })
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // The program ends when its input ends. This may take a while, because it asks its servers to end.
        drop(self.input.take());
        for _ in 0..100 {
            if matches!(self.child.try_wait(), Ok(Some(_)) | Err(_)) {
                return;
            }
            thread::sleep(Duration::from_millis(50));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
