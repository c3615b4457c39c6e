//! What speaks for a candidate being the place that was described.

use std::cmp::Reverse;
use std::sync::Arc;

use locant_text::{Offset, Range, Text};
use locant_tree::{Outline, SymbolId};

use super::against::{Against, Sighting};
use super::align::{Known, Sides, aligned};
use super::company::{Company, Nearby};
use super::copies::is_doubled;
use super::features::{features, is};
use super::holders::Holders;
use super::lines::{Digest, Lines};
use super::model::Evidence;
use super::place;
use super::sought::{N_STREAM, Neighbour, Sought};
use super::thresholds::Thresholds;
use super::words::{
    MOST_TOKENS, common, common_pairs, first_tokens, last_tokens, likeness_of_paths, occurrences, pairs, run,
    similarity, tokens_from_end, tokens_from_start, weight,
};
use crate::anchor::{N_NEAR, N_WIDE};
use crate::answer::Document;
use crate::tokens::{is_word_at, token_end};

/// How many candidates are looked at closely. More places of one word are told apart by their lines alone.
pub(crate) const MOST_JUDGED: usize = 64;

/// How many further lines of the new text are lined up with the old ones.
const WIDE_REACH: usize = N_WIDE * 3 / 2 + 10;
const NEAR_REACH: usize = N_NEAR + 2;

/// What an equal line counts beside equal neighbours, when candidates are too many to look at closely.
const EQUAL_LINE: usize = 4;

/// How many places of a neighbouring line are tried as the place where the neighbours stand now.
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
    before_like behind_like stream_lower stream_product stream_and_wide
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

/// The new text, with all that is asked of it again and again.
pub(crate) struct Present<'d> {
    document: &'d dyn Document,
    pub(crate) lines: Arc<Lines>,
    pub(crate) thresholds: Thresholds,
}

impl<'d> Present<'d> {
    pub(crate) fn new(document: &'d dyn Document, thresholds: Thresholds) -> Present<'d> {
        Present { document, lines: document.lines(), thresholds }
    }

    pub(crate) fn document(&self) -> &'d dyn Document {
        self.document
    }

    pub(crate) fn text(&self) -> &'d Text {
        self.document.text()
    }

    /// A line that occurs often says little about where it is.
    pub(crate) fn weight(&self, digest: Digest) -> f64 {
        f64::from(self.count(digest).max(1)).sqrt().recip()
    }

    pub(crate) fn count(&self, digest: Digest) -> u32 {
        self.lines.count(digest)
    }
}

/// A candidate with its features.
pub(crate) type Seen = Evidence<[f64; N_FEATURES]>;

/// The places of the word, each with what speaks for it.
pub(crate) fn gather(present: &Present<'_>, sought: &Sought<'_>) -> Vec<Seen> {
    let words = occurrences(present.text(), sought.word);
    let lines = present.lines.of_offsets(&words);
    let occurrence = |(rank, (&word, line))| Some(Occurrence { rank, word, line: line? });
    let all: Vec<Occurrence> = words.iter().zip(lines).enumerate().filter_map(occurrence).collect();
    let mut lines: Vec<usize> = all.iter().map(|occurrence| occurrence.line).collect();
    lines.dedup();
    let company = Company::new(present, sought, &lines);
    let gatherer = Gatherer::new(present, sought, words.len(), company);
    let mut kept = gatherer.most_likely(gatherer.possible(&all));
    kept.sort_by_key(|occurrence| occurrence.rank);
    let seen = kept.into_iter().map(|occurrence| gatherer.evidence(occurrence)).collect();
    Against::new(present, sought, &gatherer.own).weigh(seen)
}

/// The word, somewhere in the new text.
#[derive(Clone, Copy)]
struct Occurrence {
    /// How many stand before it.
    rank: usize,
    word: Offset,
    line: usize,
}

/// What is computed once for all candidates.
struct Gatherer<'g, 'd> {
    present: &'g Present<'d>,
    sought: &'g Sought<'g>,
    n_words: usize,
    company: Company,
    nearby: Option<Nearby>,
    near: [Vec<f64>; 2],
    wide: [Known; 2],
    /// Where the neighbours stand now: the line that follows the gap, and how well they fit there.
    gap: Option<(usize, Sides)>,
    /// How much a line at that gap is like the old one, if the word is not in it: the word was replaced.
    replaced: f64,
    pairs: Vec<[u8; 2]>,
    /// The symbols of the old path.
    own: Vec<SymbolId>,
    /// How many lines they hold that are equal to the old one.
    n_own_lines: usize,
    /// Does the old line stand once in both texts?
    is_once: bool,
    /// All lines that are equal to the old one, in their order.
    equal: Vec<usize>,
    holders: Holders,
    /// Where the names of symbols start that are declared. Invariant: sorted.
    declared: Vec<Offset>,
}

