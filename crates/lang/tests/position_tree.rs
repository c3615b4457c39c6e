//! The position tree has every node where the parser has it, before and after any edit, in every language.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod fences;
mod sources;

use locant_lang::{Language, Syntax, all, by_name};
use locant_text::{Edit, Extent, Offset, Range};
use locant_tree::{Node, Tree};
use proptest::prelude::*;
use sources::sources;

#[track_caller]
fn check(language: &'static Language, text: &[u8]) -> Syntax {
    let syntax = Syntax::new(language, text).unwrap();
    let verification = syntax.verify(syntax.tree(), text);
    assert_eq!(verification.n_mismatches, 0, "{language:?}: {:#?}", verification.trace);
    assert_eq!(verification.n_nodes, syntax.parsed().root_node().descendant_count(), "{language:?}");
    assert_eq!(verification.n_nodes, syntax.tree().n_nodes() as usize, "{language:?}");
    let back = Tree::from_bytes(&syntax.tree().to_bytes()).unwrap();
    assert!(back == *syntax.tree(), "{language:?}");
    assert!(back.with_vocabulary(syntax.tree().vocabulary()).unwrap().events().eq(syntax.tree().events()));
    let outline = Some(language.outline(text));
    assert_eq!(
        language.outline_from(text, syntax.tree()),
        outline,
        "{language:?} {}",
        String::from_utf8_lossy(text)
    );
    assert_eq!(language.outline_from(text, &back), outline, "{language:?} {}", String::from_utf8_lossy(text));
    syntax
}

/// The tree-sitter nodes around an offset, found with tree-sitter's own cursor.
fn by_cursor(syntax: &Syntax, offset: usize) -> Vec<(String, std::ops::Range<usize>)> {
    let mut cursor = syntax.parsed().walk();
    let mut path = Vec::new();
    while cursor.node().byte_range().contains(&offset) {
        path.push((cursor.node().kind().to_owned(), cursor.node().byte_range()));
        if cursor.goto_first_child_for_byte(offset).is_none() {
            break;
        }
    }
    path
}

#[test]
fn every_node_is_where_the_parser_says() {
    for (language, source) in sources() {
        check(language, source.as_bytes());
        for cut in (0..source.len()).step_by(101) {
            check(language, &source.as_bytes()[..cut]);
        }
    }
}

#[test]
fn paths_are_those_of_the_parser() {
    for (language, source) in sources() {
        let syntax = check(language, source.as_bytes());
        let vocabulary = syntax.tree().vocabulary();
        let named = |node: &Node| (vocabulary.kind(node.label).name.clone(), node.range.indices());
        for offset in (0..=source.len()).step_by(5) {
            let path: Vec<_> = syntax.tree().path(Offset::of_index(offset)).iter().map(named).collect();
            assert_eq!(path, by_cursor(&syntax, offset), "{language:?} at {offset} of {source}");
        }
    }
}

#[test]
fn odd_texts_have_trees() {
    let texts: [&[u8]; 9] = [
        b"",
        b"\n",
        b" \t \r\n\r",
        b"\xef\xbb\xbfx = 1\n",
        b"\xef\xbb\xbf",
        b"a\rb\r\nc\n",
        b"# only\n# comments\n// of\n/* all kinds */\n-- here\n",
        b"\xff\xfe\x80",
        "def ä(): '𝒳'".as_bytes(),
    ];
    for language in all() {
        for text in texts {
            check(language, text);
        }
    }
    let long = "f(a, 'b', [1, 2, 3]); ".repeat(20_000);
    check(by_name("javascript").unwrap(), long.as_bytes());
}

#[test]
fn deep_nesting_takes_no_more_room_and_no_stack() {
    const DEPTH: usize = 100_000;
    let javascript = by_name("javascript").unwrap();
    let functions = "function f() {".repeat(DEPTH) + &"}".repeat(DEPTH);
    let lists = "x = ".to_owned() + &"[".repeat(DEPTH) + &"]".repeat(DEPTH);
    let members = "a".to_owned() + &".b".repeat(DEPTH);
    let broken = "[".repeat(DEPTH);
    for text in [functions, lists, members, broken] {
        let syntax = check(javascript, text.as_bytes());
        let tree = syntax.tree();
        assert!(tree.n_bytes() <= 5 * tree.n_nodes() as usize, "{tree:?} takes {} bytes", tree.n_bytes());
        for offset in [0, 1, text.len() / 2, text.len() - 1] {
            let path = tree.path(Offset::of_index(offset));
            assert!(path.iter().zip(path.iter().skip(1)).all(|(node, next)| node.holds(next.id)));
        }
        let mut new = text.clone();
        new.insert(text.len() / 2, ' ');
        let edit = Edit { range: Range::empty(Offset::of_index(text.len() / 2)), insert: Extent::new(1) };
        let edited = syntax.edited(edit, text.as_bytes(), new.as_bytes()).unwrap();
        assert!(edited.tree() == check(javascript, new.as_bytes()).tree());
    }
}

