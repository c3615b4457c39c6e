//! Describes real positions and looks them up again: `roundtrip SOURCES [--quick] [--figures=FILE] [LANGUAGE…]`.
//!
//! It also cuts lines out of the files and counts the symbols that are still found. It prints one line for each
//! language, and writes a line of plain numbers into FILE. The exit code is 1 if any position was lost.

#![allow(clippy::print_stdout, reason = "a program for the terminal")]

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use locant_bench::corpus::{self, Source};
use locant_bench::law::{Stride, Tally, try_file};
use locant_bench::parallel::in_parallel;
use locant_bench::survive::{Survival, try_cuts};

/// The most bytes to read for each language.
const MOST_BYTES: usize = 2_000_000;

/// How thoroughly the files of a language are tested.
struct Effort {
    /// The number of bytes in which every position is tested.
    every_bytes: usize,
    /// In all other files, the offsets that are a multiple of this number are tested. It is a prime number, so that all
    /// columns and indents occur.
    step: u32,
    /// The number of bytes from which lines are cut out.
    cut_bytes: usize,
}

const WHOLE: Effort = Effort { every_bytes: 200_000, step: 7, cut_bytes: 500_000 };

/// The effort for `cargo xtask test`, which runs for every change.
const QUICK: Effort = Effort { every_bytes: 100_000, step: 13, cut_bytes: 250_000 };

const N_SHOWN: usize = 5;

fn main() -> Result<ExitCode> {
    let mut arguments = std::env::args().skip(1);
    let root = arguments.next().context("which folder of sources?")?;
    let root = Path::new(&root);
    let (flags, only): (Vec<String>, Vec<String>) =
        arguments.partition(|argument| argument.starts_with("--"));
    let file = flags.iter().find_map(|flag| flag.strip_prefix("--figures="));
    let effort = if flags.iter().any(|flag| flag == "--quick") { QUICK } else { WHOLE };
    let languages = if only.is_empty() { corpus::languages(root)? } else { only };

    println!(
        "language     files     MB  positions  symbols  stable  length p50 p95  describe  lost  survive"
    );
    let (mut n_lost, mut n_positions, mut figures) = (0, 0, String::new());
    for language in languages {
        let tally = try_language(root, &language, &effort)?;
        let survival = cut(root, &language, &effort)?;
        show(&language, &tally, survival);
        figures += &format!(
            "{language} {} {} {} {} {} {}\n",
            tally.n_files,
            tally.n_symbols,
            tally.n_positions,
            tally.failures.len(),
            survival.n_outside,
            survival.n_survived
        );
        n_lost += tally.failures.len();
        n_positions += tally.n_positions;
    }
    if let Some(file) = file {
        std::fs::write(file, figures).with_context(|| format!("could not write {file}"))?;
    }
    println!("{n_positions} positions tried, {n_lost} lost");
    Ok(if n_lost == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn try_language(root: &Path, language: &str, effort: &Effort) -> Result<Tally> {
    let sources = corpus::up_to(corpus::sources(root, language)?, MOST_BYTES);
    let try_source = |(source, stride): (Source, Stride)| {
        let start = Instant::now();
        let tally = try_file(&source, stride);
        warn_if_slow(&source, &tally, start.elapsed());
        tally
    };
    Ok(in_parallel(strides(sources, effort), try_source, Tally::add))
}

/// Cuts lines out of some files of a language.
fn cut(root: &Path, language: &str, effort: &Effort) -> Result<Survival> {
    let mut sources = corpus::sources(root, language)?;
    sources.retain(|source| !is_machine_written(&source.bytes));
    let mut sources = corpus::up_to(sources, effort.cut_bytes);
    sources.sort_by_key(|source| source.bytes.len());
    Ok(in_parallel(sources, |source| try_cuts(&source, language), Survival::add))
}

/// Decides for each file which positions to test: all positions in the first files, some in the others. The files with
/// the most work come last, because the last task is started first.
fn strides(sources: Vec<Source>, effort: &Effort) -> Vec<(Source, Stride)> {
    let mut n_bytes = 0;
    let with_stride = |source: Source| {
        // A file that is larger than the bytes that are left would take more time than all others.
        if n_bytes + source.bytes.len() <= effort.every_bytes {
            n_bytes += source.bytes.len();
            return (source, Stride::Every);
        }
        (source, Stride::Multiples(effort.step))
    };
    let mut queue: Vec<(Source, Stride)> = sources.into_iter().map(with_stride).collect();
    queue.sort_by_key(|(source, stride)| match stride {
        Stride::Every => source.bytes.len() * effort.step as usize,
        Stride::Multiples(_) => source.bytes.len(),
    });
    queue
}

fn warn_if_slow(source: &Source, tally: &Tally, time: Duration) {
    let per_position = tally.time / u32::try_from(tally.n_positions).unwrap_or(u32::MAX).max(1);
    if per_position > Duration::from_millis(2) && time > Duration::from_secs(10) {
        println!("  slow: {} took {time:.1?}, {per_position:.1?} a position", source.name);
    }
}

/// Whether the lines are so long that no person wrote them. Cutting out one of them would remove much of the file.
fn is_machine_written(bytes: &[u8]) -> bool {
    const LONG: usize = 200;
    let n_lines = bytes.iter().filter(|byte| **byte == b'\n').count() + 1;
    bytes.len() > LONG * n_lines
}

fn show(language: &str, tally: &Tally, survival: Survival) {
    let percent = 100.0 * tally.n_stable as f64 / tally.n_positions.max(1) as f64;
    let micros = tally.time.as_secs_f64() * 1e6 / tally.n_positions.max(1) as f64;
    println!(
        "{language:12} {:5} {:6.2} {:10} {:8} {percent:6.1}% {:10} {:3} {micros:7.1} µs {:5} {:7.2}%",
        tally.n_files,
        tally.n_bytes as f64 / 1e6,
        tally.n_positions,
        tally.n_symbols,
        tally.length_at(50),
        tally.length_at(95),
        tally.failures.len(),
        survival.percent(),
    );
    for failure in tally.failures.iter().take(N_SHOWN) {
        println!("  lost: {failure}");
    }
    if tally.n_unreadable > 0 {
        println!("  {} files are binary", tally.n_unreadable);
    }
}
