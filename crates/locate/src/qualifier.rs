//! Qualifiers: the types that a user writes beside a name to distinguish symbols with the same path, as in `<E as
//! Display>::fmt` and `V<int>::f`.
//!
//! To compare a declaration with a qualifier, the text around its name is read, and the header of the `impl` or
//! `extension` block that contains it.

use std::cell::RefCell;
use std::collections::HashMap;

use locant_text::{Range, Text};
use locant_tree::{Outline, Symbol, SymbolId};

use crate::parameter::likeness_of_lists;
use crate::symbols;
use crate::types::{self, Likeness, Token};

/// The types that are written beside one name of a path.
#[derive(Clone, Copy, Default)]
pub(crate) struct Qualifier<'w> {
    /// The whole type, if it is written in angle brackets: `&E` of `<&E as Display>`.
    pub(crate) subject: Option<&'w str>,
    /// The arguments of the type or function: `int` of `V<int>`.
    pub(crate) arguments: Option<&'w str>,
    /// The trait: `Display` of `<E as Display>`.
    pub(crate) role: Option<&'w str>,
}

/// The content of the angle brackets of a declaration.
enum Declared<'t> {
    /// Type parameters: `class List<E>`.
    Parameters(Vec<Parameter<'t>>),
    /// Type arguments of a specialisation: `template <class T> struct V<T*>`. The `variables`, here `T`, stand for any
    /// type.
    Arguments { arguments: Vec<&'t [u8]>, variables: Vec<Token<'t>> },
}

struct Parameter<'t> {
    name: Token<'t>,
    is_optional: bool,
    /// Whether it takes any number of type arguments.
    is_pack: bool,
}

/// The header of a block that is not a symbol itself: `impl<T> Show for Pair<T>`, `extension Pair: Show`. Here `T` is a
/// variable, `Pair<T>` is the subject and `Show` is a role.
struct Header<'t> {
    variables: Vec<Token<'t>>,
    subject: Vec<Token<'t>>,
    roles: Vec<Vec<Token<'t>>>,
}

/// How many occurrences of the name of a type are tried in the text before the name of a member.
const MOST_NAMES: usize = 8;

/// How many bytes of a header are read, at most. Nobody writes longer headers.
const LONGEST_HEADER: usize = 1 << 14;

impl Qualifier<'_> {
    pub(crate) fn is_none(&self) -> bool {
        self.subject.is_none() && self.arguments.is_none() && self.role.is_none()
    }

    /// How well the declaration of a symbol itself fits the qualifier; `None` if it does not fit.
    fn of_symbol(&self, text: &Text, symbol: &Symbol) -> Option<Likeness> {
        if self.role.is_some() {
            return None;
        }
        let (before, after) = around_name(text, symbol)?;
        // In C#, the brackets after `this` contain the parameters of an indexer: `this[int i]`.
        if let ("this", Some(written)) = (symbol.name.as_str(), self.arguments) {
            let after = short(after.trim_ascii_start());
            let own = types::split(&after[1..types::group_end(after)? - 1]);
            return likeness_of_lists(&own, &types::split(written.as_bytes()), text);
        }
        let declared = declared(before, after).unwrap_or(Declared::Parameters(Vec::new()));
        self.of_declared(&declared)
    }

    /// How well a member fits the qualifier of its type, whose name is `name`. The header of the block around the
    /// member is compared, or else the type before its name, as in `void V<int>::f`. The outer `None` is for a member
    /// that has neither. The inner `None` means that it does not fit.
    fn of_member(&self, text: &Text, member: &Symbol, name: &str) -> Option<Option<Likeness>> {
        if let Some(within) = member.within {
            return Some(header(short(text.slice(within))).and_then(|header| self.of_header(&header)));
        }
        let (before, _) = around_name(text, member)?;
        let arguments = arguments_in_front(before, name)?;
        if self.role.is_some() {
            return Some(None);
        }
        // In the receiver of a Go method, `(s *Stack[T])`, the brackets contain names of type parameters.
        let variables = match arguments {
            [b'[', ..] => types::tokens(arguments),
            _ => {
                front_parameters(before).unwrap_or_default().iter().map(|parameter| parameter.name).collect()
            }
        };
        let arguments =
            arguments.get(1..arguments.len().saturating_sub(1)).map(types::split).unwrap_or_default();
        Some(self.of_declared(&Declared::Arguments { arguments, variables }))
    }

    fn of_header(&self, header: &Header<'_>) -> Option<Likeness> {
        // A variable must stand for the same type in the subject and in the trait.
        let mut bound = types::Bound::new();
        let written = types::tokens(self.subject.or(self.arguments).unwrap_or_default().as_bytes());
        let own = match (self.subject, self.arguments) {
            (Some(_), _) => as_far_as_written(&header.subject, &written),
            (None, Some(_)) => {
                let open = header.subject.iter().position(|token| matches!(*token, b"<" | b"["))?;
                header.subject.get(open + 1..header.subject.len() - 1)?
            }
            (None, None) => &[],
        };
        let subject = types::likeness_with(own, &written, &header.variables, &mut bound)?;
        let Some(role) = self.role else { return Some(subject) };
        let role = types::tokens(role.as_bytes());
        let roles = header.roles.iter().map(|own| {
            let own = as_far_as_written(own, &role);
            types::likeness_with(own, &role, &header.variables, &mut bound.clone())
        });
        Some(subject.min(roles.max().flatten()?))
    }

    fn of_declared(&self, declared: &Declared<'_>) -> Option<Likeness> {
        let written = match (self.subject, self.arguments) {
            (_, Some(arguments)) => types::split(arguments.as_bytes()),
            (Some(subject), None) => match types::group_start(subject.as_bytes()) {
                Some(start) => types::split(&subject.as_bytes()[start + 1..subject.len() - 1]),
                None => return subject.starts_with(char::is_alphabetic).then_some(Likeness::Exact),
            },
            (None, None) => return Some(Likeness::Exact),
        };
        match declared {
            Declared::Parameters(parameters) => of_parameters(parameters, &written),
            Declared::Arguments { arguments, .. } if arguments.len() != written.len() => None,
            Declared::Arguments { arguments, variables } => {
                let pairs = arguments.iter().zip(&written);
                let alike = |(own, written): (&&[u8], &&[u8])| {
                    types::likeness(&types::tokens(own), &types::tokens(written), variables)
                };
                pairs.map(alike).min().unwrap_or(Some(Likeness::Exact))
            }
        }
    }
}

