//! What names mean: by example, by laws, and with protoc as the judge of renames.

mod oracle;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use locant_names::{Names, Severity, Target, TokenKind};
use locant_proto::{Workspace, known_file};
use locant_text::{Offset, Range};

/// Some files, and a place in one of them.
struct Case {
    workspace: Workspace,
    texts: BTreeMap<String, String>,
    path: String,
    at: Offset,
}

/// Reads a case: files one after the other, each after a line `--- NAME`. Without such a line there is one file,
/// `a.proto`. `<|>` marks the place.
fn case(written: &str) -> Case {
    let written =
        if written.starts_with("--- ") { written.to_owned() } else { format!("--- a.proto\n{written}") };
    let mut case = Case {
        workspace: Workspace::new(Vec::new()),
        texts: BTreeMap::new(),
        path: String::new(),
        at: Offset::ZERO,
    };
    for file in written.split("--- ").skip(1) {
        let (path, text) = file.split_once('\n').expect("a text follows the name");
        if let Some(at) = text.find("<|>") {
            case.path = path.to_owned();
            case.at = Offset::of_index(at);
        }
        let text = text.replacen("<|>", "", 1);
        case.workspace.set(path, text.as_bytes());
        case.texts.insert(path.to_owned(), text);
    }
    case
}

impl Case {
    /// A range in a readable form: the path, and the line with the range in « ».
    fn show(&self, path: &str, range: Range) -> String {
        let text = &self.texts[path];
        let start = text[..range.start().index()].rfind('\n').map_or(0, |at| at + 1);
        let end = text[range.end().index()..].find('\n').map_or(text.len(), |at| range.end().index() + at);
        let (from, to) = (range.start().index(), range.end().index());
        format!("{path}: {}«{}»{}", text[start..from].trim_start(), &text[from..to], &text[to..end])
    }

    fn targets(&self, targets: &[Target]) -> Vec<String> {
        targets.iter().map(|target| self.show(&target.path, target.name)).collect()
    }

    fn renamed(&self, name: &str) -> Result<BTreeMap<String, String>, String> {
        let replacements =
            self.workspace.rename(&self.path, self.at, name).map_err(|refusal| refusal.message)?;
        let mut texts = self.texts.clone();
        for one in replacements.iter().rev() {
            let text = texts.get_mut(&one.path).expect("only files of the workspace are changed");
            text.replace_range(one.range.indices(), &one.text);
        }
        Ok(texts)
    }
}

#[track_caller]
fn check_definition(written: &str, expected: &[&str]) {
    let case = case(written);
    assert_eq!(case.targets(&case.workspace.definition(&case.path, case.at)), expected);
}

#[track_caller]
fn check_references(written: &str, expected: &[&str]) {
    let case = case(written);
    let mentions = case.workspace.references(&case.path, case.at);
    let shown: Vec<_> = mentions.iter().map(|mention| case.show(&mention.path, mention.range)).collect();
    assert_eq!(shown, expected);
}

#[track_caller]
fn check_rename(written: &str, name: &str, expected: Result<&str, &str>) {
    let renamed = case(written).renamed(name);
    let texts = renamed.map(|texts| match texts.len() {
        1 => texts.into_values().collect(),
        _ => texts.iter().map(|(path, text)| format!("--- {path}\n{text}")).collect::<String>(),
    });
    assert_eq!(texts.as_deref().map_err(String::as_str), expected);
}

#[track_caller]
fn check_problems(written: &str, expected: &[&str]) {
    let case = case(written);
    let path = case.texts.keys().next().expect("there is a file").clone();
    let problems = case.workspace.problems(&path);
    let shown = problems.iter().map(|problem| {
        let severity = format!("{:?}", problem.severity).to_lowercase();
        format!("{severity} {}: {}", problem.code, &case.texts[&path][problem.range.indices()])
    });
    assert_eq!(shown.collect::<Vec<_>>(), expected);
}

