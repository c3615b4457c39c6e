//! The blocks of a text according to its brackets, even if the grammar reads the text in another way.
//!
//! In the C family, a macro may occur where the grammar does not expect one, and the tree after it is then a guess. The
//! brackets are reliable: if they match, they show which namespace or type contains a declaration. In a conditional
//! (`#if`), every branch starts with the brackets that are open before the conditional. The first branch decides which
//! brackets are open after it.

use std::ops::Range;

use locant_tree::SymbolKind;

use crate::bytes::{is_word, string, token, word};
use crate::header::{Header, Part, header, is_capital};
use crate::mask::directive;
use crate::table::Words;

/// The declarations of a text and its blocks. A block contains declarations, or it is a part of a declaration, such as
/// the body of a function.
pub(crate) struct Blocks {
    /// In the order in which they open.
    pub(crate) blocks: Vec<Block>,
    /// In the order in which they start.
    pub(crate) statements: Vec<Statement>,
}

pub(crate) struct Block {
    pub(crate) header: Header,
    /// Where its statement starts.
    pub(crate) start: usize,
    /// Where the opening and the closing bracket are.
    pub(crate) open: usize,
    pub(crate) close: usize,
    pub(crate) parent: Option<usize>,
    /// The other branches of the conditional in which the block opens. They are between its brackets but not part of
    /// it.
    holes: Vec<Range<usize>>,
    /// For a block in a branch that does not count: the innermost block that the first branch left open. It contains
    /// the text after this block.
    after: Option<usize>,
}

/// A declaration, or the text between two declarations.
pub(crate) struct Statement {
    pub(crate) range: Range<usize>,
    pub(crate) parts: Vec<Part>,
    /// The block that contains it.
    pub(crate) block: Option<usize>,
}

impl Block {
    fn has(&self, at: usize) -> bool {
        at <= self.close && !self.holes.iter().any(|hole| hole.contains(&at))
    }
}

impl Blocks {
    /// The blocks of a text. `None` if the language has no words that open blocks, if the brackets do not match, if a
    /// raw string is not closed, or if the nesting is too deep.
    pub(crate) fn of(text: &[u8], words: &Words) -> Option<Blocks> {
        if words.blocks.is_empty() {
            return None;
        }
        let found = Blocks { blocks: Vec::new(), statements: Vec::new() };
        let state = State::default();
        let mut scan =
            Scan { text, words, found, state, conditionals: Vec::new(), starts_line: true, unclosed: 0 };
        let mut at = 0;
        while at < text.len() {
            at += scan.step(at)?;
        }
        scan.end_statement(text.len());
        let is_whole = scan.state.open.is_empty() && scan.conditionals.is_empty();
        let Blocks { blocks, mut statements } = scan.found;
        statements.sort_by_key(|statement| statement.range.start);
        is_whole.then_some(Blocks { blocks, statements })
    }

    /// The innermost block around a place.
    pub(crate) fn around(&self, at: usize) -> Option<usize> {
        let n_before = self.blocks.partition_point(|block| block.open < at);
        let mut next = n_before.checked_sub(1);
        // Each of these links leads to a block that opens earlier, so the loop ends.
        while let Some(block) = next.map(|block| &self.blocks[block]).filter(|block| !block.has(at)) {
            next = if block.close < at { block.after.or(block.parent) } else { block.parent };
        }
        next
    }
}

/// How many parts of a declaration are kept, and how deep brackets or conditionals may be nested.
const MOST_PARTS: usize = 256;

struct Scan<'a> {
    text: &'a [u8],
    words: &'a Words,
    found: Blocks,
    state: State,
    conditionals: Vec<Conditional>,
    starts_line: bool,
    /// An unclosed template parameter list was read up to here.
    unclosed: usize,
}

