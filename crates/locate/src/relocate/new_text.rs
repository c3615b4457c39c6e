//! The text in which the place is searched for, and questions about it that many modules ask.

use std::sync::Arc;

use locant_text::{Offset, Text};
use locant_tree::{Outline, SymbolId};

use super::similarity::{MOST_TOKENS, first_tokens};
use super::target::Target;
use super::thresholds::Thresholds;
use crate::answer::Document;
use crate::lines::{Digest, Lines};
use crate::tokens;

/// The new text.
pub(crate) struct NewText<'d> {
    document: &'d dyn Document,
    pub(crate) lines: Arc<Lines>,
    pub(crate) thresholds: Thresholds,
}

impl<'d> NewText<'d> {
    pub(crate) fn new(document: &'d dyn Document, thresholds: Thresholds) -> NewText<'d> {
        NewText { document, lines: document.lines(), thresholds }
    }

    pub(crate) fn document(&self) -> &'d dyn Document {
        self.document
    }

    pub(crate) fn text(&self) -> &'d Text {
        self.document.text()
    }

    /// The first [`MOST_TOKENS`] tokens of a line. No more are compared.
    pub(crate) fn tokens(&self, line: usize) -> Vec<&'d [u8]> {
        first_tokens(self.text().slice(self.lines.range(line)), MOST_TOKENS)
    }

    /// How much a line tells about a position, from 0 to 1. A line that occurs often tells little.
    pub(crate) fn weight(&self, digest: Digest) -> f64 {
        f64::from(self.count(digest).max(1)).sqrt().recip()
    }

    pub(crate) fn count(&self, digest: Digest) -> u32 {
        self.lines.count(digest)
    }
}

/// Where the names of declared symbols start, sorted.
pub(crate) fn declared(outline: Option<&Outline>) -> Vec<Offset> {
    let symbols = outline.map(Outline::symbols).unwrap_or_default();
    let mut starts: Vec<Offset> = symbols.iter().map(|symbol| symbol.name_range.start()).collect();
    starts.sort_unstable();
    starts
}

/// The symbols of the new text that have the old path.
pub(crate) fn own_symbols(new_text: &NewText<'_>, target: &Target<'_>) -> Vec<SymbolId> {
    let Some((outline, last)) = new_text.document().outline().zip(target.symbol.last()) else {
        return Vec::new();
    };
    let named = outline.iter().filter(|(_, symbol)| symbol.name == *last);
    named.map(|(id, _)| id).filter(|&id| outline.path(id) == target.symbol).collect()
}

/// Whether an outline has a symbol with this path.
pub(crate) fn declares(outline: &Outline, path: &[&str]) -> bool {
    let Some(last) = path.last() else { return false };
    outline.iter().any(|(id, symbol)| symbol.name == *last && outline.path(id) == path)
}

/// The place that is `within` bytes after the start of a word, or before it if negative. Blanks may be between the
/// place and the word. If there are fewer blanks now, the place is at their far end.
pub(crate) fn place(text: &Text, word: Offset, within: i32) -> Offset {
    let bytes = text.bytes();
    let word = word.index();
    let distance = within.unsigned_abs() as usize;
    let wanted = if within < 0 {
        word.saturating_sub(distance).max(tokens::blanks_before(bytes, word))
    } else {
        let end = tokens::token_end(bytes, word);
        if word + distance <= end {
            word + distance
        } else {
            (word + distance).min(tokens::blanks_after(bytes, end))
        }
    };
    let is_place = |at: &usize| text.is_boundary(Offset::of_index(*at));
    let found =
        if within < 0 { (wanted..=word).find(is_place) } else { (word..=wanted).rev().find(is_place) };
    // The word may be an invalid byte that is part of a longer invalid character, so it need not start at a boundary.
    let found = found.or_else(|| (text.start().index()..word).rev().find(is_place));
    Offset::of_index(found.unwrap_or(word))
}
