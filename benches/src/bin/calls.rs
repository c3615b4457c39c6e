//! Measures the engine alone: the part of a call from Python that is not spent in Python.
//!
//! `calls FILE LOCATION…` prints a line for each location: how many nanoseconds it takes to make a document of the text
//! and to find the place. The best of many rounds counts, as in `python/tests/calls.py`.

#![allow(clippy::print_stdout, reason = "a program for the terminal")]

use std::hint::black_box;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use locant_engine::{Document, Encoding, Location, Position, Resolution, locate};

const ROUNDS: usize = 200;
const CALLS: u32 = 50;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().context("give a file and locations")?;
    let text = std::fs::read(&file).with_context(|| format!("cannot read {file}"))?;
    for written in arguments {
        let parsed = Location::parse(&written, &|_| false);
        let location = parsed.map_err(|error| anyhow::anyhow!("{written}: {}", error.message))?;
        position(&text, &location)?;
        let nanoseconds = (0..ROUNDS).map(|_| {
            let start = Instant::now();
            for _ in 0..CALLS {
                let _ = black_box(position(black_box(&text), &location));
            }
            (start.elapsed() / CALLS).as_nanos()
        });
        println!("{}", nanoseconds.min().unwrap_or_default());
    }
    Ok(())
}

fn position(text: &[u8], location: &Location) -> Result<Position> {
    let Ok(document) = Document::new(&location.path, text) else { bail!("it is no text") };
    let Resolution::Found(found) = locate(&document, location) else { bail!("{location} is not there") };
    document.text().position(found.offset, Encoding::Utf16).context("a place has a position")
}
