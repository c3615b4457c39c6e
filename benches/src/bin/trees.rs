//! Compares the position trees of real sources with the parser's: `trees SOURCES [LANGUAGE…]`.
//!
//! Prints one line for each language. The exit code is 1 if any node or edit is wrong.

#![allow(clippy::print_stdout, reason = "a program for the terminal")]

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use locant_bench::corpus::{self, Source};
use locant_bench::parallel::in_parallel;
use locant_bench::trees::{Tally, try_file, try_own};
use locant_engine::Language;
use locant_engine::languages::by_name;

/// The most bytes to compare for each language.
const MOST_BYTES: usize = 6_000_000;

/// The number of files that are edited, the size of the largest of them, and the number of edits in each.
const N_EDITED: usize = 40;
const LARGEST_EDITED: usize = 40_000;
const N_EDITS: usize = 12;

const N_SHOWN: usize = 5;

fn main() -> Result<ExitCode> {
    let mut arguments = std::env::args().skip(1);
    let root = arguments.next().context("which folder of sources?")?;
    let root = Path::new(&root);
    let only: Vec<String> = arguments.collect();
    let folders = if only.is_empty() { corpus::languages(root)? } else { only };

    println!("language     files     MB      nodes  errors  bytes/node  symbols  edits  wrong");
    let mut total = Tally::default();
    let mut n_languages = 0;
    for folder in folders {
        let tally = match by_name(&folder) {
            Some(language) => try_language(root, &folder, language)?,
            None => try_own_reader(root, &folder)?,
        };
        show(&folder, &tally);
        n_languages += 1;
        total.add(tally);
    }
    show("all", &total);
    println!("{n_languages} languages, {} wrong", total.failures.len());
    Ok(if total.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Tests the files of a language that is read without a grammar.
fn try_own_reader(root: &Path, folder: &str) -> Result<Tally> {
    let sources = corpus::up_to(corpus::sources(root, folder)?, MOST_BYTES);
    Ok(in_parallel(sources, |source| try_own(&source.name, &source.bytes), Tally::add))
}

fn try_language(root: &Path, folder: &str, language: &'static Language) -> Result<Tally> {
    let sources = corpus::up_to(corpus::sources(root, folder)?, MOST_BYTES);
    let mut n_edited = 0;
    let with_edits = |source: Source| {
        let is_edited = source.bytes.len() <= LARGEST_EDITED && n_edited < N_EDITED;
        n_edited += usize::from(is_edited);
        (source, if is_edited { N_EDITS } else { 0 })
    };
    let try_source =
        |(source, n_edits): (Source, usize)| try_file(language, &source.name, &source.bytes, n_edits);
    Ok(in_parallel(sources.into_iter().map(with_edits).collect(), try_source, Tally::add))
}

fn show(language: &str, tally: &Tally) {
    println!(
        "{language:12} {:5} {:6.2} {:10} {:7} {:11.2} {:8} {:6} {:6}",
        tally.n_files,
        tally.n_bytes as f64 / 1e6,
        tally.n_nodes,
        tally.n_errors,
        tally.bytes_per_node(),
        tally.n_symbols,
        tally.n_edits,
        tally.failures.len(),
    );
    for failure in tally.failures.iter().take(N_SHOWN) {
        println!("  wrong: {failure}");
    }
    if tally.n_given_up > 0 {
        println!("  {} files are more than the parser wants to read", tally.n_given_up);
    }
}
