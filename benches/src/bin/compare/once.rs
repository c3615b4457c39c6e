//! Does one piece of work, while another program counts its instructions.
//!
//! The case `nothing` only makes the texts, and prints the length of the large one. Its instructions are subtracted
//! from those of the other cases.

use std::hint::black_box;

use anyhow::{Context, Result, bail};
use locant_locate::Pattern;
use locant_text::Text;

use crate::{Setting, find, tree};

/// How often a small piece of work is repeated, so that it takes enough instructions compared with making the texts.
const N_TIMES: usize = 100;

const N_BYTES: usize = 1_000_000;

pub(crate) fn run(setting: &Setting, case: &str) -> Result<()> {
    if let Some(language) = case.strip_prefix(tree::BYTES) {
        return tree::print_their_bytes(setting, language);
    }
    let large = crate::concatenated(setting, N_BYTES)?;
    let text = Text::new(large.as_str()).ok().context("the text is too large")?;
    let small = find::small_text(setting)?;
    let finds = find::finds(&small, N_TIMES, 7);
    match case {
        "nothing" => println!("{}", large.len()),
        "lines-locant" => drop(black_box(text.lines())),
        "lines-line-index" => drop(black_box(line_index::LineIndex::new(&large))),
        "lines-ropey" => drop(black_box(ropey::Rope::from_str(&large))),
        "lines-memchr" => drop(black_box(crate::lines::line_feeds(&large))),
        "find-locant" => {
            for find in &finds {
                black_box(find::count(&Pattern::new(find), small.as_bytes()));
            }
        }
        "find-regex" => {
            for find in &finds {
                black_box(find::regex(find)?.find_iter(&small).count());
            }
        }
        _ => bail!("there is no case {case}"),
    }
    Ok(())
}
