//! Detects names that were taken over: the old symbol was renamed, and a new symbol has its name and some of its lines.
//!
//! For the model, names count more than lines. So without this check, a place in the new symbol would be taken for the
//! old place. The lines around the place that were inside the symbol show which symbol is the old one: the one that has
//! kept more of them.

use std::iter::successors;
use std::ops::Range as Indices;

use locant_text::{Offset, Range};
use locant_tree::{Outline, SymbolId};
use memchr::memmem;

use super::heirs::counterparts;
use super::new_text::{NewText, declares, own_symbols};
use super::similarity::run;
use super::symbol_intervals::SymbolIntervals;
use super::target::Target;
use crate::anchor::N_WIDE;
use crate::lines::Digest;

/// How much more of the old lines the other symbol must have. A line that occurs once counts 1, and a line that occurs
/// twice counts 0.7. So one line that the symbol with the old name does not have is enough.
const MORE: f64 = 0.5;

/// At least this share of the lines of the other symbol must be old lines.
const MOST_OLD: f64 = 0.75;

/// The distance of an old line from the place may have changed by at most this many lines.
const MOST_OFF: usize = 2;

/// How many occurrences of the line are tried, at most.
const MOST_RIVALS: usize = 64;

/// The symbols with the old path that may be new, because another symbol has the line of the place and more of the old
/// lines around it.
pub(crate) fn taken_over(new_text: &NewText<'_>, target: &Target<'_>) -> Vec<SymbolId> {
    let mut own = own_symbols(new_text, target);
    let (Some(outline), Some(digest), Some(twins)) =
        (new_text.document().outline(), target.digest, target.twins)
    else {
        return Vec::new();
    };
    // This is the usual case, and cheap to detect: the line does not occur often enough to be in another symbol too.
    let has_name = target.symbol.iter().any(|name| target.tokens.contains(&name.as_bytes()));
    if own.is_empty() || !has_name && (new_text.count(digest) as usize) < twins.count as usize {
        return Vec::new();
    }
    let compared = Compared::new(new_text, target, outline);
    let (inside, outside): (Vec<usize>, Vec<usize>) =
        new_text.lines.all(digest).into_iter().partition(|line| {
            own.iter().any(|&own| new_text.lines.within(outline.get(own).extent).contains(line))
        });
    let has_gained = !outside.is_empty() && outside.len() >= twins.count as usize;
    let rivals = if has_gained { compared.with_line(&outside) } else { Vec::new() };
    own.retain(|&own| {
        let is_less = |&(rival, line): &(SymbolId, usize)| {
            let (own, rival) = counterparts(outline, own, rival).unwrap_or((own, rival));
            compared.has_more((rival, line), own, &inside)
        };
        rivals.iter().any(is_less) || has_name && compared.other_with_name(own, &inside).is_some()
    });
    own
}

/// If a new symbol has taken over the old name: where the old symbol has its new name.
pub(crate) fn other_name(new_text: &NewText<'_>, target: &Target<'_>) -> Option<Offset> {
    let outline = new_text.document().outline()?;
    let own = own_symbols(new_text, target);
    let &[own] = own.as_slice() else { return None };
    let lines = new_text.lines.within(outline.get(own).extent);
    let mut inside = new_text.lines.all(target.digest?);
    inside.retain(|line| lines.contains(line));
    let other = Compared::new(new_text, target, outline).other_with_name(own, &inside)?;
    Some(outline.get(other).name_range.start())
}

/// Compares the symbols of a text by the lines that were near the place.
struct Compared<'c> {
    new_text: &'c NewText<'c>,
    target: &'c Target<'c>,
    outline: &'c Outline,
    /// The digests of the lines that were at or near the place. Invariant: sorted.
    known: Vec<Digest>,
}

/// The name of a symbol, and the old name that it may have had before.
type Names<'n> = [&'n [u8]; 2];

