//! Many versions of files, read by one process.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use super::command::{about, command, not_in_clone, not_started};
use crate::failure::{Failure, Kind};

/// A git that reads one version after the other. To start one for each would take longer than all else.
#[derive(Debug)]
pub(crate) struct Blobs {
    git: Child,
    /// Invariant: there until this is dropped. Git ends when it is closed.
    names: Option<ChildStdin>,
    texts: BufReader<ChildStdout>,
    /// The top of the repository.
    top: PathBuf,
}

impl Blobs {
    pub(super) fn new(top: &Path) -> Result<Blobs, Failure> {
        let mut command = command(top, &["cat-file", "--batch"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut git = command.spawn().map_err(|error| not_started(&error))?;
        let (names, texts) = (git.stdin.take(), git.stdout.take().expect("it was asked for above"));
        Ok(Blobs { git, names, texts: BufReader::new(texts), top: top.to_owned() })
    }

    /// The text that git keeps under an id.
    pub(crate) fn read(&mut self, id: &str) -> Result<Vec<u8>, Failure> {
        let text = self.try_read(id).map_err(|error| {
            let failure = Failure::new(Kind::Io, error.to_string(), "ask again");
            about(&format!("cannot read the version `{id}`"), failure)
        })?;
        text.ok_or_else(|| {
            let how = format!("`git cat-file blob {id}`");
            not_in_clone(&self.top, &format!("the version `{id}`"), &how)
        })
    }

    /// Git says `ID blob SIZE`, a line break, the text and another line break; or `ID missing`.
    fn try_read(&mut self, id: &str) -> io::Result<Option<Vec<u8>>> {
        let names = self.names.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        writeln!(names, "{id}")?;
        names.flush()?;
        let mut said = String::new();
        self.texts.read_line(&mut said)?;
        if said.trim_end().ends_with(" missing") {
            return Ok(None);
        }
        let size = said.trim_end().rsplit_once(" blob ").and_then(|(_, size)| size.parse().ok());
        let size: usize = size.ok_or_else(|| io::Error::other(format!("git says `{}`", said.trim_end())))?;
        let mut text = vec![0; size + 1];
        self.texts.read_exact(&mut text)?;
        text.truncate(size);
        Ok(Some(text))
    }
}

impl Drop for Blobs {
    fn drop(&mut self) {
        drop(self.names.take());
        // Nothing is left to be done for a process that cannot be waited for.
        let _ = self.git.wait();
    }
}
