//! Small programs, one on each line. Those in `grammar/taken.txt` are right. Each of those in `grammar/refused.txt`
//! breaks a rule of the language.

use locant_names::{Names, Severity};
use locant_rholang::Workspace;

#[test]
fn right_programs_are_taken() {
    for program in include_str!("../grammar/taken.txt").lines() {
        assert_eq!(misread(program), Vec::<String>::new(), "{program}");
    }
}

#[test]
fn wrong_programs_are_refused() {
    for program in include_str!("../grammar/refused.txt").lines() {
        assert!(!misread(program).is_empty(), "{program}");
    }
}

/// The errors in the syntax of a program, without those in the meaning of its names.
fn misread(program: &str) -> Vec<String> {
    let mut workspace = Workspace::default();
    workspace.set("a.rho", program.as_bytes());
    let problems = workspace.problems("a.rho").into_iter();
    let of_parser = problems.filter(|problem| {
        assert!(problem.range.end().index() <= program.len(), "{program}: {}", problem.message);
        let codes = [
            "syntax",
            "missing",
            "not-closed",
            "missing-send",
            "no-value",
            "open-comment",
            "pattern-with-equals",
        ];
        codes.contains(&problem.code)
    });
    let errors = of_parser.filter(|problem| problem.severity == Severity::Error);
    errors.map(|problem| format!("{}: {}", problem.code, problem.message)).collect()
}
