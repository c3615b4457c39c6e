//! The language server: what editors ask, over standard input and output.
//!
//! One thread reads messages, one looks for files, and the server takes what both send, one event after the other. A
//! request is answered before the next is looked at, but one that is cancelled while it waits is not answered at all.
//!
//! Nothing that comes in ends the server but `exit` and the end of the input: what cannot be read gets an error, and a
//! defect of locant fails one request.

mod actions;
mod changes;
mod client;
mod convert;
mod documents;
mod folds;
mod frames;
mod freshness;
mod notifications;
mod parent;
mod places;
mod problems;
mod requests;
mod room;
mod scan;
mod server;
mod structure;
mod transport;
mod words;

use std::process::ExitCode;
use std::sync::mpsc;

use server::Server;

/// Serves the client at the other end of standard input and output, until it leaves.
pub fn serve() -> ExitCode {
    let (sender, receiver) = mpsc::channel();
    transport::listen(sender.clone());
    Server::new(sender, receiver).run()
}
