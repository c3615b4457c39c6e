//! Compares a declaration as a user wrote it with a declaration in the text: keyword, modifiers, types and bases.
//!
//! Each of these is a claim: `static def f` claims that `f` is declared with `static` and with `def`. A part that the
//! user left out claims nothing. Every part that was written must be true of the declaration. If the declaration has no
//! keyword of its own, its kind or a keyword that it shares with others decides.

use locant_text::{Range, Text};
use locant_tree::{Outline, Symbol, SymbolId, SymbolKind};

use crate::parameter::is_same_type;
use crate::signature::Signature;
use crate::types::{self, Token, is_separator, is_word};

/// The claims of a written declaration.
pub(crate) struct Claims<'w> {
    front: Front<'w>,
    /// The text after the parameters, or after the name: `-> int`, `extends Base`.
    rest: Vec<Token<'w>>,
}

/// The text before a name, sorted into parts.
#[derive(Default)]
struct Front<'t> {
    /// Keywords and modifiers.
    words: Vec<Token<'t>>,
    /// The type of the receiver of a Go method: `*S` of `func (s *S) Name()`.
    receiver: Option<Vec<Token<'t>>>,
    /// All other tokens. They are the type of the declared symbol: `int` of `static int f()`.
    own: Vec<Token<'t>>,
}

/// The kind of symbol that a keyword declares.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Declares {
    Callable,
    Class,
    Interface,
    Enum,
    Type,
    Module,
    Value,
}

/// The keywords that declare something, in any language.
const KEYWORDS: [(&[u8], Declares); 42] = [
    (b"def", Declares::Callable),
    (b"defp", Declares::Callable),
    (b"fn", Declares::Callable),
    (b"fun", Declares::Callable),
    (b"func", Declares::Callable),
    (b"function", Declares::Callable),
    (b"sub", Declares::Callable),
    (b"proc", Declares::Callable),
    (b"method", Declares::Callable),
    (b"macro", Declares::Callable),
    (b"macro_rules", Declares::Callable),
    (b"defmacro", Declares::Callable),
    (b"contract", Declares::Type),
    (b"class", Declares::Class),
    (b"struct", Declares::Class),
    (b"union", Declares::Class),
    (b"record", Declares::Class),
    (b"object", Declares::Class),
    (b"actor", Declares::Class),
    (b"enum", Declares::Enum),
    (b"interface", Declares::Interface),
    (b"trait", Declares::Interface),
    (b"protocol", Declares::Interface),
    (b"type", Declares::Type),
    (b"typealias", Declares::Type),
    (b"typedef", Declares::Type),
    (b"using", Declares::Type),
    (b"data", Declares::Type),
    (b"newtype", Declares::Type),
    (b"message", Declares::Type),
    (b"service", Declares::Type),
    (b"module", Declares::Module),
    (b"mod", Declares::Module),
    (b"namespace", Declares::Module),
    (b"package", Declares::Module),
    (b"defmodule", Declares::Module),
    (b"const", Declares::Value),
    (b"constexpr", Declares::Value),
    (b"let", Declares::Value),
    (b"var", Declares::Value),
    (b"val", Declares::Value),
    (b"static", Declares::Value),
];

/// Words that may come before a keyword or a type without being a part of it.
const MODIFIERS: [&[u8]; 38] = [
    b"pub",
    b"public",
    b"private",
    b"protected",
    b"internal",
    b"fileprivate",
    b"export",
    b"default",
    b"declare",
    b"async",
    b"static",
    b"final",
    b"abstract",
    b"virtual",
    b"override",
    b"inline",
    b"unsafe",
    b"const",
    b"constexpr",
    b"consteval",
    b"extern",
    b"sealed",
    b"data",
    b"open",
    b"friend",
    b"explicit",
    b"mutable",
    b"volatile",
    b"synchronized",
    b"native",
    b"readonly",
    b"partial",
    b"operator",
    b"suspend",
    b"lateinit",
    b"implicit",
    b"transient",
    b"mutating",
];

/// Words for the visibility of a declaration. A declaration has at most one of them. In C++ it often is on a line
/// above: `public:`.
const VISIBILITIES: [&[u8]; 3] = [b"public", b"private", b"protected"];

