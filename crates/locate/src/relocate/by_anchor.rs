//! Computes the features of candidates if the lines around the old place are known, from an anchor or from the old
//! text.
//!
//! The old place was at a word in a line. A candidate is an occurrence of that word in the new text. A feature compares
//! one aspect of a candidate with the old place: its line, its neighbours, its symbol.

use std::cmp::Reverse;

use locant_text::{Offset, Range};
use locant_tree::SymbolId;

use super::align::{KnownSide, Sides, aligned};
use super::doubled::is_doubled;
use super::features::{features, is};
use super::known_lines::{KnownLines, Nearby};
use super::model::Evidence;
use super::new_text::{NewText, declared, declares, own_symbols, place};
use super::similarity::{
    MOST_TOKENS, common, common_pairs, first_tokens, last_tokens, likeness_of_paths, occurrences, pairs, run,
    similarity, tokens_from_end, tokens_from_start, weight,
};
use super::symbol_intervals::SymbolIntervals;
use super::target::{N_STREAM, Neighbour, Target};
use super::vetoes::{Facts, Vetoes};
use crate::anchor::{N_NEAR, N_WIDE};
use crate::lines::Digest;
use crate::tokens::{is_word_at, token_end};

/// How many candidates get features. If the word occurs in more places, a cheaper comparison chooses the most likely
/// ones.
pub(crate) const MOST_JUDGED: usize = 64;

/// How many lines of the new text, on each side of a candidate, are aligned with the old lines: for the wide features,
/// and for those about the nearest lines.
const WIDE_REACH: usize = N_WIDE * 3 / 2 + 10;
const NEAR_REACH: usize = N_NEAR + 2;

/// In the cheaper comparison, a line equal to the old line counts as much as this many equal neighbours.
const EQUAL_LINE: usize = 4;

/// How many occurrences of each old neighbour are tried in the search for the place where all neighbours are now.
const MOST_GAPS: usize = 12;

features! {
    line_equal line_like line_like_squared left_like right_like sides_like left_run right_run left_token right_token
    same_ordinal line_slack line_spare
    near_lower near_higher next_lower next_higher next_both_like
    wide_lower wide_higher
    equal_and_near like_and_wide
    equal_alone equal_same_rank equal_same_count
    neighbours_elsewhere far_elsewhere equal_but_elsewhere like_but_elsewhere
    at_neighbours close_to_neighbours neighbours_lower at_neighbours_lower
    word_unique word_now_unique word_same_rank word_one_rank word_same_count word_count
    line_pairs line_pairs_squared pairs_and_wide
    before_like after_like stream_lower stream_product stream_and_wide
    replaced replaced_better
    line_known whole_known around_known new_alone none_new others_stayed others_listed
    stood_near stood_better
    twins_gained words_gained
    mapped_here mapped_between mapped_elsewhere mapped_nowhere mapped_narrow
    mapped_word mapped_word_elsewhere hunk_kept
    led_here led_elsewhere led_and_equal led_and_like own_alone was_other own_has_line
    equal_once once_elsewhere
    declares declared_only
    scope_like scope_equal scope_name scope_and_like left_scope scope_and_neighbours scope_like_near
}

/// A candidate with its features.
pub(crate) type AnchorEvidence = Evidence<[f64; N_FEATURES]>;

/// Finds the candidates: occurrences of the word, each with its features.
pub(crate) fn gather(new_text: &NewText<'_>, target: &Target<'_>) -> Vec<AnchorEvidence> {
    let words = occurrences(new_text.text(), target.word);
    let lines = new_text.lines.of_offsets(&words);
    let occurrence = |(rank, (&word, line))| Some(Occurrence { rank, word, line: line? });
    let all: Vec<Occurrence> = words.iter().zip(lines).enumerate().filter_map(occurrence).collect();
    let mut lines: Vec<usize> = all.iter().map(|occurrence| occurrence.line).collect();
    lines.dedup();
    let known_lines = KnownLines::new(new_text, target, &lines);
    let gatherer = Gatherer::new(new_text, target, words.len(), known_lines);
    let mut kept = gatherer.most_likely(gatherer.possible(&all));
    kept.sort_by_key(|occurrence| occurrence.rank);
    let seen = kept.into_iter().map(|occurrence| gatherer.evidence(occurrence)).collect();
    Vetoes::new(new_text, target, &gatherer.own).weigh(seen)
}

