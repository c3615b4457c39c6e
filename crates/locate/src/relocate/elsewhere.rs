//! Finds places that were moved to another file, by the symbols that contained them.
//!
//! The caller knows which files there are. It asks about each of them and compares the results.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::ops::Range as Indices;

use locant_text::{Offset, Range};
use locant_tree::{Outline, SymbolId, SymbolKind};

use super::new_text::{declares, place};
use super::similarity::start_of_token;
use crate::anchor::{Anchor, N_WIDE};
use crate::answer::Document;
use crate::lines::{Digest, Lines};
use crate::location::Scope;
use crate::symbols;
use crate::tokens;

/// A symbol that contained a place, and that the file of the place no longer has.
#[derive(Clone, Debug)]
pub struct Stray {
    /// The names that lead to the symbol, its own name last.
    pub path: Vec<String>,
    /// Where it was in the old text, if that is known.
    pub extent: Option<Range>,
    kind: Option<SymbolKind>,
    known: Known,
}

/// The lines of a stray that are known.
#[derive(Clone, Debug)]
enum Known {
    /// The hashes of all its lines that are long enough. Invariant: sorted.
    Whole(Vec<u64>),
    /// The lines around a place in it, from an anchor. Some of them may belong to other symbols.
    Around(Box<Anchor>),
}

/// A symbol of another text that may be a stray.
#[derive(Clone, Debug, PartialEq)]
pub struct Heir {
    /// The symbol.
    pub symbol: SymbolId,
    /// Whether it has the name of the stray.
    pub has_name: bool,
    /// The share of the known lines of the stray that this symbol has.
    pub kept: f64,
    /// The share of the lines of this symbol that are known lines of the stray.
    pub own: f64,
    /// How many lines both have.
    pub n_same: usize,
    /// Where the place is in this symbol, if its line is there and no other line is as likely.
    pub place: Option<Offset>,
}

/// How many bytes a line must have to be compared. Shorter lines, such as `return` and `}`, are everywhere.
const LEAST_BYTES: usize = 8;

/// The symbols that contained a place of an old text and that its file no longer has, the outermost first. `now` is the
/// file as it is today, if it still exists.
pub fn strays_of_text(old: &dyn Document, now: Option<&dyn Document>, anchor: &Anchor) -> Vec<Stray> {
    let Some(outline) = old.outline() else { return Vec::new() };
    let at = Range::empty(Offset::of_index(anchor.offset as usize));
    let mut ids: Vec<SymbolId> = Vec::new();
    let mut next = symbols::innermost(outline, at);
    while let Some(id) = next {
        ids.push(id);
        next = outline.get(id).parent;
    }
    let lines = old.lines();
    let stray = |id: &SymbolId| {
        let symbol = outline.get(*id);
        let mut hashes: Vec<u64> =
            said(&lines, lines.within(symbol.extent)).map(|line| lines.hashes()[line]).collect();
        hashes.sort_unstable();
        Stray {
            path: outline.path(*id).into_iter().map(str::to_owned).collect(),
            extent: Some(symbol.extent),
            kind: Some(symbol.kind),
            known: Known::Whole(hashes),
        }
    };
    // A parent does not contain the place if its member is declared outside of it, as with methods in Go.
    let holds = |id: &&SymbolId| outline.get(**id).extent.touches(at.start());
    ids.iter().rev().filter(holds).map(stray).filter(|stray| stray.has_left(now)).collect()
}

/// The symbols that contained an anchored place and that its file no longer has, the outermost first. Unlike
/// [`strays_of_text`], this needs no old text.
pub fn strays(now: Option<&dyn Document>, anchor: &Anchor) -> Vec<Stray> {
    let Some(symbol) = &anchor.symbol else { return Vec::new() };
    let stray = |n_names: usize| Stray {
        path: symbol.path[..n_names].to_vec(),
        extent: None,
        kind: (n_names == symbol.path.len()).then_some(symbol.kind),
        known: Known::Around(Box::new(anchor.clone())),
    };
    (1..=symbol.path.len()).map(stray).filter(|stray| stray.has_left(now)).collect()
}

/// The share of the lines of `old` that `new` has, and the share of the lines of `new` that `old` has. Short lines do
/// not count.
pub fn shared_lines(old: &dyn Document, new: &dyn Document) -> (f64, f64) {
    let hashes = |document: &dyn Document| -> Vec<u64> {
        let lines = document.lines();
        said(&lines, 0..lines.len()).map(|line| lines.hashes()[line]).collect()
    };
    let (old, new) = (hashes(old), hashes(new));
    let n_same = n_shared(old.iter().copied(), new.iter().copied());
    (share(n_same, old.len()), share(n_same, new.len()))
}

