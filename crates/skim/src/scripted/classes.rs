//! Functions, classes and their members, parameters, and enumerations.

use super::marks::{CHAIN, NUMBER, SPREAD, TEMPLATE};
use super::tree::{Kind, Part};
use super::{Reader, What, index};
use crate::stream::MAX_AHEAD;
use crate::tokens::{TEXT, WORD};

/// Words that may come before a member. Each may also be the name of a member.
const MODIFIERS: &[&str] = &[
    "public",
    "private",
    "protected",
    "static",
    "abstract",
    "override",
    "readonly",
    "declare",
    "async",
    "get",
    "set",
    "accessor",
];

/// The modifiers that a line break may follow. After the others, only a parser can tell what a line break means.
const FREE_MODIFIERS: &[&str] =
    &["public", "private", "protected", "static", "abstract", "override", "readonly"];

impl Reader<'_> {
    /// Reads a function, starting with the word `function`. `kind` is `Function` or `FunctionDeclaration`.
    pub(super) fn function(&mut self, first: usize, kind: Kind) -> Option<Part> {
        self.at += 1;
        let is_generator = self.takes(b'*');
        let kind = if is_generator && kind == Kind::Function { Kind::Generator } else { kind };
        let node = self.begin(kind, first);
        if self.mark() == WORD {
            self.tree.at(node).front = Part { ..self.name_here() };
            self.at += 1;
        }
        if kind == Kind::FunctionDeclaration {
            self.call_signature(node)?;
        } else {
            self.at = self.after_signature(self.at)?;
        }
        if self.mark() != b'{' {
            let may_lack_body = self.dialect.has_types && kind == Kind::FunctionDeclaration && !is_generator;
            self.tree.at(node).kind = Kind::Signature;
            self.takes(b';');
            return may_lack_body.then(|| self.end(node));
        }
        self.tree.at(node).body = index(self.at);
        let block = self.block();
        self.tree.adopt(node, block.node);
        Some(self.end(node))
    }

    /// The next token as a part that is a name.
    pub(super) fn name_here(&self) -> Part {
        let at = index(self.at);
        Part { kind: Kind::Identifier, node: super::NONE, first: at, last: at }
    }

    /// The token after the parameters and the return type of a function.
    fn after_signature(&self, at: usize) -> Option<usize> {
        let open = if self.stream.mark(at) == b'<' { self.after_type_arguments(at)? } else { at };
        (self.stream.mark(open) == b'(').then_some(())?;
        let after = self.stream.partner(open) + 1;
        if self.dialect.has_types && self.stream.mark(after) == b':' {
            self.after_type(after + 1)
        } else {
            Some(after)
        }
    }

    /// Reads a class, starting with the word `class`. `kind` is `Class` or `ClassDeclaration`.
    pub(super) fn class(&mut self, first: usize, kind: Kind) -> Option<Part> {
        self.at += 1;
        let node = self.begin(kind, first);
        if self.mark() == WORD && !matches!(self.word(), b"extends" | b"implements") {
            self.tree.at(node).front = self.name_here();
            self.at += 1;
        }
        if self.mark() == b'<' {
            self.at = self.after_type_arguments(self.at)?;
        }
        self.heritage()?;
        self.tree.at(node).body = index(self.at);
        self.later(What::Members, node, self.at);
        self.skip();
        Some(self.end(node))
    }

    /// Skips the clauses between the name of a class and its body. No declarations are searched for in them.
    fn heritage(&mut self) -> Option<()> {
        for _ in 0..MAX_AHEAD {
            match self.mark() {
                b'{' => return Some(()),
                WORD if matches!(self.word(), b"class" | b"function" | b"new" | b"typeof") => return None,
                WORD | b'.' | b',' | CHAIN | TEMPLATE | b'|' => self.at += 1,
                b'(' | b'[' => self.skip(),
                b'<' => self.at = self.after_type_arguments(self.at)?,
                _ => return None,
            }
        }
        None
    }

    /// The members of a class.
    pub(super) fn members(&mut self, node: u32, end: usize) -> Option<()> {
        while self.at < end {
            if self.takes(b';') || self.dialect.has_types && self.takes(b',') {
                continue;
            }
            let first = self.at;
            self.decorators()?;
            let member = self.member_after(first)?;
            self.tree.adopt(node, member.node);
            let is_body = member.node != super::NONE
                && matches!(self.tree.get(member.node).kind, Kind::Method | Kind::Other);
            let is_over =
                self.at >= end || is_body || matches!(self.mark(), b';' | b',') || self.is_below(self.at);
            is_over.then_some(())?;
        }
        Some(())
    }

    /// Reads a member after its decorators. The decorators start at `first`.
    fn member_after(&mut self, first: usize) -> Option<Part> {
        let start = self.at;
        let mut is_accessor = false;
        while self.stream.is_among(self.at, MODIFIERS) {
            let next = self.at + 1;
            if !matches!(self.stream.mark(next), WORD | TEXT | NUMBER | b'[' | b'*' | b'{') {
                break;
            }
            if self.is_below(next) && !self.stream.is_among(self.at, FREE_MODIFIERS) {
                return None;
            }
            if self.stream.mark(next) == b'{' {
                return self.initializer(start);
            }
            is_accessor |= matches!(self.word(), b"get" | b"set");
            self.at = next;
        }
        self.takes(b'*');
        // In the grammar with types, decorators are outside a method, but inside a field.
        let method_start = if self.dialect.has_types { start } else { first };
        if self.dialect.has_types && self.is_index() {
            return self.index_signature(method_start);
        }
        let key = self.key()?;
        if self.dialect.has_types && matches!(self.mark(), b'?' | b'!') {
            self.at += 1;
        }
        match self.mark() {
            b'(' | b'<' => self.method(method_start, key, is_accessor),
            _ => self.field(first, key),
        }
    }

    /// `static { … }`
    fn initializer(&mut self, start: usize) -> Option<Part> {
        self.takes_word("static").then_some(())?;
        let node = self.begin(Kind::Other, start);
        let block = self.block();
        self.tree.adopt(node, block.node);
        Some(self.end(node))
    }

    fn field(&mut self, first: usize, key: Part) -> Option<Part> {
        let node = self.begin(Kind::Field, first);
        self.tree.adopt(node, key.node);
        self.tree.at(node).front = key;
        if self.dialect.has_types && self.takes(b':') {
            self.type_into(node)?;
        }
        if self.takes(b'=') {
            let value = self.operand()?;
            self.tree.adopt(node, value.node);
            self.tree.at(node).back = value;
        }
        Some(self.end(node))
    }

    /// Reads parameters with types.
    pub(super) fn parameters(&mut self, node: u32, end: usize) -> Option<()> {
        while self.at < end {
            let parameter = self.begin(Kind::Parameter, self.at);
            self.decorators()?;
            while matches!(self.word(), b"public" | b"private" | b"protected" | b"override" | b"readonly")
                && matches!(self.mark_after(1), WORD | b'{' | b'[' | SPREAD)
            {
                self.tree.at(parameter).is_marked |= !self.stream.is(self.at, "override");
                self.at += 1;
            }
            self.takes(SPREAD);
            let pattern = self.pattern()?;
            self.tree.at(parameter).front = pattern;
            self.tree.adopt(parameter, pattern.node);
            self.takes(b'?');
            if self.takes(b':') {
                self.type_into(parameter)?;
            }
            if self.takes(b'=') {
                let value = self.operand()?;
                self.tree.adopt(parameter, value.node);
            }
            self.end(parameter);
            self.tree.adopt(node, parameter);
            if self.at < end {
                self.take(b',')?;
            }
        }
        Some(())
    }

    /// Reads a name, or names in brackets.
    pub(super) fn pattern(&mut self) -> Option<Part> {
        let first = self.at;
        let part = match self.mark() {
            WORD => {
                self.at += 1;
                self.leaf(Kind::Identifier, first)
            }
            b'{' => {
                self.skip();
                self.brackets(What::Entries, first)
            }
            b'[' => {
                self.skip();
                self.brackets(What::List, first)
            }
            _ => return None,
        };
        Some(part)
    }

    /// The brackets of a pattern. Its default values may contain declarations.
    fn brackets(&mut self, what: What, open: usize) -> Part {
        if self.is_plain(open) {
            return self.leaf(Kind::ObjectPattern, open);
        }
        let node = self.begin(Kind::ObjectPattern, open);
        self.later(what, node, open);
        self.end(node)
    }

    pub(super) fn enum_members(&mut self, node: u32, end: usize) -> Option<()> {
        while self.at < end {
            let first = self.at;
            let key = self.key()?;
            let member = self.begin(Kind::EnumMember, first);
            self.tree.at(member).front = key;
            self.tree.at(member).is_marked = self.mark() == b'=';
            if self.takes(b'=') {
                let value = self.operand()?;
                self.tree.adopt(member, value.node);
            }
            self.end(member);
            self.tree.adopt(node, member);
            if self.at < end {
                self.take(b',')?;
            }
        }
        Some(())
    }
}
