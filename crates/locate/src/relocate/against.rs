//! What speaks against a candidate so much that nothing else counts: it is a copy, and the place itself was edited or
//! cut.

use std::ops::Range;

use locant_tree::SymbolId;

use super::evidence::{Present, Seen};
use super::lines::Digest;
use super::renamed::LEAST_LIKE;
use super::sought::Sought;
use super::taken_over::taken_over;
use super::words::{MOST_TOKENS, first_tokens, run, similarity};
use crate::anchor::N_WIDE;
use crate::tokens::is_word_at;

/// How a candidate is seen beside the others.
pub(crate) struct Sighting {
    pub(crate) line: usize,
    /// Is its line the old one?
    pub(crate) is_equal: bool,
    /// Is the line above the old one, or that below?
    pub(crate) has_neighbour: bool,
    pub(crate) has_both_neighbours: bool,
    /// The innermost symbol around it.
    pub(crate) holder: Option<SymbolId>,
    /// Is that another one than by its path?
    pub(crate) is_other: bool,
}

/// A candidate as it is held against all others.
struct Beside<'s> {
    sighting: &'s Sighting,
    /// Is the symbol around it, if that has the old path, declared by a line that was there?
    is_declared_as_before: Option<bool>,
    /// How many lines in a row stood above the place and stand above it, and the same below. Asked of equal lines.
    runs: [usize; 2],
}

impl Beside<'_> {
    /// Of two symbols with the old path, is one declared by another line, while the other has all that was there?
    fn is_in_other_declaration(&self, other: &Beside<'_>) -> bool {
        self.sighting.holder != other.sighting.holder
            && other.sighting.is_equal
            && other.sighting.has_both_neighbours
            && self.is_declared_as_before == Some(false)
            && other.is_declared_as_before == Some(true)
    }
}

/// What is asked of all candidates alike.
pub(crate) struct Against<'a> {
    present: &'a Present<'a>,
    sought: &'a Sought<'a>,
    /// The symbols of the old path.
    own: &'a [SymbolId],
    /// What became of the line in the only symbol of the old path, or the only one that is declared as before, if its
    /// neighbours still stand there together.
    fate: Option<Fate>,
    /// Those of them that may be new ones.
    taken_over: Vec<SymbolId>,
}

/// What stands between the neighbours of a place now.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// A line like the old one.
    Edited,
    /// Nothing of it.
    Cut,
}

impl<'a> Against<'a> {
    pub(crate) fn new(present: &'a Present<'a>, sought: &'a Sought<'a>, own: &'a [SymbolId]) -> Against<'a> {
        let mut against =
            Against { present, sought, own, fate: None, taken_over: taken_over(present, sought) };
        let declared_as_before =
            || own.iter().copied().filter(|&own| against.is_declared_as_before(own) == Some(true));
        let held = match own {
            [only] => Some(*only),
            _ => declared_as_before().next().filter(|_| declared_as_before().nth(1).is_none()),
        };
        against.fate = held.and_then(|held| against.fate_in(held));
        against
    }

    /// The evidence, with what speaks against each beside the others.
    pub(crate) fn weigh(&self, seen: Vec<(Seen, Sighting)>) -> Vec<Seen> {
        let all: Vec<Beside<'_>> = seen.iter().map(|(_, sighting)| self.beside(sighting)).collect();
        let judged: Vec<[bool; 2]> = all
            .iter()
            .map(|one| {
                let is_refuted = |other: &Beside<'_>| {
                    self.is_beside(one.sighting, other.sighting) || one.is_in_other_declaration(other)
                };
                [
                    self.is_commented_out(one.sighting, &all)
                        || one.sighting.holder.is_some_and(|holder| self.taken_over.contains(&holder))
                        || all
                            .iter()
                            .any(|other| self.are_slid(one, other) || self.is_taken_over(one, other)),
                    self.is_copy_of_own(one) || all.iter().any(is_refuted),
                ]
            })
            .collect();
        let judged = seen.into_iter().map(|(evidence, _)| evidence).zip(judged);
        judged
            .map(|(evidence, [is_slid, is_refuted])| Seen {
                is_doubled: evidence.is_doubled || is_slid,
                is_contradicted: evidence.is_contradicted || is_refuted,
                ..evidence
            })
            .collect()
    }

