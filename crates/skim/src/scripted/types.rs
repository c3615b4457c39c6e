//! Types: where they end, and the members of types in braces.

use super::marks::{ARROW, NUMBER, SPREAD, TEMPLATE};
use super::tree::Kind;
use super::{Reader, What};
use crate::stream::MAX_AHEAD;
use crate::tokens::{TEXT, WORD};

/// Words that may come before a type.
const FRONTS: &[&str] = &["keyof", "unique", "readonly", "infer", "asserts", "abstract"];

impl Reader<'_> {
    /// Reads a type. What it declares goes into `node`.
    pub(super) fn type_into(&mut self, node: u32) -> Option<()> {
        let mut types = Types { n_deep: 0, braces: Vec::new() };
        self.at = types.whole(self, self.at, true)?;
        for (open, what) in types.braces {
            if self.stream.partner(open) == open + 1 || what == What::Types && self.is_plain(open) {
                continue;
            }
            let kind = if what == What::Signatures { Kind::ObjectType } else { Kind::Other };
            let inner = self.begin(kind, open);
            let last = self.stream.partner(open);
            self.tree.at(inner).last = super::index(last);
            self.tree.adopt(node, inner);
            self.later(what, inner, open);
        }
        Some(())
    }

    /// The token after the type that starts here.
    pub(super) fn after_type(&self, at: usize) -> Option<usize> {
        Types { n_deep: 0, braces: Vec::new() }.whole(self, at, false)
    }

    /// The token after a list of types in angle brackets. `None` if these are not angle brackets around types.
    pub(super) fn after_type_arguments(&self, open: usize) -> Option<usize> {
        let (mut at, mut depth) = (open, 0_usize);
        for _ in 0..MAX_AHEAD {
            match self.stream.mark(at) {
                b'<' => depth += 1,
                b'>' if depth == 1 => return Some(at + 1),
                b'>' => depth -= 1,
                WORD | TEXT | NUMBER | TEMPLATE | ARROW | SPREAD | b'.' | b',' | b'|' | b'&' | b'?'
                | b':' | b'=' | b'-' | b'*' | b'(' | b'[' => {}
                b'{' => {}
                _ => return None,
            }
            at = self.stream.after(at);
        }
        None
    }

    /// Reads the types in square brackets or parentheses, perhaps with names: `[a: A, ...B[]]`.
    pub(super) fn type_list(&mut self, node: u32, end: usize) -> Option<()> {
        while self.at < end {
            self.takes(SPREAD);
            if self.mark() == WORD
                && (self.mark_after(1) == b':' || self.mark_after(1) == b'?' && self.mark_after(2) == b':')
            {
                self.at += 1;
                self.takes(b'?');
                self.at += 1;
            }
            self.type_into(node)?;
            self.takes(b'?');
            if self.at < end {
                self.take(b',')?;
            }
        }
        Some(())
    }

    /// Reads the members of an interface, or of a type in braces.
    pub(super) fn signatures(&mut self, node: u32, end: usize) -> Option<()> {
        while self.at < end {
            if self.takes(b';') || self.takes(b',') {
                continue;
            }
            self.signature(node)?;
            let is_over = self.at >= end || matches!(self.mark(), b';' | b',') || self.is_below(self.at);
            is_over.then_some(())?;
        }
        Some(())
    }

    fn signature(&mut self, node: u32) -> Option<()> {
        let first = self.at;
        if matches!(self.mark(), b'-' | b'+') {
            self.at += 1;
        }
        while matches!(
            self.word(),
            b"public"
                | b"private"
                | b"protected"
                | b"static"
                | b"readonly"
                | b"get"
                | b"set"
                | b"async"
                | b"override"
        ) && matches!(self.mark_after(1), WORD | TEXT | NUMBER | b'[' | b'*')
        {
            (!self.is_below(self.at + 1)).then_some(())?;
            self.at += 1;
        }
        if self.is_index() {
            return self.index_type(node);
        }
        if matches!(self.mark(), b'(' | b'<') {
            return self.function_type(node);
        }
        let n_words = if self.stream.is(self.at, "abstract") { 1 } else { 0 };
        if self.stream.is(self.at + n_words, "new") && matches!(self.mark_after(n_words + 1), b'(' | b'<') {
            self.at += n_words + 1;
            return self.function_type(node);
        }
        if self.stream.is(self.at, "export") && matches!(self.mark_after(1), WORD | b'{' | b'*' | b'=') {
            return None;
        }
        let key = self.key()?;
        self.takes(b'?');
        let is_method = matches!(self.mark(), b'(' | b'<');
        let kind = if is_method { Kind::MethodSignature } else { Kind::PropertySignature };
        let member = self.begin(kind, first);
        self.tree.at(member).front = key;
        if is_method {
            self.at = self.after_type_parameters(self.at)?;
            self.skip();
            if self.takes(b':') {
                self.at = self.after_type(self.at)?;
            }
        } else if self.takes(b':') {
            self.type_into(member)?;
        }
        self.end(member);
        self.tree.adopt(node, member);
        Some(())
    }

    /// The parenthesis here, or after type parameters that start here.
    fn after_type_parameters(&self, at: usize) -> Option<usize> {
        let open = if self.stream.mark(at) == b'<' { self.after_type_arguments(at)? } else { at };
        (self.stream.mark(open) == b'(').then_some(open)
    }

    /// `(a: A): B` in a type in braces. Unlike the types of a method, these types are searched for declarations.
    fn function_type(&mut self, node: u32) -> Option<()> {
        self.at = self.after_type_parameters(self.at)?;
        let open = self.at;
        self.skip();
        if self.at > open + 2 {
            let parameters = self.begin(Kind::Other, open);
            self.end(parameters);
            self.tree.adopt(node, parameters);
            self.later(What::Parameters, parameters, open);
        }
        if self.takes(b':') {
            self.type_into(node)?;
        }
        Some(())
    }

    /// Whether `[a: A]` or `[A in B]` is here.
    pub(super) fn is_index(&self) -> bool {
        self.mark() == b'['
            && self.mark_after(1) == WORD
            && (self.mark_after(2) == b':' || self.stream.is(self.at + 2, "in"))
    }

    /// `[a: A]: B` or `[A in B]?: C`.
    fn index_type(&mut self, node: u32) -> Option<()> {
        let open = self.at;
        self.at += 3;
        self.type_into(node)?;
        if self.takes_word("as") {
            self.type_into(node)?;
        }
        (self.at == self.stream.partner(open)).then_some(())?;
        self.at += 1;
        if matches!(self.mark(), b'-' | b'+') {
            self.at += 1;
        }
        self.takes(b'?');
        self.take(b':')?;
        self.type_into(node)
    }

    /// Reads an index signature that is a member of a class.
    pub(super) fn index_signature(&mut self, first: usize) -> Option<super::Part> {
        let node = self.begin(Kind::Other, first);
        self.index_type(node)?;
        // A separator must follow, as after a field. The kind `Other` would mean a body, which needs none.
        self.tree.at(node).kind = Kind::ObjectType;
        Some(self.end(node))
    }
}

