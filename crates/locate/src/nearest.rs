//! Near misses: the symbols and lines that may have been meant.

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

/// How many near misses are named.
const MOST: usize = 5;

/// How many near lines are named.
const MOST_LINES: usize = 3;

/// How alike two names must be, from 0 to 1.
const LIKE_ENOUGH: f64 = 0.8;

/// Two words are alike above this, from 0 to 1.
const LIKE_WORDS: f64 = 0.6;

/// How like a find a line must be, from 0 to 1; and the share of the find with which a line is near however long it is.
const NEAR: f64 = 0.5;
const NEARLY_ALL: f64 = 0.75;

/// Looking for near lines reads every word. In texts larger than this it would make people wait.
const LARGEST_TEXT: Extent = Extent::new(4 << 20);

/// Symbols whose names are like the last one of a path.
#[derive(Default)]
pub(crate) struct Near {
    /// The best first.
    pub(crate) symbols: Vec<SymbolId>,
    /// Whether the first has the very name, but for capital and small letters.
    pub(crate) has_name: bool,
}

/// The symbols whose names are most like the last one of a path.
pub(crate) fn symbols(outline: &Outline, path: &[Segment]) -> Near {
    let Some(last) = path.last() else { return Near::default() };
    let wanted: Vec<&str> = path.iter().map(|segment| segment.name.as_str()).collect();
    // What looks like a path may be a part of one name: `[1.2.0]` of `[1.2.0] - 2024-01-01`.
    let whole = wanted.join(".");
    // Words in front may be keywords: `class User`.
    let said: Vec<&str> = last.name.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let likeness = |name: &str| {
        let is_said = said.len() > 1 && said.contains(&name) || wanted.len() > 1 && name.contains(&whole);
        if is_said { 1.0 } else { name_likeness(&last.name, name) }
    };
    let scored = outline.iter().map(|(id, symbol)| (likeness(&symbol.name), id));
    let mut scored: Vec<_> = scored.filter(|(likeness, _)| *likeness >= LIKE_ENOUGH).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    scored.truncate(10 * MOST);
    // Of equally like names, the one below the right parents comes first.
    let shared = |id| outline.path(id).iter().filter(|name| wanted.contains(name)).count();
    scored.sort_by_cached_key(|&(likeness, id)| (!likeness.to_bits(), Reverse(shared(id)), id));
    Near {
        has_name: scored.first().is_some_and(|(likeness, _)| *likeness >= 1.0),
        symbols: scored.into_iter().take(MOST).map(|(_, id)| id).collect(),
    }
}

/// How alike two names are to a person: case counts little, and a part of the other is close.
fn name_likeness(one: &str, other: &str) -> f64 {
    let (one, other) = (one.to_lowercase(), other.to_lowercase());
    if one == other {
        return 1.0;
    }
    let is_part = one.len() >= 3 && other.len() >= 3 && (one.contains(&other) || other.contains(&one));
    // Of a short name one slip is a large part.
    let is_slip = one.len().min(other.len()) >= 2
        && one.len().abs_diff(other.len()) <= 1
        && strsim::damerau_levenshtein(&one, &other) == 1;
    let likeness = strsim::jaro_winkler(&one, &other);
    if is_part || is_slip { likeness.max(LIKE_ENOUGH) } else { likeness }
}

/// The lines that share most with a find, in `scope` if any do there, else in the whole text; best first.
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

/// Where the find stands but for one slip, in the scope if it does there.
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

/// How like a find the words of a text are.
struct Resemblance<'t> {
    /// The words of the find as they come, and each of them once.
    in_order: Vec<String>,
    words: Vec<String>,
    /// The letters of each of them.
    letters: Vec<Letters>,
    weight: f64,
    /// What is known of the words seen so far: how like one of the find's words, and which.
    known: HashMap<&'t [u8], Option<(f64, usize)>>,
    /// For each word of the find, how much of it the current line has; kept so that it is not allocated anew.
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

    /// What line and find share, divided by the find and half of what else the line has.
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
        // A find is often a part of its line, so the rest of the line counts half, or nothing if it has nearly all.
        let whole = self.weight + (line_weight - shared).max(0.0) / 2.0;
        let likeness = if whole > 0.0 { shared / whole } else { 0.0 };
        if shared >= NEARLY_ALL * self.weight && shared > 0.0 { likeness.max(NEAR) } else { likeness }
    }

    /// Where the line has the first word of the find, or one like it: the place that was meant starts there.
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
        // The letters of a word alone show for most words that they are unlike the find.
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

/// Which letters, digits and underscores a word has, by the last bits of each.
#[derive(Clone, Copy)]
struct Letters {
    bits: u32,
    /// Whether it has others. Their small and capital forms may have other bytes, so that nothing can be told by these.
    has_others: bool,
}

impl Letters {
    fn of(word: &[u8]) -> Letters {
        // `a` is 0x61 and `A` 0x41: five bits leave out the case. `1` is 0x31 and takes the bit of `q`, which only
        // makes words seem more alike than they are.
        let bits = word.iter().fold(0, |bits, byte| bits | 1 << (byte & 0x1f));
        Letters { bits, has_others: !word.is_ascii() }
    }

    /// Whether a word can be like enough to a longer one of this many bytes. Each letter that one alone has is a slip.
    fn may_be_like(self, other: Letters, longest: usize) -> bool {
        let n_slips = (self.bits & !other.bits).count_ones().max((other.bits & !self.bits).count_ones());
        self.has_others || other.has_others || 1.0 - f64::from(n_slips) / longest as f64 > LIKE_WORDS
    }
}

fn word_likeness(wanted: &str, word: &str) -> f64 {
    match wanted.len().abs_diff(word.len()) {
        // Too different in length to be a misspelling.
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
