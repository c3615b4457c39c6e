//! In broken files, the intact parts keep their paths.

mod oracle;

use std::path::Path;

use locant_proto::{File, Flaw};
use oracle::lost::{Loss, Tally, take_out};

#[test]
fn a_lost_token_costs_few_paths_and_shifts_none() {
    let mut tally = Tally::default();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken");
    for path in oracle::proto_files(&folder) {
        let text = std::fs::read(&path).expect("it can be read");
        let name = path.file_name().expect("it has a name").to_string_lossy().into_owned();
        assert_eq!(File::parse(&text).problems, [], "{name} is whole");
        take_out(&mut tally, &name, &text, Loss::Token, 1);
        let (n_nodes, difference) = oracle::positions::difference(&text);
        assert!(n_nodes > 10 && difference.is_none(), "{name}: {difference:?}");
    }
    let kept = tally.percent_kept();
    let shown = &tally.shifted[..tally.shifted.len().min(20)];
    assert!(tally.shifted.is_empty(), "{} shifted\n{}", tally.shifted.len(), shown.join("\n"));
    assert!(kept >= 99.0, "{kept:.2} % of {} paths are kept", tally.n_paths);
}

#[test]
fn deep_nesting_is_reported_and_does_not_overflow() {
    let deep = "message M {".repeat(10_000);
    for text in
        [deep.clone(), format!("{deep}{}", "}".repeat(10_000)), "extend A { group G = 1 {".repeat(5_000)]
    {
        let file = File::parse(text.as_bytes());
        assert!(file.problems.iter().any(|problem| problem.flaw == Flaw::TooDeep), "{}", &text[..30]);
    }
    for open in ["option a = {", "(", "[", "map<", "a.", "oneof o {", "-", "message M { option (a) = { b: <"]
    {
        File::parse(open.repeat(10_000).as_bytes());
    }
}

/// The path of the declaration with this name.
fn path_of(text: &str, name: &str) -> Option<Vec<i32>> {
    let file = File::parse(text.as_bytes());
    let is_it = |range: locant_text::Range| &text[range.indices()] == name;
    let found = file.declarations.iter().find(|declaration| declaration.name.is_some_and(is_it))?;
    Some(file.table.get(found.location).path().to_vec())
}

#[test]
fn what_is_left_of_a_statement_shifts_nothing() {
    let cases: &[(&str, &str, &[i32])] = &[
        // A `;` after a field of a value, and a missing `}`.
        (
            "option (o) = {\n  p: [\n    1\n  ];\n};\nmessage A {\n  int32 a = 1;\n\nmessage B {\n}\n",
            "B",
            &[4, 1],
        ),
        ("message A {\n  option (o) = { a: 1;\n  int32 b = 1;\n}\nmessage B {}", "B", &[4, 1]),
        // Keywords as names.
        ("message A { int32 a = 1;\n message = 2;\n int32 b = 3; }", "b", &[4, 0, 2, 2]),
        ("message A { reserved = 2;\n int32 b = 3; }", "b", &[4, 0, 2, 1]),
        ("enum E {\n option = { a: B };\n A = 0;\n}", "A", &[5, 0, 2, 0]),
        ("message A { oneof o {\n option = { a: B };\n int32 b = 0;\n} }", "b", &[4, 0, 2, 0]),
        // Blocks without their keyword.
        ("FooService {}\nmessage A {}", "A", &[4, 0]),
        (
            "message A { optional G g = 1; }\nB {\n  optional int32 b = 1;\n}\nextend B { optional int32 c = 100; }",
            "B",
            &[4, 1],
        ),
        ("message M { Other {\n optional int32 b = 1001;\n} optional int32 c = 1; }", "b", &[4, 0, 6, 0]),
        ("message M { message G {} }\nG {\n  int32 b = 1;\n}", "b", &[4, 1, 2, 0]),
        (".a.B {\n optional int32 b = 1;\n}", "b", &[7, 0]),
        ("\"proto3\";\nimport \"a\";\nmessage A {}", "A", &[4, 0]),
        // Options with a missing value or a missing parenthesis.
        ("option a =\n\nmessage A {}\nmessage B {}", "B", &[4, 1]),
        ("message A { a.b).c = true;\n int32 b = 1; }", "b", &[4, 0, 2, 0]),
    ];
    for (text, name, path) in cases {
        assert_eq!(path_of(text, name).as_deref(), Some(*path), "{name} in {text}");
    }
}

#[test]
fn numbers_without_a_word_are_kept_for_extensions_or_from_fields() {
    let lists = |text: &str| {
        let file = File::parse(format!("message M {{ {text} }}").as_bytes());
        let path = file.table.iter().map(|location| location.path().to_vec()).find(|path| path.len() == 4);
        path.map(|path| path[2])
    };
    for (text, list) in [
        ("5 [verification = UNVERIFIED];", 5),
        ("100 to max;", 5),
        ("100 to 199;", 5),
        ("5, 7;", 9),
        ("5 to 7;", 9),
    ] {
        assert_eq!(lists(text), Some(list), "{text}");
    }
}