/// How well written type arguments fit these type parameters; `None` if their number does not fit. It is an exact match
/// if the arguments are the names of the parameters.
fn of_parameters(parameters: &[Parameter<'_>], written: &[&[u8]]) -> Option<Likeness> {
    let n_needed = parameters.iter().filter(|parameter| !parameter.is_optional && !parameter.is_pack).count();
    let is_open = parameters.iter().any(|parameter| parameter.is_pack);
    let takes =
        !parameters.is_empty() && n_needed <= written.len() && (is_open || written.len() <= parameters.len());
    // `List<>` and `Dictionary<,>` say only that there are parameters, so they always fit.
    let says_names = written.iter().any(|name| !name.is_empty());
    let is_named_so = written.iter().eq(parameters.iter().map(|parameter| &parameter.name));
    (takes || !says_names).then_some(if is_named_so { Likeness::Exact } else { Likeness::Part })
}

/// Compares qualifiers with the declarations of a file.
pub(crate) struct Holders<'o> {
    text: &'o Text,
    pub(crate) outline: &'o Outline,
    /// For the digest of each path: how well the best of the declarations with this path fits.
    best: RefCell<HashMap<u64, Option<Likeness>>>,
}

impl<'o> Holders<'o> {
    pub(crate) fn new(text: &'o Text, outline: &'o Outline) -> Holders<'o> {
        Holders { text, outline, best: RefCell::default() }
    }

    /// How well a symbol fits a qualifier; `None` if another symbol with its path fits better. So `V<int>` does not
    /// mean the template `V<T>` if there is a specialisation for `int`.
    pub(crate) fn of_symbol(&self, id: SymbolId, qualifier: Qualifier<'_>) -> Option<Likeness> {
        let own = qualifier.of_symbol(self.text, self.outline.get(id));
        let find_best = || {
            let twins = symbols::twins(self.outline, id).map(|twin| self.outline.get(twin));
            twins.map(|twin| qualifier.of_symbol(self.text, twin)).max().flatten()
        };
        let digest = self.outline.path_digest(id);
        let best = *self.best.borrow_mut().entry(digest).or_insert_with(find_best);
        own.filter(|_| own == best)
    }

    /// How well a member fits the qualifier of its type. See [`Qualifier::of_member`].
    pub(crate) fn of_member(
        &self,
        member: SymbolId,
        name: &str,
        qualifier: Qualifier<'_>,
    ) -> Option<Option<Likeness>> {
        qualifier.of_member(self.text, self.outline.get(member), name)
    }
}

