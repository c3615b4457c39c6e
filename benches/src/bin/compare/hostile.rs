//! Measures finds with texts and patterns that are designed to be slow.

use anyhow::{Context, Result};
use locant_bench::measure::{Entry, Row, best, gigabytes_per_second};
use locant_bench::random::Random;
use locant_engine::{Document, Location, locate};
use locant_locate::Pattern;

use crate::{Setting, find::count};

const N_BYTES: usize = 40_000_000;
const N_ROUNDS: usize = 3;
const GOAL: f64 = 0.3;

struct Case {
    name: &'static str,
    text: String,
    find: String,
}

pub(crate) fn rows(_: &Setting) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for make in CASES {
        rows.push(row(&make())?);
    }
    Ok(rows)
}

/// Measures a search for all matches, and the whole answer of the engine. If nothing is found, the answer includes
/// hints.
fn row(case: &Case) -> Result<Row> {
    let pattern = Pattern::new(&case.find);
    let location =
        Location { path: "hostile.txt".to_owned(), find: Some(case.find.clone()), ..Location::default() };
    let fresh = || Document::new("hostile.txt", case.text.clone()).ok();
    let document = fresh().context("the text is no document")?;
    let mut entries: Vec<Entry<'_>> = vec![
        ("search", Box::new(|| Box::new(count(&pattern, case.text.as_bytes())))),
        ("answer", Box::new(|| Box::new(locate(&document, &location)))),
    ];
    let times = best(N_ROUNDS, &mut entries);
    let rates = [0, 1].map(|entry: usize| gigabytes_per_second(case.text.len(), times[entry]));
    let row = Row {
        what: format!("hostile: {}", case.name),
        ours: format!("{:.2} GB/s", rates[0]),
        theirs: format!("whole answer {:.2} GB/s", rates[1]),
        ratio: None,
        goal: None,
    };
    Ok(row.goal(&format!("≥ {GOAL} GB/s"), rates[0] >= GOAL && rates[1] >= GOAL))
}

