//! What does a language server know?
//!
//! A client of the language servers that people have: it finds them, starts them when they are first needed, tells
//! them what the files of a snapshot say, asks, and turns their answers into values of [`locant_engine::names`]. Which
//! servers exist, how they are started and how each counts lines and columns is data: the folder `servers/`.
//!
//! Threads, no asynchronous code: one thread reads from each server, one writes to it, one keeps what it complains
//! about.
//!
//! Invariants:
//! - A position that goes to a server, or comes from it, is counted as that server counts.
//! - An answer is about the texts of the snapshot that was asked about, never about older ones.
//! - What a server may still be missing is said with its answer.
//! - No program of the project is started: only servers that the user has, or has allowed for that folder.
//! - A server, with all processes it started, ends when we end, however that happens.

// Which servers there are.
pub mod catalogue;
pub mod config;
mod entry;

// A process, and the messages to and from it.
mod capabilities;
mod connection;
mod process;
pub mod supervise;

// What is told to a server, and what it answers.
mod answers;
mod documents;
mod edits;
mod hierarchy;
mod position;
mod question;
mod reached;
mod readiness;
mod rewrite;
mod server;

// Servers as providers.
mod pool;
mod provider;

pub use entry::{Bom, Entry, LineRule, Ready};
pub use pool::{Pool, Running, Settings};
pub use provider::Servers;
