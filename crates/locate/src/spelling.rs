//! Paths as the languages themselves write them: `User#valid?`, `App\\Models\\User`, `bar/2`, `User::$id`, `[package]`.
//!
//! In a location, names are separated by `.` or `::`. Text that people paste from a stack trace, a document or an error
//! message has other separators, sigils before a name, quotes around it and parameters after it. A path is read this
//! way only if no symbol has it as it was written.

use crate::qualifier::{self, Qualifier};
use crate::signature::Signature;
use crate::types::Likeness;

/// A path as it was written, not yet split.
#[derive(Clone, Copy)]
pub(crate) struct Spelling<'w> {
    path: &'w str,
    /// Whether a blank separates names too, as in `-[Piece moveTo:]`.
    is_message: bool,
    /// The `?` of `init?(from:)`.
    mark: Option<char>,
    /// What was written beside the path, which distinguishes symbols with the same path.
    beside: Beside<'w>,
}

#[derive(Clone, Copy)]
enum Beside<'w> {
    Nothing,
    /// `+` or `-` before a message.
    Sign(char),
    /// `/2`.
    Arity(usize),
    /// `()`.
    Call,
    /// `(int, String)`.
    Parameters(&'w str),
    /// `(int) const`.
    Const(&'w str),
    /// `(from:to:)`.
    Labels(&'w str),
}

/// How well a declaration fits what was written beside its path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Fit {
    /// It does not fit.
    Not,
    /// Parameters were written, but its own cannot be read.
    Unread,
    /// Nothing contradicts it.
    Well,
    /// It could be called as written, or has the type but for some signs.
    Better,
    /// It has exactly what was written.
    Best,
}

impl Fit {
    /// How well parameters fit that have this likeness to the declared ones.
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

    /// How well the declaration of this name fits what was written beside the path.
    pub(crate) fn fit(self, name: &str, declared: &Signature<'_>) -> Fit {
        let beside = match self.beside {
            _ if self.mark.is_some_and(|mark| !declared.has_mark(mark)) => Fit::Not,
            Beside::Nothing => Fit::Well,
            Beside::Sign(sign) if declared.starts_with(sign) => Fit::Well,
            Beside::Arity(n) if declared.takes(n) => Fit::Well,
            Beside::Sign(_) | Beside::Arity(_) => Fit::Not,
            Beside::Call if declared.takes_nothing() => Fit::Best,
            Beside::Call if declared.may_take_nothing() => Fit::Better,
            // People write `f()` for a function whatever parameters it has.
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
        // `User#f` is an instance method, and `User::$id` is not a method.
        let is_marked = front.ends_with('$') && declared.has_in_front("$")
            || front.ends_with('#') && !declared.has_in_front("self.");
        if beside == Fit::Well && is_marked { Fit::Best } else { beside }
    }

    /// What is left before a name that the path ends with, and the qualifier of that name. `None` if the path does not
    /// end with it.
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

    /// The path without the separator that it ends with, and without a sigil.
    fn in_front_of_separator(self, front: &'w str) -> Option<&'w str> {
        let without_sigil =
            front.strip_suffix(SIGILS).filter(|rest| self.is_done(rest) || self.separated(rest).is_some());
        let front = without_sigil.unwrap_or(front);
        if self.is_done(front) { Some("") } else { self.separated(front) }
    }

    /// Whether it is written with parameters, or as a call.
    pub(crate) fn is_called(self) -> bool {
        matches!(self.beside, Beside::Call | Beside::Parameters(_) | Beside::Const(_))
    }

    /// Whether it is written as a call with empty brackets.
    pub(crate) fn is_call(self) -> bool {
        matches!(self.beside, Beside::Call)
    }

    /// Whether there is no name left.
    pub(crate) fn is_empty(self) -> bool {
        self.path.is_empty()
    }

    /// Whether nothing is left of a path but a sign for the outermost scope: `\App\Models`, `$.scripts`.
    fn is_done(self, front: &str) -> bool {
        front.is_empty() || front == "$." || SEPARATORS.contains(&front)
    }

    fn separated(self, front: &'w str) -> Option<&'w str> {
        let blank = || front.strip_suffix(' ').filter(|_| self.is_message);
        let rest = SEPARATORS.iter().find_map(|separator| front.strip_suffix(separator)).or_else(blank);
        rest.filter(|rest| !rest.is_empty())
    }
}

/// A path without `/2` or `(int, String)` at its end, and the meaning of that end.
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
    // `operator()` is a name, and the brackets of `Num.(+)` contain one.
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

/// Whether the text is a list of labels, each followed by a colon, without anything between.
fn is_labels(written: &str) -> bool {
    let is_label = |label: &str| !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '_');
    written.strip_suffix(':').is_some_and(|labels| labels.split(':').all(is_label))
}

/// A path without the bracketed group at its end.
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

/// What comes before a type with its trait, as Rust writes them: `<Cart as Priced>`, `<&Cart>`, `impl Priced for Cart`.
fn in_front_of_subject<'w>(path: &'w str, name: &str) -> Option<(&'w str, Qualifier<'w>)> {
    let is_impl = |text: &str| text.starts_with("impl ") || text.starts_with("impl<");
    let (front, inside) = match without_group(path, '<', '>') {
        _ if is_impl(path) => ("", path),
        Some(front) => (front, &path[front.len() + 1..path.len() - 1]),
        None => return None,
    };
    let (subject, role) = qualifier::subject_and_role(inside);
    // In `f::<u8>` the brackets hold arguments of `f`.
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

/// What comes before a key in brackets and quotes: `rules` of `rules['no-undef']`.
fn in_front_of_key<'w>(path: &'w str, name: &str) -> Option<&'w str> {
    let quoted = path.strip_suffix(']')?.trim_end();
    let quote = quoted.chars().next_back().filter(|quote| matches!(quote, '"' | '\'' | '`'))?;
    let front = quoted.strip_suffix(quote)?.strip_suffix(name)?.strip_suffix(quote)?;
    let front = front.trim_end().strip_suffix('[')?.trim_end();
    (!front.is_empty()).then_some(front)
}

/// What comes before a quoted name at the end of a path.
fn without_quoted_name<'w>(path: &'w str, name: &str) -> Option<&'w str> {
    QUOTES.iter().find_map(|(open, close)| {
        without_name(path.strip_suffix(*close)?, name)?.trim_end().strip_suffix(*open)
    })
}

/// What comes before a name with type arguments at the end of a path, and its qualifier.
fn without_qualified_name<'w>(path: &'w str, name: &str) -> Option<(&'w str, Qualifier<'w>)> {
    let (front, arguments) = without_arguments(path)?;
    let qualifier = Qualifier { arguments: Some(arguments), ..Qualifier::default() };
    Some((without_name(front, name)?, qualifier))
}

/// What comes before a name at the end of a path. In a name with marks, blanks do not count: `operator +` is
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
