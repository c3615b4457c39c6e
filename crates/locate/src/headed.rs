//! Scopes that start as the declaration does: `def save`, `class User(Base):`, `pub fn parse<T>(text: &str) -> T`.

use locant_text::Text;
use locant_tree::{Outline, SymbolId, SymbolKind};

use crate::location::Segment;
use crate::scope::symbol_path;
use crate::symbols::{self, Group, Named};

/// What a keyword declares.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Declares {
    Callable,
    Type,
    Module,
    Value,
}

/// The keywords that declare something, in any language.
const KEYWORDS: [(&str, Declares); 40] = [
    ("def", Declares::Callable),
    ("defp", Declares::Callable),
    ("fn", Declares::Callable),
    ("fun", Declares::Callable),
    ("func", Declares::Callable),
    ("function", Declares::Callable),
    ("sub", Declares::Callable),
    ("proc", Declares::Callable),
    ("method", Declares::Callable),
    ("macro", Declares::Callable),
    ("macro_rules!", Declares::Callable),
    ("defmacro", Declares::Callable),
    ("contract", Declares::Type),
    ("class", Declares::Type),
    ("struct", Declares::Type),
    ("union", Declares::Type),
    ("enum", Declares::Type),
    ("interface", Declares::Type),
    ("trait", Declares::Type),
    ("protocol", Declares::Type),
    ("record", Declares::Type),
    ("object", Declares::Type),
    ("actor", Declares::Type),
    ("type", Declares::Type),
    ("typealias", Declares::Type),
    ("typedef", Declares::Type),
    ("data", Declares::Type),
    ("newtype", Declares::Type),
    ("message", Declares::Type),
    ("service", Declares::Type),
    ("module", Declares::Module),
    ("mod", Declares::Module),
    ("namespace", Declares::Module),
    ("package", Declares::Module),
    ("defmodule", Declares::Module),
    ("const", Declares::Value),
    ("let", Declares::Value),
    ("var", Declares::Value),
    ("val", Declares::Value),
    ("static", Declares::Value),
];

/// Words that may stand in front of a keyword.
const MODIFIERS: [&str; 20] = [
    "pub",
    "public",
    "private",
    "protected",
    "internal",
    "export",
    "default",
    "async",
    "static",
    "final",
    "abstract",
    "virtual",
    "override",
    "inline",
    "unsafe",
    "const",
    "extern",
    "sealed",
    "data",
    "open",
];

/// Finds the symbols of a path that starts as their declaration does.
pub(crate) fn named(text: &Text, outline: &Outline, path: &[Segment]) -> Named {
    let has_index = path.iter().rev().skip(1).any(|segment| segment.index.is_some());
    let names: Vec<&str> = path.iter().map(|segment| segment.name.as_str()).collect();
    let written = names.join(".");
    let Some((declares, rest)) = keyword(&written).filter(|_| !has_index) else { return Named::Nothing };
    let Ok(mut segments) = symbol_path(without_rest(rest, declares)) else { return Named::Nothing };
    if let (Some(last), Some(written)) = (segments.last_mut(), path.last()) {
        last.index = last.index.or(written.index);
    }
    let is_meant = |id: &SymbolId| declares.may_be(outline.get(*id).kind);
    match symbols::named(text, outline, &segments) {
        Named::One(group) | Named::Unread(group) => only(vec![group], is_meant),
        Named::Several(groups) => only(groups, is_meant),
        other => other,
    }
}

/// Those of the kind that is meant, or if there are none, all of them as others.
fn only(groups: Vec<Group>, is_meant: impl Fn(&SymbolId) -> bool) -> Named {
    let meant = groups.iter().map(|group| group.iter().copied().filter(&is_meant).collect());
    let mut meant: Vec<Group> = meant.filter(|group: &Group| !group.is_empty()).collect();
    match meant.len() {
        0 => Named::Others(groups.concat()),
        1 => Named::One(meant.remove(0)),
        _ => Named::Several(meant),
    }
}

/// What the first words say is declared, and what follows them.
fn keyword(written: &str) -> Option<(Declares, &str)> {
    let (mut declares, mut rest) = (None, written.trim());
    while let Some((word, behind)) = rest.split_once(char::is_whitespace) {
        let word = word.split('(').next().unwrap_or(word);
        match KEYWORDS.iter().find(|(keyword, _)| *keyword == word) {
            Some((_, kind)) => declares = Some(*kind),
            None if MODIFIERS.contains(&word) => {}
            None => break,
        }
        rest = behind.trim_start();
    }
    // `function* names`
    declares.map(|declares| (declares, rest.trim_start_matches(['*', ' '])))
}

/// The name with its parameters, without what follows in the header. Those of a class are not parameters but what it is
/// made from.
fn without_rest(rest: &str, declares: Declares) -> &str {
    let rest = [" -> ", " {", " => ", " where ", " extends ", " implements ", " = "]
        .iter()
        .fold(rest, |rest, mark| rest.find(mark).map_or(rest, |at| &rest[..at]));
    let rest = rest.trim_end_matches([':', '{', ';', ' ']);
    let marks: &[char] = match declares {
        Declares::Callable => &[],
        Declares::Type | Declares::Module => &['(', ':', ' ', '{'],
        Declares::Value => &[':', ' ', '='],
    };
    let is_separator = |at: usize| rest[at..].starts_with("::") || rest[..at].ends_with(':');
    let end = rest.match_indices(marks).map(|(at, _)| at).find(|&at| !is_separator(at));
    let rest = &rest[..end.unwrap_or(rest.len())];
    // `fn f(x: u8): Int`, `def f(x): Int`
    match rest.rfind(')') {
        Some(close) if rest[close + 1..].trim_start().starts_with(':') => &rest[..=close],
        _ => rest,
    }
}

impl Declares {
    fn may_be(self, kind: SymbolKind) -> bool {
        let is_value = matches!(
            kind,
            SymbolKind::Constant
                | SymbolKind::Variable
                | SymbolKind::Field
                | SymbolKind::Property
                | SymbolKind::Key
        );
        match self {
            Declares::Callable => kind.is_callable(),
            // `const f = () => 1` and `val x by lazy` declare what they hold.
            Declares::Value => is_value || kind.is_callable() || kind == SymbolKind::Class,
            Declares::Module => kind == SymbolKind::Module,
            Declares::Type => !is_value && !kind.is_callable(),
        }
    }
}
