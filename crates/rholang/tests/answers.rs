//! The answers other than targets: hovers, renames, suggestions, signatures, problems, fixes, tokens, folds and
//! symbols.

mod marked;

use locant_names::{Names, Severity, SuggestionKind};
use locant_rholang::Workspace;
use locant_text::Range;
use marked::Marked;

#[track_caller]
fn hover(source: &str, expected: &str) {
    let marked = Marked::new(source);
    let hover = marked.workspace.hover(&marked.path, marked.at).expect("there is a name");
    let shown = [hover.code, hover.facts.join("; "), hover.docs].join("\n");
    assert_eq!(shown.trim_end(), expected);
}

#[test]
fn a_hover_shows_the_contract_and_what_is_written_of_it() {
    let program = r"new f in {
  /// Adds.
  /// @param a the first
  /// @param b the other
  contract f(@a, @b, ret) = { ret!(a + b) } |
  f!(1, 2, Nil)
}";
    hover(
        &program.replace("f!(1", "<|>f!(1"),
        "contract f(@a, @b, ret)\na name, made by `new`; used 2 times\nAdds.\n\n- `a`: the first\n- `b`: the other",
    );
    hover(
        &program.replace("(a +", "(<|>a +"),
        "@a\na process variable, a parameter of `f`; used once\nthe first",
    );
}

#[test]
fn a_hover_shows_how_a_name_is_bound() {
    hover(
        "new x(`rho:io:stdout`) in { <|>x!(1) }",
        "new x(`rho:io:stdout`)\na name, made by `new`; used once",
    );
    hover(
        "for (@x <- @0) { <|>x }",
        "for (@x <- @0)\na process variable, bound by what is received; used once",
    );
    hover("let x = 1 in { <|>x }", "let x = 1\na process variable, bound by `let`; used once");
    hover("match 1 { [x] => <|>x }", "[x]\na process variable, bound by a pattern; used once");
    hover("<|>x!(1)", "x\n`x` is not bound in this program");
    hover("@\"<|>x\"!(1)", "x\na public channel: the same in every program");
    hover("/* Says so. */\nnew x in { <|>x!(1) }", "new x\na name, made by `new`; used once\nSays so.");
}

#[test]
fn a_hover_says_when_it_guesses() {
    hover(
        "--- a.rho\n<|>f!(1)\n--- b.rho\ncontract f(x) = { Nil }\n",
        "contract f(x)\na guess: b.rho has a contract of this name; `f` is not bound in this program",
    );
}

/// Compares the places that a rename replaces, marked in the programs, or the reason why the rename is refused.
#[track_caller]
fn rename(source: &str, name: &str, expected: &str) {
    let marked = Marked::new(source);
    let shown = match marked.workspace.rename(&marked.path, marked.at, name) {
        Err(refusal) => format!("refused: {}", refusal.message),
        Ok(replacements) => {
            assert!(replacements.iter().all(|replacement| replacement.text == name));
            let ranges: Vec<(String, Range, bool)> =
                replacements.into_iter().map(|replaced| (replaced.path, replaced.range, false)).collect();
            marked.show(&ranges)
        }
    };
    assert_eq!(shown, expected);
}

#[test]
fn a_rename_changes_names_and_never_their_marks() {
    rename("for (@<|>x <- @0) { @x!(x) }", "y", "for (@«x» <- @0) { @«x»!(«x») }");
    rename(
        "new x in { x!(*<|>x) | new x in { x!(1) } }",
        "y",
        "new «x» in { «x»!(*«x») | new x in { x!(1) } }",
    );
    rename(
        "for (@x <- @0) { for (@{=<|>x} <- @1) { Nil } }",
        "y",
        "for (@«x» <- @0) { for (@{=«x»} <- @1) { Nil } }",
    );
}

#[test]
fn a_rename_that_would_be_caught_is_refused() {
    // The new name would mean the inner binder.
    rename(
        "new x in { new y in { <|>x!(*y) } }",
        "y",
        "refused: with `y`, a name in a.rho:1 would mean something else",
    );
    // A use of the outer binder would mean the renamed one instead.
    rename(
        "new y in {\nnew <|>x in { y!(*x) } }",
        "y",
        "refused: with `y`, a name in a.rho:2 would mean something else",
    );
    // The new name would be bound twice by one pattern.
    rename(
        "for (@<|>x, @y <- @0) { x }",
        "y",
        "refused: with `y`, a name in a.rho:1 would mean something else",
    );
    // A binder with that name in another scope does no harm.
    rename("new x in { <|>x!(1) } | new y in { y!(1) }", "y", "new «x» in { «x»!(1) } | new y in { y!(1) }");
}