/// Reads one type, and notes the brackets in it that may declare something.
struct Types {
    n_deep: usize,
    braces: Vec<(usize, What)>,
}

/// How deep types may be nested in each other without brackets.
const MAX_DEPTH: usize = 32;

impl Types {
    /// The token after a type. `is_kept` says whether its brackets are noted.
    fn whole(&mut self, reader: &Reader<'_>, start: usize, is_kept: bool) -> Option<usize> {
        self.n_deep += 1;
        if self.n_deep > MAX_DEPTH {
            return None;
        }
        let stream = &reader.stream;
        let mut at = start;
        if matches!(stream.mark(at), b'|' | b'&') {
            at += 1;
        }
        loop {
            at = self.operand(reader, at, is_kept)?;
            match stream.mark(at) {
                b'|' | b'&' => at += 1,
                WORD if stream.is(at, "extends") => {
                    at = self.whole(reader, at + 1, is_kept)?;
                    if stream.mark(at) != b'?' {
                        break;
                    }
                    at = self.whole(reader, at + 1, is_kept)?;
                    (stream.mark(at) == b':').then_some(())?;
                    at += 1;
                    if matches!(stream.mark(at), b'|' | b'&') {
                        at += 1;
                    }
                }
                _ => break,
            }
        }
        self.n_deep -= 1;
        Some(at)
    }

