//! From a text to its syntax tree: how a text is prepared for the grammar, and which texts are not parsed at all.

use std::borrow::Cow;

use locant_parse::Characters;
use tree_sitter::Tree as Parsed;

use crate::bytes::BYTE_ORDER_MARK;
use crate::language::Language;
use crate::lines::{depth, marks_in_a_row, tag_depth};
use crate::mask::{Masks, masked, masked_with, masks_of, with_line_feeds};

impl Language {
    /// The syntax tree of a text. Broken source has one too.
    ///
    /// `None` in these cases:
    /// - Parsing takes too much work or memory; [`locant_parse`] defines the bounds.
    /// - The text is nested too deeply for the grammar, or has too many punctuation marks in a row.
    /// - The last line has an annotation but no line break, and the grammar would loop forever there.
    pub fn parse(&'static self, text: &[u8]) -> Option<Parsed> {
        self.parse_with(text, &masks_of(text, &self.tables.words), None)
    }

    /// The syntax tree of the text itself, without masks.
    pub(crate) fn parse_as_it_stands(&'static self, text: &[u8]) -> Option<Parsed> {
        if self.is_too_much(text) { None } else { self.parse_masked(text, None) }
    }

    /// Whether the grammar is given a masked text instead of this one.
    pub fn sees_otherwise(&self, text: &[u8]) -> bool {
        matches!(masked(&self.readable(text), &self.tables.words), Cow::Owned(_))
    }

    /// Whether a parse of the text would find no errors. Makes no tree. `false` also if only a real parse could tell.
    pub fn accepts(&self, text: &[u8]) -> bool {
        let text = self.readable(text);
        let words = &self.tables.words;
        if self.is_too_much(&text) || self.loops_at_end(&text) {
            return false;
        }
        locant_parse::accepts(&self.grammar.into(), &masked(&text, words), self.characters())
    }

    fn is_too_much(&self, text: &[u8]) -> bool {
        let words = &self.tables.words;
        words.deepest.is_some_and(|deepest| depth(text, &words.bullets) > deepest)
            || words.deepest_tags.is_some_and(|deepest| tag_depth(text) > deepest)
            || words.most_marks.is_some_and(|most| marks_in_a_row(text, words.line_comments) > most)
    }

    /// The syntax tree of a text with these masks. If `old`, the tree before an edit, is given, its unchanged parts
    /// are reused.
    pub(crate) fn parse_with(
        &'static self,
        text: &[u8],
        masks: &Masks,
        old: Option<&Parsed>,
    ) -> Option<Parsed> {
        let is_too_much = old.is_none() && self.is_too_much(text);
        if is_too_much { None } else { self.parse_masked(&masked_with(text, masks, &self.tables.words), old) }
    }

    fn parse_masked(&'static self, text: &[u8], old: Option<&Parsed>) -> Option<Parsed> {
        if self.loops_at_end(text) {
            return None;
        }
        locant_parse::parse(&self.kinds().grammar, text, old, self.characters())
    }

    /// Whether the last line has an annotation but no line break, and the grammar would loop forever there.
    fn loops_at_end(&self, text: &[u8]) -> bool {
        let words = &self.tables.words;
        let last_line = &text[memchr::memrchr(b'\n', text).map_or(0, |at| at + 1)..];
        words.final_break && memchr::memmem::find(last_line, words.annotations.as_bytes()).is_some()
    }

    fn characters(&self) -> Characters {
        if self.tables.words.narrow { Characters::Narrow } else { Characters::All }
    }

    /// The text in a form that the grammar can read: lone carriage returns become line feeds, and a byte-order mark is
    /// replaced. All offsets stay valid.
    pub(crate) fn readable<'t>(&self, text: &'t [u8]) -> Cow<'t, [u8]> {
        let text = if self.tables.words.keeps_mark { Cow::Borrowed(text) } else { without_mark(text) };
        self.ended(with_line_feeds(text))
    }

    /// The text with a line break at its end, which some grammars require. No symbol includes it, so answers do not
    /// show it.
    pub(crate) fn ended<'t>(&self, text: Cow<'t, [u8]>) -> Cow<'t, [u8]> {
        if self.tables.words.final_break && !text.ends_with(b"\n") {
            Cow::Owned([&text, &b"\n"[..]].concat())
        } else {
            text
        }
    }
}

/// Replaces a byte-order mark by three line breaks. This changes no offset, and disturbs neither grammars nor
/// indentation.
fn without_mark(text: &[u8]) -> Cow<'_, [u8]> {
    match text.strip_prefix(BYTE_ORDER_MARK) {
        Some(rest) => Cow::Owned([b"\n\n\n", rest].concat()),
        None => Cow::Borrowed(text),
    }
}
