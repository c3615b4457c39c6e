//! `cargo xtask bench robust CASES TEXTS [--sweep] [--learn]`: finds places again in later versions of real files, and
//! writes the tables and the curve of docs/robustness.md. With `--learn` it also writes the model that the library is
//! built with. With `--sweep` it also tries other thresholds for the model.

use anyhow::{Result, bail};

use crate::children::{cargo, output, run as run_child, target_directory};
use crate::page::Part;
use crate::root::root;

/// The file of the learned model, and the file of a table that shows how much worse the model is with other thresholds.
const MODEL: &str = "crates/locate/model/model.toml";
const THRESHOLDS: &str = "crates/locate/model/thresholds.md";

const TABLES: Part = Part {
    page: "docs/robustness.md",
    starts: "<!-- tables: written by cargo xtask bench robust -->",
    ends: "<!-- end of the tables -->",
};

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    let plain: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with("--")).collect();
    let [cases, texts] = plain[..] else {
        bail!(
            "give the file of cases and the directory of their texts; docs/robustness.md says what they are"
        );
    };
    run_child(&mut cargo(&["build", "--quiet", "--release", "-p", "locant-bench", "--bin", "robust"]))?;
    let mut robust = std::process::Command::new(target_directory()?.join("release/robust"));
    robust.arg(cases).arg(texts).arg(format!("--curves={}", root().join("docs/robustness.svg").display()));
    if has("--learn") {
        robust.arg(format!("--learn={}", root().join(MODEL).display()));
    }
    if has("--sweep") {
        robust.arg(format!("--sweep={}", root().join(THRESHOLDS).display()));
    }
    let tables = output(&mut robust)?;
    println!("{tables}");
    TABLES.write(&tables)
}
