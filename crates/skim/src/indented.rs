//! The symbols of a text in which indentation shows what contains what.
//!
//! Makes one pass over the logical lines. Only the lines that may declare something are examined further.

mod line;
mod targets;

use locant_text::{Offset, Range};
use locant_tree::{Attachable, Attached, Frame, Item, SymbolKind};

use crate::bytes::{has_word, word};
use crate::finish::Words;
use crate::item::Findings;
use line::{Line, Lines};
use targets::targets;

/// How a language of this kind is written.
#[derive(Debug)]
pub(crate) struct Indented {
    /// The word that opens a function, and a word that may come before it.
    pub(crate) function: &'static str,
    pub(crate) before_function: &'static str,
    pub(crate) class: &'static str,
    /// The word that opens the declaration of a type. Elsewhere it is an ordinary name.
    pub(crate) alias: &'static str,
    /// The byte at the start of a line that belongs to the declaration below it.
    pub(crate) decorator: u8,
    /// Words such as `if`, which open a header that ends with a colon. A statement may follow on the same line.
    pub(crate) compound: &'static [&'static str],
    /// Words such as `match`, which open a header, but can also be ordinary names. If there is a colon on their line,
    /// the reader is not sure.
    pub(crate) unsure: &'static [&'static str],
    /// Words after which a statement goes on, though the line ends.
    pub(crate) unfinished: &'static [&'static str],
    /// Words that are not names, though they may be where a name is expected.
    pub(crate) no_names: &'static [&'static str],
    /// Words such as `return`. If a body starts with such a word and a string, `locant-lang` takes the string for its
    /// documentation.
    pub(crate) before_text: &'static [&'static str],
    /// Words that several expressions may follow. If a body starts with such a word, `locant-lang` takes the first
    /// string among the expressions for its documentation.
    pub(crate) before_texts: &'static [&'static str],
    /// Words of expressions that contain a colon.
    pub(crate) with_colon: &'static [&'static str],
    /// Words that open a loop.
    pub(crate) loops: &'static [&'static str],
    /// If the body of a function has none of these words, `locant-lang` does not search it for declarations, and
    /// ignores the comments in it.
    pub(crate) declares: &'static [&'static str],
    pub(crate) words: Words,
}

/// What is found in a text; `None` if the reader is not sure.
pub(crate) fn read(text: &[u8], table: &'static Indented) -> Option<Findings> {
    let lines = Lines::new(text, table);
    let file = Block { indent: 0, owner: None, frame: Frame::File, opens: None };
    let mut reader = Reader {
        text,
        table,
        lines,
        found: Findings::default(),
        blocks: vec![file],
        header: None,
        docs_of: None,
        last_end: 0,
        has_comment: false,
        pending: Vec::new(),
    };
    reader.read()?;
    Some(reader.found)
}

struct Reader<'a> {
    text: &'a [u8],
    table: &'static Indented,
    lines: Lines<'a>,
    found: Findings,
    /// The blocks around the current line, the innermost last. Invariant: the first one is the file.
    blocks: Vec<Block>,
    /// The block that the last line opens, if it opens one.
    header: Option<Block>,
    /// The item whose body starts with the next statement.
    docs_of: Option<usize>,
    /// Where the last statement ends, including a comment after it on its line.
    last_end: usize,
    /// Whether the last statement has a comment after it on its line, and `locant-lang` does not ignore this comment.
    has_comment: bool,
    /// The comments after the last statement that are on lines of their own.
    pending: Vec<Comment>,
}

#[derive(Clone, Copy)]
struct Block {
    indent: usize,
    owner: Option<usize>,
    frame: Frame,
    /// The item that ends where the block ends.
    opens: Option<usize>,
}

struct Comment {
    range: Range,
    indent: usize,
}

