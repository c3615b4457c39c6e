//! The daemon itself.

use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{env, fs, io, process, thread};

use locant_frames::Frames;
use locant_stop::{Stop, unharmed, until};
use locant_workspace::{Documents, Workspace};
use serde_json::Value;

use super::log::Log;
use super::message::{self, Answer, BEAT, Sent, Wish};
use super::place::{Lock, Place, is_own_peer};
use crate::config::DaemonLimits;
use crate::pool::Pool;
use crate::question::{Failed, Shown};
use crate::running::Status;
use crate::settings::Settings;
use crate::supervise::memory_of;

/// How often the daemon looks whether it is still needed.
const LOOK: Duration = Duration::from_millis(200);

/// How long a new daemon waits until one that is ending has given up its lock.
const TO_FOLLOW: Duration = Duration::from_secs(3);

/// How long a client may take to say what it wants.
const TO_SAY: Duration = Duration::from_secs(10);

/// How many calls are answered at the same time. More have to wait.
const MOST_CALLS: usize = 64;

/// After this many reads of files, all texts that are kept are forgotten.
const MOST_READS: usize = 500;

/// A daemon at work.
struct Host {
    build: String,
    pool: Pool,
    limits: DaemonLimits,
    log: Log,
    place: Place,
    begun: Instant,
    /// The files on disk. They have the texts of documents that servers have open and that clients do not send.
    workspace: Mutex<Arc<Workspace>>,
    state: Mutex<State>,
    n_calls: AtomicUsize,
}

struct State {
    /// The lock of the folder in `place`; `None` once no more calls are taken.
    lock: Option<Lock>,
    used: Instant,
    /// Asked when the daemon is to end at once.
    stop: Stop,
}

/// Serves clients until nobody has needed a server for long, or the daemon is told to end. Returns its exit code.
pub fn serve(settings: Settings) -> u8 {
    // A daemon belongs to no terminal.
    let _ = rustix::process::setsid();
    let _ = env::set_current_dir("/");
    match Host::open(settings) {
        Ok(Some((host, listener))) => host.run(listener),
        // Another daemon serves already.
        Ok(None) => 0,
        Err(_) => 3,
    }
}

impl Host {
    /// Locks the folder in which clients look for a daemon, and listens there; `None` when another daemon holds the
    /// lock.
    fn open(settings: Settings) -> io::Result<Option<(Arc<Host>, UnixListener)>> {
        let program = env::current_exe()?;
        let place = Place::of(&program)?;
        let asked = Instant::now();
        let lock = loop {
            match place.lock()? {
                Some(lock) => break lock,
                None if asked.elapsed() > TO_FOLLOW => return Ok(None),
                None => thread::sleep(Duration::from_millis(20)),
            }
        };
        let listener = place.listen(&lock)?;
        let host = Host {
            build: message::build(&program),
            limits: DaemonLimits::of_user(),
            pool: Pool::new(settings),
            log: Log::open(&place.log()),
            place,
            begun: Instant::now(),
            workspace: Mutex::default(),
            state: Mutex::new(State { lock: Some(lock), used: Instant::now(), stop: Stop::default() }),
            n_calls: AtomicUsize::new(0),
        };
        Ok(Some((Arc::new(host), listener)))
    }

    fn run(self: Arc<Host>, listener: UnixListener) -> u8 {
        self.log.note(&format!("locant {} serves", self.build));
        let host = Arc::clone(&self);
        let listening =
            thread::Builder::new().name("listener".to_owned()).spawn(move || host.listen(&listener));
        if listening.is_ok() {
            while self.is_needed() {
                thread::sleep(LOOK);
                self.pool.end_unused(self.limits.idle, self.limits.most_servers);
            }
        }
        self.leave();
        let left = Instant::now();
        while self.n_calls.load(Ordering::Relaxed) > 0 && left.elapsed() < self.limits.idle {
            thread::sleep(Duration::from_millis(10));
        }
        self.pool.end_unused(Duration::ZERO, 0);
        self.log.note("ends");
        0
    }

    /// Whether the daemon has work, or may soon have.
    fn is_needed(&self) -> bool {
        let mut state = self.state();
        if self.n_calls.load(Ordering::Relaxed) > 0 {
            state.used = Instant::now();
        }
        let is_found = state.lock.as_ref().is_some_and(|lock| self.place.is_found(lock));
        is_found && state.used.elapsed() < self.limits.idle
    }

    /// Takes no more calls.
    fn leave(&self) {
        if let Some(lock) = self.state().lock.take() {
            self.place.leave(lock);
        }
    }

    fn listen(self: &Arc<Host>, listener: &UnixListener) {
        loop {
            while self.n_calls.load(Ordering::Relaxed) >= MOST_CALLS {
                thread::sleep(Duration::from_millis(10));
            }
            let Ok((stream, _)) = listener.accept() else {
                // The reason may pass: for example, too many files are open.
                thread::sleep(Duration::from_millis(100));
                continue;
            };
            if !is_own_peer(&stream) {
                self.log.note("another user was turned away");
                continue;
            }
            self.n_calls.fetch_add(1, Ordering::Relaxed);
            let host = Arc::clone(self);
            let answered = thread::Builder::new().name("call".to_owned()).spawn(move || {
                // A client that is gone, or makes no sense, gets no answer.
                let _ = unharmed(|| host.take(stream));
                host.state().used = Instant::now();
                host.n_calls.fetch_sub(1, Ordering::Relaxed);
            });
            if answered.is_err() {
                self.n_calls.fetch_sub(1, Ordering::Relaxed);
            }
        }
    }

