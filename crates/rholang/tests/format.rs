//! The layout of programs: what the new text is, and what stays the same.

mod laid_out;

use std::fs;
use std::path::Path;

use laid_out::{difference, formatted};
use locant_names::Names;
use locant_rholang::Workspace;
use locant_text::Range;
use proptest::prelude::*;

#[track_caller]
fn check(text: &str, expected: &str) {
    let new = formatted(text.as_bytes()).expect("it has no syntax errors");
    assert_eq!(String::from_utf8_lossy(&new), expected);
    assert_eq!(difference(text.as_bytes()), None);
}

#[test]
fn tokens_on_a_line_have_their_spaces() {
    check("new x,y( `rho:a` )in{x ! (1,*y)|y!!( )}", "new x, y(`rho:a`) in { x!(1, *y) | y!!() }\n");
    check(
        "for(@{x/\\Int},...@r<-y&_<=z;w<<-@ \"a\"){Nil}",
        "for (@{x /\\ Int}, ...@r <- y & _ <= z; w <<- @\"a\") { Nil }\n",
    );
    check(
        "contract  f(@x,...@y)={match x{[a ,b ... c]=>{\"k\" :1}{|a|}=>bundle+{ *z}_=>Set( 1,...a)}}",
        "contract f(@x, ...@y) = { match x { [a, b ...c] => {\"k\": 1} {| a |} => bundle+{*z} _ => Set(1, ...a) } }\n",
    );
    check(
        "if(not a==-1 and b - -1<2){x!?(1) .}else Nil",
        "if (not a == -1 and b - -1 < 2) { x!?(1). } else Nil\n",
    );
    check("let x=1;@y<-[ ] , { } in x . m( ) . n(y,)", "let x = 1; @y <- [], {} in x.m().n(y,)\n");
    check(
        "x!m(1);y!?(2);match =*z{1 .a()=>~ Nil\\/()}",
        "x!m(1); y!?(2); match =*z { 1 .a() => ~Nil \\/ () }\n",
    );
    check(
        "select{x<-y?! ;@1<-w!?(2)where true=>x!(BigInt(1))}",
        "select { x <- y?!; @1 <- w!?(2) where true => x!(BigInt(1)) }\n",
    );
}

#[test]
fn what_a_bracket_opens_at_the_end_of_a_line_is_indented() {
    check("new x in\n{\n\n\nx!(1)|\n\n\nx!(2)\n\n}", "new x in {\n  x!(1) |\n\n  x!(2)\n}\n");
    check("x!([\n1,\n{\n\"a\":2},\n])", "x!([\n  1,\n  {\n    \"a\": 2\n  },\n])\n");
    check("x!(1,\n[2,\n3])", "x!(1,\n  [2,\n    3])\n");
    check(
        "match x {\n1=>\na!(1)\n_ => {\nNil\n}}",
        "match x {\n  1 =>\n    a!(1)\n  _ => {\n    Nil\n  }\n}\n",
    );
    check(
        "contract f(x) = {\n    x!(1)\n}|\ncontract g(x) = {\n    Nil\n}",
        "contract f(x) = {\n    x!(1)\n} |\ncontract g(x) = {\n    Nil\n}\n",
    );
}

#[test]
fn a_process_on_several_lines_shows_what_belongs_to_it() {
    check("new\nx,\ny\nin {\nx!(1)\n| y!(2)\n}", "new\n  x,\n  y\nin {\n  x!(1)\n  | y!(2)\n}\n");
    check("new x,\ny in\nnew z in\nx!(1)", "new x,\n    y in\nnew z in\n  x!(1)\n");
    check("for(x<-y&\nz<-w){\nNil\n}", "for (x <- y &\n    z <- w) {\n  Nil\n}\n");
    check(
        "if (a)\nx!(1)\nelse if (b)\nx!(2)\nelse {\nNil\n}",
        "if (a)\n  x!(1)\nelse if (b)\n  x!(2)\nelse {\n  Nil\n}\n",
    );
    check(
        "x!(\na ++\nb ++\nc,\na\n.m()\n.n()\n)",
        "x!(\n  a ++\n    b ++\n    c,\n  a\n    .m()\n    .n()\n)\n",
    );
}

#[test]
fn comments_stay_where_they_are() {
    check(
        "// a\n\n\n/* b\n* c\n */\nnew x in { // d\n// e\nx!(1) |   // f\n// g\nx!( /* h */2)\n// i\n}// j",
        "// a\n\n/* b\n * c\n */\nnew x in { // d\n  // e\n  x!(1) | // f\n  // g\n  x!(/* h */ 2)\n  // i\n} // j\n",
    );
    check("/* a */  new x in { Nil }", "/* a */ new x in { Nil }\n");
    check("new x // a\nin\n// b\n{ x!(1) }", "new x // a\nin\n// b\n{ x!(1) }\n");
    check("", "");
    check("\u{feff}  // a  \r\n\r\nNil", "\u{feff}// a  \r\n\r\nNil\r\n");
}

