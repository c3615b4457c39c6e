//! Shows the progress of long work on standard error, if that is a terminal.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use locant_workspace::sweep::n_looked_at;

/// Work that takes less time than this shows nothing.
const PATIENCE: Duration = Duration::from_millis(500);

/// How often the count is shown anew.
const EACH: Duration = Duration::from_millis(100);

/// Does work. If it takes long, shows how many files were looked at, and removes the line when the work is over.
pub(crate) fn shown<T>(work: impl FnOnce() -> T) -> T {
    if !io::stderr().is_terminal() {
        return work();
    }
    let (working, is_over) = channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || watch(&is_over, &mut io::stderr()));
        // If the work ends by a panic, this is dropped, too.
        let _working = working;
        work()
    })
}

/// Shows the count until the other end of the channel is gone. A terminal that cannot be written to shows nothing.
fn watch(is_over: &Receiver<()>, terminal: &mut impl Write) {
    let mut patience = PATIENCE;
    let mut is_shown = false;
    while is_over.recv_timeout(patience) == Err(RecvTimeoutError::Timeout) {
        patience = EACH;
        let n_files = n_looked_at();
        if n_files > 0 {
            is_shown = true;
            let _ = write!(terminal, "\r{}", line(n_files)).and_then(|()| terminal.flush());
        }
    }
    if is_shown {
        let _ = write!(terminal, "\r{CLEAR}").and_then(|()| terminal.flush());
    }
}

/// Removes what is on the line from the cursor on.
const CLEAR: &str = "\x1b[K";

fn line(n_files: usize) -> String {
    let digits = n_files.to_string();
    let grouped: Vec<&[u8]> = digits.as_bytes().rchunks(3).rev().collect();
    let grouped = grouped.join(&b","[..]);
    format!("{} files looked at{CLEAR}", String::from_utf8_lossy(&grouped))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_grouped() {
        assert_eq!(line(7), "7 files looked at\x1b[K");
        assert_eq!(line(1_234_567), "1,234,567 files looked at\x1b[K");
        assert_eq!(line(120_345), "120,345 files looked at\x1b[K");
    }

    #[test]
    fn nothing_is_shown_of_short_work() {
        let (working, is_over) = channel();
        drop(working);
        let mut terminal = Vec::new();
        watch(&is_over, &mut terminal);
        assert!(terminal.is_empty());
    }
}
