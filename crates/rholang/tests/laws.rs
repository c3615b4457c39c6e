//! Laws for any text. Every question has an answer. Answers do not depend on the edits that led to the text. Names keep
//! their meaning when code elsewhere is broken.

use std::fmt::Write as _;
use std::path::Path;
use std::{fs, thread};

use locant_names::Names;
use locant_rholang::Workspace;
use locant_text::Offset;
use proptest::prelude::*;

/// The programs of the corpus, including those with errors.
fn corpus() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammar/corpus");
    let mut programs = Vec::new();
    for entry in fs::read_dir(folder).expect("the corpus is there").flatten() {
        let markdown = fs::read_to_string(entry.path()).expect("a case file is text");
        let blocks = markdown.split("```rholang\n").skip(1);
        programs.extend(blocks.filter_map(|block| block.split("\n```").next()).map(str::to_owned));
    }
    programs.push(CELL.to_owned());
    programs
}

/// A program of a usual size that uses most constructs of the language.
const CELL: &str = include_str!("cell.rho");

/// Asks every question at every place of a text. Returns all answers as one string.
fn ask_everything(text: &[u8]) -> String {
    let mut workspace = Workspace::default();
    workspace.set("a.rho", text);
    let mut said = String::new();
    for at in (0..=text.len()).map(Offset::of_index) {
        let _ = write!(said, "{:?}", workspace.definition("a.rho", at));
        let _ = write!(said, "{:?}", workspace.declaration("a.rho", at));
        let _ = write!(said, "{:?}", workspace.references("a.rho", at).len());
        let _ = write!(said, "{:?}", workspace.hover("a.rho", at));
        let _ = write!(said, "{:?}", workspace.renamable("a.rho", at));
        let _ = write!(said, "{:?}", workspace.signatures("a.rho", at));
        let _ = write!(said, "{:?}", workspace.suggestions("a.rho", at).len());
    }
    let _ = write!(said, "{:?}{:?}", workspace.problems("a.rho"), workspace.symbols(""));
    let _ = write!(said, "{:?}{:?}", workspace.tokens("a.rho"), workspace.folds("a.rho"));
    said
}

#[test]
fn every_prefix_of_every_program_has_answers() {
    for program in corpus() {
        for end in 0..=program.len() {
            let mut workspace = Workspace::default();
            workspace.set("a.rho", &program.as_bytes()[..end]);
            workspace.problems("a.rho");
            workspace.tokens("a.rho");
            workspace.folds("a.rho");
            workspace.suggestions("a.rho", Offset::of_index(end));
            workspace.signatures("a.rho", Offset::of_index(end));
        }
    }
}

#[test]
fn everything_can_be_asked_everywhere() {
    for program in corpus() {
        ask_everything(program.as_bytes());
    }
}

/// Every place in a program that has a declaration, and where that declaration starts.
fn bound(text: &[u8]) -> Vec<(usize, usize)> {
    let mut workspace = Workspace::default();
    workspace.set("a.rho", text);
    let mut found = Vec::new();
    for at in 0..text.len() {
        let targets = workspace.declaration("a.rho", Offset::of_index(at));
        found.extend(targets.first().map(|target| (at, target.name.start().index())));
    }
    found
}

#[test]
fn names_in_front_of_the_end_keep_their_meaning() {
    let whole = bound(CELL.as_bytes());
    let (mut n_all, mut n_kept) = (0, 0);
    for end in (0..CELL.len()).filter(|&end| CELL.is_char_boundary(end)) {
        let part = bound(&CELL.as_bytes()[..end]);
        // The last line is unfinished and may mean anything.
        let line = CELL[..end].rfind('\n').unwrap_or(0);
        let expected: Vec<_> = whole.iter().filter(|(at, _)| *at < line).collect();
        n_all += expected.len();
        n_kept += expected.iter().filter(|pair| part.contains(pair)).count();
    }
    assert!(n_kept * 1000 >= n_all * 995, "{n_kept} of {n_all}");
}

#[test]
fn names_after_a_bad_character_keep_their_meaning() {
    let whole = bound(CELL.as_bytes());
    let (mut n_all, mut n_kept) = (0, 0);
    for at in (0..CELL.len()).filter(|&at| CELL.is_char_boundary(at)) {
        for bad in ["}", ")", "|", "$"] {
            let text = format!("{}{bad}{}", &CELL[..at], &CELL[at..]);
            let broken = bound(text.as_bytes());
            let moved = |place: usize| if place < at { place } else { place + bad.len() };
            let is_far = |place: usize| place.abs_diff(at) > 12;
            let expected = whole.iter().filter(|&&(mention, binder)| is_far(mention) && is_far(binder));
            for &(mention, binder) in expected {
                n_all += 1;
                n_kept += usize::from(broken.contains(&(moved(mention), moved(binder))));
            }
        }
    }
    assert!(n_kept * 100 >= n_all * 97, "{n_kept} of {n_all}");
}

