//! Near misses: symbols and lines that are similar to what was not found.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops;

use locant_text::{Extent, Offset, Range, Text};
use locant_tree::{Outline, SymbolId};

use crate::answer::Candidate;
use crate::find::Pattern;
use crate::hint::Reason;
use crate::location::Segment;
use crate::slips;
use crate::tokens::{self, Class};

/// How many near symbols are listed.
const MOST: usize = 5;

/// How many near lines are listed.
const MOST_LINES: usize = 3;

/// A symbol is listed if its name has at least this likeness to the name in the path, from 0 to 1.
const LIKE_ENOUGH: f64 = 0.8;

/// Two words count as alike above this likeness, from 0 to 1.
const LIKE_WORDS: f64 = 0.6;

/// A line is listed if it has at least this likeness to the find, from 0 to 1.
const NEAR: f64 = 0.5;

/// A line is also listed if it has at least this share of the find, no matter how long the line is.
const NEARLY_ALL: f64 = 0.75;

/// The largest text in which near lines are searched for. The search reads every word, and in a larger text it would
/// take too long.
const LARGEST_TEXT: Extent = Extent::new(4 << 20);

/// The symbols whose names are most like the last name of a path.
#[derive(Default)]
pub(crate) struct Near {
    /// The symbols, the most similar first.
    pub(crate) symbols: Vec<SymbolId>,
    /// Whether the first symbol has exactly the last name of the path, ignoring case.
    pub(crate) has_name: bool,
}

/// Finds the symbols whose names are most like the last name of a path.
pub(crate) fn symbols(outline: &Outline, path: &[Segment]) -> Near {
    let Some(last) = path.last() else { return Near::default() };
    let wanted: Vec<&str> = path.iter().map(|segment| segment.name.as_str()).collect();
    // A text with dots may be a part of one name instead of a path: `[1.2.0]` of the heading `[1.2.0] - 2024-01-01`.
    let whole = wanted.join(".");
    // The last segment may contain keywords besides the name: `class User`.
    let said: Vec<&str> = last.name.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let likeness = |name: &str| {
        let is_said = said.len() > 1 && said.contains(&name) || wanted.len() > 1 && name.contains(&whole);
        if is_said { 1.0 } else { name_likeness(&last.name, name) }
    };
    let scored = outline.iter().map(|(id, symbol)| (likeness(&symbol.name), id));
    let mut scored: Vec<_> = scored.filter(|(likeness, _)| *likeness >= LIKE_ENOUGH).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    scored.truncate(10 * MOST);
    // Among equally similar names, symbols whose own paths share more names with the wanted path come first.
    let shared = |id| outline.path(id).iter().filter(|name| wanted.contains(name)).count();
    scored.sort_by_cached_key(|&(likeness, id)| (!likeness.to_bits(), Reverse(shared(id)), id));
    Near {
        has_name: scored.first().is_some_and(|(likeness, _)| *likeness >= 1.0),
        symbols: scored.into_iter().take(MOST).map(|(_, id)| id).collect(),
    }
}

/// How alike two names look to a person, from 0 to 1. Case is ignored. If one name is a part of the other, they are
/// always alike enough to be listed.
fn name_likeness(one: &str, other: &str) -> f64 {
    let (one, other) = (one.to_lowercase(), other.to_lowercase());
    if one == other {
        return 1.0;
    }
    let is_part = one.len() >= 3 && other.len() >= 3 && (one.contains(&other) || other.contains(&one));
    // In a short name, one slip changes a large part of the name. So names that differ by one slip are always listed.
    let is_slip = one.len().min(other.len()) >= 2
        && one.len().abs_diff(other.len()) <= 1
        && strsim::damerau_levenshtein(&one, &other) == 1;
    let likeness = strsim::jaro_winkler(&one, &other);
    if is_part || is_slip { likeness.max(LIKE_ENOUGH) } else { likeness }
}