    /// Was the place edited or cut in the old symbol, so that a like one elsewhere is a copy? What was cut may have
    /// moved, but not with its neighbours, which are still there; and a new overload is made of the old one.
    fn is_copy_of_own(&self, Beside { sighting, is_declared_as_before, .. }: &Beside<'_>) -> bool {
        let is_in_new_overload = self.own.len() > 1 && *is_declared_as_before == Some(false);
        match self.fate {
            Some(Fate::Edited) => sighting.is_other || is_in_new_overload,
            Some(Fate::Cut) => sighting.is_other && sighting.has_both_neighbours || is_in_new_overload,
            None => false,
        }
    }

    fn fate_in(&self, symbol: SymbolId) -> Option<Fate> {
        let (above, below) = self.sought.above.first().zip(self.sought.below.first())?;
        let digest = |line: usize| self.present.lines.digest(line);
        let held = self.lines_of(symbol);
        let gaps = held.clone().filter(|&line| digest(line) == *above).filter_map(|line| {
            let mut behind = (line + 1..held.end)
                .take_while(|end| (end - line - 1) as f64 <= self.present.thresholds.between);
            behind.find(|&end| digest(end) == *below).map(|end| line + 1..end)
        });
        let fates = gaps.filter(|gap| !gap.clone().any(|line| Some(digest(line)) == self.sought.digest));
        fates.map(|mut gap| if gap.any(|line| self.is_like(line)) { Fate::Edited } else { Fate::Cut }).next()
    }

    fn is_like(&self, line: usize) -> bool {
        self.likeness(line) >= self.present.thresholds.like
    }

    fn likeness(&self, line: usize) -> f64 {
        similarity(&self.sought.tokens, &self.tokens(line))
    }

    /// The lines of a symbol.
    fn lines_of(&self, symbol: SymbolId) -> Range<usize> {
        let Some(outline) = self.present.document().outline() else { return 0..0 };
        self.present.lines.within(outline.get(symbol).extent)
    }

