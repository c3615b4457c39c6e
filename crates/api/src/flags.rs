//! The options of every command: flags on the command line, fields of the same name in a request.

use std::sync::Arc;

use clap::Args;
use locant_workspace::{Base, Boundary, written};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::encoding::Encoding;
use crate::failure::{Failure, Kind};

/// What every command may be told.
#[derive(Args, Clone, Debug, Default, Deserialize, JsonSchema)]
#[command(next_help_heading = "Common flags")]
#[serde(default)]
pub struct Flags {
    /// What a column counts; the default is utf-16, as in the language server protocol
    #[arg(long, global = true, value_name = "ENCODING")]
    pub encoding: Option<Encoding>,
    /// Take the match with this number, counted from 0: `--nth 1` is the second (in a request `find_index`)
    #[arg(long = "nth", global = true, value_name = "N")]
    pub find_index: Option<u32>,
    /// Find the place again after the file has changed, by what the location says of it
    #[arg(long, global = true)]
    pub fuzzy: bool,
    /// Fail when more than one place matches
    #[arg(long, global = true)]
    pub strict: bool,
    /// The directory that relative paths start from; the default is the working directory
    #[arg(long, global = true, value_name = "DIR")]
    pub root: Option<String>,
    /// Read files in this language, whatever their names say
    #[arg(long, global = true, value_name = "NAME")]
    pub language: Option<String>,
    /// Which language server answers, when several could; the names are those that `servers` lists
    #[arg(long, global = true, value_name = "NAME")]
    pub server: Option<String>,
    /// Start language servers for this command alone, and end them with it
    #[arg(long, global = true)]
    pub no_daemon: bool,
    /// Give up after this many milliseconds
    #[arg(long, global = true, value_name = "MS")]
    pub timeout_ms: Option<u64>,
    /// The revision in which the location was written: its place is found again in the file as it is now
    #[arg(long, global = true, value_name = "REV")]
    pub from: Option<String>,
    /// The folders that a request may name files in; `None` for all. Only a door sets it.
    #[arg(skip)]
    #[serde(skip)]
    #[schemars(skip)]
    pub boundary: Option<Arc<Boundary>>,
}

impl Flags {
    /// The requested encoding, or the default.
    pub fn encoding(&self) -> Encoding {
        self.encoding.unwrap_or_default()
    }

    /// These flags, with the values of `defaults` for those that are not set.
    #[must_use]
    pub fn or(self, defaults: &Flags) -> Flags {
        Flags {
            encoding: self.encoding.or(defaults.encoding),
            find_index: self.find_index.or(defaults.find_index),
            fuzzy: self.fuzzy || defaults.fuzzy,
            strict: self.strict || defaults.strict,
            root: self.root.or_else(|| defaults.root.clone()),
            language: self.language.or_else(|| defaults.language.clone()),
            server: self.server.or_else(|| defaults.server.clone()),
            no_daemon: self.no_daemon || defaults.no_daemon,
            timeout_ms: self.timeout_ms.or(defaults.timeout_ms),
            from: self.from.or_else(|| defaults.from.clone()),
            boundary: self.boundary.or_else(|| defaults.boundary.clone()),
        }
    }

    /// The folder that relative paths start from.
    pub fn base(&self) -> Base {
        Base::new(self.root.as_deref()).within(self.boundary.clone())
    }

    /// Refuses a file or a folder that the request may not name.
    pub(crate) fn admit(&self, path: &str) -> Result<(), Failure> {
        if self.base().admits(path) {
            return Ok(());
        }
        let root = written(&self.base().folder());
        Err(Failure::new(
            Kind::Refused,
            format!("`{path}` is outside of `{root}`, where files may be read"),
            "name a file inside; the one who starts the server may allow more folders",
        ))
    }

    /// Refuses flags whose feature is not built. Ignoring them would give a wrong answer.
    pub fn refuse_unbuilt(&self) -> Result<(), Failure> {
        if self.from.is_some() {
            return Err(Failure::unbuilt(
                "`from` for this command",
                "ask without it: the file is read as it is now",
            ));
        }
        Ok(())
    }
}