const CASES: &[fn() -> Case] = &[
    || case("blanks, `a b`", " ", "a b"),
    || case("`a` and 40 MB of blanks, `a b`", " ", "a b").starting_with("a"),
    || case("line breaks, `a ( b`", "\n", "a ( b"),
    || case("`a a a …`, 500 `a` and a `b`", "a ", &("a ".repeat(500) + "b")),
    || case("`a a a …`, `b` and 500 `a`", "a ", &("b".to_owned() + &" a".repeat(500))),
    || case("`a a a …`, 500 `a`: all match", "a ", &"a ".repeat(500)),
    || case("`b` after each 499 `a`, `b` after 500", &("a ".repeat(499) + "b "), &("a ".repeat(500) + "b")),
    || case("`b` after each 7 `a`, `b` after 8", &("a ".repeat(7) + "b "), &("a ".repeat(8) + "b")),
    || case("`x` after each 63 `(`, `x` after 64", &("(".repeat(63) + "x"), &("(".repeat(64) + "x")),
    || case("`f(f(f(…`, `f(f(f(f(x`", "f(", "f(f(f(f(x"),
    || case("`foo bar foo bar …`, `foo bar bar`", "foo bar ", "foo bar bar"),
    || case("`self.self.…`, 10 `self.` and `me`", "self.", &("self.".repeat(10) + "me")),
    || case("`((((…`, `((((x`", "(", "((((x"),
    || case("`((((…`, 300 `(` and `x`", "(", &("(".repeat(300) + "x")),
    || case("`((((…`, `(((`: all match", "(", "((("),
    || case("`aaaa…`, 200 letters `a` and `b c`", "a", &("a".repeat(200) + "b c")),
    || case("`aaaa…`, `aaaa`: all match", "a", "aaaa"),
    || case("`aaaa…`, `aaaa (`", "a", "aaaa ("),
    || case("`ab ab ab …`, 100 times and `ac`", "ab ", &("ab ".repeat(100) + "ac")),
    || case("`ab ab ab …`, `ab ab`: all match", "ab ", "ab ab"),
    || case("long names, a name with another end", &("x".repeat(9_999) + " "), &("x".repeat(9_998) + "y")),
    || case("long names, the end of one and a word", &("x".repeat(9_999) + " "), "x y"),
    || case("`a.a.a.…`, 200 `a.` and `b`", "a.", &("a.".repeat(200) + "b")),
    || case("`a   .   a   .`, `a.a.b`", "a   .   ", "a.a.b"),
    || case("one word, then 1,000 different words", "w ", &thousand_words()),
    || {
        case(
            "1,000 different words, the last another",
            &(thousand_words() + " "),
            &(thousand_words() + " no"),
        )
    },
    || case("astral characters, `😀 😀 b`", "😀", "😀 😀 b"),
    || case("wide blanks, `a b`", "\u{3000}", "a b").starting_with("a"),
    || case("`é é é …`, 100 `é` and `b`", "é ", &("é ".repeat(100) + "b")),
    || case("`a\\r a\\r …`, `a a b`", "a\r ", "a a b"),
    || case("`( x` after each 129 `(`, 130", &("(".repeat(129) + " x "), &("(".repeat(130) + "x")),
    || case("`a a a …`, ` a `: all match", "a ", " a "),
    || case("`xa xa …`, `a`: all match, all cut a word", "xa ", "a"),
    || case("`变变…`, `变变`: all match", "变", "变变"),
    || case("words of 9 letters, two of them: all match", "abcdefghi ", "abcdefghi abcdefghi"),
    || case("`aaaa…`, 64 letters `a`: all match", "a", &"a".repeat(64)),
    || case("`(` before each 50 blanks, ` ( `: all match", &("(".to_owned() + &" ".repeat(50)), " ( "),
    || case("`a a a …`, 59 `a`: all match", "a ", &"a ".repeat(59)),
    || mixed("`a`, `b`, `(` and blanks at random, `a ( b`", &["a", "b", "(", " "], "a ( b"),
    || mixed("`a` and blanks at random, `a`", &["a", " "], "a"),
    || mixed("`a` and blanks at random, a blank", &["a", " "], " "),
    || mixed("`a` and `b` at random, `ab`", &["a", "b"], "ab"),
    || mixed("`(` and `)` at random, 20 of them", &["(", ")"], &"()((".repeat(5)),
    || mixed("`(` and `)` at random, 500 of them", &["(", ")"], &"()((".repeat(125)),
    || case("`a a a …`, 30 `a`: all match", "a ", &"a ".repeat(30)),
    || mixed("`foo` and `bar` at random, 20 of them", &["foo ", "bar "], &"foo bar foo foo ".repeat(5)),
    || mixed("`foo` and `bar` at random, 200 of them", &["foo ", "bar "], &"foo bar foo foo ".repeat(50)),
    || mixed("words of 1 to 7 letters at random", &["a ", "abc ", "abcdefg ", "ab ", "("], "a abc abcdefg ("),
    || mixed("scripts at random, `é → 變`", &["é", "→", "😀", "變"], "é → 變"),
    || mixed("any of 1,920 characters at random, or `é`: `é`", &two_byte_characters(), "é"),
    || mixed("accents at random, `e é e`", &["e", "e\u{301}", " "], "e e\u{301} e"),
    || mixed("line breaks at random, `a` and `a` below", &["a", "\r\n", "\n", "\r"], "a\na"),
];

fn case(name: &'static str, unit: &str, find: &str) -> Case {
    Case { name, text: unit.repeat(N_BYTES / unit.len()), find: find.to_owned() }
}

/// A text of random pieces, which defeats the branch prediction of processors.
fn mixed(name: &'static str, pieces: &[impl AsRef<str>], find: &str) -> Case {
    let mut random = Random::new(29);
    let mut text = String::with_capacity(N_BYTES + 16);
    while text.len() < N_BYTES {
        text.push_str(pieces[random.below(pieces.len())].as_ref());
    }
    Case { name, text, find: find.to_owned() }
}

/// Every character of two bytes, with an `é` after each. The search remembers some characters, but not this many.
fn two_byte_characters() -> Vec<String> {
    ('\u{80}'..'\u{800}').flat_map(|character| [character, 'é']).map(String::from).collect()
}

fn thousand_words() -> String {
    (0..1000).map(|n| format!("w{n}")).collect::<Vec<_>>().join(" ")
}

impl Case {
    fn starting_with(mut self, start: &str) -> Case {
        self.text.insert_str(0, start);
        self
    }
}
