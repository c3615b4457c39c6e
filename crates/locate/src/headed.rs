//! Scopes that are written like the start of a declaration: `def save`, `class User(Base):`,
//! `public void put(String key)`.
//!
//! All words around the name are claims about the declaration. The module [`claims`](crate::claims) compares them with
//! the text.

use std::collections::HashSet;

use locant_text::Text;
use locant_tree::Outline;

use crate::claims::{self, Claims};
use crate::location::Segment;
use crate::scope::symbol_path;
use crate::symbols::{self, Group, Named};
use crate::types::{self, Brackets, is_word};

/// How many words of a scope are tried as the name, at most.
const MOST_WORDS: usize = 32;

/// Finds the symbols of a path that is written like the start of their declaration.
pub(crate) fn named(text: &Text, outline: &Outline, path: &[Segment]) -> Named {
    if path.iter().rev().skip(1).any(|segment| segment.index.is_some()) {
        return Named::Nothing;
    }
    let names: Vec<&str> = path.iter().map(|segment| segment.name.as_str()).collect();
    let written = names.join(".");
    let index = path.last().and_then(|last| last.index);
    let known: HashSet<&str> = outline.symbols().iter().map(|symbol| symbol.name.as_str()).collect();
    let mut others = Group::new();
    for head in heads(&written) {
        let Ok(mut segments) = symbol_path(head.path) else { continue };
        let Some(last) = segments.last_mut() else { continue };
        if !known.contains(plain_name(&last.name)) {
            continue;
        }
        last.index = last.index.or(index);
        let claims = Claims::new(head.front, head.rest);
        match symbols::named(text, outline, &segments) {
            Named::Nothing => {}
            Named::Others(group) => others.extend(group),
            named => match only(named, |id| claims.hold(text, outline, id)) {
                Ok(named) => return named,
                Err(group) => others.extend(group),
            },
        }
    }
    if others.is_empty() { Named::Nothing } else { Named::Others(others) }
}

/// Keeps the symbols for which `is_meant` holds. If it holds for none, returns all of them as an error.
fn only(named: Named, is_meant: impl Fn(locant_tree::SymbolId) -> bool) -> Result<Named, Group> {
    let is_unread = matches!(named, Named::Unread(_));
    let groups = match named {
        Named::One(group) | Named::Unread(group) => vec![group],
        Named::Several(groups) => groups,
        Named::Others(_) | Named::Nothing => Vec::new(),
    };
    let meant = groups.iter().map(|group| group.iter().copied().filter(|&id| is_meant(id)).collect());
    let mut meant: Vec<Group> = meant.filter(|group: &Group| !group.is_empty()).collect();
    match meant.len() {
        0 => Err(groups.concat()),
        1 if is_unread => Ok(Named::Unread(meant.remove(0))),
        1 => Ok(Named::One(meant.remove(0))),
        _ => Ok(Named::Several(meant)),
    }
}

/// A written declaration, split at its name.
struct Head<'w> {
    front: &'w str,
    /// The name with its qualifier, its type arguments and its parameters.
    path: &'w str,
    rest: &'w str,
}

/// All ways to split a written declaration. Each word outside of brackets may be the name, if the text after it may
/// continue a declaration.
fn heads(written: &str) -> impl Iterator<Item = Head<'_>> {
    let starts = path_starts(written);
    starts.into_iter().take(MOST_WORDS).filter_map(move |start| {
        let front = written[..start].trim();
        let end = path_end(written, start, claims::declares_no_function(front));
        let (path, rest) = (&written[start..end], written[end..].trim());
        let path = path.strip_prefix("self.").unwrap_or(path);
        let is_more = !front.is_empty() || !rest.is_empty() && path.ends_with(')');
        // In Go and Zig the return type directly follows the parameters, without `->` or `:`.
        let is_whole = path.ends_with(')') && claims::declares_function(front);
        let is_head = is_more && (is_whole || goes_on(rest)) && !path.is_empty();
        is_head.then_some(Head { front, path, rest })
    })
}

/// Whether a declaration may continue with this text after its name and parameters.
fn goes_on(rest: &str) -> bool {
    const OPENERS: [&str; 8] = [":", "->", "=", "(", "{", ";", "<", "["];
    rest.is_empty() || OPENERS.iter().any(|opener| rest.starts_with(opener)) || claims::opens_clause(rest)
}