/// Words that may follow the name of a declaration.
const CLAUSES: [&str; 28] = [
    "extends",
    "implements",
    "with",
    "where",
    "throws",
    "rethrows",
    "async",
    "const",
    "noexcept",
    "override",
    "final",
    "struct",
    "interface",
    "enum",
    "is",
    "returns",
    "permits",
    "requires",
    "volatile",
    "derives",
    "when",
    "of",
    "public",
    "external",
    "internal",
    "view",
    "pure",
    "virtual",
];

/// How many bytes of a declaration are read.
const LONGEST: usize = 1 << 14;

/// Whether a declaration may continue with this text after its name.
pub(crate) fn opens_clause(rest: &str) -> bool {
    let word = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    CLAUSES.contains(&word)
}

/// Whether the words before a name declare something that has no parameters, such as a class. Then brackets after the
/// name have another meaning: those of `class A(B)` contain a base.
pub(crate) fn declares_no_function(front: &str) -> bool {
    let tokens = types::tokens(front.as_bytes());
    let mut declares = tokens.iter().rev().filter_map(|token| declares(token));
    let is_function = |declares: Declares| matches!(declares, Declares::Callable | Declares::Value);
    declares.next().is_some_and(|declares| !is_function(declares))
}

/// Whether the words before a name declare a function.
pub(crate) fn declares_function(front: &str) -> bool {
    types::tokens(front.as_bytes()).iter().any(|token| declares(token) == Some(Declares::Callable))
}

impl<'w> Claims<'w> {
    pub(crate) fn new(front: &'w str, rest: &'w str) -> Claims<'w> {
        let rest = rest.split('{').next().unwrap_or(rest).trim_end();
        let rest = rest.strip_suffix("=>").unwrap_or(rest).trim_end_matches([':', ';', '=', ' ']);
        Claims { front: Front::of(front.as_bytes()), rest: types::tokens(rest.as_bytes()) }
    }

    /// Whether all claims are true of a symbol.
    pub(crate) fn hold(&self, text: &Text, outline: &Outline, id: SymbolId) -> bool {
        let symbol = outline.get(id);
        if !symbol.declaration.covers(symbol.name_range) {
            return false;
        }
        let start = symbol.declaration.start();
        let before = text.slice(Range::new(start, symbol.name_range.start()));
        let own = Front::of(&before[before.len().saturating_sub(LONGEST)..]);
        let mut words = self.front.words.iter();
        words.all(|word| {
            if VISIBILITIES.contains(word) {
                own.is_seen(word, text, outline, symbol)
            } else {
                own.confirms(word, &self.front, text, symbol)
            }
        }) && (self.front.receiver.is_none() || self.front.receiver == own.receiver)
            && self.front.fits_type(&own)
            && self.fits_rest(text, symbol)
    }

    fn fits_rest(&self, text: &Text, symbol: &Symbol) -> bool {
        if self.rest.is_empty() {
            return true;
        }
        let name_end = symbol.name_range.end();
        let ends = [symbol.header.end(), symbol.declaration.end()].map(|end| end.max(name_end));
        let signature = Signature::of(text, symbol);
        let is_in = |end| {
            let rest = text.slice(Range::new(name_end, end));
            let n_left = text.slice(Range::new(end, symbol.declaration.end().max(end))).len();
            let after = signature.after();
            let after = &after[..after.len().saturating_sub(n_left)];
            // A return type may follow the name or the parameters, as in `f = (a): int => a`. So for functions, the
            // text after the parameters is tried too.
            let is_function = symbol.kind.is_callable();
            is_function && self.is_rest(after, symbol) || self.is_rest(rest, symbol)
        };
        ends.into_iter().any(is_in)
    }
}

impl Claims<'_> {
    /// Whether the text after the declared name or its parameters contains the tokens that the user wrote there.
    fn is_rest(&self, after: &[u8], symbol: &Symbol) -> bool {
        let after = &after[..after.len().min(LONGEST)];
        // The body of a function or class is not part of its type, so the comparison ends at its `{`.
        let open = memchr::memchr(b'{', after).filter(|_| !symbol.kind.is_value());
        is_among(&self.rest, &types::tokens(&after[..open.unwrap_or(after.len())]))
    }
}

