//! A list in an answer.

use schemars::JsonSchema;
use serde::Serialize;

use crate::flags::Encoding;

/// What was found, or some of it.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "PageOf{T}")]
pub struct Page<T> {
    /// What was found, in order.
    items: Vec<T>,
    /// What `character` counts.
    encoding: Encoding,
    /// Who has answered.
    server: String,
    /// Were all files looked at?
    complete: bool,
    /// How many there are.
    total: usize,
    /// Where the next ones start; null when these are all.
    next: Option<usize>,
}

impl<T> Page<T> {
    /// All that there is.
    pub(crate) fn whole(items: Vec<T>, encoding: Encoding) -> Page<T> {
        let total = items.len();
        Page { items, encoding, server: server(), complete: true, total, next: None }
    }
}

/// Who answers.
pub(crate) fn server() -> String {
    format!("locant {}", env!("CARGO_PKG_VERSION"))
}
