//! Masks that are found by reading a text from its start: macros of the C family, and virtual newlines.
//!
//! A mask depends on the text before it, so an edit could change masks far away. To avoid a scan of the whole text,
//! the places from which a scan can restart are remembered. After an edit, only the text near it is scanned again.

use std::borrow::Cow;
use std::ops::Range;

use locant_text::Edit;

use super::c_macros::{Before, attribute_of_member, directive, has_macros, of_word, word_mark};
use super::masked_part::{As, MaskedPart};
use super::virtual_newlines;
use crate::bytes::{is_in, is_word, token, word};
use crate::table::Words;

/// The masked parts of a text. Strings, comments and directives are not masked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Masks {
    parts: Vec<MaskedPart>,
    /// In source order.
    restarts: Vec<Restart>,
}

/// A place after a line that starts with `}`. No macro extends over such a line, so the masks after it depend only on
/// `before`, not on the rest of the text before the place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Restart {
    at: usize,
    before: Before,
}

const START: Restart = Restart { at: 0, before: Before { marks: [0, 0], starts_line: true, is_below: true } };

impl Masks {
    pub(crate) fn of(text: &[u8], words: &Words) -> Masks {
        if has_any(words) { scan(text, START, words, |_| false).0 } else { Masks::default() }
    }

    /// The text with these masks applied.
    pub(crate) fn apply<'t>(&self, text: &'t [u8]) -> Cow<'t, [u8]> {
        let mut masked = Cow::Borrowed(text);
        for part in &self.parts {
            part.write(masked.to_mut());
        }
        masked
    }

    /// The masks of the text after an edit. Only the text near the edit is scanned.
    pub(crate) fn after(&self, edit: &Edit, text: &[u8], words: &Words) -> Masks {
        if !has_any(words) {
            return Masks::default();
        }
        let shift = Shift::of(edit);
        let n_kept = self.restarts.partition_point(|restart| restart.at <= edit.range.start().index());
        let from = self.restarts[..n_kept].last().copied().unwrap_or(START);
        let (found, end) = scan(text, from, words, |restart| self.knows(restart, shift));
        // After the end of the scan, all masks are as they were before the edit.
        let old_end = if end < text.len() { shift.back(end) } else { usize::MAX };
        let mut parts: Vec<MaskedPart> =
            self.parts.iter().filter(|part| part.0.start < from.at).cloned().collect();
        parts.extend(found.parts);
        let old_parts = self.parts.iter().filter(|part| part.0.start >= old_end);
        parts.extend(old_parts.map(|MaskedPart(range, as_what)| {
            MaskedPart(shift.forth(range.start)..shift.forth(range.end), *as_what)
        }));
        let mut restarts = self.restarts[..n_kept].to_vec();
        restarts.extend(found.restarts);
        let old_restarts = self.restarts.iter().filter(|restart| restart.at >= old_end);
        restarts.extend(old_restarts.map(|restart| Restart { at: shift.forth(restart.at), ..*restart }));
        Masks { parts, restarts }
    }

    /// Whether a restart after an edit was also a restart before it.
    fn knows(&self, restart: &Restart, shift: Shift) -> bool {
        let old = Restart { at: shift.back(restart.at), ..*restart };
        let known = self.restarts.binary_search_by_key(&old.at, |known| known.at);
        restart.at >= shift.new_end && known.is_ok_and(|known| self.restarts[known] == old)
    }

    /// Whether the masks differ from the old ones outside the range of an edit.
    pub(crate) fn change_more(&self, old: &Masks, edit: &Edit) -> bool {
        let start = edit.range.start().index();
        let Shift { old_end, new_end } = Shift::of(edit);
        let (old, new) = (old.around(start, old_end), self.around(start, new_end));
        old.is_none() || old != new
    }

    /// The parts outside a range. The boolean says whether the part is after the range; if so, its offsets count from
    /// the end of the range. `None` if a part overlaps the range.
    fn around(&self, start: usize, end: usize) -> Option<Vec<(bool, Range<usize>, As)>> {
        let parts = self.parts.iter().map(|MaskedPart(range, as_what)| match range {
            range if range.end <= start => Some((false, range.clone(), *as_what)),
            range if end <= range.start => Some((true, range.start - end..range.end - end, *as_what)),
            _ => None,
        });
        parts.collect()
    }
}