/// The lines that share most with a find, the best first. They are searched for in `scope`, and in the whole text if
/// the scope has none.
pub(crate) fn lines(text: &Text, scope: Range, find: &str) -> Vec<Candidate> {
    if text.range().extent() > LARGEST_TEXT {
        return Vec::new();
    }
    let mut likeness = Resemblance::of(find);
    let is_file = scope == text.range();
    let slips = slips_in(text, scope, find);
    if !slips.is_empty() {
        return slips;
    }
    let reason = if is_file { Reason::NearestLine } else { Reason::NearestLineInScope };
    let near = nearest_in(text, scope, &mut likeness, &reason);
    if near.is_empty() && !is_file {
        nearest_in(text, text.range(), &mut likeness, &Reason::NearestLineOutsideScope)
    } else {
        near
    }
}

/// Where the find occurs with one slip. It is searched for in the scope, and in the whole text if the scope has no such
/// place.
fn slips_in(text: &Text, scope: Range, find: &str) -> Vec<Candidate> {
    let mut places = slips::places(text, scope, find);
    if places.is_empty() && scope != text.range() {
        places = slips::places(text, text.range(), find);
    }
    let places = places.into_iter().take(MOST_LINES);
    places.map(|offset| Candidate { offset, reason: Reason::OneSlip }).collect()
}

fn nearest_in<'t>(
    text: &'t Text,
    scope: Range,
    likeness: &mut Resemblance<'t>,
    reason: &Reason,
) -> Vec<Candidate> {
    let (first, last) = (text.line_of(scope.start()), text.line_of(scope.end()));
    let mut scored: Vec<(f64, Offset)> = Vec::new();
    for line in (first..=last).filter_map(|line| text.line_content(line)) {
        locant_stop::check();
        let score = likeness.of_line(text.slice(line));
        if score >= NEAR {
            scored.push((score, line.start()));
        }
    }
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    scored.truncate(MOST_LINES);
    let mut at_shared = |line: Offset| {
        let content = text.line_content(text.line_of(line)).unwrap_or(Range::empty(line));
        line + Extent::of_len(likeness.first_shared(text.slice(content)))
    };
    let best = scored.into_iter().map(|(_, line)| at_shared(line));
    best.map(|offset| Candidate { offset, reason: reason.clone() }).collect()
}

/// Compares the words of lines with the words of a find.
struct Resemblance<'t> {
    /// The words of the find in their order.
    in_order: Vec<String>,
    /// The words of the find, sorted, each of them once.
    words: Vec<String>,
    /// The letters of each of the `words`.
    letters: Vec<Letters>,
    /// The length of all `words` together.
    weight: f64,
    /// The words of lines seen so far. Each has its likeness to the nearest of the `words`, and the index of that word.
    known: HashMap<&'t [u8], Option<(f64, usize)>>,
    /// For each of the `words`, how much of it the current line has. It is a field only to avoid allocations.
    shares: Vec<f64>,
}

