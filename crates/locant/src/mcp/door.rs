//! The requests of the protocol that a server answers: who it is, which tools it has, and what a call of a tool gives.

use std::sync::Arc;
use std::time::Duration;

use locant_api::Flags;
use locant_stop::Stop;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ErrorData, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool as Listed, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use tokio::sync::{OnceCell, Semaphore};

use super::answering::{Answering, Called};
use super::root::Root;
use super::schema::Schemas;
use super::tools::{self, TOOLS, Tool};
use super::{N_THREADS, progress};

/// How many calls are answered at the same time. There are more threads than this, because one may be needed to read
/// the input.
const N_CALLS: usize = N_THREADS / 2;

/// How long a client has to say which folders it works in.
const TO_TELL_ROOTS: Duration = Duration::from_secs(2);

/// The server, as one client sees it.
#[derive(Clone, Debug)]
pub(super) struct Door {
    shared: Arc<Shared>,
    root: Root,
    /// The flags for requests of this client. They are known once it has told its roots.
    flags: Arc<OnceCell<Arc<Flags>>>,
}

#[derive(Debug)]
struct Shared {
    answering: Arc<Answering>,
    room: Semaphore,
    /// Asked when the server ends.
    end: tokio_util::sync::CancellationToken,
    listed: std::sync::OnceLock<Vec<Listed>>,
}

impl Door {
    pub(super) fn new(answering: Arc<Answering>, root: Root) -> Door {
        let shared = Shared {
            answering,
            room: Semaphore::new(N_CALLS),
            end: tokio_util::sync::CancellationToken::new(),
            listed: std::sync::OnceLock::new(),
        };
        Door { shared: Arc::new(shared), root, flags: Arc::default() }
    }

    /// The same server for another client.
    pub(super) fn for_another(&self) -> Door {
        Door { flags: Arc::default(), ..self.clone() }
    }

    /// Asks all calls to stop.
    pub(super) fn stop(&self) {
        self.shared.end.cancel();
    }

    fn listed(&self) -> &[Listed] {
        self.shared.listed.get_or_init(|| TOOLS.iter().map(listed).collect())
    }

    /// The flags for a request of this client, which is asked once for the folders that it works in.
    async fn flags(&self, context: &RequestContext<RoleServer>) -> Arc<Flags> {
        let flags = self.flags.get_or_init(|| async {
            let roots = if self.root.is_open() { roots(context).await } else { Vec::new() };
            Arc::new(self.root.of_client(&roots).flags(self.shared.answering.defaults()))
        });
        Arc::clone(flags.await)
    }
}

/// The folders that the client works in, if it tells.
#[expect(deprecated, reason = "the earlier era of the protocol has no other way to say it")]
async fn roots(context: &RequestContext<RoleServer>) -> Vec<String> {
    let can_tell = context.client_capabilities().is_some_and(|client| client.roots.is_some());
    // In later versions of the protocol, whose requests name their version, a server asks its client nothing.
    if !can_tell || context.meta.protocol_version().is_some() {
        return Vec::new();
    }
    match tokio::time::timeout(TO_TELL_ROOTS, context.peer.list_roots()).await {
        Ok(Ok(told)) => told.roots.into_iter().map(|root| root.uri).collect(),
        _ => Vec::new(),
    }
}

fn listed(tool: &Tool) -> Listed {
    let schemas = Schemas::of(tool);
    let mut listed = Listed::new(tool.name, tool.says, Arc::new(schemas.input()));
    listed.output_schema = Some(Arc::new(schemas.output()));
    let hints = ToolAnnotations::new().read_only(tool.is_read_only).open_world(false);
    listed.annotations =
        Some(if tool.is_read_only { hints } else { hints.destructive(true).idempotent(false) });
    listed
}

impl ServerHandler for Door {
    fn get_info(&self) -> ServerConfig {
        let mut info = ServerConfig::default();
        info.capabilities = ServerCapabilities::builder().enable_tools().build();
        info.server_info = Implementation::new("locant", env!("CARGO_PKG_VERSION"));
        info.instructions = Some(tools::INSTRUCTIONS.to_owned());
        info
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.listed().to_vec()))
    }

    fn get_tool(&self, name: &str) -> Option<Listed> {
        self.listed().iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = tools::named(&request.name) else {
            let names: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
            let message = format!("there is no tool `{}`; there are {}", request.name, names.join(", "));
            return Err(ErrorData::invalid_params(message, None));
        };
        let flags = self.flags(&context).await;
        let called = Called { tool, arguments: request.arguments.unwrap_or_default(), flags };
        let (stop, answering) = (Stop::default(), Arc::clone(&self.shared.answering));
        if answering.is_quick(&called) {
            let answer = answering.answer(called, &stop);
            return answer.map(CallToolResponse::Complete).map_err(|_| cancelled());
        }
        let work = async {
            let room = self.shared.room.acquire().await.map_err(|_| cancelled())?;
            let (on_thread, stop) = (Arc::clone(&answering), stop.clone());
            let answer = tokio::task::spawn_blocking(move || on_thread.answer(called, &stop)).await;
            drop(room);
            match answer {
                Ok(Ok(result)) => Ok(CallToolResponse::Complete(result)),
                Ok(Err(_)) => Err(cancelled()),
                Err(_) => Err(ErrorData::internal_error("the call ended early", None)),
            }
        };
        // A client that has gone drops this future; the thread must stop then, too.
        let _stops = StopsWhenDropped(stop.clone());
        tokio::select! {
            done = work => done,
            () = context.ct.cancelled() => Err(cancelled()),
            () = self.shared.end.cancelled() => Err(cancelled()),
            never = progress::tell(&answering, &context) => match never {},
        }
    }
}

fn cancelled() -> ErrorData {
    ErrorData::internal_error("cancelled", None)
}

/// Asks work to stop when nobody waits for it any more.
struct StopsWhenDropped(Stop);

impl Drop for StopsWhenDropped {
    fn drop(&mut self) {
        self.0.ask();
    }
}
