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

    /// Are there brackets behind the name, with nothing in them?
    pub(crate) fn takes_nothing(&self) -> bool {
        self.parameters.as_deref().is_some_and(|own| without_self(own).is_empty())
    }

    /// Are these its parameters, by their types or by their names? What stands for the object itself may be left out.
    pub(crate) fn has_parameters(&self, written: &str) -> Option<Likeness> {
        let own = self.parameters.as_deref()?;
        let written = split(written.as_bytes());
        let compare = |own: &[&[u8]]| {
            let likenesses = own.iter().zip(&written).map(|(own, written)| likeness(own, written));
            likenesses.min().flatten().filter(|_| own.len() == written.len())
        };
        compare(own).max(compare(without_self(own)))
    }

    /// Do arguments have these labels, in this order, as Swift writes them: `move(from:to:)`?
    pub(crate) fn has_labels(&self, labels: &str) -> bool {
        let labels = labels.strip_suffix(':').unwrap_or(labels).split(':').map(str::as_bytes);
        let own = self.parameters.as_deref().unwrap_or_default();
        own.iter().map(|parameter| words(parameter).next().unwrap_or_default()).eq(labels)
    }
}

/// How like a parameter something is that was written for it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Likeness {
    /// It is one of them but for where the type is declared and what it is made of: `Map` for `java.util.Map<K, V>`.
    Part,
    /// It is the type, the name, or both, but for words that do not make it another type: `final`, `const`, `&`.
    Whole,
    /// It is one of them, sign for sign.
    Exact,
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
    let [own, written] = [own, written].map(|parameter| tokens(without_default(parameter)));
    let forms = forms(&own);
    if forms.contains(&written.as_slice()) {
        return Some(Likeness::Exact);
    }
    if forms.iter().any(|form| telling(form) == telling(&written)) {
        return Some(Likeness::Whole);
    }
    let short = telling(&without_places(&written));
    let is_short = |form: &[&[u8]]| {
        let form = telling(&without_places(form));
        form == short || !short.contains(&&b"<"[..]) && without_arguments(&form) == short
    };
    forms.iter().any(|form| is_short(form)).then_some(Likeness::Part)
}

/// A type without what says where it is declared: `string` of `std::string`.
fn without_places<'t>(tokens: &[&'t [u8]]) -> Vec<&'t [u8]> {
    let is_separator = |token: &[u8]| matches!(token, b"::" | b".");
    let is_place =
        |at: usize| tokens.get(at + 1).is_some_and(|next| is_separator(next)) && is_word(&tokens[at][0]);
    let kept = tokens.iter().enumerate().filter(|(at, token)| !is_place(*at) && !is_separator(token));
    kept.map(|(_, token)| *token).collect()
}

/// A type without what it is made of: `Map` of `Map<String, Integer>`.
fn without_arguments<'t>(tokens: &[&'t [u8]]) -> Vec<&'t [u8]> {
    let mut depth = 0usize;
    let is_outside = |token: &&&[u8]| match **token {
        b"<" => {
            depth += 1;
            false
        }
        b">" => {
            depth = depth.saturating_sub(1);
            false
        }
        _ => depth == 0,
    };
    tokens.iter().filter(is_outside).copied().collect()
}

/// What tells a type apart from others.
fn telling<'t>(tokens: &[&'t [u8]]) -> Vec<&'t [u8]> {
    tokens.iter().copied().filter(|token| !is_aside(token)).collect()
}

/// What may be written for a parameter: all of it, its type or its name. Some languages have the type in front, some
/// the name.
fn forms<'p, 't>(own: &'p [&'t [u8]]) -> Vec<&'p [&'t [u8]]> {
    let mut forms = vec![own];
    let is_name = |token: &&[u8]| is_word(&token[0]) && !token[0].is_ascii_digit();
    match own.iter().position(|token| *token == b":") {
        Some(colon) => {
            let name = &own[..colon];
            let name = name.strip_suffix(&[&b"?"[..]]).unwrap_or(name);
            forms.extend([name, &own[colon + 1..]]);
            forms.extend(name.split_first().map(|(_, inner)| inner).filter(|inner| !inner.is_empty()));
        }
        None => {
            forms.extend(own.split_first().filter(|(first, _)| is_name(first)).map(|(_, rest)| rest));
            forms.extend(own.split_last().filter(|(last, _)| is_name(last)).map(|(_, rest)| rest));
            forms.extend(own.last().filter(|last| is_name(last)).map(std::slice::from_ref));
        }
    }
    forms
}

