//! Measures describing random positions of real files.

use std::hint::black_box;
use std::time::Instant;

use anyhow::Result;
use locant_bench::corpus;
use locant_bench::measure::{Row, each, median};
use locant_bench::random::Random;
use locant_engine::{Document, Offset, describe};

use crate::Setting;

const N_BYTES: usize = 2_000_000;
const N_PLACES: usize = 40;

pub(crate) fn rows(setting: &Setting) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for language in corpus::languages(&setting.sources)? {
        let mut random = Random::new(5);
        let mut times = Vec::new();
        for source in corpus::up_to(corpus::sources(&setting.sources, &language)?, N_BYTES) {
            let Ok(document) = Document::new(source.name, source.bytes) else { continue };
            // The file is parsed outside of the measured time. The part `outline` measures parsing.
            document.outline();
            for _ in 0..N_PLACES {
                let index = random.below(document.text().bytes().len() + 1);
                let start = Instant::now();
                black_box(describe(&document, Offset::of_index(index)));
                times.push(start.elapsed());
            }
        }
        let middle = median(&mut times);
        let slow = times.get(times.len() * 99 / 100).copied().unwrap_or_default();
        let what = format!("describe a place, {language}, {} places", times.len());
        rows.push(Row::alone(&what, format!("{}, 1 in 100 over {}", each(middle, 1), each(slow, 1))));
    }
    Ok(rows)
}
