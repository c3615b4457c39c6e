//! Parses and writes the scope of a location.

use std::fmt;

use locant_text::Position;

use crate::location::{InvalidLocation, Scope, Segment};
use crate::mark::{Mark, Marked};
use crate::split::{end_of_quoted, message_start};
use crate::types;

/// Parses a scope. An empty text is no scope.
pub(crate) fn parse_scope(text: &str) -> Result<Option<Scope>, InvalidLocation> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    if let Some(fragment) = text.strip_prefix('#').filter(|fragment| is_lines_fragment(fragment)) {
        return fragment_scope(fragment).map(Some);
    }
    if is_descriptor(text) {
        return descriptor_scope(text).map(Some);
    }
    match numbers_scope(text)? {
        Some(scope) => Ok(Some(scope)),
        None => symbol_path(text).map(|segments| Some(Scope::Symbol(segments))),
    }
}

/// The lines from `first` to `last`, both included. If `last` is 0, the lines up to the end of the file. Fails if such
/// lines cannot exist.
pub(crate) fn line_scope(first: u32, last: u32) -> Result<Scope, InvalidLocation> {
    if first == 0 {
        return Err(no_line_zero());
    }
    match last {
        0 => Ok(Scope::Lines { first, last: None }),
        last if last < first => Err(InvalidLocation {
            message: format!("the lines {first}-{last} end before they start"),
            hint: format!("write {last}-{first}, or {first},0 for line {first} to the end of the file"),
        }),
        last => Ok(Scope::Lines { first, last: Some(last) }),
    }
}

/// Reads lines and coordinates. `None` if the text is neither. Then it may be a name.
fn numbers_scope(text: &str) -> Result<Option<Scope>, InvalidLocation> {
    let mut reader = ScopeReader { rest: text };
    let with_letter = reader.eat("L");
    let Some(first) = reader.number() else { return Ok(None) };
    if reader.rest.is_empty() {
        return single_line(first).map(Some);
    }
    if reader.rest.starts_with('~') {
        return marked_scope(text);
    }
    if reader.eat_any(&[",", "-", "..=", "..", "–"]) {
        reader.eat("L");
        return match reader.number() {
            Some(last) if reader.rest.is_empty() => line_scope(first, last).map(Some),
            Some(_) if reader.eat(":") => Err(bad_coordinate(text)),
            _ => Ok(None),
        };
    }
    if !with_letter && reader.eat(":") {
        return match reader.number() {
            Some(column) => {
                coordinate_scope(first, column, reader).ok_or_else(|| bad_coordinate(text))?.map(Some)
            }
            None => Err(bad_coordinate(text)),
        };
    }
    Ok(None)
}

/// Reads `42~k7bqm3` and `42~k7bqm3-45~p2c0d8`. If a whole line of output was copied, the text after the mark is left
/// out.
fn marked_scope(text: &str) -> Result<Option<Scope>, InvalidLocation> {
    let written = text.split(['│', '|']).next().unwrap_or(text).trim();
    let (first, last) = match written.split_once('-') {
        Some((first, last)) => (first, Some(last)),
        None => (written, None),
    };
    let first = mark(first).ok_or_else(|| bad_mark(text))?;
    let last = last.map(|last| mark(last).ok_or_else(|| bad_mark(text))).transpose()?;
    line_scope(first.line, last.as_ref().map_or(first.line, |last| last.line.max(1)))?;
    Ok(Some(Scope::Marked(Marked { first, last })))
}

fn mark(text: &str) -> Option<Mark> {
    let (line, check) = text.trim().trim_start_matches('L').split_once('~')?;
    let is_check = !check.is_empty() && check.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_check.then_some(Mark { line: line.parse().ok()?, check: check.to_owned() })
}

fn bad_mark(text: &str) -> InvalidLocation {
    InvalidLocation {
        message: format!("`{text}` is no line with a mark"),
        hint:
            "write the number and the mark as they were printed: FILE:42~k7bqm3 or FILE:42~k7bqm3-45~p2c0d8"
                .to_owned(),
    }
}

fn single_line(line: u32) -> Result<Scope, InvalidLocation> {
    match line {
        0 => Err(no_line_zero()),
        line => line_scope(line, line),
    }
}

/// The coordinate of a text that starts with `LINE:COLUMN`. `reader` has the rest: nothing, or the end of a range.
/// `None` if it is anything else.
fn coordinate_scope(
    line: u32,
    column: u32,
    mut reader: ScopeReader<'_>,
) -> Option<Result<Scope, InvalidLocation>> {
    let start = Position { line, character: column };
    let end = if reader.eat_any(&["-", ".."]) {
        let line = reader.number()?;
        let character = reader.eat(":").then(|| reader.number()).flatten()?;
        Some(Position { line, character })
    } else {
        None
    };
    reader.rest.is_empty().then(|| check_coordinate(start, end))
}