impl<'c> Compared<'c> {
    fn new(new_text: &'c NewText<'c>, target: &'c Target<'c>, outline: &'c Outline) -> Compared<'c> {
        let near = target.above.iter().chain(target.below).chain(&target.digest);
        let mut known: Vec<Digest> = near.copied().collect();
        known.sort_unstable();
        Compared { new_text, target, outline, known }
    }

    /// The symbols around the given lines that may be the old symbol, each with its line.
    fn with_line(&self, lines: &[usize]) -> Vec<(SymbolId, usize)> {
        let intervals = SymbolIntervals::new(Some(self.outline));
        let held = lines
            .iter()
            .take(MOST_RIVALS)
            .filter_map(|&line| Some((intervals.innermost(self.new_text.lines.range(line).start())?, line)));
        held.filter(|&(rival, _)| self.is_new(rival)).collect()
    }

    /// Whether a symbol did not exist in the old text. Only then can it be the old symbol under another name.
    fn is_new(&self, rival: SymbolId) -> bool {
        let path = self.outline.path(rival);
        if self.target.outline.is_some_and(|old| declares(old, &path)) {
            return false;
        }
        let name = self.outline.get(rival).name_range.start();
        let lines = &self.new_text.lines;
        let declaration = lines.of_offset(name).map(|line| lines.digest(line));
        // If the class of a method was renamed, the declaration line of the method itself is unchanged.
        let has_old_name = path.last().copied() == self.target.symbol.last().map(String::as_str);
        has_old_name || !declaration.is_some_and(|line| self.target.stood_near(line))
    }

    /// The symbol that may be the old symbol instead of `own`, which has the old path. It has the line of the place,
    /// with its own name in place of the old one, and around this line it has more of the old lines than `own`.
    /// `inside` has the occurrences of the line in `own`.
    fn other_with_name(&self, own: SymbolId, inside: &[usize]) -> Option<SymbolId> {
        let mut around = successors(Some(own), |&id| self.outline.get(id).parent);
        let named = around.find(|&id| self.target.tokens.contains(&self.outline.get(id).name.as_bytes()))?;
        let symbol = self.outline.get(named);
        let rivals = self.outline.iter().filter(|(_, rival)| {
            let is_apart =
                rival.extent.end() <= symbol.extent.start() || symbol.extent.end() <= rival.extent.start();
            is_apart && rival.kind == symbol.kind && rival.name != symbol.name
        });
        let mut rivals = rivals.map(|(rival, _)| rival);
        rivals.find(|&rival| {
            locant_stop::check();
            let lines = self.lines_with_name(rival, named);
            lines.into_iter().any(|line| self.has_more((rival, line), named, inside)) && self.is_new(rival)
        })
    }

    /// The lines of a symbol that equal the old line, if the name of the symbol is replaced by the name of `own`.
    fn lines_with_name(&self, symbol: SymbolId, own: SymbolId) -> Vec<usize> {
        let (text, lines) = (self.new_text.text(), &self.new_text.lines);
        let extent = self.outline.get(symbol).extent;
        let names @ [new, _] = self.names(symbol, own);
        let found = memmem::find_iter(text.slice(extent), new);
        let at = found.filter_map(|at| lines.of_offset(Offset::of_index(extent.start().index() + at)));
        let mut at: Vec<usize> = at.take(MOST_RIVALS).collect();
        at.dedup();
        at.retain(|&line| Some(self.renamed(line, names)) == self.target.digest);
        at
    }

    /// Whether `rival` has more of the old lines around `line` than `own` has around each line of `inside`. `own` is a
    /// symbol with the old path, and `inside` has the occurrences of the line of the place in `own`.
    fn has_more(&self, (rival, line): (SymbolId, usize), own: SymbolId, inside: &[usize]) -> bool {
        locant_stop::check();
        let (body, own_body) = (self.body(rival), self.body(own));
        let (names, own_names) = (self.names(rival, own), self.names(own, own));
        let own_run = inside.iter().map(|&line| self.run(line, &own_body)).max().unwrap_or(0);
        let own_fit = inside.iter().map(|&line| self.fit(line, &own_body, own_names)).fold(0.0, f64::max);
        let fit = self.fit(line, &body, names);
        let has_more = self.run(line, &body) > own_run && fit >= MORE || fit >= own_fit + MORE;
        has_more && self.is_made_of_old_lines(line, &body, names)
    }

    /// The lines of a symbol after its header.
    fn body(&self, symbol: SymbolId) -> Indices<usize> {
        let symbol = self.outline.get(symbol);
        let header = Range::new(symbol.extent.start(), symbol.name_range.end().max(symbol.extent.start()));
        let (header, held) = (self.new_text.lines.within(header), self.new_text.lines.within(symbol.extent));
        header.end.min(held.end)..held.end
    }

    fn names(&self, symbol: SymbolId, own: SymbolId) -> Names<'c> {
        [symbol, own].map(|id| self.outline.get(id).name.as_bytes())
    }

