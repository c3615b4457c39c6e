//! Macros that a grammar stumbles over: `Q_OBJECT` in a class, `JNIEXPORT` in front of a function.
//!
//! Such a macro is read as a comment, with what it has in brackets. No place moves: `Q_OBJECT` is seen as `/*OBJE*/`.
//! So is every word in capitals between `class` and the name, `class LIB_API A : public B {`, and where a grammar does
//! not know it the attribute of a member of an enum, `A [[deprecated]]`. Others are read as blanks, or as a word that the
//! grammar knows.

use std::borrow::Cow;
use std::ops::Range;

use crate::breaks::token;
use crate::table::{Attached, Words};

mod behind;
mod functions;
mod titled;

use behind::{enum_macro, members_behind, of_typedef};
use functions::{called_so, old_style, prototype};
use titled::titled;

/// A text in which each of these macros is shown as the grammar can read it. Strings, comments and directives stay.
pub(crate) fn with_comments<'t>(text: &'t [u8], words: &Words) -> Cow<'t, [u8]> {
    let mut seen = Cow::Borrowed(text);
    if !has_macros(words) {
        return seen;
    }
    let mut at = 0;
    let mut before = Before { marks: [0, 0], starts_line: true, is_below: true };
    while at < text.len() {
        // What was shown as a comment is skipped as one.
        let rest = &seen[at..];
        let first = rest[0];
        let (length, shown) = match first {
            b'#' if before.starts_line => (directive(rest), Vec::new()),
            byte if is_word(byte) => (word(rest), of_word(rest, before, words)),
            b'[' if matches!(before.marks, [b'{' | b',', b'a']) && is_in(words.attributes, b"[[") => {
                (1, Vec::from_iter(of_member(rest).map(|range| Shown(range, As::Comment))))
            }
            _ => (token(rest), Vec::new()),
        };
        let mark = match first {
            byte if is_word(byte) => word_mark(&rest[..length]),
            byte => byte,
        };
        if !shown.is_empty() {
            shown.iter().for_each(|shown| shown.write(&mut seen.to_mut()[at..]));
            // The word itself may be another one now. What is shown for one is none of these macros.
            if seen[at] != first {
                continue;
            }
        }
        let is_comment = first == b'/' && length > 1;
        let is_break = matches!(first, b'\n' | b'\r');
        if !first.is_ascii_whitespace() && !is_comment {
            before.marks = [before.marks[1], mark];
            before.is_below = false;
        }
        before.is_below |= is_break;
        before.starts_line = is_break || (before.starts_line && matches!(first, b' ' | b'\t'));
        at += length;
    }
    seen
}

/// What stands in front of a word.
#[derive(Clone, Copy)]
struct Before {
    /// The last two marks, a word being `a`, or `p` if it is `public` or the like; comments and blanks are none.
    marks: [u8; 2],
    /// Nothing but blanks on its line.
    starts_line: bool,
    /// The last mark stands on another line.
    is_below: bool,
}

/// How a part of a text is shown to the grammar.
struct Shown(Range<usize>, As);

