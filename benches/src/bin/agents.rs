//! Measures the door for agents: how long a call takes, compared with a call of a tool that does nothing, and the
//! memory.
//!
//!     agents PATH/TO/locant
//!
//! The two servers are asked in turn, so that a busy machine disturbs both equally.

use std::error::Error;
use std::fs;
use std::future::Future;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ErrorData, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use serde_json::{Value, json};

/// How many calls are measured.
const N_CALLS: usize = 2_000;

/// The size of the file that is asked about.
const N_BYTES: usize = 20_000;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let argument = std::env::args().nth(1).ok_or("the path of locant is missing")?;
    if argument == "--nothing" {
        return serve_nothing();
    }
    measure(&argument)
}

/// A server with one tool that does nothing.
struct Nothing;

impl ServerHandler for Nothing {
    fn get_info(&self) -> ServerConfig {
        let mut info = ServerConfig::default();
        info.capabilities = ServerCapabilities::builder().enable_tools().build();
        info
    }

    fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> impl Future<Output = std::result::Result<ListToolsResult, ErrorData>> {
        let tool = Tool::new("locate", "does nothing", Arc::new(serde_json::Map::new()));
        std::future::ready(Ok(ListToolsResult::with_all_items(vec![tool])))
    }

    fn call_tool(
        &self,
        _: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> impl Future<Output = std::result::Result<CallToolResponse, ErrorData>> {
        std::future::ready(Ok(CallToolResponse::Complete(CallToolResult::success(Vec::new()))))
    }
}

fn serve_nothing() -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        Nothing.serve(rmcp::transport::stdio_pipes()).await?.waiting().await?;
        Ok(())
    })
}

fn measure(locant: &str) -> Result<()> {
    let folder = std::env::temp_dir().join(format!("locant-agents-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("Cargo.toml"), "")?;
    fs::write(folder.join("a.rs"), source())?;
    let itself = std::env::current_exe()?;
    let mut ours = Server::start(Command::new(locant).arg("mcp"), &folder)?;
    let mut nothing = Server::start(Command::new(itself).arg("--nothing"), &folder)?;
    ours.ask("tools/list", json!({}))?;
    for _ in 0..100 {
        ours.call()?;
        nothing.call()?;
    }
    let memory = ours.memory()?;
    let (mut own, mut empty) = (Vec::new(), Vec::new());
    for _ in 0..N_CALLS {
        own.push(ours.call()?);
        empty.push(nothing.call()?);
    }
    let (own, empty) = (median(own), median(empty));
    let ratio = own.as_secs_f64() / empty.as_secs_f64();
    let yes = |is_met| if is_met { "yes" } else { "**no**" };
    println!("| what | locant | an empty tool | ratio | goal | met |");
    println!("|---|---|---|---|---|---|");
    println!(
        "| a warm `locate` in a file of 20 KB over stdio | {} µs | {} µs | {ratio:.2} × | 3 × | {} |",
        own.as_micros(),
        empty.as_micros(),
        yes(ratio <= 3.0),
    );
    let megabytes = memory as f64 / 1024.0;
    println!(
        "| memory before a language server starts | {megabytes:.1} MB |  |  | 30 MB | {} |",
        yes(megabytes <= 30.0)
    );
    drop((ours, nothing));
    fs::remove_dir_all(folder)?;
    Ok(())
}

/// A source file with many functions.
fn source() -> String {
    let mut source = String::new();
    for n in 0.. {
        source += &format!(
            "/// Returns the number {n}.\nfn number_{n}(more: u32) -> u32 {{\n    more + {n}\n}}\n\n"
        );
        if source.len() > N_BYTES {
            break;
        }
    }
    source
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// A server that reads one request in each line.
struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    n_asked: usize,
}

impl Server {
    fn start(command: &mut Command, folder: &Path) -> Result<Server> {
        let mut child = command.current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (input, output) =
            (child.stdin.take().ok_or("no input")?, child.stdout.take().ok_or("no output")?);
        let mut server = Server { child, input, output: BufReader::new(output), n_asked: 0 };
        let client = json!({"name": "bench", "version": "1"});
        let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
        server.ask("initialize", hello)?;
        server.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(server)
    }

    fn send(&mut self, message: Value) -> Result<()> {
        let line = format!("{message}\n");
        self.input.write_all(line.as_bytes())?;
        Ok(self.input.flush()?)
    }

    fn ask(&mut self, method: &str, params: Value) -> Result<String> {
        self.n_asked += 1;
        self.send(json!({"jsonrpc": "2.0", "id": self.n_asked, "method": method, "params": params}))?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        Ok(line)
    }

    /// Calls the tool, and returns how long that takes.
    fn call(&mut self) -> Result<Duration> {
        let start = Instant::now();
        let place = json!({"locate": "a.rs:number_70@more <|>+ 70"});
        let answer = self.ask("tools/call", json!({"name": "locate", "arguments": place}))?;
        let time = start.elapsed();
        let is_answer = answer.contains("\"result\"") && !answer.contains("\"isError\":true");
        if is_answer { Ok(time) } else { Err(format!("no answer: {answer}").into()) }
    }

    /// The memory of the process, in kilobytes.
    fn memory(&self) -> Result<u64> {
        let about = fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = about.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no memory is told")?;
        Ok(line.trim().trim_end_matches(" kB").parse()?)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