/// An occurrence of the word in the new text.
#[derive(Clone, Copy)]
struct Occurrence {
    /// How many occurrences come before it.
    rank: usize,
    word: Offset,
    line: usize,
}

/// Everything that is computed once for all candidates.
struct Gatherer<'g, 'd> {
    new_text: &'g NewText<'d>,
    target: &'g Target<'g>,
    n_words: usize,
    known_lines: KnownLines,
    nearby: Option<Nearby>,
    near: [Vec<f64>; 2],
    wide: [KnownSide; 2],
    /// Where the old neighbours are now: the line that follows the gap in which the old line was, and how well the
    /// neighbours fit there.
    gap: Option<(usize, Sides)>,
    /// How similar a line at that gap is to the old line, if it does not have the word. A high value means that the
    /// word was replaced by another.
    replaced: f64,
    pairs: Vec<[u8; 2]>,
    /// The symbols with the old path.
    own: Vec<SymbolId>,
    /// How many lines in these symbols are equal to the old line.
    n_own_lines: usize,
    /// Whether the old line occurs exactly once in each of both texts.
    is_once: bool,
    /// All lines of the new text that are equal to the old line, ascending.
    equal: Vec<usize>,
    intervals: SymbolIntervals,
    /// Where the names of declared symbols start. Invariant: sorted.
    declared: Vec<Offset>,
}

impl<'g, 'd> Gatherer<'g, 'd> {
    fn new(
        new_text: &'g NewText<'d>,
        target: &'g Target<'g>,
        n_words: usize,
        known_lines: KnownLines,
    ) -> Gatherer<'g, 'd> {
        let outline = new_text.document().outline();
        let [above, below] = [target.above, target.below];
        let mut gatherer = Gatherer {
            new_text,
            target,
            n_words,
            known_lines,
            nearby: Nearby::new(new_text, target),
            near: [above, below].map(|digests| near_weights(new_text, digests)),
            wide: [above, below].map(|digests| wide_side(new_text, digests)),
            gap: None,
            replaced: 0.0,
            pairs: pairs(&target.tokens),
            own: own_symbols(new_text, target),
            n_own_lines: 0,
            is_once: is_once(new_text, target),
            equal: target.digest.map(|digest| new_text.lines.all(digest)).unwrap_or_default(),
            intervals: SymbolIntervals::new(outline),
            declared: declared(outline),
        };
        gatherer.n_own_lines = gatherer.n_own_lines();
        gatherer.gap = gatherer.best_gap();
        gatherer.replaced = gatherer.likeness_at_gap();
        gatherer
    }

    /// Where the old neighbours fit best, whether or not the word is there.
    fn best_gap(&self) -> Option<(usize, Sides)> {
        let n_lines = self.new_text.lines.len();
        let places = |digest: &Digest| -> Vec<usize> {
            let digests = self.new_text.lines.digests().iter().enumerate();
            digests.filter(|(_, other)| *other == digest).map(|(at, _)| at).take(MOST_GAPS).collect()
        };
        let mut gaps: Vec<usize> = Vec::new();
        for (distance, digest) in self.target.above.iter().take(N_NEAR).enumerate() {
            gaps.extend(places(digest).into_iter().map(|at| (at + 1 + distance).min(n_lines)));
        }
        for (distance, digest) in self.target.below.iter().take(N_NEAR).enumerate() {
            gaps.extend(places(digest).into_iter().map(|at| at.saturating_sub(distance)));
        }
        gaps.sort_unstable();
        gaps.dedup();
        let fits = gaps.into_iter().map(|gap| (gap, self.wide_sides(gap, gap)));
        fits.max_by(|(_, one), (_, other)| one.sum().total_cmp(&other.sum()))
    }

    fn likeness_at_gap(&self) -> f64 {
        let Some((gap, fit)) = self.gap else { return 0.0 };
        let lines = gap.saturating_sub(1)..(gap + 1).min(self.new_text.lines.len());
        let likeness = lines.map(|line| {
            let tokens = self.new_text.tokens(line);
            let has_word = tokens.contains(&self.target.word);
            if has_word { 0.0 } else { similarity(&self.target.tokens, &tokens) }
        });
        likeness.fold(0.0, f64::max) * fit.higher()
    }

    /// Whether a line shares only the word itself with the old line, although the old line had other words. In another
    /// symbol, a shared `return` alone is no evidence.
    fn is_bare(&self, now: &[&[u8]]) -> bool {
        let mut words =
            self.target.left.iter().chain(&self.target.right).filter(|token| is_word_at(token, 0));
        words.clone().next().is_some() && !words.any(|word| now.contains(word))
    }

