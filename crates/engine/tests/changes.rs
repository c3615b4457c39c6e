//! Tests of edits. Each case has the text before, the location, the change, and the text after.

use locant_engine::{self as engine, Change, Document, Location, Resolution};

/// The text after a change at a location, or why it cannot be made.
fn changed(path: &str, source: &str, location: &str, change: &Change) -> String {
    let document = Document::new(path, source.as_bytes()).expect("text");
    let location = Location::parse(&format!("{path}:{location}"), &|_| false).expect("a location");
    let (Resolution::Found(place), Resolution::Found(range)) =
        (engine::locate(&document, &location), engine::range(&document, &location))
    else {
        return "not found".to_owned();
    };
    let stretch = engine::stretch(&document, &location, &range, place.offset);
    match engine::change(&document, stretch, change) {
        Err(why) => format!("{why:?}"),
        Ok(None) => source.to_owned(),
        Ok(Some(rewrite)) => {
            let mut new = source.to_owned();
            new.replace_range(rewrite.range.indices(), &rewrite.text);
            new
        }
    }
}

fn replace(path: &str, source: &str, location: &str, text: &str, expected: &str) {
    let after = changed(path, source, location, &Change::Replace(text.to_owned()));
    assert_eq!(after, expected, "{location} in place of {source:?}");
}

fn before(path: &str, source: &str, location: &str, text: &str, expected: &str) {
    assert_eq!(changed(path, source, location, &Change::Before(text.to_owned())), expected);
}

fn after(path: &str, source: &str, location: &str, text: &str, expected: &str) {
    assert_eq!(changed(path, source, location, &Change::After(text.to_owned())), expected);
}

fn delete(path: &str, source: &str, location: &str, expected: &str) {
    assert_eq!(changed(path, source, location, &Change::Delete), expected, "{location} of {source:?}");
}

const CLASS: &str = "\
class C:
    x = 1
    y = 2

    def m(self):
        return 1

    def n(self):
        return 2
";

#[test]
fn a_method_is_replaced_with_or_without_its_indentation() {
    let expected = CLASS.replace("return 1", "return 5");
    for text in [
        "def m(self):\n    return 5",
        "def m(self):\n    return 5\n",
        "    def m(self):\n        return 5\n",
        "def m(self):\n        return 5",
    ] {
        replace("a.py", CLASS, "C.m", text, &expected);
    }
}

#[test]
fn symbols_go_where_their_neighbours_are() {
    let method = "def k(self):\n    pass";
    let with = |place: &str| CLASS.replace(place, &format!("    def k(self):\n        pass\n\n{place}"));
    after("a.py", CLASS, "C.m", method, &with("    def n"));
    before("a.py", CLASS, "C.m", method, &with("    def m"));
    after("a.py", CLASS, "C.x", "w = 0", &CLASS.replace("    y", "    w = 0\n    y"));
    after("a.py", "a = 1", "a", "b = 2\n", "a = 1\nb = 2");
    after(
        "a.py",
        "def f(): pass\n\n\ndef g(): pass\n",
        "g",
        "x = 1",
        "def f(): pass\n\n\ndef g(): pass\n\n\nx = 1\n",
    );
    let rust = "struct S {\n    a: u32,\n}\n\nimpl S {\n    fn f() {\n    }\n}\n";
    after("a.rs", rust, "S.f", "fn g() {}", &rust.replace("    }\n}\n", "    }\n\n    fn g() {}\n}\n"));
}

