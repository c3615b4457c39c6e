//! Heirs of a symbol: if a symbol was renamed and a new symbol got its old name, the renamed symbol is the heir.
//!
//! A location alone tells nothing about the lines around its place. But the find that [`describe`](crate::describe)
//! wrote was the shortest one that is unique in the old symbol. In a new symbol that has only one line in common with
//! the old one, a shorter find would mostly be enough. In the heir, `describe` would write the same find again.

use locant_text::{Offset, Range};
use locant_tree::{Outline, Symbol, SymbolId};

use super::wording::Wording;
use crate::answer::Document;
use crate::describe::finds_in_symbol;
use crate::lines::Digest;
use crate::marker::take_marker;
use crate::symbols::with_path_length;

/// How many heirs are kept, the nearest first.
const MOST_ASKED: usize = 8;

/// If two symbols share at least this part of their lines, they are twins, and neither is an heir of the other. This
/// limit is for a symbol whose name contains the old name. For other symbols it is lower.
const TWIN: f64 = 0.85;

/// The limits for other symbols: `PART` if they have nearly all lines of the symbol with the old name, else `HALF`.
const PART: f64 = 0.8;
const HALF: f64 = 0.5;

/// A symbol with at least this share of another symbol's lines has nearly all of them.
const ALL: f64 = 0.9;

/// The innermost symbol around a place, and the place.
pub(crate) type Held = (SymbolId, Offset);

/// The heirs of the symbol that a location leads to: other symbols of its kind that also have the line of the place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heirs {
    /// Whether [`describe`](crate::describe) would write the find of the location again for the place that it leads to.
    pub(crate) is_own_written: bool,
    heirs: Vec<Heir>,
}

/// A symbol that may be the old symbol under a new name.
#[derive(Clone, Copy, Debug)]
struct Heir {
    /// Whether [`describe`](crate::describe) would write the find of the location for the place in this symbol.
    is_written: bool,
    /// Whether its name contains the old name, as `save_all` contains `save`.
    is_named: bool,
    /// Whether its declaration is the same as that of the symbol with the old name, except for the name.
    is_headed: bool,
    /// Whether there is no other symbol between it and the symbol with the old name.
    is_next: bool,
    /// The share of its lines that the symbol with the old name has too.
    shared: f64,
    /// The share of the lines of the symbol with the old name that it has too.
    shares: f64,
}

impl Heirs {
    /// Looks for heirs among `others`: other places that match the find of the location. `own` is the place in the
    /// symbol with the old name.
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

    /// The number of heirs for which the find of the location would be written again.
    pub(crate) fn n_written(&self) -> usize {
        self.heirs.iter().filter(|heir| heir.is_written).count()
    }

    /// Of the heirs for which the find would be written again: the largest share of lines that one of them has in
    /// common with the symbol with the old name.
    pub(crate) fn shared(&self) -> f64 {
        self.heirs.iter().filter(|heir| heir.is_written).map(|heir| heir.shared).fold(0.0, f64::max)
    }

    /// Whether the find would be written again for a place in an heir, but not for the place in the symbol with the old
    /// name.
    pub(crate) fn is_told_elsewhere(&self) -> bool {
        !self.is_own_written && self.n_written() > 0
    }

    /// Whether one of the heirs may be the old symbol, judged by the location alone. `is_long` tells that the find has
    /// several tokens, which were needed because the old symbol had similar lines.
    pub(crate) fn is_doubtful(&self, is_long: bool) -> bool {
        // An heir counts only if the find would be written again for it. But if the find would not even be written for
        // the place in the symbol with the old name, then a person wrote it, or the lines that made it necessary are
        // gone. In that case all heirs count.
        let mut heirs = self.heirs.iter().filter(|heir| heir.is_written || !self.is_own_written);
        let is_alone = heirs.clone().count() == 1;
        self.is_told_elsewhere() || heirs.any(|heir| heir.may_be_old(is_alone, is_long))
    }
}

impl Heir {
    /// The heir that contains the place `other`. `None` if the lines of both places differ, or if their symbols are not
    /// alike: their paths may differ in only one name, and their kinds must be the same.
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

    /// Whether it may be the old symbol. Most functions that share a line are merely similar. These conditions were
    /// chosen by counting cases in real histories and in generated edits.
    fn may_be_old(&self, is_alone: bool, is_long: bool) -> bool {
        let is_beside = is_alone && self.is_next;
        self.is_headed
            && (self.is_named && self.shared < TWIN
                || is_beside && self.shares >= ALL && self.shared < PART
                || is_beside && is_long && self.shared < HALF)
    }
}

/// Whether [`describe`](crate::describe) would write the find of a location for this place.
fn is_written(document: &dyn Document, words: &Wording, place: Offset) -> bool {
    let is_same = |find: String| {
        let marked = take_marker(&find);
        let at = i32::try_from(marked.at.unwrap_or(0)).ok();
        let wanted = i32::try_from(words.word.start).ok().map(|start| start + words.within);
        marked.text == words.text && at == wanted
    };
    words.is_name || finds_in_symbol(document, place).into_iter().any(is_same)
}

/// The digests of the lines of a symbol after the line of its name, sorted.
fn body(document: &dyn Document, symbol: &Symbol) -> Vec<Digest> {
    let lines = document.lines();
    let mut body = lines.digests()[lines.body(symbol)].to_vec();
    body.sort_unstable();
    body
}

/// The share of the lines in `some` that are also in `others`, which must be sorted.
fn share(some: &[Digest], others: &[Digest]) -> f64 {
    let n_shared = some.iter().filter(|line| others.binary_search(line).is_ok()).count();
    n_shared as f64 / some.len().max(1) as f64
}

/// Whether there is no symbol of the same kind and parent between two symbols.
fn is_next(outline: &Outline, one: &Symbol, other: &Symbol) -> bool {
    let (first, last) = if one.extent.start() < other.extent.start() { (one, other) } else { (other, one) };
    let between = first.extent.end()..last.extent.start();
    let is_between = |symbol: &Symbol| {
        symbol.parent == one.parent && symbol.kind == one.kind && between.contains(&symbol.extent.start())
    };
    !outline.symbols().iter().any(is_between)
}

/// For two symbols whose paths differ in one name: the two symbols that have these names. They may be parents of the
/// given ones. The name may occur in a path twice, since a constructor has the name of its class.
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

/// The letters and digits of a name in lower case: `saveall` for `save_all` and `saveAll`.
fn letters(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether a place is in a line after the line with the symbol's name. The lines with the names of symbols are often
/// alike, so they are no evidence.
fn is_after_name(document: &dyn Document, symbol: &Symbol, place: Offset) -> bool {
    let text = document.text();
    text.line_of(place) > text.line_of(symbol.name_range.start())
}

/// The digest of the line that a place is in, with the name of its symbol left out.
fn line(document: &dyn Document, place: Offset, symbol: &Symbol) -> Option<Digest> {
    let text = document.text();
    let content: Range = text.line_content(text.line_of(place))?;
    Some(Digest::of_line_with(text.slice(content), symbol.name.as_bytes(), b""))
}
