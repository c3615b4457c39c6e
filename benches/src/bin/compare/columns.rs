//! Measures the conversion of an offset to a line and a UTF-16 column, at random places.

use std::any::Any;
use std::hint::black_box;

use anyhow::{Context, Result};
use line_index::{TextSize, WideEncoding};
use locant_bench::measure::{Entry, Row, best, each};
use locant_bench::random::Random;
use locant_text::{Encoding, Offset, Text};

use crate::Setting;

const N_BYTES: usize = 93_000_000;
const N_PLACES: usize = 100_000;
const N_ROUNDS: usize = 7;

pub(crate) fn rows(setting: &Setting) -> Result<Vec<Row>> {
    let source = crate::concatenated(setting, N_BYTES)?;
    let source = source.as_str();
    let text = Text::new(source).ok().context("the text is too large")?;
    let index = line_index::LineIndex::new(source);
    let rope = ropey::Rope::from_str(source);
    let places = places(source);
    let ours = |at: usize| text.position(Offset::of_index(at), Encoding::Utf16).map(|found| found.character);
    let of_line_index = |at: usize| {
        let found = index.line_col(TextSize::new(u32::try_from(at).unwrap_or(u32::MAX)));
        index.to_wide(WideEncoding::Utf16, found).map(|found| found.col + 1)
    };
    let of_ropey = |at: usize| {
        let units = |byte| rope.char_to_utf16_cu(rope.byte_to_char(byte));
        units(at) - units(rope.line_to_byte(rope.byte_to_line(at)))
    };
    let mut entries: Vec<Entry<'_>> = vec![
        ("locant", Box::new(|| asked(&places, ours))),
        ("line-index", Box::new(|| asked(&places, of_line_index))),
        ("ropey", Box::new(|| asked(&places, of_ropey))),
    ];
    let best = best(N_ROUNDS, &mut entries);
    let row = |theirs: usize| {
        let shown = |time| each(time, places.len());
        let what = "offset to UTF-16 column, random places";
        Row::times(what, (best[0], shown(best[0])), (entries[theirs].0, best[theirs], shown(best[theirs])))
    };
    Ok(vec![row(1), row(2)])
}

fn asked<T>(places: &[usize], ask: impl Fn(usize) -> T) -> Box<dyn Any> {
    for at in places {
        black_box(ask(*at));
    }
    Box::new(())
}

fn places(source: &str) -> Vec<usize> {
    let mut random = Random::new(42);
    std::iter::repeat_with(|| random.below(source.len()))
        .filter(|at| source.is_char_boundary(*at))
        .take(N_PLACES)
        .collect()
}