/// The part of a declaration before its name, and the part after it.
fn around_name<'t>(text: &'t Text, symbol: &Symbol) -> Option<(&'t [u8], &'t [u8])> {
    let Symbol { declaration, name_range, .. } = symbol;
    declaration.covers(*name_range).then(|| {
        let before = text.slice(Range::new(declaration.start(), name_range.start()));
        (before, text.slice(Range::new(name_range.end(), declaration.end())))
    })
}

/// The type parameters or type arguments of a declaration; `None` if it has neither.
fn declared<'t>(before: &'t [u8], after: &'t [u8]) -> Option<Declared<'t>> {
    let after = after.trim_ascii_start();
    let has_group = matches!(after, [b'<' | b'[', ..]);
    let group = has_group.then(|| types::group_end(short(after))).flatten().map(|end| &after[1..end - 1]);
    match (front_parameters(before), group) {
        (Some(front), Some(group)) => Some(Declared::Arguments {
            arguments: types::split(group),
            variables: front.iter().map(|parameter| parameter.name).collect(),
        }),
        (None, Some(group)) => Some(Declared::Parameters(
            types::split(group).into_iter().map(|part| parameter(part, false)).collect(),
        )),
        (Some(front), None) => Some(Declared::Parameters(front)),
        (None, None) => None,
    }
}

/// The type parameters before the name of a declaration: `template <class T>`, `public <T> void`, `fun <T>`.
fn front_parameters(before: &[u8]) -> Option<Vec<Parameter<'_>>> {
    const OPENERS: [&[u8]; 4] = [b"template", b"impl", b"fun", b"extension"];

    let before = short(before);
    let (mut all, mut at) = (None, 0);
    while let Some(open) = memchr::memchr(b'<', &before[at..]).map(|open| at + open) {
        let Some(length) = types::group_end(&before[open..]) else { break };
        let front = before[..open].trim_ascii_end();
        let word = front.rsplit(|byte| !types::is_word(byte)).next().unwrap_or_default();
        at = open + length;
        if OPENERS.contains(&word) || front.len() < open || front.is_empty() {
            let is_template = word == b"template";
            let parts = types::split(&before[open + 1..at - 1]);
            all.get_or_insert_with(Vec::new)
                .extend(parts.into_iter().map(|part| parameter(part, is_template)));
        }
    }
    all
}

/// Reads one type parameter: `class T = int`, `const N: usize`, `K extends Comparable<K>`, `out T`.
fn parameter(part: &[u8], is_template: bool) -> Parameter<'_> {
    const ASIDE: [&[u8]; 6] = [b"const", b"in", b"out", b"reified", b"inout", b"each"];

    let tokens = types::tokens(part);
    let end = tokens.iter().position(|token| matches!(*token, b"=" | b":")).unwrap_or(tokens.len());
    let mut names = tokens[..end].iter().copied().filter(|token| types::is_word(&token[0]));
    let name = if is_template { names.next_back() } else { names.find(|name| !ASIDE.contains(name)) };
    Parameter {
        name: name.unwrap_or_default(),
        is_optional: tokens.contains(&&b"="[..]),
        is_pack: memchr::memmem::find(part, b"...").is_some() || tokens.first() == Some(&&b"each"[..]),
    }
}

/// The arguments of the type `name` before the name of its member, with their brackets: `<int>` of `void V<int>::f`,
/// `[T]` of `func (s *Stack[T]) Push`. Empty if the type is written without arguments; `None` if it is not written
/// there.
fn arguments_in_front<'t>(before: &'t [u8], name: &str) -> Option<&'t [u8]> {
    let before = &before[before.len().saturating_sub(LONGEST_HEADER)..];
    let is_whole = |at: usize| at == 0 || !types::is_word(&before[at - 1]);
    let after = memchr::memmem::rfind_iter(before, name.as_bytes()).take(MOST_NAMES).find_map(|at| {
        is_whole(at).then(|| before[at + name.len()..].trim_ascii_start()).and_then(group_and_joint)
    });
    return after;

    fn group_and_joint(rest: &[u8]) -> Option<&[u8]> {
        let length = if matches!(rest, [b'<' | b'[', ..]) { types::group_end(rest)? } else { 0 };
        let joint = rest[length..].trim_ascii();
        // Between the type and the member there may be more names of a path, `V<int>::Inner::f`, but no blanks.
        // Otherwise the type is the return type.
        let is_path = [&b"::"[..], b"."].iter().any(|mark| joint.starts_with(mark) && joint.ends_with(mark))
            && !joint.contains(&b' ');
        (is_path || matches!(joint, b"?." | b")")).then_some(&rest[..length])
    }
}