    /// The token after a type without operators between types.
    fn operand(&mut self, reader: &Reader<'_>, start: usize, is_kept: bool) -> Option<usize> {
        let stream = &reader.stream;
        let mut at = start;
        while stream.is_among(at, FRONTS) && is_front(reader, at) {
            at += 1;
        }
        if stream.is(at, "new") {
            return self.function(reader, at + 1, is_kept);
        }
        at = match stream.mark(at) {
            b'(' if stream.mark(stream.partner(at) + 1) == ARROW => return self.function(reader, at, false),
            b'<' => return self.function(reader, at, false),
            b'(' | b'[' => {
                if is_kept {
                    self.braces.push((at, What::Types));
                }
                stream.partner(at) + 1
            }
            b'{' => {
                if is_kept {
                    self.braces.push((at, What::Signatures));
                }
                stream.partner(at) + 1
            }
            TEXT | NUMBER | TEMPLATE | b'*' => at + 1,
            b'-' if stream.mark(at + 1) == NUMBER => at + 2,
            WORD => self.named(reader, at, is_kept)?,
            _ => return None,
        };
        while stream.mark(at) == b'[' && !reader.is_below(at) {
            if is_kept && stream.partner(at) > at + 1 {
                self.braces.push((at, What::Types));
            }
            at = stream.partner(at) + 1;
        }
        Some(at)
    }

    /// Reads a function type, starting with its parameters.
    fn function(&mut self, reader: &Reader<'_>, at: usize, is_kept: bool) -> Option<usize> {
        let open = reader.after_type_parameters(at)?;
        let after = reader.stream.partner(open) + 1;
        (reader.stream.mark(after) == ARROW).then_some(())?;
        if is_kept && after > open + 2 {
            self.braces.push((open, What::Parameters));
        }
        self.whole(reader, after + 1, is_kept)
    }

    /// Reads a type with a name, `typeof a.b`, `a is B`, or `import("a").B`.
    fn named(&mut self, reader: &Reader<'_>, start: usize, is_kept: bool) -> Option<usize> {
        let stream = &reader.stream;
        let mut at = start;
        if stream.is(at, "typeof") && stream.mark(at + 1) == WORD {
            at += 1;
        }
        let is_import = stream.is(at, "import");
        at += 1;
        if is_import {
            at = (stream.mark(at) == b'(').then(|| stream.partner(at) + 1)?;
        }
        while matches!(stream.mark(at), b'.') {
            (stream.mark(at + 1) == WORD).then_some(())?;
            at += 2;
        }
        if stream.mark(at) == b'<' && !reader.is_below(at) {
            at = reader.after_type_arguments(at)?;
        }
        if stream.is(at, "is") && !reader.is_below(at) {
            return self.whole(reader, at + 1, is_kept);
        }
        Some(at)
    }
}

/// Whether the word here is an operator before a type, and not a type itself.
fn is_front(reader: &Reader<'_>, at: usize) -> bool {
    let next = at + 1;
    let may_open = match reader.stream.mark(next) {
        WORD | TEXT | b'(' | b'{' | TEMPLATE => true,
        // `infer<A>` and `infer[]` are types of this name.
        b'<' | b'[' => reader.stream.is_among(at, &["keyof", "readonly"]),
        _ => false,
    };
    let is_name = matches!(reader.stream.word(next), b"is" | b"extends" | b"in" | b"as");
    may_open && !is_name && !reader.is_below(next)
}
