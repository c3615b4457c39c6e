//! Names that a file uses but does not see: the problem says which file declares them, and the fix imports that file.

use locant_names::Names;
use locant_proto::Workspace;
use locant_text::Range;

/// Reads a workspace: files one after the other, each after a line `--- NAME`. Returns it with the path and the text of
/// the first file, which the tests are about.
fn workspace(written: &str) -> (Workspace, String, String) {
    let mut workspace = Workspace::new(vec![String::new()]);
    let mut first = None;
    for file in written.split("--- ").skip(1) {
        let (path, text) = file.split_once('\n').expect("a text follows the name");
        workspace.set(path, text.as_bytes());
        first.get_or_insert((path.to_owned(), text.to_owned()));
    }
    let (path, text) = first.expect("there is a file");
    (workspace, path, text)
}

#[track_caller]
fn check(written: &str, problem: &str, fixed: &str) {
    let (workspace, path, mut text) = workspace(written);
    let problems = workspace.problems(&path);
    let said: Vec<String> = problems.iter().map(|one| format!("{}; {}", one.message, one.hint)).collect();
    assert_eq!(said, [problem]);
    let fixes = workspace.fixes(&path, Range::of_indices(0..text.len()));
    for (range, new) in fixes.iter().flat_map(|fix| &fix.edits).rev() {
        text.replace_range(range.indices(), new);
    }
    assert_eq!(text, fixed);
}

#[test]
fn a_type_is_found_in_a_file_that_is_not_imported() {
    check(
        "--- a.proto\nsyntax = \"proto3\";\npackage p;\nmessage A { B b = 1; }\n\
         --- b.proto\nsyntax = \"proto3\";\npackage p;\nmessage B {}\n",
        "`b.proto` declares this, but is not imported; add `import \"b.proto\";`",
        "syntax = \"proto3\";\npackage p;\nimport \"b.proto\";\nmessage A { B b = 1; }\n",
    );
}

#[test]
fn so_is_one_that_is_imported_by_an_import_alone() {
    check(
        "--- a.proto\nsyntax = \"proto3\";\nimport \"b.proto\";\nmessage A { C c = 1; B b = 2; }\n\
         --- b.proto\nsyntax = \"proto3\";\nimport \"c.proto\";\nmessage B { C c = 1; }\n\
         --- c.proto\nsyntax = \"proto3\";\nmessage C {}\n",
        "`c.proto` declares this, but is not imported; add `import \"c.proto\";`",
        "syntax = \"proto3\";\nimport \"b.proto\";\nimport \"c.proto\";\nmessage A { C c = 1; B b = 2; }\n",
    );
}

#[test]
fn so_are_the_types_that_come_with_protoc() {
    check(
        "--- a.proto\nsyntax = \"proto3\";\r\nmessage A { google.protobuf.Timestamp t = 1; }\r\n",
        "`google/protobuf/timestamp.proto` declares this, but is not imported; \
         add `import \"google/protobuf/timestamp.proto\";`",
        "syntax = \"proto3\";\r\nimport \"google/protobuf/timestamp.proto\";\r\n\
         message A { google.protobuf.Timestamp t = 1; }\r\n",
    );
    check(
        "--- a.proto\nmessage A { optional Any a = 1; }\n",
        "no file declares this type; `google/protobuf/any.proto` declares `google.protobuf.Any`; correct the name, \
         or add `import \"google/protobuf/any.proto\";` and write `google.protobuf.Any`",
        "import \"google/protobuf/any.proto\";\nmessage A { optional google.protobuf.Any a = 1; }\n",
    );
}

#[test]
fn an_option_is_found_in_a_file_that_is_not_imported() {
    check(
        "--- a.proto\nsyntax = \"proto3\";\npackage p;\noption (q.x) = 1;\n\
         --- o/b.proto\nsyntax = \"proto2\";\npackage q;\nimport \"google/protobuf/descriptor.proto\";\n\
         extend google.protobuf.FileOptions { optional int32 x = 50000; }\n",
        "`o/b.proto` declares this, but is not imported; add `import \"o/b.proto\";`",
        "syntax = \"proto3\";\npackage p;\nimport \"o/b.proto\";\noption (q.x) = 1;\n",
    );
}

#[test]
fn an_import_is_written_as_others_write_theirs() {
    check(
        "--- proto/p/a.proto\nsyntax = \"proto3\";\npackage p;\nimport \"q/b.proto\";\n\
         message A { q.B b = 1; q.C c = 2; }\n\
         --- proto/q/b.proto\nsyntax = \"proto3\";\npackage q;\nmessage B {}\n\
         --- proto/q/c.proto\nsyntax = \"proto3\";\npackage q;\nmessage C {}\n",
        "`q/c.proto` declares this, but is not imported; add `import \"q/c.proto\";`",
        "syntax = \"proto3\";\npackage p;\nimport \"q/b.proto\";\nimport \"q/c.proto\";\n\
         message A { q.B b = 1; q.C c = 2; }\n",
    );
    check(
        "--- src/p/a.proto\nsyntax = \"proto3\";\npackage p;\nmessage A { q.v1.C c = 2; }\n\
         --- src/q/v1/c.proto\nsyntax = \"proto3\";\npackage q.v1;\nmessage C {}\n",
        "`q/v1/c.proto` declares this, but is not imported; add `import \"q/v1/c.proto\";`",
        "syntax = \"proto3\";\npackage p;\nimport \"q/v1/c.proto\";\nmessage A { q.v1.C c = 2; }\n",
    );
}

#[test]
fn a_file_that_imports_this_one_cannot_be_imported() {
    check(
        "--- a.proto\nsyntax = \"proto3\";\nmessage A { B b = 1; }\n\
         --- b.proto\nsyntax = \"proto3\";\nimport \"a.proto\";\nmessage B { A a = 1; }\n",
        "`b.proto` declares this, but imports this file; move it into a file that both can import",
        "syntax = \"proto3\";\nmessage A { B b = 1; }\n",
    );
}

#[test]
fn what_no_file_declares_is_said_so() {
    check(
        "--- a.proto\nsyntax = \"proto3\";\nmessage A { B b = 1; }\n--- b.proto\nsyntax = \"proto3\";\nmessage C {}\n",
        "no file declares this type; import the file that declares it, or correct the name",
        "syntax = \"proto3\";\nmessage A { B b = 1; }\n",
    );
}

#[test]
fn an_import_that_nothing_needs_is_taken_out_with_its_line() {
    check(
        "--- a.proto\nsyntax = \"proto3\";\nimport \"b.proto\";\nmessage A {}\n--- b.proto\nsyntax = \"proto3\";\n",
        "nothing from this import is used; remove it",
        "syntax = \"proto3\";\nmessage A {}\n",
    );
}

#[test]
fn what_is_expected_is_inserted() {
    check(
        "--- a.proto\nsyntax = \"proto3\";\nmessage A { int32 a = 1 }\n",
        "expected `;`; insert it here",
        "syntax = \"proto3\";\nmessage A { int32 a = 1; }\n",
    );
}