#[test]
fn lists_keep_their_separators() {
    let json = "{\n  \"a\": 1,\n  \"b\": 2\n}\n";
    after("a.json", json, "b", "\"c\": 3", "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}\n");
    after("a.json", json, "b", "\"c\": 3,", "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}\n");
    after("a.json", json, "a", "\"c\": 3", "{\n  \"a\": 1,\n  \"c\": 3,\n  \"b\": 2\n}\n");
    before("a.json", json, "a", "\"c\": 3", "{\n  \"c\": 3,\n  \"a\": 1,\n  \"b\": 2\n}\n");
    replace("a.json", json, "a", "\"a\": 5,", "{\n  \"a\": 5,\n  \"b\": 2\n}\n");
    delete("a.json", json, "a", "{\n  \"b\": 2\n}\n");
    delete("a.json", json, "b", "{\n  \"a\": 1\n}\n");
    delete("a.json", "{\"a\": 1, \"b\": 2}", "a", "{\"b\": 2}");
    delete("a.json", "{\"a\": 1, \"b\": 2}", "b", "{\"a\": 1}");
    after("a.json", "{\"a\": 1, \"b\": 2}", "a", "\"c\": 3", "{\"a\": 1,\n\"c\": 3,\n\"b\": 2}");
    delete("a.ts", "enum E {\n  A, // one\n  B, // two\n}\n", "E.A", "enum E {\n  B, // two\n}\n");
    delete("a.ts", "enum E {\n  A, // one\n  B // two\n}\n", "E.B", "enum E {\n  A // one\n}\n");
}

#[test]
fn processes_keep_one_bar_between_them() {
    let rho = "new a in {\n  contract f(x) = {\n    Nil\n  } |\n  contract g(y) = {\n    Nil\n  }\n}\n";
    delete("a.rho", rho, "f", "new a in {\n  contract g(y) = {\n    Nil\n  }\n}\n");
    delete("a.rho", rho, "g", "new a in {\n  contract f(x) = {\n    Nil\n  }\n}\n");
    let below = rho.replace("} |\n", "}\n  |\n");
    delete("a.rho", &below, "f", "new a in {\n  contract g(y) = {\n    Nil\n  }\n}\n");
    delete("a.rho", &below, "g", "new a in {\n  contract f(x) = {\n    Nil\n  }\n}\n");
    after(
        "a.rho",
        rho,
        "g",
        "contract h(z) = { Nil }",
        &rho.replace("  }\n}", "  } |\n  contract h(z) = { Nil }\n}"),
    );
}

#[test]
fn what_is_left_has_no_holes() {
    delete("a.py", CLASS, "C.n", &CLASS.replace("\n    def n(self):\n        return 2\n", ""));
    delete("a.py", CLASS, "C.m", &CLASS.replace("    def m(self):\n        return 1\n\n", ""));
    delete("a.py", CLASS, "C.x", &CLASS.replace("    x = 1\n", ""));
    delete(
        "a.py",
        "class C:\n    def m(self):\n        return 1\n\n\nx = 1\n",
        "C.m",
        "class C:\n    pass\n\n\nx = 1\n",
    );
    delete("a.py", "a = 1\nb = 2", "b", "a = 1");
    delete("a.py", "a, b = 1, 2\n", "a", "DeclaredTogether(\"b\")");
    delete("a.js", "class K { x = 1; y() {} }", "K.x", "class K { y() {} }");
}

#[test]
fn lines_keep_the_end_of_the_file() {
    replace("a.txt", "a\nb", "2", "c\n", "a\nc");
    replace("a.txt", "a\nb\n", "2", "c", "a\nc\n");
    after("a.txt", "a\nb", "2", "c", "a\nb\nc");
    after("a.txt", "a\nb\n", "2", "c", "a\nb\nc\n");
    before("a.txt", "a\n", "2", "c", "a\nc\n");
    delete("a.txt", "a\nb", "2", "a");
    delete("a.txt", "a\nb", "1", "b");
    delete("a.txt", "a\nb\n", "3", "a\nb\n");
    replace("a.txt", "a\nb\n", "1", "", "b\n");
    replace("a.txt", "a\nb\n", "1", "\n", "\nb\n");
    replace("a.txt", "a\r\nb\r\n", "1-2", "c\nd", "c\r\nd\r\n");
    after("a.txt", "a\r\nb", "1", "c", "a\r\nc\r\nb");
    after("a.txt", "a\rb", "1", "c\nd", "a\rc\rd\rb");
    replace("a.txt", "\u{feff}a\n", "1", "b", "\u{feff}b\n");
}

