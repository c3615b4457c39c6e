//! Macros that a grammar stumbles over: `Q_OBJECT` in a class, `JNIEXPORT` in front of a function.
//!
//! Such a macro is read as a comment, with what it has in brackets. No place moves: `Q_OBJECT` is seen as `/*OBJE*/`.
//! So is every word in capitals between `class` and the name, `class LIB_API A : public B {`, and where a grammar does
//! not know it the attribute of a member of an enum, `A [[deprecated]]`.

use std::borrow::Cow;
use std::ops::Range;

use crate::breaks::token;
use crate::table::{Attached, Words};

/// A text with a comment for each of these macros. Strings, comments and directives stay.
pub(crate) fn with_comments<'t>(text: &'t [u8], words: &Words) -> Cow<'t, [u8]> {
    let mut seen = Cow::Borrowed(text);
    if !has_macros(words) {
        return seen;
    }
    let (mut at, mut starts_line) = (0, true);
    // The last two marks, a word being `a`; comments and blanks are none.
    let mut marks = [0, 0];
    while at < text.len() {
        let rest = &text[at..];
        let (length, macros) = match rest[0] {
            b'#' if starts_line => (directive(rest), Vec::new()),
            byte if is_word(byte) => (word(rest), of_word(rest, words)),
            b'[' if matches!(marks, [b'{' | b',', b'a']) && is_in(words.attributes, b"[[") => {
                (1, Vec::from_iter(of_member(rest)))
            }
            _ => (token(rest), Vec::new()),
        };
        for one in &macros {
            let seen = seen.to_mut();
            seen[at + one.start..at + one.start + 2].copy_from_slice(b"/*");
            seen[at + one.end - 2..at + one.end].copy_from_slice(b"*/");
        }
        let is_comment = !macros.is_empty() || (rest[0] == b'/' && length > 1);
        if !is_comment && !rest[0].is_ascii_whitespace() {
            marks = [marks[1], if is_word(rest[0]) { b'a' } else { rest[0] }];
        }
        starts_line = matches!(rest[0], b'\n' | b'\r') || (starts_line && matches!(rest[0], b' ' | b'\t'));
        at += macros.last().map_or(length, |last| last.end);
    }
    seen
}

