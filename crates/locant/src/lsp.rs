//! The language server: what editors ask, over standard input and output.
//!
//! One thread reads messages, and the server takes them one after the other; requests are answered by workers side by
//! side, each with what it could see when it came. One that is cancelled is stopped.
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
mod notifications;
mod parent;
mod places;
mod problems;
mod requests;
mod room;
mod server;
mod structure;
mod transport;
mod view;
mod words;
mod workers;

use std::io::{self, Read, Write};
use std::process::ExitCode;
use std::sync::mpsc;

use locant_workspace::Providers;

use locant_api::Files;
use server::Server;
use transport::Output;

/// Serves the client at the other end of standard input and output, until it leaves.
pub fn serve() -> ExitCode {
    // Not locked: the lock of standard input cannot go to another thread.
    serve_on(io::stdin(), io::stdout(), Files::default().providers().clone())
}

/// Serves the client at the other end of these, until it leaves.
pub fn serve_on(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    providers: Providers,
) -> ExitCode {
    let (sender, receiver) = mpsc::channel();
    transport::listen(input, sender.clone());
    Server::new(sender, receiver, Output::new(output), providers).run()
}
