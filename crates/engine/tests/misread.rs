//! Which symbols may be misread because they depend on a part of the text that has syntax errors.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use locant_engine::{Document, Misread, misread};

/// Checks that exactly the symbols named in `doubtful` may be misread.
#[track_caller]
fn check(path: &str, text: &str, doubtful: &str) {
    let document = Document::new(path, text).unwrap();
    let outline = document.outline().unwrap();
    let symbols = outline.iter().filter(|(id, _)| misread(&document, *id).is_some());
    let names: Vec<String> = symbols.map(|(id, _)| outline.path(id).join(".")).collect();
    assert_eq!(names.join(" "), doubtful);
}

#[test]
fn whole_text_has_none() {
    check("a.py", "class C:\n    def m(self): pass\n", "");
}

#[test]
fn neighbours_of_damage_are_sure() {
    check("a.py", "def a():\n    return 1\n\ndef b(:\n    x = 1\n\ndef c():\n    return 2\n", "b");
    check("a.rs", "fn a() {}\nfn b() { let = ; }\nfn c() {}\n", "b");
}

#[test]
fn what_holds_damage_is_doubtful_and_its_other_members_are_not() {
    check(
        "A.java",
        "class A {\n  int a() { return 1; }\n  int b() { return + ; }\n  int c() { return 1; }\n}\n",
        "A A.b",
    );
}

#[test]
fn what_stands_deeper_below_damage_is_doubtful() {
    // The parser may have failed at the class that contains the symbol.
    let class = "class basic_json\n : public ::a::base<C>\n{ public:\n  int value(int k) { return k; }\n};\n";
    let text = format!("NS_BEGIN\nTPL_DECL\n{class}NS_END\n\nint g() {{ return 1; }}\n");
    let document = Document::new("a.hpp", text.as_str()).unwrap();
    let outline = document.outline().unwrap();
    let inner =
        outline.iter().filter(|(_, symbol)| symbol.name_range.start().index() < text.find("NS_END").unwrap());
    let is_whole = !outline.is_damaged;
    assert!(inner.into_iter().all(|(id, _)| is_whole || misread(&document, id).is_some()));
}

#[test]
fn a_conflict_is_damage() {
    let text =
        "def a(): pass\n<<<<<<< one\ndef b(): pass\n=======\ndef b(x): pass\n>>>>>>> two\ndef c(): pass\n";
    check("a.py", text, "b b");
}

#[test]
fn all_that_is_read_by_lines_is_doubtful() {
    let stairs: String = (0..2000).map(|level| format!("{}<a>\n", " ".repeat(level % 50))).collect();
    let document = Document::new("a.xml", stairs).unwrap();
    let first = document.outline().unwrap().iter().next().unwrap().0;
    assert_eq!(misread(&document, first), Some(Misread::ByLine));
}