/// The scope for a coordinate or a range. Fails if a number is 0 or the end is before the start.
pub(crate) fn check_coordinate(start: Position, end: Option<Position>) -> Result<Scope, InvalidLocation> {
    let is_zero = |position: Position| position.line == 0 || position.character == 0;
    if is_zero(start) || end.is_some_and(is_zero) {
        return Err(InvalidLocation {
            message: "lines and columns count from 1".to_owned(),
            hint: "the first character of a file is 1:1".to_owned(),
        });
    }
    if end.is_some_and(|end| end < start) {
        return Err(InvalidLocation {
            message: "the range ends before it starts".to_owned(),
            hint: "write the earlier coordinate first".to_owned(),
        });
    }
    Ok(Scope::Coordinate { start, end })
}

/// Whether the text after `#` is `L` and a number, as in web links. Otherwise `#` starts a name, such as an id in CSS.
fn is_lines_fragment(fragment: &str) -> bool {
    fragment.strip_prefix('L').is_some_and(|lines| lines.starts_with(|c: char| c.is_ascii_digit()))
}

/// Reads `L10`, `L10-L20` and, with columns, `L10C5-L20C7`, as web links write them.
fn fragment_scope(fragment: &str) -> Result<Scope, InvalidLocation> {
    let mut reader = ScopeReader { rest: fragment };
    let mut point = || {
        reader.eat("L");
        let line = reader.number();
        let column = reader.eat("C").then(|| reader.number()).flatten();
        let more = reader.eat("-");
        (line, column, more, reader.rest.is_empty())
    };
    match point() {
        (Some(line), None, false, true) => single_line(line),
        (Some(line), Some(character), false, true) => check_coordinate(Position { line, character }, None),
        (Some(first), column, true, false) => match (column, point()) {
            (None, (Some(last), None, false, true)) => line_scope(first, last),
            (Some(column), (Some(line), Some(character), false, true)) => check_coordinate(
                Position { line: first, character: column },
                Some(Position { line, character }),
            ),
            // If only one end has a column, the columns are ignored.
            (_, (Some(last), _, false, true)) => line_scope(first, last),
            _ => Err(bad_fragment(fragment)),
        },
        _ => Err(bad_fragment(fragment)),
    }
}

/// Whether the text is a list of numbers in brackets. Brackets around anything else are a part of a name, such as
/// `[package]` in TOML or `[1.2.0]` in a changelog.
fn is_descriptor(text: &str) -> bool {
    let Some(inside) = text.strip_prefix('[') else { return false };
    let (numbers, _) = inside.split_once(']').unwrap_or((inside, ""));
    let starts_numbers = |c: char| c.is_ascii_digit() || matches!(c, '-' | ']');
    !numbers.contains('.') && inside.trim_start().starts_with(starts_numbers)
}

/// Reads `[4,0,2,0,1]`.
fn descriptor_scope(text: &str) -> Result<Scope, InvalidLocation> {
    let bad = || InvalidLocation {
        message: format!("`{text}` is no descriptor path"),
        hint: "write numbers, as in a.proto:[4,0,2,0,1]".to_owned(),
    };
    let inside = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).ok_or_else(bad)?;
    if inside.trim().is_empty() {
        return Ok(Scope::Descriptor(Vec::new()));
    }
    let numbers = inside.split(',').map(|number| number.trim().parse::<i32>());
    numbers.collect::<Result<_, _>>().map(Scope::Descriptor).map_err(|_| bad())
}