impl<'t> Front<'t> {
    fn of(text: &'t [u8]) -> Front<'t> {
        let tokens = without_path(without_attributes(types::tokens(text)));
        let mut front = Front::default();
        let mut rest = &tokens[..];
        while let Some((&first, more)) = rest.split_first() {
            rest = more;
            let is_word = declares(first).is_some() || MODIFIERS.contains(&first);
            match first {
                b"func" if more.first() == Some(&&b"("[..]) => {
                    let length = group_length(more);
                    front.receiver = more.get(2..length.saturating_sub(1)).map(<[_]>::to_vec);
                    front.words.push(first);
                    rest = &more[length..];
                }
                b"template" if more.first() == Some(&&b"<"[..]) => rest = &more[group_length(more)..],
                // The brackets of `pub(crate)` and `private(set)` and the mark of `macro_rules!` belong to the word.
                _ if is_word => {
                    front.words.push(first);
                    let is_detail = more.first() == Some(&&b"("[..]);
                    rest = &more[if is_detail { group_length(more) } else { 0 }..];
                    rest = rest.strip_prefix(&[&b"!"[..]]).unwrap_or(rest);
                }
                // A body before the name of a type: `typedef struct { … } Point`.
                b"{" => rest = &rest[group_length(&[&[first], more].concat()) - 1..],
                _ => front.own.push(first),
            }
        }
        front
    }

    /// Whether a keyword or modifier that the user wrote is true of this declaration.
    fn confirms(&self, word: &[u8], written: &Front<'_>, text: &Text, symbol: &Symbol) -> bool {
        let declared = declares(word);
        // In C#, `object` is a type, so it may be the return type of a function.
        let is_type = matches!(declared, Some(Declares::Class | Declares::Enum)) && word != b"object";
        // In `struct Point f()`, `struct` is not the keyword of `f`. So `struct f` must not lead to it.
        let is_function = written.words.iter().any(|word| declares(word) == Some(Declares::Callable));
        let is_other = is_type
            && written.own.is_empty()
            && !is_function
            && (symbol.kind.is_callable() || symbol.kind.is_value());
        if self.words.contains(&word) {
            return !is_other;
        }
        let mut keywords = self.words.iter().filter_map(|own| declares(own));
        match declared {
            // A method may have no keyword, and a variable whose value is a function counts as callable.
            Some(Declares::Callable) => {
                let has_own = keywords.any(|own| own == Declares::Callable);
                !has_own && symbol.kind.is_callable() && symbol.kind != SymbolKind::Macro
            }
            Some(_) => keywords.next().is_none() && keyword_above(text, symbol) == Some(word),
            None => false,
        }
    }

    /// Whether the visibility that the user wrote is that of the declaration.
    fn is_seen(&self, word: &[u8], text: &Text, outline: &Outline, symbol: &Symbol) -> bool {
        let own = self.words.iter().find(|own| VISIBILITIES.contains(own)).copied();
        own.or_else(|| visibility_above(text, outline, symbol)) == Some(word)
    }

    fn fits_type(&self, own: &Front<'_>) -> bool {
        if self.own.is_empty() || self.own == own.own {
            return true;
        }
        // Macros may come before a type: `EXPORT int f()`. Leading words in capitals may be macros, so the types are
        // also compared without the first such word, without the first two, and so on.
        let n_macros = own.own.iter().take_while(|token| is_macro(token)).count();
        !own.own.is_empty() && (0..=n_macros).any(|from| is_same_type(&own.own[from..], &self.own))
    }
}

fn declares(token: &[u8]) -> Option<Declares> {
    KEYWORDS.iter().find(|(keyword, _)| *keyword == token).map(|(_, declares)| *declares)
}

fn is_macro(token: &[u8]) -> bool {
    token.len() > 1 && token.iter().all(|byte| matches!(byte, b'A'..=b'Z' | b'0'..=b'9' | b'_'))
}

/// The keyword that a symbol shares with other declarations. In `const a = 1, b = 2`, it is the `const` for `b`. In
/// `const ( A = 1 )` of Go, it is the `const` before the brackets.
fn keyword_above<'t>(text: &'t Text, symbol: &Symbol) -> Option<Token<'t>> {
    let above = text.slice(Range::new(text.range().start(), symbol.declaration.start()));
    let tokens = types::tokens(&above[above.len().saturating_sub(LONGEST)..]);
    let is_listed = tokens.last() == Some(&&b","[..]);
    let (mut depth, mut is_opened) = (0_usize, false);
    for token in tokens.into_iter().rev() {
        match token {
            b")" | b"]" | b"}" if depth > 0 || token != b"}" || !is_listed => depth += 1,
            b"(" if depth == 0 && !is_listed => is_opened = true,
            b"(" | b"[" | b"{" => depth = depth.checked_sub(1)?,
            b";" | b"}" if is_listed && depth == 0 => return None,
            _ if depth == 0 && is_listed && declares(token).is_some() => return Some(token),
            _ if is_opened => return declares(token).map(|_| token),
            _ => {}
        }
    }
    None
}

