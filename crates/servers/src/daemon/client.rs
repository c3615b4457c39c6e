//! A client of the daemon.

use std::io::{self, Read};
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use locant_frames::Frames;
use locant_stop::check;
use serde_json::Value;

use super::message::{self, Answer, Call, Sent, Wish};
use super::place::Place;
use crate::launch::Launch;
use crate::question::{About, Failed, Heard, How, Shown, Trouble};
use crate::running::Status;
use crate::settings::Starter;

/// How long a daemon may take to start, or to end.
const TO_START: Duration = Duration::from_secs(5);

/// How long a daemon may show no sign of life.
const TO_REACT: Duration = Duration::from_secs(10);

/// How often a client that waits looks whether it was asked to stop.
const GLANCE: Duration = Duration::from_millis(50);

/// A client of the daemon of a program.
#[derive(Debug)]
pub struct Client {
    starter: Starter,
    build: String,
    /// Set once the daemon could not be reached: then it is not tried again.
    is_given_up: AtomicBool,
}

/// A daemon that runs.
#[derive(Clone, Debug)]
pub struct Started {
    /// What it holds.
    pub status: Status,
    /// Whether it ran before.
    pub was_running: bool,
}

/// A server that the daemon holds.
#[derive(Clone, Debug)]
pub(crate) struct Held {
    client: Arc<Client>,
    launch: Launch,
}

/// Why the daemon gives no answer.
#[derive(Debug)]
enum Absent {
    /// It does not run.
    NotRunning,
    /// It is another program, or about to end.
    Other,
    /// It broke off.
    Broken(String),
}

impl Client {
    /// A client of the daemon that `starter` starts.
    pub fn new(starter: Starter) -> Client {
        let build = message::build(&starter.program);
        Client { starter, build, is_given_up: AtomicBool::new(false) }
    }

    /// What the daemon holds; `None` when it does not run.
    pub fn status(&self) -> Option<Status> {
        self.state().ok().flatten()
    }

    /// What the daemon holds; `None` when it does not run. Fails if it cannot be reached, or cannot run here.
    pub fn state(&self) -> Result<Option<Status>, String> {
        match self.call(Wish::Status) {
            Ok(Answer::Status(status)) => Ok(Some(*status)),
            Ok(_) => Err("the daemon does not say what it holds".to_owned()),
            Err(Absent::NotRunning) => Ok(None),
            Err(Absent::Other) => Err("a daemon of another version runs".to_owned()),
            Err(Absent::Broken(why)) => Err(why),
        }
    }

    /// Starts the daemon if it does not run.
    pub fn start(&self) -> Result<Started, String> {
        let was_running = matches!(self.call(Wish::Status), Ok(Answer::Status(_)));
        match self.insist(|| Wish::Status) {
            Ok(Answer::Status(status)) => Ok(Started { status: *status, was_running }),
            Ok(_) => Err("the daemon does not say what it holds".to_owned()),
            Err(why) => Err(why),
        }
    }

    /// Ends the daemon and the servers that it holds; `false` when it does not run.
    pub fn stop(&self) -> Result<bool, String> {
        match self.call(Wish::Stop) {
            Ok(_) => {}
            Err(Absent::NotRunning) => return Ok(false),
            Err(Absent::Other) => return Err("the daemon does not stop".to_owned()),
            Err(Absent::Broken(why)) => return Err(why),
        }
        Ok(true)
    }

    /// A server that the daemon holds, and what it has said about itself; or why the daemon cannot start it. `None`
    /// when there is no daemon and none can be started.
    pub(crate) fn reach(self: &Arc<Client>, launch: &Launch) -> Option<Result<(Held, About), String>> {
        if self.is_given_up.load(Ordering::Relaxed) {
            return None;
        }
        match self.insist(|| Wish::Reach(Box::new(launch.clone()))) {
            Ok(Answer::Reached(about)) => {
                Some(Ok((Held { client: Arc::clone(self), launch: launch.clone() }, about.into())))
            }
            Ok(Answer::NotStarted(why)) => Some(Err(why)),
            Ok(_) | Err(_) => {
                self.is_given_up.store(true, Ordering::Relaxed);
                None
            }
        }
    }

