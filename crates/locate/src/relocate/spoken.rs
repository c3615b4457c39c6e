//! What speaks for a candidate when nothing but the words of a location are known.
//!
//! The words say more than they seem to: what [`describe`](crate::describe) wrote was once unique in its scope, is no
//! longer than needed for that, and names a declaration by its path alone.

use std::collections::HashSet;

use locant_text::{Offset, Range, Text};
use locant_tree::Outline;

use super::evidence::MOST_CANDIDATES;
use super::features::{features, is};
use super::judge::Evidence;
use super::place;
use super::words::{first_tokens, last_tokens, occurrences, run, similarity};
use crate::anchor::pivot;
use crate::location::{Location, Scope, Segment};
use crate::marker::take_marker;
use crate::resolve::Document;
use crate::symbols::{self, Group, Named};

features! {
    find_equal find_like left_run right_run left_like right_like left_token right_token
    left_empty right_empty n_tokens long_find word_length
    equal_alone equal_alone_in_scope like_lead
    word_alone word_count in_scope_alone
    in_scope in_scope_and_equal in_scope_and_like no_scope_now elsewhere
    scope_like scope_equal scope_name scope_like_and_like outside_both
    name_declares name_and_path name_and_last name_alone find_declares
    equal_elsewhere long_and_equal long_and_like indexed
}

/// The words of a location, cut into tokens.
pub(crate) struct Words {
    /// The find without its marker, or the name of a symbol.
    text: String,
    /// Where the word stands in it that the place hangs on.
    word: std::ops::Range<usize>,
    /// Where the place is: so many bytes behind the start of the word, or before it.
    within: i32,
    /// Is it the name of a symbol, without a find?
    is_name: bool,
    path: Vec<Segment>,
}

impl Words {
    /// The words of a location; `None` when it has only a line or a coordinate, which say nothing of what is there.
    pub(crate) fn of_location(location: &Location) -> Option<Words> {
        let path = match &location.scope {
            Some(Scope::Symbol(path)) => path.clone(),
            _ => Vec::new(),
        };
        let find = location.find.as_deref().filter(|find| !find.is_empty());
        let (text, at, is_name) = match (find.map(take_marker), path.last()) {
            (Some(marked), _) => (marked.text, marked.at.unwrap_or(0), false),
            (None, Some(last)) => (last.name.clone(), 0, true),
            (None, None) => return None,
        };
        let word = pivot(text.as_bytes(), 0, at)?;
        let within = i32::try_from(at).ok()? - i32::try_from(word.start).ok()?;
        Some(Words { text, word, within, is_name, path })
    }

    fn word(&self) -> &[u8] {
        &self.text.as_bytes()[self.word.clone()]
    }
}

/// The places of the word, each with what speaks for it.
pub(crate) fn gather(document: &dyn Document, words: &Words) -> Vec<Evidence> {
    let gatherer = Gatherer::new(document, words);
    let mut candidates: Vec<Candidate<'_>> =
        gatherer.words.iter().map(|&word| gatherer.candidate(word)).collect();
    if candidates.len() > MOST_CANDIDATES {
        candidates.sort_by(|one, other| other.promise().total_cmp(&one.promise()));
        candidates.truncate(MOST_CANDIDATES);
        candidates.sort_by_key(|candidate| candidate.word);
    }
    let all = Counts::of(&candidates);
    candidates.iter().map(|candidate| gatherer.evidence(candidate, &all)).collect()
}

struct Gatherer<'g> {
    document: &'g dyn Document,
    sought: &'g Words,
    words: Vec<Offset>,
    left: Vec<&'g [u8]>,
    right: Vec<&'g [u8]>,
    /// Where the scope is now.
    scope: Vec<Range>,
    declared: HashSet<Offset>,
}

/// A place of the word beside what was sought.
struct Candidate<'g> {
    word: Offset,
    left: Vec<&'g [u8]>,
    right: Vec<&'g [u8]>,
    left_run: f64,
    right_run: f64,
    like: f64,
    is_in_scope: bool,
}

impl Candidate<'_> {
    fn is_equal(&self) -> bool {
        self.left_run == 1.0 && self.right_run == 1.0
    }

    fn promise(&self) -> f64 {
        self.like + is(self.is_equal()) + is(self.is_in_scope)
    }
}

/// How many candidates there are of some kinds.
struct Counts {
    n_equal: usize,
    n_equal_in_scope: usize,
    n_in_scope: usize,
    most_like: f64,
    next_like: f64,
}

impl Counts {
    fn of(candidates: &[Candidate<'_>]) -> Counts {
        let count =
            |holds: &dyn Fn(&Candidate<'_>) -> bool| candidates.iter().filter(|one| holds(one)).count();
        let (mut most_like, mut next_like) = (0.0f64, 0.0f64);
        for candidate in candidates {
            next_like = next_like.max(candidate.like.min(most_like));
            most_like = most_like.max(candidate.like);
        }
        Counts {
            n_equal: count(&|one| one.is_equal()),
            n_equal_in_scope: count(&|one| one.is_in_scope && one.is_equal()),
            n_in_scope: count(&|one| one.is_in_scope),
            most_like,
            next_like,
        }
    }
}

impl<'g> Gatherer<'g> {
    fn new(document: &'g dyn Document, sought: &'g Words) -> Gatherer<'g> {
        let source = sought.text.as_bytes();
        let outline = document.outline();
        let scope = outline.map(|outline| scope_now(outline, &sought.path)).unwrap_or_default();
        let symbols = outline.map(Outline::symbols).unwrap_or_default();
        Gatherer {
            document,
            sought,
            words: occurrences(document.text(), sought.word()),
            left: last_tokens(&source[..sought.word.start], usize::MAX),
            right: first_tokens(&source[sought.word.end..], usize::MAX),
            scope,
            declared: symbols.iter().map(|symbol| symbol.name_range.start()).collect(),
        }
    }

    fn text(&self) -> &'g Text {
        self.document.text()
    }

