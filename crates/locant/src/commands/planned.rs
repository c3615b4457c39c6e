//! The commands of the contract that are not built yet. The help does not list them; they answer `unsupported`,
//! whatever they are asked.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use super::Ask;
use crate::answer::Answer;
use crate::failure::Failure;
use crate::files::Files;
use crate::flags::Flags;

/// The answer of a command that has none yet.
#[derive(Debug, JsonSchema)]
pub struct NoAnswer {}

macro_rules! planned {
    ($($(#[$doc:meta])* $type:ident $name:literal $operands:literal instead $instead:literal;)*) => {$(
        $(#[$doc])*
        ///
        /// Not built yet: it answers `unsupported`.
        #[derive(Args, Debug, Default, Deserialize, JsonSchema)]
        #[command(hide = true, override_usage = concat!("locant ", $name, " ", $operands))]
        pub struct $type {
            // Everything is accepted, so that the answer is always the same.
            #[arg(hide = true, num_args = 0.., trailing_var_arg = true, allow_hyphen_values = true)]
            #[serde(skip)]
            words: Vec<String>,
        }

        impl Ask for $type {
            type Wire = NoAnswer;
            const IS_PLANNED: bool = true;

            fn run(self, _: &Flags, _: &Files) -> Result<Box<dyn Answer>, Failure> {
                Err(Failure::unbuilt(concat!("`", $name, "`"), $instead))
            }
        }
    )*};
}

planned! {
    /// Search the symbols of the workspace by name or path (not built yet)
    Search "search" "QUERY"
        instead "`locant outline DIR` lists the symbols of all files of a directory";
    /// Find what implements the symbol at a place (not built yet)
    Implementation "implementation" "LOCATION"
        instead "`locant outline DIR` lists the symbols of all files of a directory";
    /// List the changes a language server offers at a place (not built yet)
    CodeActions "code-actions" "LOCATION"
        instead "ask the language server of your editor";
    /// Preview the formatted source of a file or a range (not built yet)
    Format "format" "LOCATION|FILE"
        instead "run the formatter of the language";
    /// List who calls a function, or whom it calls (not built yet)
    Calls "calls" "LOCATION --incoming|--outgoing"
        instead "`locant locate 'FILE@NAME('` lists where a name is called in one file";
    /// List the types above or below a type (not built yet)
    Types "types" "LOCATION --super|--sub"
        instead "`locant read FILE:TYPE` shows a type's declaration";
    /// Send any other textDocument request to a language server (not built yet)
    Request "request" "METHOD LOCATION"
        instead "ask the language server of your editor";
    /// Write the configuration for an agent host (not built yet)
    Init "init" "[HOST]"
        instead "let the agent run `locant` as a command; `locant --help` tells it how";
    /// Say what is wrong here and what to do (not built yet)
    Doctor "doctor" ""
        instead "`locant --version` says which locant this is";
    /// Serve agents over the model context protocol (not built yet)
    Mcp "mcp" "[--http ADDR]"
        instead "`locant batch` answers many requests in one process";
    /// List the language servers: known, found, running (not built yet)
    Servers "servers" ""
        instead "no command needs a language server yet";
    /// Keep language servers warm between commands (not built yet)
    Daemon "daemon" "start|stop|status"
        instead "`locant batch` answers many requests in one process";
}
