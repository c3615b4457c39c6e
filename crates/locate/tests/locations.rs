//! Parsing and writing locations: all forms of a location, and the law that parsing a written location gives it back.

use locant_locate::{Location, Scope, Segment};
use proptest::prelude::*;

/// Shows the parts of a location in one line: path, scope and find. `files` are the paths that exist.
fn shown(text: &str, files: &[&str]) -> String {
    match Location::parse(text, &|path| files.contains(&path)) {
        Err(invalid) => format!("invalid: {}", invalid.message),
        Ok(location) => {
            let scope = match &location.scope {
                None => "-".to_owned(),
                Some(Scope::Lines { first, last: None }) => format!("lines {first}.."),
                Some(Scope::Lines { first, last: Some(last) }) => format!("lines {first}..{last}"),
                Some(Scope::Marked(marked)) => format!("marked {marked}"),
                Some(Scope::Coordinate { start, end: None }) => format!("at {start}"),
                Some(Scope::Coordinate { start, end: Some(end) }) => format!("from {start} to {end}"),
                Some(Scope::Descriptor(path)) => format!("descriptor {path:?}"),
                Some(Scope::Symbol(segments)) => {
                    let one = |segment: &Segment| match segment.index {
                        None => segment.name.clone(),
                        Some(index) => format!("{}#{index}", segment.name),
                    };
                    format!("symbol {}", segments.iter().map(one).collect::<Vec<_>>().join(" / "))
                }
            };
            format!("{} | {scope} | {}", location.path, location.find.as_deref().unwrap_or("-"))
        }
    }
}

fn check(text: &str, expected: &str) {
    assert_eq!(shown(text, &[]), expected, "{text}");
}

fn check_with_files(text: &str, files: &[&str], expected: &str) {
    assert_eq!(shown(text, files), expected, "{text}");
}

fn check_invalid(text: &str, part: &str) {
    let shown = shown(text, &[]);
    assert!(shown.starts_with("invalid: ") && shown.contains(part), "{text}: {shown}");
}

#[test]
fn the_examples_of_the_language() {
    check("foo.py@self.<|>", "foo.py | - | self.<|>");
    check("foo.py:42@return <|>result", "foo.py | lines 42..42 | return <|>result");
    check("foo.py:10,20@if <|>condition", "foo.py | lines 10..20 | if <|>condition");
    check("foo.py:10-20@if <|>condition", "foo.py | lines 10..20 | if <|>condition");
    check("foo.py:L10-20@if <|>condition", "foo.py | lines 10..20 | if <|>condition");
    check("foo.py:MyClass.my_method@self.<|>", "foo.py | symbol MyClass / my_method | self.<|>");
    check("foo.py:MyClass", "foo.py | symbol MyClass | -");
    check("foo.py@x = <|> + y <<|>> z", "foo.py | - | x = <|> + y <<|>> z");
}

#[test]
fn a_dot_in_front_belongs_to_the_name() {
    check("a.css:.btn", "a.css | symbol .btn | -");
    check("a.css:.btn.active@color", "a.css | symbol .btn / active | color");
    check("a.css:.nav .item[1]", "a.css | symbol .nav  / item#1 | -");
    check_invalid("a.css:.", "a name in it is empty");
    check_invalid("a.css:..btn", "a name in it is empty");
    check_invalid("a.css:a..btn", "a name in it is empty");
}

