//! What is asked of the program itself rather than of code: to serve other doors, and to describe itself.

pub mod batch;
pub mod completions;
pub mod lsp;
pub mod man;

use clap::Subcommand;
use locant_api::Command;

/// What the command line is asked.
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
    Completions(completions::Completions),
    #[allow(missing_docs, reason = "the arguments' type says it")]
    Man(man::Man),
}

/// The names of what is no question.
pub const NAMES: &[&str] = &["batch", "lsp", "completions", "man"];
