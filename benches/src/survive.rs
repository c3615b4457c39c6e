//! Broken source: counts how many symbols are still found when one line of a file is cut out.

use std::collections::HashSet;

use locant_engine::{Document, Outline, Reader};

use crate::corpus::Source;

/// How many lines of a file are cut out, one at a time.
const N_CUTS: usize = 20;

/// The result for some cuts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Survival {
    /// The number of symbols outside of the cut, summed over all cuts.
    pub n_outside: usize,
    /// How many of these symbols kept their path and place.
    pub n_survived: usize,
}

impl Survival {
    /// Adds the result for other cuts.
    pub fn add(&mut self, other: Survival) {
        self.n_outside += other.n_outside;
        self.n_survived += other.n_survived;
    }

    /// The percentage of symbols that survived.
    pub fn percent(&self) -> f64 {
        100.0 * self.n_survived as f64 / self.n_outside.max(1) as f64
    }
}

/// Cuts single lines out of a file, spread over it, and counts the symbols that survive.
pub fn try_cuts(source: &Source, language: &str) -> Survival {
    let mut survival = Survival::default();
    let Some(whole) = outline(&source.name, &source.bytes, language) else { return survival };
    let lines: Vec<&[u8]> = source.bytes.split_inclusive(|&byte| byte == b'\n').collect();
    let step = lines.len().div_ceil(N_CUTS).max(1);
    // The first line is often part of a licence, so the cuts start after it.
    for cut in (step / 2..lines.len()).step_by(step) {
        let start: usize = lines[..cut].iter().map(|line| line.len()).sum();
        let end = start + lines[cut].len();
        let rest = [&source.bytes[..start], &source.bytes[end..]].concat();
        let left = outline(&source.name, &rest, language).map(|outline| places(&outline, |_| true));
        let left = left.unwrap_or_default();
        let moved = |at: usize| if at < start { at } else { at - lines[cut].len() };
        for (path, at) in places(&whole, |at| at < start || end <= at) {
            survival.n_outside += 1;
            survival.n_survived += usize::from(left.contains(&(path, moved(at))));
        }
    }
    survival
}

fn outline(name: &str, bytes: &[u8], language: &str) -> Option<Outline> {
    let document = Document::new(name, bytes).ok()?;
    let document = match locant_engine::languages::by_name(language) {
        Some(language) => document.in_language(Reader::Grammar(language)),
        None => document,
    };
    document.outline().cloned()
}

/// The paths and places of symbols. A symbol is left out if `is_wanted` rejects its place or the place of one of its
/// parents.
fn places(outline: &Outline, is_wanted: impl Fn(usize) -> bool) -> HashSet<(String, usize)> {
    let start = |id| outline.get(id).name_range.start().index();
    let stays =
        |id| std::iter::successors(Some(id), |&id| outline.get(id).parent).all(|id| is_wanted(start(id)));
    let ids = outline.iter().map(|(id, _)| id).filter(|&id| stays(id));
    ids.map(|id| (outline.path(id).join("."), start(id))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_outside_a_cut_line_survive() {
        let mut survival = Survival::default();
        for (name, text) in [
            ("survive.rs", include_str!("survive.rs")),
            ("corpus.rs", include_str!("corpus.rs")),
            ("law.rs", include_str!("law.rs")),
            ("measure.rs", include_str!("measure.rs")),
            ("trees.rs", include_str!("trees.rs")),
        ] {
            let source = Source { name: name.to_owned(), bytes: text.into() };
            survival.add(try_cuts(&source, "rust"));
        }
        assert!(survival.n_outside > 1000, "{survival:?}");
        assert!(survival.percent() >= 98.0, "{survival:?}");
    }
}