#[test]
fn places_as_other_programs_print_them() {
    check("  File \"a b.py\", line 12, in f", "a b.py | lines 12..12 | -");
    check("File \"a.py\", line 12", "a.py | lines 12..12 | -");
    check("src\\a.cs(12,5): error CS1002: ; expected @ x", "src\\a.cs | at 12:5 | -");
    check("C:\\a.cs(12)", "C:\\a.cs | lines 12..12 | -");
    check("a.ts(12,5)", "a.ts | at 12:5 | -");
    check("copy (2).py@x(12)", "copy (2).py | - | x(12)");
    check("a.py@f(12,5)", "a.py | - | f(12,5)");
    check("Copy (2) of a.py:f", "Copy (2) of a.py | symbol f | -");
    check("a.cpp(12) : error C2065", "a.cpp | lines 12..12 | -");
    check("a.go:12 +0x1d", "a.go | lines 12..12 | -");
    check_with_files(" --> src/a.rs:12:5", &["src/a.rs"], "src/a.rs | at 12:5 | -");
    check_with_files("    at process (a.js:12:5)", &["a.js"], "a.js | at 12:5 | -");
    check_with_files("in b/a.php on line 12", &["b/a.php"], "b/a.php | lines 12..12 | -");
    check_with_files("Died at b/a.pl line 12.", &["b/a.pl"], "b/a.pl | lines 12..12 | -");
    check_with_files("  at App.Run() in b/a.cs:line 12", &["b/a.cs"], "b/a.cs | lines 12..12 | -");
    check_with_files("panicked at 'oh', a.rs:12:5:", &["a.rs"], "a.rs | at 12:5 | -");
    check_with_files("\tfrom a.rb:12:in `f'", &["a.rb"], "a.rb | lines 12..12 | -");
    check_with_files("see a.py:f", &["see a.py", "a.py"], "see a.py | symbol f | -");
    check_with_files("my a.py:f", &["a.py"], "my a.py | symbol f | -");
    check_with_files("my a.py:12", &["a.py"], "my a.py | lines 12..12 | -");
    check_with_files("at a.py:f", &["a.py"], "at a.py | symbol f | -");
    check_with_files("at a.py@f", &["a.py"], "at a.py | - | f");
    check_with_files("a(12)", &["a(12)"], "a(12) | - | -");
    check_with_files("a(12):4", &["a(12)"], "a(12) | lines 4..4 | -");
}

#[test]
fn locations_as_people_paste_them() {
    check("`a.py:User.save`", "a.py | symbol User / save | -");
    check("``a.py:`odd.name```", "a.py | symbol odd.name | -");
    check("'a.py@x = 1'", "a.py | - | x = 1");
    check("<a.py:12>", "a.py | lines 12..12 | -");
    check("<a.py@x<|>", "<a.py | - | x<|>");
    check("a.py, line 12", "a.py | lines 12..12 | -");
    check("a.py, lines 12-14", "a.py | lines 12..14 | -");
    check("a.py@x, line 12", "a.py | - | x, line 12");
    check("a.py:12..14", "a.py | lines 12..14 | -");
    check("a.py:L12..L14", "a.py | lines 12..14 | -");
    check("a.py#L12C3-L14", "a.py | lines 12..14 | -");
    check("a.py#User.save", "a.py | symbol User / save | -");
    check("a#b", "a#b | - | -");
    check("A.java:f(int).g(@A(1) int x)@y", "A.java | symbol f(int) / g(@A(1) int x) | y");
    check("A.java:f(@", "A.java | symbol f( | -");
    check("a.ts(12,5,13,9): error", "a.ts | from 12:5 to 13:9 | -");
    check("Foo.java:[171,24] cannot find symbol", "Foo.java | descriptor [171, 24] | -");
    check("\"a.py:f\"", "a.py:f | - | -");
    check_with_files("\"a.py:f\"", &["a.py"], "a.py | symbol f | -");
    check_with_files("\"a.py:f\"", &["a.py", "a.py:f"], "a.py:f | - | -");
    check_with_files("`a.py:f`", &["`a.py"], "invalid: the backtick in the scope `f` is not closed");
    check_with_files("b/src/a.py:f", &["src/a.py"], "src/a.py | symbol f | -");
    check_with_files("b/src/a.py:f", &["src/a.py", "b/src/a.py"], "b/src/a.py | symbol f | -");
    check("b/src/a.py:f", "b/src/a.py | symbol f | -");
    check_with_files("a.py#f", &["a.py", "a.py#f"], "a.py#f | - | -");
}

