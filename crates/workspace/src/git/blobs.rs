//! Reads many versions of files with a single git process, because starting one process for each version would dominate
//! the time.

use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;

use super::command::{about, command, not_in_clone, not_started};
use super::patience::{self, patience};
use crate::failure::{Failure, FailureKind as Kind};

/// A running `git cat-file --batch`, which reads one version after another.
#[derive(Debug)]
pub struct Blobs {
    git: Child,
    /// The standard input of git, to which ids are written. Git ends when this is closed. Invariant: `Some` until this
    /// value is dropped or git is killed.
    names: Option<ChildStdin>,
    /// The texts that git returns, one for each id and in the same order; `None` when git does not have the text.
    texts: Receiver<io::Result<Option<Vec<u8>>>>,
    /// The top of the repository.
    top: PathBuf,
}

impl Blobs {
    pub(super) fn new(top: &Path) -> Result<Blobs, Failure> {
        let mut command = command(top, &["cat-file", "--batch"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut git = command.spawn().map_err(|error| not_started(&error))?;
        let (names, texts) = (git.stdin.take(), git.stdout.take().expect("it was asked for above"));
        Ok(Blobs { git, names, texts: listen(texts), top: top.to_owned() })
    }

    /// Reads the text with this id. Fails if git does not have the text, or does not answer in time.
    pub fn read(&mut self, id: &str) -> Result<Vec<u8>, Failure> {
        let what = format!("cannot read the version `{id}`");
        let unread = |error: io::Error| about(&what, Failure::new(Kind::Io, error.to_string(), "ask again"));
        self.ask(id).map_err(unread)?;
        let text = match self.texts.recv_timeout(patience()) {
            Ok(text) => text.map_err(unread)?,
            Err(RecvTimeoutError::Disconnected) => return Err(unread(io::ErrorKind::BrokenPipe.into())),
            Err(RecvTimeoutError::Timeout) => {
                self.names = None;
                return Err(about(&what, patience::end(&mut self.git)));
            }
        };
        text.ok_or_else(|| {
            let how = format!("`git cat-file blob {id}`");
            not_in_clone(&self.top, &format!("the version `{id}`"), &how)
        })
    }

    fn ask(&mut self, id: &str) -> io::Result<()> {
        let names = self.names.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        writeln!(names, "{id}")?;
        names.flush()
    }
}

/// Reads texts as git prints them, in a separate thread: a blocked read cannot be cancelled.
fn listen(texts: ChildStdout) -> Receiver<io::Result<Option<Vec<u8>>>> {
    // A channel without a buffer, so that at most one text waits in memory.
    let (heard, answers) = mpsc::sync_channel(0);
    let mut texts = BufReader::new(texts);
    thread::spawn(move || {
        loop {
            let text = next(&mut texts);
            let is_end = text.is_err();
            if heard.send(text).is_err() || is_end {
                return;
            }
        }
    });
    answers
}

/// Reads git's next answer. It is either `ID blob SIZE`, a line break, the text and another line break; or `ID
/// missing`, which gives `None`.
fn next(texts: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut said = String::new();
    if texts.read_line(&mut said)? == 0 {
        return Err(io::ErrorKind::BrokenPipe.into());
    }
    if said.trim_end().ends_with(" missing") {
        return Ok(None);
    }
    let size = said.trim_end().rsplit_once(" blob ").and_then(|(_, size)| size.parse().ok());
    let size: usize = size.ok_or_else(|| io::Error::other(format!("git says `{}`", said.trim_end())))?;
    let mut text = vec![0; size + 1];
    texts.read_exact(&mut text)?;
    text.truncate(size);
    Ok(Some(text))
}

impl Drop for Blobs {
    fn drop(&mut self) {
        drop(self.names.take());
        // If waiting for the process fails, nothing can be done about it.
        let _ = self.git.wait();
    }
}
