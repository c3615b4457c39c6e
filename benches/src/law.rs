//! Tests the round-trip law: `locate(describe(p)) == p` for every position of every file.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use locant_engine::{Description, Document, Encoding, Location, Offset, Range, Resolution, Text};
use locant_engine::{describe, describe_range, locate, range};

use crate::corpus::Source;

/// The result for some files.
#[derive(Debug, Default)]
pub struct Tally {
    /// The number of files.
    pub n_files: usize,
    /// The number of files that are not text.
    pub n_unreadable: usize,
    /// The number of bytes in the files.
    pub n_bytes: usize,
    /// The number of positions that were described and looked up again.
    pub n_positions: usize,
    /// How many positions have a description by names or text, and not by a line or coordinate.
    pub n_stable: usize,
    /// The number of symbols whose extent was described and looked up again.
    pub n_symbols: usize,
    /// Messages about positions and symbols that were not found again.
    pub failures: Vec<String>,
    /// The number of descriptions of each length, indexed by the length. The path does not count.
    lengths: Vec<usize>,
    /// The time that describing took.
    pub time: Duration,
}

/// The positions of a file to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stride {
    /// Every position.
    Every,
    /// Every position whose offset is a multiple of this.
    Multiples(u32),
}

impl Tally {
    /// Adds the result for other files.
    pub fn add(&mut self, other: Tally) {
        self.n_files += other.n_files;
        self.n_unreadable += other.n_unreadable;
        self.n_bytes += other.n_bytes;
        self.n_positions += other.n_positions;
        self.n_stable += other.n_stable;
        self.n_symbols += other.n_symbols;
        self.failures.extend(other.failures);
        self.time += other.time;
        self.lengths.resize(self.lengths.len().max(other.lengths.len()), 0);
        for (length, n) in other.lengths.iter().enumerate() {
            self.lengths[length] += n;
        }
    }

    /// The length that `percent` percent of the descriptions do not exceed. The path does not count.
    pub fn length_at(&self, percent: usize) -> usize {
        let total: usize = self.lengths.iter().sum();
        let mut seen = 0;
        self.lengths
            .iter()
            .position(|n| {
                seen += n;
                seen * 100 >= total * percent
            })
            .unwrap_or(0)
    }

    fn count_length(&mut self, length: usize) {
        self.lengths.resize(self.lengths.len().max(length + 1), 0);
        self.lengths[length] += 1;
    }
}

/// Tests the law on one file. A panic is a failure like any other.
pub fn try_file(source: &Source, stride: Stride) -> Tally {
    let mut tally = Tally { n_files: 1, n_bytes: source.bytes.len(), ..Tally::default() };
    let Ok(document) = Document::new(source.name.clone(), source.bytes.clone()) else {
        tally.n_unreadable = 1;
        return tally;
    };
    let mut at = document.text().start();
    // Panics are caught once for all positions, because catching takes time. `at` is the position that was tried last.
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        try_positions(&mut tally, &document, stride, &mut at);
        try_symbols(&mut tally, &document);
    }));
    if outcome.is_err() {
        tally.failures.push(format!("{}: panicked", place(&document, at)));
    }
    tally
}

fn try_positions(tally: &mut Tally, document: &Document, stride: Stride, at: &mut Offset) {
    let text = document.text();
    for offset in text.start().to_u32()..=text.end().to_u32() {
        let is_wanted = match stride {
            Stride::Every => true,
            Stride::Multiples(n) => offset % n == 0,
        };
        *at = Offset::new(offset);
        if is_wanted && text.is_boundary(*at) {
            try_position(tally, document, *at);
        }
    }
}

fn try_position(tally: &mut Tally, document: &Document, at: Offset) {
    tally.n_positions += 1;
    let start = Instant::now();
    let description = describe(document, at);
    tally.time += start.elapsed();
    let Some(description) = description else {
        tally.failures.push(format!("{}: has no description", place(document, at)));
        return;
    };
    tally.n_stable += usize::from(description.stable);
    let written = description.location.to_string();
    tally.count_length(written.len().saturating_sub(document.path().len()));
    if let Err(why) = leads_to(document, &written, Target::Position(at)) {
        tally.failures.push(format!("{}: {written:?} {why}", place(document, at)));
    }
    if let Some(encoding) = lost_in(document.text(), at) {
        tally.failures.push(format!("{}: is lost as {encoding:?} column", place(document, at)));
    }
}

fn try_symbols(tally: &mut Tally, document: &Document) {
    let Some(outline) = document.outline() else { return };
    for (_, symbol) in outline.iter() {
        tally.n_symbols += 1;
        let described = describe_range(document, symbol.extent);
        let Some(Description { location, .. }) = described else {
            let at = place(document, symbol.extent.start());
            tally.failures.push(format!("{at}: the extent of {} has no description", symbol.name));
            continue;
        };
        let written = location.to_string();
        if let Err(why) = leads_to(document, &written, Target::Range(symbol.extent)) {
            let at = place(document, symbol.extent.start());
            tally.failures.push(format!("{at}: the extent of {}: {written:?} {why}", symbol.name));
        }
    }
}

#[derive(Clone, Copy)]
enum Target {
    Position(Offset),
    Range(Range),
}

/// Fails if a written location does not lead to the target. The error says where it leads instead.
fn leads_to(document: &Document, written: &str, target: Target) -> Result<(), String> {
    // For the parser, no file exists: it must be possible to read a pasted location without looking at the disk.
    let location =
        Location::parse(written, &|_| false).map_err(|error| format!("does not parse: {error}"))?;
    if location.path != document.path() {
        return Err(format!("is read as a place in {:?}", location.path));
    }
    let resolution = match target {
        Target::Position(_) => locate(document, &location),
        Target::Range(_) => range(document, &location),
    };
    let Resolution::Found(found) = resolution else {
        return Err(format!("is not found: {resolution:?}"));
    };
    match target {
        Target::Position(at) if found.offset != at => {
            Err(format!("leads to {}", place(document, found.offset)))
        }
        Target::Range(extent) if found.range != extent => {
            Err(format!("leads to {:?}, not {extent:?}", found.range))
        }
        _ if found.matches != 1 => Err(format!("leads to {} places", found.matches)),
        _ => Ok(()),
    }
}

/// The first encoding in which the line and the character of an offset do not lead back to the offset.
fn lost_in(text: &Text, at: Offset) -> Option<Encoding> {
    [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32].into_iter().find(|&encoding| {
        text.position(at, encoding).and_then(|position| text.offset(position, encoding)) != Some(at)
    })
}

fn place(document: &Document, at: Offset) -> String {
    match document.text().position(at, Encoding::Utf16) {
        Some(position) => format!("{}:{}:{}", document.path(), position.line, position.character),
        None => format!("{} at byte {}", document.path(), at.to_u32()),
    }
}
