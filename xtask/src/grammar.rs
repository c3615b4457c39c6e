//! `cargo xtask grammar`: makes the parser of Rholang from its grammar, without node.
//!
//! The generator brings its own JavaScript, which takes minutes to build, so it is behind the feature `grammar`. This
//! program without the feature starts itself with it.

use anyhow::{Result, bail};

/// Makes the parser anew, or with `--check` says whether it is as the grammar makes it.
#[cfg(not(feature = "grammar"))]
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    use crate::children::{cargo, run};

    refuse_unknown(arguments)?;
    let again = ["run", "--quiet", "--package", "xtask", "--features", "grammar", "--", "grammar"];
    run(cargo(&again).args(arguments))
}

/// Makes the parser anew, or with `--check` says whether it is as the grammar makes it.
#[cfg(feature = "grammar")]
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    use crate::root;
    use std::fs;

    refuse_unknown(arguments)?;
    let folder = root::root().join("crates/rholang/grammar");
    let made = root::work().join("grammar");
    fs::create_dir_all(&made)?;
    generate(&folder, &made)?;
    for name in FILES {
        let (new, kept) = (fs::read(made.join(name))?, folder.join("src").join(name));
        let is_same = fs::read(&kept).is_ok_and(|old| old == new);
        match (is_same, arguments.is_empty()) {
            (true, _) => println!("{name} is as the grammar makes it"),
            (false, true) => fs::write(&kept, new).map(|()| println!("{name} is made anew"))?,
            (false, false) => bail!("{name} is not what grammar.js makes; run `cargo xtask grammar`"),
        }
    }
    Ok(())
}

/// What the generator writes and the build needs.
#[cfg(feature = "grammar")]
const FILES: &[&str] = &["parser.c", "tree_sitter/parser.h"];

#[cfg(feature = "grammar")]
fn generate(folder: &std::path::Path, made: &std::path::Path) -> Result<()> {
    use tree_sitter_generate::{OptLevel, generate_parser_in_directory};

    /// The newest form of parsers that the library reads.
    const ABI: usize = 15;

    let mut remarks = Vec::new();
    generate_parser_in_directory(
        folder,
        Some(made),
        None::<&std::path::Path>,
        ABI,
        None,
        Some("native"),
        true,
        OptLevel::default(),
        &mut remarks,
    )?;
    match remarks.first() {
        Some(remark) => bail!("grammar.js: {remark}"),
        None => Ok(()),
    }
}

fn refuse_unknown(arguments: &[String]) -> Result<()> {
    match arguments {
        [] => Ok(()),
        [only] if only == "--check" => Ok(()),
        _ => bail!("`cargo xtask grammar` takes nothing or --check"),
    }
}
