//! Computes the features of candidates if only a location is known.
//!
//! A location tells more than its text alone. The find that [`describe`](crate::describe) wrote was unique in its
//! scope, and any shorter find was not. A declaration was described by its path alone.

use locant_text::{Offset, Range, Text};

use super::by_anchor::MOST_JUDGED;
use super::candidates::{Candidate, Counts};
use super::checked_lines::CheckedLines;
use super::features::{features, is};
use super::heirs::{Heirs, Held};
use super::model::Evidence;
use super::new_text::{declared, place};
use super::prefilter::Prefilter;
use super::similarity::{
    BAD, common_by, common_pairs, first_tokens, last_tokens, likeness_of_paths, n_occurrences, pairs, weight,
};
use super::surviving_scope::SurvivingScope;
use super::symbol_intervals::SymbolIntervals;
use super::thresholds::Thresholds;
use super::token_context::{SplitFind, TokenContext};
use super::wording::Wording;
use crate::answer::Document;
use crate::symbols::with_path_length;
use crate::tokens;

features! {
    find_equal find_like left_run right_run left_like right_like left_token right_token
    left_empty right_empty n_tokens long_find word_length
    equal_alone equal_alone_in_scope like_lead
    word_alone word_count in_scope_alone
    in_scope in_scope_and_equal in_scope_and_like no_scope_now elsewhere
    scope_like scope_equal scope_name scope_like_and_like outside_both
    name_declares name_and_path name_and_last name_alone find_declares
    equal_elsewhere long_and_equal long_and_like indexed
    path_there owner_there path_pairs name_pairs renamed_scope lost_rivals gained_rivals
    find_weight is_mark find_pairs left_kept right_kept kept kept_lead kept_in_scope rare_kept rarest_kept
    outer_alone outer_others
    line_same above_same below_same n_same all_same line_and_neighbour neighbour_same same_lead same_somewhere
    line_twins gap_here gap_elsewhere same_but_gap closed_up
    own_written heir_alone heir_shared
}

/// A candidate with its features.
pub(crate) type LocationEvidence = Evidence<[f64; N_FEATURES]>;

/// Finds the candidates: occurrences of the word of the location, each with its features.
///
/// `exact` is the place that the location leads to now, if it leads to exactly one.
pub(crate) fn gather(
    document: &dyn Document,
    words: &Wording,
    exact: Option<Offset>,
    thresholds: &Thresholds,
) -> Vec<LocationEvidence> {
    let gatherer = Gatherer::new(document, words, exact, thresholds);
    let promising = gatherer.promising();
    let mut candidates: Vec<Candidate<'_>> =
        promising.into_iter().map(|word| gatherer.candidate(word)).collect();
    for candidate in &mut candidates {
        gatherer.look_for_kept(candidate);
    }
    let all = Counts { heirs: gatherer.heirs(&candidates), ..Counts::of(&candidates) };
    candidates.iter().map(|candidate| gatherer.evidence(candidate, &all)).collect()
}

/// If more places in the scope than this match the find, [`Heirs`] are not searched for.
const MOST_HEIRS: usize = 4;

struct Gatherer<'g> {
    document: &'g dyn Document,
    wording: &'g Wording,
    thresholds: &'g Thresholds,
    words: Vec<Offset>,
    find: SplitFind<'g>,
    /// Where the scope is now. For a location without a scope, the ranges of all symbols, since the place was outside
    /// of them. Invariant: sorted, without overlaps.
    scope: Vec<Range>,
    /// The place that the location leads to now, if it leads to exactly one.
    exact: Option<Offset>,
    intervals: SymbolIntervals,
    /// Where the names of declared symbols start. Invariant: sorted.
    declared: Vec<Offset>,
    /// Whether the path has a number, as in `f[1]`, because several symbols have the same path. The number becomes
    /// wrong when one of them is added or removed.
    is_numbered: bool,
    /// The lines of the text, compared with the check if the location has one.
    checked: Option<CheckedLines>,
    /// How often each word of the find occurs in the text.
    counts: Vec<(&'g [u8], usize)>,
    /// The share of the names in the path, from the first on, that still lead to a symbol.
    path_there: f64,
    /// Whether the path without its last name still leads to a symbol.
    is_owner_there: bool,
    /// The pairs of letters in the old path, and in its last name.
    path_pairs: Vec<[u8; 2]>,
    name_pairs: Vec<[u8; 2]>,
}

