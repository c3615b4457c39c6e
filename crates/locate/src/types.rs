//! Compares types as they are written, by their tokens.
//!
//! Only the text of a type is read, not a syntax tree. So this works for all languages with a common notation.

/// A word or punctuation mark of a type.
pub(crate) type Token<'t> = &'t [u8];

/// How similar a written type is to a declared one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Likeness {
    /// Only a part of the type was written, such as `Map` for `java.util.Map<K, V>`. Or a type was written for a type
    /// parameter, such as `int` for `T`.
    Part,
    /// The same type was written, apart from `final`, `const`, `&` and the path to it.
    Whole,
    /// The same type was written, token for token.
    Exact,
}

/// How similar a written type is to a declared one; `None` if it is another type. The `variables` in the declared type,
/// such as `T`, stand for any type.
pub(crate) fn likeness<'t>(
    declared: &[Token<'t>],
    written: &[Token<'t>],
    variables: &[Token<'t>],
) -> Option<Likeness> {
    likeness_with(declared, written, variables, &mut Vec::new())
}

/// Variables, each with the type that was written for it.
pub(crate) type Bound<'p, 't> = Vec<(Token<'t>, &'p [Token<'t>])>;

/// The same as [`likeness`], but some variables may already be bound to types. Further variables are added to `bound`.
pub(crate) fn likeness_with<'p, 't>(
    declared: &'p [Token<'t>],
    written: &'p [Token<'t>],
    variables: &[Token<'t>],
    bound: &mut Bound<'p, 't>,
) -> Option<Likeness> {
    let [mut declared, mut written] = [declared, written].map(from_root);
    let (mut is_exact, mut has_own_signs) = (true, false);
    while let Some(&first) = declared.first() {
        let (own, rest) = next_part(declared);
        if own.len() == 1 && variables.contains(&first) {
            let taken = until(written, rest.first().copied());
            let known = bound.iter().find(|(name, _)| *name == first).map(|(_, taken)| *taken);
            if taken.is_empty() || known.is_some_and(|known| known != taken) {
                return None;
            }
            bound.push((first, taken));
            is_exact &= taken == own;
            written = &written[taken.len()..];
        } else {
            let (other, others) = next_part(written);
            if !is_same_place(own, other) {
                return None;
            }
            has_own_signs = true;
            is_exact &= own == other;
            written = others;
        }
        declared = rest;
    }
    match (written.is_empty(), is_exact, has_own_signs) {
        (false, ..) => None,
        (_, true, _) => Some(Likeness::Exact),
        (_, _, true) => Some(Likeness::Whole),
        (_, _, false) => Some(Likeness::Part),
    }
}

/// A type without the leading `::` of its path.
fn from_root<'p, 't>(tokens: &'p [Token<'t>]) -> &'p [Token<'t>] {
    tokens.split_first().filter(|(first, _)| **first == b"::").map_or(tokens, |(_, rest)| rest)
}

/// Splits a type after its first token or, if it starts with a path, after the path: `std::string` and `*` for
/// `std::string*`.
fn next_part<'p, 't>(tokens: &'p [Token<'t>]) -> (&'p [Token<'t>], &'p [Token<'t>]) {
    let is_name = |at: usize| tokens.get(at).is_some_and(|token| is_word(&token[0]));
    let mut end = 1;
    while is_name(end - 1) && tokens.get(end).is_some_and(|token| is_separator(token)) && is_name(end + 1) {
        end += 2;
    }
    tokens.split_at(end.min(tokens.len()))
}

/// The tokens before the first `end` or comma that is outside of brackets.
fn until<'p, 't>(tokens: &'p [Token<'t>], end: Option<Token<'t>>) -> &'p [Token<'t>] {
    let mut depth = 0_usize;
    let is_end = |token: &Token<'t>| {
        let is_end = depth == 0 && (Some(*token) == end || *token == b",");
        match *token {
            b"<" | b"(" | b"[" | b"{" => depth += 1,
            b">" | b")" | b"]" | b"}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        is_end
    };
    &tokens[..tokens.iter().position(is_end).unwrap_or(tokens.len())]
}

/// Whether the paths in two types may mean the same. Types with different names before them are different types:
/// `java.util.List` and `java.awt.List`.
pub(crate) fn have_same_places(own: &[Token<'_>], written: &[Token<'_>]) -> bool {
    let own = paths(own);
    paths(written).iter().filter(|path| path.len() > 1).all(|path| {
        let mut namesakes = own.iter().filter(|own| own.last() == path.last()).peekable();
        namesakes.peek().is_none() || namesakes.any(|own| is_same_place(own, path))
    })
}