    fn n_own_lines(&self) -> usize {
        let Some(outline) = self.new_text.document().outline() else { return 0 };
        let before = |line: usize| self.equal.partition_point(|&equal| equal < line);
        let held = self.own.iter().map(|&own| {
            let lines = self.new_text.lines.within(outline.get(own).extent);
            before(lines.end) - before(lines.start)
        });
        held.sum()
    }

    /// The occurrences, except those that are in a line equal to the old line but at another place in it.
    fn possible(&self, all: &[Occurrence]) -> Vec<Occurrence> {
        let in_lines = all.chunk_by(|one, next| one.line == next.line);
        let possible = in_lines.flat_map(|in_line| {
            let is_same = self.target.digest == Some(self.new_text.lines.digest(in_line[0].line));
            let in_order = in_line.iter().enumerate();
            in_order.filter(move |(at, _)| !is_same || self.target.ordinal.may_be(*at, in_line.len()))
        });
        possible.map(|(_, occurrence)| *occurrence).collect()
    }

    /// The occurrences that are most likely according to a comparison that is cheap to compute.
    fn most_likely(&self, places: Vec<Occurrence>) -> Vec<Occurrence> {
        if places.len() <= MOST_JUDGED {
            return places;
        }
        let digests = self.new_text.lines.digests();
        let near = |old: &[Digest], new: &mut dyn Iterator<Item = usize>| -> usize {
            new.take(NEAR_REACH).filter(|&at| old.iter().take(N_NEAR).any(|old| *old == digests[at])).count()
        };
        let likelihood = |&Occurrence { word, line, .. }: &Occurrence| {
            locant_stop::check();
            let is_equal = Some(digests[line]) == self.target.digest;
            let above = near(self.target.above, &mut (0..line).rev());
            let below = near(self.target.below, &mut (line + 1..digests.len()));
            let [left, right] = self.sides(word, line);
            let run = run(tokens_from_end(left).take(N_NEAR), self.target.left.iter().copied().rev())
                + run(tokens_from_start(right).take(N_NEAR), self.target.right.iter().copied());
            let distance = self.gap.map_or(usize::MAX, |(gap, _)| gap.abs_diff(line));
            let is_mapped = self.target.mapped.is_some_and(|mapped| mapped.line == Some(line));
            (is_mapped, EQUAL_LINE * usize::from(is_equal) + above + below + run, usize::MAX - distance)
        };
        // Among equally likely occurrences, the first are taken.
        let mut order: Vec<_> = places.iter().map(|place| (Reverse(likelihood(place)), *place)).collect();
        order.select_nth_unstable_by_key(MOST_JUDGED, |(likelihood, place)| (*likelihood, place.rank));
        order.into_iter().take(MOST_JUDGED).map(|(_, place)| place).collect()
    }

    /// The text before and after a word in its line.
    fn sides(&self, word: Offset, line: usize) -> [&'d [u8]; 2] {
        let (text, line) = (self.new_text.text(), self.new_text.lines.range(line));
        let end = Offset::of_index(token_end(text.bytes(), word.index())).min(line.end());
        [text.slice(Range::new(line.start(), word)), text.slice(Range::new(end, line.end()))]
    }

    /// How well the old lines above fit before the new line `above_end`, and the old lines below from `below_start` on.
    fn wide_sides(&self, above_end: usize, below_start: usize) -> Sides {
        locant_stop::check();
        let digests = self.new_text.lines.digests();
        let [above, below] = &self.wide;
        Sides::new(
            above.aligned(digests[..above_end].iter().rev().take(WIDE_REACH)),
            below.aligned(digests[below_start..].iter().take(WIDE_REACH)),
        )
    }

