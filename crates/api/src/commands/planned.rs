//! The commands that are planned but not built yet. The help does not list them, and they always answer `unsupported`.

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Ask;
use crate::answer::Answer;
use crate::failure::Failure;
use crate::flags::Flags;
use crate::phrase::{Voice, phrase, setting};
use crate::request::Context;

/// The answer of a command that is not built. No value of this type exists.
#[derive(Debug, JsonSchema, Serialize)]
pub enum NoAnswer {}

impl Answer for NoAnswer {
    fn text(&self, _: &dyn Voice) -> String {
        match *self {}
    }

    fn markdown(&self, _: &dyn Voice) -> String {
        match *self {}
    }
}

macro_rules! planned {
    ($($(#[$doc:meta])* $type:ident $name:literal instead $instead:expr;)*) => {$(
        $(#[$doc])*
        ///
        /// Not built yet: it answers `unsupported`.
        #[derive(Args, Debug, Default, Deserialize, JsonSchema)]
        #[command(hide = true)]
        pub struct $type {
            // All arguments are accepted, so that the answer is always the same.
            #[arg(hide = true, num_args = 0.., trailing_var_arg = true, allow_hyphen_values = true)]
            #[serde(skip)]
            words: Vec<String>,
        }

        impl Ask for $type {
            type Answer = NoAnswer;
            const IS_PLANNED: bool = true;

            fn run(self, _: &Flags, _: Context<'_>) -> Result<NoAnswer, Failure> {
                Err(Failure::unbuilt(concat!("`", $name, "`"), $instead))
            }
        }
    )*};
}

planned! {
    /// Write the configuration for an agent host (not built yet)
    Init "init" instead phrase!["let the agent run it as a command; `", setting("help", ""), "` tells it how"];
    /// Say what is wrong here and what to do (not built yet)
    Doctor "doctor" instead phrase!["`", setting("version", ""), "` says which version this is"];
}
