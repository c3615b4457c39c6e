//! The tools for agents over HTTP, and which requests are let in.
//!
//! A page in a browser can send requests to any address of the machine. So a request that names a foreign host or comes
//! from a foreign origin is refused, and a server that other machines can reach must have a token.

use std::fmt;
use std::io::{self, Write as _};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use locant_api::{Failure, Kind};
use rmcp::transport::streamable_http_server::StreamableHttpService;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::tower::StreamableHttpServerConfig;
use tokio::net::{TcpListener, lookup_host};

use super::Http;
use super::door::Door;

/// The path of the only resource.
const PATH: &str = "/mcp";

/// Serves clients until the process is asked to end.
pub(super) async fn serve(door: Door, http: &Http) -> Result<(), Failure> {
    let address = address(&http.address).await?;
    if !address.ip().is_loopback() && http.token.is_none() {
        return Err(no_token(address));
    }
    let cannot_listen = |error| outside(&format!("cannot listen at {address}"), &error);
    let listener = TcpListener::bind(address).await.map_err(cannot_listen)?;
    let address = listener.local_addr().map_err(|error| outside("no address", &error))?;
    let ended = door.clone();
    let config = config(address, &http.hosts);
    let tools = StreamableHttpService::new(
        move || Ok(door.for_another()),
        Arc::new(LocalSessionManager::default()),
        config,
    );
    let token: Arc<Option<String>> = Arc::new(http.token.clone());
    let router = Router::new().route_service(PATH, tools).layer(middleware::from_fn_with_state(token, admit));
    // It is not a failure if nobody reads the address.
    let _ = writeln!(io::stdout(), "http://{address}{PATH}").and_then(|()| io::stdout().flush());
    let serving = async { axum::serve(listener, router).await };
    tokio::select! {
        served = serving => served.map_err(|error| outside("the server ended", &error)),
        () = asked_to_end() => {
            ended.stop();
            Ok(())
        }
    }
}

/// The hosts and origins that requests may name.
fn config(address: SocketAddr, hosts: &[String]) -> StreamableHttpServerConfig {
    let port = address.port();
    let own = if address.ip().is_unspecified() { None } else { Some(address.ip().to_string()) };
    let loopback = ["localhost", "127.0.0.1", "::1"].map(str::to_owned);
    let names: Vec<String> = loopback.into_iter().chain(own).chain(hosts.iter().cloned()).collect();
    let bracketed = |name: &String| if name.contains(':') { format!("[{name}]") } else { name.clone() };
    let origins: Vec<String> =
        names.iter().map(|name| format!("http://{}:{port}", bracketed(name))).collect();
    StreamableHttpServerConfig::default()
        .with_allowed_hosts(names)
        .with_allowed_origins(origins)
        .enforce_origin_validation()
}

/// Refuses requests without the token.
async fn admit(State(token): State<Arc<Option<String>>>, request: Request, next: Next) -> Response {
    let given = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let given = given.and_then(|value| value.strip_prefix("Bearer ")).unwrap_or_default();
    match &*token {
        Some(token) if !is_same(token.as_bytes(), given.as_bytes()) => {
            (StatusCode::UNAUTHORIZED, [(header::WWW_AUTHENTICATE, "Bearer")], "a token is needed")
                .into_response()
        }
        _ => next.run(request).await,
    }
}

/// Whether two secrets are equal. It takes the same time wherever they differ.
fn is_same(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len() && one.iter().zip(other).fold(0, |all, (one, other)| all | (one ^ other)) == 0
}

/// The address that a word means: `8080`, `:8080`, `localhost:8080`, `127.0.0.1:0`.
async fn address(word: &str) -> Result<SocketAddr, Failure> {
    let port = word.strip_prefix(':').unwrap_or(word).parse::<u16>();
    if let Ok(port) = port {
        return Ok(SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port));
    }
    let found = lookup_host(word).await.ok().and_then(|mut found| found.next());
    found
        .ok_or_else(|| Failure::invalid(format!("`{word}` is not an address"), "write --http 127.0.0.1:8080"))
}

async fn asked_to_end() {
    #[cfg(unix)]
    if let Ok(mut terminated) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminated.recv() => {}
        }
        return;
    }
    let _ = tokio::signal::ctrl_c().await;
}

fn no_token(address: SocketAddr) -> Failure {
    Failure::invalid(
        format!("{address} can be reached from other machines, and no token is given"),
        "set LOCANT_TOKEN to a secret that clients send as a bearer token, or listen at 127.0.0.1",
    )
}

/// The failure for something outside of the program.
pub(super) fn outside(what: &str, error: &dyn fmt::Display) -> Failure {
    Failure::new(Kind::Io, format!("{what}: {error}"), "try again, or choose another address")
}
