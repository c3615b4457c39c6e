//! Rules out candidates, whatever their features are. A candidate may be a copy, while the place itself was edited or
//! deleted.

use std::ops::Range;

use locant_tree::SymbolId;

use super::by_anchor::AnchorEvidence;
use super::new_text::NewText;
use super::renamed::LEAST_LIKE;
use super::similarity::{run, similarity};
use super::taken_over::taken_over;
use super::target::Target;
use crate::anchor::N_WIDE;
use crate::lines::Digest;
use crate::tokens::is_word_at;

/// Facts about a candidate that are needed to compare it with others.
pub(crate) struct Facts {
    pub(crate) line: usize,
    /// Whether its line is equal to the old line.
    pub(crate) is_equal: bool,
    /// Whether the line above or the line below is the same as before.
    pub(crate) has_neighbour: bool,
    /// Whether the line above and the line below are the same as before.
    pub(crate) has_both_neighbours: bool,
    /// The innermost symbol around the candidate.
    pub(crate) holder: Option<SymbolId>,
    /// Whether the path of that symbol differs from the old path.
    pub(crate) is_other: bool,
}

/// A candidate, prepared to be compared with all others.
struct Rival<'s> {
    facts: &'s Facts,
    /// If the symbol around the candidate has the old path: whether its declaration line is an old line.
    is_declared_as_before: Option<bool>,
    /// How many lines in a row directly above the candidate are the same as above the old place, and how many below.
    /// Computed only if the line equals the old line.
    runs: [usize; 2],
}

impl Rival<'_> {
    /// Whether the symbol around this candidate has a new declaration line, while the symbol around `other` has the old
    /// declaration line and the old lines. Both symbols have the old path.
    fn is_in_other_declaration(&self, other: &Rival<'_>) -> bool {
        self.facts.holder != other.facts.holder
            && other.facts.is_equal
            && other.facts.has_both_neighbours
            && self.is_declared_as_before == Some(false)
            && other.is_declared_as_before == Some(true)
    }
}

/// The knowledge that is the same for all candidates.
pub(crate) struct Vetoes<'a> {
    new_text: &'a NewText<'a>,
    target: &'a Target<'a>,
    /// The symbols with the old path.
    own: &'a [SymbolId],
    /// What became of the line in the old symbol, if its neighbours are still there. The old symbol is the only one
    /// with the old path or, of several, the only one that is declared as before.
    fate: Option<Fate>,
    /// The symbols with the old path that may be new symbols.
    taken_over: Vec<SymbolId>,
}

/// What is now between the two old neighbours of the place, if the old line is not.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// A line that is similar to the old line.
    Edited,
    /// No line that is similar to the old line.
    Deleted,
}

impl<'a> Vetoes<'a> {
    pub(crate) fn new(new_text: &'a NewText<'a>, target: &'a Target<'a>, own: &'a [SymbolId]) -> Vetoes<'a> {
        let mut vetoes =
            Vetoes { new_text, target, own, fate: None, taken_over: taken_over(new_text, target) };
        let declared_as_before =
            || own.iter().copied().filter(|&own| vetoes.is_declared_as_before(own) == Some(true));
        let held = match own {
            [only] => Some(*only),
            _ => declared_as_before().next().filter(|_| declared_as_before().nth(1).is_none()),
        };
        vetoes.fate = held.and_then(|held| vetoes.fate_in(held));
        vetoes
    }

    /// The evidence, with the vetoes added.
    pub(crate) fn weigh(&self, seen: Vec<(AnchorEvidence, Facts)>) -> Vec<AnchorEvidence> {
        let all: Vec<Rival<'_>> = seen.iter().map(|(_, facts)| self.rival(facts)).collect();
        let vetoes: Vec<[bool; 2]> = all.iter().map(|one| self.vetoes(one, &all)).collect();
        let judged =
            seen.into_iter().zip(vetoes).map(|((evidence, _), [is_unsure, is_refuted])| AnchorEvidence {
                is_doubled: evidence.is_doubled || is_unsure,
                is_contradicted: evidence.is_contradicted || is_refuted,
                ..evidence
            });
        judged.collect()
    }

    /// First, whether another candidate may be the place too. Second, whether this candidate cannot be the place.
    fn vetoes(&self, one: &Rival<'_>, all: &[Rival<'_>]) -> [bool; 2] {
        let is_unsure = self.is_commented_out(one.facts, all)
            || one.facts.holder.is_some_and(|holder| self.taken_over.contains(&holder))
            || all.iter().any(|other| self.are_slid(one, other) || self.is_taken_over(one, other));
        let is_refuted =
            |other: &Rival<'_>| self.is_beside(one.facts, other.facts) || one.is_in_other_declaration(other);
        [is_unsure, self.is_copy_of_own(one) || all.iter().any(is_refuted)]
    }

