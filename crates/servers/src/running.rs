//! What is known of servers that run, and of the daemon that holds some.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What is known of a server that runs.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Running {
    /// Its name.
    pub name: String,
    /// Its version; empty when it is not known.
    pub version: String,
    /// Its root.
    pub root: PathBuf,
    /// Its program.
    pub program: PathBuf,
    /// The memory that it and all its processes hold, in bytes.
    pub memory: Option<u64>,
    /// What it is busy with.
    pub work: Option<String>,
    /// How long it was not asked anything.
    pub idle: Duration,
}

/// What a daemon holds.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Status {
    /// The id of its process.
    pub process: u32,
    /// Its version.
    pub version: String,
    /// How many seconds it has run.
    pub seconds: u64,
    /// After how many seconds without a question it ends.
    pub idle_seconds: u64,
    /// How many servers it holds at most.
    pub most_servers: usize,
    /// The memory that it holds itself, without the servers, in bytes.
    pub memory: Option<u64>,
    /// The file in which it notes what it does.
    pub log: PathBuf,
    /// The servers that it holds.
    pub servers: Vec<Running>,
}