    /// What of a candidate is held against the others.
    fn beside<'s>(&self, sighting: &'s Sighting) -> Beside<'s> {
        let own = sighting.holder.filter(|holder| self.own.contains(holder));
        Beside {
            sighting,
            is_declared_as_before: own.and_then(|own| self.is_declared_as_before(own)),
            runs: if sighting.is_equal && self.has_new_twin() { self.runs(sighting.line) } else { [0; 2] },
        }
    }

    /// Is a symbol declared by a line that was there?
    fn is_declared_as_before(&self, symbol: SymbolId) -> Option<bool> {
        self.declaration(symbol).map(|digest| self.was_near(digest))
    }

    /// The line that declares a symbol.
    fn declaration(&self, symbol: SymbolId) -> Option<Digest> {
        let name = self.present.document().outline()?.get(symbol).name_range;
        self.present.lines.of_offset(name.start()).map(|line| self.present.lines.digest(line))
    }

    /// Does the line stand more often now?
    fn has_new_twin(&self) -> bool {
        let (Some(digest), Some(twins)) = (self.sought.digest, self.sought.twins) else { return false };
        self.present.count(digest) > twins.count
    }

    /// Does one of two equal lines have more of what stood above, and the other of what stood below? Then lines were
    /// put in between, and the place is the last before them or the first behind. The name of a symbol may tell, and
    /// the difference to the old text where there is more than one line to tell it by.
    fn are_slid(&self, one: &Beside<'_>, other: &Beside<'_>) -> bool {
        let (upper, lower) =
            if one.sighting.line < other.sighting.line { (one, other) } else { (other, one) };
        let is_told_by_name = upper.sighting.is_other != lower.sighting.is_other;
        if is_told_by_name || !upper.sighting.is_equal || !lower.sighting.is_equal || !self.has_new_twin() {
            return false;
        }
        let ([above, below], [lower_above, lower_below]) = (upper.runs, lower.runs);
        let is_told_by_difference = self.sought.mapped.is_some() && above.min(lower_below) > 1;
        above > lower_above && lower_below > below && !is_told_by_difference
    }

    /// Has the symbol of the old path the line between other neighbours, while another symbol has it between the old
    /// ones, and it stands more often than before? The old one may have another name now, and a new one its own.
    fn is_taken_over(&self, one: &Beside<'_>, other: &Beside<'_>) -> bool {
        let (one, other) = (one.sighting, other.sighting);
        let is_beside = one.is_equal && other.is_equal && !one.is_other && other.is_other;
        if !is_beside || !self.has_new_twin() {
            return false;
        }
        let inner = self.inner_neighbours(other);
        !inner.is_empty() && !inner.contains(&false) && self.inner_neighbours(one).contains(&false)
    }

    /// Is it the old line behind marks, as of a comment, with one like it beside it? That may be what it is now.
    fn is_commented_out(&self, sighting: &Sighting, all: &[Beside<'_>]) -> bool {
        let tokens = self.tokens(sighting.line);
        let is_behind_marks = tokens.len() > self.sought.tokens.len()
            && tokens.ends_with(&self.sought.tokens)
            && !tokens[..tokens.len() - self.sought.tokens.len()].iter().any(|token| is_word_at(token, 0));
        let is_beside = |other: &Beside<'_>| {
            let distance = other.sighting.line.abs_diff(sighting.line);
            distance == 1 && self.likeness(other.sighting.line) >= LEAST_LIKE
        };
        is_behind_marks && all.iter().any(is_beside)
    }

    fn tokens(&self, line: usize) -> Vec<&'a [u8]> {
        first_tokens(self.present.text().slice(self.present.lines.range(line)), MOST_TOKENS)
    }

    /// The lines right above and below, in the same symbol: are they those that stood there?
    fn inner_neighbours(&self, Sighting { line, holder, .. }: &Sighting) -> Vec<bool> {
        let lines = &self.present.lines;
        let held = holder.map_or(0..lines.len(), |holder| self.lines_of(holder));
        let above = line.checked_sub(1).map(|above| (above, self.sought.above.first()));
        let neighbours = above.into_iter().chain([(line + 1, self.sought.below.first())]);
        let inner = neighbours.filter(|(neighbour, _)| held.contains(neighbour));
        inner.map(|(neighbour, old)| old == Some(&lines.digest(neighbour))).collect()
    }

    /// How many lines in a row stood above the place and stand above a line, and the same below; an end of the text
    /// counts as one more.
    fn runs(&self, line: usize) -> [usize; 2] {
        let (above, below) = self.present.lines.digests().split_at(line);
        [run_to_end(above.iter().rev(), self.sought.above), run_to_end(below[1..].iter(), self.sought.below)]
    }

    /// Does a line stand right beside the old one, in the same symbol? Then it is no edited form of it.
    fn is_beside(&self, sighting: &Sighting, other: &Sighting) -> bool {
        !sighting.is_equal
            && other.is_equal
            && other.has_neighbour
            && sighting.holder == other.holder
            && sighting.line.abs_diff(other.line) as f64 <= self.present.thresholds.beside
    }

    /// Did a line stand near the place?
    fn was_near(&self, digest: Digest) -> bool {
        let Sought { above, below, .. } = self.sought;
        self.sought.digest == Some(digest) || above.contains(&digest) || below.contains(&digest)
    }
}

/// How many lines in a row are the known ones, and one more where both end with them.
fn run_to_end<'l>(lines: impl ExactSizeIterator<Item = &'l Digest>, known: &'l [Digest]) -> usize {
    let n_lines = lines.len();
    let n_same = run(lines, known.iter());
    let is_end = n_same == n_lines && n_same == known.len() && known.len() < N_WIDE;
    n_same + usize::from(is_end)
}