#[test]
fn lines_get_the_indentation_of_their_place() {
    replace("a.py", CLASS, "6", "return 5", &CLASS.replace("return 1", "return 5"));
    replace("a.py", CLASS, "6", "    return 5", &CLASS.replace("        return 1", "    return 5"));
    after("a.py", CLASS, "5", "x = 1", &CLASS.replace("        return 1", "        x = 1\n        return 1"));
}

#[test]
fn a_text_inside_of_a_line_goes_in_as_it_is() {
    let source = "  f(a, b)\n";
    replace("a.txt", source, "1@a", "x\n y", "  f(x\n y, b)\n");
    replace("a.txt", source, "1@<|>a", "", "  f(, b)\n");
    before("a.txt", source, "1@a<|>,", "1", "  f(a1, b)\n");
    after("a.txt", source, "1@a<|>,", "1", "  f(a1, b)\n");
    before("a.txt", source, "1@a,", "1", "  f(1a, b)\n");
    after("a.txt", source, "1@a,", " c,", "  f(a, c, b)\n");
    after("a.txt", "a\r\nb\r\n", "1@a", "\n", "a\r\n\r\nb\r\n");
    delete("a.txt", source, "1:3-1:5", "  a, b)\n");
}

#[test]
fn members_in_one_line_get_lines_of_their_own() {
    let class = "/** K. */\nexport class K { x = 1; y() {} }\n\nfunction f() {\n  return 1;\n}\n";
    after(
        "a.js",
        class,
        "K.y",
        "z() {\n  return 2;\n}",
        &class.replace(" }\n\n", "\n  z() {\n    return 2;\n  }\n}\n\n"),
    );
    before("a.js", class, "K.x", "w = 0;", &class.replace(" x = 1; y", "\n  w = 0;\n  x = 1; y"));
    after(
        "a.rs",
        "#[derive(Debug)]\nstruct S { z: u8, a: u8 }\n",
        "S.a",
        "b: u8",
        "#[derive(Debug)]\nstruct S { z: u8, a: u8,\n    b: u8\n}\n",
    );
}

#[test]
fn a_text_gets_tabs_where_the_file_has_tabs() {
    let go = "func F(x int) int {\n\treturn x\n}\n\ntype T struct {\n\tA int\n}\n";
    let body = "func F(x int) int {\n\tif x > 0 {\n\t\treturn x\n\t}\n\treturn 0\n}";
    let expected = go.replace("func F(x int) int {\n\treturn x\n}", body);
    replace("a.go", go, "F", &body.replace('\t', "    "), &expected);
    replace("a.go", go, "F", body, &expected);
    replace("a.go", go, "2", "    return y", &go.replace("return x", "return y"));
    replace("a.py", CLASS, "C.m", "def m(self):\n\treturn 5", &CLASS.replace("return 1", "return 5"));
}

#[test]
fn blank_lines_around_the_text_of_a_symbol_do_not_count() {
    let text = "\n\n  \ndef k(self):\n    pass\n\n\n";
    let expected = CLASS.replace("    def n", "    def k(self):\n        pass\n\n    def n");
    after("a.py", CLASS, "C.m", text, &expected);
    replace("a.py", CLASS, "C.m", "\ndef m(self):\n    return 5\n\n", &CLASS.replace("return 1", "return 5"));
}

#[test]
fn comments_do_not_tell_by_how_much_a_file_indents() {
    let source = "/*\n * One.\n * Two.\n */\nclass K { x = 1; }\n\nfunction f() {\n    return 1;\n}\n";
    after("a.js", source, "K.x", "y = 2;", &source.replace("1; }", "1;\n    y = 2;\n}"));
}

#[test]
fn a_path_in_the_descriptor_means_the_symbol() {
    let proto = "message A {\n  int32 x = 1;\n  string y = 2; // y\n}\n";
    delete("a.proto", proto, "message_type[0].field[1]", &proto.replace("  string y = 2; // y\n", ""));
    delete("a.proto", proto, "[4,0,2,1]", &proto.replace("  string y = 2; // y\n", ""));
}
