//! Splits the string form of a location into path, scope and find.

use std::borrow::Cow;

use crate::location::InvalidLocation;
use crate::printed;
use crate::scope::{group_end, group_start};

/// The pieces of `FILE:SCOPE@FIND`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Pieces<'t> {
    pub(crate) path: Cow<'t, str>,
    /// The text of the scope; empty if there is none.
    pub(crate) scope: Cow<'t, str>,
    pub(crate) find: Option<Cow<'t, str>>,
}

/// The longest path that operating systems allow. A longer path cannot exist, so the disk is not asked about it.
const LONGEST_PATH: usize = 4096;

/// Splits a location into its pieces.
pub(crate) fn split<'t>(text: &'t str, exists: &dyn Fn(&str) -> bool) -> Result<Pieces<'t>, InvalidLocation> {
    if let Some(quoted) = text.strip_prefix('"') {
        let (path, rest) = quoted_path(quoted)?;
        return match path {
            Cow::Borrowed(inside) if printed::is_in_quotes(inside, rest, exists) => split(inside, exists),
            path => pieces(path, rest),
        };
    }
    if !exists(&text[..plain_path_end(text)]) {
        if let Some(inside) = printed::unwrapped(text) {
            return split(inside, exists);
        }
        if let Some(pieces) = printed::pieces(text, exists) {
            return Ok(printed::as_on_disk(pieces, exists));
        }
    }
    let text = printed::after_words(text, exists).unwrap_or(text);
    if let Some(pieces) = printed::on_line(text, exists) {
        return Ok(pieces);
    }
    let end = path_end(text, exists);
    pieces(Cow::Borrowed(&text[..end]), &text[end..]).map(|pieces| printed::as_on_disk(pieces, exists))
}

/// Reads the path after an opening quote, and returns the text after the closing quote. A quote inside the path is
/// written twice.
fn quoted_path(text: &str) -> Result<(Cow<'_, str>, &str), InvalidLocation> {
    let end = end_of_quoted(text, '"').ok_or_else(|| InvalidLocation {
        message: "the quote around the path is not closed".to_owned(),
        hint: "write \"odd:name.py\":SCOPE@FIND".to_owned(),
    })?;
    let path = match &text[..end] {
        path if path.contains('"') => Cow::Owned(path.replace("\"\"", "\"")),
        path => Cow::Borrowed(path),
    };
    Ok((path, &text[end + 1..]))
}

/// Where the closing quote is, if the opening quote was directly before `text`. Two quotes in a row stand for one quote
/// inside.
pub(crate) fn end_of_quoted(text: &str, quote: char) -> Option<usize> {
    let mut from = 0;
    loop {
        let at = from + text[from..].find(quote)?;
        if !text[at + 1..].starts_with(quote) {
            return Some(at);
        }
        from = at + 2;
    }
}

/// Where the path ends: the result of [`plain_path_end`], unless only another end gives an existing file.
fn path_end(text: &str, exists: &dyn Fn(&str) -> bool) -> usize {
    let plain = plain_path_end(text);
    let with_fragment_cut = fragment_start(&text[..plain]).unwrap_or(plain);
    if exists(&text[..plain]) {
        return plain;
    }
    if exists(&text[..with_fragment_cut]) {
        return with_fragment_cut;
    }
    let ends = text.char_indices().filter(|&(_, c)| matches!(c, ':' | '@')).map(|(at, _)| at);
    let other = ends
        .chain([text.len()])
        .take_while(|&end| end <= LONGEST_PATH)
        .filter(|&end| end > 0 && exists(&text[..end]))
        .max();
    other.unwrap_or(with_fragment_cut)
}

/// The first `:` or `@` that is not part of the path. The `:` after a drive letter and an `@` at the start of a name
/// are part of the path.
pub(crate) fn plain_path_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let from = if starts_with_drive(bytes) { 2 } else { 0 };
    let belongs_to_path = |at: usize| bytes[at] == b'@' && (at == 0 || matches!(bytes[at - 1], b'/' | b'\\'));
    (from..bytes.len())
        .find(|&at| matches!(bytes[at], b':' | b'@') && !belongs_to_path(at))
        .unwrap_or(bytes.len())
}

