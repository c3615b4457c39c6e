//! A parsed text: tree-sitter's tree, and the position tree made from it.

use std::sync::{Arc, OnceLock};

use locant_text::{Edit, Offset};
use locant_tree::{Outline, Tree};
use tree_sitter::{InputEdit, Point, Tree as Parsed};

use crate::bytes::BYTE_ORDER_MARK;
use crate::differ::changed;
use crate::events::NodeEvents;
use crate::language::Language;
use crate::mask::{Masks, changes_more, masks_of};

/// A parsed text. An edit makes a new value and leaves this one unchanged.
#[derive(Clone, Debug)]
pub struct Syntax {
    language: &'static Language,
    pub(crate) parsed: Parsed,
    masks: Masks,
    /// Where the text ends. The parser may have been given an extra line break after this.
    end: Offset,
    /// Built on first use.
    tree: OnceLock<Tree>,
}

impl Syntax {
    /// Parses a text. `None` if the parser gives up, for the reasons that [`Language::parse`] lists.
    pub fn new(language: &'static Language, text: &[u8]) -> Option<Syntax> {
        let readable = language.readable(text);
        let masks = masks_of(&readable, &language.tables.words);
        let parsed = language.parse_with(&readable, &masks, None)?;
        Some(Syntax::of(language, parsed, masks, text))
    }

    /// Parses the text as it is, without the masks that hide macros and other unreadable parts from the grammar.
    pub fn as_it_stands(language: &'static Language, text: &[u8]) -> Option<Syntax> {
        let parsed = language.parse_as_it_stands(&language.readable(text))?;
        Some(Syntax::of(language, parsed, Masks::default(), text))
    }

    fn of(language: &'static Language, parsed: Parsed, masks: Masks, text: &[u8]) -> Syntax {
        Syntax { language, parsed, masks, end: Offset::of_index(text.len()), tree: OnceLock::new() }
    }

    /// The position tree.
    pub fn tree(&self) -> &Tree {
        self.tree.get_or_init(|| {
            let vocabulary = &self.language.kinds().words().vocabulary;
            Tree::build(Arc::clone(vocabulary), &mut self.events()).expect(ORDERED)
        })
    }

    /// The named declarations. `text` must be the text that was parsed.
    pub fn outline(&self, text: &[u8]) -> Outline {
        self.language.outline_after(text, &self.parsed)
    }

    /// Where the text ends.
    pub(crate) fn end(&self) -> Offset {
        self.end
    }

    /// Tree-sitter's tree.
    pub fn parsed(&self) -> &Parsed {
        &self.parsed
    }

    /// The language of the text.
    pub fn language(&self) -> &'static Language {
        self.language
    }

    /// The syntax after an edit. It equals the syntax of the new text parsed from scratch. The parser and the position
    /// tree read only what the edit touches, with one exception: in a broken text, the tree around errors depends on
    /// which old nodes are reused, so a broken text is parsed from scratch.
    pub fn edited(&self, edit: Edit, old_text: &[u8], text: &[u8]) -> Option<Syntax> {
        let (old_seen, seen) = (self.language.readable(old_text), self.language.readable(text));
        let touches_mark = edit.range.start().index() < BYTE_ORDER_MARK.len()
            && [old_text, text].iter().any(|text| text.starts_with(BYTE_ORDER_MARK));
        let n_put_in = |seen: &[u8], text: &[u8]| seen.len() - text.len();
        let words = &self.language.tables.words;
        let masks = self.masks.after(&edit, &seen, words);
        let changes_more = changes_more(&edit, (&old_seen, &self.masks), (&seen, &masks), words);
        // In these cases, the parser sees changes outside the range of the edit.
        if touches_mark || changes_more || n_put_in(&old_seen, old_text) != n_put_in(&seen, text) {
            return Syntax::new(self.language, text);
        }
        let mut old = self.parsed.clone();
        old.edit(&input_edit(&self.parsed, edit, &old_seen, &seen));
        let mut parsed = self.language.parse_with(&seen, &masks, Some(&old))?;
        if parsed.root_node().has_error() {
            parsed = self.language.parse_with(&seen, &masks, None)?;
        }
        let changed = changed(&old, &parsed, edit);
        let edited = Syntax::of(self.language, parsed, masks, text);
        let tree = self.tree().update(edit, changed, &mut edited.events()).expect(ORDERED);
        Some(Syntax { tree: OnceLock::from(tree), ..edited })
    }

    fn events(&self) -> NodeEvents<'_> {
        NodeEvents::new(&self.parsed, self.end, self.language.kinds().words())
    }
}

/// Why a position tree can always be built from tree-sitter's tree.
const ORDERED: &str = "a parser's nodes stand in order and inside their parents";

fn input_edit(parsed: &Parsed, edit: Edit, old_text: &[u8], text: &[u8]) -> InputEdit {
    let (start, old_end) = (edit.range.start().index(), edit.range.end().index());
    let new_end = start + edit.insert.len();
    let start_position = point(parsed, old_text, edit.range.start());
    InputEdit {
        start_byte: start,
        old_end_byte: old_end,
        new_end_byte: new_end,
        start_position,
        old_end_position: after(start_position, &old_text[start..old_end]),
        new_end_position: after(start_position, &text[start..new_end]),
    }
}

/// The row and column of an offset, as tree-sitter counts them. Nodes know their own row and column, so only the text
/// between the nearest node and the offset is read.
fn point(parsed: &Parsed, text: &[u8], offset: Offset) -> Point {
    let near = parsed.root_node().descendant_for_byte_range(offset.index(), offset.index());
    match near.filter(|node| node.start_byte() <= offset.index()) {
        Some(node) => after(node.start_position(), &text[node.start_byte()..offset.index()]),
        None => after(Point::new(0, 0), &text[..offset.index()]),
    }
}

/// The point at the end of a text that starts at `point`.
fn after(point: Point, text: &[u8]) -> Point {
    match memchr::memrchr(b'\n', text) {
        None => Point::new(point.row, point.column + text.len()),
        Some(last) => {
            let n_rows = memchr::memchr_iter(b'\n', text).count();
            Point::new(point.row + n_rows, text.len() - last - 1)
        }
    }
}
