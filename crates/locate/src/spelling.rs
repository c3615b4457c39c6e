//! Paths as the languages themselves write them: `User#valid?`, `App\\Models\\User`, `bar/2`, `User::$id`, `[package]`.
//!
//! The location language separates names by `.` or `::`. What people paste from a stack trace, a document or an error
//! message separates them otherwise, puts sigils in front, quotes around and parameters behind. Such a path is only
//! asked here when no symbol has it as it was written.

use crate::signature::{Likeness, Signature};

/// A path as it was written, not yet taken apart.
#[derive(Clone, Copy)]
pub(crate) struct Spelling<'w> {
    path: &'w str,
    /// Does a blank separate names, too, as in `-[Piece moveTo:]`?
    is_message: bool,
    /// What was written around the path, and tells symbols of one path apart.
    beside: Beside<'w>,
}

#[derive(Clone, Copy)]
enum Beside<'w> {
    Nothing,
    /// `+` or `-` in front of a message.
    Sign(char),
    /// `/2`.
    Arity(usize),
    /// `()`.
    Call,
    /// `(int, String)`.
    Parameters(&'w str),
    /// `(from:to:)`.
    Labels(&'w str),
}

/// Does a declaration fit what was written beside its path?
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Fit {
    /// It is another one.
    Not,
    /// Its parameters are others. They may have been written another way.
    Loosely,
    /// Nothing speaks against it.
    Well,
    /// It could be called as it was written.
    Better,
    /// It has what was written, too.
    Best,
}

const SEPARATORS: [&str; 8] = ["::", "->", ".", "#", ":", "/", "\\", "$"];

const SIGILS: [char; 5] = ['$', '#', '.', ':', '%'];

const QUOTES: [(char, char); 7] =
    [('"', '"'), ('\'', '\''), ('`', '`'), ('(', ')'), ('[', ']'), ('<', '>'), ('{', '}')];

impl<'w> Spelling<'w> {
    pub(crate) fn new(path: &'w str) -> Spelling<'w> {
        let path = path.trim();
        // `[dbo].[Orders]` is two names, each in brackets.
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
        Spelling { path, is_message, beside }
    }

    /// Does the declaration of this name fit what was written beside the path?
    pub(crate) fn fit(self, name: &str, declared: &Signature<'_>) -> Fit {
        let beside = match self.beside {
            Beside::Nothing => Fit::Well,
            Beside::Sign(sign) if declared.starts_with(sign) => Fit::Well,
            Beside::Arity(n) if declared.takes(n) => Fit::Well,
            Beside::Sign(_) | Beside::Arity(_) => Fit::Not,
            Beside::Call if declared.takes_nothing() => Fit::Best,
            Beside::Call if declared.has_brackets() => Fit::Better,
            Beside::Call => Fit::Well,
            Beside::Labels(labels) if declared.has_labels(labels) => Fit::Best,
            Beside::Labels(_) => Fit::Loosely,
            Beside::Parameters(written) => match declared.has_parameters(written) {
                Some(Likeness::Exact) => Fit::Best,
                Some(Likeness::Whole) => Fit::Better,
                Some(Likeness::Part) => Fit::Well,
                None => Fit::Loosely,
            },
        };
        let front = without_name(self.path, name).unwrap_or_default();
        // `User#f` is a method of the objects, and `User::$id` no method at all.
        let is_marked = front.ends_with('$') && declared.has_in_front("$")
            || front.ends_with('#') && !declared.has_in_front("self.");
        if beside == Fit::Well && is_marked { Fit::Best } else { beside }
    }

    /// What is left in front of a name that the path ends with; `None` when it does not.
    pub(crate) fn in_front_of(self, name: &str) -> Option<Spelling<'w>> {
        let path = without_trait(self.path.trim_end());
        if let Some(front) = in_front_of_key(path, name) {
            return Some(Spelling { path: front, ..self });
        }
        let quoted = || {
            QUOTES.iter().find_map(|(open, close)| {
                without_name(path.strip_suffix(*close)?, name)?.trim_end().strip_suffix(*open)
            })
        };
        let generic = || {
            let front = without_group(path, '<', '>').or_else(|| without_types(path))?;
            without_name(front, name)
        };
        let front = without_name(path, name).or_else(quoted).or_else(generic)?;
        let without_sigil =
            front.strip_suffix(SIGILS).filter(|rest| self.is_done(rest) || self.separated(rest).is_some());
        let front = without_sigil.unwrap_or(front);
        if self.is_done(front) {
            return Some(Spelling { path: "", ..self });
        }
        self.separated(front).map(|path| Spelling { path, ..self })
    }

    /// Is it written with parameters, or as a call?
    pub(crate) fn is_called(self) -> bool {
        matches!(self.beside, Beside::Call | Beside::Parameters(_))
    }

    /// Is there no name left?
    pub(crate) fn is_empty(self) -> bool {
        self.path.is_empty()
    }

    /// A path may start at the top of all names: `\App\Models`, `$.scripts`.
    fn is_done(self, front: &str) -> bool {
        front.is_empty() || front == "$." || SEPARATORS.contains(&front)
    }

    fn separated(self, front: &'w str) -> Option<&'w str> {
        let blank = || front.strip_suffix(' ').filter(|_| self.is_message);
        let rest = SEPARATORS.iter().find_map(|separator| front.strip_suffix(separator)).or_else(blank);
        rest.filter(|rest| !rest.is_empty())
    }
}

/// A path without `/2` or `(int, String)` at its end, and that.
fn without_parameters(path: &str) -> (&str, Beside<'_>) {
    let counted = path.rsplit_once('/').filter(|(front, _)| !front.is_empty());
    if let Some((front, Ok(n))) = counted.map(|(front, digits)| (front, digits.parse())) {
        return (front, Beside::Arity(n));
    }
    // `operator()` is a name, and so is what the brackets of `Num.(+)` hold.
    let is_name = |front: &str| front.trim_end().ends_with("operator") || front.ends_with(['.', ':']);
    let Some(front) = without_group(path, '(', ')').filter(|front| !front.is_empty() && !is_name(front))
    else {
        return (path, Beside::Nothing);
    };
    match path[front.len() + 1..path.len() - 1].trim() {
        // As C says that there are none.
        "" | "void" => (front, Beside::Call),
        "..." | "…" => (front, Beside::Nothing),
        labels if is_labels(labels) => (front, Beside::Labels(labels)),
        written => (front, Beside::Parameters(written)),
    }
}

/// Is it a list of labels, each with a colon behind it and nothing between them?
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

/// `Store` of `Store[K, V]`. A word in brackets may be a key: types are several, or start as types do.
fn without_types(path: &str) -> Option<&str> {
    let front = without_group(path, '[', ']')?;
    let inside = &path[front.len() + 1..path.len() - 1];
    let is_type = |word: &str| word.trim().starts_with(|c: char| c.is_alphabetic());
    let are_types = inside.split(',').all(is_type) && !inside.contains(['"', '\'', '`']);
    (are_types && (inside.contains(',') || inside.starts_with(char::is_uppercase))).then_some(front)
}

/// `Cart` of `<Cart as Priced>`, as Rust says whose method of a trait is meant.
fn without_trait(path: &str) -> &str {
    let inside = path.strip_prefix('<').and_then(|path| path.strip_suffix('>'));
    inside.and_then(|inside| inside.split_once(" as ")).map_or(path, |(own, _)| own)
}

/// What stands in front of a key in brackets and quotes: `rules` of `rules['no-undef']`.
fn in_front_of_key<'w>(path: &'w str, name: &str) -> Option<&'w str> {
    let quoted = path.strip_suffix(']')?.trim_end();
    let quote = quoted.chars().next_back().filter(|quote| matches!(quote, '"' | '\'' | '`'))?;
    let front = quoted.strip_suffix(quote)?.strip_suffix(name)?.strip_suffix(quote)?;
    let front = front.trim_end().strip_suffix('[')?.trim_end();
    (!front.is_empty()).then_some(front)
}

/// What stands in front of a name at the end of a path. Beside marks blanks are free: `operator +` is `operator+`.
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
