//! Which binder a name means.

mod marked;

use marked::{declaration, definition, no_declaration, references};

#[test]
fn the_examples_of_the_position_tree() {
    // `new x in { x!(42) }`: new 0-3, x 4-5, block 9-19, send 11-17, x 11-12, 42 14-16.
    declaration("new x in { <|>x!(42) }", "new «x» in { x!(42) }");
    // Byte 12 is `!`, right after the word.
    declaration("new x in { x<|>!(42) }", "new «x» in { x!(42) }");
    // Byte 15 is in the number, which is not a name.
    no_declaration("new x in { x!(4<|>2) }");
    declaration("new x, y in { x!(1) | <|>y!(2) }", "new x, «y» in { x!(1) | y!(2) }");
    declaration("new x in {\n  <|>x!(42)\n}", "new «x» in {\n  x!(42)\n}");
    definition("contract <|>foo(x) = { x!(42) }", "contract «foo»(x) = { x!(42) }");
    declaration("new x in { new y in { <|>x!(y) } }", "new «x» in { new y in { x!(y) } }");
    declaration("new x in { new y in { x!(<|>y) } }", "new x in { new «y» in { x!(y) } }");
    declaration("new x in { (<|>x!(42)) }", "new «x» in { (x!(42)) }");
    declaration("new x in { { (*<|>x) } }", "new «x» in { { (*x) } }");
}

#[test]
fn a_place_is_in_a_word_or_right_after_it() {
    declaration("new xyz in { xy<|>z!(1) }", "new «xyz» in { xyz!(1) }");
    declaration("new xyz in { xyz<|>!(1) }", "new «xyz» in { xyz!(1) }");
    no_declaration("new xyz in { xyz!<|>(1) }");
    // A place between a mark and a name belongs to the name.
    declaration("new x in { for (@a <- x) { x!(a+<|>a) } }", "new x in { for (@«a» <- x) { x!(a+a) } }");
    // The place is on `*` or `@`, which belong to the name after them.
    declaration("new x in { x!(<|>*x) }", "new «x» in { x!(*x) }");
    declaration("for (@x <- @Nil) { <|>@x!(1) }", "for (@«x» <- @Nil) { @x!(1) }");
}

#[test]
fn comments_between_the_parts_do_not_matter() {
    declaration(
        "new /* x */ x // x\nin /* x */ { // x\n<|>x /* x */ ! (1) }",
        "new /* x */ «x» // x\nin /* x */ { // x\nx /* x */ ! (1) }",
    );
    no_declaration("new x in { /* <|>x */ x!(1) }");
}

#[test]
fn long_parallel_chains() {
    let chain = "x!(1) | ".repeat(10_000);
    declaration(&format!("new x in {{ {chain}<|>x!(2) }}"), &format!("new «x» in {{ {chain}x!(2) }}"));
}

#[test]
fn new_binds_in_its_body_only() {
    no_declaration("new x in { x!(1) } | <|>x!(2)");
    // The body ends at the `|`.
    no_declaration("new x in x!(1) | <|>x!(2)");
    declaration("new x(`rho:io:stdout`) in { <|>x!(1) }", "new «x»(`rho:io:stdout`) in { x!(1) }");
    declaration("new x in { new x in { <|>x!(1) } }", "new x in { new «x» in { x!(1) } }");
}

#[test]
fn each_name_of_a_bind_has_its_own_place() {
    declaration("for (@a, @b <- @0) { @a!(<|>b) }", "for (@a, @«b» <- @0) { @a!(b) }");
    declaration("for (@a, ...@b <- @0) { @a!(<|>b) }", "for (@a, ...@«b» <- @0) { @a!(b) }");
}

#[test]
fn sources_do_not_know_what_is_bound_beside_them() {
    declaration("new x in { for (x <- <|>x) { x!(1) } }", "new «x» in { for (x <- x) { x!(1) } }");
    declaration("new x in { for (x <- x) { <|>x!(1) } }", "new x in { for («x» <- x) { x!(1) } }");
    declaration(
        "new x, y in { for (x <- y & z <- <|>x) { Nil } }",
        "new «x», y in { for (x <- y & z <- x) { Nil } }",
    );
    declaration("new x in { for (y <- x!?(*<|>x)) { Nil } }", "new «x» in { for (y <- x!?(*x)) { Nil } }");
}

#[test]
fn later_receipts_know_earlier_ones() {
    declaration("for (x <- @0; y <- <|>x) { Nil }", "for («x» <- @0; y <- x) { Nil }");
    declaration("for (x <- @0; x <- x) { <|>x!(1) }", "for (x <- @0; «x» <- x) { x!(1) }");
    declaration("for (x <- @0; x <- <|>x) { x!(1) }", "for («x» <- @0; x <- x) { x!(1) }");
}