/// The brackets that are open at a place, and the statement that has started there.
#[derive(Clone, Default)]
struct State {
    open: Vec<OpenBracket>,
    /// Where the current statement starts, if one has started. Its parts are in `parts`.
    start: Option<usize>,
    parts: Vec<Part>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum OpenBracket {
    /// A block among declarations.
    Block {
        block: usize,
        holds_declarations: bool,
    },
    /// A block inside a function or a value.
    Inner,
    /// A parenthesis, and its offset.
    Round(usize),
    Square,
}

/// A conditional (`#if` … `#endif`). Only one of its branches counts.
struct Conditional {
    before: State,
    /// The state at the end of the branch that counts, which is the first one that is not `#if 0`.
    first: Option<State>,
    is_dead: bool,
    /// How many blocks there are before the conditional.
    n_before: usize,
    /// Where the branch after the one that counts starts, and how many blocks there are before it.
    second: Option<(usize, usize)>,
}

impl Scan<'_> {
    /// Reads one token and returns its length. `None` if a `}` closes nothing, if a raw string is not closed, or if
    /// too many brackets or conditionals are open.
    fn step(&mut self, at: usize) -> Option<usize> {
        let rest = &self.text[at..];
        let starts_line = std::mem::replace(&mut self.starts_line, false);
        Some(match rest[0] {
            b'\n' | b'\r' => {
                self.starts_line = true;
                1
            }
            b' ' | b'\t' => {
                self.starts_line = starts_line;
                1
            }
            b'#' if starts_line || at == 0 => {
                let length = directive(rest);
                self.condition(at, &rest[1..length])?;
                length
            }
            b'/' if token(rest) > 1 => token(rest),
            b'"' => {
                self.part(at, Part::Text);
                if is_raw(&self.text[..at]) { raw_string(rest)? } else { token(rest) }
            }
            b'\'' => char_literal(rest),
            b'{' => self.open(at).map(|()| 1)?,
            b'}' => self.close(at).map(|()| 1)?,
            b'(' => {
                self.push(OpenBracket::Round(at))?;
                1
            }
            b'[' => self.push(OpenBracket::Square).map(|()| 1)?,
            b')' => self.close_round(at),
            b']' => {
                self.state.open.pop_if(|open| *open == OpenBracket::Square);
                1
            }
            b';' if self.is_among_declarations() => {
                self.end_statement(at + 1);
                1
            }
            byte if is_word(byte) => self.word(at, rest),
            byte => self.mark(at, byte, rest),
        })
    }

    fn push(&mut self, open: OpenBracket) -> Option<()> {
        self.state.open.push(open);
        (self.state.open.len() < MOST_PARTS).then_some(())
    }

    /// Whether a declaration may be at the current place.
    fn is_among_declarations(&self) -> bool {
        matches!(self.state.open.last(), None | Some(OpenBracket::Block { holds_declarations: true, .. }))
    }

    fn block_around(&self) -> Option<usize> {
        self.state.open.iter().rev().find_map(block_of)
    }

    fn part(&mut self, at: usize, part: Part) {
        if self.is_among_declarations() {
            self.state.start.get_or_insert(at);
            if self.state.parts.len() < MOST_PARTS {
                self.state.parts.push(part);
            }
        }
    }

    fn end_statement(&mut self, end: usize) {
        let parts = std::mem::take(&mut self.state.parts);
        if let Some(start) = self.state.start.take() {
            let block = self.block_around();
            self.found.statements.push(Statement { range: start..end, parts, block });
        }
    }

    fn open(&mut self, at: usize) -> Option<()> {
        if !self.is_among_declarations() {
            return self.push(OpenBracket::Inner);
        }
        let start = *self.state.start.get_or_insert(at);
        let header = header(self.text, &self.state.parts, self.words);
        let holds_declarations = !matches!(header, Header::Function | Header::Other);
        let block = self.found.blocks.len();
        let parent = self.block_around();
        if holds_declarations {
            self.end_statement(at);
        }
        self.found.blocks.push(Block {
            header,
            start,
            open: at,
            close: self.text.len(),
            parent,
            holes: Vec::new(),
            after: None,
        });
        self.push(OpenBracket::Block { block, holds_declarations })
    }

    fn close(&mut self, at: usize) -> Option<()> {
        self.end_inner_statement(at);
        loop {
            match self.state.open.pop()? {
                OpenBracket::Round(_) | OpenBracket::Square => {}
                OpenBracket::Inner => return Some(()),
                OpenBracket::Block { block, .. } => {
                    self.found.blocks[block].close = at;
                    self.after_block(block, at + 1);
                    return Some(());
                }
            }
        }
    }

    fn end_inner_statement(&mut self, at: usize) {
        if self.is_among_declarations() {
            self.end_statement(at);
        }
    }

