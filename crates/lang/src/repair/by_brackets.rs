//! Moves items into the blocks that contain them according to the brackets.
//!
//! Because of macros, a grammar misreads text that people read without effort. If the brackets of such a text match,
//! they decide which types and namespaces there are, and which of them contains a declaration. A statement with a
//! syntax error is read by its words.

use std::collections::{HashMap, HashSet};

use locant_text::{Offset, Range};
use locant_tree::{Frame, Item, SymbolKind};

use super::declared::{Declared, field, function, is_mention};
use super::in_order::in_order;
use crate::blocks::{Block, Blocks, Statement};
use crate::header::Header;
use crate::item::Findings;
use crate::ranges::{apart, overlaps};
use crate::table::{Tables, Words};

/// Moves items into the blocks that contain them, adds items for blocks that the walk missed, and reads statements
/// with syntax errors again.
pub(crate) fn by_brackets(found: &mut Findings, text: &[u8], tables: &Tables) {
    let Some(blocks) = Blocks::of(text, &tables.words) else { return };
    let mut sorter = Sorter {
        blocks: &blocks,
        text,
        words: &tables.words,
        names: names(&found.items),
        items: std::mem::take(&mut found.items),
        added: Vec::new(),
        dropped: HashSet::new(),
        owners: HashMap::new(),
    };
    sorter.read_anew(&apart(found.damage.clone()));
    sorter.open_blocks();
    for item in 0..sorter.items.len() {
        sorter.put(item);
    }
    found.items = in_order(std::mem::take(&mut sorter.items), &sorter.dropped);
}

struct Sorter<'a> {
    blocks: &'a Blocks,
    text: &'a [u8],
    words: &'a Words,
    items: Vec<Item>,
    /// For each item, where its name starts and its index. Sorted.
    names: Vec<(usize, usize)>,
    /// The items to be added.
    added: Vec<Item>,
    dropped: HashSet<usize>,
    /// For each block, the item whose body it is.
    owners: HashMap<usize, usize>,
}