fn starts_with_drive(bytes: &[u8]) -> bool {
    matches!(bytes, [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic())
}

/// Where a fragment such as `#L10-L20` starts. Web links use it to give lines after a file.
fn fragment_start(path: &str) -> Option<usize> {
    let at = path.rfind("#L")?;
    let lines = &path[at + 2..];
    let is_lines = lines.starts_with(|c: char| c.is_ascii_digit())
        && lines.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'L' | b'C'));
    is_lines.then_some(at)
}

/// Splits the text after the path into scope and find.
fn pieces<'t>(path: Cow<'t, str>, rest: &'t str) -> Result<Pieces<'t>, InvalidLocation> {
    let (scope, find) = match rest.as_bytes().first() {
        None => ("", None),
        Some(b'@') => ("", Some(Cow::Borrowed(&rest[1..]))),
        Some(b':') => split_scope(&rest[1..])?,
        Some(b'#') => split_scope(rest)?,
        Some(_) => {
            return Err(InvalidLocation {
                message: format!("`{rest}` after the quoted path is neither a scope nor a find"),
                hint: format!("write \"{path}\":SCOPE or \"{path}\"@FIND"),
            });
        }
    };
    Ok(Pieces { path, scope: Cow::Borrowed(scope), find })
}

/// Splits scope and find at the first `@` outside of backticks and parameters.
fn split_scope(text: &str) -> Result<(&str, Option<Cow<'_, str>>), InvalidLocation> {
    if let Some(end) = message_start(text) {
        return Ok(split_message(text, end));
    }
    let mut from = 0;
    while let Some(at) = text[from..].find(['@', '`']).map(|at| from + at) {
        if let Some(end) = parameters_around(text, from, at) {
            from = end;
            continue;
        }
        if text[at..].starts_with('@') {
            return Ok((&text[..at], Some(Cow::Borrowed(&text[at + 1..]))));
        }
        let quoted = end_of_quoted(&text[at + 1..], '`').ok_or_else(|| InvalidLocation {
            message: format!("the backtick in the scope `{text}` is not closed").replace("``", "`"),
            hint: "put a whole name in backticks, and write a backtick inside it twice".to_owned(),
        })?;
        from = at + 1 + quoted + 1;
    }
    Ok((text, None))
}

/// The end of the parameters that contain the `@` at `at`, if it is an annotation: `save(@Nullable String name)`.
fn parameters_around(text: &str, from: usize, at: usize) -> Option<usize> {
    let mut from = from;
    while let Some(open) = group_start(&text[..at], from).filter(|_| text[at..].starts_with('@')) {
        let end = group_end(text, open)?;
        if at < end {
            return text[open..].starts_with('(').then_some(end);
        }
        from = end;
    }
    None
}

/// Splits a line or coordinate from the message after it, which starts at `end`.
///
/// The message of a compiler is dropped. But `grep -n` prints the text of the line there, which becomes the find.
fn split_message(text: &str, end: usize) -> (&str, Option<Cow<'_, str>>) {
    let (scope, message) = text.split_at(end);
    let Some(message) = message.strip_prefix(':') else { return (scope, None) };
    if let Some((line, column)) = scope.split_once(':') {
        let marked = column.parse().ok().filter(|_| is_line(message)).and_then(|at| marked(message, at));
        return marked.map_or((scope, None), |find| (line, Some(Cow::Owned(find))));
    }
    if let Some(find) = message.trim_start().strip_prefix('@').filter(|_| !is_indented(message)) {
        return (scope, Some(Cow::Borrowed(find)));
    }
    match message.chars().next() {
        Some(c) if c.is_ascii_digit() => (text, None),
        _ if is_line(message) => (scope, Some(Cow::Borrowed(message.trim()))),
        _ => (scope, None),
    }
}

