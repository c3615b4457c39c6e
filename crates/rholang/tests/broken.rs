//! Mistakes must be reported. Each kind of mistake that real files have is made at every place where it fits, in
//! programs without errors.

use locant_names::{Names, Severity};
use locant_rholang::Workspace;

/// Programs without mistakes that use most constructs of the language.
const PROGRAMS: [&str; 3] = [
    include_str!("cell.rho"),
    "new x, y(`rho:io:stdout`) in { for (@[a, \"b\" ...c] <- x & @d <= y where a > 1; _ <- x?!) \
     { x!! ({\"k\": a}, Set(c), (d,)) } }",
    "contract @\"f\"(@\"get\", ret, ...@rest) = { if (rest == [\"x\"]) { ret!(1) } else \
     { match rest { [y] => ret!(y) _ => Nil } } }",
];

/// A part of a program, and what is written instead by mistake.
const MISTAKES: &[(&str, &str)] = &[
    // Brackets: a missing one, a wrong one, a surplus one.
    ("}", ""),
    (")", ""),
    ("]", ""),
    ("{", ""),
    ("(", ""),
    ("[", ""),
    ("]", ")"),
    (")", "]"),
    ("}", ")"),
    ("}", "}}"),
    (")", "))"),
    // Calls as in other languages.
    ("!(", "("),
    ("!(", "!!!("),
    ("!(", "!(new Map(), "),
    ("!(", "!(Map(), "),
    // Placeholders of template engines, and literals of other languages.
    ("!(", "!($$x$$, "),
    ("!(", "!($x, "),
    ("!(", "!(%AMOUNT, "),
    ("!(", "!({% x %}, "),
    ("!(", "!({{amount}}, "),
    ("!(", "!(<%= x %>, "),
    ("!(", "!('x', "),
    ("!(", "!(1.5, "),
    ("!(", "!(\"\\q\", "),
    ("!(", "!(0x10, "),
    // Separators.
    (" |", ""),
    (" |", ","),
    (" |", ";"),
    (" |", "||| "),
    ("}", "| }"),
    (" <- ", " = "),
    ("{", "{ /* "),
    ("{", "{ let @z = 1 in { Nil } | "),
    (" <- ", " <! "),
    (" <- ", " "),
    ("=>", ""),
    ("=>", ":"),
    (" = {", " {"),
    (" in {", " {"),
    ("new ", ""),
    ("contract ", "def "),
    ("match ", "match for (x <- @Nil) { Nil } "),
    // Words and names.
    ("for (", "while ("),
    ("ret!", "for!"),
    ("ret!", "rét!"),
    ("new ", "new 1, "),
    ("}", "} # a comment\n"),
];

fn n_errors(text: &str) -> usize {
    let mut workspace = Workspace::default();
    workspace.set("a.rho", text.as_bytes());
    workspace.problems("a.rho").iter().filter(|problem| problem.severity == Severity::Error).count()
}

/// Programs in which one occurrence of a word is replaced, one program for each occurrence that is not in a line
/// comment.
fn mistaken(word: &str, by: &str) -> Vec<String> {
    let mut all = Vec::new();
    for program in PROGRAMS {
        for (at, _) in program.match_indices(word) {
            let line = program[..at].rfind('\n').map_or(0, |at| at + 1);
            if !program[line..at].contains("//") {
                all.push(format!("{}{by}{}", &program[..at], &program[at + word.len()..]));
            }
        }
    }
    assert!(!all.is_empty(), "no program has `{word}`");
    all
}

#[test]
fn a_mistake_is_told_wherever_it_is_made() {
    for program in PROGRAMS {
        assert_eq!(n_errors(program), 0, "{program}");
    }
    let mut n_programs = 0;
    for (word, by) in MISTAKES {
        for program in mistaken(word, by) {
            assert!(n_errors(&program) > 0, "`{word}` became `{by}`, and nothing is told of it:\n{program}");
            n_programs += 1;
        }
    }
    assert!(n_programs > 200, "{n_programs}");
}

#[test]
fn the_end_is_missed_wherever_a_program_is_cut() {
    for program in PROGRAMS {
        let end = program.rfind('}').expect("a program ends with its block");
        for at in
            (program.find('{').expect("it has a block") + 1..end).filter(|&at| program.is_char_boundary(at))
        {
            assert!(n_errors(&program[..at]) > 0, "nothing is missed here:\n{}", &program[..at]);
        }
    }
}