/// Where a path may start: at each word that is outside of brackets and does not continue a path.
fn path_starts(written: &str) -> Vec<usize> {
    let bytes = written.as_bytes();
    let mut brackets = Brackets::default();
    // The `#` of `#define NAME` is skipped.
    let (mut starts, mut at) = (Vec::new(), usize::from(written.starts_with('#')));
    while at < bytes.len() {
        let is_apart = at == 0 || matches!(bytes[at - 1], b' ' | b'\t' | b'\n' | b'*' | b'&');
        let opens = is_word(&bytes[at]) || bytes[at] == b'~';
        if opens && is_apart && brackets.n_open == 0 {
            starts.push(at);
        }
        let is_joint = bytes[at..].starts_with(b"::") || bytes[..at].ends_with(b":") && bytes[at] == b':';
        // The name is never after one of these marks.
        if brackets.n_open == 0 && b":=#-+/\\;,".contains(&bytes[at]) && !is_joint {
            break;
        }
        at += brackets.pass(bytes, at).0;
    }
    starts
}

/// Where the path that starts at `start` ends. The path may include type arguments and parameters: `Cart.put<T>(int)`.
/// A type has no parameters, so its path ends before a `(`.
fn path_end(written: &str, start: usize, is_type: bool) -> usize {
    let bytes = written.as_bytes();
    let group = |at: usize, open: u8| match bytes.get(at) {
        Some(&byte) if byte == open => types::group_end(&bytes[at..]).map_or(at, |length| at + length),
        _ => at,
    };
    let mut at = start;
    loop {
        at = name_end(written, at);
        at = group(at, b'<');
        let joint = [&b"::"[..], b"."].into_iter().find(|joint| bytes[at..].starts_with(joint));
        match joint.map(|joint| at + joint.len()) {
            Some(next) if bytes.get(next).is_some_and(|byte| is_word(byte) || *byte == b'~') => at = next,
            _ => break,
        }
    }
    while !is_type && group(at, b'(') > at {
        at = group(at, b'(');
    }
    at
}

/// Where a name ends. The name of a C++ operator includes marks, as in `operator==`, and names in Ruby and Swift may
/// end with one, as in `empty?`.
fn name_end(written: &str, start: usize) -> usize {
    let bytes = written.as_bytes();
    let is_free = |byte: &&u8| is_word(byte) || **byte == b'~';
    let end = start + bytes[start..].iter().take_while(is_free).count();
    if &written[start..end] == "operator" {
        let from = if bytes[end..].trim_ascii_start().starts_with(b"()") { end + 2 } else { end };
        return written[from..].find('(').map_or(written.len(), |at| from + at);
    }
    let has_mark = matches!(bytes.get(end), Some(b'?' | b'!')) && bytes.get(end + 1) != Some(&b'=');
    if has_mark { end + 1 } else { end }
}

/// A name without the type arguments and parameters after it: `put` of `put<T>(int)`. An operator keeps its marks:
/// `operator<` of `operator<(A)`.
fn plain_name(name: &str) -> &str {
    let end = if name.starts_with("operator") {
        name.rfind('(').filter(|&at| at > "operator".len())
    } else {
        name.find(['(', '<'])
    };
    let name = &name[..end.unwrap_or(name.len())];
    // The mark in `init?` of Swift is not part of the name.
    name.strip_prefix("init").filter(|mark| matches!(*mark, "?" | "!")).map_or(name, |_| "init")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(written: &str, expected: &[[&str; 3]]) {
        let cut: Vec<[&str; 3]> = heads(written).map(|head| [head.front, head.path, head.rest]).collect();
        assert_eq!(cut, expected, "{written}");
    }

    #[test]
    fn a_head_is_cut_at_its_name() {
        check("def f(x) -> int:", &[["def", "f(x)", "-> int:"]]);
        check("class A(B):", &[["class", "A", "(B):"]]);
        check("public List<String> Cart.all(int n)", &[["public List<String>", "Cart.all(int n)", ""]]);
        check("bool operator==(const A&) const", &[["bool", "operator==(const A&)", "const"]]);
        check("class A extends B", &[["class", "A", "extends B"], ["class A extends", "B", ""]]);
        check("a(): string", &[["", "a()", ": string"]]);
        check("f", &[]);
    }
}
