//! `cargo xtask picture`: draws the pictures of the README and of docs/performance.md.

use anyhow::Result;

use crate::children::{cargo, run};
use crate::plot;

/// The test that checks the picture of the README also draws it, because both need the program as it is now.
pub(crate) fn draw() -> Result<()> {
    run(cargo(&["test", "--quiet", "-p", "locant", "--test", "terminal", "picture"]).env("UPDATE", "1"))?;
    plot::write()
}