#[test]
fn links_to_a_file_of_a_repository() {
    check("https://github.com/o/n/blob/main/src/a.py#L3", "src/a.py | lines 3..3 | -");
    check(
        "https://github.com/o/n/blob/main/src/a%20b.py?plain=1#L3C2-L4C5",
        "src/a b.py | from 3:2 to 4:5 | -",
    );
    check("https://gitlab.com/g/s/n/-/blob/v1/src/a.py#L3-4", "src/a.py | lines 3..4 | -");
    check("https://bitbucket.org/o/n/src/main/src/a.py#lines-3:4", "src/a.py | lines 3..4 | -");
    check("https://codeberg.org/o/n/src/branch/main/a.py#L3-L4", "a.py | lines 3..4 | -");
    check("https://raw.githubusercontent.com/o/n/main/src/a.py", "src/a.py | - | -");
    let files = ["src/a.py", "a.py"];
    let branch = "https://github.com/o/n/blob/feature/x/src/a.py#L3";
    check_with_files(branch, &files, "src/a.py | lines 3..3 | -");
    check_with_files("`https://github.com/o/n/blob/x/src/a.py#L3`", &files, "src/a.py | lines 3..3 | -");
    let served = "    at f (http://localhost:3000/static/a.py:12:5)";
    check_with_files(served, &files, "a.py | at 12:5 | -");
    check("https://example.com/a.py", "https | symbol //example / com/a / py | -");
    check_with_files("webpack:///./src/a.py:12:5", &files, "src/a.py | at 12:5 | -");
    check_with_files("at f (webpack://shop/./src/a.py:12:5)", &files, "src/a.py | at 12:5 | -");
}

#[test]
fn frames_of_stack_traces() {
    check("at com.acme.Foo.bar(Foo.java:42)", "com/acme/Foo.java | lines 42..42 | -");
    check("com.acme.Foo.bar(Foo.java:42)", "com/acme/Foo.java | lines 42..42 | -");
    check("at Foo.bar(Foo.java:42)", "Foo.java | lines 42..42 | -");
    let thread = "java/lang/Thread.java | lines 840..840 | -";
    check("\tat java.base/java.lang.Thread.run(Thread.java:840)", thread);
    let files = ["src/main/java/com/acme/Foo.java", "a.js", "b.ex", "c.php", "d.rs", "e.cpp"];
    check_with_files(
        "at com.acme.Foo.bar(Foo.java:42)",
        &files,
        "src/main/java/com/acme/Foo.java | lines 42..42 | -",
    );
    check_with_files(
        "\tat com.acme.Foo.<init>(Foo.java:4)",
        &files,
        "src/main/java/com/acme/Foo.java | lines 4..4 | -",
    );
    check_with_files("at async Foo.bar [as baz] (a.js:1:2)", &files, "a.js | at 1:2 | -");
    check_with_files("    at a.js:1:2", &files, "a.js | at 1:2 | -");
    check_with_files("    (app 0.1.0) b.ex:12: A.f/1", &files, "b.ex | lines 12..12 | -");
    check_with_files("#0 c.php(12): f()", &files, "c.php | lines 12..12 | -");
    check_with_files("             at d.rs:3:5", &files, "d.rs | at 3:5 | -");
    check_with_files("    #1 0x4f in f(int) e.cpp:12:5", &files, "e.cpp | at 12:5 | -");
    check_with_files("[ERROR] b/d.rs:[171,24] cannot find symbol", &files, "d.rs | descriptor [171, 24] | -");
}

#[test]
fn a_line_and_a_symbol_are_not_one_scope() {
    check_invalid("a.py:5:A.m@pass", "`5:A.m` is no coordinate");
    check_invalid("a.py:2-6:A@pass", "`2-6:A` is no coordinate");
    check_invalid("a.py:f<|>", "has a marker");
    check("a.hs:<|>", "a.hs | symbol <|> | -");
    check("a.py:5:    return a @ b", "a.py | lines 5..5 | return a @ b");
    check("a.py:5:    @property", "a.py | lines 5..5 | @property");
    check("a.py:5:\treturn a  ", "a.py | lines 5..5 | return a");
    check("A.java:5: * The name.", "A.java | lines 5..5 | * The name.");
    check("a.py:5:   ", "a.py | lines 5..5 | -");
    check("a.py:5:8:    return a", "a.py | lines 5..5 | ret<|>urn a");
    check("a.py:5:5: error: return a", "a.py | at 5:5 | -");
    check("a.py:5:x = a @ b\n", "a.py | lines 5..5 | x = a @ b");
    check("a.py:5:A.m", "a.py | lines 5..5 | A.m");
    check("a.py:5:@x", "a.py | lines 5..5 | x");
    check("a.py:5-6: @x", "a.py | lines 5..6 | x");
    check("a.py:5: error: @x", "a.py | lines 5..5 | -");
    check("a.rb:5:in `x'", "a.rb | lines 5..5 | -");
    check_invalid("a.py:5-6:4", "`5-6:4` is no coordinate");
}

