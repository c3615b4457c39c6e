//! Statements.

use super::marks::ARROW;
use super::tree::{Kind, NONE, Part};
use super::{Reader, What};
use crate::tokens::{TEXT, WORD};

impl Reader<'_> {
    /// Statements up to the token `end`.
    pub(super) fn statements(&mut self, node: u32, end: usize) -> Option<()> {
        while self.at < end {
            let part = self.statement()?;
            self.tree.adopt(node, part.node);
        }
        Some(())
    }

    /// A block, whose statements are read later.
    pub(super) fn block(&mut self) -> Part {
        let open = self.at;
        self.skip();
        let node = self.begin(Kind::Block, open);
        self.later(What::Statements, node, open);
        self.end(node)
    }

    fn statement(&mut self) -> Option<Part> {
        self.enter()?;
        let part = match self.mark() {
            b'{' => self.block(),
            b';' => {
                let first = self.at;
                self.at += 1;
                self.leaf(Kind::Other, first)
            }
            WORD if self.mark_after(1) == b':' => self.labeled()?,
            WORD => self.worded()?,
            b'@' => self.declaration(self.at)?,
            _ => self.plain()?,
        };
        self.leave();
        Some(part)
    }

    fn worded(&mut self) -> Option<Part> {
        let first = self.at;
        match self.word() {
            // On a line of its own, it is a name.
            b"let" if self.is_below(first + 1) => None,
            b"if" => self.branches(),
            b"for" => self.loop_over(),
            b"while" | b"with" if self.mark_after(1) == b'(' => {
                self.at += 1;
                let condition = self.condition();
                let body = self.statement()?;
                Some(self.around(Kind::Other, first, &[condition, body]))
            }
            b"do" => {
                self.at += 1;
                let body = self.statement()?;
                self.takes_word("while").then_some(())?;
                (self.mark() == b'(').then_some(())?;
                let condition = self.condition();
                self.takes(b';');
                Some(self.around(Kind::Other, first, &[body, condition]))
            }
            b"switch" if self.mark_after(1) == b'(' => self.switch(),
            b"try" if self.mark_after(1) == b'{' => self.tried(),
            b"return" | b"throw" => {
                self.at += 1;
                if matches!(self.mark(), b';' | b'}' | 0) || self.is_below(self.at) {
                    self.takes(b';');
                    return Some(self.leaf(Kind::Other, first));
                }
                let part = self.expression()?;
                self.semicolon()?;
                Some(self.around(Kind::Other, first, &[part]))
            }
            b"break" | b"continue" | b"debugger" => {
                self.at += 1;
                if self.mark() == WORD && !self.is_below(self.at) {
                    self.at += 1;
                }
                self.semicolon()?;
                Some(self.leaf(Kind::Other, first))
            }
            _ if self.is_declaration() => self.declaration(first),
            _ => self.plain(),
        }
    }

    /// An expression as a statement.
    fn plain(&mut self) -> Option<Part> {
        let first = self.at;
        let part = self.expression()?;
        self.semicolon()?;
        Some(self.around(Kind::ExpressionStatement, first, &[part]))
    }

    /// The end of a statement: a semicolon, a brace, or the end of a line.
    pub(super) fn semicolon(&mut self) -> Option<()> {
        let is_over = self.takes(b';') || matches!(self.mark(), b'}' | 0) || self.is_below(self.at);
        is_over.then_some(())
    }

    /// The content of the parentheses here.
    fn condition(&mut self) -> Part {
        let open = self.at;
        self.skip();
        if self.is_plain(open) {
            return self.leaf(Kind::Other, open);
        }
        let node = self.begin(Kind::Other, open);
        self.later(What::Expression, node, open);
        self.end(node)
    }

    fn labeled(&mut self) -> Option<Part> {
        let first = self.at;
        // In Svelte, `$: a = b` declares a name.
        if self.stream.is(first, "$") || matches!(self.word(), b"default" | b"case") {
            return None;
        }
        self.at += 2;
        let body = self.statement()?;
        Some(self.around(Kind::Other, first, &[body]))
    }

    /// `if (a) b else if (c) d else e`, as one part.
    fn branches(&mut self) -> Option<Part> {
        let first = self.at;
        let mut parts = Vec::new();
        loop {
            self.at += 1;
            (self.mark() == b'(').then_some(())?;
            parts.push(self.condition());
            parts.push(self.statement()?);
            if !self.takes_word("else") {
                break;
            }
            if !self.stream.is(self.at, "if") {
                parts.push(self.statement()?);
                break;
            }
        }
        Some(self.around(Kind::Branch, first, &parts))
    }

    fn tried(&mut self) -> Option<Part> {
        let first = self.at;
        self.at += 1;
        let mut parts = vec![self.block()];
        if self.takes_word("catch") {
            if self.mark() == b'(' {
                parts.push(self.caught()?);
            }
            (self.mark() == b'{').then_some(())?;
            parts.push(self.block());
        }
        if self.takes_word("finally") {
            (self.mark() == b'{').then_some(())?;
            parts.push(self.block());
        }
        Some(self.around(Kind::Branch, first, &parts))
    }

    /// Reads the name or pattern in the parentheses of a `catch`.
    fn caught(&mut self) -> Option<Part> {
        self.at += 1;
        let pattern = self.pattern()?;
        if self.dialect.has_types && self.takes(b':') {
            self.at = self.after_type(self.at)?;
        }
        self.take(b')')?;
        Some(pattern)
    }

    fn switch(&mut self) -> Option<Part> {
        let first = self.at;
        self.at += 1;
        let value = self.condition();
        (self.mark() == b'{').then_some(())?;
        let open = self.at;
        self.skip();
        let body = self.begin(Kind::Other, open);
        self.later(What::Cases, body, open);
        let body = self.end(body);
        Some(self.around(Kind::Other, first, &[value, body]))
    }

    /// The body of a `switch`.
    pub(super) fn cases(&mut self, node: u32, end: usize) -> Option<()> {
        while self.at < end {
            let first = self.at;
            let mut parts = Vec::new();
            if self.takes_word("case") {
                parts.push(self.expression()?);
            } else {
                self.takes_word("default").then_some(())?;
            }
            self.take(b':')?;
            while self.at < end && !self.is_case() {
                parts.push(self.statement()?);
            }
            let case = self.around(Kind::Other, first, &parts);
            self.tree.adopt(node, case.node);
        }
        Some(())
    }

    fn is_case(&self) -> bool {
        self.stream.is(self.at, "case") || self.stream.is(self.at, "default") && self.mark_after(1) == b':'
    }

    fn loop_over(&mut self) -> Option<Part> {
        let first = self.at;
        self.at += 1;
        self.takes_word("await");
        (self.mark() == b'(').then_some(())?;
        let open = self.at;
        self.skip();
        let head = if self.is_plain(open) {
            self.leaf(Kind::For, open)
        } else {
            let node = self.begin(Kind::For, open);
            self.later(What::Head, node, open);
            self.end(node)
        };
        let body = self.statement()?;
        Some(self.around(Kind::Other, first, &[head, body]))
    }

    /// The head of a loop: `let a = b; c; d`, or `const a of b`.
    pub(super) fn head(&mut self, node: u32) -> Option<()> {
        let is_declaration = matches!(self.word(), b"var" | b"let" | b"const")
            && matches!(self.mark_after(1), WORD | b'{' | b'[');
        if is_declaration {
            let first = self.at;
            self.at += 1;
            let pattern = self.pattern()?;
            if matches!(self.word(), b"of" | b"in") {
                self.tree.at(node).kind = Kind::Other;
                self.tree.adopt(node, pattern.node);
            } else {
                self.at = first;
                let declared = self.variables(first)?;
                self.tree.adopt(node, declared.node);
            }
        } else if self.mark() != b';' {
            let part = self.expression()?;
            self.tree.adopt(node, part.node);
        }
        self.is_head = false;
        while matches!(self.mark(), b';') || matches!(self.word(), b"of" | b"in") {
            self.at += 1;
            if !matches!(self.mark(), b';' | b')') {
                let part = self.expression()?;
                self.tree.adopt(node, part.node);
            }
        }
        Some(())
    }

    /// Whether a declaration starts here, rather than an operand.
    fn is_declaration(&self) -> bool {
        let (next, is_below) = (self.mark_after(1), self.is_below(self.at + 1));
        match self.word() {
            b"var" | b"const" | b"function" | b"class" | b"export" => true,
            b"let" => matches!(next, WORD | b'{' | b'['),
            b"import" => !matches!(next, b'(' | b'.'),
            b"async" => self.stream.is(self.at + 1, "function") && !is_below,
            _ if !self.dialect.has_types || is_below || next == ARROW => false,
            b"type" | b"interface" | b"enum" | b"abstract" | b"declare" => {
                next == WORD
                    && !matches!(self.stream.word(self.at + 1), b"in" | b"instanceof" | b"as" | b"satisfies")
            }
            b"namespace" | b"module" => {
                matches!(next, WORD | TEXT)
                    && !matches!(self.stream.word(self.at + 1), b"in" | b"instanceof" | b"as")
            }
            _ => false,
        }
    }

    /// A part without a node.
    pub(super) fn nothing(&self, first: usize) -> Part {
        let leaf = self.leaf(Kind::Other, first);
        Part { node: NONE, ..leaf }
    }
}
