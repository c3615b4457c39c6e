//! What is stored about a place, so that it can be found again after its file has changed.
//!
//! A location describes the text at the place; an anchor adds the text around it: the line with its neighbours as text,
//! many more lines as digests, and how often the line and the word occur in the file. That is enough to align the old
//! surroundings with a new text almost as a diff of both texts would, without storing the old text.

use locant_text::{Offset, Range, Text};
use locant_tree::{Outline, SymbolKind};

use crate::answer::Document;
use crate::check;
use crate::lines::{Digest, Lines, Other};
use crate::location::Location;
use crate::symbols;
use crate::tokens;

/// A place with its surroundings, as they were when it was stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Anchor {
    /// The location that led to the place, without its check.
    pub location: Location,
    /// A digest of the whole text. If the text is the same, no search is needed.
    pub text: u64,
    /// The place as a number of bytes from the start of that text.
    pub offset: u32,
    /// The innermost symbol around the place.
    pub symbol: Option<AnchoredSymbol>,
    /// The line, without the blanks at its ends. A long line is cut around the place.
    pub line: String,
    /// The digest of the whole line.
    pub digest: Digest,
    /// Where in `line` the word nearest to the place starts, in bytes.
    pub word: u32,
    /// The distance in bytes from the start of the word to the place; negative if the place is before the word. There
    /// may be blanks between them.
    pub within: i32,
    /// The lines above that are not blank, the nearest first.
    pub before: Vec<String>,
    /// The lines below that are not blank, the nearest first.
    pub after: Vec<String>,
    /// Digests of the lines above that are not blank, the nearest first. More of them than in `before`.
    pub above: Vec<Digest>,
    /// Digests of the lines below that are not blank, the nearest first.
    pub below: Vec<Digest>,
    /// How often the line occurs in the file, and which occurrence this is.
    pub twins: Rank,
    /// How often the word occurs in the file, and which occurrence this is.
    pub words: Rank,
    /// The other lines that contain the word: lines equal to this one first, then the nearest.
    pub others: Vec<Other>,
}

/// A symbol by its path and kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnchoredSymbol {
    /// The names that lead to it, its own last.
    pub path: Vec<String>,
    /// The kind of symbol.
    pub kind: SymbolKind,
}

/// The place of one item in a list of items of the same kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rank {
    /// How many items there are.
    pub count: u32,
    /// How many items come before this one.
    pub index: u32,
}

/// How many neighbouring lines are kept as text on each side.
pub(crate) const N_NEAR: usize = 3;

/// How many neighbouring lines are kept as digests on each side.
pub(crate) const N_WIDE: usize = 40;

/// How many other lines that contain the word are kept.
pub(crate) const N_OTHERS: usize = 48;

/// How many bytes of the line are kept on each side of the place.
pub(crate) const LINE: usize = 200;

/// How many bytes of a neighbouring line are kept.
const NEIGHBOUR: usize = 120;

/// Makes the anchor of a place that a location leads to. `None` if the offset is not a position in the text, or the
/// text is blank.
pub fn anchor(document: &dyn Document, offset: Offset, location: Location) -> Option<Anchor> {
    let text = document.text();
    if !text.is_boundary(offset) {
        return None;
    }
    let word = Range::of_indices(tokens::pivot(text.bytes(), text.start().index(), offset.index())?);
    let lines = document.lines();
    let at = lines.of_offset(word.start())?;
    let line = cut_around(text, lines.range(at), word.start());
    let words = crate::relocate::similarity::occurrences(text, text.lossy(word).as_bytes());
    let outline = document.outline();
    let plain = check::take(document, &location).map(|(plain, _)| plain);
    Some(Anchor {
        location: plain.unwrap_or(location),
        text: lines.digest_of_text(text),
        offset: offset.to_u32(),
        symbol: outline.and_then(|outline| symbol_at(outline, offset)),
        // Converted in two parts, so that a run of invalid bytes is never replaced across the start of the word. That
        // keeps `word` a valid index.
        line: text.lossy(Range::new(line.start(), word.start())).into_owned()
            + &text.lossy(Range::new(word.start(), line.end())),
        digest: lines.digest(at),
        word: length(text, Range::new(line.start(), word.start())),
        within: distance(word.start(), offset),
        before: texts(text, &lines, (0..at).rev()),
        after: texts(text, &lines, at + 1..lines.len()),
        above: digests(&lines, (0..at).rev()),
        below: digests(&lines, at + 1..lines.len()),
        others: others(&lines, at, &words),
        twins: Rank::of((0..lines.len()).filter(|&line| lines.digest(line) == lines.digest(at)), |line| {
            line < at
        }),
        words: Rank::of(words.into_iter(), |other| other < word.start()),
    })
}