/// Reads a symbol path: `MyClass.my_method`, `ns::Type::method`, `Type.method[1]`, `` `weird.name` ``, `(*T).M`,
/// `.selector`.
pub(crate) fn symbol_path(text: &str) -> Result<Vec<Segment>, InvalidLocation> {
    // `<|>` alone may be the name of an operator. After a word, it is the marker of a find whose `@` is missing.
    if text
        .strip_suffix("<|>")
        .is_some_and(|front| front.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
    {
        return Err(InvalidLocation {
            message: format!("the scope `{text}` has a marker: only a find can have one"),
            hint: format!("write FILE@{text}"),
        });
    }
    let mut segments = Vec::new();
    // In some languages a separator at the start means the outermost scope.
    let mut rest = text.strip_prefix("::").unwrap_or(text);
    // A dot at the start is not a separator, but a part of the first name.
    let mut n_dots = usize::from(text.starts_with('.'));
    loop {
        let (segment, after) = segment(rest, n_dots).ok_or_else(|| bad_path(text))?;
        n_dots = 0;
        segments.push(segment);
        rest = match after.strip_prefix("::").or_else(|| after.strip_prefix('.')) {
            Some(rest) => rest,
            None if after.is_empty() => return Ok(segments),
            None => return Err(bad_path(text)),
        };
    }
}

/// Reads one name with its index, and returns the text after it. The first `n_dots` dots belong to the name.
fn segment(text: &str, n_dots: usize) -> Option<(Segment, &str)> {
    if let Some(quoted) = text.strip_prefix('`') {
        let end = end_of_quoted(quoted, '`')?;
        let name = quoted[..end].replace("``", "`");
        let (index, rest) = leading_index(&quoted[end + 1..]);
        return (!name.is_empty()).then_some((Segment { name, index }, rest));
    }
    let end = n_dots + segment_end(&text[n_dots..]);
    let (name, index) = trailing_index(&text[..end]);
    let name = receiver(name);
    (name.len() > n_dots).then(|| (Segment { name: name.to_owned(), index }, &text[end..]))
}

/// Where a plain name ends: at the next separator. Separators inside parameters, as in `move(std::string, int...)`, and
/// inside types, as in `Vec<std::string>` and `<E as fmt::Display>`, do not count.
pub(crate) fn segment_end(text: &str) -> usize {
    let mut from = 0;
    loop {
        let end = ["::", "."].into_iter().filter_map(|separator| text[from..].find(separator)).min();
        let end = end.map_or(text.len(), |end| from + end);
        match group_start(&text[..end], from).and_then(|open| group_end(text, open)) {
            Some(close) => from = close,
            None => return end,
        }
    }
}

/// The first bracket from `from` on that opens parameters or a type.
pub(crate) fn group_start(text: &str, from: usize) -> Option<usize> {
    let is_after_word = |at: usize| text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
    let opens = |&(at, bracket): &(usize, &str)| match bracket {
        "(" => is_after_word(from + at),
        _ => opens_type(text, from + at),
    };
    text[from..].match_indices(['(', '<']).find(opens).map(|(at, _)| from + at)
}

/// Whether the `<` at `at` opens a type. `operator<` and `<$>` are names.
fn opens_type(text: &str, at: usize) -> bool {
    let (before, after) = (&text[..at], &text[at + 1..]);
    let is_type = after.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '&' | '[' | '('));
    let is_after_word =
        before.ends_with(|c: char| c.is_alphanumeric() || c == '_') && !before.ends_with("operator");
    is_type && (before.is_empty() || is_after_word)
}

/// The place after the bracket that closes the bracket at `open`; `None` if it is not closed.
pub(crate) fn group_end(text: &str, open: usize) -> Option<usize> {
    if text[open..].starts_with('<') {
        return types::group_end(&text.as_bytes()[open..]).map(|length| open + length);
    }
    let mut depth = 0usize;
    let mut brackets = text[open..].match_indices(['(', ')']);
    let close = brackets.find(|(_, bracket)| {
        depth = if *bracket == "(" { depth + 1 } else { depth - 1 };
        depth == 0
    });
    close.map(|(at, _)| open + at + 1)
}

/// A name without the brackets around it. They surround a Go receiver, such as `T` in `(*T)`, or an operator, such as
/// `+++` in `( +++ )` and `*` in `(*)`.
fn receiver(name: &str) -> &str {
    let Some(inside) = name.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else { return name };
    let named = inside.trim().trim_start_matches('*');
    let is_operator = !named.starts_with(|c: char| c.is_alphabetic() || c == '_');
    if is_operator { inside.trim() } else { named }
}

/// Cuts an index like `[1]` from the start of a text.
fn leading_index(text: &str) -> (Option<u32>, &str) {
    let index = text.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    match index.map(|(digits, rest)| (digits.parse().ok(), rest)) {
        Some((Some(index), rest)) => (Some(index), rest),
        _ => (None, text),
    }
}

