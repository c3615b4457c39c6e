//! From a text to its outline.

use std::borrow::Cow;

use locant_text::Range;
use locant_tree::{Outline, Tree};
use tree_sitter::{Node as ParsedNode, Tree as Parsed};

use crate::embedded::{Inner, MAX_DEPTH};
use crate::headings::nest_by_level;
use crate::item::Findings;
use crate::language::Language;
use crate::lines::long_tokens;
use crate::mask::{conflicts, without_conflicts};
use crate::node::{Node, Unpacked};
use crate::ranges::{apart, before};
use crate::repair;
use crate::table::Attached;
use crate::to_outline::to_outline;
use crate::walk::walk;

/// Texts inside a text are parsed, too.
const PARSED: Inner<'static> = &|_, _| None;

impl Language {
    /// The named declarations of a text.
    pub fn outline(&'static self, text: &[u8]) -> Outline {
        self.outline_with(text, PARSED)
    }

    /// The named declarations of a text. Each text inside it, such as a script in a page, is parsed only if `inner`
    /// does not give its outline.
    pub fn outline_with(&'static self, text: &[u8], inner: Inner<'_>) -> Outline {
        let text = self.readable(text);
        self.outline_of(&text, self.parse(&text).as_ref().map(Parsed::root_node), 0, inner)
    }

    /// The named declarations of a text, from its parsed tree.
    pub(crate) fn outline_after(&'static self, text: &[u8], parsed: &Parsed) -> Outline {
        self.outline_of(&self.readable(text), Some(parsed.root_node()), 0, PARSED)
    }

    /// The named declarations of a text, from its position tree and without parsing. The tree may have been stored.
    /// `None` if the tree cannot belong to this text, because it has kinds or fields that the grammar does not have,
    /// or ends after the text.
    pub fn outline_from(&'static self, text: &[u8], tree: &Tree) -> Option<Outline> {
        if tree.end().index() > text.len() {
            return None;
        }
        let unpacked = Unpacked::new(tree, self.kinds().words())?;
        Some(self.outline_of(&self.readable(text), Some(unpacked.root()?), 0, PARSED))
    }

    /// The named declarations that the lines of a text show. This is for texts that the parser gives up on.
    pub fn outline_by_line(&'static self, text: &[u8]) -> Outline {
        self.outline_of(&self.readable(text), None::<ParsedNode<'_>>, 0, PARSED)
    }

    /// Counts a comment that is not closed as damage. It runs to the end of the text, and so swallows text that was
    /// meant to be code. In languages with nested comments, the parser reports no error for it.
    fn note_unclosed_comment(&self, found: &mut Findings, text: &[u8]) {
        let Some(last) = found.attachables.last() else { return };
        let comment = &text[last.range.indices()];
        let is_unclosed = |(open, close): &(&str, &str)| {
            let inside = comment.strip_prefix(open.as_bytes());
            inside.is_some_and(|inside| !inside.ends_with(close.as_bytes()))
        };
        let is_last = text[last.range.end().index()..].trim_ascii().is_empty();
        if is_last && last.attached == Attached::Comment && self.block_comments.iter().any(is_unclosed) {
            found.damage.push(last.range);
            found.attachables.pop();
        }
    }

    /// The outline of a text that is embedded in `depth` other texts.
    pub(crate) fn outline_within(&'static self, text: &[u8], depth: usize, inner: Inner<'_>) -> Outline {
        if let Some(outline) = inner(self, text) {
            return outline;
        }
        let text = self.ended(Cow::Borrowed(text));
        self.outline_of(&text, self.parse(&text).as_ref().map(Parsed::root_node), depth, inner)
    }

    /// The outline of a text from its syntax tree. Without a tree, the outline is read from the lines of the text.
    fn outline_of<N: Node>(
        &'static self,
        text: &[u8],
        root: Option<N>,
        depth: usize,
        inner: Inner<'_>,
    ) -> Outline {
        let conflicts = conflicts(text);
        let text = without_conflicts(text);
        let text = text.as_ref();
        let mut found = match root {
            Some(root) => walk(root, text, &self.tables, self.kinds()),
            None => Findings { damage: vec![Range::of_indices(0..text.len())], ..Findings::default() },
        };
        self.note_unclosed_comment(&mut found, text);
        let has_error = root.is_none_or(Node::has_error);
        if let Some(end) =
            root.filter(|_| has_error).and_then(|root| root.children().last()).map(Node::end_byte)
        {
            // The parser may have given up on the rest of the text.
            found
                .damage
                .extend((end < text.trim_ascii_end().len()).then(|| Range::of_indices(end..text.len())));
        }
        let is_damaged = has_error || !found.damage.is_empty();
        if is_damaged {
            found.long_tokens = root.map(|root| long_tokens(root, text)).unwrap_or_default();
            repair::by_indentation(&mut found, text, &self.tables);
            repair::by_brackets(&mut found, text, &self.tables);
        }
        nest_by_level(&mut found.items, text);
        let mut embedded = Vec::new();
        if depth < MAX_DEPTH {
            let embeds = found.embeds.iter();
            embedded.extend(embeds.map(|embed| embed.read(text, &found.items, depth + 1, inner)));
        }
        let mut damage = std::mem::take(&mut found.damage);
        if is_damaged && damage.is_empty() {
            damage.push(Range::of_indices(0..text.len()));
        }
        let conflicts = conflicts.iter().filter_map(|marks| Some(marks.first()?.start..marks.last()?.end));
        damage.extend(conflicts.map(Range::of_indices));
        damage.extend(embedded.iter().flat_map(|embedded| &embedded.damage));
        // The line break that was added for the grammar is not part of the text.
        let last = text.trim_ascii_end().len();
        let damage = apart(damage.into_iter().map(|range| before(range, last)).collect());
        let mut outline = to_outline(found, embedded, text, &self.tables);
        outline.is_damaged = !damage.is_empty();
        outline.damage = damage;
        outline.is_by_line = root.is_none();
        self.worded(outline)
    }

    /// The outline with the words that depend on the language alone. An outline that was kept as bytes lacks them.
    pub fn worded(&self, mut outline: Outline) -> Outline {
        let words = &self.tables.words;
        outline.silent = words.silent;
        outline.spoken = words.spoken;
        outline.markup = words.markup;
        outline
    }
}
