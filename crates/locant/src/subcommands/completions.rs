//! `completions`: what a shell needs to complete locant's commands and flags.

use clap::{Args, CommandFactory};

use crate::cli::Cli;

/// Print the completion script for a shell
///
///   locant completions bash > ~/.local/share/bash-completion/completions/locant
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

/// A shell that scripts can be made for.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Shell {
    Bash,
    Elvish,
    Fish,
    Powershell,
    Zsh,
}

impl Completions {
    /// The script.
    pub(crate) fn text(&self) -> String {
        let mut script = Vec::new();
        let shell = match self.shell {
            Shell::Bash => clap_complete::Shell::Bash,
            Shell::Elvish => clap_complete::Shell::Elvish,
            Shell::Fish => clap_complete::Shell::Fish,
            Shell::Powershell => clap_complete::Shell::PowerShell,
            Shell::Zsh => clap_complete::Shell::Zsh,
        };
        clap_complete::generate(shell, &mut Cli::command(), "locant", &mut script);
        String::from_utf8_lossy(&script).into_owned()
    }
}