/// How far an edit moves the text after it.
#[derive(Clone, Copy)]
struct Shift {
    old_end: usize,
    new_end: usize,
}

impl Shift {
    fn of(edit: &Edit) -> Shift {
        let new_end = edit.range.start().index() + edit.insert.len();
        Shift { old_end: edit.range.end().index(), new_end }
    }

    /// The old offset of a place after the edit.
    fn back(self, at: usize) -> usize {
        (at + self.old_end).wrapping_sub(self.new_end)
    }

    /// The new offset of a place after the edit.
    fn forth(self, at: usize) -> usize {
        (at + self.new_end).wrapping_sub(self.old_end)
    }
}

/// Finds the masks of a text from `from` on, up to the first restart that `is_wanted` accepts, or to the end. Also
/// returns where the scan ended.
fn scan(text: &[u8], from: Restart, words: &Words, is_wanted: impl Fn(&Restart) -> bool) -> (Masks, usize) {
    let mut found = Masks::default();
    let mut masked = Cow::Borrowed(text);
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
        // The scan reads the masked text, so that a part masked as a comment is skipped like a comment.
        let rest = &masked[at..];
        let ahead = &masked[at..limit.max(at)];
        let first = rest[0];
        let (length, parts) = match first {
            b'}' if !words.breaks.is_empty() => {
                let breaks = virtual_newlines::around(text, at, words.breaks);
                found.parts.extend(breaks.map(|at| MaskedPart(at..at + 1, As::Break)));
                (1, Vec::new())
            }
            b'#' if before.starts_line && has_macros(words) => (directive(rest), Vec::new()),
            byte if is_word(byte) && has_macros(words) => (word(rest), of_word(ahead, before, words)),
            b'[' if matches!(before.marks, [b'{' | b',', b'a']) && is_in(words.attributes, b"[[") => {
                (1, Vec::from_iter(attribute_of_member(ahead)))
            }
            _ => (token(rest), Vec::new()),
        };
        let mark = match first {
            byte if is_word(byte) => word_mark(&rest[..length]),
            byte => byte,
        };
        if !parts.is_empty() {
            let parts = parts.into_iter().map(|part| part.moved(at));
            found.parts.extend(parts.inspect(|part| part.write(masked.to_mut())));
            // If the word itself was masked, the scan continues with its replacement.
            if masked[at] != first {
                continue;
            }
        }
        before.pass(first, mark, first == b'/' && length > 1);
        at += length;
    }
    (found, text.len())
}

/// How far macros that start at `at` may extend: to the end of the next line that starts with `}`.
fn limit(text: &[u8], at: usize) -> usize {
    let from = at.saturating_sub(1);
    let Some(line) = memchr::memmem::find(&text[from..], b"\n}") else { return text.len() };
    let line = from + line + 1;
    memchr::memchr(b'\n', &text[line..]).map_or(text.len(), |length| line + length)
}

fn has_any(words: &Words) -> bool {
    has_macros(words) || !words.breaks.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let language = crate::by_name("cpp").expect("C++ is a language");
        let seen = Masks::of(text.as_bytes(), &language.tables.words).apply(text.as_bytes()).into_owned();
        assert_eq!(String::from_utf8_lossy(&seen), expected);
    }

    /// Checks that a scan near an edit finds the same masks as a scan of the whole text.
    #[track_caller]
    fn check_edits(language: &str, text: &str) {
        let words = &crate::by_name(language).expect("it is a language").tables.words;
        let old = Masks::of(text.as_bytes(), words);
        assert!(old.restarts.len() > 1, "there are places to start from");
        for insert in ["", "}\n", "\n}\n", "/*", "\"", "typedef ", "enum {", ";", "X "] {
            for start in 0..text.len() {
                for length in [0, 1, 9].into_iter().filter(|length| start + length <= text.len()) {
                    let new = [&text[..start], insert, &text[start + length..]].concat();
                    let range = locant_text::Range::of_indices(start..start + length);
                    let edit = Edit { range, insert: locant_text::Extent::of_len(insert.len()) };
                    let near = old.after(&edit, new.as_bytes(), words);
                    let whole = Masks::of(new.as_bytes(), words);
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
    fn attributes_after_a_name_are_blanks() {
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
    fn macros_after_a_body_are_blanks() {
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