#[test]
fn a_rename_takes_names_only() {
    for name in ["", "_", "1x", "a b", "ä", "a-b", "'x"] {
        rename("new <|>x in { Nil }", name, &format!("refused: `{name}` cannot be a name"));
    }
    rename("new <|>x in { Nil }", "for", "refused: `for` is a word of the language");
    rename("new <|>x in { Nil }", "_x'", "new «x» in { Nil }");
    rename("new x in { x!(<|>42) }", "y", "refused: there is no name here");
}

#[test]
fn public_channels_are_renamed_in_all_programs() {
    let programs = "--- a.rho\n@\"<|>f\"!(1)\n--- b.rho\ncontract @\"f\"() = { @\"g\"!(1) }\n";
    rename(programs, "h", "--- a.rho\n@\"«f»\"!(1)\n--- b.rho\ncontract @\"«f»\"() = { @\"g\"!(1) }\n");
    rename(programs, "g", "refused: `@\"g\"` is another channel already, in b.rho");
    rename(
        "@{\"<|>f\"}!(1) | @(\"f\")!(2) | @\"f\"!(3)",
        "h",
        "@{\"«f»\"}!(1) | @(\"«f»\")!(2) | @\"«f»\"!(3)",
    );
    rename(programs, "a\"b", "refused: `a\"b` cannot stand in quotes");
}

#[test]
fn what_is_bound_nowhere_is_renamed_where_it_is_alone() {
    rename("contract <|>f() = { f!() }", "g", "contract «f»() = { «f»!() }");
    rename("contract <|>f() = { g!() }", "g", "refused: `g` is mentioned in a.rho already");
    rename(
        "--- a.rho\n<|>f!(1)\n--- b.rho\nf!(2)\n",
        "g",
        "refused: `f` is bound nowhere, and b.rho mentions it too",
    );
}

/// Compares the names that are suggested, without the words of the language.
#[track_caller]
fn suggests(source: &str, expected: &[&str]) {
    let marked = Marked::new(source);
    let found = marked.workspace.suggestions(&marked.path, marked.at);
    let names = found.iter().filter(|suggestion| suggestion.kind != SuggestionKind::Keyword);
    assert_eq!(names.map(|suggestion| suggestion.text.as_str()).collect::<Vec<_>>(), expected);
}

#[test]
fn suggestions_are_what_is_known_there() {
    suggests("new x, y in { for (@z <- x) { <|> } }", &["z", "y", "x"]);
    suggests("new x, y in { for (@z <- <|>x) { z } }", &["y", "x"]);
    suggests("new xy, xz, other in { x<|> }", &["xz", "xy"]);
    suggests("new x in { new x in { <|>Nil } }", &["x"]);
    suggests("match 1 { x => { <|>Nil } y => Nil }", &["x"]);
    suggests("new stdout in { stdout!(\"<|>\") }", &[]);
    suggests("new x in { Nil // <|>\n}", &[]);
    suggests("--- a.rho\nnew x in { @\"<|>\" }\n--- b.rho\ncontract @\"foo\"() = { Nil }\n", &["foo"]);
    suggests("[1].nt<|>", &["nth"]);
}

#[test]
fn suggestions_while_something_is_being_written() {
    suggests("new abc in { abc!(1) | a<|>", &["abc"]);
    suggests("contract f(abc) = { for (@abd <- abc) { abc!(ab<|>", &["abd", "abc"]);
}

#[track_caller]
fn signature(source: &str, expected: &str) {
    let marked = Marked::new(source);
    let shown = match marked.workspace.signatures(&marked.path, marked.at) {
        None => "none".to_owned(),
        Some(help) => {
            let signature = &help.signatures[help.active];
            let parameter = signature.parameters.get(help.active_parameter);
            let label = parameter.map_or("", |parameter| &signature.label[parameter.label.clone()]);
            format!("{} of {}: {label}", signature.label, help.signatures.len())
        }
    };
    assert_eq!(shown, expected);
}

#[test]
fn signatures_of_the_contracts_on_a_channel() {
    let program = "new f in { contract f(a, @b) = { Nil } | contract f(a, @b, ...@c) = { Nil } | ";
    signature(&format!("{program}f!(<|>) }}"), "f(a, @b) of 2: a");
    signature(&format!("{program}f!([1, 2], <|>) }}"), "f(a, @b) of 2: @b");
    signature(&format!("{program}f!(1, 2, <|>3) }}"), "f(a, @b, ...@c) of 2: ...@c");
    signature(&format!("{program}f!(1)<|> }}"), "none");
    signature(&format!("{program}f!?(<|>1). }}"), "f(a, @b) of 2: @b");
    signature(&format!("{program}f!(1, <|>"), "f(a, @b) of 2: @b");
    signature("contract @\"f\"(x) = { Nil } | @\"f\"!(<|>)", "@\"f\"(x) of 1: x");
}

