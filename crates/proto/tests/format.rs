//! The layout of files: what the new text is, and what stays the same.

mod oracle;

use locant_names::Names;
use locant_proto::Workspace;
use locant_text::Range;
use oracle::laid_out::{difference, formatted};
use proptest::prelude::*;

#[track_caller]
fn check(text: &str, expected: &str) {
    let new = formatted(text.as_bytes()).expect("it has no syntax errors");
    assert_eq!(String::from_utf8_lossy(&new), expected);
    assert_eq!(difference(text.as_bytes()), None);
}

#[test]
fn a_statement_has_its_own_line() {
    check(
        "syntax=\"proto3\";package a. b;message A{int32 x=1;;oneof o{string y=2;}}",
        "syntax = \"proto3\";\npackage a.b;\nmessage A {\n  int32 x = 1;;\n  oneof o {\n    string y = 2;\n  }\n}\n",
    );
    check(
        "message A\n{\n\n\n  int32 x=1;\n\n\n  int32 y=2;\n\n}\n",
        "message A {\n  int32 x = 1;\n\n  int32 y = 2;\n}\n",
    );
    check("message A {\n};", "message A {};\n");
    check("", "");
    check("\u{feff}  \r\nimport  'a' ;", "\u{feff}import 'a';\r\n");
}

#[test]
fn names_types_and_numbers_have_their_spaces() {
    check(
        "message A{map <string ,.b.C>m=1;extensions 4 to  max;reserved 1,2 to 3;optional .a . B x=1[default=- 1];}",
        "message A {\n  map<string, .b.C> m = 1;\n  extensions 4 to max;\n  reserved 1, 2 to 3;\n  \
         optional .a .B x = 1 [default = -1];\n}\n",
    );
    check(
        "service S{rpc M( stream  A )returns( .b.C ){}rpc returns(A)returns(B){option(a.b) . c=D;}}",
        "service S {\n  rpc M(stream A) returns (.b.C) {}\n  rpc returns(A) returns (B) {\n    \
         option (a.b).c = D;\n  }\n}\n",
    );
    check(
        "extend A{optional group G=1[(x)=1]{optional int32 y=2;}}",
        "extend A {\n  optional group G = 1 [(x) = 1] {\n    optional int32 y = 2;\n  }\n}\n",
    );
}

#[test]
fn line_breaks_inside_a_statement_stay() {
    check(
        "message A {\nint32 x = 1\n[deprecated = true,\n\n(b) = {c: 1\nd <e: [1,2] >\n}];\n}",
        "message A {\n  int32 x = 1\n      [deprecated = true,\n\n        (b) = {c: 1\n\
         \x20         d <e: [1, 2]>\n        }];\n}\n",
    );
    check(
        "option (a) = { b: \"x\"\n\"y\" c {\nd: 1 } [e.f/g.h]: { } };",
        "option (a) = {b: \"x\"\n      \"y\" c {\n        d: 1\n      } [e.f/g.h]: {}};\n",
    );
    check(
        "service S {\n  rpc M(A)\n  returns (B)\n  {\n  }\n}",
        "service S {\n  rpc M(A)\n      returns (B) {}\n}\n",
    );
}

#[test]
fn comments_stay_with_their_declarations() {
    check(
        "// a\n\n//b\nmessage A { // c\n// d\n\nint32 x = 1;   // e\n\n\
         /* f */ int32 y = 2; /* g */ int32 z = 3;\n// h\n}",
        "// a\n\n//b\nmessage A { // c\n  // d\n\n  int32 x = 1; // e\n\n\
         \x20 /* f */ int32 y = 2; /* g */ int32 z = 3;\n  // h\n}\n",
    );
    check(
        "message A {\n      /* a\n  * b\n*/\nint32 x /* c */= /* d */ 1 // e\n;}",
        "message A {\n  /* a\n   * b\n   */\n  int32 x /* c */ = /* d */ 1 // e\n  ;\n}\n",
    );
}

#[test]
fn a_file_with_syntax_errors_is_left_as_it_is() {
    for (text, message) in [
        ("message A {\n  int32 = 1;\n}", "expected the name of the field"),
        ("message A {", "the message is not closed"),
    ] {
        let mut workspace = Workspace::default();
        workspace.set("a.proto", text.as_bytes());
        let problem = workspace.format("a.proto", None).expect_err("it is broken");
        assert_eq!(problem.message, message);
    }
    // A file that protoc refuses only for what it means can still be laid out.
    check("message A{}message A{}", "message A {}\nmessage A {}\n");
}