#[test]
fn guards_know_everything_that_is_received() {
    declaration(
        "for (@a <- @0 where a == <|>b; @b <- @1) { Nil }",
        "for (@a <- @0 where a == b; @«b» <- @1) { Nil }",
    );
}

#[test]
fn all_kinds_of_binds() {
    declaration("for (@a <= @0) { <|>a }", "for (@«a» <= @0) { a }");
    declaration("for (@a <<- @0) { <|>a }", "for (@«a» <<- @0) { a }");
    declaration("for (@a <- @0?!) { <|>a }", "for (@«a» <- @0?!) { a }");
    declaration("new c in { for (@a <- <|>c!get(1)) { a } }", "new «c» in { for (@a <- c!get(1)) { a } }");
}

#[test]
fn let_one_after_the_other() {
    declaration("let x = 1; y = <|>x in { y }", "let «x» = 1; y = x in { y }");
    declaration("let x = 1; y = x in { <|>y }", "let x = 1; «y» = x in { y }");
    declaration("let @x, @y <- 1, 2 in { x + <|>y }", "let @x, @«y» <- 1, 2 in { x + y }");
    no_declaration("let x = <|>x in { x }");
}

#[test]
fn let_all_at_once() {
    no_declaration("let x = 1 & y = <|>x in { y }");
    declaration("let x = 1 & y = 2 in { <|>x + y }", "let «x» = 1 & y = 2 in { x + y }");
}

#[test]
fn select_branches_are_apart() {
    declaration("select { @x <- @0 => <|>x y <- @1 => Nil }", "select { @«x» <- @0 => x y <- @1 => Nil }");
    no_declaration("select { @x <- @0 => Nil @y <- @1 => <|>x }");
}

#[test]
fn contracts_use_their_name_and_bind_their_parameters() {
    declaration("new f in { contract <|>f(x) = { x!(1) } }", "new «f» in { contract f(x) = { x!(1) } }");
    declaration("contract @0(x, ...@rest) = { x!(<|>rest) }", "contract @0(x, ...@«rest») = { x!(rest) }");
    no_declaration("contract @0(x) = { Nil } | <|>x!(1)");
    declaration(
        "for (@n <- @0) { contract @n(x) = { <|>x!(1) } }",
        "for (@n <- @0) { contract @n(«x») = { x!(1) } }",
    );
    declaration(
        "for (@n <- @0) { contract @<|>n(x) = { x!(1) } }",
        "for (@«n» <- @0) { contract @n(x) = { x!(1) } }",
    );
}

#[test]
fn cases_are_apart() {
    declaration("match 1 { x => <|>x y => Nil }", "match 1 { «x» => x y => Nil }");
    no_declaration("match 1 { x => Nil y => <|>x }");
    declaration("match 1 { x where <|>x > 1 => Nil }", "match 1 { «x» where x > 1 => Nil }");
    declaration("for (@x <- @0) { match <|>x { x => Nil } }", "for (@«x» <- @0) { match x { x => Nil } }");
}

#[test]
fn matches_binds_for_its_pattern_only() {
    no_declaration("if (1 matches x) { <|>x }");
}

#[test]
fn patterns_bind_in_every_place() {
    for pattern in
        ["[a, x]", "(x,)", "Set(x)", "{\"k\": x}", "{x: 1}", "{| x |}", "[1 ...x]", "{\"a\": 1 ...x}"]
    {
        declaration(
            &format!("match 1 {{ {pattern} => <|>x }}"),
            &format!("match 1 {{ {} => x }}", pattern.replace('x', "«x»")),
        );
    }
    // Sends, evaluations and parallel processes.
    declaration("for (@{x!(P)} <- @0) { <|>x!(P) }", "for (@{«x»!(P)} <- @0) { x!(P) }");
    declaration("for (@{x!(P)} <- @0) { x!(<|>P) }", "for (@{x!(«P»)} <- @0) { x!(P) }");
    declaration("for (@{P | Q} <- @0) { <|>Q }", "for (@{P | «Q»} <- @0) { Q }");
    declaration("for (@{*x} <- @0) { <|>x!(1) }", "for (@{*«x»} <- @0) { x!(1) }");
}

