//! The words of a location: the text to search for, and where the place is in that text.

use locant_text::Offset;

use super::new_text::declared;
use super::similarity::occurrences;
use super::token_context::{SplitFind, TokenContext};
use crate::answer::Document;
use crate::check::{self, Check};
use crate::location::{Location, Scope, Segment};
use crate::marker::take_marker;
use crate::tokens;

/// The words of a location.
pub(crate) struct Wording {
    /// The find without its marker, or the name of a symbol.
    pub(crate) text: String,
    /// The range in `text` of the word nearest to the place.
    pub(crate) word: std::ops::Range<usize>,
    /// The distance in bytes from the start of the word to the place; negative if the place is before the word.
    pub(crate) within: i32,
    /// Whether `text` is the name of a symbol, since the location has no find.
    pub(crate) is_name: bool,
    pub(crate) path: Vec<Segment>,
    /// Whether the scope of the location is lines. Then the symbols around the place are not known.
    pub(crate) has_lines: bool,
    /// The check, which represents the line of the place and its neighbours.
    pub(crate) check: Option<Check>,
}

impl Wording {
    /// The words of a location. `None` if it is only a line or a coordinate, which tells nothing about the text.
    pub(crate) fn of_location(document: &dyn Document, location: &Location) -> Option<Wording> {
        let taken = check::take(document, location);
        let (location, check) =
            taken.as_ref().map_or((location, None), |(plain, check)| (plain, Some(*check)));
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
        let word = tokens::pivot(text.as_bytes(), 0, at)?;
        let within = i32::try_from(at).ok()? - i32::try_from(word.start).ok()?;
        let has_lines = matches!(location.scope, Some(Scope::Lines { .. }));
        Some(Wording { text, word, within, is_name, path, has_lines, check })
    }

    /// Whether the location has a check.
    pub(crate) fn is_checked(&self) -> bool {
        self.check.is_some()
    }

    /// Where the word occurs in a text. `declared` has the starts of declared names, sorted.
    pub(crate) fn places(&self, document: &dyn Document, declared: &[Offset]) -> Vec<Offset> {
        let is_declared = |word: &Offset| declared.binary_search(word).is_ok();
        let mut words = occurrences(document.text(), self.word());
        // A path means a declared name, so other occurrences count only if the name is not declared any more.
        if self.is_name && words.iter().any(is_declared) {
            words.retain(is_declared);
        }
        words
    }

    pub(crate) fn word(&self) -> &[u8] {
        &self.text.as_bytes()[self.word.clone()]
    }
}

/// How many places in a text match the words of a location, in any symbol.
pub(crate) fn n_equal(document: &dyn Document, location: &Location) -> usize {
    let Some(words) = Wording::of_location(document, location) else { return 0 };
    let find = SplitFind::new(words.text.as_bytes(), words.word.clone());
    let mut around = TokenContext::default();
    let is_equal = |word: &Offset| {
        find.read(&mut around, document.text().bytes(), *word);
        find.shares(&around) == [1.0; 2]
    };
    words.places(document, &declared(document.outline())).iter().copied().filter(is_equal).count()
}
