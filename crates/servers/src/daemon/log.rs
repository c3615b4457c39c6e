//! What a daemon notes for people: when it starts and ends, and what its servers do. The file never grows long.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// How many bytes the file has at most. Then it starts anew.
const LONGEST: u64 = 256 << 10;

/// How much of a line is kept, in characters.
const LONGEST_LINE: usize = 2_000;

/// The notes of a daemon. Where they cannot be written they are lost, and nothing else happens.
#[derive(Debug)]
pub(super) struct Log(Mutex<Option<File>>);

impl Log {
    pub(super) fn open(path: &Path) -> Log {
        let file = OpenOptions::new().append(true).create(true).mode(0o600).open(path);
        Log(Mutex::new(file.ok()))
    }

    /// Adds a line.
    pub(super) fn note(&self, line: &str) {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(file) = file.as_mut() else { return };
        if file.metadata().is_ok_and(|about| about.len() > LONGEST) {
            let _ = file.set_len(0);
        }
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let line: String = line.chars().take(LONGEST_LINE).collect();
        let _ = writeln!(file, "{seconds} [{}] {line}", std::process::id());
    }
}