    /// Handles the text after a block. A function ends with its body, and a namespace has no statement to end. A type
    /// or value continues to its semicolon.
    fn after_block(&mut self, block: usize, end: usize) {
        let next = self.text[end..].trim_ascii_start().first();
        let block = &self.found.blocks[block];
        match &block.header {
            Header::Function if !matches!(next, Some(b',' | b'{' | b'.' | b')')) => self.end_statement(end),
            Header::Function | Header::Other => {}
            Header::Named { kind: SymbolKind::Module, .. } | Header::Clear => {}
            // The header was already added as a statement. The text after the body belongs to the same declaration.
            Header::Named { .. } | Header::Nameless => {
                self.state.start = Some(block.start);
                if next != Some(&b';') {
                    self.state.parts.push(Part::Body);
                }
            }
        }
    }

    fn close_round(&mut self, at: usize) -> usize {
        if let Some(&OpenBracket::Round(start)) = self.state.open.last() {
            self.state.open.pop();
            self.part(start, Part::Group(start..at + 1));
            if self.is_alone(at + 1) {
                self.end_statement(at + 1);
            }
        }
        1
    }

    /// Whether a macro call that ends at `end` is alone on its line, so that a new statement follows.
    fn is_alone(&self, end: usize) -> bool {
        let rest = &self.text[end..];
        let gap = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
        let is_macro = || match self.state.parts.as_slice() {
            [Part::Word(word), Part::Group(_)] => is_capital(&self.text[word.clone()]),
            _ => false,
        };
        rest.get(gap) == Some(&b'\n')
            && self.is_among_declarations()
            && is_macro()
            && !matches!(rest.trim_ascii_start().first(), Some(b'{' | b':' | b';'))
    }

    fn word(&mut self, at: usize, rest: &[u8]) -> usize {
        let length = word(rest);
        let among = self.is_among_declarations();
        match &rest[..length] {
            b"operator" if among => {
                let length = operator(rest);
                self.part(at, Part::Word(at..at + rest[..length].trim_ascii_end().len()));
                length
            }
            b"template" if among => {
                self.part(at, Part::Word(at..at + length));
                length + self.parameters(at, &rest[length..])
            }
            _ => {
                self.part(at, Part::Word(at..at + length));
                length
            }
        }
    }

    /// The length of a template's parameter list. Inside an unclosed list, no other list is searched for.
    fn parameters(&mut self, at: usize, rest: &[u8]) -> usize {
        if at < self.unclosed {
            return 0;
        }
        match angles(rest) {
            Ok(length) => length,
            Err(looked_at) => {
                self.unclosed = at + looked_at;
                0
            }
        }
    }

    fn mark(&mut self, at: usize, byte: u8, rest: &[u8]) -> usize {
        if rest.starts_with(b"::") {
            self.part(at, Part::Mark(b'q', at));
            return 2;
        }
        if byte == b':' && self.is_among_declarations() && self.is_label() {
            self.state.parts.clear();
            self.state.start = None;
            return 1;
        }
        self.part(at, Part::Mark(byte, at));
        1
    }

    /// Whether the current statement is a label between members: `public Q_SLOTS:`, `signals:`.
    fn is_label(&self) -> bool {
        match self.state.parts.as_slice() {
            [Part::Word(_)] => true,
            [Part::Word(first), Part::Word(_)] => {
                matches!(&self.text[first.clone()], b"public" | b"private" | b"protected")
            }
            _ => false,
        }
    }

    fn condition(&mut self, at: usize, directive: &[u8]) -> Option<()> {
        let directive = directive.trim_ascii_start();
        let (name, rest) = directive.split_at(word(directive));
        match name {
            b"if" | b"ifdef" | b"ifndef" => {
                let is_dead = name == b"if" && rest.trim_ascii() == b"0";
                let n_before = self.found.blocks.len();
                let conditional =
                    Conditional { before: self.state.clone(), first: None, is_dead, n_before, second: None };
                self.conditionals.push(conditional);
            }
            b"elif" | b"else" | b"elifdef" | b"elifndef" => {
                let Some(conditional) = self.conditionals.last_mut() else { return Some(()) };
                let branch = std::mem::replace(&mut self.state, conditional.before.clone());
                let is_dead = std::mem::replace(&mut conditional.is_dead, false);
                if conditional.first.is_none() && !is_dead {
                    conditional.first = Some(branch);
                    conditional.second = Some((at, self.found.blocks.len()));
                } else {
                    self.leave(branch, at);
                }
            }
            b"endif" => {
                let Some(Conditional { before, first, is_dead, n_before, second }) = self.conditionals.pop()
                else {
                    return Some(());
                };
                if let Some(state) = first.or_else(|| is_dead.then_some(before)) {
                    let branch = std::mem::replace(&mut self.state, state);
                    self.leave(branch, at);
                }
                self.part_branches(n_before, second, at);
            }
            _ => {}
        }
        (self.conditionals.len() < MOST_PARTS).then_some(())
    }

