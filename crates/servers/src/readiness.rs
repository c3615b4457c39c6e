//! Finds out whether a server has read the whole project. Before that, its answers may be incomplete.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::connection::Connection;
use crate::entry::{Changes, Ready};
use crate::process::Process;
use crate::question::{Breadth, Heard, Trouble};

/// How long we wait for a server that is still reading the project. After that its answer is given, but counts as
/// incomplete.
const LONGEST: Duration = Duration::from_secs(20);

/// How long we wait for a server to report that it has begun to read the project.
const TO_BEGIN: Duration = Duration::from_millis(1500);

/// If the server reports nothing, an answer counts as complete after it has stayed the same for this long while the
/// server was at rest. One that waits for a processor is not at rest: on a busy machine it may not have begun.
const TO_STAND: Duration = Duration::from_millis(1200);

/// The pause before the same question is asked again.
const PAUSE: Duration = Duration::from_millis(200);

/// How many times in a row a server must be seen at rest until we believe that it has read the project, and the pause
/// between two looks.
const RESTS: usize = 3;
const LOOK: Duration = Duration::from_millis(10);

/// What is known about how far a server has read the project.
#[derive(Debug)]
pub(crate) struct Readiness {
    rule: Ready,
    /// Whether the server has read the whole project, as it was when files last changed.
    is_ready: AtomicBool,
    changes: Changes,
    /// Whether the server may still be taking in a change.
    has_news: AtomicBool,
}

impl Readiness {
    pub(crate) fn new(rule: Ready, changes: Changes) -> Readiness {
        let is_ready = AtomicBool::new(rule == Ready::AtOnce);
        Readiness { rule, is_ready, changes, has_news: AtomicBool::new(false) }
    }

    /// Notes that the server was told about a change.
    pub(crate) fn note_news(&self) {
        self.has_news.store(self.changes == Changes::Later, Ordering::Relaxed);
    }

    /// Notes that files have changed, which the server may have to read first.
    pub(crate) fn unsettle(&self) {
        self.is_ready.store(self.rule == Ready::AtOnce, Ordering::Relaxed);
        self.note_news();
    }

    /// Asks, several times if needed, until the answer can be relied on or the time is over.
    pub(crate) fn settled(
        &self,
        connection: &Connection,
        process: &Process,
        breadth: Breadth,
        ask: impl Fn() -> Result<Value, Trouble>,
    ) -> Result<Heard, Trouble> {
        let longest = LONGEST.min(connection.patience() * 2 / 3);
        let wait = || connection.wait_until(longest, |heard| heard.work().is_none());
        let first = ask()?;
        let begun = Instant::now();
        if self.has_news.load(Ordering::Relaxed) {
            wait();
            return self.repeated(connection, process, first, begun, ask);
        }
        if self.is_ready.load(Ordering::Relaxed) {
            let is_busy = connection.heard(|heard| heard.work().is_some());
            if breadth == Breadth::Near || !is_busy {
                return Ok(heard(connection, first));
            }
            wait();
            return Ok(heard(connection, ask()?));
        }
        if breadth == Breadth::Near && !is_empty(&first) {
            return Ok(heard(connection, first));
        }
        if self.rule == Ready::Progress {
            // The server may begin to report only after a document was opened.
            connection.wait_until(TO_BEGIN, |heard| heard.has_worked());
        }
        let is_idle = wait();
        let reported = self.rule == Ready::Progress && connection.heard(|heard| heard.has_worked());
        if is_idle && reported && rests(connection, process, begun) {
            self.is_ready.store(true, Ordering::Relaxed);
            return Ok(heard(connection, ask()?));
        }
        self.repeated(connection, process, first, begun, ask)
    }

    /// Asks again until the answer stays the same.
    fn repeated(
        &self,
        connection: &Connection,
        process: &Process,
        first: Value,
        begun: Instant,
        ask: impl Fn() -> Result<Value, Trouble>,
    ) -> Result<Heard, Trouble> {
        let (mut last, mut since) = (first, Instant::now());
        let mut why_not = "its answers to the same question still differ";
        while since.elapsed() < TO_STAND {
            if begun.elapsed() > LONGEST.min(connection.patience() * 2 / 3) {
                return Ok(Heard { value: last, busy: Some(why_not.to_owned()) });
            }
            thread::sleep(PAUSE);
            locant_stop::check();
            // This is looked at before the question, because afterwards the server works on our question.
            let is_at_rest = process.is_at_rest();
            let value = ask()?;
            let is_busy = connection.heard(|heard| heard.work().is_some());
            if value != last || is_busy || !is_at_rest {
                let is_same = value == last;
                why_not = if is_same {
                    "it is still at work"
                } else {
                    "its answers to the same question still differ"
                };
                (last, since) = (value, Instant::now());
            }
        }
        self.is_ready.store(true, Ordering::Relaxed);
        self.has_news.store(false, Ordering::Relaxed);
        Ok(heard(connection, last))
    }
}

/// Waits until the server has no work and rests. It may read a project in several steps, and report each of them after
/// the one before has ended. `false` if it does not rest in time.
fn rests(connection: &Connection, process: &Process, begun: Instant) -> bool {
    let longest = LONGEST.min(connection.patience() * 2 / 3);
    let mut n_rests = 0;
    while n_rests < RESTS {
        if begun.elapsed() > longest {
            return false;
        }
        thread::sleep(LOOK);
        locant_stop::check();
        let is_busy = connection.heard(|heard| heard.work().is_some());
        n_rests = if is_busy || !process.is_at_rest() { 0 } else { n_rests + 1 };
    }
    true
}

fn heard(connection: &Connection, value: Value) -> Heard {
    Heard { value, busy: connection.heard(|heard| heard.work().map(str::to_owned)) }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        _ => false,
    }
}