impl<'t> Resemblance<'t> {
    fn of(find: &str) -> Resemblance<'t> {
        let pattern = Pattern::new(find);
        let in_order: Vec<String> = words(pattern.text().as_bytes()).map(lowercase).collect();
        let mut words = in_order.clone();
        words.sort_unstable();
        words.dedup();
        let weight = words.iter().map(|word| word.len() as f64).sum();
        let letters = words.iter().map(|word| Letters::of(word.as_bytes())).collect();
        Resemblance { in_order, words, letters, weight, known: HashMap::new(), shares: Vec::new() }
    }

    /// How similar a line is to the find: the length of the words that both share, divided by the length of the find
    /// plus half of the rest of the line.
    fn of_line(&mut self, line: &'t [u8]) -> f64 {
        let mut shares = std::mem::take(&mut self.shares);
        shares.clear();
        shares.resize(self.words.len(), 0.0);
        let mut line_weight = 0.0;
        for word in words(line) {
            line_weight += word.len() as f64;
            if let Some((likeness, nearest)) = self.of_word(word) {
                shares[nearest] = shares[nearest].max(likeness * self.words[nearest].len() as f64);
            }
        }
        let shared: f64 = shares.iter().sum();
        self.shares = shares;
        // A find is often a part of its line, so the rest of the line counts only half. If the line has nearly all of
        // the find, it is near no matter how long its rest is.
        let whole = self.weight + (line_weight - shared).max(0.0) / 2.0;
        let likeness = if whole > 0.0 { shared / whole } else { 0.0 };
        if shared >= NEARLY_ALL * self.weight && shared > 0.0 { likeness.max(NEAR) } else { likeness }
    }

    /// Where the place that was meant starts in the line: at the earliest word of the find that the line has, or at a
    /// word like it.
    fn first_shared(&mut self, line: &'t [u8]) -> usize {
        let order = |likeness: &Resemblance<'_>, word: usize| {
            likeness.in_order.iter().position(|wanted| *wanted == likeness.words[word])
        };
        let like = word_ranges(line).filter_map(|at| {
            let (_, word) = self.of_word(&line[at.clone()])?;
            Some((order(self, word)?, at.start))
        });
        like.min().map_or_else(|| tokens::blanks_after(line, 0), |(_, at)| at)
    }

    fn of_word(&mut self, word: &'t [u8]) -> Option<(f64, usize)> {
        // For most words, the set of their letters alone shows that they are not similar to a word of the find.
        let letters = Letters::of(word);
        let mut wanted = self.words.iter().zip(&self.letters);
        if !wanted.any(|(wanted, own)| own.may_be_like(letters, wanted.len().max(word.len()))) {
            return None;
        }
        if let Some(&known) = self.known.get(word) {
            return known;
        }
        let lower = lowercase(word);
        let scored = self.words.iter().enumerate().map(|(at, wanted)| (word_likeness(wanted, &lower), at));
        let best = scored.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|(likeness, _)| *likeness > LIKE_WORDS);
        self.known.insert(word, best);
        best
    }
}

/// The set of letters, digits and underscores in a word. Each is represented by the last five bits of its byte.
#[derive(Clone, Copy)]
struct Letters {
    bits: u32,
    /// Whether the word has characters that are not ASCII. Their bytes may differ between small and capital letters, so
    /// the bits cannot be compared.
    has_others: bool,
}

impl Letters {
    fn of(word: &[u8]) -> Letters {
        // `a` is 0x61 and `A` is 0x41: the last five bits do not depend on the case. `1` is 0x31 and has the same bits
        // as `q`. That is harmless, since it only makes some words look more alike than they are.
        let bits = word.iter().fold(0, |bits, byte| bits | 1 << (byte & 0x1f));
        Letters { bits, has_others: !word.is_ascii() }
    }

    /// Whether two words can be alike, if the longer one has `longest` bytes. Each letter that only one of them has
    /// needs at least one slip.
    fn may_be_like(self, other: Letters, longest: usize) -> bool {
        let n_slips = (self.bits & !other.bits).count_ones().max((other.bits & !self.bits).count_ones());
        self.has_others || other.has_others || 1.0 - f64::from(n_slips) / longest as f64 > LIKE_WORDS
    }
}

fn word_likeness(wanted: &str, word: &str) -> f64 {
    match wanted.len().abs_diff(word.len()) {
        // The lengths differ too much for a misspelling.
        4.. => 0.0,
        _ => strsim::normalized_damerau_levenshtein(wanted, word),
    }
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    word_ranges(line).map(|at| &line[at])
}

fn word_ranges(line: &[u8]) -> impl Iterator<Item = ops::Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let (class, len) = tokens::class_at(line, at)?;
            let start = at;
            at += len;
            if class == Class::Word {
                at = tokens::word_end(line, at);
                return Some(start..at);
            }
        }
    })
}

fn lowercase(word: &[u8]) -> String {
    String::from_utf8_lossy(word).to_lowercase()
}