impl Reader<'_> {
    fn read(&mut self) -> Option<()> {
        let mut at = 0;
        while at < self.text.len() {
            let (start, indent) = self.lines.indent(at);
            match self.text.get(start) {
                None => break,
                Some(b'\n') => at = start + 1,
                Some(b'#') => {
                    let end = self.lines.comment_end(start);
                    self.pending.push(Comment { range: Range::of_indices(start..end), indent });
                    at = end;
                }
                Some(_) => {
                    self.enter(indent)?;
                    let line = self.lines.read(start)?;
                    self.logical_line(start, &line)?;
                    at = line.next;
                }
            }
        }
        if self.header.is_some() {
            return None;
        }
        self.leave(0);
        Some(())
    }

    /// Opens and closes blocks before a line with this indentation.
    fn enter(&mut self, indent: usize) -> Option<()> {
        let current = self.blocks.last()?.indent;
        if let Some(header) = self.header.take() {
            self.show_comments(0);
            self.blocks.push(Block { indent, ..header });
            return (indent > current).then_some(());
        }
        self.leave(indent);
        (self.blocks.last()?.indent == indent).then_some(())
    }

    /// Closes the blocks that are indented more than this.
    fn leave(&mut self, indent: usize) {
        let mut n_hidden = 0;
        while let Some(block) = self.blocks.pop_if(|block| block.indent > indent) {
            let n_inside = self.pending.iter().take_while(|comment| comment.indent >= block.indent).count();
            let last = n_inside.checked_sub(1).map(|last| self.pending[last].range.end().index());
            let end = last.unwrap_or(self.last_end);
            let Some(item) = block.opens else { continue };
            self.end_item(item, end);
            if self.is_barren(item, end, n_inside) {
                n_hidden = n_hidden.max(n_inside);
            }
        }
        self.show_comments(n_hidden);
    }

    fn end_item(&mut self, item: usize, end: usize) {
        let range = &mut self.found.items[item].range;
        *range = Range::new(range.start(), Offset::of_index(end));
    }

    /// Whether `locant-lang` does not search the body of an item for declarations, and so ignores the comments at its
    /// end.
    fn is_barren(&mut self, item: usize, end: usize, n_comments: usize) -> bool {
        let item = &self.found.items[item];
        let ends_in_comment = n_comments > 0 || self.has_comment;
        let Some(body) = item.body.filter(|_| item.frame == Frame::Function && ends_in_comment) else {
            return false;
        };
        let body = &self.text[body.index()..end];
        let is_barren = body.len() <= MAX_BODY && !has_word(body, self.table.declares);
        if is_barren && self.has_comment {
            self.found.attachables.pop();
            self.has_comment = false;
        }
        is_barren
    }

    /// Adds the pending comments to the findings, except the first `n_hidden` of them.
    fn show_comments(&mut self, n_hidden: usize) {
        let shown = self.pending.drain(..).skip(n_hidden);
        let attachable = |comment: Comment| Attachable { range: comment.range, attached: Attached::Comment };
        self.found.attachables.extend(shown.map(attachable));
    }

    fn logical_line(&mut self, start: usize, line: &Line) -> Option<()> {
        self.last_end = line.comment.map_or(line.end, |comment| comment.end().index());
        self.has_comment = line.comment.is_some();
        if self.text[start] == self.table.decorator {
            let range = Range::of_indices(start..self.last_end);
            self.found.attachables.push(Attachable { range, attached: Attached::Decorator });
            self.has_comment = false;
            return Some(());
        }
        if let Some(item) = self.docs_of.take() {
            if self.is_loop_over_text(start, line) {
                return None;
            }
            self.found.items[item].body = Some(Offset::of_index(start));
            self.found.items[item].docs = self.doc_string(start, line.end);
        }
        self.statement(start, line)?;
        let shown = line.comment.filter(|_| self.has_comment);
        let comment = shown.map(|range| Attachable { range, attached: Attached::Comment });
        self.found.attachables.extend(comment);
        Some(())
    }

    fn statement(&mut self, start: usize, line: &Line) -> Option<()> {
        let first = self.word_at(start);
        let block = *self.blocks.last()?;
        if first == self.table.function.as_bytes() {
            return self.declare(start, start + first.len(), line, SymbolKind::Function);
        }
        if first == self.table.class.as_bytes() {
            return self.declare(start, start + first.len(), line, SymbolKind::Class);
        }
        if first == self.table.before_function.as_bytes() {
            let next = self.skip_blanks(start + first.len());
            let second = self.word_at(next);
            if second == self.table.function.as_bytes() {
                return self.declare(start, next + second.len(), line, SymbolKind::Function);
            }
        }
        if line.opens_block {
            // In any other line that ends with a colon, the colon comes before a type, which the grammar takes from the
            // next line.
            let is_header =
                self.is_among(start, self.table.compound) || self.is_among(start, self.table.unsure);
            self.header = Some(Block { opens: None, ..block });
            return is_header.then_some(());
        }
        if first == self.table.alias.as_bytes() {
            self.alias(start, line.end)?;
        }
        if block.frame != Frame::Function {
            self.simple_statements(start, line.end)?;
        }
        Some(())
    }

    /// Reads a function or class. Its name comes after `after`.
    fn declare(&mut self, start: usize, after: usize, line: &Line, kind: SymbolKind) -> Option<()> {
        let name_start = self.skip_blanks(after);
        let name = self.word_at(name_start);
        let is_name = name_start > after && !name.first()?.is_ascii_digit();
        if !is_name || self.table.no_names.iter().any(|word| word.as_bytes() == name) {
            return None;
        }
        let name_range = Range::of_indices(name_start..name_start + name.len());
        let owner = self.blocks.last()?.owner;
        let range = Range::of_indices(start..self.last_end);
        let item = Item::new(kind, name_range, range, owner);
        let frame = item.frame;
        let index = self.found.items.len();
        self.found.items.push(item);
        let block = Block { indent: 0, owner: Some(index), frame, opens: Some(index) };
        if line.opens_block {
            // If there is a colon before the last one, the body starts on this line.
            if self.lines.find(name_range.end().index(), line.end, b':')? + 1 != line.end {
                return None;
            }
            self.header = Some(block);
            self.docs_of = Some(index);
            return Some(());
        }
        self.inline_body(index, name_range.end().index(), line.end)
    }

    /// Reads a body that is on the same line as its header.
    fn inline_body(&mut self, item: usize, from: usize, end: usize) -> Option<()> {
        let colon = self.lines.find(from, end, b':')?;
        let body = self.skip_blanks(colon + 1);
        self.found.items[item].body = Some(Offset::of_index(body));
        self.found.items[item].docs = self.doc_string(body, end);
        let Item { frame, .. } = self.found.items[item];
        if frame == Frame::Function {
            // `locant-lang` searches the body only if it has one of the words in `declares`. If it does not search the
            // body, it ignores the comment after it, too.
            self.has_comment &= has_word(&self.text[body..self.last_end], self.table.declares);
            return (self.word_at(body) != self.table.alias.as_bytes()).then_some(());
        }
        let around = *self.blocks.last()?;
        self.blocks.push(Block { indent: around.indent, owner: Some(item), frame, opens: None });
        self.simple_statements(body, end)?;
        self.blocks.pop();
        Some(())
    }

    /// `type A = …`.
    fn alias(&mut self, start: usize, end: usize) -> Option<()> {
        let after = start + self.table.alias.len();
        let name_start = self.skip_blanks(after);
        let name = self.word_at(name_start);
        let next = self.skip_blanks(name_start + name.len());
        let is_alias = match self.text.get(next..end)? {
            [b'=', b'=', ..] => false,
            [b'=' | b'[', ..] => !self.table.no_names.iter().any(|word| word.as_bytes() == name),
            _ => false,
        };
        if name.is_empty() || name_start == after || !is_alias {
            return Some(());
        }
        // It is not certain whether the declaration ends before a semicolon.
        if self.lines.find(start, end, b';').is_some() {
            return None;
        }
        let name = Range::of_indices(name_start..name_start + name.len());
        let owner = self.blocks.last()?.owner;
        self.found.items.push(Item::new(SymbolKind::Type, name, Range::of_indices(start..end), owner));
        Some(())
    }

    /// Reads the statements on one line, in a place where assignments declare names.
    fn simple_statements(&mut self, start: usize, end: usize) -> Option<()> {
        let mut start = self.after_compound(start, end)?;
        if self.is_among(start, self.table.unsure) && self.lines.find(start, end, b':').is_some() {
            return None;
        }
        while start < end {
            let stop = match memchr::memchr(b';', &self.text[start..end]) {
                Some(_) => self.lines.find(start, end, b';').unwrap_or(end),
                None => end,
            };
            self.assignment(start, stop)?;
            start = self.skip_blanks((stop + 1).min(end));
        }
        Some(())
    }

    /// Where the statement after a header such as `if x:` starts.
    fn after_compound(&self, mut start: usize, end: usize) -> Option<usize> {
        while self.is_among(start, self.table.compound) {
            let colon = self.lines.find(start, end, b':')?;
            // The colon may belong to an expression.
            if has_word(&self.text[start..colon], self.table.with_colon) {
                return None;
            }
            start = self.skip_blanks(colon + 1);
        }
        Some(start.min(end))
    }

    fn is_among(&self, at: usize, words: &[&str]) -> bool {
        let own = self.word_at(at);
        words.iter().any(|word| word.as_bytes() == own)
    }

    fn assignment(&mut self, start: usize, end: usize) -> Option<()> {
        let first = self.word_at(start);
        if self.table.no_names.iter().any(|word| word.as_bytes() == first) {
            return Some(());
        }
        let Block { owner, frame, .. } = *self.blocks.last()?;
        let end = start + self.text[start..end].trim_ascii_end().len();
        let range = Range::of_indices(start..end);
        for names in targets(&self.lines, start, end)? {
            let is_constant = |name: &Range| frame == Frame::File && self.is_upper(*name);
            let (constants, variables): (Vec<Range>, Vec<Range>) = names.into_iter().partition(is_constant);
            for (kind, names) in [(SymbolKind::Constant, constants), (SymbolKind::Variable, variables)] {
                let item = |name| Item { first_only: true, ..Item::new(kind, name, range, owner) };
                self.found.items.extend(names.into_iter().map(item));
            }
        }
        Some(())
    }

    /// Whether a name has no small letters.
    fn is_upper(&self, name: Range) -> bool {
        let name = &self.text[name.indices()];
        !name.iter().any(u8::is_ascii_lowercase) && name.iter().any(u8::is_ascii_uppercase)
    }

    /// Whether a line is like `for c in "abc":`, where `locant-lang` takes the string for documentation.
    fn is_loop_over_text(&self, start: usize, line: &Line) -> bool {
        let header = self.text[start..line.end].trim_ascii_end();
        line.opens_block
            && self.table.loops.iter().any(|word| word.as_bytes() == self.word_at(start))
            && matches!(header, [.., b'"' | b'\'', b':'])
    }

    /// The string that `locant-lang` takes for documentation, if a body starts with this statement.
    fn doc_string(&self, start: usize, end: usize) -> Option<Range> {
        let first = self.word_at(start);
        let is_among = |words: &[&str]| words.iter().any(|word| word.as_bytes() == first);
        let after = self.skip_blanks(start + first.len());
        if is_among(self.table.before_text) {
            return self.whole_text(after, end, b"");
        }
        if is_among(self.table.before_texts) {
            return self.first_text(after, end);
        }
        self.whole_text(start, end, b",")
    }

    /// The first string among several expressions.
    fn first_text(&self, mut start: usize, end: usize) -> Option<Range> {
        while start < end {
            let stop = self.lines.find(start, end, b',').unwrap_or(end);
            let is_blank = |byte: &&u8| byte.is_ascii_whitespace() || **byte == b'\\';
            let n_blanks = self.text[start..stop].iter().take_while(is_blank).count();
            if let Some(text) = self.whole_text(start + n_blanks, stop, b"") {
                return Some(text);
            }
            start = stop + 1;
        }
        None
    }

    /// The string that starts here, if it is followed by nothing, or by `;` or one of these marks.
    fn whole_text(&self, start: usize, end: usize, marks: &[u8]) -> Option<Range> {
        if start >= end {
            return None;
        }
        let quote = start + word(&self.text[start..end]).min(MAX_PREFIX);
        if !matches!(self.text.get(quote), Some(b'"' | b'\'')) {
            return None;
        }
        let string_end = self.lines.string_end(quote)?;
        let rest = self.text.get(string_end..end)?.trim_ascii_start();
        let is_over = rest.first().is_none_or(|mark| *mark == b';' || marks.contains(mark));
        is_over.then(|| Range::of_indices(start..string_end))
    }

    fn word_at(&self, at: usize) -> &'_ [u8] {
        let rest = self.text.get(at..).unwrap_or_default();
        &rest[..word(rest)]
    }

    fn skip_blanks(&self, at: usize) -> usize {
        let rest = self.text.get(at..).unwrap_or_default();
        at + rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
    }
}

/// `locant-lang` always searches bodies that are longer than this.
const MAX_BODY: usize = 1 << 16;

/// The most letters that come before the quote of a string.
const MAX_PREFIX: usize = 3;
