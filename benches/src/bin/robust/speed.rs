//! How long it takes to find a place again, by the length of the file.

use std::fmt::Write as _;
use std::time::Duration;

use locant_bench::measure::timed;
use locant_engine::{
    Anchor, Document, Location, Offset, anchor, checked, describe, relocate, relocate_from, relocate_words,
};

/// How many places are looked for in a file.
const N_PLACES: usize = 40;

/// How often, of which the shortest time counts.
const N_ROUNDS: usize = 5;

/// The mean time for a place, for files of several lengths.
pub(crate) fn table() -> String {
    let mut out = String::from(
        "### How long it takes\n\n\
         Milliseconds for a place in a Python file in which four words stand in most lines, every tenth function is \
         new and another one gone. The file is parsed once for all places.\n\n\
         | lines | parsing | anchor | location | with a check | old text |\n|---|---|---|---|---|---|\n",
    );
    for n_lines in [1_000, 10_000, 100_000] {
        let (old, new) = (document(n_lines, 0), document(n_lines, 5));
        let (_, parsing) = timed(|| new.outline());
        let places = places(&old);
        let mean = |find: &dyn Fn(&Place)| milliseconds(best(&places, find)) / places.len() as f64;
        let _ = writeln!(
            out,
            "| {n_lines} | {:.1} | {:.2} | {:.2} | {:.2} | {:.2} |",
            milliseconds(parsing),
            mean(&|place| drop(relocate(&new, &place.anchor))),
            mean(&|place| drop(relocate_words(&new, &place.anchor.location))),
            mean(&|place| drop(relocate_words(&new, &place.checked))),
            mean(&|place| drop(relocate_from(&old, &new, &place.anchor))),
        );
    }
    out
}

struct Place {
    anchor: Anchor,
    checked: Location,
}

/// Functions that are alike. Of ten, the one with the number `left_out` is not there.
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

/// Places all over a file.
fn places(document: &Document) -> Vec<Place> {
    let length = document.text().bytes().len();
    let offsets = (0..N_PLACES).map(|number| Offset::of_index(number * length / N_PLACES));
    let place = |offset| {
        let location = describe(document, offset)?.location;
        let checked = checked(document, offset, &location).unwrap_or_else(|| location.clone());
        Some(Place { anchor: anchor(document, offset, location)?, checked })
    };
    offsets.filter_map(place).collect()
}

fn best(places: &[Place], find: &dyn Fn(&Place)) -> Duration {
    let rounds = (0..N_ROUNDS).map(|_| timed(|| places.iter().for_each(find)).1);
    rounds.min().unwrap_or_default()
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