    fn candidate(&self, word: Offset) -> Candidate<'g> {
        let bytes = self.text().bytes();
        let end = (word.index() + self.sought.word.len()).min(bytes.len());
        let left = last_tokens(&bytes[..word.index()], self.left.len());
        let right = first_tokens(&bytes[end..], self.right.len());
        let share = |n_common: usize, n_old: usize| match n_old {
            0 => 1.0,
            _ => n_common as f64 / n_old as f64,
        };
        let left_run = share(run(left.iter().rev(), self.left.iter().rev()), self.left.len());
        let right_run = share(run(right.iter(), self.right.iter()), self.right.len());
        let (n_left, n_right) = (self.left.len() as f64, self.right.len() as f64);
        let like = match n_left + n_right {
            0.0 => 1.0,
            n => (similarity(&self.left, &left) * n_left + similarity(&self.right, &right) * n_right) / n,
        };
        let is_in_scope = self.scope.iter().any(|range| range.contains(word));
        Candidate { word, left, right, left_run, right_run, like, is_in_scope }
    }

    fn evidence(&self, candidate: &Candidate<'_>, all: &Counts) -> Evidence {
        let mut features = Features::default();
        self.look_at_find(&mut features, candidate);
        self.look_at_rivals(&mut features, candidate, all);
        self.look_at_scope(&mut features, candidate);
        Evidence { place: place(self.text(), candidate.word, self.sought.within), features: features.list() }
    }

    fn look_at_find(&self, features: &mut Features, candidate: &Candidate<'_>) {
        let f = features;
        f.find_equal = is(candidate.is_equal());
        f.find_like = candidate.like;
        (f.left_run, f.right_run) = (candidate.left_run, candidate.right_run);
        f.left_like = similarity(&self.left, &candidate.left);
        f.right_like = similarity(&self.right, &candidate.right);
        f.left_token = is(candidate.left.last() == self.left.last());
        f.right_token = is(candidate.right.first() == self.right.first());
        f.left_empty = is(self.left.is_empty());
        f.right_empty = is(self.right.is_empty());
        let n_tokens = self.left.len() + self.right.len();
        f.n_tokens = (1.0 + n_tokens as f64).ln();
        f.long_find = is(n_tokens >= 4);
        f.word_length = (self.sought.word.len() as f64).min(20.0) / 20.0;
        f.long_and_equal = f.n_tokens * f.find_equal;
        f.long_and_like = f.n_tokens * f.find_like;
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
        let rival = if candidate.like == all.most_like { all.next_like } else { all.most_like };
        f.like_lead = candidate.like - rival;
        f.word_alone = is(self.words.len() == 1);
        f.word_count = (self.words.len().max(1) as f64).ln();
        if candidate.is_in_scope {
            f.in_scope_alone = one_of(all.n_in_scope);
        }
        f.elsewhere = is(!candidate.is_in_scope && all.n_in_scope > 0);
    }

    fn look_at_scope(&self, features: &mut Features, candidate: &Candidate<'_>) {
        let f = features;
        let outline = self.document.outline();
        let now: Vec<&str> = outline
            .and_then(|outline| {
                Some(outline.path(symbols::innermost(outline, Range::empty(candidate.word))?))
            })
            .unwrap_or_default();
        let old: Vec<&str> = self.sought.path.iter().map(|segment| segment.name.as_str()).collect();
        f.in_scope = is(candidate.is_in_scope);
        f.in_scope_and_equal = f.in_scope * f.find_equal;
        f.in_scope_and_like = f.in_scope * f.find_like;
        f.no_scope_now = is(!old.is_empty() && self.scope.is_empty());
        f.scope_like = likeness(&old, &now);
        f.scope_equal = is(f.scope_like == 1.0);
        f.scope_name = is(old.last() == now.last());
        f.scope_like_and_like = f.scope_like * f.find_like;
        f.outside_both = is(old.is_empty() && now.is_empty());
        f.indexed = is(self.sought.path.iter().any(|segment| segment.index.is_some()));
        let is_declared = self.declared.contains(&candidate.word);
        if self.sought.is_name {
            f.name_declares = is(is_declared);
            f.name_and_path = is(is_declared) * f.scope_equal;
            f.name_and_last = is(is_declared) * f.scope_like;
            f.name_alone = is(is_declared) * is(self.scope.len() == 1);
        } else {
            f.find_declares = is(is_declared);
        }
    }
}

/// How much of two paths is the same, from the top or from the end.
pub(crate) fn likeness(old: &[&str], now: &[&str]) -> f64 {
    let from_top = run(old.iter(), now.iter());
    let from_end = run(old.iter().rev(), now.iter().rev());
    match old.len().max(now.len()) {
        0 => 1.0,
        n_names => from_top.max(from_end) as f64 / n_names as f64,
    }
}

/// The extents of the symbols that a path means now.
fn scope_now(outline: &Outline, path: &[Segment]) -> Vec<Range> {
    if path.is_empty() {
        return Vec::new();
    }
    let groups: Vec<Group> = match symbols::named(outline, path) {
        Named::Nothing => Vec::new(),
        Named::One(group) => vec![group],
        Named::Several(groups) => groups,
    };
    let regions = groups.iter().flat_map(|group| symbols::regions(outline, group));
    let mut ranges: Vec<Range> = regions.map(|region| region.range).collect();
    ranges.sort_unstable_by_key(|range| (range.start(), range.end()));
    ranges.dedup();
    ranges
}
