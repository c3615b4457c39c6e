//! Any bytes get an answer: there is no panic and no stack overflow, and all ranges are inside the text.

use std::path::Path;

use locant_skim::{languages, outline};
use proptest::prelude::*;

fn check(text: &[u8]) {
    for language in languages() {
        let Some(outline) = outline(language, text) else { continue };
        for symbol in outline.symbols() {
            assert!(symbol.extent.covers(symbol.declaration), "{language} {symbol:?}");
            assert!(symbol.declaration.covers(symbol.header), "{language} {symbol:?}");
            assert!(symbol.extent.covers(symbol.name_range), "{language} {symbol:?}");
            assert!(symbol.extent.end().index() <= text.len(), "{language} {symbol:?}");
        }
    }
}

/// Words and marks of all skimmed languages, so that random texts resemble programs.
const PIECES: &[&str] = &[
    "def ",
    "class ",
    "fn ",
    "func ",
    "type ",
    "struct ",
    "impl ",
    "for ",
    "enum ",
    "interface ",
    "record ",
    "new ",
    "return ",
    "const ",
    "static ",
    "var ",
    "pub ",
    "extern ",
    "macro_rules!",
    "@",
    "#[",
    "#![",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    ";",
    ",",
    ":",
    "::",
    "=",
    ":=",
    "->",
    "=>",
    "'",
    "\"",
    "\"\"\"",
    "`",
    "\\",
    "//",
    "/*",
    "*/",
    "#",
    "\n",
    "\r\n",
    "    ",
    "\t",
    "a",
    "B",
    "_",
    "f\"{",
    "r#\"",
    "\"#",
    "b'",
    "x.",
    ".Run(\"t\", func() {",
    "é",
    "$\"",
    "@\"",
    "namespace ",
    "get; ",
    "this[",
    "operator ",
    "event ",
    "delegate ",
    "using ",
    "where ",
    "lambda ",
    "<?php ",
    "function ",
    "$",
    "<<<A\n",
    "\nA;",
    "use ",
    "case ",
    "private ",
    "!",
    "`${",
    "}`",
    "/a/",
    "<a>",
    "</a>",
    "<b c={",
    "/>",
    "async ",
    "export default ",
    "module.exports",
    ".prototype.",
    "...",
    "?.",
    "catch ",
    "enum A {",
    "<a id=\"b\">",
    "<!--",
    "-->",
    "<?",
    "?>",
];

/// What opens something that may be nested in itself, and what closes it.
const NESTED: &[(&str, &str)] = &[
    ("(", ")"),
    ("{", "}"),
    ("[", "]"),
    ("class A {", "}"),
    ("fn f() {", "}"),
    ("func f() {", "}"),
    ("mod a {", "}"),
    ("struct { a ", "}"),
    ("new A() {", "}"),
    ("f\"{", "}\""),
    ("/*", "*/"),
    ("<", ">"),
    ("a!{fn", "}"),
    ("if a: ", ""),
    ("x = ", ""),
    ("a.Run(\"a\", func() {}).", ""),
    ("new A<", ">"),
    ("; A<B", ">"),
    ("func() ", ""),
    ("@A ", ""),
    ("a, ", ""),
    ("lambda: ", ""),
    ("var x = func() {", "}"),
    ("const A: u8 = {", "};"),
    ("// a\n", ""),
    ("/* a */ ", ""),
    ("#[a] ", ""),
    ("A b() where ", ""),
    ("x;", ""),
    ("`${", "}`"),
    ("<a b={", "}/>"),
    ("<a>", "</a>"),
    ("a => ", ""),
    ("a ? ", ""),
    ("a = ", ""),
    ("if (a) ", ""),
    ("if (a) b; else ", ""),
    ("new ", ""),
    ("!", ""),
    ("type A = keyof ", ""),
    ("let a: (b: ", ")"),
    ("x = { a: ", "}"),
    ("const { a: ", "}"),
    ("a.b", ""),
    ("<a b=\"c\">", "</a>"),
    ("<a ", ">"),
    ("a { ", "}"),
    ("a,", ""),
    ("@keyframes a { b {", "}}"),
    ("@media a { ", "}"),
    ("a:url    (", ")"),
    ("<!-- -->", ""),
];

proptest! {
    #[test]
    fn random_bytes(text in proptest::collection::vec(any::<u8>(), 0..200)) {
        check(&text);
    }

    #[test]
    fn random_pieces(pieces in proptest::collection::vec(0..PIECES.len(), 0..60)) {
        let text: String = pieces.into_iter().map(|piece| PIECES[piece]).collect();
        check(text.as_bytes());
    }
}

#[test]
fn every_text_may_be_cut_anywhere() {
    for language in languages() {
        let cases =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../languages").join(language).join("cases.md");
        let text = std::fs::read(cases).expect("a language has cases");
        for at in (0..text.len()).step_by(5) {
            check(&text[..at]);
            check(&text[at..(at + 400).min(text.len())]);
        }
    }
}

#[test]
fn deep_nesting_is_read_without_recursion() {
    const DEPTH: usize = 200_000;
    for (open, close) in NESTED {
        check(open.repeat(DEPTH).as_bytes());
        check((open.repeat(DEPTH) + &close.repeat(DEPTH)).as_bytes());
    }
    let indented: String = (0..2000).map(|depth| " ".repeat(depth) + "class A:\n").collect();
    check((indented + &" ".repeat(2000) + "x = 1\n").as_bytes());
}