/// Compares the problems, one on each line: severity, code, bytes, message.
#[track_caller]
fn problems(source: &str, expected: &str) {
    let mut workspace = Workspace::default();
    workspace.set("a.rho", source.as_bytes());
    let mut shown = String::new();
    for problem in workspace.problems("a.rho") {
        let severity = match problem.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "hint",
        };
        let (start, end) = (problem.range.start().index(), problem.range.end().index());
        shown += &format!("{severity} {} {start}-{end}: {}\n", problem.code, problem.message);
    }
    assert_eq!(shown.trim_end(), expected);
}

#[test]
fn a_slip_is_one_problem() {
    const OPEN: &str = "the comment is not closed, so that all after it is a part of it";
    problems("new x in { x!(1) } /* unclosed", &format!("error open-comment 19-21: {OPEN}"));
    problems("new x in { x!(1) } /* a\n x!(( | let } *", &format!("error open-comment 19-21: {OPEN}"));
    problems("/*", &format!("error open-comment 0-2: {OPEN}"));
    problems("Nil // /* a\n", "");
    problems("@\"/*\"!(`/*`, \"\\\"/*\") /* */", "");
    const EQUALS: &str = "a pattern is bound with `<-` in a `let`; only a plain name with `=`";
    let equals = |source: &str| {
        let at = source.find("<|>").expect("the place is marked");
        problems(&source.replace("<|>", ""), &format!("error pattern-with-equals {at}-{}: {EQUALS}", at + 1));
    };
    equals("let @x <|>= 1 in { @0!(x) }");
    equals("let @x<|>=1 in { @0!(x) }");
    equals("let @[x, y] <|>= [1, 2] in { @0!(x, y) }");
    equals("let @{\"a\": x ...r} <|>= {\"a\": 1} in { @0!(x, r) }");
    equals("let x, y <|>= 1, 2 in { @0!(*x, *y) }");
    equals("let a = 1; @x <|>= 2 in { @0!(a, x) }");
    equals("let a = 1 & @x <|>= 2 in { @0!(a, x) }");
    equals("new c in { let @x <|>= 1 in { c!(x) } | for (@y <- c) { c!(y) } }");
    equals("let a <- { new b in { let @c <|>= 1 in { b!(c) } } } in { @0!(*a) }");
    problems("let x = 1 in { @0!(x) }", "");
    problems("let x <- 1 in { @0!(*x) }", "");
    problems("let @x <- 1; y = 2 in { if (x == y) { @0!(x) } }", "");
    problems("let @{=x} <- 1 in { Nil }", "error unbound-name 7-8: `x` is not bound");
}

#[test]
fn after_a_slip_is_mended_the_program_is_as_if_it_had_never_been_there() {
    let mut workspace = Workspace::default();
    for text in [
        "x!(1)",
        "x!(1) /*",
        "x!(1) /* y!(2)",
        "x!(1) /* y!(2) */",
        "x!(1) /* y!(2) */ | z!(3)",
        "x!(1)  y!(2) */",
    ] {
        workspace.set("a.rho", text.as_bytes());
        let mut fresh = Workspace::default();
        fresh.set("a.rho", text.as_bytes());
        assert_eq!(workspace.problems("a.rho"), fresh.problems("a.rho"), "{text}");
    }
}

/// Compares the text after all fixes.
#[track_caller]
fn fixed(source: &str, expected: &str) {
    let mut workspace = Workspace::default();
    workspace.set("a.rho", source.as_bytes());
    let mut text = source.to_owned();
    let fixes = workspace.fixes("a.rho", Range::of_indices(0..source.len()));
    for (range, new) in fixes.iter().flat_map(|fix| &fix.edits).rev() {
        text.replace_range(range.indices(), new);
    }
    assert_eq!(text, expected);
}

#[test]
fn what_a_message_names_can_be_written() {
    fixed("new x in { x!(x) }", "new x in { x!(*x) }");
    fixed("for (@x <- @0) { x!(1) }", "for (@x <- @0) { @x!(1) }");
    fixed("new x in { x(1) }", "new x in { x!(1) }");
    fixed("new x in { x!(1)", "new x in { x!(1)}");
    fixed("let @x = 1 in { @0!(x) }", "let @x <- 1 in { @0!(x) }");
    fixed("new x in { Nil }", "new _x in { Nil }");
    fixed("new x in { x!(1) }", "new x in { x!(1) }");
}

