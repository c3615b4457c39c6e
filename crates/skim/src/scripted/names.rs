//! The names that a part of a script declares.

use locant_text::Range;

use super::marks::{CHAIN, ELEMENT, NUMBER, SPREAD};
use super::tree::{Kind, Part};
use crate::stream::Stream;
use crate::tokens::{TEXT, WORD};

/// A declared name.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub(super) range: Range,
    /// The names before it: `a` in `a.b`.
    pub(super) qualifier: Vec<Range>,
}

/// Says that only a parser can tell.
pub(super) struct Unsure;

/// How many names a qualifier may have.
const MAX_QUALIFIER: usize = 32;

/// How deep patterns and parentheses may be nested.
const MAX_DEPTH: usize = 8;

/// Names that declare nothing.
const NAMELESS: &[&str] = &["module", "exports", "prototype"];

/// Words that are operands, but not names.
const NO_NAMES: &[&str] = &[
    "super",
    "null",
    "true",
    "false",
    "undefined",
    "import",
    "new",
    "typeof",
    "void",
    "delete",
    "await",
    "yield",
    "function",
    "class",
    "async",
];

/// Reads names from the tokens of parts.
#[derive(Clone, Copy)]
pub(super) struct Names<'a> {
    pub(super) stream: &'a Stream<'a>,
    /// Names that mean nothing in a qualifier.
    pub(super) silent: &'a [&'a str],
}

impl Names<'_> {
    /// The names that a key, name, member or pattern declares.
    pub(super) fn of(self, part: Part) -> Result<Vec<Name>, Unsure> {
        if part.is_nothing() {
            return Ok(Vec::new());
        }
        let (first, last) = (part.first as usize, part.last as usize);
        let mut names = Vec::new();
        match part.kind {
            Kind::ObjectPattern => self.pattern(&mut names, first, 0)?,
            Kind::Member => {
                let object = if first == last { Some(Vec::new()) } else { self.flat(first, last - 2, 0)? };
                if let Some(qualifier) = object {
                    names.push(Name { range: self.stream.range(last), qualifier });
                }
            }
            _ => names.extend(self.key(part).map(|range| Name { range, qualifier: Vec::new() })),
        }
        names.retain(|name| self.is_name(name.range));
        Ok(names)
    }

    /// The names that a key adds to the paths of its members.
    pub(super) fn scope(self, part: Part) -> Result<Vec<Range>, Unsure> {
        let (first, last) = (part.first as usize, part.last as usize);
        if part.kind == Kind::Member {
            let whole = self.flat(first, last, 0)?;
            return Ok(whole.unwrap_or_else(|| vec![self.stream.span(first, last)]));
        }
        let name = self.key(part).unwrap_or_else(|| self.stream.span(first, last));
        Ok(if self.is_silent(name) { Vec::new() } else { vec![name] })
    }

    /// The names of an operand, the outermost first. `None` if it contains anything but names.
    pub(super) fn flat(self, first: usize, last: usize, depth: usize) -> Result<Option<Vec<Range>>, Unsure> {
        let mut names = Vec::new();
        let mut at = match self.stream.mark(first) {
            WORD if self.stream.is_among(first, NO_NAMES) => return Ok(None),
            WORD => {
                names.push(self.stream.range(first));
                first + 1
            }
            b'(' if depth < MAX_DEPTH => {
                let close = self.stream.partner(first);
                if close < first + 2 {
                    return Ok(None);
                }
                let Some(inner) = self.flat(first + 1, close - 1, depth + 1)? else { return Ok(None) };
                names = inner;
                close + 1
            }
            TEXT | NUMBER | b'(' => return Err(Unsure),
            _ => return Ok(None),
        };
        while at <= last {
            match self.stream.mark(at) {
                b'.' | CHAIN if self.stream.mark(at + 1) == WORD => {
                    names.push(self.stream.range(at + 1));
                    at += 2;
                }
                b'!' => at += 1,
                // The rest is a type.
                WORD if depth > 0 && matches!(self.stream.word(at), b"as" | b"satisfies") => break,
                _ => return Ok(None),
            }
        }
        if names.len() > MAX_QUALIFIER {
            return Ok(None);
        }
        names.retain(|name| !self.is_silent(*name));
        Ok(Some(names))
    }

    /// The range of a key without its quotes. `None` if it is empty.
    fn key(self, part: Part) -> Option<Range> {
        let range = self.stream.span(part.first as usize, part.last as usize);
        let indices = range.indices();
        let range = if part.kind == Kind::Text {
            Range::of_indices(indices.start + 1..indices.end - 1)
        } else {
            range
        };
        (!range.is_empty()).then_some(range)
    }

    fn is_name(self, range: Range) -> bool {
        let text = &self.stream.text[range.indices()];
        !range.is_empty()
            && memchr::memchr2(b'\n', b'\r', text).is_none()
            && !NAMELESS.iter().any(|word| word.as_bytes() == text)
    }

    fn is_silent(self, range: Range) -> bool {
        let text = &self.stream.text[range.indices()];
        self.silent.iter().any(|word| word.as_bytes() == text)
    }

    /// Adds the names in the brackets of a pattern.
    fn pattern(self, names: &mut Vec<Name>, open: usize, depth: usize) -> Result<(), Unsure> {
        if depth > MAX_DEPTH {
            return Err(Unsure);
        }
        let is_object = self.stream.mark(open) == b'{';
        let close = self.stream.partner(open);
        let mut at = open + 1;
        while at < close {
            if self.stream.mark(at) == b',' {
                at += 1;
                continue;
            }
            at += usize::from(self.stream.mark(at) == SPREAD);
            if is_object {
                let after = self.stream.after(at);
                if self.stream.mark(after) == b':' {
                    at = after + 1;
                }
            }
            match self.stream.mark(at) {
                WORD => names.push(Name { range: self.stream.range(at), qualifier: Vec::new() }),
                b'{' | b'[' => self.pattern(names, at, depth + 1)?,
                _ => return Err(Unsure),
            }
            at = self.after_default(self.stream.after(at), close)?;
        }
        Ok(())
    }

    /// The comma or bracket after the default that may start here.
    fn after_default(self, start: usize, close: usize) -> Result<usize, Unsure> {
        let mut at = start;
        if self.stream.mark(at) == b'=' {
            while at < close && self.stream.mark(at) != b',' {
                at = if self.stream.mark(at) == ELEMENT {
                    self.stream.partner(at) + 1
                } else {
                    self.stream.after(at)
                };
            }
        }
        if at == close || self.stream.mark(at) == b',' { Ok(at) } else { Err(Unsure) }
    }
}
