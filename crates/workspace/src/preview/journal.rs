//! The journal. Changes are recorded in it before they are made, so that after an interruption the next process knows
//! what to finish or to take back.
//!
//! A user has one journal for all changes, and locks it while making one. While nothing is being changed, the journal
//! is empty, so its size tells whether there is anything to recover. Each record is a line. If the last line has no
//! line break, writing it was interrupted, and the line is ignored.

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
    /// The folders that are made for files that are created, the outer ones first.
    #[serde(default)]
    pub(super) folders: Vec<PathBuf>,
}

/// A file that is about to be changed.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct PlannedFile {
    /// The path from the root.
    pub(super) path: PathBuf,
    /// The name, in the same folder, of the file with the new text. After the swap, the old file has this name.
    pub(super) beside: String,
    /// The digest of its text; `None` for a file that is created.
    pub(super) old: Option<Digest>,
}

/// How far a change had come when it was interrupted.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum State {
    /// New texts were being written beside the files. The files themselves were all unchanged.
    Writing,
    /// Files were being swapped with their new texts. These are the digests of the new texts, in the order of the
    /// files; `None` for a file that is removed.
    Making(Vec<Option<Digest>>),
    /// All files had their new texts, and the second files, which have the old texts, were being removed.
    Cleaning(Vec<Option<Digest>>),
    /// The files were being swapped back.
    TakingBack(Vec<Option<Digest>>),
}

#[derive(Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
enum Record {
    Plan(Plan),
    Make(Vec<Option<Digest>>),
    TakeBack,
    Clean,
}

impl Journal {
    /// Waits until no other process has locked the journal, and locks it. Returns `None` when that takes too long.
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

    /// The change that must be finished or taken back; `None` when there is none.
    pub(super) fn pending(&mut self) -> io::Result<Option<(Plan, State)>> {
        let written = self.written()?;
        let lines = written.split_inclusive(|&byte| byte == b'\n').filter(|line| line.ends_with(b"\n"));
        let mut pending = None;
        for line in lines {
            pending = match (serde_json::from_slice(line)?, pending) {
                (Record::Plan(plan), None) => Some((plan, State::Writing)),
                (Record::Make(new), Some((plan, State::Writing))) => Some((plan, State::Making(new))),
                (Record::TakeBack, Some((plan, State::Making(new)))) => Some((plan, State::TakingBack(new))),
                (Record::Clean, Some((plan, State::Making(new)))) => Some((plan, State::Cleaning(new))),
                _ => return Err(io::Error::other("its lines do not follow each other")),
            };
        }
        Ok(pending)
    }

    pub(super) fn begin(&mut self, plan: Plan) -> io::Result<()> {
        self.clear()?;
        self.write(&Record::Plan(plan))
    }

    pub(super) fn make(&mut self, new: Vec<Option<Digest>>) -> io::Result<()> {
        self.write(&Record::Make(new))
    }

    pub(super) fn take_back(&mut self) -> io::Result<()> {
        self.write(&Record::TakeBack)
    }

    pub(super) fn clean(&mut self) -> io::Result<()> {
        self.write(&Record::Clean)
    }

    /// Empties the journal, since nothing is left to do.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        step()?;
        self.0.set_len(0)
    }

    fn write(&mut self, record: &Record) -> io::Result<()> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        step()?;
        let length = self.0.metadata()?.len();
        if let Err(error) = self.0.write_all(&line) {
            // A part of the line would make the next line unreadable.
            let _ = self.0.set_len(length);
            return Err(error);
        }
        // The next step must not reach the disk before this record does.
        self.0.sync_data()
    }
}
