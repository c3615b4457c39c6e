//! A workspace whose files are added, changed and removed one by one gives the same answers as a fresh one with the
//! same files.

use locant_names::Names;
use locant_proto::Workspace;
use locant_stop::{Stop, Stopped, until};
use locant_text::Offset;

/// Files, each with three texts that it may have. The files import each other, publicly or not, in circles and by the
/// ends of their paths. They also import files that come with protoc.
const FILES: [(&str, [&str; 3]); 6] = [
    (
        "a.proto",
        [
            "import \"b.proto\"; message A { optional B b = 1; }",
            "import \"d/b.proto\"; message A { optional B b = 1; optional C c = 2; }",
            "message A {}",
        ],
    ),
    (
        "b.proto",
        [
            "import public \"c.proto\"; message B { optional C c = 1; }",
            "import \"a.proto\"; message B { optional A a = 1; }",
            "message B {} message A {}",
        ],
    ),
    ("d/b.proto", ["message B {}", "import \"e.proto\"; message B { optional E e = 1; }", "message C {}"]),
    ("c.proto", ["message C {}", "import \"a.proto\"; message C {}", "package c; message C {}"]),
    (
        "x/e.proto",
        [
            "message E {}",
            "import \"google/protobuf/descriptor.proto\"; extend google.protobuf.FileOptions { optional E e = 5000; }\
         message E { optional int32 n = 1; } option (e) = { n: 1 };",
            "import \"google/protobuf/any.proto\"; message E { optional google.protobuf.Any a = 1; }",
        ],
    ),
    (
        "google/protobuf/descriptor.proto",
        [
            "package google.protobuf; message FileOptions { extensions 1000 to max; }",
            "package google.protobuf; message FileOptions { optional bool deprecated = 1; extensions 5 to max; }",
            "package google.protobuf; message FieldOptions {}",
        ],
    ),
];

/// The answers about all files, as text.
fn known(workspace: &Workspace) -> String {
    let of = |path: &str| format!("{path}: {:?} {:?}\n", workspace.wanted(path), workspace.problems(path));
    FILES.iter().map(|(path, _)| of(path)).chain([format!("{:?}", workspace.symbols(""))]).collect()
}

#[test]
fn what_comes_one_by_one_is_as_what_comes_at_once() {
    let mut texts: [Option<&str>; 6] = [None; 6];
    let mut grown = Workspace::new(Vec::new());
    let mut number = 1u32;
    for step in 0..400 {
        // A pseudo-random order that is the same in each run.
        number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let (file, text) = ((number >> 16) as usize % 6, (number >> 24) as usize % 4);
        let path = FILES[file].0;
        texts[file] = FILES[file].1.get(text).copied();
        match texts[file] {
            Some(text) => grown.set(path, text.as_bytes()),
            None => grown.remove(path),
        }
        let mut fresh = Workspace::new(Vec::new());
        for ((path, _), text) in FILES.iter().zip(texts) {
            text.into_iter().for_each(|text| fresh.set(path, text.as_bytes()));
        }
        assert_eq!(known(&grown), known(&fresh), "after step {step}, {texts:?}");
    }
}

/// This takes seconds if the cost of a file does not depend on the number of files, and hours if it does.
#[test]
fn ten_thousand_files_are_no_more_than_ten_thousand_times_one() {
    let mut workspace = Workspace::new(Vec::new());
    for number in 0..10_000 {
        let path = format!("f{number}.proto");
        let text = format!("syntax = \"proto3\"; import \"f{}.proto\"; message M{number} {{}}", number / 2);
        workspace.set(&path, text.as_bytes());
        assert_eq!(workspace.wanted(&path).map(|wanted| wanted.len()), Some(0), "{path}");
        assert_eq!(workspace.problems(&path).len(), 1, "{path}");
    }
}

#[test]
fn questions_end_when_they_are_asked_to_and_are_answered_the_next_time() {
    let mut workspace = Workspace::new(Vec::new());
    workspace.set("a.proto", b"message Money {}\nmessage Order { Money price = 1; }\n");
    let (stop, at) = (Stop::default(), Offset::of_index("message ".len()));
    stop.ask();
    assert_eq!(until(&stop, || workspace.references("a.proto", at)), Err(Stopped));
    assert_eq!(workspace.references("a.proto", at).len(), 2);
}
