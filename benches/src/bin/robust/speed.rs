//! Measures how long it takes to find a place again, by the length of the file.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::time::Duration;

use locant_bench::measure::timed;
use locant_engine::{
    Anchor, Document, Location, Offset, anchor, checked, describe, relocate, relocate_from, relocate_words,
};

/// How many places are looked for in a file.
const N_PLACES: usize = 40;

/// How often each place is looked for. The shortest time counts.
const N_ROUNDS: usize = 5;

/// How many occurrences of each of the most frequent words and marks are looked for.
const N_COMMON: usize = 4;

/// How many words and marks count as the most frequent.
const N_COMMONEST: usize = 6;

/// A table of the times for a place, for files of several lengths.
pub(crate) fn table() -> String {
    let mut out = String::from(
        "### How long it takes\n\n\
         Milliseconds for a place in a Python file in which four words stand in most lines, every tenth function is \
         new and another one gone. The file is parsed once for all places, and its lines are read once: the last row \
         of each length is for a place that is the first one in its file, so that it waits for that reading, too.\n\n\
         | lines | parsing | reading lines | place | anchor | location | with a check | old text |\n\
         |---|---|---|---|---|---|---|---|\n",
    );
    for n_lines in [1_000, 10_000, 100_000] {
        let (old, new) = (document(n_lines, 0), document(n_lines, 5));
        let (_, parsing) = timed(|| new.outline());
        let (_, reading) = timed(|| locant_locate::Document::lines(&new));
        let [anywhere, common] = [anywhere(&old), commonest(&old)].map(|offsets| places(&old, &offsets));
        let all: Vec<&Place> = anywhere.iter().chain(&common).collect();
        let [anywhere, common] = [&anywhere, &common].map(|places| times(&old, &new, places));
        let all_times: Vec<Times> = anywhere.iter().chain(&common).copied().collect();
        let slowest = all_times.iter().copied().reduce(|one, other| each(one, other, f64::max));
        let file = format!("{n_lines} | {:.1} | {:.1}", milliseconds(parsing), milliseconds(reading));
        let _ = writeln!(out, "| {file} | anywhere | {} |", row(mean(&anywhere)));
        let _ = writeln!(out, "| | | | at the commonest words and marks | {} |", row(mean(&common)));
        let _ = writeln!(out, "| | | | the slowest of all | {} |", row(slowest.unwrap_or_default()));
        let first = first_times(&old, &new, &all, &all_times);
        let _ = writeln!(out, "| | | | the slowest, as the first in its file | {} |", row(first));
    }
    out
}

/// Milliseconds for finding a place by its anchor, by its location, by its location with a check, and with the old
/// text.
type Times = [f64; 4];

fn each(one: Times, other: Times, both: impl Fn(f64, f64) -> f64) -> Times {
    std::array::from_fn(|way| both(one[way], other[way]))
}

fn mean(times: &[Times]) -> Times {
    let sum = times.iter().fold(Times::default(), |sum, times| each(sum, *times, |one, other| one + other));
    sum.map(|sum| sum / times.len() as f64)
}

fn row(times: Times) -> String {
    times.map(|time| format!("{time:.2}")).join(" | ")
}

struct Place {
    anchor: Anchor,
    checked: Location,
}

impl Place {
    /// Looks for the place in one of the four ways, numbered as in [`Times`].
    fn find(&self, way: usize, old: &Document, new: &Document) {
        match way {
            0 => drop(relocate(new, &self.anchor)),
            1 => drop(relocate_words(new, &self.anchor.location)),
            2 => drop(relocate_words(new, &self.checked)),
            _ => drop(relocate_from(old, new, &self.anchor)),
        }
    }
}

/// The times of each place.
fn times(old: &Document, new: &Document, places: &[Place]) -> Vec<Times> {
    let time = |place: &Place, way| best((0..N_ROUNDS).map(|_| timed(|| place.find(way, old, new)).1));
    places.iter().map(|place| std::array::from_fn(|way| time(place, way))).collect()
}

/// For each way, the time of its slowest place with new documents, which have been parsed but not searched.
fn first_times(old: &Document, new: &Document, places: &[&Place], times: &[Times]) -> Times {
    let fresh = |document: &Document| {
        let fresh = Document::new(document.path(), document.text().bytes()).expect("the text is short");
        fresh.outline();
        fresh
    };
    std::array::from_fn(|way| {
        let slowest = (0..places.len()).max_by(|&one, &other| times[one][way].total_cmp(&times[other][way]));
        let place = places[slowest.expect("there are places")];
        best((0..N_ROUNDS).map(|_| {
            let (old, new) = (fresh(old), fresh(new));
            timed(|| place.find(way, &old, &new)).1
        }))
    })
}

/// A document of similar, numbered functions. Functions whose number ends with the digit `left_out` are missing.
fn document(n_lines: usize, left_out: usize) -> Document {
    let mut source = String::new();
    for number in (0..).filter(|number| number % 10 != left_out).take(n_lines / 8) {
        let _ = write!(
            source,
            "def step_{number}(value, items):\n    total = value + {number}\n    for item in items:\n        \
             total += item * value\n        if total > value:\n            break\n    return total\n\n"
        );
    }
    Document::new("steps.py", source).expect("the text is short")
}

/// Offsets spread over a file.
fn anywhere(document: &Document) -> Vec<usize> {
    let length = document.text().bytes().len();
    (0..N_PLACES).map(|number| number * length / N_PLACES).collect()
}

/// Offsets of the most frequent words and marks of a file.
fn commonest(document: &Document) -> Vec<usize> {
    let source = document.text().bytes();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut offsets: HashMap<&[u8], Vec<usize>> = HashMap::new();
    let mut at = 0;
    for token in source.chunk_by(|one, next| is_word(*one) && is_word(*next)) {
        if !token[0].is_ascii_whitespace() {
            offsets.entry(token).or_default().push(at);
        }
        at += token.len();
    }
    let mut offsets: Vec<Vec<usize>> = offsets.into_values().collect();
    offsets.sort_by_key(|offsets| (Reverse(offsets.len()), offsets[0]));
    let some = |offsets: Vec<usize>| {
        let chosen = (0..N_COMMON).map(|number| offsets[(2 * number + 1) * offsets.len() / (2 * N_COMMON)]);
        chosen.collect::<Vec<usize>>()
    };
    offsets.into_iter().take(N_COMMONEST).flat_map(some).collect()
}

fn places(document: &Document, offsets: &[usize]) -> Vec<Place> {
    let place = |&offset: &usize| {
        let offset = Offset::of_index(offset);
        let location = describe(document, offset)?.location;
        let checked = checked(document, offset, &location).unwrap_or_else(|| location.clone());
        Some(Place { anchor: anchor(document, offset, location)?, checked })
    };
    offsets.iter().filter_map(place).collect()
}

fn best(rounds: impl Iterator<Item = Duration>) -> f64 {
    milliseconds(rounds.min().unwrap_or_default())
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
