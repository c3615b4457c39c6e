//! Operands and operators.

use super::marks::{ARROW, AUGMENTED, BINARY, CHAIN, ELEMENT, NUMBER, REGEX, SPREAD, TEMPLATE, UPDATE};
use super::tree::{Kind, NONE, Part};
use super::{Reader, What, index};
use crate::tokens::{TEXT, WORD};

/// Words that cannot be an operand.
const NO_OPERANDS: &[&str] = &[
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "default",
    "return",
    "throw",
    "try",
    "catch",
    "finally",
    "break",
    "continue",
    "var",
    "const",
    "with",
    "in",
    "instanceof",
    "export",
    "extends",
    "debugger",
    "enum",
];

/// Words that are operators before an operand.
const FRONTS: &[&str] = &["typeof", "void", "delete", "await"];

impl Reader<'_> {
    /// Reads operands with commas between them, or a single operand.
    pub(super) fn expression(&mut self) -> Option<Part> {
        let first = self.at;
        let part = self.operand()?;
        if self.mark() != b',' {
            return Some(part);
        }
        let mut parts = vec![part];
        while self.takes(b',') {
            parts.push(self.operand()?);
        }
        Some(self.around(Kind::Other, first, &parts))
    }

    /// Reads everything up to a comma: an assignment, a choice with `?` and `:`, or a simpler operand.
    pub(super) fn operand(&mut self) -> Option<Part> {
        self.enter()?;
        let first = self.at;
        let part = if self.is_yield() { self.yielded(first)? } else { self.choice()? };
        // The grammar takes `a ^ b.c = d` for an assignment to `b.c`. Nobody writes that.
        let is_operation = part.kind == Kind::Binary || part.kind == Kind::Other && self.has_front(first);
        let part = match self.mark() {
            b'=' | AUGMENTED | b'>' if is_operation => return None,
            b'=' => self.assignments(part)?,
            AUGMENTED => {
                self.at += 1;
                self.augmented(part)?
            }
            b'>' => {
                self.at += self.n_angles();
                self.augmented(part)?
            }
            _ => part,
        };
        self.leave();
        Some(part)
    }

    /// Whether `yield` is a keyword here.
    fn is_yield(&self) -> bool {
        self.stream.is(self.at, "yield")
            && !matches!(self.mark_after(1), b'=' | b'.' | CHAIN | AUGMENTED | ARROW)
    }

    fn yielded(&mut self, first: usize) -> Option<Part> {
        self.at += 1;
        let is_alone =
            matches!(self.mark(), b')' | b']' | b'}' | b',' | b';' | b':' | 0) || self.is_below(self.at);
        if is_alone {
            return Some(self.leaf(Kind::Other, first));
        }
        self.takes(b'*');
        let part = self.operand()?;
        Some(self.around(Kind::Other, first, &[part]))
    }

    /// Reads `a = b = c`, starting with the first `=`.
    fn assignments(&mut self, left: Part) -> Option<Part> {
        let mut parts = vec![left];
        while self.takes(b'=') {
            let first = self.at;
            parts.push(if self.is_yield() { self.yielded(first)? } else { self.choice()? });
        }
        let mut right = parts.pop()?;
        match self.mark() {
            AUGMENTED => {
                self.at += 1;
                right = self.augmented(right)?;
            }
            b'>' => return None,
            _ => {}
        }
        while let Some(left) = parts.pop() {
            right = self.assignment(left, right);
        }
        Some(right)
    }

    fn assignment(&mut self, left: Part, right: Part) -> Part {
        if left.kind == Kind::Object && left.node != NONE {
            self.tree.at(left.node).kind = Kind::ObjectPattern;
        }
        let first = left.first as usize;
        let part = self.begin(Kind::Assignment, first);
        self.tree.adopt(part, left.node);
        self.tree.adopt(part, right.node);
        (self.tree.at(part).front, self.tree.at(part).back) = (left, right);
        self.end(part)
    }

    fn augmented(&mut self, left: Part) -> Option<Part> {
        let right = self.operand()?;
        let part = self.around(Kind::Augmented, left.first as usize, &[left, right]);
        if part.node != NONE {
            (self.tree.at(part.node).front, self.tree.at(part.node).back) = (left, right);
        }
        Some(part)
    }

    /// Reads `a ? b : c`, or an operand without `?`.
    fn choice(&mut self) -> Option<Part> {
        let first = self.at;
        let part = self.operation()?;
        if self.mark() != b'?' || part.kind == Kind::Arrow {
            return Some(part);
        }
        self.at += 1;
        let is_choice = std::mem::replace(&mut self.is_choice, true);
        let chosen = self.operand()?;
        self.is_choice = is_choice;
        self.take(b':')?;
        let other = self.operand()?;
        Some(self.around(Kind::Other, first, &[part, chosen, other]))
    }

    /// Reads operands with operators between them, or a single operand.
    fn operation(&mut self) -> Option<Part> {
        let first = self.at;
        let mut part = self.prefixed()?;
        if part.kind == Kind::Arrow {
            return Some(part);
        }
        loop {
            match self.mark() {
                BINARY | b'+' | b'-' | b'*' | b'%' | b'&' | b'|' | b'^' | b'<' => self.at += 1,
                b'>' => {
                    let n_angles = self.n_angles();
                    // `>>=`
                    if n_angles > 2 && self.mark_after(n_angles - 1) == b'=' {
                        return Some(part);
                    }
                    self.at += n_angles;
                }
                WORD if self.stream.is(self.at, "in") && self.is_head => return Some(part),
                WORD if matches!(self.word(), b"in" | b"instanceof") => self.at += 1,
                WORD if self.dialect.has_types && matches!(self.word(), b"as" | b"satisfies") => {
                    part = self.cast(part, first)?;
                    continue;
                }
                _ => return Some(part),
            }
            let right = self.prefixed()?;
            let left = std::mem::replace(&mut part, Part::NOTHING);
            part = self.around(Kind::Binary, first, &[left, right]);
            // If there are more than two operands, only a parser can tell which of them belong together.
            if part.node != NONE && left.kind != Kind::Binary {
                (self.tree.at(part.node).front, self.tree.at(part.node).back) = (left, right);
            }
        }
    }

    /// The number of tokens of an operator that starts with `>`: `>`, `>=`, `>>`.
    fn n_angles(&self) -> usize {
        let is_more = |at: &usize| {
            matches!(self.stream.mark(*at), b'>' | b'=')
                && self.stream.is_glued(*at)
                && self.stream.before(*at) == b'>'
        };
        1 + (self.at + 1..self.at + 4).take_while(is_more).count()
    }

    /// `a as B`
    fn cast(&mut self, part: Part, first: usize) -> Option<Part> {
        let cast = self.begin(Kind::Thin, first);
        self.tree.adopt(cast, part.node);
        self.tree.at(cast).front = part;
        self.at += 1;
        if !self.takes_word("const") {
            self.type_into(cast)?;
        }
        Some(self.end(cast))
    }

    /// Reads an operand with the operators before it.
    fn prefixed(&mut self) -> Option<Part> {
        let first = self.at;
        let mut is_update = false;
        loop {
            match self.mark() {
                b'!' | b'~' | b'+' | b'-' => {}
                UPDATE => is_update = true,
                // The name `await` may be a statement of its own.
                WORD if self.stream.is(self.at, "await") && self.is_below(self.at + 1) => return None,
                WORD if self.stream.is_among(self.at, FRONTS) && self.is_front() => {}
                _ => break,
            }
            self.at += 1;
        }
        let n_fronts = self.at - first;
        let part = self.with_tail()?;
        match (n_fronts, is_update) {
            (0, _) => Some(part),
            // No declarations are searched for in `++a`.
            (_, true) => Some(self.leaf(Kind::Other, first)),
            (_, false) => Some(self.around(Kind::Other, first, &[part])),
        }
    }

    /// Whether an operand starts with an operator in front of it.
    fn has_front(&self, first: usize) -> bool {
        matches!(self.stream.mark(first), b'!' | b'~' | b'+' | b'-' | UPDATE)
            || self.stream.is_among(first, FRONTS)
    }

    /// Whether the word here is an operator. The word `await` may also be a name.
    fn is_front(&self) -> bool {
        !self.stream.is(self.at, "await")
            || !matches!(
                self.mark_after(1),
                b')' | b']' | b'}' | b',' | b';' | b':' | b'.' | b'=' | b'?' | CHAIN | ARROW | 0
            )
    }

    /// Reads an operand with everything that follows it: `.a`, `[a]`, `(a)`.
    fn with_tail(&mut self) -> Option<Part> {
        let first = self.at;
        let part = self.primary()?;
        if part.kind == Kind::Arrow {
            // Only a parser can tell whether the arrow function goes on with these tokens.
            return (!matches!(self.mark(), b'(' | b'[' | b'.' | TEMPLATE | CHAIN)).then_some(part);
        }
        self.tail(part, first)
    }

    fn tail(&mut self, mut part: Part, first: usize) -> Option<Part> {
        loop {
            part = match self.mark() {
                b'.' => {
                    self.at += 1;
                    self.take(WORD)?;
                    self.member(part, first)
                }
                CHAIN => {
                    self.at += 1;
                    match self.mark() {
                        b'(' => self.call(part, first),
                        b'[' => self.subscript(first),
                        b'<' => {
                            self.at = self.after_type_arguments(self.at)?;
                            self.call(part, first)
                        }
                        _ => {
                            self.take(WORD)?;
                            self.member(part, first)
                        }
                    }
                }
                b'[' => self.subscript(first),
                b'(' => self.call(part, first),
                TEMPLATE => {
                    self.at += 1;
                    self.around(Kind::Call, first, &[part])
                }
                b'!' if self.dialect.has_types && !self.is_below(self.at) => {
                    self.at += 1;
                    self.thin(part, first)
                }
                b'<' if self.dialect.has_types => match self.type_arguments() {
                    Some(after) => {
                        self.at = after;
                        if matches!(self.mark(), b'(' | TEMPLATE) {
                            part
                        } else {
                            self.around(Kind::Other, first, &[part])
                        }
                    }
                    None => return Some(part),
                },
                UPDATE if !self.is_below(self.at) => {
                    self.at += 1;
                    return Some(self.leaf(Kind::Other, first));
                }
                _ => return Some(part),
            }
        }
    }

    fn thin(&mut self, part: Part, first: usize) -> Part {
        let thin = self.around(Kind::Thin, first, &[part]);
        if thin.node != NONE {
            self.tree.at(thin.node).front = part;
        }
        thin
    }

    fn member(&mut self, object: Part, first: usize) -> Part {
        let part = self.around(Kind::Member, first, &[object]);
        if part.node != NONE {
            self.tree.at(part.node).front = object;
        }
        part
    }

    /// Reads `[b]` in `a[b]`. No rule searches for declarations in `a[b]`, not even in `a`.
    fn subscript(&mut self, first: usize) -> Part {
        self.skip();
        self.leaf(Kind::Subscript, first)
    }

    fn call(&mut self, function: Part, first: usize) -> Part {
        let open = self.at;
        self.skip();
        let arguments = self.argument_part(function, open);
        let part = self.around(Kind::Call, first, &[function, arguments]);
        if part.node != NONE {
            (self.tree.at(part.node).front, self.tree.at(part.node).back) = (function, arguments);
        }
        part
    }

    fn argument_part(&mut self, function: Part, open: usize) -> Part {
        // `Object.defineProperty(A.prototype, "b", c)` declares `b`, even if nothing in the parentheses can declare
        // anything.
        let defines = !function.is_nothing() && self.stream.is(function.last as usize, "defineProperty");
        if self.is_plain(open) && !defines {
            return self.leaf(Kind::Arguments, open);
        }
        let node = self.begin(Kind::Arguments, open);
        self.later(What::Arguments, node, open);
        self.end(node)
    }

    /// The token after type arguments, if that is what `<` opens here.
    fn type_arguments(&self) -> Option<usize> {
        let after = self.after_type_arguments(self.at)?;
        let is_it = match self.stream.mark(after) {
            b'(' | b')' | b']' | b'}' | b',' | b';' | b':' | b'.' | b'?' | b'=' | CHAIN | TEMPLATE
            | BINARY | 0 => true,
            _ => self.is_below(after),
        };
        is_it.then_some(after)
    }

    /// The arguments of a call.
    pub(super) fn arguments(&mut self, node: u32, end: usize) -> Option<()> {
        let mut n_arguments = 0;
        while self.at < end {
            let first = self.at;
            let is_spread = self.takes(SPREAD);
            let mut part = self.operand()?;
            if is_spread {
                part = self.around(Kind::Other, first, &[part]);
            }
            self.tree.adopt(node, part.node);
            match n_arguments {
                0 => self.tree.at(node).front = part,
                1 => self.tree.at(node).back = part,
                _ => {}
            }
            n_arguments += 1;
            if self.at < end {
                self.take(b',')?;
            }
        }
        self.tree.at(node).n_arguments = n_arguments;
        Some(())
    }

    /// Reads an operand that has neither operators nor a tail.
    fn primary(&mut self) -> Option<Part> {
        let first = self.at;
        match self.mark() {
            WORD => self.named(first),
            TEXT => {
                self.at += 1;
                Some(self.leaf(Kind::Text, first))
            }
            NUMBER | TEMPLATE | REGEX => {
                self.at += 1;
                Some(self.leaf(Kind::Other, first))
            }
            b'(' => self.parenthesized(first),
            b'[' => {
                self.skip();
                Some(self.bracketed(What::List, Kind::Other, first))
            }
            b'{' => {
                self.skip();
                let is_empty = self.at == first + 2;
                if is_empty {
                    return Some(self.leaf(Kind::Object, first));
                }
                let node = self.begin(Kind::Object, first);
                self.later(What::Entries, node, first);
                Some(self.end(node))
            }
            ELEMENT => {
                self.skip();
                Some(self.bracketed(What::Holes, Kind::Other, first))
            }
            b'<' if self.dialect.has_types => self.angled(first),
            b'@' => {
                self.decorators()?;
                self.stream.is(self.at, "class").then_some(())?;
                self.class(first, Kind::Class)
            }
            _ => None,
        }
    }

    /// A part for a pair of brackets. It has no node if nothing can be declared between them.
    fn bracketed(&mut self, what: What, kind: Kind, open: usize) -> Part {
        if self.is_plain(open) {
            return self.leaf(kind, open);
        }
        let node = self.begin(kind, open);
        self.later(what, node, open);
        self.end(node)
    }

    fn named(&mut self, first: usize) -> Option<Part> {
        if self.mark_after(1) == ARROW {
            self.at += 1;
            return self.arrow(first);
        }
        match self.word() {
            b"function" => return self.function(first, Kind::Function),
            b"class" => return self.class(first, Kind::Class),
            b"new" => return self.made(first),
            b"async" if !self.is_below(first + 1) => match self.mark_after(1) {
                WORD if self.stream.is(first + 1, "function") => {
                    self.at += 1;
                    return self.function(first, Kind::Function);
                }
                WORD if self.mark_after(2) == ARROW => {
                    self.at += 2;
                    return self.arrow(first);
                }
                b'(' | b'<' => {
                    if let Some(after) = self.after_head(first + 1) {
                        self.at = after;
                        return self.arrow(first);
                    }
                }
                _ => {}
            },
            _ => {}
        }
        if self.stream.is_among(first, NO_OPERANDS) {
            return None;
        }
        let kind = match self.word() {
            b"this" | b"super" | b"null" | b"true" | b"false" | b"undefined" | b"import" => Kind::Other,
            _ => Kind::Identifier,
        };
        self.at += 1;
        Some(self.leaf(kind, first))
    }

    /// The arrow after the parameters of a function. `None` if there is no arrow.
    fn after_head(&self, open: usize) -> Option<usize> {
        let open = if self.stream.mark(open) == b'<' { self.after_type_arguments(open)? } else { open };
        if self.stream.mark(open) != b'(' {
            return None;
        }
        let after = self.stream.partner(open) + 1;
        match self.stream.mark(after) {
            ARROW => Some(after),
            b':' if self.dialect.has_types => {
                let arrow = self.after_type(after + 1)?;
                (self.stream.mark(arrow) == ARROW).then_some(arrow)
            }
            _ => None,
        }
    }

    fn parenthesized(&mut self, first: usize) -> Option<Part> {
        if let Some(arrow) = self.after_head(first) {
            // In `a ? (b) : c => d`, the colon may belong to the choice.
            if self.is_choice && self.stream.mark(self.stream.partner(first) + 1) == b':' {
                return None;
            }
            self.at = arrow;
            return self.arrow(first);
        }
        self.skip();
        if self.at == first + 2 {
            return None;
        }
        Some(self.bracketed(What::Expression, Kind::Parenthesized, first))
    }

    /// Reads a function, starting with its arrow.
    fn arrow(&mut self, first: usize) -> Option<Part> {
        self.take(ARROW)?;
        let node = self.begin(Kind::Arrow, first);
        self.tree.at(node).body = index(self.at);
        if self.mark() == b'{' {
            let block = self.block();
            self.tree.adopt(node, block.node);
        } else {
            let part = self.operand()?;
            self.tree.adopt(node, part.node);
            self.tree.at(node).back = part;
        }
        Some(self.end(node))
    }

    /// `<T>(a: T) => a`, or `<T>a`.
    fn angled(&mut self, first: usize) -> Option<Part> {
        if let Some(arrow) = self.after_head(first) {
            self.at = arrow;
            return self.arrow(first);
        }
        self.enter()?;
        self.at = self.after_type_arguments(first)?;
        let part = self.prefixed()?;
        self.leave();
        Some(self.around(Kind::Other, first, &[part]))
    }

    /// `new A.B(c)`
    fn made(&mut self, first: usize) -> Option<Part> {
        self.enter()?;
        self.at += 1;
        if self.takes(b'.') {
            self.take(WORD)?;
            self.leave();
            return Some(self.leaf(Kind::Other, first));
        }
        let start = self.at;
        let mut made = self.primary()?;
        loop {
            made = match self.mark() {
                b'.' => {
                    self.at += 1;
                    self.take(WORD)?;
                    self.member(made, start)
                }
                b'[' => self.subscript(start),
                b'!' if self.dialect.has_types && !self.is_below(self.at) => {
                    self.at += 1;
                    self.thin(made, start)
                }
                _ => break,
            };
        }
        if self.dialect.has_types
            && self.mark() == b'<'
            && let Some(after) = self.after_type_arguments(self.at)
        {
            self.at = after;
        }
        let arguments = if self.mark() == b'(' {
            let open = self.at;
            self.skip();
            self.argument_part(Part::NOTHING, open)
        } else {
            Part::NOTHING
        };
        self.leave();
        Some(self.around(Kind::New, first, &[made, arguments]))
    }
}