/// Where a word is relative to the scope.
struct InScope {
    is_in_scope: bool,
    /// The index of the range of the scope that contains the word.
    holder: Option<usize>,
}

impl<'g> Gatherer<'g> {
    fn new(
        document: &'g dyn Document,
        wording: &'g Wording,
        exact: Option<Offset>,
        thresholds: &'g Thresholds,
    ) -> Gatherer<'g> {
        let outline = document.outline();
        let now = outline.map(|outline| SurvivingScope::of(document.text(), outline, &wording.path));
        let SurvivingScope { ranges: scope, n_there } = now.unwrap_or_default();
        let declared = declared(outline);
        let words = wording.places(document, &declared);
        let names: Vec<&[u8]> = wording.path.iter().map(|segment| segment.name.as_bytes()).collect();
        let mut gatherer = Gatherer {
            document,
            wording,
            thresholds,
            words,
            find: SplitFind::new(wording.text.as_bytes(), wording.word.clone()),
            scope,
            exact,
            intervals: SymbolIntervals::new(outline),
            declared,
            is_numbered: wording.path.iter().any(|segment| segment.index.is_some()),
            checked: wording.check.map(|check| CheckedLines::new(document.lines(), check)),
            counts: Vec::new(),
            path_there: n_there as f64 / names.len().max(1) as f64,
            is_owner_there: n_there + 1 >= names.len(),
            path_pairs: pairs(&names),
            name_pairs: pairs(&names[names.len().saturating_sub(1)..]),
        };
        let mut words: Vec<&[u8]> = gatherer.find.left.iter().chain(&gatherer.find.right).copied().collect();
        words.retain(|token| tokens::is_word_at(token, 0));
        words.sort_unstable();
        words.dedup();
        gatherer.counts =
            words.into_iter().map(|word| (word, n_occurrences(document.text(), word))).collect();
        gatherer
    }

    fn text(&self) -> &'g Text {
        self.document.text()
    }

    /// The words that become candidates, sorted by place. If there are too many, only the most promising ones.
    fn promising(&self) -> Vec<Offset> {
        if self.words.len() <= MOST_JUDGED {
            return self.words.clone();
        }
        let mut around = TokenContext::default();
        // The most promising words so far, the best first. Among equally promising words, the earlier one comes first.
        let mut best: Vec<(f64, Offset)> = Vec::with_capacity(MOST_JUDGED + 1);
        for (at_most, word) in self.by_prefilter() {
            if best.get(MOST_JUDGED - 1).is_some_and(|(least, _)| at_most < *least) {
                break;
            }
            locant_stop::check();
            self.find.read(&mut around, self.text().bytes(), word);
            let is_equal = self.find.shares(&around) == [1.0; 2];
            let promise = self.promise(self.find.mean(self.find.likeness(&around)), is_equal, word);
            let is_before =
                |&(other, rival): &(f64, Offset)| other > promise || other == promise && rival < word;
            best.insert(best.partition_point(is_before), (promise, word));
            best.truncate(MOST_JUDGED);
        }
        let mut words: Vec<Offset> = best.into_iter().map(|(_, word)| word).collect();
        words.sort_unstable();
        words
    }

    /// All words, each with an upper bound of its promise. The highest bound comes first.
    fn by_prefilter(&self) -> Vec<(f64, Offset)> {
        let prefilter = Prefilter::at(self.text(), &self.find, self.words.len());
        // The find has a replacement character for an invalid byte. Its length differs, so it cannot be compared this
        // way.
        let prefilter = prefilter.filter(|_| self.wording.word() != BAD);
        let at_most = |word: Offset| {
            locant_stop::check();
            let likeness = prefilter.as_ref()?.likeness_at_most(word)?;
            Some(self.promise(likeness, likeness >= 1.0, word))
        };
        let words = self.words.iter();
        let mut order: Vec<(f64, Offset)> =
            words.map(|&word| (at_most(word).unwrap_or(f64::INFINITY), word)).collect();
        order.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        order
    }

    /// How promising a word is, given how similar the text around it is to the find.
    fn promise(&self, likeness: f64, is_equal: bool, word: Offset) -> f64 {
        let n_same = self.same(word).1.iter().filter(|same| **same).count();
        likeness + is(is_equal) + is(self.place_of(word).is_in_scope) + n_same as f64
    }

    fn place_of(&self, word: Offset) -> InScope {
        let before = self.scope.partition_point(|range| range.end() <= word);
        let is_inside = self.scope.get(before).is_some_and(|range| range.contains(word));
        let is_in_scope = !self.wording.has_lines && is_inside != self.wording.path.is_empty();
        InScope { is_in_scope, holder: (is_inside && is_in_scope).then_some(before) }
    }

    /// The line of a word, and whether this line, the line above and the line below agree with the check.
    fn same(&self, word: Offset) -> (Option<usize>, [bool; 3]) {
        let line = self.checked.as_ref().and_then(|checked| checked.lines.of_offset(word));
        let same = self.checked.as_ref().zip(line).map(|(checked, line)| checked.same(line));
        (line, same.unwrap_or_default())
    }

    fn candidate(&self, word: Offset) -> Candidate<'g> {
        let mut around = TokenContext::default();
        self.find.read(&mut around, self.text().bytes(), word);
        let [left_run, right_run] = self.find.shares(&around);
        let likeness = self.find.likeness(&around);
        let n_run: usize = self.find.runs(&around).iter().sum();
        let InScope { is_in_scope, holder } = self.place_of(word);
        let (line, same) = self.same(word);
        Candidate {
            word,
            left_run,
            right_run,
            like: self.find.mean(likeness),
            likeness,
            is_in_scope,
            holder,
            is_outer: n_run + 1 >= self.find.n_tokens(),
            same,
            is_whole: line.is_some_and(|line| self.is_whole(word, line)),
            line,
            left: around.left,
            right: around.right,
            kept: [0.0; 2],
            all_kept: 0.0,
            rare_kept: 0.0,
        }
    }

    /// Whether the line of a word and its neighbours agree with the check. Only neighbours in the body of the symbol
    /// around the word are compared. If that symbol has a path of the same length as the old path, the first name that
    /// differs is taken as a rename.
    fn is_whole(&self, word: Offset, line: usize) -> bool {
        let (Some(checked), Some(outline)) = (&self.checked, self.document.outline()) else { return false };
        let Some(holder) = self.intervals.innermost(word) else { return false };
        let path = outline.path(holder);
        let names = self.wording.path.iter().map(|segment| segment.name.as_str());
        let mut other = names.zip(&path).enumerate().filter(|(_, (old, now))| old != *now);
        let other = other.next().filter(|_| path.len() == self.wording.path.len());
        let at = other.and_then(|(at, _)| with_path_length(outline, holder, at + 1));
        let symbol = outline.get(at.unwrap_or(holder));
        let old_name = other.map_or(symbol.name.as_str(), |(_, (old, _))| old);
        checked.is_whole(self.text(), line, symbol, old_name)
    }

    /// Computes how much of the find still exists around a word, even with other tokens in between.
    fn look_for_kept(&self, candidate: &mut Candidate<'_>) {
        let [left, right] = self.find.sides(self.text().bytes(), candidate.word);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a small number of tokens"
        )]
        let slack = self.thresholds.slack as usize;
        let left = last_tokens(left, self.find.left.len() + slack);
        let right = first_tokens(right, self.find.right.len() + slack);
        let plain = self.kept([&left, &right], weight);
        candidate.kept = plain.map(share);
        candidate.all_kept = share((plain[0].0 + plain[1].0, plain[0].1 + plain[1].1));
        let rare = self.kept([&left, &right], |token| self.rarity(token));
        candidate.rare_kept = share((rare[0].0 + rare[1].0, rare[0].1 + rare[1].1));
    }

    /// For the left and the right side: the weight of the tokens that the text shares with the find, and the weight of
    /// all tokens of the find on that side.
    fn kept(&self, [left, right]: [&[&[u8]]; 2], weight: impl Fn(&[u8]) -> f64) -> [(f64, f64); 2] {
        [(&self.find.left, left), (&self.find.right, right)].map(|(old, now)| {
            let total = old.iter().map(|token| weight(token)).sum();
            (common_by(old, now, &weight), total)
        })
    }

    /// How much a token of the find tells. Rare words tell more. Punctuation marks occur everywhere, so they have a
    /// fixed value.
    fn rarity(&self, token: &[u8]) -> f64 {
        let count = self.counts.iter().find(|(other, _)| *other == token).map_or(0, |(_, count)| *count);
        if count == 0 { self.thresholds.mark } else { (count as f64).sqrt().recip() }
    }

    fn evidence(&self, candidate: &Candidate<'_>, all: &Counts) -> LocationEvidence {
        let mut features = Features::default();
        self.look_at_find(&mut features, candidate);
        self.look_at_rivals(&mut features, candidate, all);
        self.look_at_scope(&mut features, candidate);
        self.look_at_lines(&mut features, candidate, all);
        let place = self.place(candidate.word);
        self.look_at_heirs(&mut features, place, all);
        let is_twin = self.is_twin(candidate, all);
        Evidence {
            // If a location leads to exactly one place, no other evidence can show that another place was meant.
            is_contradicted: self.exact.is_some_and(|exact| !self.is_attached(exact, candidate.word))
                || self.is_denied(candidate),
            place,
            features: features.list(),
            is_shared: self.checked.is_none()
                && all.heirs_of(place).is_some_and(|heirs| heirs.n_written() > 0),
            is_doubled: self.is_told_by_number(all) && candidate.n_same() < candidate.same.len()
                || self.exact.is_none() && all.is_in_twins && candidate.is_equal()
                || candidate.is_taken_over(all)
                || self.may_be_new(candidate, place, all)
                || is_twin,
            is_possible: candidate.is_equal() && (candidate.is_in_scope || all.n_equal == 1) || is_twin,
        }
    }

    /// Whether the candidate may be only a twin of the old place. That is so if the symbol is gone, and there are fewer
    /// places with the same words or lines than when the check was written.
    fn is_twin(&self, candidate: &Candidate<'_>, all: &Counts) -> bool {
        let Some(checked) = &self.checked else { return false };
        let is_lost = !self.wording.path.is_empty() && self.scope.is_empty();
        is_lost
            && (candidate.is_equal() && checked.has_lost_words(all.n_equal)
                || candidate.n_same() >= 2 && checked.has_lost_lines())
    }

    /// For each place in the scope that matches the whole find: the other symbols that may be the old symbol under a
    /// new name.
    fn heirs(&self, candidates: &[Candidate<'_>]) -> Vec<(Offset, Heirs)> {
        if self.wording.path.is_empty() || self.scope.is_empty() {
            return Vec::new();
        }
        let held = |is_in_scope: bool| -> Vec<Held> {
            let equal = candidates.iter().filter(|one| one.is_equal() && one.is_in_scope == is_in_scope);
            equal
                .filter_map(|one| Some((self.intervals.innermost(one.word)?, self.place(one.word))))
                .collect()
        };
        let (own, others) = (held(true), held(false));
        if own.len() > MOST_HEIRS {
            return Vec::new();
        }
        own.into_iter()
            .map(|own| (own.1, Heirs::of(self.document, self.wording, own, others.iter().copied())))
            .collect()
    }

    /// The place of a candidate whose word is at `word`.
    fn place(&self, word: Offset) -> Offset {
        // The number of blanks at the marker is not known, so the word alone gives the place only approximately. If the
        // location leads to this candidate, it gives the exact place.
        let exact = self.exact.filter(|exact| self.is_attached(*exact, word));
        exact.unwrap_or_else(|| place(self.text(), word, self.wording.within))
    }

    /// Whether the symbol around the candidate may be new, while the old symbol was renamed. There are two signs of
    /// that. Another symbol may be the old one under a new name. Or a place outside of the scope has the lines of the
    /// check, and there are more such places than when the check was written.
    fn may_be_new(&self, candidate: &Candidate<'_>, place: Offset, all: &Counts) -> bool {
        let has_gained =
            |checked: &CheckedLines| checked.has_gained(all.n_equal).unwrap_or(!candidate.is_whole);
        let has_heir = |heirs: &Heirs| match self.checked {
            // The lines of the check are better evidence than the lines that the symbols share.
            Some(_) => heirs.is_told_elsewhere(),
            None => heirs.is_doubtful(self.find.n_tokens() > 0),
        };
        candidate.is_in_scope
            && !self.wording.path.is_empty()
            && (all.heirs_of(place).is_some_and(has_heir)
                || all.is_whole_outside && self.checked.as_ref().is_some_and(has_gained))
    }

    /// Whether only the number in the path distinguishes the place from others. If the find occurs once in the text, no
    /// number is needed.
    fn is_told_by_number(&self, all: &Counts) -> bool {
        self.is_numbered && (self.wording.is_name || all.n_equal != 1)
    }

    /// Whether the check rules the candidate out. It does in two cases. The find is a single word, and none of the
    /// three lines is the same. Or the symbol still exists, the candidate is outside of it, and not all three lines are
    /// the same.
    fn is_denied(&self, candidate: &Candidate<'_>) -> bool {
        let is_alone = self.find.n_tokens() == 0;
        let has_left = !self.wording.path.is_empty() && !self.scope.is_empty() && !candidate.is_in_scope;
        let n_same = candidate.n_same();
        self.checked.is_some() && (n_same == 0 && is_alone || has_left && n_same < candidate.same.len())
    }

    /// Whether `place`, which the location leads to, is the place of the candidate whose word is at `word`.
    fn is_attached(&self, place: Offset, word: Offset) -> bool {
        let (bytes, length) = (self.text().bytes(), self.wording.word.len());
        match usize::try_from(self.wording.within) {
            Err(_) => tokens::blanks_after(bytes, place.index()) == word.index(),
            Ok(within) if within > length => {
                tokens::blanks_before(bytes, place.index()) == word.index() + length
            }
            Ok(within) => word.index() + within == place.index(),
        }
    }

    fn look_at_find(&self, features: &mut Features, candidate: &Candidate<'_>) {
        let f = features;
        f.find_equal = is(candidate.is_equal());
        f.find_like = candidate.like;
        (f.left_run, f.right_run) = (candidate.left_run, candidate.right_run);
        [f.left_like, f.right_like] = candidate.likeness;
        f.left_token = is(candidate.left.last() == self.find.left.last());
        f.right_token = is(candidate.right.first() == self.find.right.first());
        f.left_empty = is(self.find.left.is_empty());
        f.right_empty = is(self.find.right.is_empty());
        let n_tokens = self.find.n_tokens();
        f.n_tokens = (1.0 + n_tokens as f64).ln();
        f.long_find = is(n_tokens >= 4);
        f.word_length = (self.wording.word.len() as f64).min(20.0) / 20.0;
        f.long_and_equal = f.n_tokens * f.find_equal;
        f.long_and_like = f.n_tokens * f.find_like;
        let find: Vec<&[u8]> = self.find.left.iter().chain(&self.find.right).copied().collect();
        f.find_weight = (1.0 + find.iter().map(|token| weight(token)).sum::<f64>()).ln();
        f.is_mark = is(!tokens::is_word_at(self.wording.word(), 0));
        let now: Vec<&[u8]> = candidate.left.iter().chain(&candidate.right).copied().collect();
        f.find_pairs = common_pairs(&pairs(&find), &pairs(&now));
        [f.left_kept, f.right_kept] = candidate.kept;
        f.kept = candidate.all_kept;
        f.kept_in_scope = f.kept * is(candidate.is_in_scope);
        f.rare_kept = candidate.rare_kept;
        let rarest = self.counts.iter().map(|(_, count)| *count).min();
        f.rarest_kept = candidate.rare_kept * rarest.map_or(0.0, |count| (1.0 + count as f64).recip());
    }

    fn look_at_rivals(&self, features: &mut Features, candidate: &Candidate<'_>, all: &Counts) {
        let f = features;
        let one_of = |n: usize| (n.max(1) as f64).recip();
        let is_equal = candidate.is_equal();
        if is_equal {
            f.equal_alone = one_of(all.n_equal);
        }
        if is_equal && candidate.is_in_scope {
            f.equal_alone_in_scope = one_of(all.n_equal_in_scope);
        }
        f.equal_elsewhere = is(!is_equal && all.n_equal > 0);
        f.like_lead = all.like.lead(candidate.like);
        f.kept_lead = all.kept.lead(candidate.all_kept);
        // Without its outermost token the find was not unique. Otherwise it would have been written without that token.
        if candidate.is_in_scope && candidate.is_outer {
            f.outer_alone = is(all.n_outer == 1);
            f.outer_others = is(all.n_outer > 1);
        }
        f.word_alone = is(self.words.len() == 1);
        f.word_count = (self.words.len().max(1) as f64).ln();
        if candidate.is_in_scope {
            f.in_scope_alone = one_of(all.n_in_scope);
        }
        f.elsewhere = is(!candidate.is_in_scope && all.n_in_scope > 0);
        // A find is no longer than needed. If it has several tokens, its word occurred several times in the scope. If
        // it is a single word, that word occurred once.
        let is_short = self.find.n_tokens() == 0;
        f.lost_rivals = is(candidate.is_in_scope && !is_short && all.n_in_scope == 1);
        f.gained_rivals = is(candidate.is_in_scope && is_short && all.n_in_scope > 1);
    }

    fn look_at_scope(&self, features: &mut Features, candidate: &Candidate<'_>) {
        let f = features;
        let outline = self.document.outline();
        let now: Vec<&str> = outline
            .and_then(|outline| Some(outline.path(self.intervals.innermost(candidate.word)?)))
            .unwrap_or_default();
        let old: Vec<&str> = self.wording.path.iter().map(|segment| segment.name.as_str()).collect();
        f.in_scope = is(candidate.is_in_scope);
        f.in_scope_and_equal = f.in_scope * f.find_equal;
        f.in_scope_and_like = f.in_scope * f.find_like;
        f.no_scope_now = is(!old.is_empty() && self.scope.is_empty());
        f.scope_like = if self.wording.has_lines { 0.0 } else { likeness_of_paths(&old, &now) };
        f.scope_equal = is(f.scope_like == 1.0);
        f.scope_name = is(old.last() == now.last());
        f.scope_like_and_like = f.scope_like * f.find_like;
        f.outside_both = is(!self.wording.has_lines && old.is_empty() && now.is_empty());
        f.path_there = self.path_there;
        f.owner_there = is(self.is_owner_there);
        let names: Vec<&[u8]> = now.iter().map(|name| name.as_bytes()).collect();
        f.path_pairs = common_pairs(&self.path_pairs, &pairs(&names));
        f.name_pairs = common_pairs(&self.name_pairs, &pairs(&names[names.len().saturating_sub(1)..]));
        f.renamed_scope = f.no_scope_now * f.name_pairs;
        f.indexed = is(self.wording.path.iter().any(|segment| segment.index.is_some()));
        let is_declared = self.declared.binary_search(&candidate.word).is_ok();
        if self.wording.is_name {
            f.name_declares = is(is_declared);
            f.name_and_path = is(is_declared) * f.scope_equal;
            f.name_and_last = is(is_declared) * f.scope_like;
            f.name_alone = is(is_declared) * is(self.scope.len() == 1 && !self.wording.path.is_empty());
        } else {
            f.find_declares = is(is_declared);
        }
    }

    /// The evidence that the symbol with the old name is new, while the old symbol has another name.
    fn look_at_heirs(&self, features: &mut Features, place: Offset, all: &Counts) {
        let f = features;
        let Some(heirs) = all.heirs_of(place) else { return };
        f.own_written = is(heirs.is_own_written);
        f.heir_alone = if heirs.n_written() == 0 { 0.0 } else { (heirs.n_written() as f64).recip() };
        f.heir_shared = heirs.shared();
    }

    /// The evidence from the check. Without a check, no line counts as the same.
    fn look_at_lines(&self, features: &mut Features, candidate: &Candidate<'_>, all: &Counts) {
        let f = features;
        let n_same = candidate.n_same();
        [f.line_same, f.above_same, f.below_same] = candidate.same.map(is);
        f.n_same = n_same as f64;
        f.all_same = is(n_same == 3);
        f.line_and_neighbour = f.line_same * (f.above_same + f.below_same);
        f.neighbour_same = f.above_same.max(f.below_same);
        f.same_lead = all.same.lead(f.n_same);
        f.same_somewhere = is(all.same.most >= 2.0);
        let (Some(checked), Some(line)) = (&self.checked, candidate.line) else { return };
        let digest = checked.lines.digest(line);
        let n_twins = checked.lines.count(digest);
        f.line_twins = f64::from(n_twins.max(1)).ln();
        let is_gap = checked.gaps.contains(&line);
        f.gap_here = is(is_gap);
        f.gap_elsewhere = is(!is_gap && !checked.gaps.is_empty());
        f.same_but_gap = f.line_same * f.gap_elsewhere;
        f.closed_up = is(checked.is_closed_up);
    }
}

fn share((common, total): (f64, f64)) -> f64 {
    if total == 0.0 { 1.0 } else { common / total }
}