#[test]
fn problems_are_where_they_are() {
    problems("new x in { x!(1) }", "");
    problems(
        "print(1)",
        "error missing-send 0-5: there are no calls: this is a send without its `!`\n\
         error unbound-name 0-5: `print` is not bound",
    );
    problems("new x in { x!(1", "error not-closed 13-14: `(` is not closed");
    problems("new x in { x!(1)", "error missing 16-16: `}` is missing here");
    problems("new x in { x!(1) ] }", "error syntax 17-18: `]` is not expected here");
    problems("x!(1)", "error unbound-name 0-1: `x` is not bound");
    problems("new x, _y in { Nil }", "hint unused-name 4-5: `x` is not used");
    problems("for (@x, @x <- @0) { x }", "error duplicate-name 10-11: `x` is bound twice by one pattern");
    // The word `for` is right. The token after the receipt is wrong.
    problems(
        "for (x <- @0) Nil",
        "hint unused-name 5-6: `x` is not used\nerror syntax 14-17: `Nil` is not expected here",
    );
    problems("if 1 { Nil }", "error syntax 3-4: `1` is not expected here");
    problems("new x in { x!(x) }", "error wrong-sort 14-15: `x` is a name, not a process");
    problems("for (@x <- @0) { x!(1) }", "error wrong-sort 17-18: `x` is a process, not a name");
}

#[test]
fn what_only_patterns_have_is_told_elsewhere() {
    problems("new x in { x!(_) }", "error only-in-patterns 14-15: `_` has a meaning in patterns only");
    problems(
        "new x in { x!(1 \\/ 2) }",
        "error only-in-patterns 14-20: `\\/` has a meaning in patterns only",
    );
    problems("new x in { x!(~1) }", "error only-in-patterns 14-16: `~` has a meaning in patterns only");
    problems("new x in { x!(=*x) }", "warning only-in-patterns 14-17: `=` has a meaning in patterns only");
    problems(
        "new x in { x!([1 ...x]) }",
        "warning only-in-patterns 17-21: `...` has a meaning in patterns only\n\
         error wrong-sort 20-21: `x` is a name, not a process",
    );
    problems(
        "new x in { x!(Int) }",
        "warning only-in-patterns 14-17: the name of a type has a meaning in patterns only",
    );
    problems("new x in { for (@{_ /\\ ~Int} , ...@_ <- x) { x!(1 matches Int \\/ _) } }", "");
}

#[test]
fn all_sides_of_a_choice_bind_the_same_names() {
    problems("match 1 { [x] \\/ (x, _) \\/ x => x }", "");
    problems("match 1 { [x, y] \\/ {[x] \\/ (x,) | Set(y)} => x + y }", "");
    problems(
        "match 1 { [x] \\/ [y] => x + y }",
        "error one-sided-name 11-12: `x` is not bound by every side of `\\/`\n\
         error one-sided-name 18-19: `y` is not bound by every side of `\\/`",
    );
    problems(
        "match 1 { x \\/ 1 => x }",
        "error one-sided-name 10-11: `x` is not bound by every side of `\\/`",
    );
    // Names whose scope is inside one side do not count.
    problems(
        "match 1 { {for (x <- @0) { x!(1) }} \\/ {~y} => Nil }",
        "hint unused-name 41-42: `y` is not used",
    );
    problems(
        "match 1 { [x, x] \\/ x => x }",
        "error duplicate-name 14-15: `x` is bound twice by one pattern",
    );
    problems("match 1 { x /\\ [x] => x }", "error duplicate-name 16-17: `x` is bound twice by one pattern");
}

#[test]
fn one_new_makes_a_name_once() {
    problems(
        "new x, y, x in { x!(*y) }",
        "hint unused-name 4-5: `x` is not used\nwarning duplicate-name 10-11: `x` is made twice",
    );
    problems("new x in { new x in { x!(1) } | x!(2) }", "");
}

#[test]
fn every_name_of_let_takes_a_value() {
    problems("let x, @y <- 1, 2 in { x!(y) }", "");
    problems("let x, ...@y <- 1, 2, 3 in { x!(y) } | let ...@_ <- 1 in { Nil }", "");
    problems("let @x, @y <- 1 in { x + y }", "error wrong-count 14-15: 1 value for 2 names");
    problems("let @x <- 1, 2 & @y, ...@_ <- 3 in { x + y }", "error wrong-count 10-14: 2 values for 1 name");
}