    /// Calls the daemon. Starts it if it does not run. If the daemon of another build answers, asks that one to hand
    /// over first.
    fn insist(&self, wish: impl Fn() -> Wish) -> Result<Answer, String> {
        let begun = Instant::now();
        let mut is_started = false;
        loop {
            check();
            match self.call(wish()) {
                Ok(answer) => return Ok(answer),
                Err(Absent::Broken(why)) => return Err(why),
                Err(Absent::NotRunning) => {}
                // If our program file was replaced while we run, we must not end the daemon of the new program.
                Err(Absent::Other) if message::build(&self.starter.program) != self.build => {
                    return Err("the daemon is of a newer program".to_owned());
                }
                // Its answer does not matter: either that daemon ends soon, or the time of this loop runs out.
                Err(Absent::Other) => drop(self.call(Wish::HandOver)),
            }
            if begun.elapsed() > TO_START {
                return Err("the daemon does not start".to_owned());
            }
            if !is_started {
                self.starter.start().map_err(|error| format!("the daemon cannot be started: {error}"))?;
                is_started = true;
            }
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Calls the daemon once.
    fn call(&self, wish: Wish) -> Result<Answer, Absent> {
        let broken = |error: io::Error| Absent::Broken(format!("the daemon cannot be reached: {error}"));
        let mut stream = match Place::of(&self.starter.program).and_then(|place| place.connect()) {
            Ok(stream) => stream,
            Err(error) if is_absence(&error) => return Err(Absent::NotRunning),
            Err(error) => return Err(broken(error)),
        };
        stream.set_read_timeout(Some(GLANCE)).map_err(broken)?;
        stream.set_write_timeout(Some(TO_REACT)).map_err(broken)?;
        let call = Call { build: self.build.clone(), wish };
        message::write(&mut stream, &call).map_err(broken)?;
        let mut frames = Frames::new(Waiting { stream, heard: Instant::now() });
        loop {
            let answer = message::read::<Answer>(&mut frames);
            check();
            match answer {
                Ok(Some(Answer::Alive)) => {}
                Ok(Some(Answer::OtherBuild)) => return Err(Absent::Other),
                Ok(Some(Answer::Ending)) if !matches!(call.wish, Wish::Stop | Wish::HandOver) => {
                    return Err(Absent::Other);
                }
                Ok(Some(answer)) => return Ok(answer),
                Ok(None) => return Err(Absent::Broken("the daemon ended before it answered".to_owned())),
                Err(error) => return Err(broken(error)),
            }
        }
    }
}

fn is_absence(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused)
}

impl Held {
    /// Asks the server about the documents that are shown.
    pub(crate) fn ask(
        &self,
        shown: &Shown<'_>,
        how: How,
        method: &str,
        params: &Value,
    ) -> Result<Heard, Failed> {
        let sent =
            || Wish::Ask(Box::new(Sent::new(self.launch.clone(), how, (method, params), &shown.wanted)));
        let answer = match self.client.call(sent()) {
            // The daemon has ended since the server was reached. Another daemon starts the server anew.
            Err(Absent::NotRunning | Absent::Other) => self.client.insist(sent),
            Err(Absent::Broken(why)) => Err(why),
            Ok(answer) => Ok(answer),
        };
        match answer {
            Ok(Answer::Heard(value, busy)) => Ok(Heard { value, busy }),
            Ok(Answer::Failed(trouble, why)) => Err(Failed { trouble: trouble.into(), why }),
            Ok(Answer::NotStarted(why)) => Err(Failed { trouble: Trouble::Ended(why.clone()), why }),
            Ok(_) => Err(self.lost("the daemon answered something else".to_owned())),
            Err(why) => Err(self.lost(why)),
        }
    }

    fn lost(&self, why: String) -> Failed {
        let trouble = Trouble::Ended(why);
        let why = trouble.told(&self.launch.entry.name, "");
        Failed { trouble, why }
    }
}

impl Starter {
    /// Starts the daemon as a separate process, which keeps none of our files open.
    fn start(&self) -> io::Result<()> {
        // The daemon would inherit the files that our caller has left open, and keep them open for as long as it runs.
        // A program that waits for the end of such a file would wait for the daemon. So the shell closes the
        // descriptors that are usual for this, 3 to 9. It also starts the daemon in the background and ends, so that
        // the daemon is no child of ours.
        const SCRIPT: &str = "exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-; \"$0\" \"$@\" &";
        let mut command = Command::new("/bin/sh");
        command.arg("-c").arg(SCRIPT).arg(&self.program).args(&self.arguments);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let status = command.status()?;
        if status.success() { Ok(()) } else { Err(io::Error::other(status.to_string())) }
    }
}

/// A stream whose reader waits for as long as the other end shows signs of life and nobody asks this work to stop.
struct Waiting {
    stream: UnixStream,
    heard: Instant,
}

impl Read for Waiting {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.stream.read(buffer) {
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                }
                read => {
                    self.heard = Instant::now();
                    return read;
                }
            }
            if locant_stop::is_asked() {
                return Err(io::Error::other("the question was cancelled"));
            }
            if self.heard.elapsed() > TO_REACT {
                return Err(io::Error::other("it shows no sign of life"));
            }
        }
    }
}