#[track_caller]
fn check_suggestions(written: &str, has: &[&str], has_not: &[&str]) {
    let case = case(written);
    let found = case.workspace.suggestions(&case.path, case.at);
    let texts: Vec<&str> = found.iter().map(|suggestion| suggestion.text.as_str()).collect();
    has.iter().for_each(|text| assert!(texts.contains(text), "{text} is not among {texts:?}"));
    has_not.iter().for_each(|text| assert!(!texts.contains(text), "{text} is among {texts:?}"));
}

#[test]
fn a_type_is_looked_up_from_the_innermost_scope_outward() {
    let text = "package p;\nmessage A {}\nmessage B {\n  message A {}\n  optional <|>A a = 1;\n}\n";
    check_definition(text, &["a.proto: message «A» {}"]);
    let inner = case(text).workspace.definition("a.proto", case(text).at);
    assert_eq!(inner[0].name.start().to_u32(), 46, "the inner one");
    check_definition(
        "package p;\nmessage A {}\nmessage B {\n  message A {}\n  optional .p.<|>A a = 1;\n}\n",
        &["a.proto: message «A» {}"],
    );
}

#[test]
fn the_first_part_of_a_name_decides() {
    // As in C++, `A` is the inner `A`, which has no `C`.
    check_definition("message A { message C {} }\nmessage B { message A {} optional A.<|>C c = 1; }\n", &[]);
    check_definition(
        "message A { message C {} }\nmessage B { optional A.<|>C c = 1; }\n",
        &["a.proto: message A { message «C» {} }"],
    );
    check_definition(
        "message A { message C {} }\nmessage B { optional <|>A.C c = 1; }\n",
        &["a.proto: message «A» { message C {} }"],
    );
}

#[test]
fn a_field_does_not_hide_a_type() {
    check_definition(
        "message A {}\nmessage B { optional int32 A = 1; optional A<|> a = 2; }\n",
        &["a.proto: message «A» {}"],
    );
}

#[test]
fn a_method_hides_a_type_in_its_service_only() {
    check_definition(
        "message a {}\nservice S {\n  rpc a(<|>a) returns (a);\n}\n",
        &["a.proto: rpc «a»(a) returns (a);"],
    );
    check_definition(
        "message a {}\nservice S {\n  rpc a(.<|>a) returns (.a);\n}\n",
        &["a.proto: message «a» {}"],
    );
}

#[test]
fn public_imports_are_passed_on_and_others_are_not() {
    let c = "--- c.proto\npackage p;\nmessage C {}\n";
    let user = "--- a.proto\npackage p;\nimport \"b.proto\";\nmessage A { optional <|>C c = 1; }\n";
    check_definition(
        &format!("{user}--- b.proto\nimport public \"c.proto\";\n{c}"),
        &["c.proto: message «C» {}"],
    );
    check_definition(&format!("{user}--- b.proto\nimport \"c.proto\";\n{c}"), &[]);
}

#[test]
fn imports_are_found_above_the_file_and_by_their_ending() {
    let b = "message B {}\n";
    let a = |import: &str| {
        format!("--- x/y/a.proto\nimport \"{import}\";\nmessage A {{ optional <|>B b = 1; }}\n")
    };
    check_definition(&format!("{}--- x/z/b.proto\n{b}", a("z/b.proto")), &["x/z/b.proto: message «B» {}"]);
    check_definition(
        &format!("{}--- vendor/z/b.proto\n{b}", a("z/b.proto")),
        &["vendor/z/b.proto: message «B» {}"],
    );
    check_definition(&format!("{}--- vendor/notz/b.proto\n{b}", a("z/b.proto")), &[]);
    check_definition(
        "--- x/a.proto\nimport \"<|>b.proto\";\n--- x/b.proto\nmessage B {}\n",
        &["x/b.proto: «»message B {}"],
    );
}

