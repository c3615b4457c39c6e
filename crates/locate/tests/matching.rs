//! Tests the search with a table of cases, against a simple implementation of the rules, and with hostile texts.

use std::ops::ControlFlow;

use locant_locate::{Match, Pattern};
use proptest::prelude::*;

/// The text of every match of `find` in `source`, with `‸` at the place of the marker.
fn shown(find: &str, source: &str) -> Vec<String> {
    let pattern = Pattern::new(find);
    all(&pattern, source.as_bytes())
        .iter()
        .map(|found| {
            let at = pattern.place(source.as_bytes(), found);
            let (before, after) = (&source[found.range.start..at], &source[at..found.range.end]);
            format!("{before}‸{after}{}", if found.partial { " (cut)" } else { "" })
        })
        .collect()
}

fn all(pattern: &Pattern, source: &[u8]) -> Vec<Match> {
    let mut matches = Vec::new();
    pattern.search(source, 0..source.len(), &mut |found: Match| {
        matches.push(found);
        ControlFlow::Continue(())
    });
    matches
}

fn matches(find: &str, sources: &[&str]) {
    for source in sources {
        let found = shown(find, source);
        assert!(found.iter().any(|one| !one.ends_with("(cut)")), "{find:?} in {source:?}: {found:?}");
    }
}

fn rejects(find: &str, sources: &[&str]) {
    for source in sources {
        let found = shown(find, source);
        assert!(found.is_empty(), "{find:?} in {source:?}: {found:?}");
    }
}

fn check(find: &str, source: &str, expected: &[&str]) {
    assert_eq!(shown(find, source), expected, "{find:?} in {source:?}");
}

#[test]
fn blanks_are_mandatory_between_words_and_flexible_beside_punctuation() {
    matches("int a", &["int a", "int  a", "int\n a", "int\u{3000}a", "int\u{85}a"]);
    rejects("int a", &["inta", "int+a", "int", "a int"]);
    matches("a+b", &["a+b", "a + b", "a\n+\tb"]);
    rejects("a+b", &["ab", "a-b"]);
    matches("foo.bar", &["foo.bar", "foo . bar"]);
    rejects("foo.bar", &["foobar"]);
    matches("foo(x, y)", &["foo(x, y)", "foo( x,y )"]);
    rejects("foo(x, y)", &["foo(xy)"]);
    matches("foo()", &["foo()", "foo( )"]);
    rejects("int", &["i n t"]);
    rejects("sel<|>f", &["sel f"]);
}

#[test]
fn the_marker_lands_on_the_token_after_it() {
    check("return <|>result", "return   result", &["return   ‸result"]);
    check("self.<|>value", "self.\n  value", &["self.\n  ‸value"]);
    check("y <<|>> z", "y z", &["y ‸z"]);
    check("foo <|>= 1", "foo=1", &["foo‸=1"]);
    check("foo<|>(x)", "foo (x)", &["foo ‸(x)"]);
}

#[test]
fn the_marker_is_glued_to_the_token_before_it_when_only_its_right_side_has_blanks() {
    check("foo<|> = 1", "foo   = 1", &["foo‸   = 1"]);
    check("foo<|> = 1", "foo=1", &["foo‸=1"]);
    check("foo<|> ", "foo  bar", &["foo‸  "]);
}

#[test]
fn the_marker_at_an_end_is_the_end_of_the_match() {
    check("self.<|>", "self.  x", &["self.‸"]);
    check("<|>foo", "  foo", &["‸foo"]);
    check("<|> foo", "\n  foo", &["‸  foo"]);
    check("foo <|>", "foo  \n", &["foo  ‸"]);
    check("sel<|>f", "self", &["sel‸f"]);
    check("<|>", "anything", &["‸"]);
}

#[test]
fn blanks_at_the_edge_take_the_run_of_their_line() {
    check(" foo", "a  foo", &["‸  foo"]);
    check(" foo", "foo", &[]);
    check(" foo", "a\nfoo", &[]);
    check("\nfoo", "a \n foo", &["‸ \n foo"]);
    check("foo ", "foo\t\n x", &["‸foo\t"]);
    check(" (", "a\n  (", &["‸  ("]);
    check(" (", "a\n(", &["‸("]);
    check(") ", ")  \n", &["‸)  "]);
}

#[test]
fn blanks_alone_match_every_run() {
    check(" ", "a  b\tc", &["‸  ", "‸\t"]);
    check(" ", " \n ", &["‸ ", "‸ "]);
    check("\n", "a \n b", &["‸ \n "]);
    check("\t<|>", "a  b", &["  ‸"]);
    check(" ", "ab", &[]);
}

#[test]
fn a_match_that_cuts_a_word_says_so() {
    check("int", "print( int(", &["‸int (cut)", "‸int"]);
    check("a b", "xa by", &["‸a b (cut)"]);
    check("é", "é", &["‸é"]);
    check("e", "caf\u{65}\u{301}", &["‸e (cut)"]);
    check("naïf", "naïfs naïf", &["‸naïf (cut)", "‸naïf"]);
    check("变量", "变量名 变量", &["‸变量 (cut)", "‸变量"]);
}

