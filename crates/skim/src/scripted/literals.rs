//! Objects, lists and elements, and the names of members.

use super::marks::{NUMBER, SPREAD};
use super::tree::{Kind, Part};
use super::{Reader, What, index};
use crate::tokens::{TEXT, WORD};

impl Reader<'_> {
    /// Reads the elements of a list. Some may be missing.
    pub(super) fn list(&mut self, node: u32, end: usize) -> Option<()> {
        while self.at < end {
            if self.takes(b',') {
                continue;
            }
            self.takes(SPREAD);
            let part = self.operand()?;
            self.tree.adopt(node, part.node);
            if self.at < end {
                self.take(b',')?;
            }
        }
        Some(())
    }

    /// Reads the expressions in an element.
    pub(super) fn holes(&mut self, node: u32, end: usize) -> Option<()> {
        while self.at < end {
            let open = self.at;
            if self.mark() != b'{' {
                let part = self.operand()?;
                self.tree.adopt(node, part.node);
                continue;
            }
            let close = self.stream.partner(open);
            let is_empty = close == open + 1;
            self.skip();
            if !is_empty && !self.is_plain(open) {
                let hole = self.begin(Kind::Other, open);
                let is_spread = self.stream.mark(open + 1) == SPREAD;
                self.end(hole);
                self.tree.adopt(node, hole);
                let what = if is_spread { What::List } else { What::Expression };
                self.later(what, hole, open);
            }
        }
        Some(())
    }

    /// Reads the entries of an object, or of a pattern that looks like an object.
    pub(super) fn entries(&mut self, node: u32, end: usize) -> Option<()> {
        while self.at < end {
            if self.takes(b',') {
                continue;
            }
            let entry = self.entry()?;
            self.tree.adopt(node, entry.node);
            if self.at < end {
                self.take(b',')?;
            }
        }
        Some(())
    }

    fn entry(&mut self) -> Option<Part> {
        let first = self.at;
        if self.takes(SPREAD) {
            return self.operand();
        }
        let mut is_accessor = false;
        while matches!(self.word(), b"async" | b"get" | b"set") && self.is_modifier() {
            is_accessor |= !self.stream.is(self.at, "async");
            self.at += 1;
        }
        self.takes(b'*');
        let key = self.key()?;
        if self.dialect.has_types && self.mark() == b'?' {
            self.at += 1;
        }
        match self.mark() {
            b'(' | b'<' => self.method(first, key, is_accessor),
            b':' => {
                self.at += 1;
                let pair = self.begin(Kind::Pair, first);
                self.tree.at(pair).is_marked = self.stream.mark(key.first as usize) == b'[';
                let value = self.operand()?;
                self.tree.adopt(pair, key.node);
                self.tree.adopt(pair, value.node);
                (self.tree.at(pair).front, self.tree.at(pair).back) = (key, value);
                Some(self.end(pair))
            }
            // The default value of a name in a pattern.
            b'=' if key.last as usize == first => {
                self.at += 1;
                self.operand()
            }
            _ if key.last as usize == first && key.kind == Kind::Identifier => Some(key),
            _ => None,
        }
    }

    /// Whether the word here is a modifier of the name after it, and not a name itself.
    pub(super) fn is_modifier(&self) -> bool {
        let next = self.mark_after(1);
        matches!(next, WORD | TEXT | NUMBER | b'[' | b'*' | b'{') && !self.is_below(self.at + 1)
    }

    /// Reads the name of a member.
    pub(super) fn key(&mut self) -> Option<Part> {
        let first = self.at;
        match self.mark() {
            WORD | TEXT | NUMBER => {
                let kind = match self.mark() {
                    WORD => Kind::Identifier,
                    TEXT => Kind::Text,
                    _ => Kind::Other,
                };
                self.at += 1;
                Some(self.leaf(kind, first))
            }
            b'[' => {
                self.skip();
                if self.is_plain(first) {
                    return Some(self.leaf(Kind::Other, first));
                }
                let node = self.begin(Kind::Other, first);
                self.later(What::Expression, node, first);
                Some(self.end(node))
            }
            _ => None,
        }
    }

    /// Reads a method, starting with its parameters.
    pub(super) fn method(&mut self, first: usize, key: Part, is_accessor: bool) -> Option<Part> {
        let node = self.begin(Kind::Method, first);
        self.tree.adopt(node, key.node);
        self.tree.at(node).front = key;
        self.tree.at(node).is_marked = is_accessor;
        self.call_signature(node)?;
        if self.mark() != b'{' {
            if !self.dialect.has_types {
                return None;
            }
            self.tree.at(node).kind = Kind::MethodSignature;
            return Some(self.end(node));
        }
        self.tree.at(node).body = index(self.at);
        let block = self.block();
        self.tree.adopt(node, block.node);
        Some(self.end(node))
    }

    /// Reads the parameters and the return type of a function.
    pub(super) fn call_signature(&mut self, node: u32) -> Option<()> {
        if self.mark() == b'<' {
            self.at = self.after_type_arguments(self.at)?;
        }
        let open = self.at;
        (self.mark() == b'(').then_some(())?;
        self.skip();
        let is_looked_at = self.dialect.has_types && self.at > open + 2;
        if is_looked_at {
            let parameters = self.begin(Kind::Other, open);
            self.end(parameters);
            self.tree.adopt(node, parameters);
            self.later(What::Parameters, parameters, open);
        }
        if self.dialect.has_types && self.takes(b':') {
            self.type_into(node)?;
        }
        Some(())
    }
}
