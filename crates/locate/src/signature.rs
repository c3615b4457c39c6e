//! Reads the text beside the name of a declaration: its parameters, and marks such as `$`, `self.` or `+`.
//!
//! Only the text is read, not a syntax tree. So this works for all languages that write parameters in round brackets.

use locant_text::{Range, Text};
use locant_tree::Symbol;

use crate::parameter::{is_optional, likeness_of_lists, without_attributes, words};
use crate::types::{self, Likeness, is_word, split, tokens};

/// The surroundings of a declared name.
pub(crate) struct Signature<'t> {
    /// The text of the declaration before the name.
    before: &'t [u8],
    /// The parameters in the first brackets after the name; `None` if there are no brackets.
    parameters: Option<Vec<&'t [u8]>>,
    /// The parameters in all brackets after the name, as in `f(a: Int)(b: Int)`.
    all_parameters: Vec<&'t [u8]>,
    /// The text after the parameters.
    after: &'t [u8],
    /// The first byte of the declaration.
    first: Option<u8>,
    /// The `?` or `!` of an initialiser in Swift that may fail: `init?`.
    mark: Option<u8>,
    /// The whole text, whose imports tell where types come from.
    text: &'t Text,
}

impl<'t> Signature<'t> {
    pub(crate) fn of(text: &'t Text, symbol: &Symbol) -> Signature<'t> {
        let declaration = text.slice(symbol.declaration);
        let until = |end| text.slice(Range::new(symbol.declaration.start(), end));
        let name = symbol.name_range;
        let is_inside = symbol.declaration.covers(name);
        let before = if is_inside { until(name.start()) } else { &[] };
        let mut after =
            if is_inside { text.slice(Range::new(name.end(), symbol.declaration.end())) } else { &[] };
        let mut parameters = None;
        let mut all_parameters = Vec::new();
        // The mark after `init`, such as the `?` of `init?(x: Int)` in Swift.
        let mark = after.first().copied().filter(|mark| symbol.name == "init" && matches!(mark, b'?' | b'!'));
        after = &after[usize::from(mark.is_some())..];
        while let Some((list, rest)) = parameter_list(after, parameters.is_some()) {
            all_parameters.extend(&list);
            parameters.get_or_insert(list);
            after = rest;
        }
        Signature {
            before,
            parameters,
            all_parameters,
            after,
            first: declaration.first().copied(),
            mark,
            text,
        }
    }

    /// The text after the parameters, up to the end of the declaration.
    pub(crate) fn after(&self) -> &'t [u8] {
        self.after
    }

