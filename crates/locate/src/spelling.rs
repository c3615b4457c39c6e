//! Reads paths as the languages themselves write them: `User#valid?`, `App\\Models\\User`, `bar/2`, `User::$id`,
//! `[package]`.
//!
//! In a location, names are separated by `.` or `::`. A path that people paste from a stack trace, a document or an
//! error message may have other separators, sigils before a name, quotes around a name, and parameters after it. A path
//! is read this way only if it leads to no symbol in its usual reading.

use crate::qualifier::{self, Qualifier};
use crate::signature::Signature;
use crate::types::Likeness;

/// A path as it was written, not yet split.
#[derive(Clone, Copy)]
pub(crate) struct Spelling<'w> {
    path: &'w str,
    /// Whether blanks separate names too, as in `-[Piece moveTo:]` of Objective-C.
    is_message: bool,
    /// The `?` of `init?(from:)`.
    mark: Option<char>,
    /// The text beside the path that distinguishes symbols with the same path.
    beside: Beside<'w>,
}

/// The text beside a path.
#[derive(Clone, Copy)]
enum Beside<'w> {
    Nothing,
    /// `+` or `-` before a message of Objective-C.
    Sign(char),
    /// The number of parameters, as in `bar/2`.
    Arity(usize),
    /// Empty brackets: `()`.
    Call,
    /// Types or names of parameters: `(int, String)`.
    Parameters(&'w str),
    /// Parameters followed by `const`: `(int) const`.
    Const(&'w str),
    /// Labels as in Swift: `(from:to:)`.
    Labels(&'w str),
}

/// How well a declaration fits the text beside its path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Fit {
    /// It does not fit.
    Not,
    /// Parameters were written, but they cannot be compared with the parameters of the declaration.
    Unread,
    /// Nothing in the declaration contradicts the text.
    Well,
    /// The declared function could be called as written, or its types differ only in marks such as `const`.
    Better,
    /// The declaration has exactly what was written.
    Best,
}

impl Fit {
    /// The fit of parameters that have this likeness to the declared ones.
    fn of(likeness: Option<Likeness>) -> Fit {
        match likeness {
            Some(Likeness::Exact) => Fit::Best,
            Some(Likeness::Whole) => Fit::Better,
            Some(Likeness::Part) => Fit::Well,
            None => Fit::Not,
        }
    }
}

const SEPARATORS: [&str; 8] = ["::", "->", ".", "#", ":", "/", "\\", "$"];

const SIGILS: [char; 5] = ['$', '#', '.', ':', '%'];

const QUOTES: [(char, char); 7] =
    [('"', '"'), ('\'', '\''), ('`', '`'), ('(', ')'), ('[', ']'), ('<', '>'), ('{', '}')];

impl<'w> Spelling<'w> {
    pub(crate) fn new(path: &'w str) -> Spelling<'w> {
        let path = path.trim();
        // `[dbo].[Orders]` is two names in brackets, not one group.
        let is_bracketed = |path: &str| without_group(path, '[', ']') == Some("");
        let mut inside = path.strip_prefix(['+', '-']).filter(|path| is_bracketed(path)).unwrap_or(path);
        while is_bracketed(inside) {
            inside = inside[1..inside.len() - 1].trim();
        }
        let is_message = inside.len() < path.len();
        let sign = path.chars().next().filter(|c| is_message && matches!(c, '+' | '-'));
        let (path, beside) = match sign {
            Some(sign) => (inside, Beside::Sign(sign)),
            None if is_message => (inside, Beside::Nothing),
            None => without_parameters(inside),
        };
        let is_init = |path: &str| without_name(path, "init").is_some();
        let marked = path.strip_suffix(['?', '!']).filter(|path| is_init(path));
        let mark = path.chars().next_back().filter(|_| marked.is_some());
        Spelling { path: marked.unwrap_or(path), is_message, mark, beside }
    }

    /// How well the declaration of this name fits the text beside the path.
    pub(crate) fn fit(self, name: &str, declared: &Signature<'_>) -> Fit {
        let beside = match self.beside {
            _ if self.mark.is_some_and(|mark| !declared.has_mark(mark)) => Fit::Not,
            Beside::Nothing => Fit::Well,
            Beside::Sign(sign) if declared.starts_with(sign) => Fit::Well,
            Beside::Arity(n) if declared.takes(n) => Fit::Well,
            Beside::Sign(_) | Beside::Arity(_) => Fit::Not,
            Beside::Call if declared.takes_nothing() => Fit::Best,
            Beside::Call if declared.may_take_nothing() => Fit::Better,
            // People write `f()` for any function, even if it has parameters.
            Beside::Call if declared.has_brackets() => Fit::Unread,
            Beside::Call => Fit::Well,
            Beside::Labels(labels) if declared.has_labels(labels) => Fit::Best,
            Beside::Labels(_) | Beside::Parameters(_) | Beside::Const(_) if !declared.has_brackets() => {
                Fit::Unread
            }
            Beside::Labels(_) => Fit::Not,
            Beside::Const(_) if !declared.is_const() => Fit::Not,
            Beside::Const("") if declared.takes_nothing() => Fit::Best,
            Beside::Parameters(written) | Beside::Const(written) => Fit::of(declared.has_parameters(written)),
        };
        let front = without_name(self.path, name).unwrap_or_default();
        // In Ruby, `User#f` is an instance method, so it is not declared as `self.f`. In PHP, `User::$id` is a
        // property.
        let is_marked = front.ends_with('$') && declared.has_in_front("$")
            || front.ends_with('#') && !declared.has_in_front("self.");
        if beside == Fit::Well && is_marked { Fit::Best } else { beside }
    }

    /// If the path ends with a name, the path before that name and the qualifier of the name. `None` if it does not.
    pub(crate) fn in_front_of(self, name: &str) -> Option<(Spelling<'w>, Qualifier<'w>)> {
        let path = self.path.trim_end();
        if let Some(front) = in_front_of_key(path, name) {
            return Some((Spelling { path: front, ..self }, Qualifier::default()));
        }
        if path.ends_with('>')
            && let Some((front, qualifier)) = in_front_of_subject(path, name)
        {
            return Some((Spelling { path: front, ..self }, qualifier));
        }
        let plain = without_name(path, name).or_else(|| without_quoted_name(path, name));
        let named = match plain {
            Some(front) => Some((front, Qualifier::default())),
            None => without_qualified_name(path, name),
        };
        let front =
            named.and_then(|(front, qualifier)| Some((self.in_front_of_separator(front)?, qualifier)));
        let (path, qualifier) = front.or_else(|| in_front_of_subject(path, name))?;
        Some((Spelling { path, ..self }, qualifier))
    }

    /// The path without the separator and the sigil at its end. `None` if it does not end with a separator.
    fn in_front_of_separator(self, front: &'w str) -> Option<&'w str> {
        let without_sigil =
            front.strip_suffix(SIGILS).filter(|rest| self.is_done(rest) || self.separated(rest).is_some());
        let front = without_sigil.unwrap_or(front);
        if self.is_done(front) { Some("") } else { self.separated(front) }
    }

    /// Whether the path is written with brackets after it, empty or with parameters.
    pub(crate) fn is_called(self) -> bool {
        matches!(self.beside, Beside::Call | Beside::Parameters(_) | Beside::Const(_))
    }

    /// Whether the path is written with empty brackets after it.
    pub(crate) fn is_call(self) -> bool {
        matches!(self.beside, Beside::Call)
    }

    /// Whether there is no name left.
    pub(crate) fn is_empty(self) -> bool {
        self.path.is_empty()
    }

    /// Whether nothing is left of a path except a mark for the outermost scope, such as `\` of `\App\Models` and `$.`
    /// of `$.scripts`.
    fn is_done(self, front: &str) -> bool {
        front.is_empty() || front == "$." || SEPARATORS.contains(&front)
    }

    fn separated(self, front: &'w str) -> Option<&'w str> {
        let blank = || front.strip_suffix(' ').filter(|_| self.is_message);
        let rest = SEPARATORS.iter().find_map(|separator| front.strip_suffix(separator)).or_else(blank);
        rest.filter(|rest| !rest.is_empty())
    }
}

/// Splits a path and the text beside it at its end, such as `/2` or `(int, String)`.
fn without_parameters(path: &str) -> (&str, Beside<'_>) {
    let counted = path.rsplit_once('/').filter(|(front, _)| !front.is_empty());
    if let Some((front, Ok(n))) = counted.map(|(front, digits)| (front, digits.parse())) {
        return (front, Beside::Arity(n));
    }
    if let Some(front) = path.strip_suffix("const").map(str::trim_end).filter(|front| front.ends_with(')')) {
        return match without_parameters(front) {
            (front, Beside::Call) => (front, Beside::Const("")),
            (front, Beside::Parameters(written)) => (front, Beside::Const(written)),
            _ => (path, Beside::Nothing),
        };
    }
    // `operator()` is a name, and the brackets of `Num.(+)` contain a name. Neither has parameters.
    let is_name = |front: &str| front.trim_end().ends_with("operator") || front.ends_with(['.', ':']);
    let Some(front) = without_group(path, '(', ')').filter(|front| !front.is_empty() && !is_name(front))
    else {
        return (path, Beside::Nothing);
    };
    // `f(Int)(String)` has two parameter lists.
    let mut front = front;
    while let Some(more) = without_group(front, '(', ')').filter(|more| !more.is_empty() && !is_name(more)) {
        front = more;
    }
    match path[front.len() + 1..path.len() - 1].trim() {
        // `void` means no parameters, as in C.
        "" | "void" => (front, Beside::Call),
        "..." | "…" => (front, Beside::Nothing),
        labels if is_labels(labels) => (front, Beside::Labels(labels)),
        written => (front, Beside::Parameters(written)),
    }
}

/// Whether the text is a list of labels, each followed by a colon and nothing else: `from:to:`.
fn is_labels(written: &str) -> bool {
    let is_label = |label: &str| !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '_');
    written.strip_suffix(':').is_some_and(|labels| labels.split(':').all(is_label))
}

/// A path without the group in brackets at its end. `None` if it does not end with one.
fn without_group(path: &str, open: char, close: char) -> Option<&str> {
    if !path.ends_with(close) {
        return None;
    }
    let mut depth = 0_usize;
    for (at, c) in path.char_indices().rev() {
        if c == close {
            depth += 1;
        } else if c == open {
            depth = depth.checked_sub(1)?;
        }
        if depth == 0 {
            return Some(&path[..at]).filter(|front| front.len() + 1 < path.len());
        }
    }
    None
}

/// A path without the arguments of its last name, and the arguments: `Store[K, V]`, `V<int>`, `f::<u8>`.
fn without_arguments(path: &str) -> Option<(&str, &str)> {
    let types =
        || without_group(path, '[', ']').filter(|front| are_types(&path[front.len() + 1..path.len() - 1]));
    let front = without_group(path, '<', '>').or_else(types)?;
    let arguments = &path[front.len() + 1..path.len() - 1];
    let front = front.strip_suffix("::").or_else(|| front.strip_suffix('.')).unwrap_or(front);
    Some((front, arguments))
}

fn are_types(inside: &str) -> bool {
    let is_type =
        |word: &str| word.trim().starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '*' | '['));
    inside.split(',').all(is_type) && !inside.contains(['"', '\'', '`'])
}

/// The path before a type that is written with its trait, as Rust does: `<Cart as Priced>`, `<&Cart>`, `impl Priced for
/// Cart`. Also the qualifier of the type. `None` if the type is not `name`.
fn in_front_of_subject<'w>(path: &'w str, name: &str) -> Option<(&'w str, Qualifier<'w>)> {
    let is_impl = |text: &str| text.starts_with("impl ") || text.starts_with("impl<");
    let (front, inside) = match without_group(path, '<', '>') {
        _ if is_impl(path) => ("", path),
        Some(front) => (front, &path[front.len() + 1..path.len() - 1]),
        None => return None,
    };
    let (subject, role) = qualifier::subject_and_role(inside);
    // The brackets of `f::<u8>` contain the type arguments of `f`.
    if !front.is_empty() && role.is_none() && !is_impl(inside) {
        return None;
    }
    let front = front.strip_suffix("::").or_else(|| front.strip_suffix('.')).unwrap_or(front);
    let qualifier = Qualifier { subject: Some(subject), role, arguments: None };
    if subject == name {
        return Some((front, qualifier));
    }
    let marks = |c: char| matches!(c, '&' | '*' | '(' | ')' | '[' | ']' | ' ');
    let mut named = subject.trim_matches(marks);
    named = without_lifetime(named);
    for word in ["mut ", "const ", "dyn "] {
        named = named.strip_prefix(word).unwrap_or(named).trim_start();
    }
    named = named.find('<').map_or(named, |open| &named[..open]);
    let above = without_name(named, name)?;
    let above = above.strip_suffix("::").or_else(|| above.strip_suffix('.')).unwrap_or(above);
    let is_path = above.is_empty() || above.len() < without_name(named, name)?.len();
    is_path.then_some((if front.is_empty() { above } else { front }, qualifier))
}

