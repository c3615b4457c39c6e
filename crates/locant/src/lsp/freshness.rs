//! When the files on disk were looked at last, and for which documents that is still good.
//!
//! A client that asks for problems itself asks for each open document, and again with each key. To look at all files of
//! a large workspace each time would be most of the work.

use std::collections::HashMap;
use std::time::{Duration, Instant};

/// How long a look is good.
const LONG: Duration = Duration::from_secs(1);

/// The last look at the files on disk.
#[derive(Debug, Default)]
pub(super) struct Freshness {
    looked: Option<Instant>,
    /// The documents that were asked about since then, in which version.
    served: HashMap<String, i32>,
}

impl Freshness {
    /// Must the files be looked at, now that a document is asked about? Who asks for the same twice wants to know what
    /// has changed elsewhere.
    pub(super) fn must_look(&mut self, path: &str, version: i32, now: Instant) -> bool {
        let is_recent = self.looked.is_some_and(|looked| now.duration_since(looked) < LONG);
        let must_look = !is_recent || self.served.get(path) == Some(&version);
        if must_look {
            self.looked = Some(now);
            self.served.clear();
        }
        self.served.insert(path.to_owned(), version);
        must_look
    }

    /// Something has happened that may have changed files.
    pub(super) fn lose(&mut self) {
        self.looked = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_look_serves_all_documents_and_what_is_typed() {
        let now = Instant::now();
        let mut freshness = Freshness::default();
        assert!(freshness.must_look("a", 1, now));
        for document in ["b", "c", "d"] {
            assert!(!freshness.must_look(document, 1, now));
        }
        for version in 2..20 {
            assert!(!freshness.must_look("a", version, now));
        }
    }

    #[test]
    fn the_files_are_looked_at_again_when_the_same_is_asked_again_or_something_happened() {
        let now = Instant::now();
        let mut freshness = Freshness::default();
        assert!(freshness.must_look("a", 1, now));
        assert!(freshness.must_look("a", 1, now));
        assert!(!freshness.must_look("b", 1, now));
        freshness.lose();
        assert!(freshness.must_look("c", 1, now));
        assert!(freshness.must_look("d", 1, now + LONG));
    }
}
