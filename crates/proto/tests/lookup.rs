//! The reasons why a path or a place has no location.

use locant_proto::{Interpretation, Lookup, NoSources, Pool, TableKind, Why};
use locant_text::Offset;

const TEXT: &str = r#"syntax = "proto3";
import "google/protobuf/descriptor.proto";

// apart

// in front
message A {
  map<string, int32> first = 1;
  message B {
  }
  // after B

  map<int32, A> by_number = 2; // beside
  optional int32 told = 3;
}
// after A

extend google.protobuf.MessageOptions {
  repeated string words = 50001;
}
message C {
  option (words) = "a";
  option (words) = "b";
}
"#;

fn with_lookup(ask: impl FnOnce(Lookup<'_>)) {
    let pool = Pool::new("a.proto", TEXT.as_bytes(), &NoSources);
    let interpretation = Interpretation::new(&pool);
    ask(Lookup::new(&pool, &interpretation));
}

#[test]
fn a_comment_is_told_from_a_dropped_one() {
    with_lookup(|lookup| {
        for (comment, said) in [
            ("// apart", "leading detached comment of [4,0]"),
            ("// in front", "leading comment of [4,0]"),
            ("// after B", "belongs to no location"),
            ("// beside", "trailing comment of [4,0,2,1]"),
            ("// after A", "belongs to no location"),
        ] {
            let at = Offset::of_index(TEXT.find(comment).expect("it is there") + 4);
            let told = lookup.comment_at(at, TableKind::Default).unwrap_or_default();
            assert!(told.contains(said), "{comment}: {told}");
        }
        let at = Offset::of_index(TEXT.find("map").expect("it is there"));
        assert_eq!(lookup.comment_at(at, TableKind::Default), None);
    });
}

#[test]
fn what_stands_nowhere_is_known_by_name_and_has_a_reason() {
    with_lookup(|lookup| {
        for (words, path, why) in [
            ("A.FirstEntry", &[4, 0, 3, 0][..], Why::MapEntry),
            ("A.ByNumberEntry", &[4, 0, 3, 2], Why::MapEntry),
            ("message_type[1].options.(words)", &[4, 1, 7, 50001], Why::List),
            ("message_type", &[4], Why::List),
            ("[4,0,8,0]", &[4, 0, 8, 0], Why::SyntheticOneof),
            ("[4,9]", &[4, 9], Why::PastTheEnd),
        ] {
            assert_eq!(lookup.path(words).as_deref(), Some(path), "{words}");
            assert!(lookup.by_path(path, TableKind::Default).is_empty(), "{words}");
            assert_eq!(lookup.why_not(path), why, "{words}");
        }
        assert_eq!(lookup.path("A.NoEntry"), None);
    });
}

#[test]
fn the_end_of_a_symbol_is_enough() {
    let text = "syntax = \"proto2\"; package my; message Foo { optional string foo = 1; oneof o { int32 p = 4; } \
        repeated group Grp = 3 {} } enum E { A = 0; } message Bar { optional string foo = 1; message In {} }";
    let pool = Pool::new("a.proto", text.as_bytes(), &NoSources);
    let interpretation = Interpretation::new(&pool);
    let lookup = Lookup::new(&pool, &interpretation);
    for (words, path) in [
        ("p", Some(vec![4, 0, 2, 1])),
        ("Foo.o.p", Some(vec![4, 0, 2, 1])),
        ("o.p", Some(vec![4, 0, 2, 1])),
        ("my.Foo.p", Some(vec![4, 0, 2, 1])),
        ("Grp", Some(vec![4, 0, 3, 0])),
        ("grp", Some(vec![4, 0, 2, 2])),
        ("Foo.foo", Some(vec![4, 0, 2, 0])),
        ("In", Some(vec![4, 1, 3, 0])),
        ("E.A", Some(vec![5, 0, 2, 0])),
        ("A", Some(vec![5, 0, 2, 0])),
        // Two messages have a field with this name.
        ("foo", None),
        ("oo.foo", None),
    ] {
        assert_eq!(lookup.path(words), path, "{words}");
    }
    assert_eq!(lookup.symbols_ending_with("foo"), ["my.Foo.foo", "my.Bar.foo"]);
}