#[test]
fn an_input_in_a_pattern_keeps_its_names() {
    let program = "for (@{for (y <- z) { y!(Q) }} <- @0) { z!(Q) | y!(1) }";
    declaration(&program.replacen("z!", "<|>z!", 1), &program.replacen("<- z", "<- «z»", 1));
    declaration(&program.replacen("z!(Q)", "z!(<|>Q)", 1), &program.replacen("y!(Q)", "y!(«Q»)", 1));
    no_declaration(&program.replacen("y!(1)", "<|>y!(1)", 1));
    declaration(&program.replacen("{ y!(Q)", "{ <|>y!(Q)", 1), &program.replacen("(y <-", "(«y» <-", 1));
}

#[test]
fn references_in_patterns_are_uses() {
    declaration(
        "for (@t <- @0) { for (@{=<|>t} <- @1) { t } }",
        "for (@«t» <- @0) { for (@{=t} <- @1) { t } }",
    );
    declaration(
        "for (t <- @0) { for (@{=*<|>t} <- @1) { Nil } }",
        "for («t» <- @0) { for (@{=*t} <- @1) { Nil } }",
    );
    // `=t` does not mean the `t` that the pattern itself binds.
    declaration(
        "for (@t <- @0) { for (@t, @{=<|>t} <- @1) { Nil } }",
        "for (@«t» <- @0) { for (@t, @{=t} <- @1) { Nil } }",
    );
}

#[test]
fn connectives() {
    declaration("match 1 { x /\\ Int => <|>x }", "match 1 { «x» /\\ Int => x }");
    declaration(
        "match 1 { {x /\\ {Int \\/ String}} => <|>x }",
        "match 1 { {«x» /\\ {Int \\/ String}} => x }",
    );
    references("match 1 { [x] \\/ (x,) => <|>x }", "match 1 { [«x»] \\/ («x»,) => «x» }");
    no_declaration("match 1 { ~x => <|>x }");
}

#[test]
fn wildcards_methods_and_words_are_no_names() {
    no_declaration("for (<|>_ <- @0) { _ }");
    no_declaration("new get in { [1].<|>get(0) }");
    no_declaration("match 1 { <|>Int => Nil }");
    no_declaration("new x(<|>`rho:io:stdout`) in { Nil }");
}

#[test]
fn agents() {
    let agent = "new A in { agent A { constructor(@x) { Nil } | method m(r) { r!(x) | return!(*this) } | \
         default(...@a) { a } } }";
    declaration(&agent.replace("r!(x)", "r!(<|>x)"), &agent.replace("(@x)", "(@«x»)"));
    declaration(&agent.replace("r!(", "<|>r!("), &agent.replace("m(r)", "m(«r»)"));
    declaration(&agent.replace("{ a }", "{ <|>a }"), &agent.replace("...@a", "...@«a»"));
    declaration(&agent.replace("agent A", "agent <|>A"), &agent.replace("new A", "new «A»"));
    no_declaration(&agent.replace("return!", "<|>return!"));
}

#[test]
fn words_that_open_nothing_are_names() {
    declaration("new agent in { x!(<|>agent) }", "new «agent» in { x!(agent) }");
    declaration("new in in { <|>in!(1) }", "new «in» in { in!(1) }");
    declaration("new x, in in { <|>in!(1) }", "new x, «in» in { in!(1) }");
}

#[test]
fn every_mention_of_a_name() {
    references(
        "new x in { contract x(y) = { y!(*x) } | for (y <- <|>x) { y!(*x) } | new x in { x!(1) } }",
        "new «x» in { contract «x»(y) = { y!(*«x») } | for (y <- «x») { y!(*«x») } | new x in { x!(1) } }",
    );
    references("new x in { <|>x!(1) }", "new «x» in { «x»!(1) }");
    references("new <|>x in { x!(1) }", "new «x» in { «x»!(1) }");
}

#[test]
fn names_without_their_comma_are_made() {
    let wanted = "new a «b», c in { b!(*a) | c!() }";
    declaration("new a b, c in { <|>b!(*a) | c!() }", wanted);
    references("new a <|>b, c in { b!(*a) | c!() }", "new a «b», c in { «b»!(*a) | c!() }");
    declaration(
        "new abcdefghijklmn b in { <|>abcdefghijklmn!(1) }",
        "new «abcdefghijklmn» b in { abcdefghijklmn!(1) }",
    );
    declaration("new a b { <|>b!(*a) }", "new a «b» { b!(*a) }");
    declaration("new a; b in { <|>a!(*b) }", "new «a»; b in { a!(*b) }");
    // A `new` before a send does not bind the channel.
    declaration("new x in { new x!(1) | <|>x!(2) }", "new «x» in { new x!(1) | x!(2) }");
}