    /// How well the nearest old lines fit around a new line, by their likeness. The first value is for the nearest
    /// [`N_NEAR`] lines on each side, the second only for the lines directly above and below.
    fn near_sides(&self, line: usize) -> (Sides, Sides) {
        let side = |weights: &[f64], old: &[Neighbour<'_>], new: &mut dyn Iterator<Item = usize>| {
            let old = &old[..weights.len().min(old.len())];
            let mut likeness = [[0.0; NEAR_REACH]; N_NEAR];
            let mut n_new = 0;
            for line in new.take(NEAR_REACH) {
                let mut tokens = None;
                for (old, likeness) in old.iter().zip(&mut likeness) {
                    likeness[n_new] = self.likeness(old, line, &mut tokens);
                }
                n_new += 1;
            }
            let all = aligned(&weights[..old.len()], n_new, |p, q| likeness[p][q]);
            (all, (!old.is_empty()).then_some(likeness[0][0]))
        };
        let (above, next_above) = side(&self.near[0], &self.target.before, &mut (0..line).rev());
        let below = &mut (line + 1..self.new_text.lines.len());
        let (below, next_below) = side(&self.near[1], &self.target.after, below);
        (Sides::new(above, below), Sides::new(next_above, next_below))
    }

    /// The likeness of an old neighbour and a new line. `tokens` caches the tokens of the new line, which are read when
    /// they are first needed.
    fn likeness(&self, old: &Neighbour<'_>, new: usize, tokens: &mut Option<Vec<&'d [u8]>>) -> f64 {
        if old.digest == self.new_text.lines.digest(new) {
            return 1.0;
        }
        match similarity(&old.tokens, tokens.get_or_insert_with(|| self.new_text.tokens(new))) {
            chance if chance < self.new_text.thresholds.chance => 0.0,
            similarity => similarity * similarity,
        }
    }

    fn evidence(&self, Occurrence { rank, word, line }: Occurrence) -> (AnchorEvidence, Facts) {
        locant_stop::check();
        let mut features = Features::default();
        let tokens = self.new_text.tokens(line);
        let holder = self.intervals.innermost(word);
        self.look_at_line(&mut features, word, line, &tokens);
        self.look_around(&mut features, line);
        self.look_at_stream(&mut features, word);
        self.look_at_difference(&mut features, word, line);
        self.look_at_rank(&mut features, rank, line);
        self.look_at_known_lines(&mut features, line);
        self.look_at_scope(&mut features, holder);
        let place = place(self.new_text.text(), word, self.target.within);
        features.led_here = is(self.target.led == Some(place));
        features.led_elsewhere = is(self.target.led.is_some_and(|led| led != place));
        features.equal_once = is(self.is_once) * features.line_equal;
        features.once_elsewhere = is(self.is_once) * (1.0 - features.line_equal);
        combine(&mut features, self.new_text.thresholds.far);
        // If there are copies in symbols with different names, the one in the symbol with the old name is the original.
        let is_told_by_name = features.own_alone == 1.0 && self.n_own_lines == 1;
        let is_doubled = !is_told_by_name
            && self
                .nearby
                .as_ref()
                .is_some_and(|nearby| is_doubled(self.new_text, self.target, nearby, &self.equal, line));
        let is_other = features.scope_like < 1.0;
        let facts = Facts {
            line,
            is_equal: features.line_equal == 1.0,
            has_neighbour: features.next_higher == 1.0,
            has_both_neighbours: features.next_lower == 1.0,
            holder,
            is_other,
        };
        let evidence = Evidence {
            place,
            features: features.list(),
            is_doubled,
            is_contradicted: self.target.own.is_some_and(|own| own != place)
                || is_other && self.is_bare(&tokens),
            is_possible: facts.is_equal && facts.has_both_neighbours,
            is_shared: false,
        };
        (evidence, facts)
    }

    fn look_at_line(&self, features: &mut Features, word: Offset, line: usize, tokens: &[&[u8]]) {
        let [left, right] = self.sides(word, line);
        let (left, right) = (last_tokens(left, MOST_TOKENS), first_tokens(right, MOST_TOKENS));
        let target = self.target;
        let share = |n_common: usize, n_old: usize| n_common as f64 / n_old.max(1) as f64;
        features.line_pairs = common_pairs(&self.pairs, &pairs(tokens));
        features.line_equal = is(target.digest == Some(self.new_text.lines.digest(line)));
        features.line_like = similarity(&target.tokens, tokens);
        features.left_like = similarity(&target.left, &left);
        features.right_like = similarity(&target.right, &right);
        features.left_run = share(run(left.iter().rev(), target.left.iter().rev()), target.left.len());
        features.right_run = share(run(right.iter(), target.right.iter()), target.right.len());
        features.left_token = is(left.last() == target.left.last());
        features.right_token = is(right.first() == target.right.first());
        let ordinal = |left: &[&[u8]]| left.iter().filter(|token| **token == target.word).count();
        features.same_ordinal = is(ordinal(&left) == ordinal(&target.left));
        if features.line_equal == 1.0 {
            features.line_spare = -1.0;
            return;
        }
        // How much more the two lines have in common if they are compared in another way. For `line_slack`, the word of
        // the old line may match anywhere. For `line_spare`, the old line is compared without its word.
        let word = weight(target.word);
        let here = common(&target.left, &left) + word + common(&target.right, &right);
        let without = [&target.left[..], &target.right[..]].concat();
        features.line_slack = ((common(&target.tokens, tokens) - here) / word).clamp(0.0, 3.0);
        features.line_spare = ((common(&without, tokens) - here) / word).clamp(-1.0, 3.0);
    }