enum As {
    Comment,
    Blank,
    /// A word, and blanks up to the end of the part.
    Word(&'static str),
}

impl Shown {
    fn write(&self, seen: &mut [u8]) {
        let part = &mut seen[self.0.clone()];
        match self.1 {
            As::Comment => {
                let end = part.len();
                part[..2].copy_from_slice(b"/*");
                part[end - 2..].copy_from_slice(b"*/");
            }
            As::Blank => blank(part),
            As::Word(word) => {
                part[..word.len()].copy_from_slice(word.as_bytes());
                blank(&mut part[word.len()..]);
            }
        }
    }
}

/// Line breaks stay, as tree-sitter counts them.
fn blank(part: &mut [u8]) {
    part.iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
}

/// How the macros are shown that a word stands for, or that stand behind it.
fn of_word(text: &[u8], before: Before, words: &Words) -> Vec<Shown> {
    let length = word(text);
    let name = &text[..length];
    let comment = |range| Shown(range, As::Comment);
    let end = || call(text, length);
    match text[0].is_ascii_uppercase() {
        _ if is_in(words.sections, name) => {
            Vec::from_iter(section(text, length, before.marks[1]).map(comment))
        }
        true if is_one(words, name) => Vec::from_iter(end().map(|end| comment(0..end))),
        true if is_in(words.titled, name) => titled(text, length).unwrap_or_default(),
        true if is_in(words.enums, name) => enum_macro(text, length).unwrap_or_default(),
        false if is_in(words.exported, name) || is_in(words.attributed, name) => {
            let mut shown = Vec::new();
            if is_in(words.exported, name) {
                shown.extend(exports(text, length).unwrap_or_default().into_iter().map(comment));
            }
            if is_in(words.attributed, name) {
                shown.extend(if name == b"enum" { members_behind(text) } else { of_typedef(text, words) });
            }
            shown
        }
        // `struct s { … } __packed;`
        false if name.starts_with(b"__") && before.marks[1] == b'}' && !before.is_below => {
            let is_known = is_in(&["__attribute__", "__asm__", "__extension__"], name);
            Vec::from_iter(end().filter(|_| !is_known).map(|end| Shown(0..end, As::Blank)))
        }
        _ if matches!(before.marks, [b'a' | b'*', b'a']) && prototype(text, length).is_some() => {
            prototype(text, length).unwrap_or_default()
        }
        true if before.starts_line && is_capital(name) => {
            let alone = || is_alone(text, length).map(|end| vec![Shown(0..end, As::Blank)]);
            called_so(text).or_else(alone).or_else(|| old_style(text, before.marks[1])).unwrap_or_default()
        }
        _ => old_style(text, before.marks[1]).unwrap_or_default(),
    }
}

/// A call on a line of its own in front of what cannot follow an expression: `DECLARE_MESSAGE_MAP()` at the end of a class.
fn is_alone(text: &[u8], name: usize) -> Option<usize> {
    let end = call(text, name).filter(|&end| end > name)?;
    let rest = text[end..].trim_ascii_start();
    let breaks = &text[end..text.len() - rest.len()];
    let next = &rest[..word(rest)];
    let is_over = rest.starts_with(b"}") || (word_mark(next) == b'p' && rest[next.len()..].starts_with(b":"));
    (is_over && breaks.contains(&b'\n')).then_some(end)
}

fn word_mark(word: &[u8]) -> u8 {
    if is_in(&["public", "protected", "private"], word) { b'p' } else { b'a' }
}

/// A word in front of the members of a class, which C++ does not have: `signals:`, and `slots` of `public slots:`.
fn section(text: &[u8], name: usize, before: u8) -> Option<Range<usize>> {
    let colon = name + text[name..].iter().position(|byte| !matches!(byte, b' ' | b'\t'))?;
    match (&text[colon..], before) {
        ([b':', b':', ..], _) => None,
        ([b':', ..], b'p') => Some(0..name),
        ([b':', ..], b'{' | b'}' | b';' | b':') => Some(0..colon + 1),
        _ => None,
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
    if !has_macros(words) || comment.starts_with(b"/") {
        return Some(Attached::Comment);
    }
    let name = &comment[..word(comment)];
    let is_other = !is_capital(name) || is_in(words.markers, name) || is_in(words.sections, name);
    (is_in(words.attributes, name) || name == b"typedef" || !is_other).then_some(Attached::Decorator)
}

/// How far attributes reach behind the body that a text follows: `} __packed;`.
pub(crate) fn behind_body(text: &[u8], words: &Words) -> usize {
    let mut end = 0;
    while has_macros(words) {
        let next = end + text[end..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let length = word(&text[next..]);
        let name = &text[next..next + length];
        match call(&text[next..], length) {
            Some(length) if is_capital(name) || name.starts_with(b"__") => end = next + length,
            _ => break,
        }
    }
    end
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
            b')' if depth == 1 => {
                let end = name + at + 1;
                // Nor must a text in there.
                return memchr::memmem::find(&text[..end], b"*/").is_none().then_some(end);
            }
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
        let word = &text[name.clone()];
        let is_macro = is_capital(word) || word.starts_with(b"__");
        (is_macro && short <= blanks(*end)).then_some(name.start..end + short)
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
    fn attributes_behind_a_name_are_blanks() {
        check("typedef NSString *Name NS_ENUM;", "typedef NSString *Name        ;");
        check("typedef int Name A(b(1)) C_D;", "typedef int Name            ;");
        check("typedef struct { int x; } P CF_BOX;", "typedef struct { int x; } P CF_BOX;");
        check("typedef struct { int x; } Pt CF_BOX;", "typedef struct { int x; } Pt       ;");
        check("typedef void (^Done)(int a) NS_X(\"b\");", "typedef void (^Done)(int a)          ;");
        check("typedef A<B *> *Name NS_X;", "typedef A<B *> *Name     ;");
        check("enum { A NS_X(a), B, C X = 1 };", "enum { A        , B, C   = 1 };");
    }

    #[test]
    fn enums_of_macros_are_enums() {
        check("NS_ENUM(int, E) { A };", "enum         E  { A };");
        check("typedef NS_ENUM(int, E) { A X_Y } N_Z(e);", "/*ped*/ enum         E  { A     }       ;");
        check("typedef CF_ENUM(int) { A };", "/*ped*/ enum         { A };");
    }

    #[test]
    fn functions_as_they_used_to_be_written() {
        check("int f(a, b)\n char *a;\n int b[2];\n{", "int f(a, b)\n         \n          \n{");
        check("f(a)\n char *a;\n{", "f( )\n         \n{");
        check("int f P_((int a));", "int f    (int a) ;");
        check("GLAPI void APIENTRY f (int x);", "/*A*/ void          f (int x);");
        check("ZEXTERN int ZEXPORT f OF((int a));", "/*XTE*/ int         f    (int a) ;");
    }

    #[test]
    fn macros_behind_a_body_are_blanks() {
        check("struct s { int a; } __packed;", "struct s { int a; }         ;");
        check("struct __packed s { int a; };", "struct /*pack*/ s { int a; };");
        check("typedef struct { int a; } PACKED s_t;", "typedef struct { int a; }        s_t;");
        check("class C {\n  DECLARE_X(C)\npublic:", "class C {\n              \npublic:");
    }

    #[test]
    fn blocks_with_a_title_are_conditions() {
        check("TEST_CASE(\"a b\", \"[c]\") {", "if       (\"a b\"       ) {");
        check("TEST_CASE_METHOD(F<int>, \"a\")\n{", "if              (        \"a\")\n{");
    }

    #[test]
    fn sections_of_a_class_are_comments() {
        check("; signals: public slots : private Q_SLOTS:", "; /*gnal*/ public /*o*/ : private /*SLO*/:");
    }

    #[test]
    fn what_only_looks_so_stays() {
        for text in [
            "typedef unsigned long DWORD; typedef struct point POINT;",
            "typedef void * PTR_64 PVOID64;",
            "typedef API Point POINT; typedef const Foo *A, FAR *B;",
            "typedef struct { int x; } PACKED POINT;",
            "f(x) { if (a) b; { c; } }\nif (x) y x; {",
            "}\n__builtin_trap();",
            "return OF((x)); int x = OF((y));",
            "FOO(a)\nint x; FOO(b) }",
            "typedef Foo (WINAPI *F)(int A, int B);",
            "enum {\n  LIST_OF_TOKENS\n  COUNT\n};",
            "enum E f(int a B);",
            "typedef NS_ENUM(int, E);",
            "TEST_CASE(\"a\");",
            "TEST_CASE(\"a\" \"b\") {",
            "TEST_CASE(LR\"a\") {",
            "case slots: x ? signals : slots::a; int signals: 3;",
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