/// Does it stand beside a type without making it another one?
fn is_aside(token: &[u8]) -> bool {
    const ASIDE: [&[u8]; 17] = [
        b"final",
        b"const",
        b"volatile",
        b"readonly",
        b"ref",
        b"in",
        b"out",
        b"inout",
        b"params",
        b"vararg",
        b"val",
        b"var",
        b"mut",
        b"struct",
        b"class",
        b"enum",
        b"&",
    ];
    ASIDE.contains(&token)
}

/// A parameter without its default.
fn without_default(parameter: &[u8]) -> &[u8] {
    let mut depth = Depth::default();
    let end = (0..parameter.len()).find(|&at| {
        let is_open = depth.pass(parameter, at) || depth.n_open > 0 || depth.is_quoted;
        !is_open && parameter[at] == b'=' && parameter.get(at + 1) != Some(&b'>')
    });
    &parameter[..end.unwrap_or(parameter.len())]
}

fn without_self<'p, 't>(own: &'p [&'t [u8]]) -> &'p [&'t [u8]] {
    own.split_first().filter(|(first, _)| is_self(first)).map_or(own, |(_, rest)| rest)
}

/// The words and signs of a text, without blanks.
fn tokens(mut text: &[u8]) -> Vec<&[u8]> {
    let mut tokens = Vec::new();
    loop {
        text = text.trim_ascii_start();
        let length = match text {
            [] => return tokens,
            [b':', b':', ..] => 2,
            _ => text.iter().take_while(|byte| is_word(byte)).count().max(1),
        };
        let (token, rest) = text.split_at(length);
        tokens.push(token);
        text = rest;
    }
}

fn is_word(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii()
}

fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| !is_word(byte)).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(own: &str, written: &str, expected: Option<Likeness>) {
        assert_eq!(likeness(own.as_bytes(), written.as_bytes()), expected, "{own} for {written}");
    }

    #[test]
    fn a_parameter_is_written_by_its_type_or_its_name() {
        for (own, written) in [
            ("int x", "int"),
            ("int x", "x"),
            ("int x", "int  x"),
            ("int[] x", "int[]"),
            ("const char* s", "const char *"),
            ("List<String> xs", "List<String>"),
            ("x: str", "str"),
            ("x: str = 'a'", "x"),
            ("_ a: Int", "Int"),
            ("a?: string[]", "string[]"),
            ("b []byte", "[]byte"),
            ("std::string", "std::string"),
            ("a: (Int) -> Unit", "(Int) -> Unit"),
        ] {
            check(own, written, Some(Likeness::Exact));
        }
    }

    #[test]
    fn some_words_make_no_other_type() {
        check("final int y", "int", Some(Likeness::Whole));
        check("const char* s", "char*", Some(Likeness::Whole));
        check("const std::string& s", "std::string", Some(Likeness::Whole));
        check("const std::string& s", "string", Some(Likeness::Part));
        check("final java.util.Map<String, List<Integer>> all", "Map", Some(Likeness::Part));
        check("java.util.Map<String, Integer> all", "Map<String, Integer>", Some(Likeness::Part));
    }

    #[test]
    fn signs_make_another_type() {
        for (own, written) in [
            ("int[] x", "int"),
            ("int x", "int[]"),
            ("char c", "char*"),
            ("x: Int?", "Int"),
            ("int x", "long"),
            ("std::vector<std::string> v", "std::string"),
            ("std::function<void(std::string)> f", "std::string"),
            ("Map.Entry<String, List<Integer>> e", "List<String>"),
        ] {
            check(own, written, None);
        }
    }
}
