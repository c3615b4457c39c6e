//! Tables in the pages of the documentation that chores write.

use std::fs;

use anyhow::{Context, Result};

use crate::root;

/// The last line of a table.
const ENDS: &str = "<!-- end of the table -->";

/// Replaces a table on a page. The page names the chore that writes the table.
pub(crate) fn write(page: &str, chore: &str, table: &str) -> Result<()> {
    let path = root::root().join(page);
    let text = fs::read_to_string(&path).with_context(|| format!("could not read {page}"))?;
    let starts = format!("<!-- table: written by cargo xtask {chore} -->");
    let (before, rest) = text.split_once(&starts).with_context(|| format!("{page} has no line {starts}"))?;
    let (_, after) = rest.split_once(ENDS).with_context(|| format!("the table in {page} has no end"))?;
    let text = format!("{before}{starts}\n\n{}\n\n{ENDS}{after}", table.trim_end());
    fs::write(&path, text).with_context(|| format!("could not write {page}"))
}
