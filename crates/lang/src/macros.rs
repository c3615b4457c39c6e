//! Macros that a grammar stumbles over: `Q_OBJECT` in a class, `JNIEXPORT` in front of a function.
//!
//! Such a macro is read as a comment, with what it has in brackets. No place moves: `Q_OBJECT` is seen as `/*OBJE*/`.
//! So is every word in capitals between `class` and the name, `class LIB_API A : public B {`, and where a grammar does
//! not know it the attribute of a member of an enum, `A [[deprecated]]`. Others are read as blanks, or as a word that
//! the grammar knows. So are the line breaks that a grammar wants where its language does without.

use std::borrow::Cow;
use std::ops::Range;

use locant_text::Edit;

use crate::breaks::{self, token};
use crate::table::{Attached, Words};

mod behind;
mod exported;
mod functions;
mod methods;
mod ranged;
mod titled;

use behind::{enum_macro, members_behind, of_typedef};
use exported::exports;
use functions::{called_so, old_style, prototype};
use methods::method;
use ranged::ranged;
use titled::titled;

/// A text in which each of these macros is shown as the grammar can read it.
#[cfg(test)]
fn with_comments<'t>(text: &'t [u8], words: &Words) -> Cow<'t, [u8]> {
    Macros::of(text, words).in_text(text)
}

/// The macros of a text, as they are shown. Strings, comments and directives have none.
#[derive(Clone, Debug, Default)]
pub(crate) struct Macros {
    shown: Vec<Shown>,
    /// In order.
    restarts: Vec<Restart>,
}

/// A place behind a line that starts with `}`, over which no macro reaches: what is found from there on depends on
/// nothing in front of it but these marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Restart {
    at: usize,
    before: Before,
}

const START: Restart = Restart { at: 0, before: Before { marks: [0, 0], starts_line: true, is_below: true } };

impl Macros {
    pub(crate) fn of(text: &[u8], words: &Words) -> Macros {
        if has_any(words) { scan(text, START, words, |_| false).0 } else { Macros::default() }
    }

    /// The text in which they are shown.
    pub(crate) fn in_text<'t>(&self, text: &'t [u8]) -> Cow<'t, [u8]> {
        let mut seen = Cow::Borrowed(text);
        for shown in &self.shown {
            shown.write(seen.to_mut());
        }
        seen
    }

    /// Those of the text after an edit. Only what is near to it is looked at.
    pub(crate) fn after(&self, edit: &Edit, text: &[u8], words: &Words) -> Macros {
        if !has_any(words) {
            return Macros::default();
        }
        let (start, old_end) = (edit.range.start().index(), edit.range.end().index());
        let new_end = start + edit.insert.len();
        let n_kept = self.restarts.partition_point(|restart| restart.at <= start);
        let from = self.restarts[..n_kept].last().copied().unwrap_or(START);
        // From a place on that was one before, all is as it was.
        let is_known = |restart: &Restart| {
            let old = Restart { at: (restart.at + old_end).wrapping_sub(new_end), ..*restart };
            restart.at >= new_end
                && self
                    .restarts
                    .binary_search_by_key(&old.at, |known| known.at)
                    .is_ok_and(|known| self.restarts[known] == old)
        };
        let (found, end) = scan(text, from, words, is_known);
        let old_end_of_scan = (end + old_end).wrapping_sub(new_end);
        let is_kept = |shown: &&Shown| shown.0.start < from.at;
        let is_behind = |at: usize| end < text.len() && at >= old_end_of_scan;
        let moved = |at: usize| (at + new_end).wrapping_sub(old_end);
        let shown = self.shown.iter().filter(is_kept).cloned();
        let behind = self.shown.iter().filter(|shown| is_behind(shown.0.start));
        let behind =
            behind.map(|Shown(range, as_what)| Shown(moved(range.start)..moved(range.end), *as_what));
        let restarts_behind = self.restarts.iter().filter(|restart| is_behind(restart.at));
        let restarts_behind = restarts_behind.map(|restart| Restart { at: moved(restart.at), ..*restart });
        Macros {
            shown: shown.chain(found.shown).chain(behind).collect(),
            restarts: self.restarts[..n_kept]
                .iter()
                .copied()
                .chain(found.restarts)
                .chain(restarts_behind)
                .collect(),
        }
    }

    /// Are others shown than before, outside of the range of an edit?
    pub(crate) fn change_more(&self, old: &Macros, edit: &Edit) -> bool {
        let (start, old_end) = (edit.range.start().index(), edit.range.end().index());
        let new_end = start + edit.insert.len();
        // Counted from the end of what was changed.
        let around = |macros: &Macros, end: usize| -> Option<Vec<(bool, Range<usize>, As)>> {
            let place = |Shown(range, as_what): &Shown| match range {
                range if range.end <= start => Some((false, range.clone(), *as_what)),
                range if end <= range.start => Some((true, range.start - end..range.end - end, *as_what)),
                _ => None,
            };
            macros.shown.iter().map(place).collect()
        };
        let (old, new) = (around(old, old_end), around(self, new_end));
        old.is_none() || old != new
    }
}

