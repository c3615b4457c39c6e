//! How servers are started, and who keeps them.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use locant_engine::Encoding;

use crate::connection::PATIENCE;
use crate::supervise::Supervisor;

/// How the daemon is started.
#[derive(Clone, Debug)]
pub struct Starter {
    /// The program, which must call [`crate::daemon::serve`] when it gets these arguments.
    pub program: PathBuf,
    /// The arguments.
    pub arguments: Vec<OsString>,
}

/// How servers are started.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What ends servers when we are gone; `None` if nothing does.
    pub supervisor: Option<Supervisor>,
    /// How the daemon is started that keeps servers for later; `None` where servers end with this process.
    pub daemon: Option<Starter>,
    /// The folders in which servers are looked for, in the form of the variable `PATH`.
    pub path: Option<OsString>,
    /// The encodings that servers are offered, the preferred first.
    pub encodings: Vec<Encoding>,
    /// How long a server may show no progress on a request.
    pub patience: Duration,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            supervisor: None,
            daemon: None,
            path: env::var_os("LOCANT_SERVER_PATH").or_else(|| env::var_os("PATH")),
            encodings: vec![Encoding::Utf8, Encoding::Utf16, Encoding::Utf32],
            patience: PATIENCE,
        }
    }
}