/// Whether the anchor was made from exactly this text.
pub fn is_text_of(anchor: &Anchor, document: &dyn Document) -> bool {
    document.lines().digest_of_text(document.text()) == anchor.text
}

/// An anchor keeps lines around its place. This is the share of these lines that a text still has.
pub fn shared_around(anchor: &Anchor, new: &dyn Document) -> f64 {
    let around: Vec<Digest> =
        anchor.above.iter().chain(&anchor.below).copied().chain([anchor.digest]).collect();
    let n_same = n_shared(new.lines().digests().iter().copied(), around.iter().copied());
    share(n_same, around.len())
}

/// How much of an old text another file has. It counts the old lines that are still in the file `now`, and returns the
/// share of these that `other` has too. The share is high if `other` is a copy of the old file. `None` if too few lines
/// are still there.
///
/// The old lines are those of `old` or, without it, those that the anchor keeps.
pub fn shared_stayed(
    old: Option<&dyn Document>,
    now: &dyn Document,
    anchor: &Anchor,
    other: &dyn Document,
) -> Option<f64> {
    let then: Vec<Digest> = match old {
        Some(old) => {
            let lines = old.lines();
            said(&lines, 0..lines.len()).map(|line| lines.digest(line)).collect()
        }
        None => anchor.above.iter().chain(&anchor.below).copied().collect(),
    };
    let in_text = |document: &dyn Document| -> HashSet<Digest> {
        let lines = document.lines();
        said(&lines, 0..lines.len()).map(|line| lines.digest(line)).collect()
    };
    let (now, other) = (in_text(now), in_text(other));
    let least = LEAST_STAYED.max(then.len() / 4);
    let stayed: Vec<Digest> = then.into_iter().filter(|line| now.contains(line)).collect();
    let n_shared = stayed.iter().filter(|line| other.contains(line)).count();
    (stayed.len() >= least).then(|| share(n_shared, stayed.len()))
}

/// How many of the old lines must still be in the file to recognise a copy. At least a quarter of them must be there
/// too, since some lines occur in any text.
const LEAST_STAYED: usize = 4;

/// The lines of a part of a text that are long enough to be compared.
fn said(lines: &Lines, part: Indices<usize>) -> impl Iterator<Item = usize> {
    part.filter(|&line| lines.range(line).extent().len() >= LEAST_BYTES)
}

/// How many items two collections share. An item that occurs several times counts as often as it occurs in both.
fn n_shared<T: Copy + Eq + Hash>(one: impl Iterator<Item = T>, other: impl Iterator<Item = T>) -> usize {
    let mut left: HashMap<T, usize> = HashMap::new();
    for item in one {
        *left.entry(item).or_default() += 1;
    }
    let mut take = |item: T| match left.get_mut(&item) {
        Some(n) if *n > 0 => {
            *n -= 1;
            true
        }
        _ => false,
    };
    other.filter(|item| take(*item)).count()
}

impl Stray {
    /// Its own name.
    pub fn name(&self) -> &str {
        self.path.last().map_or("", String::as_str)
    }

    fn has_left(&self, now: Option<&dyn Document>) -> bool {
        let path: Vec<&str> = self.path.iter().map(String::as_str).collect();
        now.and_then(Document::outline).is_none_or(|outline| !declares(outline, &path))
    }

    /// The symbols of a text that may be this stray. These are the symbols with its name. If all lines of the stray are
    /// known, symbols with another name that have most of these lines are included.
    pub fn heirs(&self, document: &dyn Document) -> Vec<Heir> {
        let Some(outline) = document.outline() else { return Vec::new() };
        let lines = document.lines();
        let ids =
            outline.iter().filter(|(_, symbol)| self.kind.is_none_or(|kind| are_alike(kind, symbol.kind)));
        let heirs = ids.filter_map(|(id, symbol)| match &self.known {
            Known::Whole(old) => {
                let has_name = symbol.name == self.name();
                let own: Vec<u64> =
                    said(&lines, lines.within(symbol.extent)).map(|line| lines.hashes()[line]).collect();
                // A symbol with another name must have a similar size.
                let may_be = has_name || own.len() >= LEAST_LINES && own.len() <= 2 * old.len();
                may_be.then(|| heir_of_lines(id, has_name, old, &own))
            }
            Known::Around(anchor) if symbol.name == self.name() => {
                Some(heir_of_anchor(document, outline, &lines, id, anchor, self))
            }
            Known::Around(_) => None,
        });
        heirs.filter(|heir| heir.has_name || heir.kept >= 0.5 && heir.own >= 0.5).collect()
    }
}