/// The macros that a word stands for, or that stand behind it.
fn of_word(text: &[u8], words: &Words) -> Vec<Range<usize>> {
    let length = word(text);
    match text[0].is_ascii_uppercase() {
        true if is_one(words, &text[..length]) => Vec::from_iter(call(text, length).map(|end| 0..end)),
        false if is_in(words.exported, &text[..length]) => exports(text, length).unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// The attribute behind the name of a member of an enum: `A [[deprecated]],`.
fn of_member(text: &[u8]) -> Option<Range<usize>> {
    let text = &text[..text.len().min(LONGEST)];
    let end = memchr::memmem::find(text, b"]]").filter(|_| text.starts_with(b"[["))? + 2;
    (!text[..end].contains(&b'/')).then_some(0..end)
}

/// How a comment belongs to what follows, if it does: it may be one of these macros.
pub(crate) fn attached(comment: &[u8], words: &Words) -> Option<Attached> {
    match comment.first() {
        Some(first) if first.is_ascii_uppercase() && has_macros(words) => {
            is_in(words.attributes, &comment[..word(comment)]).then_some(Attached::Decorator)
        }
        _ => Some(Attached::Comment),
    }
}

fn has_macros(words: &Words) -> bool {
    !(words.markers.is_empty() && words.attributes.is_empty() && words.exported.is_empty())
}

fn is_one(words: &Words, word: &[u8]) -> bool {
    is_in(words.markers, word) || is_in(words.attributes, word)
}

fn is_in(list: &[&str], word: &[u8]) -> bool {
    list.iter().any(|one| one.as_bytes() == word)
}

/// How long the word is that the text starts with.
fn word(text: &[u8]) -> usize {
    text.iter().take_while(|&&byte| is_word(byte)).count()
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

/// How long a directive is, with the lines that a backslash adds.
fn directive(text: &[u8]) -> usize {
    let mut from = 0;
    while let Some(at) = memchr::memchr(b'\n', &text[from..]) {
        from += at + 1;
        if !text[..from].trim_ascii_end().ends_with(b"\\") {
            return from - 1;
        }
    }
    text.len()
}

/// How long a macro is whose name is that long, with what it has in brackets. Brackets that do not close, or that
/// stand apart and may be of what follows, leave open where it ends.
fn call(text: &[u8], name: usize) -> Option<usize> {
    let rest = &text[name..text.len().min(name + LONGEST)];
    if !rest.starts_with(b"(") {
        let next = rest.iter().find(|byte| !matches!(byte, b' ' | b'\t'));
        return (next != Some(&b'(')).then_some(name);
    }
    let (mut at, mut depth) = (0_usize, 0_usize);
    while at < rest.len() {
        let length = token(&rest[at..]);
        match rest[at] {
            // A comment in there would end the one it is read as.
            b'/' if length > 1 => return None,
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(name + at + 1),
            b')' => depth -= 1,
            _ => {}
        }
        at += length;
    }
    None
}

/// The macros in front of the name of a type: all words in capitals but the last, where a body or bases follow, or
/// nothing at all. `struct POINT origin;` and `enum COLOR color : 3;` have none.
fn exports(text: &[u8], keyword: usize) -> Option<Vec<Range<usize>>> {
    let text = &text[..text.len().min(LONGEST)];
    let mut words = Vec::new();
    let mut at = keyword;
    loop {
        at += text[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let length = word(&text[at..]);
        if length == 0 {
            break;
        }
        if words.len() == MOST_WORDS {
            return None;
        }
        let end = call(&text[at..], length)?;
        words.push((at..at + length, at + end));
        at += end;
    }
    let opens = || memchr::memchr2(b'{', b';', &text[at..]).is_some_and(|next| text[at + next] == b'{');
    let declares = match text.get(at..)? {
        [b'{', ..] => true,
        // No one writes `class A a;` for a variable, as C does with `struct`.
        [b';', ..] => text.starts_with(b"class"),
        [b':', next, ..] => *next != b':' && opens(),
        _ => false,
    };
    let is_behind =
        |(name, _): &(Range<usize>, usize)| is_in(&["final", "sealed", "abstract"], &text[name.clone()]);
    while words.len() > 2 && words.last().is_some_and(is_behind) {
        words.pop();
    }
    let (name, end) = words.pop()?;
    if !declares || name.end != end || is_behind(&(name, end)) {
        return None;
    }
    let blanks = |end: usize| text[end..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    // A comment takes four bytes at least.
    let seen = |(name, end): &(Range<usize>, usize)| {
        let short = 4_usize.saturating_sub(end - name.start);
        (is_capital(&text[name.clone()]) && short <= blanks(*end)).then_some(name.start..end + short)
    };
    words.iter().map(seen).collect()
}

fn is_capital(word: &[u8]) -> bool {
    word.iter().any(u8::is_ascii_uppercase) && !word.iter().any(u8::is_ascii_lowercase)
}

/// No header has more words in front of its bases.
const MOST_WORDS: usize = 8;

/// Longer calls are left alone, so that many that never close take no time.
const LONGEST: usize = 1 << 12;

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let language = crate::by_name("cpp").expect("C++ is a language");
        let seen = with_comments(text.as_bytes(), &language.tables.words);
        assert_eq!(String::from_utf8_lossy(&seen), expected);
    }

    #[test]
    fn macros_are_comments() {
        check("Q_OBJECT\npublic:", "/*OBJE*/\npublic:");
        check("Q_PROPERTY(int x READ x(\")\"))\n", "/*PROPERTY(int x READ x(\")\"*/\n");
        check("JNIEXPORT void JNICALL f()", "/*IEXPO*/ void /*ICA*/ f()");
    }

    #[test]
    fn words_in_capitals_in_front_of_a_type_are_comments() {
        check("class LIB_API A : public B {", "class /*B_A*/ A : public B {");
        check("struct API OLD(1) B final {", "struct /**//*D(*/ B final {");
        check("enum API E : int { A };", "enum /**/E : int { A };");
        check("class API A;", "class /**/A;");
    }

    #[test]
    fn attributes_of_members_of_an_enum_are_comments() {
        check("{ A [[old]], // b\n B [[x(1)]] = 2 }", "{ A /*old*/, // b\n B /*x(1)*/ = 2 }");
    }

    #[test]
    fn what_only_looks_so_stays() {
        for text in [
            "struct POINT origin; struct POINT f() {",
            "struct S { enum COLOR color : 3; };",
            "class A final {",
            "class T A {",
            "struct POINT a::f() {",
            "template <class T> class A {",
            "f(int a [[maybe_unused]], int b)",
            "MY_Q_OBJECT Q_OBJECTS",
            "#define Q_OBJECT \\\n  Q_GADGET\n",
            "// Q_OBJECT\n\"Q_OBJECT\" /* Q_OBJECT */",
            "Q_PROPERTY(int",
            "Q_PROPERTY(int /* x */)",
            "jint (JNICALL (*f))",
        ] {
            check(text, text);
        }
    }
}
