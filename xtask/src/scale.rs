//! `cargo xtask bench scale`: measures how long questions about a whole tree take, compared with other programs, and
//! how time and memory grow with the tree.

mod file;
mod folders;
mod growth;
mod huge;
mod measured;
mod picture;
mod trees;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use self::measured::{Programs, Question, measure, table};
use self::trees::Tree;
use crate::children::{cargo, exists, run as run_child, target_directory};
use crate::page::Part;
use crate::root::{self, root};
use crate::sources;

const USAGE: &str =
    "cargo xtask bench scale, cargo xtask bench scale DIR LOCATION WORD, or cargo xtask bench scale huge";

const GROWTH: Part = Part {
    page: "docs/performance.md",
    starts: "<!-- trees: written by cargo xtask bench scale -->",
    ends: "<!-- end of the trees -->",
};

const HUGE: Part = Part {
    page: "docs/performance.md",
    starts: "<!-- huge: written by cargo xtask bench scale huge -->",
    ends: "<!-- end of huge -->",
};

/// Measures two real trees, larger trees made of links to the files of the first, and one file. Writes the tables into
/// docs/performance.md and draws docs/growth.svg. With a tree as an argument, it only prints. With `huge`, it measures
/// a million files and ten gigabytes.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    run_child(&mut cargo(&["build", "--quiet", "--release", "-p", "locant"]))?;
    let programs = Programs {
        locant: target_directory()?.join("release/locant"),
        rg: rg(),
        has_ctags: exists("ctags", "--version"),
    };
    let work = root::work().join("scale");
    match arguments {
        [] => {
            let text = all(&programs, &work)?;
            println!("{text}");
            GROWTH.write(&text)
        }
        [huge] if huge == "huge" => {
            let text = huge::measure_huge(&programs, &work)?;
            println!("{text}");
            HUGE.write(&text)
        }
        [tree, location, word] => {
            let question = Question { location, word };
            let all = growth::measure_growth(&programs, &work, Path::new(tree), &question)?;
            println!("{}", table(&all));
            Ok(())
        }
        _ => anyhow::bail!("{USAGE}"),
    }
}

/// Measures everything that the page shows. Returns the text.
fn all(programs: &Programs, work: &Path) -> Result<String> {
    let mut text = String::from("![how the times grow with the tree](growth.svg)\n");
    let [django, others @ ..] = &trees::ALL;
    let tree = django.folder()?;
    let question = django.question();
    let growth = growth::measure_growth(programs, work, &tree, &question)?;
    let image = root().join("docs/growth.svg");
    fs::write(&image, picture::drawn(&growth))
        .with_context(|| format!("could not write {}", image.display()))?;
    let _ = write!(text, "\n{}, and copies of it; the question is `{}`:\n\n", django.name, question.location);
    text += &table(&growth);
    let mut files = large_file(django, &tree, programs, work)?;
    for other in others {
        let Ok(folder) = other.folder() else {
            println!("not measured: {} could not be fetched", other.name);
            continue;
        };
        text += &other_tree(other, &folder, programs, work)?;
        files += &large_file(other, &folder, programs, work)?;
    }
    Ok(text + &files)
}

fn other_tree(tree: &Tree, folder: &Path, programs: &Programs, work: &Path) -> Result<String> {
    let question = tree.question();
    let measured = measure(programs, work, folder, &question, growth::MOST_ROUNDS)?;
    Ok(format!("\n\n{}; the question is `{}`:\n\n{}", tree.name, question.location, table(&[measured])))
}

fn large_file(tree: &Tree, folder: &Path, programs: &Programs, work: &Path) -> Result<String> {
    file::measure_file(programs, work, &folder.join(tree.large_file), tree.symbol_of_large_file)
}

/// The program rg, installed or from the packages of the distribution; `None` if neither is there.
fn rg() -> Option<PathBuf> {
    if exists("rg", "--version") {
        return Some("rg".into());
    }
    let program = sources::unpacked("ripgrep").ok()?.join("usr/bin/rg");
    exists(&program.to_string_lossy(), "--version").then_some(program)
}