fn paths<'p, 't>(mut tokens: &'p [Token<'t>]) -> Vec<&'p [Token<'t>]> {
    let mut paths = Vec::new();
    while !tokens.is_empty() {
        let (path, rest) = next_part(tokens);
        paths.push(path);
        tokens = rest;
    }
    paths
}

/// Whether two paths may mean the same type. One of them may leave out names at the start. In Rust, `core`, `alloc` and
/// `std` export the same items, so they count as the same.
fn is_same_place(own: &[Token<'_>], other: &[Token<'_>]) -> bool {
    const ROOTS: [&[u8]; 3] = [b"crate", b"self", b"super"];
    const LIBRARY: [&[u8]; 3] = [b"core", b"std", b"alloc"];

    let names = |path: &[Token<'_>]| -> Vec<Vec<u8>> {
        let names = path.iter().filter(|token| !is_separator(token) && !ROOTS.contains(token));
        names.map(|name| name.to_vec()).collect()
    };
    let (own, other) = (names(own), names(other));
    if own.is_empty() || other.is_empty() {
        return own == other;
    }
    let n_shared = own.iter().rev().zip(other.iter().rev()).take_while(|(one, other)| one == other).count();
    let (own, other) = (&own[..own.len() - n_shared], &other[..other.len() - n_shared]);
    let is_library = |rest: &[Vec<u8>]| matches!(rest, [root] if LIBRARY.contains(&root.as_slice()));
    n_shared > 0 && (own.is_empty() || other.is_empty() || is_library(own) && is_library(other))
}

/// The words and punctuation marks of a text, without blanks, comments and lifetimes.
pub(crate) fn tokens(mut text: &[u8]) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    loop {
        text = text.trim_ascii_start();
        let length = match text {
            [] => return tokens,
            [b'/', b'*' | b'/', ..] => {
                text = &text[comment_length(text)..];
                continue;
            }
            // Skips the lifetime in `&'a str`. A letter in quotes, such as `'a'`, is not a lifetime.
            [b'\'', first, second, ..] if is_word(first) && *second != b'\'' => {
                text = &text[1 + word_length(&text[1..])..];
                continue;
            }
            [b':', b':', ..] => 2,
            // Skips the `$` of `string $name` in PHP.
            [b'$', first, ..] if is_word(first) => {
                text = &text[1..];
                continue;
            }
            _ => word_length(text).max(1),
        };
        let (token, rest) = text.split_at(length);
        tokens.push(token);
        text = rest;
    }
}

fn word_length(text: &[u8]) -> usize {
    text.iter().take_while(|byte| is_word(byte)).count()
}

/// The length of the comment at the start of a text; 0 if there is none.
pub(crate) fn comment_length(text: &[u8]) -> usize {
    let end =
        |close: &[u8]| memchr::memmem::find(&text[2..], close).map_or(text.len(), |at| 2 + at + close.len());
    match text {
        [b'/', b'*', ..] => end(b"*/"),
        [b'/', b'/', ..] => end(b"\n"),
        _ => 0,
    }
}

/// The number of bytes up to and including the bracket that closes the first bracket; `None` if it is not closed.
pub(crate) fn group_end(text: &[u8]) -> Option<usize> {
    let mut reader = Brackets::default();
    let mut at = 0;
    while at < text.len() {
        let (length, is_bracket) = reader.pass(text, at);
        at += length;
        if is_bracket && reader.n_open == 0 {
            return Some(at);
        }
    }
    None
}