    /// How many lines directly above and below a line are the same as those around the old place. Only lines in `body`
    /// count.
    fn run(&self, line: usize, body: &Indices<usize>) -> usize {
        let digests = self.new_text.lines.digests();
        let (above, below) = around(line, body);
        run(digests[above].iter().rev(), self.target.above.iter())
            + run(digests[below].iter(), self.target.below.iter())
    }

    /// The weight of the old lines that are around `line` at about the same distance as before. Only lines in `body`
    /// count.
    fn fit(&self, line: usize, body: &Indices<usize>, names: Names<'_>) -> f64 {
        let (above, below) = around(line, body);
        let above: Vec<Digest> =
            above.rev().take(N_WIDE + MOST_OFF).map(|line| self.renamed(line, names)).collect();
        let below: Vec<Digest> =
            below.take(N_WIDE + MOST_OFF).map(|line| self.renamed(line, names)).collect();
        self.kept(self.target.above, &above) + self.kept(self.target.below, &below)
    }

    fn kept(&self, old: &[Digest], now: &[Digest]) -> f64 {
        let is_kept = |&(at, digest): &(usize, &Digest)| {
            let (from, to) = (at.saturating_sub(MOST_OFF), (at + MOST_OFF + 1).min(now.len()));
            from < to && now[from..to].contains(digest)
        };
        let kept = old.iter().enumerate().filter(is_kept);
        kept.map(|(_, &digest)| self.new_text.weight(digest)).sum()
    }

    /// Whether most lines of `body` around `line` are old lines. A new symbol may share some lines with the old one,
    /// but has more new lines.
    fn is_made_of_old_lines(&self, line: usize, body: &Indices<usize>, names: Names<'_>) -> bool {
        let near = body.start.max(line.saturating_sub(N_WIDE))..body.end.min(line + N_WIDE);
        let is_old = |line: &usize| self.known.binary_search(&self.renamed(*line, names)).is_ok();
        near.clone().filter(is_old).count() as f64 >= MOST_OLD * near.len() as f64
    }

    /// The digest that a line would have with the old name instead of the new one.
    fn renamed(&self, line: usize, [new, old]: Names<'_>) -> Digest {
        let digest = self.new_text.lines.digest(line);
        let content = self.new_text.text().slice(self.new_text.lines.range(line));
        if new == old || self.known.binary_search(&digest).is_ok() || memmem::find(content, new).is_none() {
            return digest;
        }
        Digest::of_line_with(content, new, old)
    }
}

/// The lines of a body above a line, and the lines of the body below it.
fn around(line: usize, body: &Indices<usize>) -> (Indices<usize>, Indices<usize>) {
    let above = body.start..line.clamp(body.start, body.end.max(body.start));
    let below = (line + 1).clamp(body.start, body.end.max(body.start))..body.end.max(body.start);
    (above, below)
}
