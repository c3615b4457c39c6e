//! Larger trees, made of links to the files of a tree.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::measured::{Measured, Programs, Question, measure};
use super::remove;

/// How many times larger trees are made of a tree, and how often each thing is measured there.
const FACTORS: [(usize, u32); 3] = [(1, MOST_ROUNDS), (10, 3), (100, 1)];

/// How often each thing is measured in a tree as it is.
pub(super) const MOST_ROUNDS: u32 = 7;

/// Measures a question about a tree and about larger ones. These consist of links to the same files, so they take little
/// room, and their texts are in memory.
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

/// Links all files of a folder into another one.
pub(super) fn link_all(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| format!("could not read {}", from.display()))? {
        let entry = entry?;
        let (kind, target) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_dir() {
            link_all(&entry.path(), &target)?;
        } else if kind.is_file() {
            fs::hard_link(entry.path(), &target)
                .with_context(|| format!("could not link {}", target.display()))?;
        }
    }
    Ok(())
}
