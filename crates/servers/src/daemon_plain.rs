//! What replaces the daemon on systems on which none is built. Servers end there with the process that has started
//! them.

use std::sync::Arc;

use serde_json::Value;

use crate::launch::Launch;
use crate::question::{About, Failed, Heard, How, Shown};
use crate::running::Status;
use crate::settings::{Settings, Starter};

/// A client of the daemon of a program.
#[derive(Debug)]
pub struct Client(());

/// A daemon that runs.
#[derive(Clone, Debug)]
pub struct Started {
    /// What it holds.
    pub status: Status,
    /// Whether it ran before.
    pub was_running: bool,
}

/// A server that the daemon holds. No value of this type exists.
#[derive(Clone, Debug)]
pub(crate) enum Held {}

/// No daemon serves here.
pub fn serve(_: Settings) -> u8 {
    3
}

impl Client {
    /// A client that reaches no daemon.
    pub fn new(_: Starter) -> Client {
        Client(())
    }

    /// No daemon runs.
    pub fn status(&self) -> Option<Status> {
        None
    }

    /// No daemon runs.
    pub fn state(&self) -> Result<Option<Status>, String> {
        Ok(None)
    }

    /// No daemon can be started.
    pub fn start(&self) -> Result<Started, String> {
        Err("no daemon is built for this system".to_owned())
    }

    /// No daemon runs.
    pub fn stop(&self) -> Result<bool, String> {
        Ok(false)
    }

    /// No daemon holds a server.
    pub(crate) fn reach(self: &Arc<Client>, _: &Launch) -> Option<Result<(Held, About), String>> {
        None
    }
}

impl Held {
    /// Never called.
    pub(crate) fn ask(&self, _: &Shown<'_>, _: How, _: &str, _: &Value) -> Result<Heard, Failed> {
        match *self {}
    }
}
