//! The journal: changes are written down before they are made, so that after an interruption the next process reads
//! what to finish or to take back.
//!
//! There is one journal for all changes of a user, and it is their lock, too. While nothing is being changed it is
//! empty, so that one look at its size tells whether there is anything to do. Each record is a line; a last line
//! without a line break was interrupted, and does not count.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::digest::Digest;
use super::patience::Patience;
use super::step::step;

/// The journal, locked by this process.
#[derive(Debug)]
pub(super) struct Journal(File);

/// The changes that are about to be made.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct Plan {
    /// The id of the preview.
    pub(super) id: String,
    /// How many edits the preview has.
    pub(super) n_edits: usize,
    /// The folder that paths start from.
    pub(super) root: PathBuf,
    pub(super) files: Vec<PlannedFile>,
}

/// A file that is about to be changed.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct PlannedFile {
    /// Its path from the root.
    pub(super) path: PathBuf,
    /// The name in the same folder that the new text is written to. After the swap, the old file has this name.
    pub(super) beside: String,
    pub(super) old: Digest,
}

/// How far a change had come.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum State {
    /// New texts were being written beside the files, which were all as before.
    Writing,
    /// Files were being swapped with their new texts, which have these digests in the order of the files.
    Making(Vec<Digest>),
    /// Files that were swapped were being swapped back.
    TakingBack(Vec<Digest>),
}

#[derive(Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
enum Record {
    Plan(Plan),
    Make(Vec<Digest>),
    TakeBack,
}

impl Journal {
    /// Locks the journal, as soon as no other process has it; `None` when one keeps it for too long.
    pub(super) fn take(file: File, patience: Patience) -> io::Result<Option<Journal>> {
        let is_free = patience.until(|| match file.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) => Err(error),
        })?;
        Ok(is_free.then_some(Journal(file)))
    }

    /// All bytes of the journal.
    pub(super) fn written(&mut self) -> io::Result<Vec<u8>> {
        self.0.seek(SeekFrom::Start(0))?;
        let mut written = Vec::new();
        Read::by_ref(&mut self.0).read_to_end(&mut written)?;
        Ok(written)
    }

    /// The change that is to be finished or taken back; `None` when there is none.
    pub(super) fn pending(&mut self) -> io::Result<Option<(Plan, State)>> {
        let written = self.written()?;
        let lines = written.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n"));
        let mut pending = None;
        for line in lines {
            pending = match (serde_json::from_slice(line)?, pending) {
                (Record::Plan(plan), None) => Some((plan, State::Writing)),
                (Record::Make(new), Some((plan, State::Writing))) => Some((plan, State::Making(new))),
                (Record::TakeBack, Some((plan, State::Making(new)))) => Some((plan, State::TakingBack(new))),
                _ => return Err(io::Error::other("its lines do not follow each other")),
            };
        }
        Ok(pending)
    }

    pub(super) fn begin(&mut self, plan: Plan) -> io::Result<()> {
        self.clear()?;
        self.write(&Record::Plan(plan))
    }

    pub(super) fn make(&mut self, new: Vec<Digest>) -> io::Result<()> {
        self.write(&Record::Make(new))
    }

    pub(super) fn take_back(&mut self) -> io::Result<()> {
        self.write(&Record::TakeBack)
    }

    /// Empties the journal: nothing is left to be done.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        step();
        self.0.set_len(0)
    }

    fn write(&mut self, record: &Record) -> io::Result<()> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        step();
        self.0.write_all(&line)?;
        // The next step must not reach the disk before this record does.
        self.0.sync_data()
    }
}