#[test]
fn matches_may_overlap() {
    check("a a", "a a a", &["‸a a", "‸a a"]);
    check("aa", "aaa", &["‸aa (cut)", "‸aa (cut)"]);
    check("((", "(((", &["‸((", "‸(("]);
    check("testest", "testestest", &["‸testest (cut)", "‸testest (cut)"]);
}

#[test]
fn bytes_that_are_no_characters_match_nothing_and_shift_nothing() {
    let source = b"caf\xe9 \xff return\xfe x\xc3";
    let pattern = Pattern::new("return");
    assert_eq!(all(&pattern, source), [Match { range: 7..13, partial: false }]);
    assert!(all(&Pattern::new("return x"), source).is_empty(), "a bad byte is no blank");
}

/// A simple implementation of the rules: turns the find into a regular expression and tries it at every character.
fn reference(find: &str, source: &str) -> Vec<(usize, usize)> {
    #[derive(PartialEq, Clone, Copy)]
    enum Kind {
        Word,
        Blank,
        Mark,
    }
    let kind = |c: char| match c {
        c if c.is_whitespace() => Kind::Blank,
        c if unicode_word(c) => Kind::Word,
        _ => Kind::Mark,
    };
    let mut tokens: Vec<(Kind, String)> = Vec::new();
    for c in find.chars() {
        match tokens.last_mut() {
            Some((last, text)) if *last == kind(c) && *last != Kind::Mark => text.push(c),
            _ => tokens.push((kind(c), c.to_string())),
        }
    }
    let mut expression = String::new();
    for (at, (kind, text)) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| tokens[at].0);
        let after = tokens.get(at + 1).map(|token| token.0);
        let gap = r"[\s\u{85}]*";
        match kind {
            Kind::Blank => {
                let is_edge = before.is_none() || after.is_none();
                let run =
                    if is_edge && !text.contains(['\n', '\r']) { r"[\s\u{85}--\n\r]" } else { r"[\s\u{85}]" };
                let touches_mark = before == Some(Kind::Mark) || after == Some(Kind::Mark);
                expression += &format!("{run}{}", if touches_mark { "*" } else { "+" });
            }
            _ => {
                if before.is_some_and(|before| before != Kind::Blank) {
                    expression += gap;
                }
                expression += &regex::escape(text);
            }
        }
    }
    // Leading blanks of a pattern match a whole run of blanks, so a match can start only where the run starts.
    let expression = regex::Regex::new(&format!("^(?:{expression})")).expect("a valid expression");
    let leading_run =
        tokens.first().filter(|token| token.0 == Kind::Blank).map(|token| token.1.contains(['\n', '\r']));
    let starts = source.char_indices().map(|(at, _)| at).filter(|&at| match leading_run {
        None => true,
        Some(crosses) => {
            let previous = source[..at].chars().next_back();
            let goes_on = |c: char| c.is_whitespace() && (crosses || !matches!(c, '\n' | '\r'));
            let is_inside_run = source[at..].chars().next().is_some_and(goes_on) || tokens.len() > 1;
            !(previous.is_some_and(goes_on) && is_inside_run)
        }
    });
    starts.filter_map(|at| expression.find(&source[at..]).map(|found| (at, at + found.end()))).collect()
}

fn unicode_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// Texts made of a few different tokens, so that much repeats and almost matches.
fn hostile() -> impl Strategy<Value = String> {
    let piece =
        prop::sample::select(vec!["a", "aa", "b", " ", "  ", "\n", "\r\n", "(", ".", "é", "变", "\u{3000}"]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn the_fast_way_finds_what_the_rules_say(find in hostile(), source in hostile()) {
        let find: String = find.chars().take(8).collect();
        prop_assume!(!find.is_empty());
        let found: Vec<_> = all(&Pattern::new(&find), source.as_bytes())
            .into_iter().map(|found| (found.range.start, found.range.end)).collect();
        prop_assert_eq!(found, reference(&find, &source), "{:?} in {:?}", find, source);
    }

    /// Long texts with much repetition make the search switch to its worst-case algorithms. They must find the same
    /// matches.
    #[test]
    fn the_linear_way_finds_what_the_rules_say(find in hostile(), source in hostile(), n in 100usize..400) {
        let find: String = find.chars().take(30).collect();
        prop_assume!(!find.is_empty());
        let source = source.repeat(n);
        let found: Vec<_> = all(&Pattern::new(&find), source.as_bytes())
            .into_iter().map(|found| (found.range.start, found.range.end)).collect();
        prop_assert_eq!(found, reference(&find, &source), "{:?} in {:?}", find, source);
    }

    #[test]
    fn any_bytes_are_searched_without_panic(find in any::<String>(), source in any::<Vec<u8>>()) {
        let pattern = Pattern::new(&find);
        for found in all(&pattern, &source) {
            let place = pattern.place(&source, &found);
            prop_assert!(found.range.start <= place && place <= found.range.end);
        }
    }
}