impl<'g, 'd> Gatherer<'g, 'd> {
    fn new(
        present: &'g Present<'d>,
        sought: &'g Sought<'g>,
        n_words: usize,
        company: Company,
    ) -> Gatherer<'g, 'd> {
        let near = |digests: &[Digest]| -> Vec<f64> {
            digests.iter().take(N_NEAR).map(|&digest| present.weight(digest)).collect()
        };
        let wide = |digests: &[Digest]| {
            let decay = |distance: usize| (1.0 + distance as f64 / present.thresholds.half).recip();
            let weight = |(at, &digest): (usize, &Digest)| present.weight(digest) * decay(at);
            Known::new(digests.to_vec(), digests.iter().enumerate().map(weight).collect())
        };
        let outline = present.document.outline();
        let [above, below] = [sought.above, sought.below];
        let mut gatherer = Gatherer {
            present,
            sought,
            n_words,
            company,
            nearby: Nearby::new(present, sought),
            near: [near(above), near(below)],
            wide: [wide(above), wide(below)],
            gap: None,
            replaced: 0.0,
            pairs: pairs(&sought.tokens),
            own: own_symbols(present, sought),
            n_own_lines: 0,
            is_once: is_once(present, sought),
            equal: sought.digest.map(|digest| present.lines.all(digest)).unwrap_or_default(),
            holders: Holders::new(outline),
            declared: declared(outline),
        };
        gatherer.n_own_lines = gatherer.n_own_lines();
        gatherer.gap = gatherer.best_gap();
        gatherer.replaced = gatherer.likeness_at_gap();
        gatherer
    }

    /// Where the neighbours fit best, whether or not the word is there.
    fn best_gap(&self) -> Option<(usize, Sides)> {
        let n_lines = self.present.lines.len();
        let places = |digest: &Digest| -> Vec<usize> {
            let digests = self.present.lines.digests().iter().enumerate();
            digests.filter(|(_, other)| *other == digest).map(|(at, _)| at).take(MOST_GAPS).collect()
        };
        let mut gaps: Vec<usize> = Vec::new();
        for (distance, digest) in self.sought.above.iter().take(N_NEAR).enumerate() {
            gaps.extend(places(digest).into_iter().map(|at| (at + 1 + distance).min(n_lines)));
        }
        for (distance, digest) in self.sought.below.iter().take(N_NEAR).enumerate() {
            gaps.extend(places(digest).into_iter().map(|at| at.saturating_sub(distance)));
        }
        gaps.sort_unstable();
        gaps.dedup();
        let fits = gaps.into_iter().map(|gap| (gap, self.wide_sides(gap, gap)));
        fits.max_by(|(_, one), (_, other)| one.sum().total_cmp(&other.sum()))
    }

    fn likeness_at_gap(&self) -> f64 {
        let Some((gap, fit)) = self.gap else { return 0.0 };
        let lines = gap.saturating_sub(1)..(gap + 1).min(self.present.lines.len());
        let likeness = lines.map(|line| {
            let tokens = self.tokens(line);
            let has_word = tokens.contains(&self.sought.word);
            if has_word { 0.0 } else { similarity(&self.sought.tokens, &tokens) }
        });
        likeness.fold(0.0, f64::max) * fit.higher()
    }

    /// Has a line no word of the old one but the one that is looked for? In another symbol, `return` is no evidence.
    fn is_bare(&self, now: &[&[u8]]) -> bool {
        let mut words =
            self.sought.left.iter().chain(&self.sought.right).filter(|token| is_word_at(token, 0));
        words.clone().next().is_some() && !words.any(|word| now.contains(word))
    }

    fn n_own_lines(&self) -> usize {
        let Some(outline) = self.present.document.outline() else { return 0 };
        let before = |line: usize| self.equal.partition_point(|&equal| equal < line);
        let held = self.own.iter().map(|&own| {
            let lines = self.present.lines.within(outline.get(own).extent);
            before(lines.end) - before(lines.start)
        });
        held.sum()
    }

