//! `cargo xtask book`: the pages in docs/ as a site with a search, in `.work/book`.
//!
//! The pages are plain Markdown that can be read on a forge as well, so no test needs the site. `cargo xtask tidy`
//! finds dead links, and pages that are not in the table of contents.

use std::process::Command;

use anyhow::Result;

use crate::children::run;
use crate::root::{root, work};
use crate::sources;

pub(crate) fn make() -> Result<()> {
    let mdbook = sources::cargo_program("mdbook", "0.5.4")?;
    let site = work().join("book");
    run(Command::new(mdbook).arg("build").arg(root().join("docs")).arg("--dest-dir").arg(&site))?;
    println!("{}", site.join("index.html").display());
    Ok(())
}