#[test]
fn numbers_have_room() {
    problems("9223372036854775807 | -9223372036854775808 | 9223372036854775808n | 1i8 | 2u256", "");
    problems("9223372036854775808", "error wrong-number 0-19: there is no number `9223372036854775808`");
    problems("1i7", "error wrong-number 0-3: there is no number `1i7`");
}

#[test]
fn a_contract_of_another_program_makes_a_warning_of_an_error() {
    let mut workspace = Workspace::default();
    workspace.set("a.rho", b"f!(1)");
    workspace.set("b.rho", b"contract f(x) = { x }");
    let problems = workspace.problems("a.rho");
    assert_eq!(problems[0].severity, Severity::Warning);
    assert_eq!(problems[0].message, "`f` is not bound; b.rho has a contract of this name");
}

#[test]
fn words_have_their_kinds() {
    let text = "new f in { contract f(@a) = { /* c */ [1].nth(a) } | f!(\"s\\n\", Int) }";
    let mut workspace = Workspace::default();
    workspace.set("a.rho", text.as_bytes());
    let tokens = workspace.tokens("a.rho");
    let shown = tokens.iter().map(|token| {
        let declared = if token.is_declaration { "!" } else { "" };
        format!("{}:{:?}{declared}", &text[token.range.indices()], token.kind)
    });
    assert_eq!(
        shown.collect::<Vec<_>>().join(" "),
        "new:Keyword f:Function! in:Keyword contract:Keyword f:Function! @:Operator a:Parameter! =:Operator \
         /* c */:Comment 1:Number nth:Method a:Parameter |:Operator f:Function !:Operator \"s\\n\":String Int:Type"
    );
}

#[test]
fn blocks_lists_and_comments_fold() {
    let text = "// a\n// b\nnew x in {\n  x!([\n    1\n  ])\n}\n/*\n*/";
    let mut workspace = Workspace::default();
    workspace.set("a.rho", text.as_bytes());
    let folds = workspace.folds("a.rho");
    let shown: Vec<_> = folds.iter().map(|fold| &text[fold.range.indices()]).collect();
    assert_eq!(shown, ["// a\n// b", "\n  x!([\n    1\n  ])", "[\n    1\n  ]", "\n    1", "/*\n*/"]);
}

#[test]
fn symbols_by_the_letters_of_their_names() {
    let mut workspace = Workspace::default();
    workspace.set(
        "a.rho",
        b"new makeCell, ack in { contract makeCell(r) = { new get in { contract get() = { Nil } } } }",
    );
    workspace.set(
        "b.rho",
        b"contract @\"mint\"() = { Nil } | agent Counter { constructor() { Nil } | method get() { Nil } }",
    );
    let names = |query: &str| -> Vec<String> {
        let found = workspace.symbols(query);
        found
            .iter()
            .map(|symbol| format!("{}|{}|{}", symbol.container, symbol.name, symbol.kind.word()))
            .collect()
    };
    assert_eq!(names("get"), ["makeCell|get|function", "Counter|get|method"]);
    assert_eq!(names("MC"), ["|makeCell|function"]);
    assert_eq!(names("mint"), ["|mint|function"]);
    assert_eq!(names("ack"), ["|ack|variable"]);
}

#[test]
fn a_program_that_is_taken_out_is_forgotten() {
    let marked = Marked::new("--- a.rho\n@\"<|>f\"!(1)\n--- b.rho\ncontract @\"f\"() = { Nil }\n");
    let mut workspace = marked.workspace;
    assert_eq!(workspace.definition("a.rho", marked.at).len(), 1);
    workspace.remove("b.rho");
    assert_eq!(workspace.definition("a.rho", marked.at), []);
    assert_eq!(workspace.references("a.rho", marked.at).len(), 1);
    workspace.set("b.rho", b"contract @\"g\"() = { Nil }");
    assert_eq!(workspace.definition("a.rho", marked.at), []);
    workspace.set("b.rho", b"contract @\"f\"() = { Nil }");
    assert_eq!(workspace.definition("a.rho", marked.at).len(), 1);
}

#[test]
fn questions_end_when_they_are_asked_to() {
    let marked = Marked::new("@\"<|>x\"!(1) | @\"x\"!(2)");
    let stop = locant_stop::Stop::default();
    stop.ask();
    let stopped = locant_stop::until(&stop, || marked.workspace.references(&marked.path, marked.at));
    assert_eq!(stopped, Err(locant_stop::Stopped));
    assert_eq!(marked.workspace.references(&marked.path, marked.at).len(), 2);
}
