//! Heirs of a symbol: other symbols that may be the old one under a new name, while a new symbol has the old name.
//!
//! A location alone tells nothing about the lines around its place. But the find that [`describe`](crate::describe)
//! wrote was the shortest that is unique in the old symbol. In a new symbol that has one line of the old one, a shorter
//! find would mostly be enough; in the old symbol under another name, the same find would be written again.

use locant_text::{Offset, Range};
use locant_tree::{Outline, Symbol, SymbolId};

use super::wording::Wording;
use crate::answer::Document;
use crate::describe::finds_in_symbol;
use crate::lines::Digest;
use crate::marker::take_marker;
use crate::symbols::with_path_length;

/// How many other symbols are compared, the nearest first.
const MOST_ASKED: usize = 8;

/// From this share of common lines on, two symbols are twins, and neither is an heir.
const TWIN: f64 = 0.85;

/// The same limit if the new symbol has no lines of its own (`PART`), and if nothing else is known (`HALF`).
const PART: f64 = 0.8;
const HALF: f64 = 0.5;

/// From this share on, all lines of a symbol count as those of another one.
const ALL: f64 = 0.9;

/// A place, and the innermost symbol around it.
pub(crate) type Held = (SymbolId, Offset);

/// The symbol that a location leads to, compared with others of its kind that also have the line of the place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heirs {
    /// Whether the place would be described by the same words again.
    pub(crate) is_own_written: bool,
    heirs: Vec<Heir>,
}

/// A symbol that may be the old one.
#[derive(Clone, Copy, Debug)]
struct Heir {
    /// Whether the place in it would be described by the words of the location.
    is_written: bool,
    /// Whether its name contains the old one, as `save_all` contains `save`.
    is_named: bool,
    /// Whether its declaration is the same as that of the symbol with the old name, except for the name.
    is_headed: bool,
    /// Whether no other symbol is between the two.
    is_next: bool,
    /// The share of its lines that are also in the symbol with the old name.
    shared: f64,
    /// The share of that symbol's lines that are also in it.
    shares: f64,
}

impl Heirs {
    /// The heirs of a place in the old symbol, among other places that have all words of a location.
    pub(crate) fn of(
        document: &dyn Document,
        words: &Wording,
        own: Held,
        others: impl Iterator<Item = Held>,
    ) -> Heirs {
        let mut others: Vec<Held> = others.collect();
        others.sort_by_key(|(_, place)| place.index().abs_diff(own.1.index()));
        let heirs = others.into_iter().filter_map(|other| Heir::of(document, words, own, other));
        Heirs { is_own_written: is_written(document, words, own.1), heirs: heirs.take(MOST_ASKED).collect() }
    }

    /// How many heirs would be described by the words of the location.
    pub(crate) fn n_written(&self) -> usize {
        self.heirs.iter().filter(|heir| heir.is_written).count()
    }

    /// The largest share of an heir's lines that are also in the symbol with the old name.
    pub(crate) fn shared(&self) -> f64 {
        self.heirs.iter().filter(|heir| heir.is_written).map(|heir| heir.shared).fold(0.0, f64::max)
    }

    /// Whether the place would now be described by other words, and a place in another symbol by the same words.
    pub(crate) fn is_told_elsewhere(&self) -> bool {
        !self.is_own_written && self.n_written() > 0
    }

    /// Whether one of them may be the old symbol, as far as a location alone can show. `is_long`: the find has several
    /// tokens, because the old symbol had similar lines.
    pub(crate) fn is_doubtful(&self, is_long: bool) -> bool {
        // Words that would not be written again were written by a person, or for lines that are gone.
        let mut heirs = self.heirs.iter().filter(|heir| heir.is_written || !self.is_own_written);
        let is_alone = heirs.clone().count() == 1;
        self.is_told_elsewhere() || heirs.any(|heir| heir.may_be_old(is_alone, is_long))
    }
}