/// A declared type, without its arguments if the user wrote none: `From` alone fits any `From<T>`.
fn as_far_as_written<'p, 't>(own: &'p [Token<'t>], written: &[Token<'_>]) -> &'p [Token<'t>] {
    let open =
        own.iter().position(|token| *token == b"<").filter(|&at| at > 0 && !written.contains(&&b"<"[..]));
    open.map_or(own, |open| &own[..open])
}

/// Reads the header of an `impl` or `extension` block.
fn header(text: &[u8]) -> Option<Header<'_>> {
    let at = [&b"impl"[..], b"extension"].iter().find_map(|word| Some((word_at(text, word)?, *word)));
    let (start, opener) = at?;
    let mut rest = text[start + opener.len()..].trim_ascii_start();
    let mut variables = Vec::new();
    if rest.starts_with(b"<") {
        let end = types::group_end(rest)?;
        variables =
            types::split(&rest[1..end - 1]).into_iter().map(|part| parameter(part, false).name).collect();
        rest = &rest[end..];
    }
    let tokens = types::tokens(rest);
    let end = outside(&tokens, b"where").unwrap_or(tokens.len());
    let (subject, roles) = match (opener, outside(&tokens[..end], b"for"), outside(&tokens[..end], b":")) {
        (b"impl", Some(at), _) => (&tokens[at + 1..end], &tokens[..at]),
        (b"extension", _, Some(at)) => (&tokens[..at], &tokens[at + 1..end]),
        _ => (&tokens[..end], &tokens[..0]),
    };
    let mut roles: Vec<Vec<Token<'_>>> = match opener {
        b"extension" => roles.split(|token| *token == b",").map(<[_]>::to_vec).collect(),
        _ => vec![roles.to_vec()],
    };
    roles.iter_mut().for_each(|role| role.retain(|token| !matches!(*token, b"!" | b"const")));
    roles.retain(|role| !role.is_empty());
    Some(Header { variables, subject: subject.to_vec(), roles })
}

/// Splits a written `impl Show for Pair` or `Pair as Show` into subject and role.
pub(crate) fn subject_and_role(written: &str) -> (&str, Option<&str>) {
    let cut = |text: &'static str| -> Option<usize> {
        let mut depth = 0_usize;
        let bytes = written.as_bytes();
        (0..bytes.len()).find(|&at| {
            match bytes[at] {
                b'<' | b'(' | b'[' => depth += 1,
                b'>' | b')' | b']' => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && bytes[at..].starts_with(text.as_bytes())
        })
    };
    if let Some(rest) = written.strip_prefix("impl").filter(|rest| rest.starts_with([' ', '<'])) {
        return match cut(" for ") {
            Some(at) => (written[at + 5..].trim(), Some(without_parameters(&written[4..at]))),
            None => (without_parameters(rest), None),
        };
    }
    match cut(" as ") {
        Some(at) => (written[..at].trim(), Some(written[at + 4..].trim())),
        None => (written.trim(), None),
    }
}

/// The text without leading type parameters: `Show for Pair` of `<T> Show for Pair`.
fn without_parameters(text: &str) -> &str {
    let text = text.trim();
    let end = if text.starts_with('<') { types::group_end(text.as_bytes()).unwrap_or(0) } else { 0 };
    text[end..].trim()
}

/// The index of the first token that is this word and is outside of brackets.
fn outside(tokens: &[Token<'_>], word: &[u8]) -> Option<usize> {
    let mut depth = 0_usize;
    (0..tokens.len()).find(|&at| {
        match tokens[at] {
            b"<" | b"(" | b"[" | b"{" => depth += 1,
            b">" if at > 0 && matches!(tokens[at - 1], b"-" | b"=") => {}
            b">" | b")" | b"]" | b"}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        // The `for` of `for<'a> Fn(&'a u8)` belongs to a type.
        depth == 0 && tokens[at] == word && tokens.get(at + 1) != Some(&&b"<"[..])
    })
}

/// Where a word first occurs, except as a part of a longer word.
fn word_at(text: &[u8], word: &[u8]) -> Option<usize> {
    let is_edge = |byte: Option<&u8>| byte.is_none_or(|byte| !types::is_word(byte));
    memchr::memmem::find_iter(text, word)
        .find(|&at| is_edge(at.checked_sub(1).map(|at| &text[at])) && is_edge(text.get(at + word.len())))
}

fn short(text: &[u8]) -> &[u8] {
    &text[..text.len().min(LONGEST_HEADER)]
}
