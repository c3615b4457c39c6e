//! `cargo xtask grammar`: generates the parser of Rholang from its grammar, without Node.js.
//!
//! The generator contains a JavaScript engine, which takes minutes to build. So it is only built with the feature
//! `grammar`. Without the feature, this program builds itself again with the feature, and runs that. `--check` skips
//! this if nothing has changed since the parser was generated: `made-from.txt`, beside the grammar, has digests of the
//! grammar and the generated files.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::root;

/// Generates the parser again. With `--check`, fails if that would change it.
#[cfg(not(feature = "grammar"))]
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    use crate::children::{cargo, run};

    refuse_unknown(arguments)?;
    if !arguments.is_empty() && is_as_made()? {
        println!("nothing has changed since the parser was made");
        return Ok(());
    }
    let again = ["run", "--quiet", "--package", "xtask", "--features", "grammar", "--", "grammar"];
    run(cargo(&again).args(arguments))
}

/// Generates the parser again. With `--check`, fails if that would change it.
#[cfg(feature = "grammar")]
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    refuse_unknown(arguments)?;
    let folder = folder();
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
    if arguments.is_empty() {
        fs::write(folder.join(MADE_FROM), digests()?)?;
    }
    Ok(())
}

/// The file with the digests of the grammar and the generated files, and the version of the generator.
const MADE_FROM: &str = "made-from.txt";

/// Whether the grammar, the parser and the generator are the same as when the parser was generated.
fn is_as_made() -> Result<bool> {
    Ok(fs::read_to_string(folder().join(MADE_FROM)).is_ok_and(|kept| digests().is_ok_and(|now| now == kept)))
}

fn folder() -> std::path::PathBuf {
    root::root().join("crates/rholang/grammar")
}

fn digests() -> Result<String> {
    let mut digests = format!("{}\n", generator());
    for name in ["grammar.js", "src/parser.c", "src/tree_sitter/parser.h"] {
        writeln!(digests, "{name} {:016x}", digest(&folder().join(name))?)?;
    }
    Ok(digests)
}

/// The line of the manifest of this package that names the generator and its version.
fn generator() -> &'static str {
    let manifest = include_str!("../Cargo.toml");
    manifest
        .lines()
        .find(|line| line.starts_with("tree-sitter-generate"))
        .expect("the generator is a dependency")
}

/// The FNV-1a hash of a file. It is enough to notice a change. Carriage returns are left out, so that it does not
/// depend on the line endings.
fn digest(path: &Path) -> Result<u64> {
    let text = fs::read(path).with_context(|| format!("could not read {}", path.display()))?;
    let bytes = text.iter().filter(|byte| **byte != b'\r');
    Ok(bytes.fold(0xcbf2_9ce4_8422_2325, |digest, byte| {
        (digest ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    }))
}

/// The generated files that the build needs.
#[cfg(feature = "grammar")]
const FILES: &[&str] = &["parser.c", "tree_sitter/parser.h"];

#[cfg(feature = "grammar")]
fn generate(folder: &Path, made: &Path) -> Result<()> {
    use tree_sitter_generate::{OptLevel, generate_parser_in_directory};

    /// The newest ABI version of parsers that the tree-sitter library accepts.
    const ABI: usize = 15;

    let mut remarks = Vec::new();
    generate_parser_in_directory(
        folder,
        Some(made),
        None::<&Path>,
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