#[test]
fn every_place_that_names_a_message_is_a_reference() {
    check_references(
        r"package p;
message <|>M {
  optional M m = 1;
  map<string, .p.M> n = 2;
  repeated p.M.K k = 3;
  enum K { X = 0; }
}
extend M { optional int32 e = 100; optional int32 f = 101; }
service S {
  rpc R(M) returns (stream p.M);
}
",
        &[
            "a.proto: message «M» {",
            "a.proto: optional «M» m = 1;",
            "a.proto: map<string, .p.«M»> n = 2;",
            "a.proto: repeated p.«M».K k = 3;",
            "a.proto: extend «M» { optional int32 e = 100; optional int32 f = 101; }",
            "a.proto: rpc R(«M») returns (stream p.M);",
            "a.proto: rpc R(M) returns (stream p.«M»);",
        ],
    );
}

#[test]
fn options_are_references_down_into_their_values() {
    let text = r#"import "google/protobuf/descriptor.proto";
message Note {
  optional string <|>text = 1;
  repeated Note more = 2;
  map<string, Note> by = 3;
}
extend google.protobuf.MessageOptions { optional Note note = 50000; }
message A {
  option (note).text = "x";
  option (note).more = { text: "a" more { text: "b" } more: [{ text: "c" }, < text: "d" >] };
  option (note).by = { key: "text" value { text: "e" } };
}
"#;
    let case = case(text);
    let references = case.workspace.references("a.proto", case.at);
    assert_eq!(references.len(), 7, "{references:?}");
    assert!(references.iter().all(|mention| &case.texts["a.proto"][mention.range.indices()] == "text"));
}

#[test]
fn values_of_enums_are_found_in_defaults_and_options() {
    check_references(
        r#"import "google/protobuf/descriptor.proto";
enum E { <|>X = 0; Y = 1; }
extend google.protobuf.FieldOptions { optional E e = 50000; }
message A {
  optional E a = 1 [default = X];
  optional int32 b = 2 [(e) = X];
}
"#,
        &[
            "a.proto: enum E { «X» = 0; Y = 1; }",
            "a.proto: optional E a = 1 [default = «X»];",
            "a.proto: optional int32 b = 2 [(e) = «X»];",
        ],
    );
}