/// Whether the message is the text of a line. Other messages start with a blank and a word or, in stack traces of Ruby,
/// with `in`.
fn is_line(message: &str) -> bool {
    let opens_words =
        |c: char| c.is_alphanumeric() || matches!(c, '_' | '\'' | '"' | '`' | '[' | '(' | '<' | '-');
    let is_said = message.strip_prefix(' ').is_some_and(|said| said.starts_with(opens_words));
    !message.trim().is_empty() && !is_said && !message.starts_with("in ")
}

/// Whether a text starts like an indented line.
fn is_indented(text: &str) -> bool {
    text.starts_with('\t') || text.starts_with("  ")
}

/// The text of a line with a marker at a column; `None` if the line ends before the column. `rg --vimgrep` prints
/// columns that count bytes from 1.
fn marked(line: &str, column: usize) -> Option<String> {
    let at = column.checked_sub(1)?;
    let (before, after) = line.split_at_checked(at).filter(|(_, after)| !after.trim().is_empty())?;
    Some(format!("{}<|>{}", before.trim_start(), after.trim_end()))
}

/// Where the message starts after a line or coordinate that was copied from a compiler, as in `42:7: error: …`. The
/// message may contain anything, even `@`.
pub(crate) fn message_start(text: &str) -> Option<usize> {
    if text.starts_with('[') {
        // Maven prints `[171,24] cannot find symbol`.
        let line = digits_end(text, 1)?;
        let column = text[line..].starts_with(',').then(|| digits_end(text, line + 1)).flatten()?;
        return (text[column..].starts_with("] ")).then_some(column + 1);
    }
    let line = digits_end(text, 0)?;
    let column = text[line..].starts_with(':').then(|| digits_end(text, line + 1)).flatten();
    let Some(column) = column else { return after_lines(text, line) };
    let end = range_end(text, column).unwrap_or(column);
    // A message may start with any mark, as in `42:7)` of a stack trace. But after a letter, a digit, `@` or `-`, the
    // text is not a message.
    let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '_' | '@' | '-');
    return text[end..].chars().next().is_some_and(|c| !goes_on(c)).then_some(end);

    fn digits_end(text: &str, from: usize) -> Option<usize> {
        let len = text[from..].bytes().take_while(u8::is_ascii_digit).count();
        (len > 0).then_some(from + len)
    }

    fn after_lines(text: &str, line: usize) -> Option<usize> {
        let last = text[line..].starts_with(['-', ',']).then(|| digits_end(text, line + 1)).flatten();
        let end = last.unwrap_or(line);
        let rest = &text[end..];
        // Stack traces of Go have `12 +0x1d`.
        let is_in_trace = rest.starts_with(" +0x");
        // `12)` occurs in stack traces of Java, and `12.` at the end of a sentence.
        let closing = rest.trim_end().trim_start_matches([')', ']', ',', ';', '.']);
        let is_closed = closing.is_empty() && end < text.trim_end().len();
        let is_told = rest.strip_prefix(':').is_some_and(is_message);
        (is_in_trace || is_closed || is_told).then_some(end)
    }

    fn range_end(text: &str, column: usize) -> Option<usize> {
        let rest = text[column..].strip_prefix('-')?;
        let is_part = |byte: &u8| byte.is_ascii_digit() || *byte == b':';
        let len = rest.bytes().take_while(is_part).count();
        // The range of `42:7-44:1: error` ends before the last colon.
        let part = rest[..len].trim_end_matches(':');
        Some(column + 1 + part.len())
    }

    /// Whether the text after a line is a message of a compiler, or the text that `grep -n` prints. A marker, or a name
    /// with a find, shows that the user wrote a location in the wrong order.
    fn is_message(rest: &str) -> bool {
        let is_name = |name: &str| !name.is_empty() && !name.contains(|c: char| c.is_whitespace());
        let is_scope_and_find = rest.split_once('@').is_some_and(|(front, _)| is_name(front));
        !rest.starts_with(':') && !rest.contains("<|>") && !is_scope_and_find
    }
}
