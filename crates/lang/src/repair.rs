//! Repairs the items of broken source: declarations that the walk missed are read from their lines, and declarations
//! in the wrong place are moved according to their indentation.
//!
//! This is used only for trees with errors. After an error the parser guesses: a missing `}` puts everything that
//! follows into the unclosed block, and a missing header closes the outer block too early. People indent their code,
//! so indentation shows which blocks are really open. Where there is damage, and only there, indentation overrules the
//! tree.

mod by_brackets;
mod declared;
mod in_order;
mod recover;

use std::collections::HashSet;

use locant_text::{Offset, Range};
use locant_tree::{Frame, Item, SymbolKind};

use crate::bytes::{is_long, line_start};
use crate::item::Findings;
use crate::lines::{Line, contains_word, lines};
use crate::packed::{List, Word};
use crate::ranges::{apart, covers, overlaps};
use crate::table::{Attached, Tables};
use crate::texts::texts;

use self::in_order::in_order;
use self::recover::recovered;

pub(crate) use self::by_brackets::by_brackets;

/// Adds and moves items. Parents stay before their members.
pub(crate) fn by_indentation(found: &mut Findings, text: &[u8], tables: &'static Tables) {
    let mut repair = Repair::new(found, text, tables);
    let mut lines = lines(text, tables.words.bullets.get()).filter(|line| !line.is_blank()).peekable();
    while let Some(line) = lines.next() {
        // The brace that opens a block may be on the next line.
        let next = lines.peek().map_or(&text[..0], |next| next.text(text));
        let opens_block = line.text(text).ends_with(b"{") || next.starts_with(b"{");
        let is_shallow = |next: &Line| next.indent <= line.indent && !next.text(text).starts_with(b"}");
        let first = if next == b"{" { lines.clone().nth(1) } else { lines.peek().copied() };
        let is_opening = opens_block || !tables.words.opens.is_empty();
        repair.is_flat = is_opening && first.as_ref().is_some_and(is_shallow);
        match repair.pieces_of(line) {
            Some(pieces) => {
                for piece in pieces {
                    repair.read(piece, piece.text(text).ends_with(b"{"));
                }
            }
            None => repair.read(line, opens_block),
        }
    }
    repair.close_all();
    repair.cut();
    repair.drop_long_names();
    let items = std::mem::take(&mut repair.items);
    found.items = in_order(items, &repair.dropped);
    // An item that was moved may be after the old end of its new parent.
    for index in (0..found.items.len()).rev() {
        if let Some(parent) = found.items[index].parent {
            found.items[parent].range = found.items[parent].range.cover(found.items[index].range);
        }
    }
}

struct Repair<'a> {
    text: &'a [u8],
    tables: &'static Tables,
    items: Vec<Item>,
    /// For each item, whether it is damaged, or is inside or around damage.
    shaky: Vec<bool>,
    /// The items of the tree, sorted by where they start. The first `n_passed` of them start before the current line.
    headers: Vec<usize>,
    n_passed: usize,
    names: HashSet<Offset>,
    /// Items to leave out. They are not definitions but parts of a definition or of a string.
    dropped: HashSet<usize>,
    /// Where the parser found errors. Invariant: sorted, and no two overlap or touch.
    damage: Vec<Range>,
    /// Comments and texts of other languages, in which nothing is recovered.
    ///
    /// Invariant: sorted, and no two overlap or touch.
    whole: Vec<Range>,
    /// Invariant: sorted, and no two overlap or touch.
    comments: Vec<Range>,
    /// Strings and comments that span several lines. A line that starts inside one says nothing about blocks. Only
    /// tokens in undamaged text are listed, because elsewhere it is unclear where they end.
    ///
    /// Invariant: sorted, and no two overlap or touch.
    long_tokens: Vec<Range>,
    /// The blocks that are open by indentation, the innermost last.
    open: Vec<OpenBlock>,
    /// For each item, where its block ends according to indentation. `usize::MAX` until that is known.
    ends: Vec<usize>,
    /// The last line that belongs to a block.
    last: Option<Line>,
    /// Whether the current line opens a block whose content is not indented.
    is_flat: bool,
    /// The indentation of the last line that opened an indented text, such as `key: |` in YAML. The text continues for
    /// as long as lines are indented more than this.
    text_below: Option<usize>,
    /// Heredocs, docstrings and multi-line strings, as found by [`texts`].
    ///
    /// Invariant: sorted, and no two overlap or touch.
    texts: Vec<Range>,
    /// The lines that close a block and name it in a comment. If there are any, a bracket without such a comment does
    /// not close a block whose content is not indented.
    closers: Vec<Line>,
}