    /// Whether this mark directly follows the name, as in `init?` of Swift.
    pub(crate) fn has_mark(&self, mark: char) -> bool {
        self.mark.is_some_and(|own| char::from(own) == mark)
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

    /// Whether `const` follows the parameters, as in a member function of C++.
    pub(crate) fn is_const(&self) -> bool {
        tokens(&self.after[..self.after.len().min(64)]).first() == Some(&&b"const"[..])
    }

    /// Whether the declared function may be called with `n` arguments.
    pub(crate) fn takes(&self, n: usize) -> bool {
        let parameters = self.parameters.as_deref().unwrap_or_default();
        let n_optional = parameters.iter().filter(|parameter| is_optional(parameter)).count();
        (parameters.len() - n_optional..=parameters.len()).contains(&n)
    }

    /// Whether there are brackets after the name, and no parameter in them except the object itself, such as `self`.
    pub(crate) fn takes_nothing(&self) -> bool {
        self.parameters.as_deref().is_some_and(|own| without_self(own).is_empty())
    }

    /// Whether the declared function may be called without arguments.
    pub(crate) fn may_take_nothing(&self) -> bool {
        let own = self.parameters.as_deref();
        own.is_some_and(|own| without_self(own).iter().all(|parameter| is_optional(parameter)))
    }

    /// How well parameters that the user wrote fit the declared ones, by their types or by their names. The user may
    /// leave out the object itself and optional parameters.
    pub(crate) fn has_parameters(&self, written: &str) -> Option<Likeness> {
        let own = self.parameters.as_deref()?;
        let written: Vec<&[u8]> = lists(written)
            .into_iter()
            .flat_map(|list| split(list.as_bytes()))
            .filter(|part| !is_mark(part))
            .collect();
        let lists = [own, without_self(own), &self.all_parameters[..]];
        lists.into_iter().map(|own| likeness_of_lists(own, &written, self.text)).max().flatten()
    }

    /// Whether the arguments have these labels in this order, as Swift writes them: `move(from:to:)`.
    pub(crate) fn has_labels(&self, labels: &str) -> bool {
        let labels = labels.strip_suffix(':').unwrap_or(labels).split(':').map(str::as_bytes);
        let own = self.parameters.as_deref().unwrap_or_default();
        let label = |parameter: &&'t [u8]| words(without_attributes(parameter)).next().unwrap_or_default();
        own.iter().map(label).eq(labels)
    }
}

/// Splits `a: Int)(b: Int` into its parameter lists. A `)(` inside brackets does not separate lists, since it may be a
/// part of a type: `void (*)(int)`.
fn lists(written: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let joint = written.bytes().enumerate().find(|&(at, byte)| {
        let is_joint = depth == 0 && written.as_bytes()[at..].starts_with(b")(");
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        is_joint
    });
    match joint {
        Some((at, _)) => [vec![&written[..at]], lists(&written[at + 2..])].concat(),
        None => vec![written],
    }
}

/// The parameters in the brackets at the start of a text, and the text after the brackets. Unless `is_further` is set,
/// the brackets may follow type parameters, or the start of a function that is assigned to the name: `= async function
/// (a)`, `: (a) =>`.
fn parameter_list(text: &[u8], is_further: bool) -> Option<(Vec<&[u8]>, &[u8])> {
    let mut rest = text.trim_ascii_start();
    let mut needs_arrow = false;
    if !is_further {
        (rest, needs_arrow) = after_assignment(rest);
        if let [b'<' | b'[', ..] = rest {
            rest = rest[types::group_end(rest)?..].trim_ascii_start();
        }
    }
    let end = rest.starts_with(b"(").then(|| types::group_end(rest)).flatten()?;
    let list = split(&rest[1..end - 1]).into_iter().filter(|part| !is_mark(part)).collect();
    let after = &rest[end..];
    // Without an arrow, the brackets after an assignment may contain a value: `x = (a, b)`.
    let has_arrow = [&b"=>"[..], b"->", b":"].iter().any(|arrow| after.trim_ascii_start().starts_with(arrow));
    (has_arrow || !needs_arrow).then_some((list, after))
}

/// The text after `= async function* name`. Parts of this start may be missing. Also tells whether an arrow must follow
/// the brackets for the value to be a function.
fn after_assignment(text: &[u8]) -> (&[u8], bool) {
    let Some(rest) = text.strip_prefix(b"=").or_else(|| text.strip_prefix(b":")) else {
        return (text, false);
    };
    let rest = without_word(rest, b"async");
    let named = without_word(rest, b"function");
    if named.len() == rest.len() {
        return (rest, true);
    }
    let named = named.strip_prefix(b"*").unwrap_or(named).trim_ascii_start();
    (&named[named.iter().take_while(|byte| is_word(byte)).count()..], false)
}

fn without_word<'t>(text: &'t [u8], word: &[u8]) -> &'t [u8] {
    let text = text.trim_ascii_start();
    let rest = text.strip_prefix(word).filter(|rest| !rest.first().is_some_and(is_word));
    rest.map_or(text, <[u8]>::trim_ascii_start)
}

/// Whether the part is not a parameter: a mark between parameters, as in Python, or `void`, which means none in C.
fn is_mark(part: &[u8]) -> bool {
    matches!(part, b"*" | b"/" | b"void")
}

/// Whether the parameter is the object itself, such as `self`.
fn is_self(parameter: &[u8]) -> bool {
    let tokens = tokens(parameter);
    let name = tokens.iter().find(|token| !matches!(**token, b"&" | b"mut" | b"borrowing" | b"consuming"));
    // In Java the object itself is written `Type this`. In C# an extension method has `this Type name`.
    let is_receiver = tokens.last() == Some(&&b"this"[..]) || tokens.first() == Some(&&b"this"[..]);
    is_receiver || name.is_some_and(|name| matches!(*name, b"self" | b"cls"))
}

fn without_self<'p, 't>(own: &'p [&'t [u8]]) -> &'p [&'t [u8]] {
    own.split_first().filter(|(first, _)| is_self(first)).map_or(own, |(_, rest)| rest)
}