#[test]
fn a_group_is_a_field_and_a_message_with_one_name() {
    let text = r#"import "google/protobuf/descriptor.proto";
message A {
  repeated group <|>Hit = 1 { optional int32 n = 1; }
  optional A.Hit other = 2;
}
extend google.protobuf.FileOptions { optional A a = 50000; }
option (a) = { hit { n: 1 } Hit { n: 2 } };
"#;
    check_rename(
        text,
        "Match",
        Ok(r#"import "google/protobuf/descriptor.proto";
message A {
  repeated group Match = 1 { optional int32 n = 1; }
  optional A.Match other = 2;
}
extend google.protobuf.FileOptions { optional A a = 50000; }
option (a) = { match { n: 1 } Match { n: 2 } };
"#),
    );
    check_rename(text, "match", Err("the name of a group starts with a capital"));
}

#[test]
fn a_rename_goes_through_all_files() {
    check_rename(
        r#"--- a.proto
package p;
message A<|> {}
--- b.proto
package q;
import "a.proto";
message B { optional p.A a = 1; optional string A = 2; }
"#,
        "Z",
        Ok(r#"--- a.proto
package p;
message Z {}
--- b.proto
package q;
import "a.proto";
message B { optional p.Z a = 1; optional string A = 2; }
"#),
    );
}

#[test]
fn a_rename_that_changes_what_something_means_is_refused() {
    // The name is taken.
    check_rename(
        "message <|>A {}\nmessage B {}\n",
        "B",
        Err("the name is already taken where a.proto sees it"),
    );
    // A file that imports this one has a package with that name.
    check_rename(
        "--- a.proto\nmessage <|>A {}\n--- b.proto\npackage b;\nimport \"a.proto\";\nmessage M { optional A x = 1; }\n",
        "b",
        Err("the name is already taken where b.proto sees it"),
    );
    // The edition enforces another naming style.
    check_rename(
        "edition = \"2024\";\nmessage <|>Money {}\n",
        "money",
        Err("a.proto would have an error: the name is not written as `ShopOrder`"),
    );
    // An inner name would hide the outer one.
    check_rename(
        "message A {}\nmessage B { message <|>C {} optional A a = 1; optional C c = 2; }\n",
        "A",
        Err("`A` in a.proto would no longer mean what it does"),
    );
    check_rename(
        "message <|>A {}\nmessage B { optional A a = 1; }\n",
        "int32",
        Err("`A` in a.proto would no longer mean what it does"),
    );
    check_rename("message <|>A {}\n", "1A", Err("`1A` cannot be a name"));
    check_rename(
        "package <|>p;\n",
        "q",
        Err("this is a package: files outside of the workspace may be in it too"),
    );
    check_rename("message A { <|>optional int32 a = 1; }\n", "q", Err("there is no name here"));
    check_rename(
        "import \"google/protobuf/any.proto\";\nmessage A { optional google.protobuf.<|>Any a = 1; }\n",
        "Some",
        Err(
            "`google.protobuf.Any` is declared in google/protobuf/any.proto, which is not a file of the workspace",
        ),
    );
    check_rename("message A { optional <|>B b = 1; }\n", "C", Err("no file declares this type"));
}

#[test]
fn problems_are_where_they_are() {
    check_problems("message A {}\n", &[]);
    check_problems("message A { optional B b = 1; }\n", &["error unknown-type: B"]);
    check_problems(
        "import \"b.proto\";\nmessage A { optional B b = 1; }\n",
        &["error missing-import: b.proto", "warning unknown-type: B"],
    );
    check_problems(
        "option foo = 1;\nmessage A { option (bar) = 1; }\n",
        &["error unknown-option: foo", "error unknown-option: bar"],
    );
    check_problems(
        "message A { optional int32 a = 1; optional int32 a = 2; }\n",
        &["error declared-twice: a"],
    );
    check_problems("enum E { X = 0; }\nenum F { X = 0; }\n", &["error declared-twice: X"]);
    check_problems("message A { optional int32 a = 1; optional int32 b = 1; }\n", &["error number-taken: b"]);
    check_problems("enum E { X = 0; Y = 0; }\n", &["error number-taken: Y"]);
    check_problems("enum E { option allow_alias = true; X = 0; Y = 0; }\n", &[]);
    check_problems("message A { optional int32 a = 1 }\n", &["error expected: "]);
    check_problems(
        "import \"google/protobuf/any.proto\";\n",
        &["hint unused-import: \"google/protobuf/any.proto\""],
    );
    check_problems(
        "edition = \"2024\";\nimport option \"google/protobuf/any.proto\";\n",
        &["hint unused-import: \"google/protobuf/any.proto\""],
    );
}

#[test]
fn what_protoc_says_is_wrong_is_wrong() {
    let texts = [
        "message A { optional B b = 1; }",
        "message A { optional int32 a = 1; optional int32 a = 2; }",
        "enum E { X = 0; } enum F { X = 0; }",
        "message A { optional int32 a = 1; optional int32 b = 1; }",
        "enum E { X = 0; Y = 0; }",
        "option foo = 1;",
        "message A { option (bar) = 1; }",
        "import \"no.proto\";",
        "message A { message B {} } message C { message A {} optional A.B b = 1; }",
        "message A { optional A.a a = 1; }",
        "service S { rpc R(S) returns (S); }",
        "message A {} extend A { optional B b = 1; }",
    ];
    for text in texts {
        let text = format!("syntax = \"proto2\";\n{text}\n");
        let folder = std::env::temp_dir().join(format!("locant-names-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder can be made");
        fs::write(folder.join("a.proto"), &text).expect("a file can be written");
        let said = oracle::protoc(std::slice::from_ref(&folder), &["a.proto".to_owned()], &[]);
        let _ = fs::remove_dir_all(&folder);
        let said = said.err().expect("protoc refuses it");
        let mut workspace = Workspace::new(Vec::new());
        workspace.set("a.proto", text.as_bytes());
        let problems = workspace.problems("a.proto");
        let has_error = problems.iter().any(|problem| problem.severity == Severity::Error);
        assert!(has_error, "{text}{said}");
    }
}

#[test]
fn what_is_hovered_is_explained() {
    let case = case(
        r"package p;
// The first.
// It is *good*.
message A {
  // Leads.
  optional  B   b = 3; // Trails.
}
message B { optional <|>A a = 1; }
",
    );
    let hover = case.workspace.hover("a.proto", case.at).expect("there is a name");
    assert_eq!(hover.code, "message A");
    assert_eq!(hover.docs, "The first.\nIt is *good*.");
    assert_eq!(hover.facts, ["message `p.A`", "in `a.proto`"]);
    let field = case.texts["a.proto"].find("b = 3").expect("it is there");
    let hover = case.workspace.hover("a.proto", Offset::of_index(field)).expect("there is a name");
    assert_eq!(hover.code, "optional B b = 3;");
    assert_eq!(hover.docs, "Leads.\n\nTrails.");
    assert_eq!(hover.facts, ["field `p.A.b`", "type `p.B`", "in `a.proto`"]);
}

#[test]
fn suggestions_fit_the_place() {
    let text = "package p;\nmessage A { message C {} }\nenum E { X = 0; }\n";
    check_suggestions(&format!("{text}message B {{ <|> }}"), &["A", "A.C", "E", "int32", "oneof"], &["p.A"]);
    check_suggestions(&format!("{text}message B {{ repeated A<|> }}"), &["A", "A.C", "B"], &[]);
    check_suggestions(&format!("{text}message A2 {{ message A {{}} optional <|> }}"), &["p.A", "A"], &[]);
    check_suggestions(&format!("{text}service S {{ rpc M(<|>"), &["A", "A.C"], &["oneof"]);
    check_suggestions("message A { option <|> }", &["deprecated"], &["java_package", "A"]);
    check_suggestions("option <|>", &["java_package"], &["A"]);
    check_suggestions("import \"<|>\";", &["google/protobuf/any.proto"], &["A"]);
    check_suggestions("--- x/a.proto\nimport \"<|>\n--- x/b.proto\n", &["b.proto"], &["a.proto"]);
    check_suggestions("message A { optional int32 a = <|>", &[], &["int32", "A"]);
}

#[test]
fn blocks_comments_and_imports_fold() {
    let text =
        "// One.\n// Two.\nimport \"a\";\nimport \"b\";\nmessage A {\n  /* x\n   */\n  message B { }\n}\n";
    let case = case(text);
    let folds = case.workspace.folds("a.proto");
    let shown: Vec<String> =
        folds.iter().map(|fold| format!("{:?} {:?}", fold.kind, &text[fold.range.indices()])).collect();
    assert_eq!(
        shown,
        [
            "Comment \"// One.\\n// Two.\"",
            "Imports \"import \\\"a\\\";\\nimport \\\"b\\\";\"",
            "Block \"{\\n  /* x\\n   */\\n  message B { }\\n}\"",
            "Comment \"/* x\\n   */\"",
        ]
    );
}

#[test]
fn a_changed_file_is_seen_and_a_removed_one_is_gone() {
    let mut case = case(
        "--- a.proto\nimport \"b.proto\";\nmessage A { optional <|>B b = 1; }\n--- b.proto\nmessage B {}\n",
    );
    assert_eq!(case.workspace.definition("a.proto", case.at).len(), 1);
    case.workspace.set("b.proto", b"message C {}\n");
    assert_eq!(case.workspace.definition("a.proto", case.at).len(), 0);
    case.workspace.set("b.proto", b"\n\nmessage B {}\n");
    assert_eq!(case.workspace.definition("a.proto", case.at)[0].name.start().to_u32(), 10);
    case.workspace.remove("b.proto");
    assert_eq!(case.workspace.definition("a.proto", case.at).len(), 0);
    assert_eq!(case.workspace.wanted("a.proto"), Some(vec!["b.proto".to_owned()]));
    assert!(case.workspace.problems("b.proto").is_empty(), "what is not there has no problems");
}

/// The names and texts of the files in `tests/probes`.
fn probes() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/probes");
    let files = oracle::proto_files(&folder).into_iter();
    let files = files.map(|path| {
        let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
        (name, fs::read_to_string(&path).expect("probes are UTF-8"))
    });
    files.collect()
}

#[test]
fn a_reference_leads_to_its_definition_and_back() {
    let mut n = 0;
    for (path, text) in probes() {
        let mut workspace = Workspace::new(Vec::new());
        workspace.set(&path, text.as_bytes());
        let errors = workspace.problems(&path).into_iter().filter(|one| one.severity != Severity::Hint);
        assert_eq!(errors.collect::<Vec<_>>(), [], "{path} is sound");
        for at in (0..text.len()).map(Offset::of_index) {
            let references = workspace.references(&path, at);
            if references.is_empty() {
                continue;
            }
            n += 1;
            assert!(
                references.iter().any(|mention| mention.range.touches(at)),
                "{path} {at:?}: it is one itself"
            );
            // Only targets in this file are checked. Other targets are in files that come with protoc.
            for target in workspace.definition(&path, at).iter().filter(|target| target.path == path) {
                assert_eq!(workspace.references(&path, target.name.start()), references, "{path} {at:?}");
            }
        }
    }
    assert!(n > 2000, "{n} places have names");
}

#[test]
fn protoc_takes_what_is_renamed() {
    let folder = std::env::temp_dir().join(format!("locant-renames-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder can be made");
    let mut names = Vec::new();
    for (path, text) in probes() {
        let mut workspace = Workspace::new(Vec::new());
        workspace.set(&path, text.as_bytes());
        let declared = workspace.tokens(&path).into_iter().filter(|token| token.is_declaration);
        for token in declared {
            let renamed = workspace.rename(&path, token.range.start(), "Renamed_0");
            let replacements = match (renamed, token.kind) {
                (Ok(replacements), _) => replacements,
                (Err(_), TokenKind::Namespace) => continue,
                (Err(refusal), _) => panic!("{path}: {}: {}", &text[token.range.indices()], refusal.message),
            };
            let mut renamed = text.clone();
            for one in replacements.iter().rev() {
                renamed.replace_range(one.range.indices(), &one.text);
            }
            let name = format!("{:04}.proto", names.len());
            let renamed = renamed.replace("probe_0000", &format!("probe_{:04}", names.len()));
            fs::write(folder.join(&name), renamed).expect("a file can be written");
            names.push(name);
        }
    }
    let said = oracle::protoc(std::slice::from_ref(&folder), &names, &[]);
    let _ = fs::remove_dir_all(&folder);
    assert!(names.len() > 100, "{} names can be renamed", names.len());
    assert_eq!(said.map(|run| run.descriptors.len()), Ok(names.len()));
}

#[test]
fn any_text_can_be_asked() {
    for (path, text) in probes()
        .into_iter()
        .chain([("k.proto".to_owned(), known_file("google/protobuf/descriptor.proto").expect("it is known"))])
    {
        let mut workspace = Workspace::new(Vec::new());
        for end in (0..text.len()).step_by(37) {
            workspace.set(&path, &text.as_bytes()[..end]);
            let at = Offset::of_index(end);
            workspace.references(&path, at);
            workspace.hover(&path, at);
            workspace.suggestions(&path, at);
            workspace.problems(&path);
            let tokens = workspace.tokens(&path);
            assert!(
                tokens.windows(2).all(|pair| pair[0].range.end() <= pair[1].range.start()),
                "no overlaps"
            );
            workspace.folds(&path);
            let _ = workspace.rename(&path, at, "Other");
        }
    }
}

#[test]
fn a_rename_to_what_is_kept_free_is_refused() {
    let text = "syntax = \"proto3\";\nmessage A {\n  reserved \"other\";\n  int32 inner = 1;\n}\n";
    let mut workspace = Workspace::new(Vec::new());
    workspace.set("a.proto", text.as_bytes());
    let at = Offset::of_index(text.find("inner").expect("it is there"));
    assert!(workspace.rename("a.proto", at, "other").is_err());
    assert!(workspace.rename("a.proto", at, "another").is_ok());
}
