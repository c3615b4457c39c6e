//! Matches a line of a broken text against the recovery lines of a language, which describe how definitions start.

use locant_text::{Range, trimmed};

use crate::bytes::has_any;
use crate::packed::Word;
use crate::table::{Piece, RecoveryLine, Tables, Words};

/// A definition found by a recovery line.
pub(crate) struct Header {
    pub(crate) line: &'static RecoveryLine,
    pub(crate) name: Range,
    /// The name, if it differs from the text in the range `name`.
    pub(crate) spelled: Option<String>,
    /// The names before the name. For a scope, all of its names.
    pub(crate) qualifier: Vec<Range>,
}

/// The longest line that is matched. People do not write longer lines, and `{any}` would take too long on them.
const MAX_LINE: usize = 400;

/// The definition that starts on the line from `start` to `end`. Only recovery lines that `is_wanted` accepts are
/// tried.
pub(crate) fn header(
    tables: &'static Tables,
    text: &[u8],
    (start, end): (usize, usize),
    is_wanted: impl Fn(&RecoveryLine) -> bool,
) -> Option<Header> {
    if end - start > MAX_LINE {
        return None;
    }
    let reading = Reading { text: &text[..end], words: &tables.words };
    let starts = reading.after_modifiers(start);
    for line in tables.recovery.iter().filter(|line| is_wanted(line)) {
        for (n_modifiers, &at) in starts.iter().enumerate() {
            let mut names = Names::default();
            let is_such = |names: &Names| {
                let name = names.name.map_or(&text[..0], |name| &text[name.indices()]);
                let is_foreign = |name: &Range| has_any(&text[name.indices()], line.without);
                name.starts_with(line.starts.as_bytes())
                    && !(line.lower && name.first().is_some_and(u8::is_ascii_uppercase))
                    && !names.qualifier.iter().chain(&names.name).any(is_foreign)
            };
            if (n_modifiers > 0 || !line.modified)
                && reading.reads(&line.pieces, at, &mut names)
                && is_such(&names)
            {
                return if line.is_nothing { None } else { header_of(line, names, text) };
            }
        }
    }
    None
}

fn header_of(line: &'static RecoveryLine, names: Names, text: &[u8]) -> Option<Header> {
    let name = names.name.filter(|name| !name.is_empty()).or(names.qualifier.last().copied())?;
    let is_selector = line.pieces.contains(&Piece::Selector);
    let spelled = is_selector.then(|| selector(text, name));
    Some(Header { line, name, spelled, qualifier: names.qualifier })
}

/// The full name of a method: `move:to:` for `move:(Piece *)piece to:(Place)place`. The method may span several lines.
fn selector(text: &[u8], first: Range) -> String {
    let mut selector = String::from_utf8_lossy(&text[first.indices()]).into_owned();
    let rest = &text[first.end().index()..];
    let length = rest.iter().take(MAX_LINE).take_while(|byte| !matches!(byte, b'{' | b';')).count();
    let mut rest = rest[..length].trim_ascii_start();
    let n_word = |rest: &[u8]| rest.iter().take_while(|&&byte| is_word(byte)).count();
    while let Some(parameter) = rest.strip_prefix(b":") {
        selector.push(':');
        rest = after_group(parameter.trim_ascii_start()).trim_ascii_start();
        // The name of the parameter, and then possibly the next part of the selector.
        rest = rest[n_word(rest)..].trim_ascii_start();
        let part = &rest[..n_word(rest)];
        let after = rest[part.len()..].trim_ascii_start();
        if after.starts_with(b":") {
            selector += &String::from_utf8_lossy(part);
            rest = after;
        }
    }
    selector
}

/// The text after the type in parentheses that the text starts with.
fn after_group(text: &[u8]) -> &[u8] {
    let mut depth = 0_usize;
    for (n, byte) in text.iter().enumerate() {
        depth = match byte {
            b'(' => depth + 1,
            b')' => depth.saturating_sub(1),
            _ => depth,
        };
        if depth == 0 {
            return if n > 0 { &text[n + 1..] } else { text };
        }
    }
    text
}

#[derive(Default, Clone)]
struct Names {
    name: Option<Range>,
    qualifier: Vec<Range>,
}

impl Names {
    /// Takes one more name. The names so far become its qualifier.
    fn take(&mut self, name: Range) {
        self.qualifier.extend(self.name.replace(name));
    }
}

struct Reading<'a> {
    /// The text up to the end of the line.
    text: &'a [u8],
    words: &'a Words,
}

