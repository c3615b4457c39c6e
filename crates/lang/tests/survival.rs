//! Broken source keeps its outline: when one line is cut out, the symbols of the other lines keep their paths.

use std::collections::HashSet;
use std::fs;

use locant_lang::{Language, Outline, by_name};

/// What stands outside the cut, and how much of it is still found.
#[derive(Default)]
struct Survival {
    n_all: usize,
    n_kept: usize,
}

impl Survival {
    /// Cuts every line out of a text, one after the other.
    fn measure(&mut self, language: &'static Language, text: &str) {
        let outline = language.outline(text.as_bytes());
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let end = start + line.len();
            let rest = format!("{}{}", &text[..start], &text[end..]);
            let left = places(&language.outline(rest.as_bytes()), |_| true);
            let shift = |at: usize| if at < start { at } else { at - line.len() };
            let is_outside = |at: usize| at < start || end <= at;
            for (path, at) in places(&outline, is_outside) {
                self.n_all += 1;
                self.n_kept += usize::from(left.contains(&(path, shift(at))));
            }
            start = end;
        }
    }
}

/// The paths and places of the symbols that stand, with all their parents, where it `is_wanted`.
fn places(outline: &Outline, is_wanted: impl Fn(usize) -> bool) -> HashSet<(String, usize)> {
    let start = |id| outline.get(id).name_range.start().index();
    let stays =
        |id| std::iter::successors(Some(id), |&id| outline.get(id).parent).all(|id| is_wanted(start(id)));
    let ids = outline.iter().map(|(id, _)| id).filter(|&id| stays(id));
    ids.map(|id| (outline.path(id).join("."), start(id))).collect()
}

#[test]
fn symbols_outside_a_cut_line_survive() {
    let rust = by_name("rust").unwrap();
    let mut survival = Survival::default();
    for file in fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src")).unwrap() {
        survival.measure(rust, &fs::read_to_string(file.unwrap().path()).unwrap());
    }
    let Survival { n_all, n_kept } = survival;
    assert!(n_kept * 100 >= n_all * 98, "{n_kept} of {n_all} survive");
}
