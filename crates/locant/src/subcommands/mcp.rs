//! `mcp`: the tools for agents. The door itself is [`crate::mcp`].

use std::path::PathBuf;

use clap::Args;
use locant_api::Flags;

use crate::mcp::{Http, Serving};

/// Serve agents over the model context protocol, over standard input and output or HTTP
///
/// The tools are the commands of this program. Files outside of the root are refused: it is `--root`, else the folder
/// that the client names, else the project around the working directory. `docs/agents.md` says how to set up a host.
///
///   locant mcp
///   locant mcp --root path/to/project --allow /usr/include
///   locant mcp --http 127.0.0.1:8808
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct Mcp {
    /// Also read and change files in this folder; may be given several times
    #[arg(long, value_name = "DIR")]
    allow: Vec<PathBuf>,
    /// Serve HTTP at this address, and print the URL
    #[arg(long, value_name = "ADDRESS")]
    http: Option<String>,
    /// A name by which clients reach the address; may be given several times
    #[arg(long, value_name = "NAME", requires = "http")]
    host: Vec<String>,
    /// Accepted because some hosts give it; it is the default
    #[arg(long, conflicts_with = "http")]
    stdio: bool,
}

/// The variable with the token that clients must send. As an argument, other users of the machine could read it.
const TOKEN: &str = "LOCANT_TOKEN";

impl Mcp {
    /// How tools are served. The root is a common flag.
    pub(crate) fn serving(self, flags: &Flags) -> Serving {
        let token = std::env::var(TOKEN).ok().filter(|token| !token.is_empty());
        let http = self.http.map(|address| Http { address, token, hosts: self.host });
        Serving { root: flags.root.clone(), allowed: self.allow, http }
    }
}