#[test]
fn a_program_with_syntax_errors_is_left_as_it_is() {
    for (text, code) in [
        ("new x in {", "missing"),
        ("f(x)", "missing-send"),
        ("Nil /* a", "open-comment"),
        ("let @x = 1 in Nil", "pattern-with-equals"),
    ] {
        let mut workspace = Workspace::default();
        workspace.set("a.rho", text.as_bytes());
        assert_eq!(workspace.format("a.rho", None).expect_err("it is broken").code, code);
    }
}

#[test]
fn a_part_is_laid_out_by_whole_lines() {
    let text = "new  x in {\nx!(1)|\nx!(2)|\nx!(3)}\n";
    let mut workspace = Workspace::default();
    workspace.set("a.rho", text.as_bytes());
    let part = workspace.format("a.rho", Some(Range::of_indices(19..26))).expect("it has no syntax errors");
    let mut new = text.to_owned();
    for one in part.iter().rev() {
        new.replace_range(one.range.indices(), &one.text);
    }
    assert_eq!(new, "new  x in {\nx!(1)|\n  x!(2) |\nx!(3)}\n");
}

/// All programs of the corpus, and of the lists of programs that the grammar takes and refuses.
fn programs() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut programs = vec![include_str!("cell.rho").to_owned()];
    for entry in fs::read_dir(folder.join("grammar/corpus")).expect("the corpus is there").flatten() {
        let markdown = fs::read_to_string(entry.path()).expect("a case file is text");
        let blocks = markdown.split("```rholang\n").skip(1);
        programs.extend(blocks.filter_map(|block| block.split("\n```").next()).map(str::to_owned));
    }
    for list in ["grammar/taken.txt", "grammar/refused.txt"] {
        let list = fs::read_to_string(folder.join(list)).expect("the list is there");
        programs.extend(list.lines().map(str::to_owned));
    }
    programs
}

#[test]
fn every_program_keeps_what_it_is() {
    let programs = programs();
    assert!(programs.len() > 200);
    for program in programs {
        assert_eq!(difference(program.as_bytes()), None, "{program}");
    }
}

#[test]
fn deep_nesting_takes_no_stack() {
    let nested = |open: &str, close: &str| format!("{}x{}", open.repeat(5_000), close.repeat(5_000));
    let texts = [nested("(", ")"), nested("{\n", "}"), nested("new x in {", "\n}"), nested("@*", "")];
    let laid_out = std::thread::Builder::new().stack_size(1 << 18).spawn(move || {
        for text in texts {
            formatted(text.as_bytes());
        }
    });
    laid_out.expect("a thread starts").join().expect("nothing overflows");
}

/// A program with random blanks and comments between its words.
fn sown() -> impl Strategy<Value = String> {
    let blanks = [
        " ",
        "  ",
        "\t",
        "\n",
        "\n\n",
        "  \n\n\n ",
        "\r\n",
        " /* c */ ",
        " // c\n",
        "\n/* d\n* e */\n",
        "\n  // f\n",
    ];
    let seams = prop::collection::vec(prop::sample::select(blanks.to_vec()), 64);
    (prop::sample::select(programs()), seams).prop_map(|(program, seams)| {
        // Blanks inside of strings and comments must stay.
        if program.contains(['"', '`', '/']) {
            return program;
        }
        let words = program.split_whitespace().zip(seams.iter().cycle());
        words.map(|(word, seam)| format!("{word}{seam}")).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_program_keeps_what_it_is(program in sown()) {
        prop_assert_eq!(difference(program.as_bytes()), None, "{}", program);
    }

    #[test]
    fn any_words_keep_what_they_are(words in prop::collection::vec(prop::sample::select(vec![
        "new", "x", "y", "in", "{", "}", "(", ")", "for", "<-", "|", "contract", "=", "@", "*", "!", "!?", "match",
        "=>", "_", "let", ";", "&", "[", "]", ",", "\"s\"", "1", "-", "/", "~", "\n", "// c\n", "/* c */",
        "1.5f32", ".",
        "Nil",
    ]), 0..30)) {
        prop_assert_eq!(difference(words.join(" ").as_bytes()), None);
        prop_assert_eq!(difference(words.concat().as_bytes()), None);
    }

    #[test]
    fn any_bytes_keep_what_they_are(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        prop_assert_eq!(difference(&bytes), None);
    }
}