    /// Without those that stand in the very line that is looked for, but at another place of it.
    fn possible(&self, all: &[Occurrence]) -> Vec<Occurrence> {
        let in_lines = all.chunk_by(|one, next| one.line == next.line);
        let possible = in_lines.flat_map(|in_line| {
            let is_same = self.sought.digest == Some(self.present.lines.digest(in_line[0].line));
            let in_order = in_line.iter().enumerate();
            in_order.filter(move |(at, _)| !is_same || self.sought.ordinal.may_be(*at, in_line.len()))
        });
        possible.map(|(_, occurrence)| *occurrence).collect()
    }

    /// Those that are most likely by what is cheap to see.
    fn most_likely(&self, places: Vec<Occurrence>) -> Vec<Occurrence> {
        if places.len() <= MOST_JUDGED {
            return places;
        }
        let digests = self.present.lines.digests();
        let near = |old: &[Digest], new: &mut dyn Iterator<Item = usize>| -> usize {
            new.take(NEAR_REACH).filter(|&at| old.iter().take(N_NEAR).any(|old| *old == digests[at])).count()
        };
        let likelihood = |&Occurrence { word, line, .. }: &Occurrence| {
            let is_equal = Some(digests[line]) == self.sought.digest;
            let above = near(self.sought.above, &mut (0..line).rev());
            let below = near(self.sought.below, &mut (line + 1..digests.len()));
            let [left, right] = self.sides(word, line);
            let run = run(tokens_from_end(left).take(N_NEAR), self.sought.left.iter().copied().rev())
                + run(tokens_from_start(right).take(N_NEAR), self.sought.right.iter().copied());
            let distance = self.gap.map_or(usize::MAX, |(gap, _)| gap.abs_diff(line));
            let is_mapped = self.sought.mapped.is_some_and(|mapped| mapped.line == Some(line));
            (is_mapped, EQUAL_LINE * usize::from(is_equal) + above + below + run, usize::MAX - distance)
        };
        // Of those that are equally likely, the first.
        let mut order: Vec<_> = places.iter().map(|place| (Reverse(likelihood(place)), *place)).collect();
        order.select_nth_unstable_by_key(MOST_JUDGED, |(likelihood, place)| (*likelihood, place.rank));
        order.into_iter().take(MOST_JUDGED).map(|(_, place)| place).collect()
    }

