//! Reads places as people paste them and other programs print them: in backticks, in links, in compiler messages and in
//! stack traces.
//!
//! A text is first read as a plain location. Only if this gives no existing file, it is read as described here. If the
//! text could also be a plain path, the file that is found here must exist.

use std::borrow::Cow;

use crate::split::{Pieces, plain_path_end};

/// The location inside marks that surround it, as in `` `a.py:f` ``, `'a.py:f'` and `<a.py:f>`, or the location after
/// leading blanks. `None` if there are no marks and no leading blanks.
pub(crate) fn unwrapped(text: &str) -> Option<&str> {
    const MARKS: [(char, char); 3] = [('`', '`'), ('\'', '\''), ('<', '>')];

    let trimmed = text.trim_start();
    let inside =
        MARKS.iter().find_map(|(open, close)| trimmed.strip_prefix(*open)?.trim_end().strip_suffix(*close));
    // A `>` that ends a marker is not a mark around the location.
    let inside = inside.filter(|inside| !inside.is_empty() && !inside.ends_with("<|"));
    let is_path =
        |inside: &&str| inside.starts_with(|c: char| c.is_alphanumeric() || "./\\_~@`'\"<".contains(c));
    inside.filter(is_path).or((trimmed.len() < text.len()).then_some(trimmed))
}

/// Whether double quotes surround a whole location instead of only its path. That is so if the location names an
/// existing file, and no file has the whole quoted text as its name.
pub(crate) fn is_in_quotes(inside: &str, rest: &str, exists: &dyn Fn(&str) -> bool) -> bool {
    rest.trim().is_empty() && !exists(inside) && exists(&inside[..plain_path_end(inside)])
}

/// The pieces of a location as another program printed it.
pub(crate) fn pieces<'t>(text: &'t str, exists: &dyn Fn(&str) -> bool) -> Option<Pieces<'t>> {
    let (path, scope) = link(text, exists)
        .or_else(|| frame_of_address(text, exists))
        .or_else(|| java_frame(text, exists))
        .or_else(|| borrowed(python_trace(text)))
        .or_else(|| borrowed(in_parentheses(text, exists)))
        .or_else(|| borrowed(with_comma(text)))
        .or_else(|| borrowed(with_fragment(text, exists)))?;
    Some(Pieces { path, scope: Cow::Owned(scope), find: None })
}

fn borrowed<'t>(place: Option<(&'t str, String)>) -> Option<(Cow<'t, str>, String)> {
    place.map(|(path, scope)| (Cow::Borrowed(path), scope))
}

/// The pieces with the path as it is on disk: without the `a/` or `b/` that diffs put before it.
pub(crate) fn as_on_disk<'t>(pieces: Pieces<'t>, exists: &dyn Fn(&str) -> bool) -> Pieces<'t> {
    const SIDES: [&str; 6] = ["a/", "b/", "i/", "w/", "c/", "o/"];

    let is_there = |path: &str| !exists(&pieces.path) && exists(path);
    let side = SIDES.iter().find_map(|side| pieces.path.strip_prefix(side)).filter(|path| is_there(path));
    match side.map(str::to_owned) {
        Some(path) => Pieces { path: Cow::Owned(path), ..pieces },
        None => pieces,
    }
}

/// Reads a link to a file in a hosted repository. The path is the longest end of the address that is an existing file,
/// or else the part after the name of the branch. Bundlers print links of other kinds, such as
/// `webpack:///./src/a.js`; these must end in an existing file.
fn link<'t>(text: &str, exists: &dyn Fn(&str) -> bool) -> Option<(Cow<'t, str>, String)> {
    let text = text.trim();
    let (scheme, address) = text.split_once("://")?;
    let is_web = matches!(scheme, "http" | "https");
    let is_scheme = |c: char| c.is_ascii_alphabetic() || c == '-';
    if scheme == "file" || scheme.is_empty() || !scheme.chars().all(is_scheme) {
        return None;
    }
    let (address, fragment) = address.split_once('#').unwrap_or((address, ""));
    let (address, place) = place_after(address.split('?').next().unwrap_or_default());
    let names = address.split('/').skip(1).filter(|name| *name != ".");
    let names: Vec<String> = names.map(decoded).collect();
    // No address of a hosted file contains `..`.
    if names.iter().any(|name| name == "..") {
        return None;
    }
    let end_from = |start: usize| names[start..].join("/");
    let existing = (0..names.len()).map(end_from).find(|path| !path.is_empty() && exists(path));
    let host = address.split('/').next().unwrap_or_default();
    let path = existing.or_else(|| after_branch(host, &names).filter(|_| is_web))?;
    let scope = if fragment.is_empty() { place.unwrap_or_default() } else { fragment_scope(fragment) };
    Some((Cow::Owned(path), scope))
}

