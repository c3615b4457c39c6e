//! The model context protocol: agents call tools over standard input and output, or over HTTP.
//!
//! A tool stands for one or more commands of [`locant_api`]: its arguments are the fields of a request, and its result
//! is the answer as JSON and as Markdown. Which tools there are is data ([`tools`]). What a model must know of
//! locations is taught once, in the instructions.
//!
//! This is the only asynchronous part of the program: `rmcp` needs it. Each call is answered on a thread of its own,
//! under a `Stop` through which the client can cancel it. Only a question about a text that is in memory is answered at
//! once, since to wake a thread takes longer than the answer.
//!
//! Invariants:
//! - Listing tools starts nothing. Language servers start when a call first needs them.
//! - Not found and ambiguous are results, with places to paste.
//! - No call reads or changes a file outside of the root, unless the user has allowed its folder.

mod answering;
mod argument;
mod door;
mod http;
mod progress;
mod root;
mod schema;
mod tools;
mod voice;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use locant_api::{Failure, Files, Flags};
use rmcp::ServiceExt as _;

use answering::Answering;
use door::Door;
use root::Root;

/// How many threads answer calls. Most of them wait for language servers.
const N_THREADS: usize = 64;

/// How long running calls may take to end when the client is gone.
const TO_END: Duration = Duration::from_secs(2);

/// How tools are served.
#[derive(Debug)]
pub struct Serving {
    /// The folder that the user names, in place of the client's.
    pub root: Option<String>,
    /// More folders whose files may be named.
    pub allowed: Vec<PathBuf>,
    /// The address to listen at, in place of standard input and output.
    pub http: Option<Http>,
}

/// How HTTP is served.
#[derive(Debug)]
pub struct Http {
    /// The address to listen at.
    pub address: String,
    /// What clients must send as a bearer token.
    pub token: Option<String>,
    /// Names under which clients may reach the address.
    pub hosts: Vec<String>,
}

/// Serves agents until they leave.
pub fn serve(serving: Serving, defaults: Flags) -> Result<ExitCode, Failure> {
    let root = Root::new(serving.root, serving.allowed)?;
    let files = crate::servers::files(Files::default());
    let door = Door::new(Arc::new(Answering::new(files, defaults)), root);
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    runtime.worker_threads(2).max_blocking_threads(N_THREADS).enable_all();
    let runtime = runtime.build().map_err(|error| http::outside("no threads can be started", &error))?;
    let served = runtime.block_on(async {
        match &serving.http {
            Some(http) => http::serve(door.clone(), http).await,
            None => {
                on_pipes(door.clone()).await;
                Ok(())
            }
        }
    });
    door.stop();
    runtime.shutdown_timeout(TO_END);
    served.map(|()| ExitCode::SUCCESS)
}

/// Serves the client at the other end of standard input and output.
async fn on_pipes(door: Door) {
    // A client that leaves before it has introduced itself is no failure.
    if let Ok(running) = door.serve(rmcp::transport::stdio_pipes()).await {
        let _ = running.waiting().await;
    }
}