/// Where the group in brackets at the end of a text starts.
pub(crate) fn group_start(text: &[u8]) -> Option<usize> {
    let (open, close) = match text.last()? {
        b'>' => (b'<', b'>'),
        b']' => (b'[', b']'),
        b')' => (b'(', b')'),
        _ => return None,
    };
    let mut depth = 0_usize;
    let is_start = |&at: &usize| {
        match text[at] {
            byte if byte == close => depth += 1,
            byte if byte == open => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    };
    (0..text.len()).rev().find(is_start)
}

/// Splits a list at the commas that are outside of brackets. A comma after the last part is allowed.
pub(crate) fn split(list: &[u8]) -> Vec<&[u8]> {
    let mut reader = Brackets::default();
    let (mut parts, mut start, mut at) = (Vec::new(), 0, 0);
    while at < list.len() {
        let (length, is_bracket) = reader.pass(list, at);
        if !is_bracket && list[at] == b',' && reader.n_open == 0 {
            parts.push(list[start..at].trim_ascii());
            start = at + 1;
        }
        at += length;
    }
    parts.push(list[start..].trim_ascii());
    if parts.last().is_some_and(|last| tokens(last).is_empty()) {
        parts.pop();
    }
    parts
}

/// Counts the brackets that are open while a text is read from its start.
#[derive(Default)]
pub(crate) struct Brackets {
    pub(crate) n_open: usize,
}

impl Brackets {
    /// Reads the byte at `at`, or the whole quoted text or comment that starts there. Returns how many bytes were read,
    /// and whether they are a bracket.
    pub(crate) fn pass(&mut self, text: &[u8], at: usize) -> (usize, bool) {
        // The `>` of an arrow is not a bracket.
        let is_arrow = at > 0 && matches!(text[at - 1], b'-' | b'=') && text[at] == b'>';
        match text[at] {
            b'/' => (comment_length(&text[at..]).max(1), false),
            b'"' | b'\'' | b'`' => (quoted_length(text, at), false),
            b'(' | b'[' | b'{' | b'<' => {
                self.n_open += 1;
                (1, true)
            }
            b')' | b']' | b'}' | b'>' if !is_arrow => {
                self.n_open = self.n_open.saturating_sub(1);
                (1, true)
            }
            _ => (1, false),
        }
    }
}

/// The longest quoted text that is read, in bytes. Defaults of parameters are shorter. Without a limit, a text with
/// many unclosed quotes would take quadratic time.
const LONGEST_TEXT: usize = 1000;

/// The length of the quoted text that starts at `at`. It is 1, the quote alone, if the quote is not closed on its line,
/// if it directly follows a word, or if it starts a lifetime, as in `<'a, T: 'a>`.
fn quoted_length(text: &[u8], at: usize) -> usize {
    let quote = text[at];
    let before = text[..at].trim_ascii_end().last();
    let is_in_name = at > 0 && is_word(&text[at - 1]);
    let may_be_lifetime = quote == b'\'' && before.is_some_and(|before| b"&<,+:".contains(before));
    let inside = &text[at + 1..];
    let is_lifetime =
        may_be_lifetime && word_length(inside) > 0 && inside.get(word_length(inside)) != Some(&quote);
    if is_in_name || is_lifetime {
        return 1;
    }
    let mut is_escaped = false;
    for (length, &byte) in
        inside.iter().enumerate().take(LONGEST_TEXT).take_while(|(_, byte)| !matches!(byte, b'\n' | b'\r'))
    {
        if byte == quote && !is_escaped {
            return length + 2;
        }
        is_escaped = byte == b'\\' && !is_escaped;
    }
    1
}

pub(crate) fn is_separator(token: &[u8]) -> bool {
    matches!(token, b"::" | b".")
}

pub(crate) fn is_word(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(declared: &str, written: &str, variables: &[&str], expected: Option<Likeness>) {
        let variables: Vec<Token<'_>> = variables.iter().map(|name| name.as_bytes()).collect();
        let answer = likeness(&tokens(declared.as_bytes()), &tokens(written.as_bytes()), &variables);
        assert_eq!(answer, expected, "{written} for {declared}");
    }

    #[test]
    fn a_type_may_say_less_of_where_it_is_declared() {
        check("fmt::Display", "fmt::Display", &[], Some(Likeness::Exact));
        check("fmt::Display", "Display", &[], Some(Likeness::Whole));
        check("std::fmt::Display", "core::fmt::Display", &[], Some(Likeness::Whole));
        check("crate::Shape", "Shape", &[], Some(Likeness::Whole));
        check("a::Shape", "b::Shape", &[], None);
        check("Display", "Debug", &[], None);
    }

    #[test]
    fn a_parameter_stands_for_any_type() {
        check("T", "int", &["T"], Some(Likeness::Part));
        check("T*", "int*", &["T"], Some(Likeness::Whole));
        check("T*", "int", &["T"], None);
        check("Map<K, V>", "Map<String, List<X, Y>>", &["K", "V"], Some(Likeness::Whole));
        check("Pair<T, T>", "Pair<u8, u8>", &["T"], Some(Likeness::Whole));
        check("Pair<T, T>", "Pair<u8, u16>", &["T"], None);
        check("From<u8>", "From<u16>", &["T"], None);
        check("&'a T", "&T", &["T"], Some(Likeness::Exact));
    }
}
