//! Contracts: declarations that differ from definitions, several contracts on one name, and one channel in several
//! programs.

mod marked;

use marked::{declaration, definition, references};

#[test]
fn the_declaration_is_new_and_the_definition_is_the_contract() {
    let program = "new f in { contract f(x) = { x!(1) } | f!(2) }";
    declaration(&program.replace("f!(2)", "<|>f!(2)"), &program.replace("new f", "new «f»"));
    definition(&program.replace("f!(2)", "<|>f!(2)"), &program.replace("contract f", "contract «f»"));
    // Without a contract, declaration and definition are the binder.
    definition("new f in { <|>f!(2) }", "new «f» in { f!(2) }");
}

const OVERLOADS: &str = "new f in {\n\
    contract f(a) = { Nil } |\n\
    contract f(@\"get\", b) = { Nil } |\n\
    contract f(@\"set\", c) = { Nil } |\n\
    contract f(@Int, d) = { Nil } |\n\
    contract f(e, g, ...@h) = { Nil } |\n";

#[track_caller]
fn reaches(send: &str, contracts: &[&str]) {
    let mut expected = format!("{OVERLOADS}{}}}", send.replace("<|>", ""));
    for contract in contracts {
        expected = expected.replace(contract, &contract.replace("f(", "«f»("));
    }
    definition(&format!("{OVERLOADS}{send}}}"), &expected);
}

#[test]
fn the_number_of_arguments_tells_contracts_apart() {
    reaches("<|>f!(1)", &["f(a)"]);
    reaches("<|>f!(1, 2, 3)", &["f(e, g, ...@h)"]);
    reaches("<|>f!(\"get\", 2, 3, 4)", &["f(e, g, ...@h)"]);
}

#[test]
fn literals_tell_contracts_apart() {
    reaches("<|>f!(\"get\", 2)", &["f(@\"get\", b)", "f(e, g, ...@h)"]);
    reaches("<|>f!(\"set\", 2)", &["f(@\"set\", c)", "f(e, g, ...@h)"]);
    reaches("<|>f!(7, 2)", &["f(@Int, d)", "f(e, g, ...@h)"]);
    reaches("<|>f!([], 2)", &["f(e, g, ...@h)"]);
}

#[track_caller]
fn tells_apart(one: &str, other: &str, sent: &str) {
    let program = format!(
        "new f in {{ contract f(@{one}) = {{ Nil }} | contract f(@{other}) = {{ Nil }} | f!({sent}) }}"
    );
    let marked = program.replacen("contract f", "contract «f»", 1);
    definition(&program.replace("| f!", "| <|>f!"), &marked);
}

#[test]
fn literals_inside_of_collections_tell_contracts_apart() {
    tells_apart("{\"type\": \"get\" ...r}", "{\"type\": \"set\" ...r}", "{\"type\": \"get\", \"key\": 1}");
    tells_apart("{\"type\": \"get\"}", "{\"type\": \"set\"}", "{\"type\": \"get\"}");
    tells_apart("{\"get\": k}", "{\"set\": k}", "{\"get\": 1}");
    tells_apart("{\"a\": x}", "{\"a\": x, \"b\": y}", "{\"a\": 1}");
    tells_apart("{\"a\": [1, x]}", "{\"a\": [2, x]}", "{\"a\": [1, 2]}");
    tells_apart("[\"get\", x]", "[\"set\", x]", "[\"get\", 1]");
    tells_apart("[\"get\" ...x]", "[\"set\" ...x]", "[\"get\", 1, 2]");
    tells_apart("[x]", "[x, y]", "[1]");
    tells_apart("(\"get\", x)", "(\"set\", x)", "(\"get\", 1)");
    tells_apart("(1, (2, x))", "(1, (3, x))", "(1, (2, 3))");
    tells_apart("Set(\"get\" ...x)", "Set(\"set\" ...x)", "Set(1, \"get\")");
    tells_apart("[Int, x]", "[String, x]", "[1, 2]");
}

#[test]
fn collections_of_what_is_not_known_reach_all() {
    for (one, other, sent) in [
        ("{\"a\": 1 ...r}", "{\"b\": 1 ...r}", "{*f: 1}"),
        ("{\"a\": 1}", "{\"a\": 2}", "{\"a\": *f}"),
        ("[1, x]", "[2, x]", "[*f, 1]"),
        ("Set(1)", "Set(2)", "Set(*f)"),
        ("{x: 1}", "{y: 1}", "{\"a\": 1}"),
    ] {
        let program = format!(
            "new f in {{ contract f(@{one}) = {{ Nil }} | contract f(@{other}) = {{ Nil }} | f!({sent}) }}"
        );
        let marked = program.replace("contract f", "contract «f»");
        definition(&program.replace("| f!", "| <|>f!"), &marked);
    }
}

#[test]
fn what_is_not_known_reaches_all_that_take_as_many() {
    let all = ["f(@\"get\", b)", "f(@\"set\", c)", "f(@Int, d)", "f(e, g, ...@h)"];
    reaches("for (@x <- @0) { <|>f!(x, 2) }", &all);
}