/// The visibility of a C++ member, read from the nearest `public:`, `private:` or `protected:` above it.
fn visibility_above<'t>(text: &'t Text, outline: &Outline, symbol: &Symbol) -> Option<&'t [u8]> {
    let parent = outline.get(symbol.parent?);
    let (start, end) = (parent.name_range.end(), symbol.declaration.start());
    let above = if start < end { text.slice(Range::new(start, end)) } else { &[] };
    let above = &above[above.len().saturating_sub(LONGEST)..];
    let tokens = types::tokens(above);
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().rev() {
        match *token {
            b"}" => depth += 1,
            b"{" => depth = depth.checked_sub(1)?,
            // In Qt the colon may follow another word: `public slots:`.
            word if depth == 0 && VISIBILITIES.contains(&word) => {
                let colon = tokens[at + 1..].iter().take(2).any(|token| *token == b":");
                return colon.then_some(word);
            }
            _ => {}
        }
    }
    None
}

/// The tokens without annotations, attributes and strings: `@Override`, `[[nodiscard]]`, `extern "C"`.
fn without_attributes(tokens: Vec<Token<'_>>) -> Vec<Token<'_>> {
    let mut kept = Vec::with_capacity(tokens.len());
    let mut rest = &tokens[..];
    while let Some((&first, more)) = rest.split_first() {
        rest = match more {
            [name, more @ ..] if first == b"@" && is_word(&name[0]) && *name != b"interface" => {
                let n_more = if more.first() == Some(&&b"("[..]) { group_length(more) } else { 0 };
                &more[n_more..]
            }
            [b"[", ..] if first == b"#" => &more[group_length(more)..],
            [..] if first == b"[" && kept.is_empty() => &rest[group_length(rest)..],
            [_, b"\"", more @ ..] if first == b"\"" => more,
            more => {
                kept.push(first);
                more
            }
        };
    }
    kept
}

/// The tokens without the path of a member that is defined outside of its type: `Cart::`, `V<T>::`.
fn without_path(mut tokens: Vec<Token<'_>>) -> Vec<Token<'_>> {
    while tokens.last().is_some_and(|last| is_separator(last)) {
        tokens.pop();
        if tokens.last() == Some(&&b">"[..]) {
            let mut depth = 0_usize;
            let open = tokens.iter().rposition(|token| {
                match *token {
                    b">" => depth += 1,
                    b"<" => depth -= 1,
                    _ => {}
                }
                depth == 0
            });
            tokens.truncate(open.unwrap_or(0));
        }
        tokens.pop();
    }
    tokens
}

/// How many tokens the group in brackets at the start has, including the brackets.
fn group_length(tokens: &[Token<'_>]) -> usize {
    let mut depth = 0_usize;
    let is_last = |token: &Token<'_>| {
        depth = depth_after(depth, token);
        depth == 0
    };
    tokens.iter().position(is_last).map_or(tokens.len(), |at| at + 1)
}

fn depth_after(depth: usize, token: &[u8]) -> usize {
    match token {
        b"(" | b"[" | b"{" | b"<" => depth + 1,
        b")" | b"]" | b"}" | b">" => depth.saturating_sub(1),
        _ => depth,
    }
}

/// Whether the tokens of `own` contain all those of `written`, in the same order and at the same depth of brackets.
/// The `>` of an arrow is not a bracket.
fn is_among(written: &[Token<'_>], own: &[Token<'_>]) -> bool {
    let (written, own) = (with_depths(written), with_depths(own));
    let mut own = own.iter();
    written.iter().all(|wanted| own.any(|token| token == wanted))
}

fn with_depths<'t>(tokens: &[Token<'t>]) -> Vec<(usize, Token<'t>)> {
    let mut depth = 0_usize;
    let mut before: &[u8] = b"";
    let mut deep = Vec::with_capacity(tokens.len());
    for &token in tokens {
        let is_arrow = token == b">" && matches!(before, b"-" | b"=");
        let next = if is_arrow { depth } else { depth_after(depth, token) };
        // All separators count as the same.
        deep.push((depth.max(next), if is_separator(token) { b"." } else { token }));
        (depth, before) = (next, token);
    }
    deep
}
