//! Many versions of files, read by one process.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use super::question::{about, command, not_started};
use crate::failure::{Failure, Kind};

/// A git that reads one version after the other. To start one for each would take longer than all else.
#[derive(Debug)]
pub(crate) struct Blobs {
    git: Child,
    /// Invariant: there until this is dropped. Git ends when it is closed.
    names: Option<ChildStdin>,
    texts: BufReader<ChildStdout>,
}

impl Blobs {
    pub(super) fn new(top: &Path) -> Result<Blobs, Failure> {
        let mut command = command(top, &["cat-file", "--batch"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut git = command.spawn().map_err(|error| not_started(&error))?;
        let (names, texts) = (git.stdin.take(), git.stdout.take().expect("it was asked for above"));
        Ok(Blobs { git, names, texts: BufReader::new(texts) })
    }

    /// The text that git keeps under an id.
    pub(crate) fn read(&mut self, id: &str) -> Result<Vec<u8>, Failure> {
        let text = self.try_read(id).map_err(|error| Failure::new(Kind::Io, error.to_string(), "ask again"));
        text.map_err(|failure| about(&format!("cannot read the version `{id}`"), failure))
    }

    /// Git says `ID blob SIZE`, a line break, the text and another line break; or `ID missing`.
    fn try_read(&mut self, id: &str) -> io::Result<Vec<u8>> {
        let names = self.names.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        writeln!(names, "{id}")?;
        names.flush()?;
        let mut said = String::new();
        self.texts.read_line(&mut said)?;
        let size = said.trim_end().rsplit_once(" blob ").and_then(|(_, size)| size.parse().ok());
        let size: usize = size.ok_or_else(|| io::Error::other(format!("git says `{}`", said.trim_end())))?;
        let mut text = vec![0; size + 1];
        self.texts.read_exact(&mut text)?;
        text.truncate(size);
        Ok(text)
    }
}

impl Drop for Blobs {
    fn drop(&mut self) {
        drop(self.names.take());
        // Nothing is left to be done for a process that cannot be waited for.
        let _ = self.git.wait();
    }
}