    /// Takes one call and answers it.
    fn take(self: &Arc<Host>, mut stream: UnixStream) -> io::Result<()> {
        stream.set_read_timeout(Some(TO_SAY))?;
        stream.set_write_timeout(Some(TO_SAY))?;
        let Some(call) = message::read::<Value>(&mut Frames::new(&stream))? else { return Ok(()) };
        // This build may not be able to read all that clients of other builds write. But these two words are the same
        // in all builds.
        let is_ours = call["build"] == self.build.as_str();
        let word = call["wish"].as_str();
        if word != Some("Stop") && word != Some("HandOver") {
            if self.state().lock.is_none() {
                return message::write(&mut stream, &Answer::Ending);
            }
            if !is_ours {
                return message::write(&mut stream, &Answer::OtherBuild);
            }
        }
        let wish: Wish = serde_json::from_value(call["wish"].clone())?;
        match wish {
            Wish::Status => message::write(&mut stream, &Answer::Status(Box::new(self.status()))),
            Wish::HandOver | Wish::Stop => {
                let is_now = matches!(wish, Wish::Stop);
                self.log.note(if is_now { "was told to stop" } else { "hands over to another build" });
                self.leave();
                if is_now {
                    self.state().stop.ask();
                }
                message::write(&mut stream, &Answer::Ending)
            }
            wish => self.answer(wish, &mut stream),
        }
    }

    /// Answers a call that takes time, and sends signs of life until the answer is there. If the client is gone, its
    /// question is cancelled.
    fn answer(self: &Arc<Host>, wish: Wish, stream: &mut UnixStream) -> io::Result<()> {
        let (sender, answers) = channel();
        let (host, stop) = (Arc::clone(self), Stop::default());
        thread::Builder::new().name("asking".to_owned()).spawn({
            let stop = stop.clone();
            move || host.work(wish, &stop, &sender)
        })?;
        loop {
            let answer = match answers.recv_timeout(BEAT) {
                Ok(answer) => return message::write(stream, &answer),
                Err(RecvTimeoutError::Disconnected) if stop.is_asked() => {
                    return message::write(stream, &Answer::Ending);
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return message::write(stream, &message::failed("this is a defect of the daemon"));
                }
                Err(RecvTimeoutError::Timeout) => Answer::Alive,
            };
            if self.state().stop.is_asked() {
                stop.ask();
            }
            if let Err(gone) = message::write(stream, &answer) {
                stop.ask();
                return Err(gone);
            }
        }
    }

    fn work(&self, wish: Wish, stop: &Stop, answers: &Sender<Answer>) {
        let answer = match wish {
            // This goes on even if the client is gone: a server that takes long to start then serves the next client.
            Wish::Reach(launch) => match self.pool.server(&launch) {
                Ok(server) => Answer::Reached(server.about().into()),
                Err(why) => {
                    self.log.note(&why);
                    Answer::NotStarted(why)
                }
            },
            Wish::Ask(sent) => match until(stop, || self.ask(*sent)) {
                Ok(answer) => answer,
                Err(locant_stop::Stopped) => return,
            },
            Wish::Status | Wish::HandOver | Wish::Stop => return,
        };
        // If nobody waits for it, the client is gone.
        let _ = answers.send(answer);
    }

    fn ask(&self, mut sent: Sent) -> Answer {
        let (Some(how), Some(wanted)) = (sent.how(), sent.wanted()) else {
            return message::failed("the question could not be read");
        };
        let server = match self.pool.server(&sent.launch) {
            Ok(server) => server,
            Err(why) => return Answer::NotStarted(why),
        };
        let workspace = self.workspace();
        let snapshot = workspace.snapshot(Documents::new());
        let heard = server.ask(&Shown { snapshot: &snapshot, wanted }, how, &sent.method, &sent.params);
        if let Err(Failed { why, .. }) = &heard {
            self.log.note(why);
        }
        heard.into()
    }

    /// The files on disk. The texts of those that were read are kept only for a while.
    fn workspace(&self) -> Arc<Workspace> {
        let mut workspace = self.workspace.lock().unwrap_or_else(PoisonError::into_inner);
        if workspace.n_reads() > MOST_READS {
            *workspace = Arc::default();
        }
        Arc::clone(&workspace)
    }

    fn status(&self) -> Status {
        Status {
            process: process::id(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            seconds: self.begun.elapsed().as_secs(),
            idle_seconds: self.limits.idle.as_secs(),
            most_servers: self.limits.most_servers,
            memory: memory_of(process::id()),
            log: fs::canonicalize(self.place.log()).unwrap_or_else(|_| self.place.log()),
            servers: self.pool.running(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