    fn tokens(&self, line: usize) -> Vec<&'d [u8]> {
        first_tokens(self.present.text().slice(self.present.lines.range(line)), MOST_TOKENS)
    }

    /// What stands before and behind a word in its line.
    fn sides(&self, word: Offset, line: usize) -> [&'d [u8]; 2] {
        let (text, line) = (self.present.text(), self.present.lines.range(line));
        let end = Offset::of_index(token_end(text.bytes(), word.index())).min(line.end());
        [text.slice(Range::new(line.start(), word)), text.slice(Range::new(end, line.end()))]
    }

    /// How well the wide surroundings fit between two lines.
    fn wide_sides(&self, above_end: usize, below_start: usize) -> Sides {
        let digests = self.present.lines.digests();
        let [above, below] = &self.wide;
        Sides::new(
            above.aligned(digests[..above_end].iter().rev().take(WIDE_REACH)),
            below.aligned(digests[below_start..].iter().take(WIDE_REACH)),
        )
    }

    /// How well the nearest lines fit, softly: all of them, and the very next alone.
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
        let (above, next_above) = side(&self.near[0], &self.sought.before, &mut (0..line).rev());
        let below = &mut (line + 1..self.present.lines.len());
        let (below, next_below) = side(&self.near[1], &self.sought.after, below);
        (Sides::new(above, below), Sides::new(next_above, next_below))
    }

    /// How much a line is like an old one. Its tokens are read when they are first asked for.
    fn likeness(&self, old: &Neighbour<'_>, new: usize, tokens: &mut Option<Vec<&'d [u8]>>) -> f64 {
        if old.digest == self.present.lines.digest(new) {
            return 1.0;
        }
        match similarity(&old.tokens, tokens.get_or_insert_with(|| self.tokens(new))) {
            chance if chance < self.present.thresholds.chance => 0.0,
            similarity => similarity * similarity,
        }
    }

    fn evidence(&self, Occurrence { rank, word, line }: Occurrence) -> (Seen, Sighting) {
        let mut features = Features::default();
        let tokens = self.tokens(line);
        let holder = self.holders.innermost(word);
        self.look_at_line(&mut features, word, line, &tokens);
        self.look_around(&mut features, line);
        self.look_at_stream(&mut features, word);
        self.look_at_difference(&mut features, word, line);
        self.look_at_rank(&mut features, rank, line);
        self.look_at_company(&mut features, line);
        self.look_at_scope(&mut features, holder);
        let place = place(self.present.text(), word, self.sought.within);
        features.led_here = is(self.sought.led == Some(place));
        features.led_elsewhere = is(self.sought.led.is_some_and(|led| led != place));
        features.equal_once = is(self.is_once) * features.line_equal;
        features.once_elsewhere = is(self.is_once) * (1.0 - features.line_equal);
        combine(&mut features, self.present.thresholds.far);
        // Of two copies in symbols with different names, the one in the old symbol was there.
        let is_told_by_name = features.own_alone == 1.0 && self.n_own_lines == 1;
        let is_doubled = !is_told_by_name
            && self
                .nearby
                .as_ref()
                .is_some_and(|nearby| is_doubled(self.present, self.sought, nearby, &self.equal, line));
        let is_other = features.scope_like < 1.0;
        let sighting = Sighting {
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
            is_contradicted: self.sought.own.is_some_and(|own| own != place)
                || is_other && self.is_bare(&tokens),
            is_possible: sighting.is_equal && sighting.has_both_neighbours,
            is_shared: false,
        };
        (evidence, sighting)
    }

    fn look_at_line(&self, features: &mut Features, word: Offset, line: usize, tokens: &[&[u8]]) {
        let [left, right] = self.sides(word, line);
        let (left, right) = (last_tokens(left, MOST_TOKENS), first_tokens(right, MOST_TOKENS));
        let sought = self.sought;
        let share = |n_common: usize, n_old: usize| n_common as f64 / n_old.max(1) as f64;
        features.line_pairs = common_pairs(&self.pairs, &pairs(tokens));
        features.line_equal = is(sought.digest == Some(self.present.lines.digest(line)));
        features.line_like = similarity(&sought.tokens, tokens);
        features.left_like = similarity(&sought.left, &left);
        features.right_like = similarity(&sought.right, &right);
        features.left_run = share(run(left.iter().rev(), sought.left.iter().rev()), sought.left.len());
        features.right_run = share(run(right.iter(), sought.right.iter()), sought.right.len());
        features.left_token = is(left.last() == sought.left.last());
        features.right_token = is(right.first() == sought.right.first());
        let ordinal = |left: &[&[u8]]| left.iter().filter(|token| **token == sought.word).count();
        features.same_ordinal = is(ordinal(&left) == ordinal(&sought.left));
        if features.line_equal == 1.0 {
            features.line_spare = -1.0;
            return;
        }
        // How much of the line fits less when this word is the one, and how much of it fits without any.
        let word = weight(sought.word);
        let here = common(&sought.left, &left) + word + common(&sought.right, &right);
        let without = [&sought.left[..], &sought.right[..]].concat();
        features.line_slack = ((common(&sought.tokens, tokens) - here) / word).clamp(0.0, 3.0);
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

    /// The tokens before and behind the word, whatever lines they stand in: formatting breaks lines elsewhere.
    fn look_at_stream(&self, features: &mut Features, word: Offset) {
        let bytes = self.present.text().bytes();
        let before = last_tokens(&bytes[..word.index()], N_STREAM);
        let behind = first_tokens(&bytes[token_end(bytes, word.index())..], N_STREAM);
        features.before_like = similarity(&self.sought.stream[0], &before);
        features.behind_like = similarity(&self.sought.stream[1], &behind);
        features.replaced = self.replaced;
        let is_declared = self.declared.binary_search(&word).is_ok();
        features.declares = is(is_declared && self.sought.is_declared);
        features.declared_only = is(is_declared != self.sought.is_declared);
    }

    fn look_at_difference(&self, features: &mut Features, word: Offset, line: usize) {
        let Some(mapped) = self.sought.mapped else { return };
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
        if let Some(words) = self.sought.words {
            let (count, index) = (words.count as usize, words.index as usize);
            let from_start = rank == index;
            let from_end = n_words - rank == count.saturating_sub(index);
            features.word_unique = is(n_words == 1 && count == 1);
            features.word_same_rank = is(from_start && from_end);
            features.word_one_rank = is(from_start || from_end);
            features.word_same_count = is(n_words == count);
        }
        let Some(digest) = self.sought.digest else { return };
        let n_twins = self.present.count(digest);
        if features.line_equal == 0.0 {
            return;
        }
        features.equal_alone = f64::from(1 + n_twins).recip();
        if let Some(twins) = self.sought.twins {
            let before = self.equal.partition_point(|&equal| equal < line);
            features.equal_same_rank = is(before == twins.index as usize && n_twins == twins.count);
            features.equal_same_count = is(n_twins == twins.count);
        }
    }

    /// Is the line one of those that were there before?
    fn look_at_company(&self, features: &mut Features, line: usize) {
        let other = self.present.lines.other(line);
        [features.line_known, features.whole_known, features.around_known] = self.company.known(other);
        features.new_alone = self.company.alone(other);
        features.none_new = is(!self.company.has_new());
        features.others_stayed = self.company.stayed();
        features.others_listed = is(self.company.is_listed);
        if let Some((fit, better)) = self.nearby.as_ref().and_then(|nearby| nearby.fit(self.present, line)) {
            (features.stood_near, features.stood_better) = (fit, better);
        }
        let most = self.present.thresholds.gained;
        let gained = |now: usize, then: u32| (now as f64 - f64::from(then)).clamp(-most, most) / most;
        if let Some(words) = self.sought.words {
            features.words_gained = gained(self.n_words, words.count);
        }
        if let (Some(twins), Some(digest)) = (self.sought.twins, self.sought.digest) {
            features.twins_gained = gained(self.present.count(digest) as usize, twins.count);
        }
    }

    fn look_at_scope(&self, features: &mut Features, holder: Option<SymbolId>) {
        let outline = self.present.document.outline();
        let path: Vec<&str> =
            outline.zip(holder).map(|(outline, holder)| outline.path(holder)).unwrap_or_default();
        let old: Vec<&str> = self.sought.symbol.iter().map(String::as_str).collect();
        features.scope_like = likeness_of_paths(&old, &path);
        features.scope_equal = is(features.scope_like == 1.0);
        features.scope_name = is(old.last() == path.last());
        let has_own = self.sought.symbol.is_empty() || !self.own.is_empty();
        let is_other = features.scope_like < 1.0;
        features.left_scope = is(is_other && has_own);
        features.own_alone = is(matches!(self.own[..], [own] if Some(own) == holder));
        features.own_has_line = is(is_other && self.n_own_lines > 0);
        features.was_other = is(is_other && self.sought.outline.is_some_and(|old| declares(old, &path)));
    }
}

