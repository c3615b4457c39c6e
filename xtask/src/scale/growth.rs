//! Larger trees, made of links to the files of a tree.

use std::path::Path;

use anyhow::Result;

use super::folders::{link_all, remove};
use super::measured::{Measured, Programs, Question, measure};

/// The factors by which a tree is made larger, and how often each thing is measured in the larger tree.
const FACTORS: [(usize, u32); 3] = [(1, MOST_ROUNDS), (10, 3), (100, 1)];

/// How often each thing is measured in the original tree.
pub(super) const MOST_ROUNDS: u32 = 7;

/// Measures a question about a tree and about larger trees. These consist of links to the same files, so they take
/// little space on the disk, and the system keeps their texts in memory.
pub(super) fn measure_growth(
    programs: &Programs,
    work: &Path,
    tree: &Path,
    question: &Question<'_>,
) -> Result<Vec<Measured>> {
    let mut all = Vec::new();
    for (factor, n_rounds) in FACTORS {
        let larger = work.join(format!("x{factor}"));
        remove(&larger)?;
        for copy in 0..factor {
            link_all(tree, &larger.join(format!("copy{copy}")))?;
        }
        let measured = measure(programs, work, &larger, question, n_rounds);
        remove(&larger)?;
        all.push(measured?);
    }
    Ok(all)
}
