//! Tells a client that waits what is going on: a language server that starts and reads a project may take a minute.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::RequestContext;

use super::answering::Answering;

/// The time between two messages to the client.
const PAUSE: Duration = Duration::from_millis(400);

/// Tells the client again and again what the work is busy with, if the client wants to know. This never ends by itself:
/// the caller drops it when the work is done.
pub(super) async fn tell(answering: &Arc<Answering>, context: &RequestContext<RoleServer>) -> Infallible {
    let Some(token) = context.meta.get_progress_token() else { return std::future::pending().await };
    let mut progress = 0.0;
    loop {
        tokio::time::sleep(PAUSE).await;
        progress += 1.0;
        let work = answering.work().unwrap_or_else(|| "still at work".to_owned());
        let told = ProgressNotificationParam::new(token.clone(), progress).with_message(work);
        // A client that does not listen misses nothing that it needs.
        let _ = context.peer.notify_progress(told).await;
    }
}