#[test]
fn the_find_is_taken_verbatim() {
    check("foo.py@@<|>property", "foo.py | - | @<|>property");
    check("foo.py:C@a@b:c d", "foo.py | symbol C | a@b:c d");
    check("foo.py@line one\n  line two", "foo.py | - | line one\n  line two");
    check("foo.py@ x ", "foo.py | - |  x ");
    check("foo.py:C@", "foo.py | symbol C | -");
}

#[test]
fn drives_and_at_signs_belong_to_the_path() {
    check(r"C:\src\foo.py:10", r"C:\src\foo.py | lines 10..10 | -");
    check("c:/src/foo.py@x", "c:/src/foo.py | - | x");
    check("node_modules/@types/node/fs.d.ts:stat", "node_modules/@types/node/fs.d.ts | symbol stat | -");
    check("@scope/pkg/a.ts@x", "@scope/pkg/a.ts | - | x");
    check(r"dir\@x\f.py:1", r"dir\@x\f.py | lines 1..1 | -");
    check("C:10", "C | lines 10..10 | -");
}

#[test]
fn odd_paths_are_quoted_or_found_on_disk() {
    check(r#""odd:name@2.py":10"#, "odd:name@2.py | lines 10..10 | -");
    check(r#""a""b.py"@x"#, "a\"b.py | - | x");
    check(r#""a.py"#, "invalid: the quote around the path is not closed");
    check_invalid(r#""a.py"x"#, "neither a scope nor a find");
    check_with_files("odd:name@2.py:10", &["odd:name@2.py"], "odd:name@2.py | lines 10..10 | -");
    check_with_files("odd:name@2.py", &["odd:name@2.py"], "odd:name@2.py | - | -");
    check_with_files("a.py:10", &["a.py", "a.py:10"], "a.py | lines 10..10 | -");
    check_with_files("a#L1:f", &["a#L1"], "a#L1 | symbol f | -");
}

#[test]
fn lines() {
    check("f:42", "f | lines 42..42 | -");
    check("f:L42", "f | lines 42..42 | -");
    check("f:L10-L20", "f | lines 10..20 | -");
    check("f:10,0", "f | lines 10.. | -");
    check("f#L10-L20", "f | lines 10..20 | -");
    check("f#L10", "f | lines 10..10 | -");
    check("f#L10@x", "f | lines 10..10 | x");
    check("f#L3C5-L4C1", "f | from 3:5 to 4:1 | -");
    check("f#L3C5", "f | at 3:5 | -");
    check("f:99999999999", "f | lines 4294967295..4294967295 | -");
    check_invalid("f:0", "no line 0");
    check_invalid("f:L0", "no line 0");
    check_invalid("f:20-10", "end before they start");
    check_invalid("f#L20-L10", "end before they start");
}

#[test]
fn coordinates() {
    check("f:42:7", "f | at 42:7 | -");
    check("f:42:7-44:1", "f | from 42:7 to 44:1 | -");
    check("f.c:42:7: error: expected ';' @ here", "f.c | at 42:7 | -");
    check("f.ts:42:7 - error TS2322: Type", "f.ts | at 42:7 | -");
    check("f.c:42:7:", "f.c | at 42:7 | -");
    check("f.c:42:7-44:1: note", "f.c | from 42:7 to 44:1 | -");
    check("f.py:42: error: Incompatible types", "f.py | lines 42..42 | -");
    check("f.py:42:", "f.py | lines 42..42 | -");
    check("f.py:1-2: error", "f.py | lines 1..2 | -");
    check("f.js:10:5)", "f.js | at 10:5 | -");
    check("f.js:10:5, note @ here", "f.js | at 10:5 | -");
    check_invalid("f:2:3-5", "`2:3-5` is no coordinate");
    check_invalid("f:2:3-", "`2:3-` is no coordinate");
    check_invalid("f:42:7@x", "a coordinate takes no find");
    check("f.py:42:class Item:  # @x", "f.py | lines 42..42 | class Item:  # @x");
    check_invalid("f:42:x <|>y", "no coordinate");
    check_invalid("f:42:7x", "no coordinate");
    check_invalid("f:0:1", "count from 1");
    check_invalid("f:1:0", "count from 1");
    check_invalid("f:4:1-3:9", "ends before it starts");
}

#[test]
fn symbol_paths() {
    check("f:ns::Type::method", "f | symbol ns / Type / method | -");
    check("f:a.b::c", "f | symbol a / b / c | -");
    check("f:Type.method[1]", "f | symbol Type / method#1 | -");
    check("f:Type[2].method[1]@x", "f | symbol Type#2 / method#1 | x");
    check("f:`weird.name`.x", "f | symbol weird.name / x | -");
    check("f:`a``b@c`@d", "f | symbol a`b@c | d");
    check("f:`42`", "f | symbol 42 | -");
    check("f:`x[1]`[2]", "f | symbol x[1]#2 | -");
    check("f:(*T).M", "f | symbol T / M | -");
    check("f:(T).M", "f | symbol T / M | -");
    check("f:Foo::operator[]", "f | symbol Foo / operator[] | -");
    check("f:Foo::~Foo", "f | symbol Foo / ~Foo | -");
    check("f:L10x", "f | symbol L10x | -");
    check("f:42nd", "f | symbol 42nd | -");
    check("f:@x", "f | - | x");
    check("f.css:#main", "f.css | symbol #main | -");
    check("f.ts:Foo.#x", "f.ts | symbol Foo / #x | -");
    check(":User.save", " | symbol User / save | -");
    check("**/models.py:User", "**/models.py | symbol User | -");
    check_invalid("f:a..b", "no symbol path");
    check_invalid("f:`a", "backtick");
    check_invalid("f:``", "no symbol path");
}

#[test]
fn descriptor_paths() {
    check("a.proto:[4,0,2,0,1]", "a.proto | descriptor [4, 0, 2, 0, 1] | -");
    check("a.proto:[ 4, 0 ]", "a.proto | descriptor [4, 0] | -");
    check("a.proto:[]", "a.proto | descriptor [] | -");
    check_invalid("a.proto:[4,x]", "no descriptor path");
    check_invalid("a.proto:[4", "no descriptor path");
}

fn any_scope() -> impl Strategy<Value = Option<Scope>> {
    let name = prop_oneof![
        "[a-zA-Z_]{1,6}",
        "[0-9L]{1,3}",
        // Names that look like a line with a message of a compiler or stack trace.
        "[0-9]{1,2}[ ,:)-]{0,2}(\\+0x)?[0-9a-z]{0,2}",
        "\\PC{1,6}",
        "[.`@:\\[\\]()*~ ]{1,5}",
        "operator(\\[\\]|\\(\\))",
        "[a;(.)]{1,8}"
    ];
    let segment = (name, prop::option::of(0u32..20)).prop_map(|(name, index)| Segment { name, index });
    let lines = (1u32..100, prop::option::of(0u32..100))
        .prop_map(|(first, more)| Scope::Lines { first, last: more.map(|more| first + more) });
    let position = || (1u32..100, 1u32..100);
    let coordinate = (position(), prop::option::of(position())).prop_map(|(start, more)| {
        let start = locant_text::Position { line: start.0, character: start.1 };
        let end = more.map(|more| locant_text::Position { line: start.line + more.0, character: more.1 });
        Scope::Coordinate { start, end }
    });
    prop::option::of(prop_oneof![
        4 => prop::collection::vec(segment, 1..4).prop_map(Scope::Symbol),
        1 => lines,
        1 => coordinate,
        1 => prop::collection::vec(0i32..100, 0..6).prop_map(Scope::Descriptor),
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn what_is_written_is_read_back(
        path in prop_oneof!["[a-z]{1,5}\\.py", "\\PC{0,8}", "[a@:/\\\\\"#L1]{0,8}"],
        scope in any_scope(),
        find in prop::option::of(prop_oneof!["\\PC{1,10}", "[@:`<|> \\n]{1,6}"]),
    ) {
        let find = find.filter(|_| !matches!(scope, Some(Scope::Coordinate { .. })));
        let location = Location { path, scope, find, find_index: 0 };
        let written = location.to_string();
        prop_assert_eq!(Location::parse(&written, &|_| false), Ok(location), "{}", written);
    }

    #[test]
    fn any_text_is_read_without_panic(text in any::<String>(), other in "[a.py:@`\"\\[\\]0-9L,# -]{0,20}") {
        for text in [text, other] {
            if let Ok(location) = Location::parse(&text, &|_| false) {
                let again = Location::parse(&location.to_string(), &|_| false);
                prop_assert_eq!(again, Ok(location), "{}", text);
            }
        }
    }
}
