//! The subcommands of the program. Those that are questions about code are in [`locant_api`]; here are the others,
//! which serve another door or describe the program.

pub mod batch;
#[cfg(feature = "shells")]
pub mod completions;
#[cfg(feature = "editors")]
pub mod lsp;
#[cfg(feature = "shells")]
pub mod man;
#[cfg(feature = "agents")]
pub mod mcp;

use clap::{ArgMatches, Subcommand};
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
    #[cfg(feature = "editors")]
    Lsp(lsp::Lsp),
    #[allow(missing_docs, reason = "the arguments' type says it")]
    #[cfg(feature = "agents")]
    Mcp(mcp::Mcp),
    #[allow(missing_docs, reason = "the arguments' type says it")]
    #[cfg(feature = "shells")]
    Completions(completions::Completions),
    #[allow(missing_docs, reason = "the arguments' type says it")]
    #[cfg(feature = "shells")]
    Man(man::Man),
}

/// The subcommands that this build leaves out, each with the feature of the package that brings it.
pub(crate) const LEFT_OUT: &[(&str, &str)] = &[
    #[cfg(not(feature = "editors"))]
    ("lsp", "editors"),
    #[cfg(not(feature = "agents"))]
    ("mcp", "agents"),
    #[cfg(not(feature = "shells"))]
    ("completions", "shells"),
    #[cfg(not(feature = "shells"))]
    ("man", "shells"),
];

impl Asked {
    /// The table of the arguments of a subcommand that is started often; `None` for the others.
    pub(crate) fn arguments(name: &str) -> Option<clap::Command> {
        #[cfg(feature = "agents")]
        if name == "mcp" {
            return Some(<mcp::Mcp as clap::Args>::augment_args(clap::Command::new("mcp")));
        }
        Command::NAMES.iter().find(|known| **known == name).map(|known| Command::arguments(known))
    }

    /// Reads what the table of a subcommand has matched.
    pub(crate) fn from_arguments(name: &str, matches: &ArgMatches) -> Result<Asked, clap::Error> {
        #[cfg(feature = "agents")]
        if name == "mcp" {
            return Ok(Asked::Mcp(<mcp::Mcp as clap::FromArgMatches>::from_arg_matches(matches)?));
        }
        Ok(Asked::Question(Box::new(Command::from_arguments(name, matches)?)))
    }
}
