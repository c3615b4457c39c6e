//! `cargo xtask skim`: compares the outlines made from tokens with the exact outlines, on all real sources. With
//! `--broken`, the sources are broken at random first.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::children::{cargo, output, run as run_child, target_directory};
use crate::{root, sources};

/// Compares all languages that can be skimmed, or only the named ones. `--show=N` prints differences, and with
/// `--unsure` also the files that `skim` gives no outline for. With `--broken`, the languages are compared whose exact
/// outlines are made from tokens, on texts that are broken at random and that the grammar still accepts.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let is_broken = arguments.iter().any(|argument| argument == "--broken");
    let example = if is_broken { "broken" } else { "compare" };
    run_child(&mut cargo(&["build", "--quiet", "--release", "-p", "locant-skim", "--example", example]))?;
    let program = target_directory()?.join("release/examples").join(example);
    let served = output(Command::new(&program).arg("--languages"))?;
    let (options, named): (Vec<&String>, Vec<&String>) =
        arguments.iter().partition(|argument| argument.starts_with("--"));
    for name in &named {
        ensure!(served.lines().any(|language| language == *name), "{name} is not skimmed");
    }
    let is_wanted = |language: &&str| named.is_empty() || named.iter().any(|name| name == language);
    let languages: Vec<&str> = served.lines().filter(is_wanted).collect();
    sources::fetch_languages(&languages)?;
    let mut below = Vec::new();
    for language in languages {
        let paths = sources::files(&root::sources(), language)?;
        let lines: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        // There are too many files for a command line, so they are listed in a file.
        let list = root::work().join("skim.txt");
        fs::write(&list, lines.join("\n")).with_context(|| format!("could not write {}", list.display()))?;
        let mut compare = Command::new(&program);
        compare.args(&options).arg(format!("--list={}", list.display())).arg(language);
        if run_child(&mut compare).is_err() {
            below.push(language);
        }
    }
    if !below.is_empty() {
        bail!("too many symbols differ: {}", below.join(", "));
    }
    Ok(())
}