/// Reads a frame with an address: `at f (http://localhost:3000/a.js:12:5)`, `at file:///src/a.mjs:12:5`.
fn frame_of_address<'t>(text: &str, exists: &dyn Fn(&str) -> bool) -> Option<(Cow<'t, str>, String)> {
    let frame = text.trim();
    let words = frame.strip_prefix("at ")?;
    let address =
        words.strip_suffix(')').and_then(|words| words.rsplit_once('(')).map_or(words, |(_, inside)| inside);
    let address = address.rsplit(' ').next().unwrap_or(address);
    match address.strip_prefix("file://") {
        Some(path) => {
            let (path, place) = place_after(path);
            Some((Cow::Owned(decoded(path)), place?))
        }
        None => link(address, exists),
    }
}

/// The path after the branch in a link. It is the `…` of `blob/main/…` and `src/branch/main/…`. On hosts of raw files,
/// it is the `…` of `OWNER/NAME/main/…`.
fn after_branch(host: &str, names: &[String]) -> Option<String> {
    const KINDS: [&str; 6] = ["blob", "raw", "blame", "edit", "src", "tree"];
    const REFERENCES: [&str; 3] = ["branch", "tag", "commit"];

    // The kind is the third name, after `OWNER/NAME`. On hosts with nested groups it may come later, after a `-`.
    let is_kind = |at: &usize| {
        let name = names[*at].as_str();
        KINDS.contains(&name) && (*at == 2 || name == "blob" || names[*at - 1] == "-")
    };
    let raw = host.starts_with("raw.").then_some(1);
    let kind = (2..names.len()).find(is_kind).filter(|_| raw.is_none());
    let branch = kind.or(raw)? + 1;
    let is_reference =
        kind.is_some() && names.get(branch).is_some_and(|name| REFERENCES.contains(&name.as_str()));
    let start = branch + if is_reference { 2 } else { 1 };
    let path = names.get(start..)?.join("/");
    (!path.is_empty()).then_some(path)
}

/// The fragment of a link as a scope. `L10-L20`, `lines-10:20`, `n10` and `10-20` are lines; anything else is a symbol.
fn fragment_scope(fragment: &str) -> String {
    let fragment = decoded(fragment);
    if let Some(lines) = fragment.strip_prefix("lines-") {
        return lines.replacen(':', "-", 1);
    }
    let starts_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    if fragment.strip_prefix('L').is_some_and(starts_number) {
        return format!("#{fragment}");
    }
    fragment.strip_prefix('n').filter(|rest| starts_number(rest)).map(str::to_owned).unwrap_or(fragment)
}

/// Splits `a.js:12:5` into the path and the line or coordinate.
fn place_after(path: &str) -> (&str, Option<String>) {
    let number = |text: &str| n_digits(text) == Some(text.len());
    let parts: Vec<&str> = path.rsplitn(3, ':').collect();
    match parts.as_slice() {
        [column, line, path] if number(column) && number(line) => (path, Some(format!("{line}:{column}"))),
        _ => match path.rsplit_once(':') {
            Some((path, line)) if number(line) => (path, Some(line.to_owned())),
            _ => (path, None),
        },
    }
}

fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut decoded, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(&byte) = bytes.get(at) {
        let digits = bytes.get(at + 1..at + 3).filter(|_| byte == b'%');
        let code = digits.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        decoded.push(code.unwrap_or(byte));
        at += if code.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

/// Reads a frame of Java: `at com.acme.Foo.bar(Foo.java:42)`. The file is given without its folders, so they are
/// derived from the package `com.acme`.
fn java_frame<'t>(text: &'t str, exists: &dyn Fn(&str) -> bool) -> Option<(Cow<'t, str>, String)> {
    const ROOTS: [&str; 9] = [
        "",
        "src/main/java/",
        "src/test/java/",
        "src/main/kotlin/",
        "src/test/kotlin/",
        "src/main/scala/",
        "src/test/scala/",
        "src/",
        "app/src/main/java/",
    ];
    let frame = text.trim();
    let (method, place) = frame.strip_suffix(')')?.rsplit_once('(')?;
    let method = method.trim();
    let (file, line) = place.split_once(':')?;
    let (line, column) = line.split_once(':').map_or((line, None), |(line, column)| (line, Some(column)));
    let is_number = |text: &str| n_digits(text) == Some(text.len());
    let words = method.strip_prefix("at ").map(str::trim).or_else(|| Some(method).filter(is_method));
    let is_plain = |name: &str| !name.contains(['/', '\\']) && plain_path_end(name) == name.len();
    if !is_plain(file) || !is_number(line) || column.is_some_and(|column| !is_number(column)) {
        return None;
    }
    let scope = column.map_or_else(|| line.to_owned(), |column| format!("{line}:{column}"));
    // There may be a class loader or a module before the class: `app//com.acme.Foo.bar`, `java.base/java.lang.Foo.bar`.
    let method = words?.rsplit('/').next()?;
    let package =
        method.split('.').rev().skip(2).collect::<Vec<_>>().into_iter().rev().collect::<Vec<_>>().join("/");
    let folder = if package.is_empty() { String::new() } else { format!("{package}/") };
    let in_package = ROOTS.iter().map(|root| format!("{root}{folder}{file}")).find(|path| exists(path));
    // The folders stay in the path, so that a file of another package is not mistaken for this one.
    Some((Cow::Owned(in_package.unwrap_or_else(|| format!("{folder}{file}"))), scope))
}

/// Whether this may be a method with its class, without the `at` that a frame starts with.
fn is_method(words: &&str) -> bool {
    words.contains('.') && !words.contains([' ', '\t', ':', '@', '\\'])
}

/// Reads a frame of Python: `File "a.py", line 12, in f`.
fn python_trace(text: &str) -> Option<(&str, String)> {
    let (path, rest) = text.trim_start().strip_prefix("File \"")?.split_once('"')?;
    let line = rest.strip_prefix(", line ")?;
    let (line, rest) = line.split_at(n_digits(line)?);
    (rest.is_empty() || rest.starts_with([',', '\n', '\r'])).then(|| (path, line.to_owned()))
}

/// Reads `a.cs(12,5): error …`, which the compilers of C# and TypeScript print, and `#0 a.php(12): f()`, a frame of
/// PHP.
fn in_parentheses<'t>(text: &'t str, exists: &dyn Fn(&str) -> bool) -> Option<(&'t str, String)> {
    let is_digit = |at: usize| text[at + 1..].starts_with(|c: char| c.is_ascii_digit());
    let open = text.match_indices('(').map(|(at, _)| at).find(|&at| at > 0 && is_digit(at))?;
    let (path, rest) = (&text[..open], &text[open + 1..]);
    let (inside, after) = rest.split_once(')')?;
    let numbers: Vec<&str> = inside.split([',', ':']).map(str::trim).collect();
    let scope = match numbers.as_slice() {
        _ if numbers.iter().any(|number| n_digits(number) != Some(number.len())) => return None,
        [line] => (*line).to_owned(),
        [line, column] => format!("{line}:{column}"),
        [line, column, last, end] => format!("{line}:{column}-{last}:{end}"),
        _ => return None,
    };
    let ends_there = after.is_empty() || after.trim_start().starts_with(':');
    let is_plain_path = plain_path_end(path) == path.len() && !path.ends_with(' ');
    let path = without_number(path).filter(|path| exists(path)).unwrap_or(path);
    (ends_there && is_plain_path).then_some((path, scope))
}

/// The path after the number of a frame: `a.php` of `#0 a.php`.
fn without_number(path: &str) -> Option<&str> {
    let rest = path.trim_start().strip_prefix('#')?;
    rest[n_digits(rest)?..].strip_prefix(' ').map(str::trim_start)
}

/// Reads `a.py, line 12` and `a.py, lines 12-14`.
fn with_comma(text: &str) -> Option<(&str, String)> {
    let (path, lines) = text.trim_end().trim_end_matches('.').rsplit_once(", line")?;
    let lines = lines.strip_prefix('s').unwrap_or(lines).strip_prefix(' ')?;
    let is_plain_path = plain_path_end(path) == path.len() && !path.is_empty();
    (is_plain_path && is_lines(lines)).then(|| (path, lines.to_owned()))
}