impl Reading<'_> {
    /// The start of the line, and the place after each modifier.
    fn after_modifiers(&self, start: usize) -> Vec<usize> {
        let mut starts = vec![start];
        let mut at = start;
        while let Some(end) = self.modifier_end(at) {
            // `pub(crate)`, `template <class T>`, `extern "C"`.
            let mut next = self.skip_blanks(self.skip_group(end, b'(', b')'));
            next = self.skip_blanks(self.skip_group(next, b'<', b'>'));
            if self.text.get(next) == Some(&b'"') {
                let closing = self.text[next + 1..].iter().position(|&byte| byte == b'"');
                next = self.skip_blanks(closing.map_or(next, |closing| next + closing + 2));
            }
            starts.push(next);
            at = next;
        }
        starts
    }

    /// Where the modifier or annotation at `at` ends, not counting brackets after it.
    fn modifier_end(&self, at: usize) -> Option<usize> {
        let mark = self.words.annotations;
        if !mark.is_empty() && self.text[at..].starts_with(mark.as_bytes()) {
            return self.path(at + mark.len(), &mut Names::default());
        }
        let end = self.word_end(at)?;
        let word = &self.text[at..end];
        let is_modifier = self.words.modifiers.iter().any(|&modifier| self.is_word(word, modifier));
        (is_modifier || self.words.macros && is_macro(word)).then_some(end)
    }

    /// Whether the pieces match the text from `at` on. The recursion is only as deep as the pattern is long.
    fn reads(&self, pieces: &[Piece], at: usize, names: &mut Names) -> bool {
        let Some((piece, rest)) = pieces.split_first() else { return true };
        match piece {
            Piece::Word(word) => {
                let end = at + word.len();
                self.word_end(at) == Some(end)
                    && self.is_word(&self.text[at..end], *word)
                    && self.reads(rest, end, names)
            }
            Piece::Mark(mark) => {
                let at = self.skip_blanks(at);
                self.text.get(at) == Some(mark) && self.reads(rest, at + 1, names)
            }
            Piece::Gap => {
                let next = self.skip_blanks(at);
                let is_apart = next > at || at > 0 && matches!(self.text[at - 1], b' ' | b'\t' | b'*' | b'&');
                is_apart && self.reads(rest, next, names)
            }
            Piece::Generics => {
                let next = self.skip_group(at, b'<', b'>');
                self.reads(rest, next, names)
            }
            Piece::Macros => self.reads_from(self.macro_ends(at).into_iter().rev(), rest, names),
            Piece::Name | Piece::Selector => {
                let Some(end) = self.name_end(at).filter(|_| !self.is_in_word(at)) else { return false };
                names.take(Range::of_indices(at..end));
                self.reads(rest, end, names)
            }
            Piece::Text => self.reads_text(rest, at, names),
            Piece::Path => {
                let mut inner = Names::default();
                let Some(end) = self.path(at, &mut inner) else { return false };
                *names = inner;
                self.reads(rest, end, names)
            }
            Piece::Type => self.reads_from(self.type_ends(at).into_iter().rev(), rest, names),
            Piece::Qualifier => {
                let mut inner = names.clone();
                let end = self.qualifier(at, &mut inner);
                let is_read = end > at && self.reads(rest, end, &mut inner);
                *names = inner;
                is_read
            }
            Piece::Receiver => match self.receiver(at) {
                Some((name, end)) => {
                    names.qualifier.push(name);
                    self.reads(rest, end, names)
                }
                None => false,
            },
            Piece::Any => self.reads_from(at..=self.text.len(), rest, names),
            Piece::End => {
                let tail = &self.text[self.skip_blanks(at)..];
                tail.is_empty() || tail.starts_with(b"//") || tail.starts_with(b"/*")
            }
        }
    }

    /// Whether the pieces match the text from one of these places on. Names from failed attempts are discarded.
    fn reads_from(
        &self,
        places: impl IntoIterator<Item = usize>,
        pieces: &[Piece],
        names: &mut Names,
    ) -> bool {
        places.into_iter().any(|at| {
            let mut inner = names.clone();
            let is_read = self.reads(pieces, at, &mut inner);
            if is_read {
                *names = inner;
            }
            is_read
        })
    }

    /// Matches the shortest text as a name such that the remaining pieces match after it.
    fn reads_text(&self, rest: &[Piece], at: usize, names: &mut Names) -> bool {
        // A closing tag has no name, nor does a comment or a directive.
        if matches!(self.text.get(at), Some(b'/' | b'!' | b'?' | b'<')) {
            return false;
        }
        (at + 1..=self.text.len()).any(|end| {
            let mut inner = names.clone();
            inner.take(trimmed(self.text, at..end));
            let is_read = self.reads(rest, end, &mut inner);
            if is_read {
                *names = inner;
            }
            is_read
        })
    }

    /// Whether a place is inside a word, as it may be after `{any}`. No name starts there.
    fn is_in_word(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.text.get(before));
        before.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
    }

    /// Where the name that starts at `at` ends. `None` for a keyword.
    fn name_end(&self, at: usize) -> Option<usize> {
        let sigil = usize::from(matches!(self.text.get(at), Some(b'~' | b'#')));
        let marks = self.words.name_marks.as_bytes();
        let is_name = |byte: &&u8| is_word(**byte) || marks.contains(*byte);
        let end = at + sigil + self.text.get(at + sigil..)?.iter().take_while(is_name).count();
        let word = self.text.get(at..end).filter(|word| word.len() > sigil)?;
        let is_keyword = self.words.keywords.iter().any(|&keyword| self.is_word(word, keyword));
        let is_quote = self.words.quotes.as_bytes().contains(&word[sigil]);
        (!is_keyword && !is_quote && !word[sigil].is_ascii_digit()).then_some(end)
    }

    /// All places where a type that starts at `at` may end: `unsigned long *` has two.
    fn type_ends(&self, at: usize) -> Vec<usize> {
        let mut ends = Vec::new();
        let mut at = at;
        while let Some(end) = self.name_end(at).filter(|_| ends.len() < MAX_TYPE_WORDS) {
            let mut end = self.skip_group(end, b'<', b'>');
            end = self.skip_group(end, b'[', b']');
            end += usize::from(self.text.get(end) == Some(&b'?'));
            let separator = [&b"::"[..], b"."].into_iter().find(|mark| self.text[end..].starts_with(mark));
            if let Some(separator) = separator {
                at = end + separator.len();
                continue;
            }
            while matches!(self.text.get(end), Some(b' ' | b'\t' | b'*' | b'&')) {
                end += 1;
            }
            ends.push(end);
            at = end;
        }
        ends
    }

    /// The place `at`, and the place after each macro that follows.
    fn macro_ends(&self, at: usize) -> Vec<usize> {
        let mut ends = vec![at];
        let mut at = at;
        while let Some(end) = self.word_end(at).filter(|&end| is_macro(&self.text[at..end])) {
            at = self.skip_blanks(self.skip_group(end, b'(', b')'));
            ends.push(at);
        }
        ends
    }

    /// Reads `a::b<T>::` and adds the names to the qualifier.
    fn qualifier(&self, at: usize, names: &mut Names) -> usize {
        let mut at = at;
        while let Some(end) = self.name_end(at) {
            let next = self.skip_group(end, b'<', b'>');
            if !self.text[next..].starts_with(b"::") {
                break;
            }
            names.qualifier.push(Range::of_indices(at..end));
            at = next + 2;
        }
        at
    }

    /// Reads `A.B.c`. The last name is the declared one, and the others are its qualifier.
    fn path(&self, at: usize, names: &mut Names) -> Option<usize> {
        let mut at = at;
        loop {
            let end = self.name_end(at)?;
            let name = Range::of_indices(at..end);
            // `List<T>?.f`.
            let mut next = self.skip_group(end, b'<', b'>');
            next += usize::from(self.text.get(next) == Some(&b'?'));
            let marks = [&b"::"[..], b".", b":"];
            let mark = marks.into_iter().find(|mark| self.text[next..].starts_with(mark));
            match mark.filter(|mark| self.name_end(next + mark.len()).is_some()) {
                Some(mark) if names.qualifier.len() < MAX_TYPE_WORDS => {
                    names.qualifier.push(name);
                    at = next + mark.len();
                }
                _ => {
                    names.name = Some(name);
                    return Some(end);
                }
            }
        }
    }

    /// The last name of a type in a receiver or `impl` block, and where the type ends.
    fn receiver(&self, at: usize) -> Option<(Range, usize)> {
        let mut at = at;
        let mut name = None;
        while let Some(&byte) = self.text.get(at) {
            if let Some(end) = self.word_end(at) {
                if self.name_end(at).is_none() {
                    break;
                }
                name = Some(Range::of_indices(at..end));
                at = self.skip_group(self.skip_group(end, b'<', b'>'), b'[', b']');
            } else if matches!(byte, b' ' | b'\t' | b'*' | b'&' | b':' | b'\'' | b'.') {
                at += 1;
            } else {
                break;
            }
        }
        Some((name?, at))
    }

    fn is_word(&self, text: &[u8], word: Word) -> bool {
        word.is(text, self.words.any_case)
    }

    fn word_end(&self, at: usize) -> Option<usize> {
        let length = self.text.get(at..)?.iter().take_while(|byte| is_word(**byte)).count();
        (length > 0).then_some(at + length)
    }

    fn skip_blanks(&self, at: usize) -> usize {
        at + self.text[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
    }

    /// The place after the bracketed group that starts at `at`. If there is no closed group, `at` itself.
    fn skip_group(&self, at: usize, open: u8, close: u8) -> usize {
        if self.text.get(at) != Some(&open) {
            return at;
        }
        let mut depth = 0;
        for (n, &byte) in self.text[at..].iter().enumerate() {
            if byte == open {
                depth += 1;
            } else if byte == close {
                depth -= 1;
                if depth == 0 {
                    return at + n + 1;
                }
            }
        }
        at
    }
}

/// Whether a byte is part of a word. All non-ASCII bytes count, because in a header they only occur in letters.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || !byte.is_ascii()
}

/// Whether a word is written like a macro, in capitals.
fn is_macro(word: &[u8]) -> bool {
    let is_capital = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
    word.len() > 2 && word.iter().all(is_capital)
}

/// How many words a type may have: enough for `unsigned long long int`.
const MAX_TYPE_WORDS: usize = 6;