/// Two things that each say little may say much together.
fn combine(features: &mut Features, far: f64) {
    let f = features;
    f.line_like_squared = f.line_like * f.line_like;
    f.line_pairs_squared = f.line_pairs * f.line_pairs;
    f.pairs_and_wide = f.line_pairs * f.wide_higher;
    f.stream_lower = f.before_like.min(f.behind_like);
    f.stream_product = f.before_like * f.behind_like;
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

/// Where the names of symbols start that are declared, in their order.
pub(crate) fn declared(outline: Option<&Outline>) -> Vec<Offset> {
    let symbols = outline.map(Outline::symbols).unwrap_or_default();
    let mut starts: Vec<Offset> = symbols.iter().map(|symbol| symbol.name_range.start()).collect();
    starts.sort_unstable();
    starts
}

/// The symbols that the old path leads to.
pub(crate) fn own_symbols(present: &Present<'_>, sought: &Sought<'_>) -> Vec<SymbolId> {
    let Some((outline, last)) = present.document.outline().zip(sought.symbol.last()) else {
        return Vec::new();
    };
    let named = outline.iter().filter(|(_, symbol)| symbol.name == *last);
    named.map(|(id, _)| id).filter(|&id| outline.path(id) == sought.symbol).collect()
}

/// Does an outline have a symbol with this path?
pub(crate) fn declares(outline: &Outline, path: &[&str]) -> bool {
    let Some(last) = path.last() else { return false };
    outline.iter().any(|(id, symbol)| symbol.name == *last && outline.path(id) == path)
}

/// Does the line that is looked for stand once in both texts?
fn is_once(present: &Present<'_>, sought: &Sought<'_>) -> bool {
    sought.twins.is_some_and(|twins| twins.count == 1)
        && sought.digest.is_some_and(|digest| present.count(digest) == 1)
}