#[test]
fn none_that_fits_is_all_of_them() {
    reaches("<|>f!()", &["f(a)", "f(@\"get\", b)", "f(@\"set\", c)", "f(@Int, d)", "f(e, g, ...@h)"]);
}

#[test]
fn sends_that_wait_bring_a_channel_for_the_reply() {
    let program = "new f in { contract f(a) = { Nil } | contract f(a, b) = { Nil } | f!?(1). }";
    definition(&program.replace("f!?", "<|>f!?"), &program.replace("contract f(a, b)", "contract «f»(a, b)"));
    let program = "new f in { contract f(r, @\"get\", k) = { Nil } | \
                   contract f(r, @\"set\", k) = { Nil } | f!set(1). }";
    definition(
        &program.replace("f!set", "<|>f!set"),
        &program.replace("contract f(r, @\"set\"", "contract «f»(r, @\"set\""),
    );
}

#[test]
fn the_cursor_on_a_contract_means_that_contract() {
    let program = "new f in { contract f(a) = { Nil } | contract f(b) = { Nil } }";
    definition(&program.replace("f(b)", "<|>f(b)"), &program.replace("contract f(b)", "contract «f»(b)"));
}

#[test]
fn a_string_is_the_same_channel_everywhere() {
    definition(
        "--- a.rho\n@\"f<|>oo\"!(42)\n--- b.rho\ncontract @\"foo\"(x) = { Nil }\n",
        "--- a.rho\n@\"foo\"!(42)\n--- b.rho\ncontract @\"«foo»\"(x) = { Nil }\n",
    );
    for cursor in ["<|>@\"foo\"", "@<|>\"foo\"", "@\"<|>foo\"", "@\"foo<|>\"", "@\"foo\"<|>"] {
        references(
            &format!(
                "--- a.rho\n{cursor}!(42)\n--- b.rho\ncontract @\"foo\"(x) = {{ @\"bar\"!(*@\"foo\") }}\n"
            ),
            "--- a.rho\n@\"«foo»\"!(42)\n--- b.rho\ncontract @\"«foo»\"(x) = { @\"bar\"!(*@\"«foo»\") }\n",
        );
    }
}

#[test]
fn braces_and_parentheses_around_a_string_change_nothing() {
    let program = "contract @{\"f\"}(@x, @y) = { Nil } | @{\"f\"}!(1, 2) | @\"f\"!(1, 2) | @({\"f\"})!(1, 2)";
    let contract = program.replacen("\"f\"", "\"«f»\"", 1);
    for (send, marked) in [
        ("| @{\"f\"}", "| <|>@{\"f\"}"),
        ("| @{\"f\"}", "| @{<|>\"f\"}"),
        ("@\"f\"!", "@\"<|>f\"!"),
        ("@({\"f\"})", "@({\"f<|>\"})"),
    ] {
        definition(&program.replace(send, marked), &contract);
    }
}

#[test]
fn a_string_in_a_pattern_is_no_channel() {
    references("contract @\"a\"(@\"b\") = { @\"<|>b\"!(1) }", "contract @\"a\"(@\"b\") = { @\"«b»\"!(1) }");
}

#[test]
fn a_bare_name_of_another_program_is_a_guess() {
    definition(
        "--- a.rho\n<|>foo!(42)\n--- b.rho\nnew foo in { contract foo(x) = { Nil } }\n",
        "--- a.rho\nfoo!(42)\n--- b.rho\nnew foo in { contract ‹foo›(x) = { Nil } }\n",
    );
    // A contract of the same program comes before others, and a binder comes before both.
    definition(
        "--- a.rho\ncontract foo(x) = { Nil } | <|>foo!(42)\n--- b.rho\ncontract foo(x) = { Nil }\n",
        "--- a.rho\ncontract «foo»(x) = { Nil } | foo!(42)\n--- b.rho\ncontract foo(x) = { Nil }\n",
    );
    definition(
        "--- a.rho\nnew foo in { <|>foo!(42) }\n--- b.rho\ncontract foo(x) = { Nil }\n",
        "--- a.rho\nnew «foo» in { foo!(42) }\n--- b.rho\ncontract foo(x) = { Nil }\n",
    );
}

#[test]
fn contracts_inside_of_others_are_not_known_outside() {
    definition(
        "--- a.rho\n<|>inner!(42)\n--- b.rho\ncontract @0() = { new inner in { contract inner() = { Nil } } }\n",
        "--- a.rho\ninner!(42)\n--- b.rho\ncontract @0() = { new inner in { contract inner() = { Nil } } }\n",
    );
}

#[test]
fn a_name_that_nothing_binds_is_the_same_in_its_program_and_likely_elsewhere() {
    references(
        "--- a.rho\n<|>foo!(1) | foo!(2)\n--- b.rho\nfoo!(3) | new foo in { foo!(4) }\n",
        "--- a.rho\n«foo»!(1) | «foo»!(2)\n--- b.rho\n‹foo›!(3) | new foo in { foo!(4) }\n",
    );
}