impl Heir {
    /// The heir that holds the place `other`. `None` if that place is not the counterpart of the own place, in an equal
    /// line.
    fn of(document: &dyn Document, words: &Wording, own: Held, other: Held) -> Option<Heir> {
        locant_stop::check();
        let outline = document.outline()?;
        let (one, two) = counterparts(outline, own.0, other.0)?;
        let (one, two) = (outline.get(one), outline.get(two));
        let has_line = || line(document, own.1, one) == line(document, other.1, two);
        if one.kind != two.kind || !is_after_name(document, one, own.1) || !has_line() {
            return None;
        }
        let header = |symbol: &Symbol| line(document, symbol.name_range.start(), symbol);
        let bodies = [one, two].map(|symbol| body(document, symbol));
        Some(Heir {
            is_written: is_written(document, words, other.1),
            is_named: letters(&two.name).contains(&letters(&one.name)),
            is_headed: header(one) == header(two),
            is_next: is_next(outline, one, two),
            shared: share(&bodies[1], &bodies[0]),
            shares: share(&bodies[0], &bodies[1]),
        })
    }

    /// Whether it may be the old symbol. Most functions that share a line are just alike. These conditions were found
    /// by counting in real histories and in made-up edits.
    fn may_be_old(&self, is_alone: bool, is_long: bool) -> bool {
        let is_beside = is_alone && self.is_next;
        self.is_headed
            && (self.is_named && self.shared < TWIN
                || is_beside && self.shares >= ALL && self.shared < PART
                || is_beside && is_long && self.shared < HALF)
    }
}

/// Whether a place would be described by the words of a location, apart from the names of symbols around it.
fn is_written(document: &dyn Document, words: &Wording, place: Offset) -> bool {
    let is_same = |find: String| {
        let marked = take_marker(&find);
        let at = i32::try_from(marked.at.unwrap_or(0)).ok();
        let wanted = i32::try_from(words.word.start).ok().map(|start| start + words.within);
        marked.text == words.text && at == wanted
    };
    words.is_name || finds_in_symbol(document, place).into_iter().any(is_same)
}

/// The lines of a symbol after the line of its name, sorted.
fn body(document: &dyn Document, symbol: &Symbol) -> Vec<Digest> {
    let lines = document.lines();
    let mut body = lines.digests()[lines.body(symbol)].to_vec();
    body.sort_unstable();
    body
}

/// The share of some lines that is among others, which are sorted.
fn share(some: &[Digest], others: &[Digest]) -> f64 {
    let n_shared = some.iter().filter(|line| others.binary_search(line).is_ok()).count();
    n_shared as f64 / some.len().max(1) as f64
}

/// Whether no symbol of the same kind and parent is between two.
fn is_next(outline: &Outline, one: &Symbol, other: &Symbol) -> bool {
    let (first, last) = if one.extent.start() < other.extent.start() { (one, other) } else { (other, one) };
    let between = first.extent.end()..last.extent.start();
    let is_between = |symbol: &Symbol| {
        symbol.parent == one.parent && symbol.kind == one.kind && between.contains(&symbol.extent.start())
    };
    !outline.symbols().iter().any(is_between)
}

/// For two symbols whose paths differ in one name: the symbols with these names. The name may occur in a path twice: a
/// constructor has the name of its class.
pub(crate) fn counterparts(
    outline: &Outline,
    own: SymbolId,
    other: SymbolId,
) -> Option<(SymbolId, SymbolId)> {
    let (own_path, other_path) = (outline.path(own), outline.path(other));
    let mut names = own_path.iter().zip(&other_path);
    let at = names.clone().position(|(own, other)| own != other)?;
    let renamed = (&own_path[at], &other_path[at]);
    let is_one = own_path.len() == other_path.len() && names.all(|pair| pair.0 == pair.1 || pair == renamed);
    let around = [own, other].map(|id| with_path_length(outline, id, at + 1));
    around[0].zip(around[1]).filter(|_| is_one)
}

/// The letters and digits of a name in lower case, without the signs between its words.
fn letters(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether a place is in a line after that of the name. Header lines are often alike.
fn is_after_name(document: &dyn Document, symbol: &Symbol, place: Offset) -> bool {
    let text = document.text();
    text.line_of(place) > text.line_of(symbol.name_range.start())
}

/// The digest of the line of a place in a symbol, without the name of the symbol.
fn line(document: &dyn Document, place: Offset, symbol: &Symbol) -> Option<Digest> {
    let text = document.text();
    let content: Range = text.line_content(text.line_of(place))?;
    Some(Digest::of_line_with(text.slice(content), symbol.name.as_bytes(), b""))
}
