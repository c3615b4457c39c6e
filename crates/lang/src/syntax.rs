//! A text as its parser read it: tree-sitter's tree, and the position tree made from it.

use std::sync::{Arc, OnceLock};

use locant_text::{Edit, Offset};
use locant_tree::{Outline, Tree};
use tree_sitter::{InputEdit, Point, Tree as Parsed};

use crate::bytes::BYTE_ORDER_MARK;
use crate::differ::changed;
use crate::events::NodeEvents;
use crate::language::Language;
use crate::mask::{Masks, changes_more, masks_of};

/// A text as its parser read it. An edit makes a new one and leaves this one as it is.
#[derive(Clone, Debug)]
pub struct Syntax {
    language: &'static Language,
    pub(crate) parsed: Parsed,
    masks: Masks,
    /// Where the text ends. The parser may have seen a line break after it.
    end: Offset,
    /// Made when it is first asked for.
    tree: OnceLock<Tree>,
}

impl Syntax {
    /// Reads a text. `None` when the parser gives up, as [`Language::parse`] says.
    pub fn new(language: &'static Language, text: &[u8]) -> Option<Syntax> {
        let readable = language.readable(text);
        let masks = masks_of(&readable, &language.tables.words);
        let parsed = language.parse_with(&readable, &masks, None)?;
        Some(Syntax::of(language, parsed, masks, text))
    }

    /// Reads a text as it stands: as its grammar alone reads it, also where it is shown another text, so that it does
    /// not stumble over macros and the like.
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

    /// The named declarations of the text that was read.
    pub fn outline(&self, text: &[u8]) -> Outline {
        self.language.outline_after(text, &self.parsed)
    }

    /// Tree-sitter's tree.
    pub fn parsed(&self) -> &Parsed {
        &self.parsed
    }

    /// The language it was read in.
    pub fn language(&self) -> &'static Language {
        self.language
    }

    /// The text after an edit: the same as if it were read anew. Parser and position tree look only at what the
    /// edit touches, unless the text is broken: what the parser makes of errors depends on what it takes over from
    /// the tree before, so broken text is parsed from its start.
    pub fn edited(&self, edit: Edit, old_text: &[u8], text: &[u8]) -> Option<Syntax> {
        let (old_seen, seen) = (self.language.readable(old_text), self.language.readable(text));
        let touches_mark = edit.range.start().index() < BYTE_ORDER_MARK.len()
            && [old_text, text].iter().any(|text| text.starts_with(BYTE_ORDER_MARK));
        let n_put_in = |seen: &[u8], text: &[u8]| seen.len() - text.len();
        let words = &self.language.tables.words;
        let masks = self.masks.after(&edit, &seen, words);
        let changes_more = changes_more(&edit, (&old_seen, &self.masks), (&seen, &masks), words);
        // Then more has changed for the parser than the edit says.
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

/// What holds for trees of tree-sitter, by which the position tree of one can always be built.
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

/// Row and column of a place, as tree-sitter counts. Nodes know theirs, so that only the text from the nearest one
/// on is looked at.
fn point(parsed: &Parsed, text: &[u8], offset: Offset) -> Point {
    let near = parsed.root_node().descendant_for_byte_range(offset.index(), offset.index());
    match near.filter(|node| node.start_byte() <= offset.index()) {
        Some(node) => after(node.start_position(), &text[node.start_byte()..offset.index()]),
        None => after(Point::new(0, 0), &text[..offset.index()]),
    }
}

/// The point after some text that starts at a point.
fn after(point: Point, text: &[u8]) -> Point {
    match memchr::memrchr(b'\n', text) {
        None => Point::new(point.row, point.column + text.len()),
        Some(last) => {
            let n_rows = memchr::memchr_iter(b'\n', text).count();
            Point::new(point.row + n_rows, text.len() - last - 1)
        }
    }
}