/// A type without its lifetime: `E` of `'a E`.
fn without_lifetime(named: &str) -> &str {
    let rest = named.strip_prefix('\'').and_then(|named| named.split_once(' '));
    rest.map_or(named, |(_, rest)| rest.trim_start())
}

/// The path before a key in brackets and quotes: `rules` of `rules['no-undef']`.
fn in_front_of_key<'w>(path: &'w str, name: &str) -> Option<&'w str> {
    let quoted = path.strip_suffix(']')?.trim_end();
    let quote = quoted.chars().next_back().filter(|quote| matches!(quote, '"' | '\'' | '`'))?;
    let front = quoted.strip_suffix(quote)?.strip_suffix(name)?.strip_suffix(quote)?;
    let front = front.trim_end().strip_suffix('[')?.trim_end();
    (!front.is_empty()).then_some(front)
}

/// The path before a quoted name at its end.
fn without_quoted_name<'w>(path: &'w str, name: &str) -> Option<&'w str> {
    QUOTES.iter().find_map(|(open, close)| {
        without_name(path.strip_suffix(*close)?, name)?.trim_end().strip_suffix(*open)
    })
}

/// The path before a name with type arguments at its end, and the qualifier of that name.
fn without_qualified_name<'w>(path: &'w str, name: &str) -> Option<(&'w str, Qualifier<'w>)> {
    let (front, arguments) = without_arguments(path)?;
    let qualifier = Qualifier { arguments: Some(arguments), ..Qualifier::default() };
    Some((without_name(front, name)?, qualifier))
}

/// The path before a name at its end. In a name with punctuation marks, blanks are ignored: `operator +` is
/// `operator+`.
fn without_name<'w>(path: &'w str, name: &str) -> Option<&'w str> {
    let path = path.trim_end();
    let has_mark = name.contains(|c: char| !c.is_alphanumeric() && c != '_');
    let front = match path.strip_suffix(name) {
        Some(front) => front,
        None if has_mark => without_loosely(path, name)?,
        None => return None,
    };
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let cuts_word = front.ends_with(is_word) && name.starts_with(is_word);
    (!cuts_word && !name.is_empty()).then_some(front)
}

fn without_loosely<'w>(path: &'w str, name: &str) -> Option<&'w str> {
    let mut wanted = name.chars().rev().filter(|c| !c.is_whitespace());
    let mut next = wanted.next();
    for (at, c) in path.char_indices().rev().filter(|(_, c)| !c.is_whitespace()) {
        if next? != c {
            return None;
        }
        next = wanted.next();
        if next.is_none() {
            return Some(&path[..at]);
        }
    }
    None
}