    fn look_around(&self, features: &mut Features, line: usize) {
        let (near, next) = self.near_sides(line);
        let wide = self.wide_sides(line, line + 1);
        (features.near_lower, features.near_higher) = (near.lower(), near.higher());
        (features.next_lower, features.next_higher) = (next.lower(), next.higher());
        features.next_both_like = next.above * next.below;
        (features.wide_lower, features.wide_higher) = (wide.lower(), wide.higher());
        let Some((gap, fit)) = self.gap else { return };
        features.neighbours_elsewhere = fit.sum() - wide.sum();
        let distance = gap.abs_diff(line);
        features.at_neighbours = if distance <= 1 { fit.sum() } else { 0.0 };
        features.close_to_neighbours = if distance <= 3 { fit.sum() } else { 0.0 };
        features.neighbours_lower = fit.lower();
        features.at_neighbours_lower = if distance <= 1 { fit.lower() } else { 0.0 };
    }

    /// Compares the tokens before and after the word across line breaks, since a formatter moves them.
    fn look_at_stream(&self, features: &mut Features, word: Offset) {
        let bytes = self.new_text.text().bytes();
        let before = last_tokens(&bytes[..word.index()], N_STREAM);
        let after = first_tokens(&bytes[token_end(bytes, word.index())..], N_STREAM);
        features.before_like = similarity(&self.target.stream[0], &before);
        features.after_like = similarity(&self.target.stream[1], &after);
        features.replaced = self.replaced;
        let is_declared = self.declared.binary_search(&word).is_ok();
        features.declares = is(is_declared && self.target.is_declared);
        features.declared_only = is(is_declared != self.target.is_declared);
    }

    fn look_at_difference(&self, features: &mut Features, word: Offset, line: usize) {
        let Some(mapped) = self.target.mapped else { return };
        features.mapped_word = is(mapped.word == Some(word));
        features.mapped_word_elsewhere = is(mapped.word.is_some_and(|mapped| mapped != word));
        features.hunk_kept = mapped.kept;
        let is_between = mapped.from <= line && line < mapped.to;
        features.mapped_here = is(mapped.line == Some(line));
        features.mapped_elsewhere = is(mapped.line.is_some_and(|mapped| mapped != line));
        features.mapped_between = is(mapped.line.is_none() && is_between);
        features.mapped_nowhere = is(mapped.line.is_none() && !is_between);
        let n_lines = mapped.to.saturating_sub(mapped.from);
        features.mapped_narrow = if is_between { (1.0 + n_lines as f64).recip() } else { 0.0 };
    }

    fn look_at_rank(&self, features: &mut Features, rank: usize, line: usize) {
        let n_words = self.n_words;
        features.word_now_unique = is(n_words == 1);
        features.word_count = (n_words.max(1) as f64).ln();
        if let Some(words) = self.target.words {
            let (count, index) = (words.count as usize, words.index as usize);
            let from_start = rank == index;
            let from_end = n_words - rank == count.saturating_sub(index);
            features.word_unique = is(n_words == 1 && count == 1);
            features.word_same_rank = is(from_start && from_end);
            features.word_one_rank = is(from_start || from_end);
            features.word_same_count = is(n_words == count);
        }
        let Some(digest) = self.target.digest else { return };
        let n_twins = self.new_text.count(digest);
        if features.line_equal == 0.0 {
            return;
        }
        features.equal_alone = f64::from(1 + n_twins).recip();
        if let Some(twins) = self.target.twins {
            let before = self.equal.partition_point(|&equal| equal < line);
            features.equal_same_rank = is(before == twins.index as usize && n_twins == twins.count);
            features.equal_same_count = is(n_twins == twins.count);
        }
    }