    /// In the blocks that the first branch left open, marks the other branches as holes.
    fn part_branches(&mut self, n_before: usize, second: Option<(usize, usize)>, end: usize) {
        let Some((start, n_blocks)) = second else { return };
        let open: Vec<usize> = self.state.open.iter().filter_map(block_of).collect();
        let goes_on = open.last().copied().filter(|&block| block < n_blocks);
        for block in open.into_iter().filter(|&block| n_before <= block) {
            self.found.blocks[block].holes.push(start..end);
        }
        for block in &mut self.found.blocks[n_blocks..] {
            if block.parent.is_none_or(|parent| parent < n_blocks) {
                block.after = goes_on;
            }
        }
    }

    /// Records that the blocks that `branch` left open end at `at`. `branch` is a branch that does not count.
    fn leave(&mut self, branch: State, at: usize) {
        let n_common =
            branch.open.iter().zip(&self.state.open).take_while(|(one, other)| one == other).count();
        for open in &branch.open[n_common..] {
            if let OpenBracket::Block { block, .. } = open {
                self.found.blocks[*block].close = at;
            }
        }
    }
}

fn block_of(open: &OpenBracket) -> Option<usize> {
    match open {
        OpenBracket::Block { block, .. } => Some(*block),
        _ => None,
    }
}

/// Whether a quote after this text opens a raw string: `R"x(…)x"`.
fn is_raw(front: &[u8]) -> bool {
    let length = front.iter().rev().take(4).take_while(|byte| is_word(**byte)).count();
    matches!(&front[front.len() - length..], b"R" | b"uR" | b"UR" | b"LR" | b"u8R")
}

/// The length of the raw string whose quote the text starts with, if it is closed.
fn raw_string(text: &[u8]) -> Option<usize> {
    let open = text.iter().take(20).position(|byte| *byte == b'(')?;
    let close = [b")", &text[1..open], b"\""].concat();
    memchr::memmem::find(&text[open..], &close).map(|at| open + at + close.len())
}

/// The length of a character in single quotes. A quote that is not closed nearby separates the digits of a number:
/// `1'000`.
fn char_literal(text: &[u8]) -> usize {
    let near = &text[..text.len().min(12)];
    let length = string(near, b'\'');
    let is_closed = length > 1 && near[length - 1] == b'\'' && !near[..length].contains(&b'\n');
    if is_closed { length } else { 1 }
}

/// The length of the operator name that the text starts with, up to its parameters.
fn operator(text: &[u8]) -> usize {
    let name = b"operator".len();
    let gap = text[name..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let own = if text[name + gap..].starts_with(b"()") { gap + 2 } else { 0 };
    let rest = &text[name + own..text.len().min(name + own + MOST_PARTS)];
    let end = rest.iter().position(|byte| matches!(byte, b'(' | b';' | b'{' | b'}'));
    name + own + end.unwrap_or_default()
}

/// The length of the list in angle brackets that the text starts with, including blanks before it. If the list is not
/// closed, `Err` has the number of bytes read.
fn angles(text: &[u8]) -> Result<usize, usize> {
    let text = &text[..text.len().min(LONGEST)];
    let mut at = text.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let (mut depth, mut n_round) = (0_usize, 0_usize);
    while at < text.len() {
        match text[at] {
            b'(' | b'[' => n_round += 1,
            b')' | b']' => n_round = n_round.checked_sub(1).ok_or(at)?,
            b'<' if n_round == 0 => depth += 1,
            b'>' if n_round == 0 && depth == 1 => return Ok(at + 1),
            b'>' if n_round == 0 => depth = depth.checked_sub(1).ok_or(at)?,
            b'{' | b'}' | b';' => return Err(at),
            _ if depth == 0 => return Err(at),
            _ => {}
        }
        at += token(&text[at..]);
    }
    Err(at)
}

/// How many bytes of a list in angle brackets are read. The limit makes many unclosed lists cheap.
const LONGEST: usize = 1 << 12;