impl Sorter<'_> {
    /// Reads the statements with damage again, by their words.
    fn read_anew(&mut self, damage: &[Range]) {
        for index in 0..self.blocks.statements.len() {
            let statement = &self.blocks.statements[index];
            let body = self.body(statement);
            let end = body.map_or(statement.range.end, |body| self.blocks.blocks[body].open);
            if !overlaps(damage, Range::of_indices(statement.range.start..end)) {
                continue;
            }
            self.narrow(statement, end);
            self.read(statement, end, body);
        }
    }

    /// The body of a statement, if the statement is a function with a body.
    fn body(&self, statement: &Statement) -> Option<usize> {
        let blocks = &self.blocks.blocks;
        let from = blocks.partition_point(|block| block.open < statement.range.start);
        let inside = blocks[from..].iter().take_while(|block| block.close < statement.range.end);
        // Only the last block is the body, as in `A() : a{1} { … }`.
        let is_its = |block: &Block| block.start == statement.range.start && block.header == Header::Function;
        inside.enumerate().filter(|(_, block)| is_its(block)).last().map(|(index, _)| from + index)
    }

    /// The items whose names are between `start` and `end`.
    fn items_in(&self, start: usize, end: usize) -> Vec<usize> {
        let from = self.names.partition_point(|(name, _)| *name < start);
        self.names[from..].iter().take_while(|(name, _)| *name < end).map(|(_, item)| *item).collect()
    }

    /// Cuts items in the header of a statement to the statement. After an error, they may extend over other
    /// declarations.
    fn narrow(&mut self, statement: &Statement, end: usize) {
        for index in self.items_in(statement.range.start, end) {
            let item = &mut self.items[index];
            let (name, range) = (item.name, item.range);
            let start = range.start().index().max(statement.range.start).min(name.start().index());
            let end = range.end().index().min(statement.range.end).max(name.end().index());
            if item.is_damaged && item.kind != Some(SymbolKind::Macro) {
                item.range = Range::of_indices(start..end);
            }
        }
    }

    fn read(&mut self, statement: &Statement, end: usize, body: Option<usize>) {
        let inside = self.items_in(statement.range.start, end);
        let block = statement.block.map(|block| &self.blocks.blocks[block].header);
        let is_member =
            matches!(block, Some(Header::Named { kind: SymbolKind::Class | SymbolKind::Struct, .. }));
        let is_value = |item: &usize| matches!(self.items[*item].frame, Frame::Function | Frame::Value);
        let is_macro = |item: &usize| self.items[*item].kind == Some(SymbolKind::Macro);
        let misread: Vec<usize> =
            inside.iter().copied().filter(|item| is_value(item) && !is_macro(item)).collect();
        match function(self.text, &statement.parts, body.is_some(), self.words) {
            Some(function) => self.replace(&misread, function, statement, body),
            None if is_mention(self.text, &statement.parts) && body.is_none() => self.dropped.extend(misread),
            None if is_member && inside.is_empty() && body.is_none() => {
                let field = field(self.text, &statement.parts, self.words);
                self.added.extend(field.map(|field| item_of(field, statement.range.clone(), None)));
            }
            None => {}
        }
    }

    /// Replaces the misread items by the function that the statement declares.
    fn replace(&mut self, misread: &[usize], function: Declared, statement: &Statement, body: Option<usize>) {
        let open = body.map(|body| self.blocks.blocks[body].open);
        let mut is_known = false;
        for &index in misread {
            let item = &mut self.items[index];
            let is_it =
                item.name.start().index() == function.name.start && item.frame == Frame::of(function.kind);
            if is_it && !is_known {
                is_known = true;
                item.qualifier = function.qualifier.iter().cloned().map(Range::of_indices).collect();
                if let Some(open) = open {
                    item.body = Some(Offset::of_index(open));
                    let start = item.range.start().index();
                    item.range = Range::of_indices(start..statement.range.end.max(item.name.end().index()));
                }
            } else {
                self.dropped.insert(index);
            }
        }
        if !is_known {
            self.added.push(item_of(function, statement.range.clone(), open));
        }
    }

    /// Adds an item for each named block that has none, and links each block to its item.
    fn open_blocks(&mut self) {
        for block in &self.blocks.blocks {
            if let Header::Named { kind, name, qualifier, start } = &block.header
                && self.item_at(name.start).is_none()
            {
                let declared = Declared { kind: *kind, name: name.clone(), qualifier: qualifier.clone() };
                self.added.push(item_of(declared, *start..block.close + 1, Some(block.open)));
            }
        }
        // The new items go first, so that parents come before their members.
        let n_added = self.added.len();
        for item in &mut self.items {
            item.parent = item.parent.map(|parent| parent + n_added);
        }
        self.dropped = self.dropped.iter().map(|item| item + n_added).collect();
        self.items.splice(0..0, std::mem::take(&mut self.added));
        self.names = names(&self.items);
        for index in 0..self.blocks.blocks.len() {
            self.own(index);
        }
    }

    /// The item whose name starts at `name`, unless it was dropped.
    fn item_at(&self, name: usize) -> Option<usize> {
        let from = self.names.partition_point(|(start, _)| *start < name);
        let at = self.names[from..].iter().take_while(|(start, _)| *start == name);
        at.map(|(_, item)| *item).find(|item| !self.dropped.contains(item))
    }

    /// Links a block to the item whose body it is. The item of a type or namespace gets the extent and kind of the
    /// block.
    fn own(&mut self, index: usize) {
        let block = &self.blocks.blocks[index];
        match &block.header {
            Header::Named { kind, name, start, .. } => {
                let Some(owner) = self.item_at(name.start) else { return };
                self.owners.insert(index, owner);
                let item = &mut self.items[owner];
                let start = item.range.start().index().max(block.start).min(*start);
                item.range = Range::of_indices(start..block.close + 1);
                item.body = Some(Offset::of_index(block.open));
                if Frame::of(*kind) != item.frame {
                    (item.kind, item.frame) = (Some(*kind), Frame::of(*kind));
                }
            }
            Header::Function => {
                let is_callable =
                    |item: &usize| self.items[*item].frame == Frame::Function && !self.dropped.contains(item);
                let owner = self.items_in(block.start, block.open).into_iter().find(is_callable);
                self.owners.extend(owner.map(|owner| (index, owner)));
            }
            Header::Nameless | Header::Clear | Header::Other => {}
        }
    }

    /// Moves an item into the block that contains it.
    fn put(&mut self, item: usize) {
        if self.items[item].kind == Some(SymbolKind::Macro) || self.dropped.contains(&item) {
            return;
        }
        let parent = self.items[item].parent.filter(|parent| !self.dropped.contains(parent));
        let mut around = self.blocks.around(self.items[item].name.start().index());
        while let Some(index) = around {
            let block = &self.blocks.blocks[index];
            let owner = self.owners.get(&index).copied().filter(|owner| *owner != item);
            match (&block.header, owner) {
                (Header::Named { .. }, Some(owner)) => return self.move_to(Some(owner), item),
                (Header::Function | Header::Other, _) => return self.put_in_body(item, parent, block, owner),
                // The items in `struct { … } a;` are members of `a`, though its name comes after the block.
                (Header::Nameless, _) if parent.is_some_and(|parent| self.is_named_after(parent, block)) => {
                    return;
                }
                _ => around = block.parent,
            }
        }
        self.move_to(None, item);
    }

    /// Handles an item whose name is in the body of a function or value. If the tree does not have the item in this
    /// body, the parser misread it: types and modules are moved into the body, and all others are dropped.
    fn put_in_body(&mut self, item: usize, parent: Option<usize>, block: &Block, owner: Option<usize>) {
        let is_inside = |parent: &usize| block.start <= self.items[*parent].name.start().index();
        let holds = matches!(self.items[item].frame, Frame::Type | Frame::Module);
        match (parent.filter(is_inside), owner) {
            (Some(_), _) => {}
            (None, Some(owner)) if holds => self.move_to(Some(owner), item),
            (None, _) => {
                self.dropped.insert(item);
            }
        }
    }

    /// Whether an item starts before a block and its name comes after the block.
    fn is_named_after(&self, item: usize, block: &Block) -> bool {
        let name = self.items[item].name.start().index();
        let range = self.items[item].range;
        block.close < name && range.start().index() <= block.open
    }

    fn move_to(&mut self, parent: Option<usize>, item: usize) {
        let is_type = parent.is_some_and(|parent| self.items[parent].frame == Frame::Type);
        let item = &mut self.items[item];
        item.parent = parent;
        item.kind = match item.kind {
            Some(SymbolKind::Variable) if is_type => Some(SymbolKind::Field),
            Some(SymbolKind::Field) if !is_type => Some(SymbolKind::Variable),
            Some(SymbolKind::Method) if !is_type => Some(SymbolKind::Function),
            kind => kind,
        };
    }
}

fn names(items: &[Item]) -> Vec<(usize, usize)> {
    let named = items.iter().enumerate().filter(|(_, item)| item.kind.is_some());
    let mut names: Vec<_> = named.map(|(index, item)| (item.name.start().index(), index)).collect();
    names.sort_unstable();
    names
}

/// An item for a declaration that the walk did not find.
fn item_of(declared: Declared, range: std::ops::Range<usize>, open: Option<usize>) -> Item {
    Item {
        qualifier: declared.qualifier.into_iter().map(Range::of_indices).collect(),
        body: open.map(Offset::of_index),
        is_damaged: true,
        ..Item::new(declared.kind, Range::of_indices(declared.name), Range::of_indices(range), None)
    }
}
