//! `completions`: what a shell needs to complete locant's commands and flags.

use clap::{Args, CommandFactory};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Ask;
use crate::answer::Answer;
use crate::cli::Cli;
use crate::failure::Failure;
use crate::files::Files;
use crate::flags::Flags;

/// Print the completion script for a shell
///
///   locant completions bash > ~/.local/share/bash-completion/completions/locant
#[derive(Args, Debug, Deserialize, JsonSchema)]
#[command(verbatim_doc_comment)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

/// A shell that scripts can be made for.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
enum Shell {
    Bash,
    Elvish,
    Fish,
    Powershell,
    Zsh,
}

/// A page of text.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Page {
    /// The text.
    pub text: String,
}

impl Ask for Completions {
    type Wire = Page;

    fn run(self, _: &Flags, _: &Files) -> Result<Box<dyn Answer>, Failure> {
        let mut script = Vec::new();
        let shell = match self.shell {
            Shell::Bash => clap_complete::Shell::Bash,
            Shell::Elvish => clap_complete::Shell::Elvish,
            Shell::Fish => clap_complete::Shell::Fish,
            Shell::Powershell => clap_complete::Shell::PowerShell,
            Shell::Zsh => clap_complete::Shell::Zsh,
        };
        clap_complete::generate(shell, &mut Cli::command(), "locant", &mut script);
        Ok(Box::new(Page { text: String::from_utf8_lossy(&script).into_owned() }))
    }
}

impl Answer for Page {
    fn json(&self) -> String {
        crate::wire::to_json(self)
    }

    fn text(&self) -> String {
        self.text.clone()
    }

    fn markdown(&self) -> String {
        crate::show::fenced("", &self.text)
    }
}
