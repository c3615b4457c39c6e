//! A document with a stored tree gives the same answers as a parsed one. Stored bytes that belong to another document,
//! or are damaged, are ignored.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use locant_engine::{Document, Location, Offset, Reader, Resolution, locate, verify};

const TEXT: &str = "class A:\n    def f(self):\n        return 1\n\n    def g(self:\n        pass\n";

fn document(path: &str, text: &str) -> Document {
    Document::new(path, text).unwrap()
}

fn stored() -> Vec<u8> {
    let document = document("a.py", TEXT);
    assert_eq!(document.to_stored(), None, "nobody has asked for the tree");
    document.tree().unwrap();
    document.to_stored().unwrap()
}

/// Whether the document already has a tree, without making one.
fn has_tree(document: &Document) -> bool {
    document.to_stored().is_some()
}

#[test]
fn what_was_stored_answers_without_a_parser() {
    let parsed = document("a.py", TEXT);
    let restored = document("a.py", TEXT).with_stored(&stored());
    assert!(has_tree(&restored));
    assert_eq!(restored.outline(), parsed.outline());
    assert_eq!(restored.tree(), parsed.tree());
    assert_eq!(verify(&restored).unwrap().n_mismatches, 0);
    let location = Location::parse("a.py:A.f@<|>1", &|_| false).unwrap();
    let Resolution::Found(found) = locate(&restored, &location) else { panic!("f is found") };
    assert_eq!(found.offset, Offset::of_index(TEXT.find('1').unwrap()));
}

#[test]
fn symbols_and_nodes_are_the_same_in_any_order() {
    let asked = document("a.py", TEXT);
    let first_outline = document("a.py", TEXT);
    let (outline, tree) = (first_outline.outline(), asked.tree());
    assert_eq!(asked.outline(), outline);
    let parsed = document("a.py", TEXT);
    parsed.parse();
    assert!(!has_tree(&parsed), "it may be that nobody asks");
    assert_eq!((parsed.outline(), parsed.tree()), (outline, tree));
    // This line is nested more deeply than the parser allows, so the parser gives up.
    let deep = "- ".repeat(5000) + "a: 1\nb: 2\n";
    let (given_up, fresh) = (document("a.yaml", &deep), document("a.yaml", &deep));
    given_up.parse();
    assert_eq!(given_up.tree(), None);
    assert_eq!(given_up.outline(), fresh.outline());
    assert!(fresh.outline().unwrap().is_by_line);
}

#[test]
fn what_was_stored_of_something_else_is_left_aside() {
    let stored = stored();
    assert!(has_tree(&document("b.py", TEXT).with_stored(&stored)), "paths do not matter");
    let other_text = TEXT.replace("def f", "def h");
    assert!(!has_tree(&document("a.py", &other_text).with_stored(&stored)));
    assert!(!has_tree(&document("a.rb", TEXT).with_stored(&stored)));
    let as_ruby = document("a.py", TEXT).in_language(Reader::by_name("ruby").unwrap());
    assert!(!has_tree(&as_ruby.with_stored(&stored)));
    for at in 0..stored.len() {
        let mut damaged = stored.clone();
        damaged[at] ^= 1;
        assert!(!has_tree(&document("a.py", TEXT).with_stored(&damaged)), "at {at}");
        assert!(!has_tree(&document("a.py", TEXT).with_stored(&stored[..at])), "up to {at}");
    }
}