impl Anchor {
    /// The names that lead to the innermost symbol around the place; empty at the top level.
    pub(crate) fn symbol_path(&self) -> Vec<&str> {
        self.symbol.iter().flat_map(|symbol| &symbol.path).map(String::as_str).collect()
    }

    /// The word nearest to the place. `None` if the parts of the anchor do not fit together.
    pub fn word_text(&self) -> Option<&str> {
        let rest = self.line.get(self.word as usize..).filter(|rest| !rest.is_empty())?;
        rest.get(..tokens::token_end(rest.as_bytes(), 0))
    }
}

impl Rank {
    fn of<Item>(items: impl Iterator<Item = Item>, is_before: impl Fn(Item) -> bool) -> Rank {
        let mut rank = Rank::default();
        for item in items {
            rank.count += 1;
            rank.index += u32::from(is_before(item));
        }
        rank
    }
}

/// The lines that contain the word, except for the line of the place.
fn others(lines: &Lines, at: usize, words: &[Offset]) -> Vec<Other> {
    let mut others: Vec<usize> = words.iter().filter_map(|&word| lines.of_offset(word)).collect();
    others.dedup();
    others.retain(|&line| line != at);
    others.sort_by_key(|&line| (lines.digest(line) != lines.digest(at), line.abs_diff(at)));
    others.into_iter().take(N_OTHERS).map(|line| lines.other(line)).collect()
}

/// The texts of the first [`N_NEAR`] of these lines, cut to the length that is kept.
fn texts(text: &Text, lines: &Lines, indices: impl Iterator<Item = usize>) -> Vec<String> {
    indices.take(N_NEAR).map(|index| cut_after(text, lines.range(index))).collect()
}

/// The digests of the first [`N_WIDE`] of these lines.
fn digests(lines: &Lines, indices: impl Iterator<Item = usize>) -> Vec<Digest> {
    indices.take(N_WIDE).map(|index| lines.digest(index)).collect()
}

fn symbol_at(outline: &Outline, offset: Offset) -> Option<AnchoredSymbol> {
    let id = symbols::innermost(outline, Range::empty(offset))?;
    let path = outline.path(id).into_iter().map(str::to_owned).collect();
    Some(AnchoredSymbol { path, kind: outline.get(id).kind })
}

/// The part of a line around a place that is kept.
fn cut_around(text: &Text, line: Range, place: Offset) -> Range {
    let from = line.start().index().max(place.index().saturating_sub(LINE));
    let to = line.end().index().min(place.index() + LINE);
    Range::of_indices(boundary(text, from)..boundary(text, to))
}

fn cut_after(text: &Text, line: Range) -> String {
    let end = boundary(text, line.end().index().min(line.start().index() + NEIGHBOUR));
    text.lossy(Range::of_indices(line.start().index()..end)).into_owned()
}

/// The first offset from `at` on that is not inside a character.
fn boundary(text: &Text, at: usize) -> usize {
    (at..text.bytes().len()).find(|&at| text.is_boundary(Offset::of_index(at))).unwrap_or(text.bytes().len())
}

/// How many bytes `to` is after `from`. If the distance does not fit, because there are more than 2 GiB of blanks
/// between them, the place counts as the start of the word.
fn distance(from: Offset, to: Offset) -> i32 {
    i32::try_from(i64::from(to.to_u32()) - i64::from(from.to_u32())).unwrap_or(0)
}

/// How many bytes a part of the text has once its invalid bytes are replaced, as they are in [`Anchor::line`].
fn length(text: &Text, range: Range) -> u32 {
    u32::try_from(text.lossy(range).len()).unwrap_or(u32::MAX)
}
