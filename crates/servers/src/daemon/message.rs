//! What a daemon and its clients say to each other: one call and its answer for each connection.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use locant_engine::{Encoding, Text};
use locant_frames::{Frame, Frames, write_frame};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::launch::Launch;
use crate::question::{About, Breadth, Failed, Heard, How, Trouble, Wanted};
use crate::running::Status;

/// How often a daemon shows that it lives.
pub(super) const BEAT: Duration = Duration::from_millis(500);

/// What a client wants.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Call {
    /// The program of the client: a daemon answers only clients that are the same program as itself.
    pub(super) build: String,
    pub(super) wish: Wish,
}

/// What a client wants from its daemon.
#[derive(Debug, Deserialize, Serialize)]
pub(super) enum Wish {
    /// A server, started if it does not run.
    Reach(Box<Launch>),
    /// An answer of a server.
    Ask(Box<Sent>),
    /// What the daemon holds.
    Status,
    /// The daemon shall take no more calls, and end after those that it has.
    HandOver,
    /// The daemon shall end.
    Stop,
}

/// A question to a server.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Sent {
    pub(super) launch: Launch,
    how: String,
    pub(super) method: String,
    pub(super) params: Value,
    wanted: Vec<SentText>,
}

#[derive(Debug, Deserialize, Serialize)]
struct SentText {
    path: PathBuf,
    language_id: String,
    text: String,
}

/// What a daemon answers.
#[derive(Debug, Deserialize, Serialize)]
pub(super) enum Answer {
    /// The daemon still works on the answer.
    Alive,
    /// The daemon is not the same program as the client.
    OtherBuild,
    /// The daemon takes no more calls.
    Ending,
    /// What the server has said about itself.
    Reached(SentAbout),
    /// Why the server does not run.
    NotStarted(String),
    /// The server's answer, and what it was still busy with.
    Heard(Value, Option<String>),
    /// Why the server gave no answer.
    Failed(SentTrouble, String),
    /// What the daemon holds.
    Status(Box<Status>),
}

#[derive(Debug, Deserialize, Serialize)]
pub(super) struct SentAbout {
    version: String,
    encoding: String,
    capabilities: Value,
    registered: Vec<String>,
}

#[derive(Debug, Deserialize, Serialize)]
pub(super) enum SentTrouble {
    Ended(String),
    Silent(Duration),
    Late(Duration),
    Refused(i64, String),
}

impl Sent {
    pub(super) fn new(launch: Launch, how: How, (method, params): (&str, &Value), wanted: &[Wanted]) -> Sent {
        let text = |one: &Wanted| SentText {
            path: one.path.clone(),
            language_id: one.language_id.clone(),
            text: String::from_utf8_lossy(one.text.bytes()).into_owned(),
        };
        Sent {
            launch,
            how: word(how).to_owned(),
            method: method.to_owned(),
            params: params.clone(),
            wanted: wanted.iter().map(text).collect(),
        }
    }

    pub(super) fn how(&self) -> Option<How> {
        HOWS.into_iter().find(|how| word(*how) == self.how)
    }

    /// The texts that the question is about; `None` when there is none, or one is too long.
    pub(super) fn wanted(&mut self) -> Option<Vec<Wanted>> {
        let wanted = self.wanted.drain(..).map(|one| {
            let text = Arc::new(Text::new(one.text.into_bytes()).ok()?);
            Some(Wanted { path: one.path, text, language_id: one.language_id })
        });
        wanted.collect::<Option<Vec<_>>>().filter(|wanted| !wanted.is_empty())
    }
}

const HOWS: [How; 5] =
    [How::Settled(Breadth::Near), How::Settled(Breadth::Wide), How::Once, How::Command, How::Problems];

fn word(how: How) -> &'static str {
    match how {
        How::Settled(Breadth::Near) => "near",
        How::Settled(Breadth::Wide) => "wide",
        How::Once => "once",
        How::Command => "command",
        How::Problems => "problems",
    }
}

impl From<About> for SentAbout {
    fn from(about: About) -> SentAbout {
        let About { version, encoding, capabilities, registered } = about;
        SentAbout { version, encoding: encoding.word().to_owned(), capabilities, registered }
    }
}

impl From<SentAbout> for About {
    fn from(about: SentAbout) -> About {
        let SentAbout { version, encoding, capabilities, registered } = about;
        let encoding = Encoding::of_word(&encoding).unwrap_or(Encoding::Utf16);
        About { version, encoding, capabilities, registered }
    }
}

impl From<Result<Heard, Failed>> for Answer {
    fn from(heard: Result<Heard, Failed>) -> Answer {
        match heard {
            Ok(Heard { value, busy }) => Answer::Heard(value, busy),
            Err(Failed { trouble, why }) => {
                let trouble = match trouble {
                    Trouble::Ended(why) => SentTrouble::Ended(why),
                    Trouble::Silent(time) => SentTrouble::Silent(time),
                    Trouble::Late(time) => SentTrouble::Late(time),
                    Trouble::Refused { code, message } => SentTrouble::Refused(code, message),
                };
                Answer::Failed(trouble, why)
            }
        }
    }
}

/// The answer to a question that the daemon itself failed on.
pub(super) fn failed(why: &str) -> Answer {
    Answer::Failed(SentTrouble::Ended(why.to_owned()), format!("the server was not asked: {why}"))
}

impl From<SentTrouble> for Trouble {
    fn from(trouble: SentTrouble) -> Trouble {
        match trouble {
            SentTrouble::Ended(why) => Trouble::Ended(why),
            SentTrouble::Silent(time) => Trouble::Silent(time),
            SentTrouble::Late(time) => Trouble::Late(time),
            SentTrouble::Refused(code, message) => Trouble::Refused { code, message },
        }
    }
}

/// A text that identifies a program file. It differs between programs, and changes with an upgrade.
pub(super) fn build(program: &Path) -> String {
    let mut digest = DefaultHasher::new();
    if let Ok(about) = fs::metadata(program) {
        (about.dev(), about.ino(), about.len(), about.mtime(), about.mtime_nsec()).hash(&mut digest);
    }
    format!("{} {:016x}", env!("CARGO_PKG_VERSION"), digest.finish())
}

/// Writes one message.
pub(super) fn write(output: &mut impl Write, message: &impl Serialize) -> io::Result<()> {
    write_frame(output, &serde_json::to_string(message)?)
}

/// Reads one message; `None` at the end.
pub(super) fn read<T: for<'de> Deserialize<'de>>(frames: &mut Frames<impl Read>) -> io::Result<Option<T>> {
    match frames.read()? {
        Some(Frame::Body(body)) => Ok(Some(serde_json::from_slice(&body)?)),
        Some(Frame::Bad(why)) => Err(io::Error::other(why)),
        None => Ok(None),
    }
}
