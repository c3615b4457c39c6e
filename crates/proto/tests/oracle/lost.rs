//! What becomes of the paths of a file when one of its tokens is lost.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use locant_proto::{Interpretation, Location, NoSources, Pool, TableKind};

/// A path with the text that stands for it.
type Place = (Vec<i32>, u32, u32);

fn places(text: &[u8]) -> Vec<Place> {
    let pool = Pool::new("a.proto", text, &NoSources);
    let interpretation = Interpretation::new(&pool);
    let rows = interpretation.rows(&pool, TableKind::Retained).into_iter();
    let place = |(path, location): (Cow<'_, [i32]>, Location<'_>)| {
        (path.into_owned(), location.start().to_u32(), location.end().to_u32())
    };
    rows.map(place).collect()
}

/// What became of the paths of a file when a token was taken out.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) n_paths: usize,
    pub(crate) n_kept: usize,
    pub(crate) n_untouched: usize,
    pub(crate) n_files: usize,
    pub(crate) shifted: Vec<String>,
}

impl Tally {
    pub(crate) fn percent_kept(&self) -> f64 {
        100.0 * self.n_kept as f64 / self.n_paths.max(1) as f64
    }
}

/// Takes each of some tokens out of a text, one at a time.
pub(crate) fn take_out(tally: &mut Tally, name: &str, text: &[u8], step: usize) {
    let whole = places(text);
    let tokens = super::tokens(text);
    for (number, token) in tokens.iter().enumerate().filter(|(number, _)| number % step == 0) {
        let mut broken = text[..token.start].to_vec();
        broken.extend_from_slice(&text[token.end..]);
        let gone = u32::try_from(token.len()).expect("tokens are short");
        let cut = u32::try_from(token.start).expect("texts are small");
        // Where a place of the whole file is in the broken one; none when the token is inside of it.
        let moved = |at: u32| if at <= cut { at } else { at.saturating_sub(gone).max(cut) };
        let now = places(&broken);
        let mut paths: HashMap<&[i32], usize> = HashMap::new();
        for (path, ..) in &now {
            *paths.entry(path).or_default() += 1;
        }
        let mut found: HashMap<(u32, u32), HashSet<&[i32]>> = HashMap::new();
        for (path, start, end) in &now {
            found.entry((*start, *end)).or_default().insert(path);
        }
        tally.n_files += 1;
        for (path, start, end) in &whole {
            tally.n_paths += 1;
            if let Some(n) = paths.get_mut(path.as_slice()).filter(|n| **n > 0) {
                *n -= 1;
                tally.n_kept += 1;
            }
            let is_untouched = *end <= cut || cut + gone <= *start;
            let Some(others) = found.get(&(moved(*start), moved(*end))).filter(|_| is_untouched) else {
                continue;
            };
            // What an option means depends on what declares it; only the place of declarations is at stake.
            let is_option = others.iter().any(|path| path.contains(&999)) || path.contains(&999);
            let is_declaration = path.len() >= 2 && path.len() % 2 == 0;
            tally.n_untouched += usize::from(is_declaration);
            if is_declaration && !is_option && !others.contains(path.as_slice()) {
                let token = String::from_utf8_lossy(&text[token.clone()]).into_owned();
                let line = text[..cut as usize].iter().filter(|byte| **byte == b'\n').count() + 1;
                tally.shifted.push(format!(
                    "{name}:{line} without {token:?} (token {number}): {path:?} is now {others:?}"
                ));
            }
        }
    }
}