/// Pieces of text to insert. They break the syntax or repair it.
const PIECES: &[&str] = &[
    "x", " ", "\n", "    ", "(", ")", "{", "}", "[", "]", "\"", "'", "`", ",", ";", ":", "=", "/*", "*/",
    "//", "#", "<", ">", "if ", "end", "é", "\r\n", "\\", "0",
];

/// A random edit: where it is, how much is deleted, and what is inserted.
#[derive(Clone, Debug)]
struct Drawn {
    at: prop::sample::Index,
    n_deleted: usize,
    insert: Insert,
}

#[derive(Clone, Debug)]
enum Insert {
    Piece(usize),
    /// A copy of some other part of the text.
    Copy(prop::sample::Index, usize),
    /// A copy of the line before, which often keeps the syntax correct.
    Line,
    Nothing,
}

fn drawn() -> impl Strategy<Value = Drawn> {
    let n_deleted = prop_oneof![3 => Just(0), 2 => Just(1), 1 => 0..50usize];
    let insert = prop_oneof![
        (0..PIECES.len()).prop_map(Insert::Piece),
        (any::<prop::sample::Index>(), 0..60usize).prop_map(|(at, length)| Insert::Copy(at, length)),
        Just(Insert::Line),
        Just(Insert::Nothing),
    ];
    (any::<prop::sample::Index>(), n_deleted, insert).prop_map(|(at, n_deleted, insert)| Drawn {
        at,
        n_deleted,
        insert,
    })
}

impl Drawn {
    fn apply(&self, text: &[u8]) -> (Edit, Vec<u8>) {
        let mut start = self.at.index(text.len() + 1);
        let line_start =
            |end: usize| text[..end].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        if matches!(self.insert, Insert::Line) {
            start = line_start(start);
        }
        let end = (start + self.n_deleted).min(text.len());
        let insert = match &self.insert {
            Insert::Piece(index) => PIECES[*index].as_bytes().to_vec(),
            Insert::Copy(at, length) => {
                let from = at.index(text.len() + 1);
                text[from..(from + length).min(text.len())].to_vec()
            }
            Insert::Line => text[line_start(start.saturating_sub(1))..start].to_vec(),
            Insert::Nothing => Vec::new(),
        };
        let edit = Edit { range: Range::of_indices(start..end), insert: Extent::of_len(insert.len()) };
        (edit, [&text[..start], &insert, &text[end..]].concat())
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn an_edited_tree_is_that_of_the_new_text(
        which in any::<prop::sample::Index>(),
        copies in 1..4usize,
        edits in prop::collection::vec(drawn(), 1..8),
    ) {
        let sources = sources();
        let (language, source) = &sources[which.index(sources.len())];
        let mut text = source.repeat(copies).into_bytes();
        let mut syntax = Syntax::new(language, &text).unwrap();
        for edit in &edits {
            let (edit, new) = edit.apply(&text);
            let before: Vec<_> = syntax.tree().events().collect();
            let (edited, read) = (syntax.edited(edit, &text, &new), Syntax::new(language, &new));
            prop_assert_eq!(edited.is_some(), read.is_some(), "a parser gives up on one text and not on the other");
            let (Some(edited), Some(read)) = (edited, read) else { break };
            prop_assert!(edited.tree() == read.tree(), "{:?} {:?}\n{}", language, edit, String::from_utf8_lossy(&text));
            prop_assert!(syntax.tree().events().eq(before), "the old tree has changed");
            prop_assert_eq!(edited.verify(edited.tree(), &new).n_mismatches, 0);
            prop_assert!(language.outline_from(&new, edited.tree()) == Some(language.outline(&new)), "{:?} {:?}\n\
                 {}", language, edit, String::from_utf8_lossy(&text));
            (syntax, text) = (edited, new);
        }
    }
}

/// Checks the bytes in docs/tree.md. There, a line of bytes is indented by four blanks, and its meaning follows the
/// bytes.
#[test]
fn the_example_of_the_documentation_is_what_is_written() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/tree.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, example) = page.split_once("<!-- example -->").unwrap();
    let is_byte = |word: &&str| word.len() == 2 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let lines = example.lines().filter_map(|line| line.strip_prefix("    "));
    let shown: Vec<&str> = lines.flat_map(|line| line.split(' ').take_while(is_byte)).collect();
    let tree = Syntax::new(by_name("python").unwrap(), b"f(x)\n").unwrap();
    let written: Vec<String> = tree.tree().to_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(shown, written);
}
