//! Pages of the documentation with parts that a chore writes.

use std::fs;

use anyhow::{Context, Result};

use crate::root::root;

/// The lines in a page before and after a part that a chore writes.
pub(crate) struct Part {
    /// The path of the page, from the root of the project.
    pub(crate) page: &'static str,
    pub(crate) starts: &'static str,
    pub(crate) ends: &'static str,
}

impl Part {
    /// Writes the part into its page, and replaces what was there.
    pub(crate) fn write(&self, text: &str) -> Result<()> {
        let Part { page: name, starts, ends } = self;
        let path = root().join(name);
        let page = fs::read_to_string(&path).with_context(|| format!("could not read {name}"))?;
        let (before, rest) =
            page.split_once(starts).with_context(|| format!("{name} has no line {starts}"))?;
        let (_, after) = rest.split_once(ends).with_context(|| format!("{name} has no line {ends}"))?;
        let page = format!("{before}{starts}\n\n{}\n\n{ends}{after}", text.trim());
        fs::write(&path, page).with_context(|| format!("could not write {name}"))
    }
}