fn is_lines(lines: &str) -> bool {
    let is_number = |text: &str| n_digits(text) == Some(text.len());
    lines
        .split_once('-')
        .map_or_else(|| is_number(lines), |(first, last)| is_number(first) && is_number(last))
}

/// Reads `a.py#User.save`. If no such file is known to exist, the text before the `#` must look like a file name.
fn with_fragment<'t>(text: &'t str, exists: &dyn Fn(&str) -> bool) -> Option<(&'t str, String)> {
    let (path, name) = text.split_once('#')?;
    let has_extension = || {
        let file = path.rsplit(['/', '\\']).next().unwrap_or_default();
        file.rsplit_once('.').is_some_and(|(stem, extension)| {
            !stem.is_empty() && !extension.is_empty() && extension.chars().all(char::is_alphanumeric)
        })
    };
    let is_symbol =
        name.starts_with(|c: char| c.is_alphabetic() || c == '_') && !name.contains(['@', '/', '\\', '#']);
    let is_lines = name.strip_prefix('L').is_some_and(|rest| n_digits(rest).is_some());
    let is_file = || exists(path) || plain_path_end(text) == text.len() && has_extension();
    let is_meant = is_symbol && !is_lines && plain_path_end(path) == path.len() && !exists(text) && is_file();
    is_meant.then(|| (path, name.trim().to_owned()))
}

/// The location in a line of a compiler message or stack trace that has words before it: ` --> a.rs:12:5`, `at f
/// (a.js:12:5)`.
///
/// `None` unless the file exists, a line number follows it, and the words are ones that compilers or traces print. The
/// words together with the path must not name an existing file. So `my a.py:f` always means the file `my a.py`.
pub(crate) fn after_words<'t>(text: &'t str, exists: &dyn Fn(&str) -> bool) -> Option<&'t str> {
    let line = lines_named(text);
    let end = line.map_or_else(|| plain_path_end(text), |(path, _)| path.len());
    let is_place = |rest: &str| {
        let rest = rest.strip_prefix('[').unwrap_or(rest);
        rest.starts_with(|c: char| c.is_ascii_digit())
    };
    let has_line = line.is_some() || text[end..].strip_prefix(':').is_some_and(is_place);
    let start = text[..end].rfind([' ', '(', '\t']).map(|at| at + 1)?;
    let is_meant = has_line && opens_a_path(&text[..start]);
    (is_meant && !exists(&text[..end]) && is_on_disk(&text[start..end], exists)).then(|| &text[start..])
}

fn is_on_disk(path: &str, exists: &dyn Fn(&str) -> bool) -> bool {
    exists(path) || ["a/", "b/"].iter().any(|side| path.strip_prefix(side).is_some_and(exists))
}

/// Whether compilers or stack traces print a path after these words.
fn opens_a_path(words: &str) -> bool {
    const OPENERS: [&str; 4] = ["-->", "at", "from", "in"];

    let words = words.trim_end();
    let is_frame = || without_number(words).is_some();
    words.is_empty()
        || words.ends_with(['(', ',', ']', ')', ':'])
        || words.rsplit([' ', '\t']).next().is_some_and(|word| OPENERS.contains(&word))
        || is_frame()
}

/// Reads an existing file with a line number in words after it: `a.php on line 12`.
pub(crate) fn on_line<'t>(text: &'t str, exists: &dyn Fn(&str) -> bool) -> Option<Pieces<'t>> {
    let (path, line) = lines_named(text).filter(|(path, _)| exists(path))?;
    Some(Pieces { path: Cow::Borrowed(path), scope: Cow::Borrowed(line), find: None })
}

/// The path and line of `a.php on line 12`, `a.pl line 12.` and `a.cs:line 12`, which PHP, Perl and .NET print.
fn lines_named(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_end().trim_end_matches('.');
    let (words, line) = text.rsplit_once("line ")?;
    let path = [" on ", ", ", " ", ":"].iter().find_map(|mark| words.strip_suffix(mark))?;
    (!line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit())).then_some((path, line))
}

fn n_digits(text: &str) -> Option<usize> {
    Some(text.bytes().take_while(u8::is_ascii_digit).count()).filter(|&n| n > 0)
}
