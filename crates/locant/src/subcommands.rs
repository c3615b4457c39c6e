//! The subcommands of the program. Those that are questions about code are in [`locant_api`]; here are the others,
//! which serve another door or describe the program.

pub mod batch;
pub mod completions;
pub mod lsp;
pub mod man;
pub mod mcp;

use clap::Subcommand;
use locant_api::Command;

/// The subcommand on the command line.
#[derive(Debug, Subcommand)]
pub enum Asked {
    #[allow(missing_docs, reason = "the arguments' types say it")]
    #[command(flatten)]
    Question(Box<Command>),
    #[allow(missing_docs, reason = "the arguments' type says it")]
    Batch(batch::Batch),
    #[allow(missing_docs, reason = "the arguments' type says it")]
    Lsp(lsp::Lsp),
    #[allow(missing_docs, reason = "the arguments' type says it")]
    Mcp(mcp::Mcp),
    #[allow(missing_docs, reason = "the arguments' type says it")]
    Completions(completions::Completions),
    #[allow(missing_docs, reason = "the arguments' type says it")]
    Man(man::Man),
}

/// The names of the subcommands that are not questions about code.
pub const NAMES: &[&str] = &["batch", "lsp", "mcp", "completions", "man"];