/// How many lines a symbol must have to be recognised by its lines alone, under another name.
const LEAST_LINES: usize = 3;

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

fn heir_of_lines(symbol: SymbolId, has_name: bool, old: &[u64], own: &[u64]) -> Heir {
    let n_same = n_shared(old.iter().copied(), own.iter().copied());
    Heir {
        symbol,
        has_name,
        kept: share(n_same, old.len()),
        own: share(n_same, own.len()),
        n_same,
        place: None,
    }
}

fn heir_of_anchor(
    document: &dyn Document,
    outline: &Outline,
    lines: &Lines,
    id: SymbolId,
    anchor: &Anchor,
    stray: &Stray,
) -> Heir {
    let symbol = outline.get(id);
    let part = lines.within(symbol.extent);
    let is_name = matches!((&anchor.location.scope, &anchor.location.find), (Some(Scope::Symbol(_)), None))
        && stray.kind.is_some();
    let line = if is_name {
        lines.of_offset(symbol.name_range.start())
    } else {
        nearest_line(lines, part.clone(), anchor)
    };
    let at = line.unwrap_or(part.start);
    let (above, below) = (at - part.start, part.end.saturating_sub(at + 1));
    let old = anchor.above.iter().take(above).chain(anchor.below.iter().take(below));
    let old: Vec<Digest> = old.copied().chain([anchor.digest]).collect();
    let near = part.start.max(at.saturating_sub(N_WIDE))..part.end.min(at + N_WIDE + 1);
    let own: Vec<Digest> = near.clone().map(|line| lines.digest(line)).collect();
    let known = anchor.above.iter().chain(&anchor.below).copied().chain([anchor.digest]);
    let n_kept = n_shared(own.iter().copied(), old.iter().copied());
    let known: Vec<Digest> = known.collect();
    let n_own = n_shared(known.iter().copied(), own.iter().copied());
    let n_same = said(lines, near).filter(|&line| known.contains(&lines.digest(line))).count();
    let place = match line {
        Some(_) if is_name => Some(place(document.text(), symbol.name_range.start(), anchor.within)),
        Some(line) => place_in_line(document, lines.range(line), anchor),
        None => None,
    };
    Heir {
        symbol: id,
        has_name: true,
        kept: share(n_kept, old.len()),
        own: share(n_own, own.len()),
        n_same,
        place,
    }
}

/// The line among `part` that is equal to the line of an anchor. Of several, the one that shares the most neighbours
/// with the anchor; `None` if two share equally many.
fn nearest_line(lines: &Lines, part: Indices<usize>, anchor: &Anchor) -> Option<usize> {
    let digests = &lines.digests()[part.clone()];
    let score = |at: usize| {
        let above = digests[..at].iter().rev().zip(&anchor.above).take(8).filter(|(a, b)| a == b).count();
        let below = digests[at + 1..].iter().zip(&anchor.below).take(8).filter(|(a, b)| a == b).count();
        above + below
    };
    let same = (0..digests.len()).filter(|&at| digests[at] == anchor.digest);
    let mut scored: Vec<(usize, usize)> = same.map(|at| (score(at), at)).collect();
    scored.sort_unstable_by(|one, other| other.cmp(one));
    match scored.as_slice() {
        [(_, at)] => Some(part.start + at),
        [(best, at), (next, _), ..] if best > next => Some(part.start + at),
        _ => None,
    }
}

/// The place of an anchor in a line that has the same tokens. `None` if the anchor keeps only a part of its line.
fn place_in_line(document: &dyn Document, line: Range, anchor: &Anchor) -> Option<Offset> {
    let text = document.text();
    let word = anchor.word as usize;
    let is_whole = Digest::of_line(anchor.line.as_bytes()) == anchor.digest;
    if !is_whole || anchor.line.len() < word {
        return None;
    }
    let n_before = tokens::all_in(anchor.line.as_bytes(), 0..word).count();
    let token = line.start().index() + start_of_token(text.slice(line), n_before);
    Some(place(text, Offset::of_index(token), anchor.within))
}

/// Whether a symbol of one kind may become one of the other kind when it is moved. A method that is moved out of its
/// class becomes a function, and a struct may become a class.
fn are_alike(one: SymbolKind, other: SymbolKind) -> bool {
    let is_type = |kind| {
        use SymbolKind::{Class, Enum, Interface, Struct, Type};
        matches!(kind, Class | Enum | Interface | Struct | Type)
    };
    one == other
        || one.is_callable() && other.is_callable()
        || is_type(one) && is_type(other)
        || one.is_value() && other.is_value()
}