/// How many nested open blocks are tracked.
const DEEPEST: usize = 500;

/// A block that is open by indentation.
#[derive(Clone, Copy)]
struct OpenBlock {
    item: usize,
    indent: usize,
    /// Whether the item is extended to where its block ends by indentation. True for an item that was recovered, or
    /// that ends too early in the tree.
    grows: bool,
    /// Set for a block whose content is not indented, as in many namespaces. Counts the open blocks inside that are
    /// not items. Only brackets show where such a block ends.
    flat: Option<usize>,
}

impl<'a> Repair<'a> {
    fn new(found: &mut Findings, text: &'a [u8], tables: &'static Tables) -> Repair<'a> {
        let items = std::mem::take(&mut found.items);
        let mut headers: Vec<usize> = (0..items.len()).collect();
        headers.sort_by_key(|&item| items[item].range.start());
        let damage = apart(found.damage.clone());
        let mut shaky: Vec<bool> = Vec::with_capacity(items.len());
        for item in &items {
            let is_in_shaky = item.parent.is_some_and(|parent| shaky[parent]);
            shaky.push(item.is_damaged || is_in_shaky || overlaps(&damage, item.range));
        }
        let sound = items.iter().filter(|item| !item.is_damaged);
        let leaves = sound.clone().filter(|item| matches!(item.frame, Frame::Function | Frame::Value));
        let leaves = apart(leaves.map(|item| item.range).collect());
        let comments = found.attachables.iter().filter(|item| item.attached == Attached::Comment);
        let comments = apart(comments.map(|item| item.range).collect());
        let mut long_tokens = std::mem::take(&mut found.long_tokens);
        long_tokens
            .retain(|&token| (covers(&leaves, token) || covers(&comments, token)) && !covers(&damage, token));
        let embeds = found.embeds.iter().map(|embed| embed.range);
        Repair {
            text,
            tables,
            shaky,
            headers,
            n_passed: 0,
            names: items.iter().map(|item| item.name.start()).collect(),
            dropped: HashSet::new(),
            damage,
            whole: apart(comments.iter().copied().chain(embeds).collect()),
            texts: texts(text, &tables.words, &comments),
            comments,
            long_tokens,
            open: Vec::new(),
            ends: vec![usize::MAX; items.len()],
            last: None,
            is_flat: false,
            text_below: None,
            closers: lines(text, "").filter(|line| line.closed_name(text).is_some()).collect(),
            items,
        }
    }

    fn read(&mut self, line: Line, opens_block: bool) {
        if self.text_below.is_some_and(|indent| indent < line.indent) {
            self.last = Some(line);
            return;
        }
        if self.is_in_text(line) {
            if let Some(item) = self.header_on(line).filter(|item| self.shaky[*item]) {
                self.drop_from(item, line);
            }
            self.last = Some(line);
            return;
        }
        let opens_text =
            self.tables.words.texts.iter().any(|end| line.text(self.text).ends_with(end.as_bytes()));
        self.text_below = opens_text.then_some(line.indent);
        let start = Range::of_indices(line.content.saturating_sub(1)..line.content + 1);
        if covers(&self.long_tokens, start) {
            // The block around the token continues, unless the token is a comment after that block.
            self.last = if overlaps(&self.comments, start) { self.last } else { Some(line) };
            return;
        }
        if self.is_end_word(line) {
            self.close_by_word(Some(line.end));
        }
        let header = self.header_on(line);
        // Blocks that end with a word, such as `@end`, do not nest. So if such a block starts here while another one is
        // open, the end word of the open block is missing.
        if header.is_some_and(|item| self.ends_by_word(&self.items[item])) {
            self.close_by_word(self.last.map(|last| last.end));
        }
        // A label in one language is a key in another, so a line that may start a definition is not neutral.
        let goes_on = line.is_neutral(self.text) || self.starts_with(line, self.tables.words.goes_on);
        let is_next = line.is_next(self.text) || header.is_some_and(|item| self.is_listed(item));
        let is_neutral = is_next || goes_on && !self.may_open(line);
        if header.is_some() && !is_next || !is_neutral {
            self.close(line);
        } else if self.is_closer(line) {
            self.close_deeper(line);
        }
        match header {
            Some(item) if self.is_misread(item, line, opens_block) => {
                self.drop_from(item, line);
                self.recover(line, opens_block);
            }
            Some(item) => {
                self.complete_name(item, line, opens_block);
                if !self.recover_around(item, line, opens_block) {
                    self.put_back(item, line);
                }
            }
            None => self.recover(line, opens_block),
        }
        self.note_block(line);
        let is_inside = self.open.last().is_some_and(|open| open.indent < line.indent);
        if header.is_some() || is_inside || !is_neutral || self.is_closer(line) {
            self.last = Some(line);
        }
    }

    /// Whether the line starts inside a text, after the opening mark of the text.
    fn is_in_text(&self, line: Line) -> bool {
        let start = Range::of_indices(line.content..line.content + 1);
        let next = self.texts.partition_point(|text| text.end() <= start.start());
        self.texts.get(next).is_some_and(|text| text.start() < start.start())
    }

    /// Whether the item is a member of a list in parentheses. Such a member belongs to the list whatever its
    /// indentation.
    fn is_listed(&self, item: usize) -> bool {
        let item = &self.items[item];
        self.tables.words.listed && item.kind == Some(SymbolKind::Field) && item.parent.is_some()
    }

    /// The outermost item that starts on this line.
    fn header_on(&mut self, line: Line) -> Option<usize> {
        while self.next_start().is_some_and(|start| start < line.content) {
            self.n_passed += 1;
        }
        self.next_start().filter(|&start| start < line.end).map(|_| self.headers[self.n_passed])
    }

    /// Where the next item of the tree starts.
    fn next_start(&self) -> Option<usize> {
        let item = self.headers.get(self.n_passed)?;
        Some(self.items[*item].range.start().index())
    }

    /// Closes the blocks that cannot contain a line with this indentation.
    fn close(&mut self, line: Line) {
        let mut is_spent = false;
        while let Some(&open) = self.open.last().filter(|open| self.is_over(open, line, is_spent)) {
            self.open.pop();
            let is_own_end = self.is_closer(line) && line.indent == open.indent;
            let is_open = open.grows || line.content < self.items[open.item].range.end().index();
            is_spent |= is_own_end && is_open;
            let end = if is_own_end { Some(line.end) } else { self.last.map(|last| last.end) };
            self.end(open, end);
        }
    }

    fn is_closer(&self, line: Line) -> bool {
        line.is_closer(self.text) || self.starts_with(line, self.tables.words.closes)
    }

    /// Whether the line only closes a block.
    fn is_bare_closer(&self, line: Line) -> bool {
        let closer: &[u8] = if self.tables.words.opens.is_empty() { b"}" } else { b"end" };
        line.text(self.text) == closer
    }

    /// Whether the line starts with one of these words.
    fn starts_with(&self, line: Line, words: List<Word>) -> bool {
        let text = line.text(self.text);
        let word = &text[..text.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count()];
        let any_case = self.tables.words.any_case;
        words.iter().any(|known| known.is(word, any_case))
    }

    /// Whether a block has ended at a line. `is_spent` means that a bracket on the line has already closed another
    /// block.
    fn is_over(&self, open: &OpenBlock, line: Line, is_spent: bool) -> bool {
        let item = &self.items[open.item];
        if open.flat.is_some() && line.indent == open.indent {
            return match line.closed_name(self.text) {
                Some(name) => contains_word(name, &self.text[item.name.indices()]),
                None => {
                    let is_bare = self.is_bare_closer(line);
                    is_bare && !is_spent && self.closers.is_empty() && open.flat == Some(0)
                }
            };
        }
        // A header may span several lines, for example with annotations above the name.
        let is_past = item.name.end().index() <= line.content;
        is_past && line.indent <= open.indent && !self.ends_by_word(item) && !self.is_root(open.item)
    }

    /// In a block whose content is not indented, counts the open blocks that are not items.
    fn note_block(&mut self, line: Line) {
        let bytes = line.text(self.text);
        let opens = bytes.ends_with(b"{") || self.starts_with(line, self.tables.words.opens);
        let closes = self.is_bare_closer(line);
        let Some(open) = self.open.last_mut() else { return };
        let name = self.items[open.item].name.end().index();
        // The bracket that opens the item's own block may be on the line after its name.
        let is_own = bytes == b"{" && self.text[name.min(line.content)..line.content].trim_ascii().is_empty();
        let is_level = open.indent == line.indent && name <= line.content && !is_own;
        if let Some(n_blocks) = open.flat.as_mut().filter(|_| is_level) {
            *n_blocks = if closes { n_blocks.saturating_sub(1) } else { *n_blocks + usize::from(opens) };
        }
    }

    /// Whether the item is the root element. It contains all other elements whatever their indentation.
    fn is_root(&self, item: usize) -> bool {
        self.tables.words.has_root && self.open.first().is_some_and(|first| first.item == item)
    }

    /// Whether the block of the item ends with a word, such as `@end`. Members of such a block need not be indented.
    fn ends_by_word(&self, item: &Item) -> bool {
        let may_end_so = matches!(item.kind, None | Some(SymbolKind::Class | SymbolKind::Interface));
        may_end_so && !self.tables.words.end.is_empty()
    }

    /// Closes the block that ends with a word such as `@end`, and all blocks inside it.
    fn close_by_word(&mut self, end: Option<usize>) {
        let is_closed = |open: &OpenBlock| self.ends_by_word(&self.items[open.item]);
        let Some(outermost) = self.open.iter().position(is_closed) else { return };
        while outermost < self.open.len()
            && let Some(open) = self.open.pop()
        {
            let is_outermost = self.open.len() == outermost;
            self.end(open, if is_outermost { end } else { self.last.map(|last| last.end) });
        }
    }

    /// Closes the blocks that are indented more than the line, which starts with a bracket. The bracket may belong to
    /// a header, but in any case these blocks have ended.
    fn close_deeper(&mut self, line: Line) {
        while let Some(open) = self.open.pop_if(|open| line.indent < open.indent) {
            self.end(open, self.last.map(|last| last.end));
        }
    }

    fn close_all(&mut self) {
        while let Some(open) = self.open.pop() {
            self.end(open, self.last.map(|last| last.end));
        }
    }

    fn end(&mut self, open: OpenBlock, end: Option<usize>) {
        let Some(end) = end else { return };
        let item = &mut self.items[open.item];
        self.ends[open.item] = end;
        if open.grows && item.range.end().index() < end {
            item.range = Range::of_indices(item.range.start().index()..end);
        }
    }

    /// Corrects the parent of an item if damage has changed it, and opens the item's block.
    fn put_back(&mut self, item: usize, line: Line) {
        let parent = self.items[item].parent;
        let expected = self.open.last().map(|open| open.item);
        let mut grows = false;
        if parent.is_some_and(|parent| !self.is_listed(item) && self.must_leave(parent, line)) {
            self.move_to(expected, item);
            grows = self.become_free(item, line);
        } else if let Some(open) =
            expected.filter(|&open| parent != Some(open) && self.was_cut_short(open, line))
        {
            self.move_to(Some(open), item);
            self.grow();
            let range = self.items[open].range;
            self.items[open].range = range.cover(self.items[item].range);
        }
        // A declaration that only announces a name has no block. Lines that are indented more belong to the block
        // around.
        if !self.items[item].gives_way {
            self.open(OpenBlock { item, indent: line.indent, grows, flat: self.flat_block(item) });
        }
    }

    /// Marks the block of an item as not indented, if the line shows that and the item is a module. Only modules are
    /// written without indenting their content.
    fn flat_block(&self, item: usize) -> Option<usize> {
        (self.is_flat && self.items[item].frame == Frame::Module).then_some(0)
    }

    fn grow(&mut self) {
        if let Some(open) = self.open.last_mut() {
            open.grows = true;
        }
    }

    /// Corrects the kind of an item that the tree took for a member of a type, but that is not in a type. Returns
    /// whether the item was read again from its line, so that it ends by indentation.
    fn become_free(&mut self, item: usize, line: Line) -> bool {
        let frame = self.items[item].parent.map_or(Frame::File, |parent| self.items[parent].frame);
        let header = self.header_of(line, |rule| rule.within & frame as u8 != 0);
        let item = &mut self.items[item];
        if frame == Frame::Type || !item.qualifier.is_empty() {
            return false;
        }
        match (item.kind, header) {
            (Some(SymbolKind::Method), _) => {
                item.kind = Some(SymbolKind::Function);
                false
            }
            (Some(SymbolKind::Field), Some(header)) if header.name == item.name => {
                let range = Range::of_indices(line.content..line.end);
                *item = recovered(header, range, item.parent);
                true
            }
            _ => false,
        }
    }

    /// Moves an item that starts on the current line to another parent. The other names of its declaration move too.
    fn move_to(&mut self, parent: Option<usize>, item: usize) {
        let (before, range) = (self.items[item].parent, self.items[item].range);
        for &other in &self.headers[self.n_passed..] {
            if self.items[other].range != range || self.items[other].parent != before {
                break;
            }
            self.items[other].parent = parent;
        }
    }

    /// Opens the block of an item, if it can have one. A macro, alias, field or enum member has no members.
    fn open(&mut self, open: OpenBlock) {
        let is_leaf = matches!(
            self.items[open.item].kind,
            Some(SymbolKind::Macro | SymbolKind::Type | SymbolKind::Field | SymbolKind::EnumMember)
        );
        // Several steps look at all open blocks, so blocks that are nested deeper than in any real source are left out.
        if !is_leaf && self.open.len() < DEEPEST {
            self.open.push(open);
        }
    }

    fn is_end_word(&self, line: Line) -> bool {
        let end = self.tables.words.end;
        !end.is_empty() && line.text(self.text).starts_with(end.as_bytes())
    }

    /// Whether the line is not indented more than the damaged block that contains it in the tree. Then it does not
    /// belong to that block. Namespaces are an exception: their members are often not indented.
    fn must_leave(&self, parent: usize, line: Line) -> bool {
        let item = &self.items[parent];
        if self.ends_by_word(item) {
            return self.shaky[parent] && !self.open.iter().any(|open| open.item == parent);
        }
        let is_past = item.name.end().index() <= line.content;
        let indents = || item.frame != Frame::Module || self.indents_members(parent);
        let may_leave = self.shaky[parent] && is_past && !self.is_root(parent) && !line.is_next(self.text);
        may_leave && line.indent <= self.indent_at(item.range.start()) && indents()
    }

    /// Whether the first member of a module is indented more than the module.
    fn indents_members(&self, module: usize) -> bool {
        // Parents come before their members, so the first member is the next item.
        let member = self.items.get(module + 1).filter(|next| next.parent == Some(module));
        let indent = self.indent_at(self.items[module].range.start());
        member.is_some_and(|member| indent < self.indent_at(member.range.start()))
    }

    /// Drops selectors that span several lines in damaged text. They are the text between two rules.
    fn drop_long_names(&mut self) {
        for (index, item) in self.items.iter().enumerate().filter(|(index, _)| self.shaky[*index]) {
            if item.kind == Some(SymbolKind::Selector) && is_long(&self.text[item.name.indices()]) {
                self.dropped.insert(index);
            }
        }
    }

    /// Cuts items that in the tree extend over later items, if indentation shows that the later items are outside them.
    fn cut(&mut self) {
        let mut starts: Vec<(usize, usize)> = Vec::with_capacity(self.items.len());
        starts.extend(self.items.iter().enumerate().map(|(index, item)| (item.range.start().index(), index)));
        starts.sort_unstable();
        for index in 0..self.items.len() {
            let (item, end) = (&self.items[index], self.ends[index]);
            let next = starts[starts.partition_point(|&(start, _)| start < end)..].first();
            let runs_over = next.is_some_and(|&(start, next)| {
                start < item.range.end().index() && !self.holds(index, next) && item.name.end().index() <= end
            });
            if self.shaky[index] && runs_over {
                self.items[index].range = Range::of_indices(item.range.start().index()..end);
            }
        }
    }

    /// Whether `outer` contains `inner`. Only a few levels are checked, so that deep nesting does not make this slow.
    fn holds(&self, outer: usize, inner: usize) -> bool {
        let around = std::iter::successors(Some(inner), |&item| self.items[item].parent);
        around.take(8).any(|item| item == outer)
    }

    /// Whether damage ended a type or module too early in the tree: there is an error in it, or it ends with a bracket
    /// that belongs to something deeper, or a later bracket names it.
    fn was_cut_short(&self, open: usize, line: Line) -> bool {
        let item = &self.items[open];
        // Keys, selectors and elements contain other items, too. Variables do not.
        let is_nest = matches!(item.kind, Some(SymbolKind::Key | SymbolKind::Selector | SymbolKind::Element));
        let holds = matches!(item.frame, Frame::Type | Frame::Module) || is_nest;
        let is_before = item.range.end().index() <= line.content;
        holds && is_before && {
            let region = Range::of_indices(item.range.start().index()..line.content);
            overlaps(&self.damage, region)
                || self.indent_at(item.range.start()) < self.indent_at(item.range.end())
                || self.is_closed_later(item, line)
        }
    }

    /// Whether a bracket after the line closes the module `item`, as its comment says, while the bracket that closes
    /// the module in the tree has no such comment.
    fn is_closed_later(&self, item: &Item, line: Line) -> bool {
        let name = &self.text[item.name.indices()];
        let names =
            |closer: &&Line| closer.closed_name(self.text).is_some_and(|closed| contains_word(closed, name));
        let end = item.range.end().index();
        let mut closers = self.closers.iter().filter(names).filter(|closer| end <= closer.end);
        let Some(closer) = closers.next().filter(|closer| line.content < closer.content) else {
            return false;
        };
        // The bracket may close another module with the same name.
        let is_other = |other: &Item| {
            let start = other.name.start().index();
            end <= start && start < closer.content && &self.text[other.name.indices()] == name
        };
        item.frame == Frame::Module && !self.items.iter().any(is_other)
    }

    fn indent_at(&self, offset: Offset) -> usize {
        let start = line_start(self.text, offset.index());
        lines(&self.text[start..], self.tables.words.bullets.get()).next().map_or(0, |line| line.indent)
    }
}