#[test]
fn a_part_is_laid_out_by_whole_lines() {
    let text = "message  A {\nint32  x=1;\nint32  y=2;\n}\n";
    let mut workspace = Workspace::default();
    workspace.set("a.proto", text.as_bytes());
    let part = workspace.format("a.proto", Some(Range::of_indices(15..17))).expect("it has no syntax errors");
    let mut new = text.to_owned();
    for one in part.iter().rev() {
        new.replace_range(one.range.indices(), &one.text);
    }
    assert_eq!(new, "message  A {\n  int32 x = 1;\nint32  y=2;\n}\n");
}

#[test]
fn every_file_of_the_tests_keeps_what_it_is() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let files = oracle::proto_files(&folder);
    assert!(files.len() > 5);
    for path in files {
        let text = std::fs::read(&path).expect("it can be read");
        assert_eq!(difference(&text), None, "{}", path.display());
    }
}

const STATEMENTS: [&str; 14] = [
    "import public 'a/b.proto' ;",
    "option (a).b = { c: [ 1, -2.5 ] d < e: 'x' \"y\" > [f.g/h]: inf };",
    "message A { optional int32 x = 1 [default = -1, (y) = { z: 1 }]; }",
    "message A { oneof o { .a.B b = 1; group G = 2 { } } ; }",
    "message A { map<string, .B> m = 1; extensions 4 to max; reserved 1, 2 to 3; reserved \"a\", \"b\"; }",
    "enum E { A = 0; B = -1 [deprecated = true]; option allow_alias = true; }",
    "service S { rpc M(stream A) returns (B) { option deprecated = true; } rpc N(A) returns (stream .B); }",
    "extend A { repeated group G = 1 { required bytes b = 0x1F; } }",
    "message message { optional option option = 1; }",
    ";",
    "// line\n",
    "/* block */",
    "/* two\n   * lines\n */",
    "message A { // trailing\n // detached\n\n /* leading */ optional B c = 1; /* trailing */ }",
];

/// A file without syntax errors, with other blanks between its tokens.
fn sound() -> impl Strategy<Value = String> {
    let blanks =
        ["", " ", "\t", "\n", "\n\n", "  \n\n\n ", "\r\n", " /* c */ ", " // c\n", "\n/* d */\n", "\u{c}"];
    let statement = prop::sample::select(STATEMENTS.to_vec());
    let seams = prop::collection::vec(prop::sample::select(blanks.to_vec()), 64);
    prop::collection::vec((statement, seams), 0..6).prop_map(|statements| {
        statements.iter().map(|(statement, seams)| sown(statement, seams)).collect::<Vec<_>>().join("\n")
    })
}

/// A statement with other blanks between its tokens. Blanks are put only where a blank was, or next to a mark.
/// Elsewhere they could change the tokens.
fn sown(statement: &str, seams: &[&str]) -> String {
    if statement.contains("//") || statement.contains("/*") {
        return statement.to_owned();
    }
    let mut text = String::new();
    let mut seams = seams.iter().cycle();
    for (index, token) in oracle::tokens(statement.as_bytes()).into_iter().enumerate() {
        let was_apart = token.start > 0 && statement.as_bytes()[token.start - 1] == b' ';
        let seam = seams.next().expect("there are some");
        let before = text.as_bytes().last().copied().unwrap_or(b' ');
        let is_mark = |byte: u8| b"{}()[]<>;,=".contains(&byte);
        if was_apart && seam.is_empty() && index > 0 {
            text.push(' ');
        } else if was_apart || is_mark(before) || is_mark(statement.as_bytes()[token.start]) {
            text.push_str(seam);
        }
        text.push_str(&statement[token]);
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn any_sound_file_keeps_what_it_is(text in sound()) {
        prop_assert!(formatted(text.as_bytes()).is_some(), "{text:?} has syntax errors");
        prop_assert_eq!(difference(text.as_bytes()), None, "{:?}", text);
    }

    #[test]
    fn any_words_keep_what_they_are(words in prop::collection::vec(prop::sample::select(vec![
        "message", "A", "{", "}", "=", "1", ";", "[", "]", "(", ")", "<", ">", ",", ".", "-", "/", ":", "\"s\"", "1.5",
        "option", "rpc", "returns", "map", "group", "optional", "int32", "oneof", "enum", "//c\n", "/*c*/", "\n", "to",
    ]), 0..40)) {
        prop_assert_eq!(difference(words.join(" ").as_bytes()), None);
    }

    #[test]
    fn any_bytes_keep_what_they_are(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        prop_assert_eq!(difference(&bytes), None);
    }
}