/// The macros of a text from a place on, up to another one that is wanted, and where that is; or to the end.
fn scan(text: &[u8], from: Restart, words: &Words, is_wanted: impl Fn(&Restart) -> bool) -> (Macros, usize) {
    let mut found = Macros::default();
    let mut seen = Cow::Borrowed(text);
    let Restart { mut at, mut before } = from;
    let mut limit = limit(text, at);
    while at < text.len() {
        if at > limit {
            let restart = Restart { at, before };
            if at == limit + 1 && is_wanted(&restart) {
                return (found, at);
            }
            found.restarts.extend((at == limit + 1).then_some(restart));
            limit = self::limit(text, at);
        }
        // What was shown as a comment is skipped as one.
        let rest = &seen[at..];
        let ahead = &seen[at..limit.max(at)];
        let first = rest[0];
        let (length, shown) = match first {
            b'}' if !words.breaks.is_empty() => {
                found
                    .shown
                    .extend(breaks::around(text, at, words.breaks).map(|at| Shown(at..at + 1, As::Break)));
                (1, Vec::new())
            }
            b'#' if before.starts_line && has_macros(words) => (directive(rest), Vec::new()),
            byte if is_word(byte) && has_macros(words) => (word(rest), of_word(ahead, before, words)),
            b'[' if matches!(before.marks, [b'{' | b',', b'a']) && is_in(words.attributes, b"[[") => {
                (1, Vec::from_iter(of_member(ahead).map(|range| Shown(range, As::Comment))))
            }
            _ => (token(rest), Vec::new()),
        };
        let mark = match first {
            byte if is_word(byte) => word_mark(&rest[..length]),
            byte => byte,
        };
        if !shown.is_empty() {
            let shown = shown.into_iter().map(|shown| shown.moved(at));
            found.shown.extend(shown.inspect(|shown| shown.write(seen.to_mut())));
            // The word itself may be another one now. What is shown for one is none of these macros.
            if seen[at] != first {
                continue;
            }
        }
        before.pass(first, mark, first == b'/' && length > 1);
        at += length;
    }
    (found, text.len())
}

/// Up to where macros reach that start at a place: the end of the next line that starts with `}`.
fn limit(text: &[u8], at: usize) -> usize {
    let from = at.saturating_sub(1);
    let Some(line) = memchr::memmem::find(&text[from..], b"\n}") else { return text.len() };
    let line = from + line + 1;
    memchr::memchr(b'\n', &text[line..]).map_or(text.len(), |length| line + length)
}

/// What stands in front of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Before {
    /// The last two marks, a word being `a`, or `p` if it is `public` or the like; comments and blanks are none.
    marks: [u8; 2],
    /// Nothing but blanks on its line.
    starts_line: bool,
    /// The last mark stands on another line.
    is_below: bool,
}

impl Before {
    /// Goes past a token.
    fn pass(&mut self, first: u8, mark: u8, is_comment: bool) {
        let is_break = matches!(first, b'\n' | b'\r');
        if !first.is_ascii_whitespace() && !is_comment {
            self.marks = [self.marks[1], mark];
            self.is_below = false;
        }
        self.is_below |= is_break;
        self.starts_line = is_break || (self.starts_line && matches!(first, b' ' | b'\t'));
    }
}

/// How a part of a text is shown to the grammar.
#[derive(Clone, Debug)]
struct Shown(Range<usize>, As);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum As {
    Comment,
    Blank,
    Break,
    /// A word, and blanks up to the end of the part.
    Word(&'static str),
}

impl Shown {
    fn moved(self, by: usize) -> Shown {
        Shown(self.0.start + by..self.0.end + by, self.1)
    }