    /// Whether a candidate is only a copy of the place, because the line in the old symbol was edited or deleted. A
    /// deleted line may have moved elsewhere, but without its neighbours, since they are still in the old symbol. A
    /// candidate in a new overload is always a copy.
    fn is_copy_of_own(&self, Rival { facts, is_declared_as_before, .. }: &Rival<'_>) -> bool {
        let is_in_new_overload = self.own.len() > 1 && *is_declared_as_before == Some(false);
        match self.fate {
            Some(Fate::Edited) => facts.is_other || is_in_new_overload,
            Some(Fate::Deleted) => facts.is_other && facts.has_both_neighbours || is_in_new_overload,
            None => false,
        }
    }

    fn fate_in(&self, symbol: SymbolId) -> Option<Fate> {
        let (above, below) = self.target.above.first().zip(self.target.below.first())?;
        let digest = |line: usize| self.new_text.lines.digest(line);
        let held = self.lines_of(symbol);
        let gaps = held.clone().filter(|&line| digest(line) == *above).filter_map(|line| {
            let mut below_it = (line + 1..held.end)
                .take_while(|end| (end - line - 1) as f64 <= self.new_text.thresholds.between);
            below_it.find(|&end| digest(end) == *below).map(|end| line + 1..end)
        });
        let fates = gaps.filter(|gap| !gap.clone().any(|line| Some(digest(line)) == self.target.digest));
        fates
            .map(|mut gap| if gap.any(|line| self.is_like(line)) { Fate::Edited } else { Fate::Deleted })
            .next()
    }

    fn is_like(&self, line: usize) -> bool {
        self.likeness(line) >= self.new_text.thresholds.like
    }

    fn likeness(&self, line: usize) -> f64 {
        similarity(&self.target.tokens, &self.new_text.tokens(line))
    }

    /// The lines of a symbol.
    fn lines_of(&self, symbol: SymbolId) -> Range<usize> {
        let Some(outline) = self.new_text.document().outline() else { return 0..0 };
        self.new_text.lines.within(outline.get(symbol).extent)
    }

