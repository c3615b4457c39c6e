//! The language server: editors send requests over standard input, and get answers over standard output.
//!
//! One thread reads messages, and the server handles them one after another. Workers answer requests in parallel, each
//! with the documents as they were when the request came. A request that is cancelled is stopped.
//!
//! Only `exit` and the end of the input end the server: a message that cannot be read gets an error, and a panic makes
//! one request fail.

mod actions;
mod changes;
mod client;
mod commands;
mod convert;
mod documents;
mod folds;
mod formatting;
mod notifications;
mod offered;
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
    // Not locked: the lock of standard input cannot be sent to another thread.
    serve_on(io::stdin(), io::stdout(), Files::default().providers().clone())
}

/// Serves the client at the other end of this input and output, until it leaves.
pub fn serve_on(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    providers: Providers,
) -> ExitCode {
    let (sender, receiver) = mpsc::channel();
    transport::listen(input, sender.clone());
    Server::new(sender, receiver, Output::new(output), providers).run()
}
