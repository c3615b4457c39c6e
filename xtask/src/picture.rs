//! `cargo xtask picture`: draws the pictures of the README and of docs/performance.md.

use anyhow::Result;

use crate::children::{cargo, run};
use crate::plot;

/// The picture of the README is drawn by the test that checks it: both need the program as it is now.
pub(crate) fn draw() -> Result<()> {
    run(cargo(&["test", "--quiet", "-p", "locant", "--test", "terminal", "picture"]).env("UPDATE", "1"))?;
    plot::write()
}
