//! The table of commands.
//!
//! A command is one file: its arguments, which are also the fields of its request; `run`; its answer. The doc
//! comment of the arguments is the command's help and reference. To add a command, write its file and its line
//! in the table below.

pub mod apply;
pub mod calls;
pub mod code_actions;
pub mod completion;
pub mod daemon;
pub mod declaration;
pub mod definition;
pub mod describe;
pub mod diagnostics;
pub mod doctor;
pub mod edit;
pub mod export;
pub mod format;
pub mod hover;
pub mod implementation;
pub mod init;
pub mod inspect;
pub mod locate;
pub mod move_symbol;
pub mod outline;
pub mod proto;
pub mod range;
pub mod read;
pub mod references;
pub mod rename;
pub mod request;
pub mod schema;
pub mod search;
pub mod servers;
pub mod signature;
pub mod track;
pub mod tree;
pub mod type_definition;
pub mod types;
pub mod undo;

use clap::{FromArgMatches, Subcommand};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use serde_json::Value;

use crate::answer::{Answer, Reply, Told};
use crate::failure::{Failure, Kind};
use crate::flags::Flags;
use crate::phrase::{Phrase, call, phrase};
use crate::request::{Context, read_fields};

/// The arguments of a command, and what it does with them.
pub trait Ask: clap::Args + for<'de> Deserialize<'de> + JsonSchema {
    /// The answer of the command.
    type Answer: Answer + 'static;

    /// Runs the command.
    fn run(self, flags: &Flags, context: Context<'_>) -> Result<Self::Answer, Failure>;
}

macro_rules! commands {
    ($($name:literal $variant:ident $module:ident,)*) => {
        /// What can be asked.
        #[derive(Debug, Subcommand)]
        pub enum Command {
            $(
                #[allow(missing_docs, reason = "the arguments' type says it")]
                #[command(name = $name)]
                $variant($module::$variant),
            )*
        }

        impl Command {
            /// The names of all commands, as the command line spells them.
            pub const NAMES: &[&str] = &[$($name,)*];

            /// The arguments of the command with this name, for the command line.
            pub fn arguments(name: &'static str) -> clap::Command {
                let command = clap::Command::new(name);
                match name {
                    $($name => <$module::$variant as clap::Args>::augment_args(command),)*
                    _ => command,
                }
            }

            /// The command with this name, from its arguments.
            pub fn from_arguments(name: &str, matches: &clap::ArgMatches) -> Result<Command, clap::Error> {
                match name {
                    $($name => FromArgMatches::from_arg_matches(matches).map(Command::$variant),)*
                    _ => Err(clap::Error::new(clap::error::ErrorKind::InvalidSubcommand)),
                }
            }

            /// The command with this name, from the fields of a request.
            pub fn from_json(name: &str, fields: &Value) -> Result<Command, Failure> {
                match name {
                    $($name => read_fields(fields).map(Command::$variant),)*
                    _ => Err(unknown(name)),
                }
            }

            /// Runs the command and returns its answer.
            pub fn run(self, flags: &Flags, context: Context<'_>) -> Result<Box<dyn Reply>, Failure> {
                match self {
                    $(Command::$variant(arguments) => Ok(Box::new(arguments.run(flags, context)?)),)*
                }
            }

            /// The schema of the request of the command with this name, without the fields that all commands share.
            pub fn request(name: &str, read: SchemaGenerator) -> Option<Schema> {
                match name {
                    $($name => Some(read.into_root_schema_for::<$module::$variant>()),)*
                    _ => None,
                }
            }

            /// The schema of the answer of the command with this name.
            pub fn answer(name: &str, written: SchemaGenerator) -> Option<Schema> {
                match name {
                    $($name => Some(written.into_root_schema_for::<Told<'_, <$module::$variant as Ask>::Answer>>()),)*
                    _ => None,
                }
            }
        }
    };
}

commands! {
    "locate" Locate locate,
    "range" Range range,
    "describe" Describe describe,
    "outline" Outline outline,
    "search" Search search,
    "read" Read read,
    "track" Track track,
    "tree" Tree tree,
    "proto" Proto proto,
    "definition" Definition definition,
    "declaration" Declaration declaration,
    "type-definition" TypeDefinition type_definition,
    "implementation" Implementation implementation,
    "references" References references,
    "hover" Hover hover,
    "completion" Completion completion,
    "signature" Signature signature,
    "code-actions" CodeActions code_actions,
    "format" Format format,
    "diagnostics" Diagnostics diagnostics,
    "calls" Calls calls,
    "types" Types types,
    "rename" Rename rename,
    "edit" Edit edit,
    "move" Move move_symbol,
    "apply" Apply apply,
    "undo" Undo undo,
    "request" Request request,
    "init" Init init,
    "doctor" Doctor doctor,
    "servers" Servers servers,
    "daemon" Daemon daemon,
    "export" Export export,
    "inspect" Inspect inspect,
    "schema" Schema schema,
}

fn unknown(name: &str) -> Failure {
    let hint = match nearest(name) {
        Some(nearest) => Phrase::from(format!("did you mean `{}`?", nearest.replace('-', "_"))),
        None => phrase!["`", call("schema"), "` lists the operations"],
    };
    Failure::new(Kind::Unsupported, format!("there is no operation `{name}`"), hint)
}

/// The command whose name is most similar to a misspelt name.
pub fn nearest(name: &str) -> Option<&'static str> {
    let asked = name.to_lowercase().replace('_', "-");
    let slips = |known: &&str| strsim::damerau_levenshtein(known, &asked);
    let nearest = Command::NAMES.iter().copied().min_by_key(slips)?;
    let is_slip = slips(&nearest) * 3 <= asked.len().max(3);
    let longer = Command::NAMES.iter().copied().find(|known| asked.len() > 1 && known.starts_with(&asked));
    if is_slip { Some(nearest) } else { longer }
}
