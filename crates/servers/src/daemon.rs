//! A process that keeps servers warm between commands.
//!
//! The daemon is a [`Pool`](crate::Pool) that other processes of the same user can reach, over a socket. A client
//! itself finds the place in the code, reads the files and counts the positions. It tells the daemon what to ask a
//! server, sends the texts that the question is about, and gets the server's answer. So an answer does not depend on
//! who holds the server.
//!
//! There is one daemon for each program file: its socket is in a folder of its own. A daemon whose program file has
//! changed since, as after an upgrade, hands over: it takes no more calls, finishes those that it has, and ends.
//!
//! Each call is a connection of its own. The daemon sends a sign of life twice a second until it answers. So a client
//! notices a daemon that hangs, and the daemon notices a client that is gone, whose question it then cancels.

mod client;
mod host;
mod log;
mod message;
mod place;

pub(crate) use client::Held;
pub use client::{Client, Started};
pub use host::serve;