/// Cuts an index like `[1]` from the end of a name.
fn trailing_index(name: &str) -> (&str, Option<u32>) {
    let index = name.strip_suffix(']').and_then(|rest| rest.rsplit_once('['));
    match index.map(|(name, digits)| (name, digits.parse().ok())) {
        Some((name, Some(index))) => (name, Some(index)),
        _ => (name, None),
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scope::Lines { first, last: None } => write!(f, "{first},0"),
            Scope::Lines { first, last: Some(last) } if first == last => write!(f, "{first}"),
            Scope::Lines { first, last: Some(last) } => write!(f, "{first}-{last}"),
            Scope::Marked(marked) => write!(f, "{marked}"),
            Scope::Coordinate { start, end: None } => write!(f, "{start}"),
            Scope::Coordinate { start, end: Some(end) } => write!(f, "{start}-{end}"),
            Scope::Descriptor(path) => {
                let numbers: Vec<String> = path.iter().map(i32::to_string).collect();
                write!(f, "[{}]", numbers.join(","))
            }
            Scope::Symbol(segments) => write_path(f, segments),
        }
    }
}

fn write_path(f: &mut fmt::Formatter<'_>, segments: &[Segment]) -> fmt::Result {
    for (position, segment) in segments.iter().enumerate() {
        let dot = if position > 0 { "." } else { "" };
        let is_dotted = position > 0 && segment.name.starts_with('.');
        // With an index after it, a `<` at the end would open a type.
        let is_open = segment.index.is_some()
            && segment
                .name
                .strip_suffix('<')
                .is_some_and(|name| opens_type(&format!("{name}<["), name.len()));
        if is_plain(&segment.name) && !is_dotted && !is_open {
            write!(f, "{dot}{}", segment.name)?;
        } else {
            write!(f, "{dot}`{}`", segment.name.replace('`', "``"))?;
        }
        if let Some(index) = segment.index {
            write!(f, "[{index}]")?;
        }
    }
    Ok(())
}

/// Whether the name is read back unchanged if it is written without backticks.
///
/// A name with a line break would be read back too. But it is put in backticks, like all names with control characters.
fn is_plain(name: &str) -> bool {
    // Nearly all names are identifiers, and parsing each name again would take most of the time. A name that starts
    // with `L` may be read as a line, such as `L42`.
    let is_identifier = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if is_identifier && name.starts_with(|c: char| c.is_ascii_alphabetic() && c != 'L' || c == '_') {
        return true;
    }
    let is_odd = |c: char| matches!(c, '@' | '`' | ':') || c.is_control();
    // After a file name of one letter, such a name would make the location look like a drive: `a:/b`.
    let is_drive = name.starts_with(['/', '\\']);
    let alone = [Segment { name: name.to_owned(), index: None }];
    // If the name leaves a bracket open, the text after it might close the bracket. Then that text would be read as
    // parameters.
    let is_open = name
        .match_indices(['(', '<'])
        .any(|(at, bracket)| (bracket == "(" || opens_type(name, at)) && group_end(name, at).is_none());
    !is_drive
        && !is_open
        && !name.contains(is_odd)
        && message_start(name).is_none()
        && matches!(parse_scope(name), Ok(Some(Scope::Symbol(segments))) if segments == alone)
        && name.trim() == name
}

/// The rest of a text that is read part by part, from its start.
#[derive(Clone, Copy)]
struct ScopeReader<'t> {
    rest: &'t str,
}

impl ScopeReader<'_> {
    fn eat(&mut self, word: &str) -> bool {
        match self.rest.strip_prefix(word) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn eat_any(&mut self, words: &[&str]) -> bool {
        words.iter().any(|word| self.eat(word))
    }

    /// Reads a number. A number that is too large becomes `u32::MAX`, which is not a line of any file.
    fn number(&mut self) -> Option<u32> {
        let len = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, rest) = self.rest.split_at(len);
        let is_number = !digits.is_empty();
        self.rest = rest;
        is_number.then(|| digits.parse().unwrap_or(u32::MAX))
    }
}

fn no_line_zero() -> InvalidLocation {
    InvalidLocation {
        message: "there is no line 0: lines count from 1".to_owned(),
        hint: "the first line is 1; a symbol of that name is written in backticks: `0`".to_owned(),
    }
}

fn bad_coordinate(text: &str) -> InvalidLocation {
    InvalidLocation {
        message: format!("`{text}` is no coordinate"),
        hint: "write LINE:COLUMN or LINE:COLUMN-LINE:COLUMN, such as 42:7 or 42:7-44:1".to_owned(),
    }
}

fn bad_fragment(text: &str) -> InvalidLocation {
    InvalidLocation {
        message: format!("`#{text}` names no lines"),
        hint: "write FILE#L10 or FILE#L10-L20".to_owned(),
    }
}

fn bad_path(text: &str) -> InvalidLocation {
    InvalidLocation {
        message: format!("`{text}` is no symbol path: a name in it is empty or not closed"),
        hint: "separate names by one `.` or `::`, and put odd names in backticks: FILE:Type.`odd.name`"
            .to_owned(),
    }
}
