//! Measures locant and similar tools: `compare --sources=DIR --locant=PROGRAM [--ast-grep=…] [--ctags=…] [PART…]`.
//!
//! Prints a table in Markdown. Each figure is the best or the median of several rounds. The table says which goals are
//! met.

#![allow(clippy::print_stdout, reason = "a program for the terminal")]

mod columns;
mod describing;
mod find;
mod first_layout;
mod hostile;
mod lines;
mod once;
mod outline;
mod proto;
mod rholang;
mod server;
mod start;
mod tree;

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use locant_bench::corpus;
use locant_bench::measure::{Row, TABLE_HEAD};

/// The folder of sources, and the programs to measure.
struct Setting {
    sources: PathBuf,
    locant: PathBuf,
    ast_grep: Option<PathBuf>,
    ctags: Option<PathBuf>,
}

type Part = (&'static str, fn(&Setting) -> Result<Vec<Row>>);

const PARTS: &[Part] = &[
    ("lines", lines::rows),
    ("columns", columns::rows),
    ("find", find::small),
    ("bulk", find::bulk),
    ("hostile", hostile::rows),
    ("describe", describing::rows),
    ("outline", outline::rows),
    ("tree", tree::rows),
    ("proto", proto::rows),
    ("rholang", rholang::rows),
    ("start", start::rows),
];

fn main() -> Result<()> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut take = |key: &str| {
        let at = arguments.iter().position(|argument| argument.starts_with(key))?;
        Some(PathBuf::from(arguments.remove(at).split_off(key.len())))
    };
    let setting = Setting {
        sources: take("--sources=").context("--sources= is missing")?,
        locant: take("--locant=").context("--locant= is missing")?,
        ast_grep: take("--ast-grep="),
        ctags: take("--ctags="),
    };
    if let Some(case) = take("--once=") {
        return once::run(&setting, &case.to_string_lossy());
    }
    if let Some(part) = arguments.iter().find(|name| PARTS.iter().all(|(part, _)| part != name)) {
        let names: Vec<&str> = PARTS.iter().map(|(name, _)| *name).collect();
        bail!("there is no part {part}; there are {}", names.join(", "));
    }
    println!("{TABLE_HEAD}");
    for (name, rows) in PARTS {
        if arguments.is_empty() || arguments.iter().any(|argument| argument == name) {
            for row in rows(&setting)? {
                println!("{row}");
            }
        }
    }
    Ok(())
}

/// Real sources of all languages as one text of at least `n_bytes` bytes, if there are enough. Bytes that are not UTF-8
/// are replaced.
fn concatenated(setting: &Setting, n_bytes: usize) -> Result<String> {
    let mut all = Vec::new();
    for language in corpus::languages(&setting.sources)? {
        all.extend(corpus::sources(&setting.sources, &language)?);
    }
    locant_bench::random::Random::new(93).shuffle(&mut all);
    let mut text = String::with_capacity(n_bytes + (1 << 20));
    for source in all {
        if text.len() >= n_bytes {
            break;
        }
        text.push_str(&String::from_utf8_lossy(&source.bytes));
    }
    Ok(text)
}