#[test]
fn an_edited_program_is_the_new_program() {
    let programs = corpus();
    let mut workspace = Workspace::default();
    for (old, new) in programs.iter().zip(programs.iter().skip(1)).chain([(&programs[0], &programs[5])]) {
        for at in (0..=old.len()).step_by(7).filter(|&at| old.is_char_boundary(at)) {
            let changed = [&old[..at], new, &old[at..]].concat();
            workspace.set("a.rho", old.as_bytes());
            workspace.set("a.rho", changed.as_bytes());
            let mut anew = Workspace::default();
            anew.set("a.rho", changed.as_bytes());
            assert_eq!(workspace.problems("a.rho"), anew.problems("a.rho"));
            assert_eq!(workspace.tokens("a.rho"), anew.tokens("a.rho"));
        }
    }
}

/// The parser reuses parts of the old tree of a long program, even if the program was broken in between.
#[test]
fn a_long_program_that_is_mended_is_as_new() {
    let text = vec![CELL; 40].join("|");
    let middle = text.len() / 2;
    let at = middle + text[middle..].find("stdout!").expect("it is in every part");
    let mut anew = Workspace::default();
    anew.set("a.rho", text.as_bytes());
    let mut workspace = Workspace::default();
    workspace.set("a.rho", text.as_bytes());
    for typed in ["x", "foo!(", "new y in { y!(1) } | ", "\"", "/*", "}", "for (@z <- ack) { "] {
        workspace.set("a.rho", format!("{}{typed}{}", &text[..at], &text[at..]).as_bytes());
        let last = Offset::of_index(text.rfind("stdout!").expect("it is there") + typed.len());
        // Names after the broken place still have a declaration, unless the edit put them into a string or a comment.
        let is_known = !workspace.declaration("a.rho", last).is_empty();
        assert!(is_known || matches!(typed, "\"" | "/*"), "{typed}");
        workspace.set("a.rho", text.as_bytes());
        assert_eq!(workspace.problems("a.rho"), anew.problems("a.rho"), "{typed}");
        assert_eq!(workspace.tokens("a.rho"), anew.tokens("a.rho"), "{typed}");
        assert_eq!(workspace.folds("a.rho"), anew.folds("a.rho"), "{typed}");
    }
}

#[test]
fn deep_nesting_takes_no_stack() {
    let nested = |open: &str, inner: &str, close: &str| {
        let n = 20_000;
        format!("{}{inner}{}", open.repeat(n), close.repeat(n))
    };
    let texts = [
        nested("(", "x", ")"),
        nested("{", "x", "}"),
        nested("[", "x", "]"),
        nested("new x in {", "x!(1)", "}"),
        nested("for (@x <- @0) {", "x", "}"),
        nested("@*", "x", ""),
        nested("contract f(@[", "", "") + &nested("", "x", "]) = { Nil }"),
        nested("new x in {", "x!(1)", ""),
        nested("a + ", "a", ""),
    ];
    // The stack is small, so that recursion overflows it.
    let asked = thread::Builder::new().stack_size(1 << 18).spawn(move || {
        for text in texts {
            let mut workspace = Workspace::default();
            workspace.set("a.rho", text.as_bytes());
            let middle = Offset::of_index(text.len() / 2);
            workspace.definition("a.rho", middle);
            workspace.hover("a.rho", middle);
            workspace.signatures("a.rho", middle);
            workspace.suggestions("a.rho", middle);
            workspace.tokens("a.rho");
            workspace.folds("a.rho");
        }
    });
    asked.expect("a thread starts").join().expect("nothing overflows");
}

#[test]
fn a_byte_order_mark_moves_nothing_but_itself() {
    let mut workspace = Workspace::default();
    workspace.set("a.rho", "\u{FEFF}new x in { x!(1) }".as_bytes());
    assert_eq!(workspace.problems("a.rho"), []);
    let found = workspace.declaration("a.rho", Offset::of_index(3 + 11));
    assert_eq!(found[0].name.start(), Offset::of_index(3 + 4));
}

proptest! {
    #[test]
    fn any_text_has_answers(text in "[a-z@\"'`{}()\\[\\]|!?*=<>~,;:.&/\\\\\n \u{e4}\u{1f600}]{0,40}") {
        ask_everything(text.as_bytes());
    }

    #[test]
    fn any_words_have_answers(words in prop::collection::vec(
        prop::sample::select(vec![
            "new", "x", "y", "in", "{", "}", "(", ")", "for", "<-", "<=", "|", "contract", "=", "@", "*", "!", "!?",
            "match", "=>", "_", "let", ";", "&", "select", "agent", "method", "...", "[", "]", ",", "\"s\"", "1",
            "where", "/\\", "~",
        ]), 0..30)) {
        ask_everything(words.join(" ").as_bytes());
    }

    #[test]
    fn any_bytes_have_answers(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        ask_everything(&bytes);
    }
}