    /// Compares the line with the other lines that contained the word in the old text.
    fn look_at_known_lines(&self, features: &mut Features, line: usize) {
        let other = self.new_text.lines.other(line);
        [features.line_known, features.whole_known, features.around_known] = self.known_lines.known(other);
        features.new_alone = self.known_lines.lines.alone(&other.line);
        features.none_new = is(self.known_lines.lines.n_new == 0);
        features.others_stayed = self.known_lines.lines.stayed;
        features.others_listed = is(self.known_lines.is_listed);
        if let Some((fit, better)) = self.nearby.as_ref().and_then(|nearby| nearby.fit(self.new_text, line)) {
            (features.stood_near, features.stood_better) = (fit, better);
        }
        let most = self.new_text.thresholds.gained;
        let gained = |now: usize, then: u32| (now as f64 - f64::from(then)).clamp(-most, most) / most;
        if let Some(words) = self.target.words {
            features.words_gained = gained(self.n_words, words.count);
        }
        if let (Some(twins), Some(digest)) = (self.target.twins, self.target.digest) {
            features.twins_gained = gained(self.new_text.count(digest) as usize, twins.count);
        }
    }

    fn look_at_scope(&self, features: &mut Features, holder: Option<SymbolId>) {
        let outline = self.new_text.document().outline();
        let path: Vec<&str> =
            outline.zip(holder).map(|(outline, holder)| outline.path(holder)).unwrap_or_default();
        let old: Vec<&str> = self.target.symbol.iter().map(String::as_str).collect();
        features.scope_like = likeness_of_paths(&old, &path);
        features.scope_equal = is(features.scope_like == 1.0);
        features.scope_name = is(old.last() == path.last());
        let has_own = self.target.symbol.is_empty() || !self.own.is_empty();
        let is_other = features.scope_like < 1.0;
        features.left_scope = is(is_other && has_own);
        features.own_alone = is(matches!(self.own[..], [own] if Some(own) == holder));
        features.own_has_line = is(is_other && self.n_own_lines > 0);
        features.was_other = is(is_other && self.target.outline.is_some_and(|old| declares(old, &path)));
    }
}

/// Computes features that combine other features, since two of them together may tell much more than each alone.
fn combine(features: &mut Features, far: f64) {
    let f = features;
    f.line_like_squared = f.line_like * f.line_like;
    f.line_pairs_squared = f.line_pairs * f.line_pairs;
    f.pairs_and_wide = f.line_pairs * f.wide_higher;
    f.stream_lower = f.before_like.min(f.after_like);
    f.stream_product = f.before_like * f.after_like;
    f.stream_and_wide = f.stream_product * f.wide_higher;
    f.replaced_better = (f.replaced - f.line_like).max(0.0);
    f.sides_like = f.left_like * f.right_like;
    f.led_and_equal = f.led_here * f.line_equal;
    f.led_and_like = f.led_here * f.line_like;
    f.next_both_like *= f.line_like;
    f.equal_and_near = f.line_equal * f.near_higher;
    f.like_and_wide = f.line_like * f.wide_higher;
    f.far_elsewhere = (f.neighbours_elsewhere - far).max(0.0);
    f.equal_but_elsewhere = f.line_equal * f.neighbours_elsewhere;
    f.like_but_elsewhere = f.line_like * f.neighbours_elsewhere;
    f.scope_and_like = f.scope_like * f.line_like;
    f.scope_and_neighbours = f.scope_equal * (f.neighbours_elsewhere + f.wide_lower + f.wide_higher);
    f.scope_like_near = f.scope_equal * f.line_like * f.near_higher;
}

/// The weights of the nearest lines on one side.
fn near_weights(new_text: &NewText<'_>, digests: &[Digest]) -> Vec<f64> {
    digests.iter().take(N_NEAR).map(|&digest| new_text.weight(digest)).collect()
}

/// All known lines on one side. The farther a line is from the place, the less it weighs.
fn wide_side(new_text: &NewText<'_>, digests: &[Digest]) -> KnownSide {
    let weight = |(distance, &digest): (usize, &Digest)| {
        new_text.weight(digest) * (1.0 + distance as f64 / new_text.thresholds.half).recip()
    };
    KnownSide::new(digests.to_vec(), digests.iter().enumerate().map(weight).collect())
}

/// Whether the old line occurs exactly once in each of both texts.
fn is_once(new_text: &NewText<'_>, target: &Target<'_>) -> bool {
    target.twins.is_some_and(|twins| twins.count == 1)
        && target.digest.is_some_and(|digest| new_text.count(digest) == 1)
}
