//! Measures finding the lines of a text.

use anyhow::{Context, Result};
use locant_bench::measure::{Entry, Row, best, rate};
use locant_text::Text;

use crate::Setting;

const N_BYTES: usize = 93_000_000;
const N_ROUNDS: usize = 9;

pub(crate) fn rows(setting: &Setting) -> Result<Vec<Row>> {
    let source = crate::concatenated(setting, N_BYTES)?;
    let source = source.as_str();
    let original = Text::new(source).ok().context("the text is too large")?;
    let text = std::cell::RefCell::new(original.clone());
    let mut entries: Vec<Entry<'_>> = vec![
        // A text finds its lines only once. So each round needs a new text, which the entry `fresh text` makes.
        (
            "locant",
            Box::new(|| {
                text.borrow().lines();
                Box::new(())
            }),
        ),
        ("fresh text", Box::new(|| Box::new(text.replace(original.clone())))),
        ("line-index", Box::new(|| Box::new(line_index::LineIndex::new(source)))),
        ("ropey", Box::new(|| Box::new(ropey::Rope::from_str(source)))),
        ("memchr to Vec", Box::new(|| Box::new(line_feeds(source)))),
    ];
    let best = best(N_ROUNDS, &mut entries);
    let what = format!("line index, {:.0} MB", source.len() as f64 / 1e6);
    let row = |theirs: usize| {
        let shown = |time| rate(source.len(), time);
        let ours = (best[0], shown(best[0]));
        Row::times(&what, ours, (entries[theirs].0, best[theirs], shown(best[theirs])))
    };
    Ok(vec![row(2).at_least(2.0), row(3), row(4)])
}

pub(crate) fn line_feeds(source: &str) -> Vec<usize> {
    std::iter::once(0).chain(memchr::memchr_iter(b'\n', source.as_bytes()).map(|at| at + 1)).collect()
}
