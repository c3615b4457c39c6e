//! A location may match several places. This module decides how many of the other places an answer lists.

use clap::Args;
use locant_engine::{Document, Found};
use schemars::JsonSchema;
use serde::Deserialize;

/// How many of the other places are listed.
#[derive(Args, Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Listing {
    /// List all other places that match (up to a thousand), not only ten
    #[arg(long)]
    pub all: bool,
    /// List at most N other places that match
    #[arg(long, value_name = "N", conflicts_with = "all")]
    pub limit: Option<usize>,
}

/// How many other matches are listed by default, and in `MOST` how many at most.
const FEW: usize = 10;
const MOST: usize = 1_000;

/// How many bytes may be searched to list them. Each match is found by its index, which searches the text once more.
const MOST_BYTES: usize = 1 << 31;

impl Listing {
    /// How many of the other matches are listed.
    pub(super) fn n_listed(self, found: &Found, document: &Document) -> usize {
        let wanted = self.limit.unwrap_or(if self.all { MOST } else { FEW });
        let most = MOST.min(MOST_BYTES / document.text().bytes().len().max(1)).max(FEW);
        wanted.min(most).min(found.matches.saturating_sub(1))
    }
}
