//! Watches the process that has started the server. If that process ends without sending `exit`, the server ends too.

use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

use super::transport::Event;

/// The time between two looks at the process.
const PAUSE: Duration = Duration::from_millis(500);

/// Sends the server an event when a process has ended.
pub(super) fn watch(id: u64, sender: Sender<Event>) {
    // On other systems the end of the input is the only sign.
    if !cfg!(target_os = "linux") {
        return;
    }
    thread::spawn(move || {
        let first = started(id);
        while first.is_some() && started(id) == first {
            thread::sleep(PAUSE);
        }
        // If the server no longer receives events, it is ending anyway.
        let _ = sender.send(Event::Gone);
    });
}

/// When a process was started, in ticks since the system started; `None` when it has ended. A later process may get the
/// same id, but not the same start.
fn started(id: u64) -> Option<String> {
    // `7 (a name) S 1 …`: the name may contain anything, so fields are counted from the last `)`.
    let about = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let mut words = about.rsplit_once(')')?.1.split_whitespace();
    let state = words.next()?;
    let has_ended = matches!(state, "Z" | "X" | "x");
    (!has_ended).then(|| words.nth(18).map(str::to_owned)).flatten()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_known_by_its_start() {
        let own = u64::from(std::process::id());
        assert!(started(own).is_some_and(|time| time.parse::<u64>().is_ok()));
        assert_eq!(started(own), started(own));
        assert_eq!(started(u64::MAX), None);
    }
}
