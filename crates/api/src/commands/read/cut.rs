//! Cuts a source to the lines for which there is room.

use locant_engine::{self as engine, Location, Scope};

use super::Reading;
use crate::failure::Failure;
use crate::{show, wire};

/// How many characters a line takes beside its text: its number, and what is between the number and the text.
const BESIDES: usize = 20;

/// Shares the characters that may be shown among several places: what is short is shown whole, and the others get the
/// same each.
pub(super) fn shared(
    readings: Vec<(String, Result<Reading, Failure>)>,
    budget: usize,
) -> Vec<(String, Result<Reading, Failure>)> {
    let lengths: Vec<usize> =
        readings.iter().filter_map(|(_, reading)| Some(reading.as_ref().ok()?.length())).collect();
    let share = share(lengths, budget);
    let names: Vec<String> =
        readings.iter().filter_map(|(_, reading)| reading.as_ref().ok()?.symbol_path().pop()).collect();
    let cut = |reading: Reading| reading.within(&mut share.clone()).with_mentions(&names);
    readings.into_iter().map(|(location, reading)| (location, reading.map(cut))).collect()
}

/// The largest number of characters that each place may have, so that all have no more than `budget`.
fn share(mut lengths: Vec<usize>, budget: usize) -> usize {
    lengths.sort_unstable();
    let (mut left, mut n_left) = (budget, lengths.len());
    for length in lengths {
        if length > left / n_left {
            return left / n_left;
        }
        (left, n_left) = (left - length, n_left - 1);
    }
    usize::MAX
}

/// How many lines are told that name the other symbols of the request.
const MENTIONS: usize = 5;

impl Reading {
    /// How many characters it takes.
    fn length(&self) -> usize {
        self.lines().map(|(_, line)| line.extent().len() + BESIDES).sum()
    }

    /// Looks in the lines that are left out for the names of the other symbols.
    fn with_mentions(mut self, names: &[String]) -> Reading {
        let Some((first, last)) = self.rest else { return self };
        let own = self.symbol_path().pop();
        let text = self.document.text();
        for line in first..=last {
            let Some(content) = text.line_content(line) else { continue };
            let content = text.lossy(content);
            let is_named =
                |name: &&String| Some(*name) != own.as_ref() && content.contains(&format!("{name}("));
            if names.iter().any(|name| is_named(&name)) && self.mentions.len() < MENTIONS {
                self.mentions.push(format!("`{line}: {}`", show::shortened(&content)));
            }
        }
        self
    }

    /// Keeps as many lines as fit into `left` characters, and subtracts their length from `left`.
    pub(super) fn within(mut self, left: &mut usize) -> Reading {
        let lines: Vec<(u32, engine::Range)> = self.lines().collect();
        let fits = |(_, line): &&(u32, engine::Range)| {
            let rest = left.checked_sub(line.extent().len() + BESIDES);
            rest.map(|rest| *left = rest).is_some()
        };
        let n_whole = lines.iter().take_while(fits).count();
        let Some(&(first, line)) = lines.get(n_whole) else { return self };
        let last = lines.last().map_or(first, |(last, _)| *last);
        self.is_cut = true;
        let start = self.range.start();
        if n_whole == 0 && *left > BESIDES {
            // Even the first line is too long. The part around the place is the most useful one.
            let near =
                if line.start() <= self.offset && self.offset <= line.end() { self.offset } else { start };
            self.range = wire::window(&self.document, line, near, *left / 2).1;
            self.rest = (first < last).then_some((first + 1, last));
        } else {
            let end = self.document.text().line_start(first).unwrap_or(start);
            self.range = engine::Range::new(start, end.max(start));
            self.rest = Some((first, last));
        }
        *left = 0;
        self
    }

    /// The location of the lines that are left out.
    pub(super) fn next(&self) -> Option<String> {
        let (first, last) = self.rest?;
        let scope = Some(Scope::Lines { first, last: Some(last) });
        Some(Location { path: self.document.path().to_owned(), scope, ..Location::default() }.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn what_is_short_is_whole_and_the_others_get_the_same() {
        assert_eq!(share(vec![100, 5_000, 9_000], 4_100), 2_000);
        assert_eq!(share(vec![100, 200], 4_000), usize::MAX);
        assert_eq!(share(vec![9_000, 9_000], 1_000), 500);
        assert_eq!(share(vec![], 10), usize::MAX);
    }
}
