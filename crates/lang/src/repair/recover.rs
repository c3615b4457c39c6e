//! Recovers definitions from the lines on which they start.

use locant_text::{Range, trimmed};
use locant_tree::{Frame, Item, Joining, SymbolKind};

use super::{OpenBlock, Repair};
use crate::bytes::line_start;
use crate::lines::Line;
use crate::pattern::{self, Header};
use crate::ranges::overlaps;
use crate::table::RecoveryLine;

impl Repair<'_> {
    /// Splits a damaged line that has both the header of a type, module or scope and its members, such as
    /// `class A { int f() {} }`. `None` for other lines.
    pub(super) fn pieces_of(&self, line: Line) -> Option<Vec<Line>> {
        match self.block_on(line) {
            Some(kind) => Some(line.pieces(self.text, kind == Some(SymbolKind::Enum))),
            None => self.has_list(line).then(|| line.listed(self.text)),
        }
    }

    /// Whether a type with a list of members in parentheses starts on a damaged line, such as
    /// `create table t (a int, b text);`.
    fn has_list(&self, line: Line) -> bool {
        let Some(opening) = memchr::memchr(b'(', line.text(self.text)).filter(|_| self.tables.words.listed)
        else {
            return false;
        };
        let opening = line.content + opening;
        let start = Range::of_indices(line.content..line.content + 1);
        let is_damaged = overlaps(&self.damage, Range::of_indices(line.content..line.end));
        let is_type = |header: &Header| {
            // In `create view v with (…)`, the parentheses do not contain members.
            let between = &self.text[header.name.end().index()..opening];
            let is_after = between.iter().all(|byte| byte.is_ascii_whitespace() || b"\"`]".contains(byte));
            header.line.kind == Some(SymbolKind::Struct) && is_after
        };
        let header = || self.header_of(Line { end: opening, ..line }, |_| true);
        is_damaged && !overlaps(&self.whole, start) && header().is_some_and(|header| is_type(&header))
    }

    /// The kind of the type, module or scope that starts on a damaged line together with its members. The inner `None`
    /// means a scope.
    fn block_on(&self, line: Line) -> Option<Option<SymbolKind>> {
        if !self.tables.words.opens.is_empty() {
            return None;
        }
        let opening = line.content + memchr::memchr(b'{', line.text(self.text))? + 1;
        let start = Range::of_indices(line.content..line.content + 1);
        let is_damaged = overlaps(&self.damage, Range::of_indices(line.content..line.end));
        // The block in `extends E(new F { def g = 1 })` belongs to an argument.
        let count = |bracket| memchr::memchr_iter(bracket, &self.text[line.content..opening]).count();
        let is_in_brackets = count(b')') < count(b'(');
        if opening == line.end || !is_damaged || is_in_brackets || overlaps(&self.whole, start) {
            return None;
        }
        let kind = self.header_of(Line { end: opening, ..line }, |_| true)?.line.kind;
        let frame = kind.map_or(Frame::Type, Frame::of);
        let is_nest = matches!(frame, Frame::Type | Frame::Module) || kind == Some(SymbolKind::Selector);
        is_nest.then_some(kind)
    }

    /// Whether the tree took a part of a definition, such as a parameter, for an item, and missed the definition
    /// itself.
    pub(super) fn is_misread(&self, item: usize, line: Line, opens_block: bool) -> bool {
        let found = &self.items[item];
        let is_variable = matches!(
            found.kind,
            Some(SymbolKind::Field | SymbolKind::Variable | SymbolKind::Constant | SymbolKind::Property)
        );
        let is_leaf = |header: &Header| {
            let frame = header.line.kind.map(Frame::of);
            matches!(frame, Some(Frame::Function | Frame::Value))
        };
        self.shaky[item] && is_variable && {
            let header = self.header_in(self.around(line), line, opens_block).filter(is_leaf);
            header.is_some_and(|header| {
                header.name.end() <= found.name.start() && !self.names.contains(&header.name.start())
            })
        }
    }

    /// Takes the name from the line if the tree has only a part of it.
    pub(super) fn complete_name(&mut self, item: usize, line: Line, opens_block: bool) {
        let found = &self.items[item];
        if !self.shaky[item] || !(line.content..line.end).contains(&found.name.start().index()) {
            return;
        }
        let Some(header) = self.header_in(self.around(line), line, opens_block) else { return };
        let is_part =
            header.name.covers(found.name) && header.name != found.name && found.range.covers(header.name);
        if is_part && header.line.kind == found.kind && header.spelled.is_none() {
            self.items[item].name = header.name;
        }
    }

    /// Drops an item and all later items of the tree on its line.
    pub(super) fn drop_from(&mut self, item: usize, line: Line) {
        self.dropped.insert(item);
        for &other in &self.headers[self.n_passed..] {
            if line.end <= self.items[other].range.start().index() {
                break;
            }
            self.dropped.insert(other);
        }
    }

    /// Adds the definition that starts on a line in damaged text.
    pub(super) fn recover(&mut self, line: Line, opens_block: bool) {
        let around = self.around(line);
        let is_cut = around.is_some_and(|open| self.was_cut_short(open, line));
        let range = Range::of_indices(line.content..line.end);
        // Only the start of the line must be outside comments, because a comment may follow the definition.
        let start = Range::of_indices(line.content..line.content + 1);
        if !is_cut && !overlaps(&self.damage, range)
            || overlaps(&self.whole, start)
            || self.is_in_sound_function()
            || self.is_continued(line)
        {
            return;
        }
        let Some(header) = self.header_in(around, line, opens_block) else { return };
        if self.names.insert(header.name.start()) {
            if let Some(open) = around.filter(|_| is_cut) {
                self.grow();
                self.items[open].range = self.items[open].range.cover(range);
            }
            // The comma that separates members does not belong to any of them.
            let is_member = matches!(header.line.kind, Some(SymbolKind::EnumMember | SymbolKind::Field));
            let has_comma = is_member && line.text(self.text).ends_with(b",");
            let range = trimmed(self.text, line.content..line.end - usize::from(has_comma));
            self.items.push(recovered(header, range, around));
            self.shaky.push(true);
            self.ends.push(usize::MAX);
            let item = self.items.len() - 1;
            self.open(OpenBlock { item, indent: line.indent, grows: true, flat: self.flat_block(item) });
        }
    }

    /// Adds the key that starts on a damaged line if the tree has only the keys inside it: `a = { b = 1; };`. Returns
    /// whether it was added.
    pub(super) fn recover_around(&mut self, item: usize, line: Line, opens_block: bool) -> bool {
        let (parent, start) = (self.items[item].parent, self.items[item].range.start());
        let is_key = |kind: Option<SymbolKind>| kind == Some(SymbolKind::Key);
        let holds = |header: &Header| {
            let between = header.name.end().index()..start.index().max(header.name.end().index());
            is_key(header.line.kind) && self.text[between].contains(&b'{')
        };
        let is_held = is_key(self.items[item].kind)
            && line.content < start.index()
            && self.header_in(self.around(line), line, opens_block).is_some_and(|header| holds(&header));
        let holder = self.items.len();
        if is_held {
            self.recover(line, opens_block);
        }
        if holder == self.items.len() {
            return false;
        }
        for &held in &self.headers[self.n_passed..] {
            if line.end <= self.items[held].range.start().index() {
                break;
            }
            if self.items[held].parent == parent {
                self.items[held].parent = Some(holder);
            }
        }
        true
    }

    /// The definition that starts on a line inside the item `around`.
    fn header_in(&self, around: Option<usize>, line: Line, opens_block: bool) -> Option<Header> {
        let frame = around.map_or(Frame::File, |open| self.items[open].frame);
        let kind = around.and_then(|open| self.items[open].kind);
        let is_wanted = |rule: &RecoveryLine| {
            rule.within & frame as u8 != 0
                && (line.indent == 0 || !rule.unindented)
                && (opens_block || !rule.block)
                && (rule.around.is_empty() || kind.is_some_and(|kind| rule.around.contains(&kind)))
        };
        self.header_of(line, is_wanted)
    }

    /// The item that contains a line according to indentation.
    fn around(&self, line: Line) -> Option<usize> {
        // Text before the name of an item is not inside it.
        let is_after = |item: &usize| self.items[*item].name.end().index() <= line.content;
        self.open.last().map(|open| open.item).filter(is_after)
    }

    /// Whether a function without damage is open according to indentation. In the tree it may extend over later text.
    fn is_in_sound_function(&self) -> bool {
        let is_sound = |item: &Item| !item.is_damaged && item.frame == Frame::Function;
        self.open.iter().any(|open| is_sound(&self.items[open.item]))
    }

    /// Whether the line continues the line above, which ends with a backslash.
    fn is_continued(&self, line: Line) -> bool {
        let above = self.text[..line.content].trim_ascii_end();
        above.ends_with(b"\\") && line_start(self.text, line.content) <= above.len() + 2
    }

    /// Whether a definition could start on this damaged line, whatever frame it is in.
    pub(super) fn may_open(&self, line: Line) -> bool {
        // `#else` could be a member of an enum. Outside of enums it starts nothing.
        let is_open = |rule: &RecoveryLine| {
            let is_around =
                |open: &OpenBlock| self.items[open.item].kind.is_some_and(|kind| rule.around.contains(&kind));
            rule.around.is_empty() || self.open.iter().any(is_around)
        };
        overlaps(&self.damage, Range::of_indices(line.content..line.end))
            && self.header_of(line, is_open).is_some()
    }

    pub(super) fn header_of(&self, line: Line, is_wanted: impl Fn(&RecoveryLine) -> bool) -> Option<Header> {
        let bytes = line.text(self.text);
        let comments = self.tables.words.line_comments;
        if comments.iter().any(|comment| bytes.starts_with(comment.as_bytes())) {
            return None;
        }
        pattern::header(self.tables, self.text, (line.content, line.end), is_wanted)
    }
}

pub(super) fn recovered(header: Header, range: Range, parent: Option<usize>) -> Item {
    let kind = header.line.kind;
    Item {
        kind,
        spelled: header.spelled,
        qualifier: header.qualifier,
        body: Some(range.end()),
        frame: kind.map_or(Frame::Type, Frame::of),
        first_only: header.line.first_only,
        joining: match (header.line.announces, header.line.joins) {
            (true, _) => Joining::Announces,
            (false, true) => Joining::Joins { arity: None },
            (false, false) => Joining::Never,
        },
        level: header.line.level,
        is_damaged: true,
        ..Item::scope(header.name, range, parent)
    }
}
