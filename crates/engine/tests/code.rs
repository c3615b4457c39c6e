//! Which parts of a text are code, in all languages.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use locant_engine::Document;

/// Each text has `needle` once in code, and also in comments or strings.
const TEXTS: &[(&str, &str)] = &[
    ("a.c", "// needle\nchar *s = \"needle\";\nint needle = 1; /* needle */\n"),
    ("a.cpp", "// needle\nauto s = R\"(needle)\";\nint needle = 1;\n"),
    ("a.cmake", "# needle\nset(needle \"needle\")\n"),
    ("a.cs", "// needle\nclass A { string s = \"needle\"; string t = $\"needle {needle}\"; }\n"),
    ("a.css", "/* needle */\n.needle { content: \"needle\"; }\n"),
    ("a.dart", "// needle\nvar s = \"needle ${needle}\";\n"),
    ("a.erl", "%% needle\nf() -> \"needle\", needle.\n"),
    ("a.ex", "# needle\ns = \"needle #{needle}\"\n"),
    ("a.go", "package a\n// needle\nvar s = \"needle\"\nvar r = `needle`\nvar needle = 1\n"),
    ("a.graphql", "# needle\ntype needle { a(b: String = \"needle\"): Int }\n"),
    ("a.hcl", "# needle\na = \"needle\"\nneedle = 1\n"),
    ("a.hs", "-- needle\ns = \"needle\"\nneedle = 1\n"),
    ("a.java", "// needle\nclass A { /** needle */ String s = \"needle\"; int needle; }\n"),
    ("a.jl", "# needle\ns = \"needle $(needle)\"\n"),
    ("a.js", "// needle\nconst s = \"needle\", t = `needle ${needle}`;\n"),
    ("a.json", "{\"needle\": \"a needle\"}\n"),
    ("a.kt", "// needle\nval s = \"needle ${needle}\"\n"),
    ("a.lua", "-- needle\nlocal s = \"needle\"\nlocal t = [[needle]]\nlocal needle = 1\n"),
    ("a.luau", "-- needle\nlocal s = \"needle\"\nlocal needle = 1\n"),
    ("a.m", "// needle\nNSString *s = @\"needle\";\nint needle;\n"),
    ("a.ml", "(* needle *)\nlet s = \"needle\"\nlet needle = 1\n"),
    ("a.nix", "# needle\n{ a = \"needle ${needle}\"; }\n"),
    ("a.php", "<?php // needle\n$s = \"needle\"; $t = 'needle'; $needle = 1;\n"),
    ("a.proto", "// needle\nsyntax = \"proto3\";\noption go_package = \"needle\";\nmessage needle {}\n"),
    ("a.ps1", "# needle\n$s = \"needle\"\nneedle\n"),
    ("a.py", "# needle\n\"\"\"needle\"\"\"\ns = f\"needle {needle}\"\n"),
    ("a.R", "# needle\ns <- \"needle\"\nneedle <- 1\n"),
    ("a.rb", "# needle\ns = \"needle #{needle}\"\nt = <<E\nneedle\nE\n"),
    ("a.rho", "// needle\nnew needle in { Nil | @\"a needle\"!(1) }\n"),
    ("a.rs", "// needle\n/// needle\nfn f() { let s = \"needle\"; let r = r#\"needle\"#; needle(); }\n"),
    ("a.scala", "// needle\nval s = \"needle\"\nval t = s\"needle ${needle}\"\n"),
    ("a.sh", "# needle\ns=\"needle $(needle)\"\nt='needle'\n"),
    ("a.sol", "// needle\ncontract A { string s = \"needle\"; uint needle; }\n"),
    ("a.swift", "// needle\nlet s = \"needle \\(needle)\"\n"),
    ("a.toml", "# needle\nneedle = \"needle\"\n"),
    ("a.ts", "// needle\nconst s: string = \"needle\", t = `needle ${needle}`;\n"),
    ("a.tsx", "// needle\nconst s = \"needle\";\nconst t = <b>{needle}</b>;\n"),
    ("a.yaml", "# needle\nneedle: \"needle\"\nb: 'needle'\n"),
    ("a.zig", "// needle\nconst s = \"needle\";\nconst needle = 1;\n"),
];

#[test]
fn comments_and_strings_are_no_code() {
    let wrong: Vec<String> = TEXTS.iter().filter_map(|(path, text)| wrong(path, text)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn wrong(path: &str, text: &str) -> Option<String> {
    let document = Document::new(path, text).unwrap();
    let code = document.code_only()?;
    let code = String::from_utf8_lossy(code.text().bytes()).into_owned();
    (code.matches("needle").count() != 1).then(|| format!("{path}:\n{code}"))
}

#[test]
fn every_byte_that_stays_is_where_it_was() {
    for (path, text) in TEXTS {
        let code = Document::new(*path, *text).unwrap().code_only().unwrap();
        let pairs = code.text().bytes().iter().zip(text.as_bytes());
        assert!(pairs.clone().all(|(code, text)| code == text || *code == b' '), "{path}");
        assert_eq!(code.text().bytes().len(), text.len());
    }
}

#[test]
fn a_string_is_not_nothing() {
    let document = Document::new("a.py", "f(\"x\")\nf()\n").unwrap();
    assert_eq!(document.code_only().unwrap().text().bytes(), b"f(\" \")\nf()\n");
}
