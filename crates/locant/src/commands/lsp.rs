//! `lsp`: the language server. The door itself is [`crate::lsp`].

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Ask;
use crate::answer::Answer;
use crate::failure::{Failure, Kind};
use crate::files::Files;
use crate::flags::Flags;

/// Serve editors as a language server, over standard input and output
///
/// For .proto and .rho files: definitions, references, hover, renames, completion, problems. For every language that
/// is read: symbols, folding, and what to select next around the cursor. `docs/lsp.md` says how to set up an editor.
///
///   locant lsp
#[derive(Args, Debug, Deserialize, JsonSchema)]
#[command(verbatim_doc_comment)]
pub struct Lsp {
    /// Taken and of no effect: standard input and output are the only way there is
    #[arg(long)]
    #[serde(skip)]
    stdio: bool,
}

/// The server answers in the language server protocol, not here.
#[derive(Debug, JsonSchema, Serialize)]
pub struct LspAnswer {}

impl Ask for Lsp {
    type Wire = LspAnswer;

    fn run(self, _: &Flags, _: &Files) -> Result<Box<dyn Answer>, Failure> {
        Err(Failure::new(
            Kind::Unsupported,
            "`lsp` cannot be a request of a batch",
            "start `locant lsp` as a process of its own",
        ))
    }
}
