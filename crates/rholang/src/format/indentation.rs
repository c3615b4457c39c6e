//! How far the lines of a program are indented.
//!
//! Each node has an indentation, which a line gets if it starts with the node. It is computed from the indentation of
//! the node around it, and not from the old indentation of the line.

use super::spacing::{CLOSING, OPENING};
use crate::kinds::{Field, Kind};
use crate::syntax::{NodeId, Syntax};

/// The indentation of the lines of a program.
pub(super) struct Indentation<'t> {
    text: &'t [u8],
    syntax: &'t Syntax,
    /// By how many spaces the content of a bracket is indented.
    unit: usize,
    /// The indentation of each node before `n_known`.
    nodes: Vec<usize>,
    n_known: NodeId,
    /// For each node whose bracket is open, the indentation of a line that starts with the closing bracket.
    open: Vec<Option<usize>>,
    /// For each node, whether a line break follows its opening bracket, or the `new` or `let` that it starts with.
    broken: Vec<bool>,
}

/// By how many spaces a program indents the content of braces: four if it mostly does that, else two.
pub(super) fn unit(text: &[u8]) -> usize {
    let lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_end).filter(|line| !line.is_empty());
    let (mut n_two, mut n_four) = (0, 0);
    let mut opened = None;
    for line in lines {
        let indent = line.iter().take_while(|&&byte| byte == b' ').count();
        match opened.and_then(|opened| indent.checked_sub(opened)) {
            Some(2) => n_two += 1,
            Some(4) => n_four += 1,
            _ => {}
        }
        opened = line.ends_with(b"{").then_some(indent);
    }
    if n_four > n_two { 4 } else { 2 }
}

impl<'t> Indentation<'t> {
    /// The indentation of a program, before any token is laid out.
    pub(super) fn new(text: &'t [u8], syntax: &'t Syntax, unit: usize) -> Indentation<'t> {
        let n_nodes = syntax.n_nodes();
        Indentation {
            text,
            syntax,
            unit,
            nodes: vec![0; n_nodes],
            n_known: 0,
            open: vec![None; n_nodes],
            broken: vec![false; n_nodes],
        }
    }

    /// The indentation of a line that starts with a token.
    pub(super) fn of_token(&mut self, id: NodeId) -> usize {
        while self.n_known <= id {
            self.nodes[self.n_known as usize] = self.of_node(self.n_known);
            self.n_known += 1;
        }
        self.nodes[id as usize]
    }

    /// The indentation of a line that starts with a comment. It is that of the node after the comment. Before a closing
    /// bracket, it is that of the bracket's content.
    pub(super) fn of_comment(&mut self, id: NodeId) -> usize {
        self.of_token(id);
        let after = (id + 1..).take_while(|&id| (id as usize) < self.syntax.n_nodes());
        let next = after.into_iter().find(|&id| !self.syntax.kind(id).is_comment());
        let Some(next) = next else { return 0 };
        match self.open[self.syntax.node(next).parent as usize] {
            Some(line) if self.is_one_of(next, CLOSING) => line + self.unit,
            _ => self.of_node(next),
        }
    }

    /// Whether a line break follows the opening bracket that belongs to a closing bracket.
    pub(super) fn is_broken_before(&self, closing: NodeId) -> bool {
        self.broken[self.syntax.node(closing).parent as usize]
    }

    /// Notes that a line break follows a token.
    pub(super) fn note_break(&mut self, after: NodeId) {
        if self.is_one_of(after, OPENING) || self.is_one_of(after, &[b"new", b"let"]) {
            self.broken[self.syntax.node(after).parent as usize] = true;
        }
    }

    /// Notes the indentation of the line that a token is in.
    pub(super) fn note(&mut self, id: NodeId, line: usize) {
        let parent = self.syntax.node(id).parent as usize;
        if self.is_one_of(id, OPENING) {
            // The head of a process may have several lines. The body is indented as if the head had only one.
            let holder = self.body_of(id).map_or(line, |holder| self.nodes[holder as usize]);
            self.open[parent] = Some(line.min(holder));
        } else if self.is_one_of(id, CLOSING) {
            self.open[parent] = None;
        }
    }

    /// The indentation of a node. The indentation of the node around it must be known already.
    fn of_node(&self, id: NodeId) -> usize {
        let Some(parent) = self.syntax.parent(id) else { return 0 };
        let (node, around) = (self.syntax.node(id), self.syntax.node(parent));
        let indent = self.nodes[parent as usize];
        if parent == Syntax::ROOT {
            return 0;
        }
        if node.start == around.start {
            return indent;
        }
        match self.open[parent as usize] {
            Some(line) if self.is_one_of(id, CLOSING) => line,
            Some(line) => line + self.more(parent),
            None if self.is_level(parent, id) => indent,
            None if node.field == Field::Body => indent + self.unit,
            None => indent + self.more(parent),
        }
    }

    /// How much farther a line inside a node is indented than the node. If a list starts on the line of its head, its
    /// other lines are indented twice as far, so that they differ from the body that follows.
    fn more(&self, parent: NodeId) -> usize {
        let is_head = matches!(self.syntax.kind(parent), Kind::For | Kind::Formals | Kind::Let | Kind::New);
        if is_head && !self.broken[parent as usize] { 2 * self.unit } else { self.unit }
    }

    /// The process whose body a brace opens.
    pub(super) fn body_of(&self, brace: NodeId) -> Option<NodeId> {
        use Kind::{Agent, Constructor, Contract, Default, For, If, Let, Match, Method, New, Select};
        let around = self.syntax.node(brace).parent;
        let holder = match self.syntax.kind(around) {
            Kind::Block => self.syntax.node(around).parent,
            _ => around,
        };
        let kind = self.syntax.kind(holder);
        let has_body = matches!(
            kind,
            Agent | Constructor | Contract | Default | For | If | Let | Match | Method | New | Select
        );
        (has_body && self.is_one_of(brace, &[b"{"])).then_some(holder)
    }

    /// Whether a node is indented like the node around it.
    fn is_level(&self, parent: NodeId, id: NodeId) -> bool {
        use Kind::{Bind, Block, If, Let, MethodSend, Names, New, Par, Receipt, SyncSend, Values};
        let (kind, field) = (self.syntax.kind(id), self.syntax.node(id).field);
        match self.syntax.kind(parent) {
            Par | Names | Values => true,
            Receipt => kind == Bind || kind == Kind::Mark,
            New | Let if field == Field::Body => matches!(kind, Block | Let | New),
            // The process after a send that waits for its answer.
            SyncSend | MethodSend => field == Field::Other && kind != Kind::Mark,
            If if kind == If => true,
            _ => kind == Block || self.is_one_of(id, &[b"in", b"else", b"{"]),
        }
    }

    fn is_one_of(&self, id: NodeId, words: &[&[u8]]) -> bool {
        let is_word = matches!(self.syntax.kind(id), Kind::Word | Kind::Mark);
        is_word && words.contains(&&self.text[self.syntax.range(id).indices()])
    }
}