    fn write(&self, seen: &mut [u8]) {
        let part = &mut seen[self.0.clone()];
        match self.1 {
            As::Comment => {
                let end = part.len();
                part[..2].copy_from_slice(b"/*");
                part[end - 2..].copy_from_slice(b"*/");
            }
            As::Blank => blank(part),
            As::Break => part.fill(b'\r'),
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
    match text[0].is_ascii_uppercase() || name.starts_with(b"__") {
        _ if is_in(words.sections, name) => {
            Vec::from_iter(section(text, length, before.marks[1]).map(comment))
        }
        true if is_one(words, name) => Vec::from_iter(end().map(|end| comment(0..end))),
        true if is_in(words.titled, name) => titled(text, length).unwrap_or_default(),
        true if is_in(words.methods, name) => method(text, length).unwrap_or_default(),
        false if is_in(words.ranged, name) => ranged(text, length).unwrap_or_default(),
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
        true if name.starts_with(b"__") && before.marks[1] == b'}' && !before.is_below => {
            let is_known = is_in(&["__attribute__", "__asm__", "__extension__"], name);
            Vec::from_iter(end().filter(|_| !is_known).map(|end| Shown(0..end, As::Blank)))
        }
        _ if matches!(before.marks, [b'a' | b'*', b'a']) && prototype(text, length).is_some() => {
            prototype(text, length).unwrap_or_default()
        }
        true if before.starts_line && is_mark_of_section(text, length) => vec![Shown(0..length, As::Blank)],
        true if before.starts_line && (is_capital(name) || name.starts_with(b"__")) => {
            let alone = || is_alone(text, length).map(|end| vec![Shown(0..end, As::Blank)]);
            called_so(text).or_else(alone).or_else(|| old_style(text, before.marks[1])).unwrap_or_default()
        }
        _ => old_style(text, before.marks[1]).unwrap_or_default(),
    }
}

/// A word on a line of its own in front of a class of Objective-C, that opens or ends something: `SpecEnd`, `X_BEGIN`.
fn is_mark_of_section(text: &[u8], name: usize) -> bool {
    let rest = text[name..].trim_ascii_start();
    let is_below = text[name..text.len() - rest.len()].contains(&b'\n');
    let opens_class =
        || [&b"@interface"[..], b"@implementation", b"@protocol"].iter().any(|word| rest.starts_with(word));
    let is_end = || [&b"_BEGIN"[..], b"_END", b"End"].iter().any(|end| text[..name].ends_with(end));
    is_below && is_end() && opens_class()
}

/// A call on a line of its own in front of what cannot follow an expression: `DECLARE_MESSAGE_MAP()` at the end of a
/// class.
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
    if is_in(words.clauses, &comment[..word(comment)]) {
        return Some(Attached::Decorator);
    }
    if !has_macros(words) || comment.starts_with(b"/") {
        return Some(Attached::Comment);
    }
    let name = &comment[..word(comment)];
    let is_other = !(is_capital(name) || name.starts_with(b"__"))
        || is_in(words.markers, name)
        || is_in(words.sections, name);
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

fn has_any(words: &Words) -> bool {
    has_macros(words) || !words.breaks.is_empty()
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
pub(crate) fn directive(text: &[u8]) -> usize {
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

fn is_capital(word: &[u8]) -> bool {
    word.iter().any(u8::is_ascii_uppercase) && !word.iter().any(u8::is_ascii_lowercase)
}

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

    /// Looking near an edit finds what looking at the whole text does.
    #[track_caller]
    fn check_edits(language: &str, text: &str) {
        let words = &crate::by_name(language).expect("it is a language").tables.words;
        let old = Macros::of(text.as_bytes(), words);
        assert!(old.restarts.len() > 1, "there are places to start from");
        for insert in ["", "}\n", "\n}\n", "/*", "\"", "typedef ", "enum {", ";", "X "] {
            for start in 0..text.len() {
                for length in [0, 1, 9].into_iter().filter(|length| start + length <= text.len()) {
                    let new = [&text[..start], insert, &text[start + length..]].concat();
                    let range = locant_text::Range::of_indices(start..start + length);
                    let edit = Edit { range, insert: locant_text::Extent::of_len(insert.len()) };
                    let near = old.after(&edit, new.as_bytes(), words);
                    let whole = Macros::of(new.as_bytes(), words);
                    assert_eq!(format!("{near:?}"), format!("{whole:?}"), "{new}");
                }
            }
        }
    }

    #[test]
    fn macros_after_an_edit_are_those_of_the_new_text() {
        check_edits(
            "cpp",
            "typedef struct {\n  int x;\n} Pt CF_X;\nclass API A {\n  Q_OBJECT\n};\nint f(a)\n int a;\n{\n}\n\
             typedef NS_ENUM(int, E) {\n  A X_Y,\n} NS_X(e);\nstruct s {\n} __packed;\nTEST_CASE(\"a\") {\n}\n\
             int last;\n",
        );
        check_edits(
            "kotlin",
            "class C { val x = 1 }\nclass D {\n  { f {} val x = \"}\" }\n}\nfun f() {\n}\n//\n}\n",
        );
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
        check("V8_INLINE bool A::b() {", "/*_INLI*/ bool A::b() {");
        check("HRESULT CALLTYPE A::b() {", "HRESULT          A::b() {");
        check("__fastcall A::A(int x) {", "/*fastca*/ A::A(int x) {");
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
            "DWORD A::f() { }\nDWORD f() { }\nstd::string A::f() { }",
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
