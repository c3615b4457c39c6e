//! Cuts a source to the lines for which there is room.

use locant_engine::{self as engine, Location, Scope};

use super::Reading;
use crate::wire;

/// How many characters a line takes beside its text: its number, and what is between the number and the text.
const BESIDES: usize = 20;

impl Reading {
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