    /// A candidate, prepared to be compared with the others.
    fn rival<'s>(&self, facts: &'s Facts) -> Rival<'s> {
        let own = facts.holder.filter(|holder| self.own.contains(holder));
        Rival {
            facts,
            is_declared_as_before: own.and_then(|own| self.is_declared_as_before(own)),
            runs: if facts.is_equal && self.has_new_twin() { self.runs(facts.line) } else { [0; 2] },
        }
    }

    /// Whether the declaration line of a symbol was at or near the old place.
    fn is_declared_as_before(&self, symbol: SymbolId) -> Option<bool> {
        self.declaration(symbol).map(|digest| self.was_near(digest))
    }

    /// The digest of the line that declares a symbol.
    fn declaration(&self, symbol: SymbolId) -> Option<Digest> {
        let name = self.new_text.document().outline()?.get(symbol).name_range;
        self.new_text.lines.of_offset(name.start()).map(|line| self.new_text.lines.digest(line))
    }

    /// Whether the line of the place occurs more often than before.
    fn has_new_twin(&self) -> bool {
        let (Some(digest), Some(twins)) = (self.target.digest, self.target.twins) else { return false };
        self.new_text.count(digest) > twins.count
    }

    /// Whether the upper of two equal lines has more of the lines that were above the place, and the lower one more of
    /// those that were below. Then text was inserted between them, and either of them may be the place. Only the name
    /// of a symbol can decide between them, or a diff with the old text that more than one line supports.
    fn are_slid(&self, one: &Rival<'_>, other: &Rival<'_>) -> bool {
        let (upper, lower) = if one.facts.line < other.facts.line { (one, other) } else { (other, one) };
        let is_told_by_name = upper.facts.is_other != lower.facts.is_other;
        if is_told_by_name || !upper.facts.is_equal || !lower.facts.is_equal || !self.has_new_twin() {
            return false;
        }
        let ([above, below], [lower_above, lower_below]) = (upper.runs, lower.runs);
        let is_told_by_difference = self.target.mapped.is_some() && above.min(lower_below) > 1;
        above > lower_above && lower_below > below && !is_told_by_difference
    }

    /// Whether the name of the old symbol may have been taken over by a new symbol. The signs are that the line occurs
    /// more often than before, that the symbol with the old path has it between new neighbours, and that another symbol
    /// has it between the old neighbours.
    fn is_taken_over(&self, one: &Rival<'_>, other: &Rival<'_>) -> bool {
        let (one, other) = (one.facts, other.facts);
        let is_beside = one.is_equal && other.is_equal && !one.is_other && other.is_other;
        if !is_beside || !self.has_new_twin() {
            return false;
        }
        let inner = self.inner_neighbours(other);
        !inner.is_empty() && !inner.contains(&false) && self.inner_neighbours(one).contains(&false)
    }

    /// Whether the line of a candidate is the old line after punctuation marks, such as `//`, with a similar line
    /// directly above or below. The old line may have been commented out, and the similar line may be its new form.
    fn is_commented_out(&self, facts: &Facts, all: &[Rival<'_>]) -> bool {
        let tokens = self.new_text.tokens(facts.line);
        let follows_marks = tokens.len() > self.target.tokens.len()
            && tokens.ends_with(&self.target.tokens)
            && !tokens[..tokens.len() - self.target.tokens.len()].iter().any(|token| is_word_at(token, 0));
        let is_beside = |other: &Rival<'_>| {
            let distance = other.facts.line.abs_diff(facts.line);
            distance == 1 && self.likeness(other.facts.line) >= LEAST_LIKE
        };
        follows_marks && all.iter().any(is_beside)
    }

    /// Looks at the lines directly above and below that are in the same symbol. For each, whether it is the same as
    /// before.
    fn inner_neighbours(&self, Facts { line, holder, .. }: &Facts) -> Vec<bool> {
        let lines = &self.new_text.lines;
        let held = holder.map_or(0..lines.len(), |holder| self.lines_of(holder));
        let above = line.checked_sub(1).map(|above| (above, self.target.above.first()));
        let neighbours = above.into_iter().chain([(line + 1, self.target.below.first())]);
        let inner = neighbours.filter(|(neighbour, _)| held.contains(neighbour));
        inner.map(|(neighbour, old)| old == Some(&lines.digest(neighbour))).collect()
    }

    /// How many lines in a row directly above a line are the same as above the old place, and how many below. If both
    /// reach the end of the text, that counts as one more.
    fn runs(&self, line: usize) -> [usize; 2] {
        let (above, below) = self.new_text.lines.digests().split_at(line);
        [run_to_end(above.iter().rev(), self.target.above), run_to_end(below[1..].iter(), self.target.below)]
    }

    /// Whether the line of a candidate is near the unchanged old line `other`, in the same symbol. Then it is not an
    /// edited form of the old line.
    fn is_beside(&self, facts: &Facts, other: &Facts) -> bool {
        !facts.is_equal
            && other.is_equal
            && other.has_neighbour
            && facts.holder == other.holder
            && facts.line.abs_diff(other.line) as f64 <= self.new_text.thresholds.beside
    }

    /// Whether a line with this digest was at the old place or near it.
    fn was_near(&self, digest: Digest) -> bool {
        self.target.digest == Some(digest) || self.target.stood_near(digest)
    }
}

/// How many lines in a row, from the first on, are the known lines. One more if the text ends there in both.
fn run_to_end<'l>(lines: impl ExactSizeIterator<Item = &'l Digest>, known: &'l [Digest]) -> usize {
    let n_lines = lines.len();
    let n_same = run(lines, known.iter());
    let is_end = n_same == n_lines && n_same == known.len() && known.len() < N_WIDE;
    n_same + usize::from(is_end)
}
