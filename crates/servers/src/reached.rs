//! A server that runs and can be asked.

use std::sync::Arc;

use locant_workspace::Asked;
use serde_json::Value;

use crate::capabilities;
use crate::daemon::Held;
use crate::entry::Entry;
use crate::position::Counting;
use crate::question::{About, Failed, Heard, How, Shown};
use crate::server::Server;

/// A server that can be asked.
pub(crate) struct Reached {
    pub(crate) entry: Arc<Entry>,
    pub(crate) about: About,
    holder: Holder,
}

/// Who holds a server.
enum Holder {
    /// This process.
    Own(Arc<Server>),
    /// The daemon.
    Daemon(Held),
}

impl Reached {
    /// A server that this process has started.
    pub(crate) fn own(server: Arc<Server>) -> Reached {
        Reached {
            entry: Arc::clone(&server.launch.entry),
            about: server.about(),
            holder: Holder::Own(server),
        }
    }

    /// A server that the daemon holds.
    pub(crate) fn held(entry: &Arc<Entry>, held: Held, about: About) -> Reached {
        Reached { entry: Arc::clone(entry), about, holder: Holder::Daemon(held) }
    }

    /// How it counts lines and columns.
    pub(crate) fn counting(&self) -> Counting {
        Counting { encoding: self.about.encoding, bom: self.entry.bom, lines: self.entry.lines }
    }

    /// Its name and version.
    pub(crate) fn who(&self) -> String {
        format!("{} {}", self.entry.name, self.about.version).trim_end().to_owned()
    }

    /// Whether it has said that it answers a method. If no capability is about the method, the server may be asked.
    pub(crate) fn supports(&self, method: &str) -> bool {
        if self.entry.without.iter().any(|without| without == method) {
            return false;
        }
        let Some(capability) = capabilities::of_method(method) else { return true };
        let said = self.about.capabilities.get(capability);
        said.is_some_and(|said| !matches!(said, Value::Null | Value::Bool(false)))
            || self.about.registered.iter().any(|registered| registered == method)
    }

    /// What it has said about a capability.
    pub(crate) fn capability(&self, pointer: &str) -> Option<&Value> {
        self.about.capabilities.pointer(pointer)
    }

    /// Asks the server about the document of a question.
    pub(crate) fn ask(
        &self,
        asked: &Asked<'_>,
        how: How,
        method: &str,
        params: &Value,
    ) -> Result<Heard, Failed> {
        let shown = Shown::of(asked, &self.entry);
        match &self.holder {
            Holder::Own(server) => server.ask(&shown, how, method, params),
            Holder::Daemon(held) => held.ask(&shown, how, method, params),
        }
    }
}
