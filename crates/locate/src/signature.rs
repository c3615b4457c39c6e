//! What a declaration says right beside its name: its parameters, and marks such as `$`, `self.` or `+`.
//!
//! Read from the text alone, so that it holds for every language that writes parameters in round brackets.

use locant_text::{Range, Text};
use locant_tree::Symbol;

/// The surroundings of a declared name.
pub(crate) struct Signature<'t> {
    /// The declaration up to the name.
    before: &'t [u8],
    /// What the brackets behind the name hold, one by one; `None` without brackets.
    parameters: Option<Vec<&'t [u8]>>,
    /// The first byte of the declaration.
    first: Option<u8>,
}

impl<'t> Signature<'t> {
    pub(crate) fn of(text: &'t Text, symbol: &Symbol) -> Signature<'t> {
        let declaration = text.slice(symbol.declaration);
        let until = |end| text.slice(Range::new(symbol.declaration.start(), end));
        let name = symbol.name_range;
        let is_inside = symbol.declaration.covers(name);
        let before = if is_inside { until(name.start()) } else { &[] };
        let behind =
            if is_inside { text.slice(Range::new(name.end(), symbol.declaration.end())) } else { &[] };
        Signature { before, parameters: parameters(behind), first: declaration.first().copied() }
    }

    pub(crate) fn starts_with(&self, sign: char) -> bool {
        self.first.is_some_and(|first| char::from(first) == sign)
    }

    pub(crate) fn has_in_front(&self, mark: &str) -> bool {
        self.before.ends_with(mark.as_bytes())
    }

    pub(crate) fn has_brackets(&self) -> bool {
        self.parameters.is_some()
    }

    /// May it be called with so many arguments?
    pub(crate) fn takes(&self, n: usize) -> bool {
        let parameters = self.parameters.as_deref().unwrap_or_default();
        let n_optional = parameters.iter().filter(|parameter| is_optional(parameter)).count();
        (parameters.len() - n_optional..=parameters.len()).contains(&n)
    }

    /// Are these its parameters, by their types or by their names? What stands for the object itself may be left out.
    pub(crate) fn has_parameters(&self, written: &str) -> Option<Likeness> {
        let own = self.parameters.as_deref()?;
        let written = split(written.as_bytes());
        let without_self =
            own.split_first().filter(|(first, _)| is_self(first)).map_or(own, |(_, rest)| rest);
        let compare = |own: &[&[u8]]| {
            let likenesses = own.iter().zip(&written).map(|(own, written)| likeness(own, written));
            likenesses.min().flatten().filter(|_| own.len() == written.len())
        };
        compare(own).max(compare(without_self))
    }
}

/// How like a parameter something is that was written for it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Likeness {
    /// The parameter has all the words, and others.
    Part,
    /// It is the type, the name, or both.
    Whole,
}

/// What the brackets that follow a name hold. Parameters of types may stand before them.
fn parameters(behind: &[u8]) -> Option<Vec<&[u8]>> {
    let mut rest = behind.trim_ascii_start();
    if let [b'<' | b'[', ..] = rest {
        rest = rest[group_end(rest)?..].trim_ascii_start();
    }
    let end = rest.starts_with(b"(").then(|| group_end(rest)).flatten()?;
    Some(split(&rest[1..end - 1]))
}

/// The bytes behind the bracket that closes the first one.
fn group_end(text: &[u8]) -> Option<usize> {
    let mut depth = Depth::default();
    (0..text.len()).find(|&at| depth.pass(text, at) && depth.n_open == 0).map(|at| at + 1)
}

/// Cuts at the commas that are in no brackets.
fn split(list: &[u8]) -> Vec<&[u8]> {
    let mut depth = Depth::default();
    let (mut parts, mut start) = (Vec::new(), 0);
    for at in 0..list.len() {
        if !depth.pass(list, at) && list[at] == b',' && depth.n_open == 0 && !depth.is_quoted {
            parts.push(list[start..at].trim_ascii());
            start = at + 1;
        }
    }
    parts.push(list[start..].trim_ascii());
    // A comma may stand behind the last one.
    if parts.last().is_some_and(|last| last.is_empty()) {
        parts.pop();
    }
    parts
}

#[derive(Default)]
struct Depth {
    n_open: usize,
    is_quoted: bool,
}

impl Depth {
    /// Takes the next byte; says whether it is a bracket.
    fn pass(&mut self, text: &[u8], at: usize) -> bool {
        // An arrow closes nothing.
        let is_arrow = at > 0 && matches!(text[at - 1], b'-' | b'=') && text[at] == b'>';
        match text[at] {
            b'"' => self.is_quoted = !self.is_quoted,
            _ if self.is_quoted || is_arrow => {}
            b'(' | b'[' | b'{' | b'<' => {
                self.n_open += 1;
                return true;
            }
            b')' | b']' | b'}' | b'>' => {
                self.n_open = self.n_open.saturating_sub(1);
                return true;
            }
            _ => {}
        }
        false
    }
}

fn is_self(parameter: &[u8]) -> bool {
    words(parameter).next().is_some_and(|word| matches!(word, b"self" | b"cls" | b"this" | b"mut"))
}

/// Does it have a default, or stand for any number of them?
fn is_optional(parameter: &[u8]) -> bool {
    parameter.iter().any(|byte| matches!(byte, b'=' | b'*' | b'?'))
        || has(parameter, b"...")
        || has(parameter, b"\\\\")
}

fn has(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

fn likeness(own: &[u8], written: &[u8]) -> Option<Likeness> {
    let (own, written): (Vec<_>, Vec<_>) = (words(own).collect(), words(written).collect());
    let (type_first, name_first) =
        (own.split_last().map(|split| split.1), own.split_first().map(|split| split.1));
    let is_whole = own == written || type_first == Some(&written) || name_first == Some(&written);
    if is_whole {
        Some(Likeness::Whole)
    } else {
        written.iter().all(|word| own.contains(word)).then_some(Likeness::Part)
    }
}

fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
    text.split(move |byte| !is_word(byte)).filter(|word| !word.is_empty())
}
