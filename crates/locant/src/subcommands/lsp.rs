//! `lsp`: the language server. The door itself is [`crate::lsp`].

use clap::Args;

/// Serve editors as a language server, over standard input and output
///
/// For .proto and .rho files: definitions, references, hover, renames, completion, problems. For every language that
/// is read: symbols, folding, and what to select next around the cursor. `docs/lsp.md` says how to set up an editor.
///
///   locant lsp
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct Lsp {
    /// Accepted because editors give it; standard input and output are the only transport
    #[arg(long)]
    stdio: bool,
}
