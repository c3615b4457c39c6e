//! How long to wait for another process.

use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long to wait for another process.
#[derive(Clone, Copy, Debug)]
pub(super) enum Patience {
    /// Not at all.
    None,
    /// As long as a change may take on a slow disk.
    Some,
}

const LONGEST: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(5);

impl Patience {
    /// Calls `ask` until it returns `true`. Returns `false` when the time is over.
    pub(super) fn until<E>(self, mut ask: impl FnMut() -> Result<bool, E>) -> Result<bool, E> {
        let end = Instant::now() + LONGEST;
        loop {
            if ask()? {
                return Ok(true);
            }
            if matches!(self, Patience::None) || Instant::now() > end {
                return Ok(false);
            }
            sleep(PAUSE);
        }
    }
}
