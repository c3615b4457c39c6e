//! What does a language server know?
//!
//! This is a client of the language servers that people have. It finds the servers, and starts each one when it is
//! first needed. It tells the server the texts of a snapshot, asks, and turns the answers into values of
//! [`locant_engine::names`]. Which servers exist, how they are started, and how each of them counts lines and columns
//! is data in the folder `servers/`.
//!
//! There is no asynchronous code. Each server has three threads: one reads what it sends, one writes to it, and one
//! keeps the last lines of its standard error.
//!
//! Invariants:
//! - A position that goes to a server, or comes from it, is counted as that server counts.
//! - An answer is about the texts of the snapshot that was asked about, never about older ones.
//! - If an answer may lack something because the server has not read the whole project, the answer says so.
//! - No program that the project names is started, unless the user has allowed it for that folder.
//! - When the process that holds a server ends, for whatever reason, the server ends, with all processes that it has
//!   started. That process is the one that asks, or the daemon.
//! - An answer does not depend on who holds the server.

// Which servers there are.
pub mod catalogue;
pub mod config;
mod entry;

// A process, and the messages to and from it.
mod capabilities;
mod connection;
mod launch;
mod process;
pub mod supervise;

// What is told to a server, and what it answers.
mod answers;
mod documents;
mod edits;
mod formatting;
mod hierarchy;
mod position;
mod question;
mod reached;
mod readiness;
mod rewrite;
mod server;
mod tokens;
mod unread;
mod watch;

// Servers as providers.
mod pool;
mod provider;
mod running;
mod settings;

// Servers that outlive the process that asks.
#[cfg(unix)]
pub mod daemon;
#[cfg(not(unix))]
#[path = "daemon_plain.rs"]
pub mod daemon;

pub use entry::{Bom, Changes, Entry, LineRule, Ready, Unit};
pub use pool::Pool;
pub use provider::Servers;
pub use running::{Running, Status};
pub use settings::{Settings, Starter};
