//! What protoc refuses though it can be read.

mod oracle;

use std::fs;

use locant_names::{Names, Severity};
use locant_proto::Workspace;

/// Texts that can be read, and that protoc refuses all the same.
const REFUSED: &str = r#"
proto2 message A { int32 a = 1; }
proto2 message A { oneof o { optional int32 a = 1; } }
proto3 message A { oneof o { } }
proto3 message A { oneof o { map<int32, int32> a = 1; } }
proto3 message A { repeated map<int32, int32> m = 1; }
proto3 message A { map<float, int32> m = 1; }
proto3 message A { map<E, int32> m = 1; } enum E { Z = 0; }
proto3 message A { int32 a = 1 [deprecated = true,]; }
proto3 package a; package b;
2022 message A {}
2023 message A { optional int32 a = 1; }
2023 message A { required int32 a = 1; }
2023 message A { group G = 1 {} }
2023 export message A {}
2023 message A { reserved "a"; }
2023 enum E { A = 1; }
2024 import weak "google/protobuf/any.proto";
proto3 import option "google/protobuf/any.proto";
proto3 message A { reserved a; }
proto3 option java_package = "a\q";
proto3 option java_package = "a\x";
proto3 enum E { }
proto2 message A { optional int32 a = 1 [default = "x"]; }
proto2 message A { optional string a = 1 [default = 1]; }
proto2 message A { optional A a = 1 [default = 1]; }
proto2 message A { repeated int32 a = 1 [default = 1]; }
proto3 message A { int32 a = 1 [default = 1]; }
proto3 message A { int32 a = 0; }
proto3 message A { int32 a = 536870912; }
proto3 message A { int32 a = 19000; }
proto3 message A { reserved 1; int32 a = 1; }
proto3 message A { reserved "a"; int32 a = 1; }
proto2 message A { extensions 1; optional int32 a = 1; }
proto2 message A { extensions 1 to 5; extensions 4; }
proto3 message A { extensions 1; }
proto3 message A { reserved 5 to 3; }
proto3 message A { reserved 1, 1; }
proto3 enum E { A = 1; }
proto3 enum E { reserved 1; A = 0; B = 1; }
proto3 message A { required int32 a = 1; }
proto3 message A { group G = 1 {} }
proto2 message A { optional group g = 1 {} }
proto3 service S { rpc a(int32) returns (A); } message A {}
proto3 service S { rpc a(A) returns (E); } message A {} enum E { Z = 0; }
proto3 message A { int32 a_b = 1; int32 aB = 2; }
proto2 import "google/protobuf/any.proto"; import "google/protobuf/any.proto";
proto2 option java_package = "a"; option java_package = "b";
proto3 option java_package = 1;
proto3 option java_package = a;
proto3 option optimize_for = FOO;
proto3 option optimize_for = "SPEED";
proto3 option cc_enable_arenas = 1;
proto3 message A { option deprecated = yes; }
proto3 message A { option deprecated = {}; }
proto3 message A { string a = 1 [ctype = FOO]; }
2023 option features = OPEN;
2023 message A { int32 a = 1 [features.field_presence = BAR]; }
2023 enum E { option features.enum_type = OPEN; option features.enum_type = CLOSED; A = 0; }
proto2 message A { optional int32 a = 1 [default = 3000000000]; }
proto2 message A { optional uint32 a = 1 [default = -1]; }
proto2 message A { optional double a = 1 [default = 1e]; }
proto2 message A { extensions 0 to 5; }
proto2 message A { extensions 1 to 536870912; }
proto2 message A { reserved "a", "a"; }
proto2 message A {} extend A { optional int32 a = 1; }
proto2 message A { extensions 10 to 20; } extend A { optional int32 a = 5; }
proto2 message A { extensions 10 to 20; } extend A { required int32 a = 15; }
proto2 message A { extensions 1 to 9; } extend A { optional int32 a = 5; } extend A { optional int32 b = 5; }
proto3 message a {} service S { rpc a(a) returns (a); }
proto3 message A { map<int32, int32> C = 1; map<int32, int32> c = 2; }
proto3 message A { message CEntry {} map<int32, int32> c = 1; }
proto3 message A { int32 CEntry = 2; map<int32, int32> c = 1; }
proto3 package google; import "google/protobuf/any.proto"; message protobuf {}
"#;

#[test]
fn what_protoc_refuses_has_an_error() {
    let folder = std::env::temp_dir().join(format!("locant-refused-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder can be made");
    let mut wrong = Vec::new();
    for line in REFUSED.trim().lines() {
        let (dialect, rest) = line.split_once(' ').expect("a dialect and a text");
        let word = if dialect.starts_with("20") { "edition" } else { "syntax" };
        let text = format!("{word} = \"{dialect}\";\n{rest}\n");
        fs::write(folder.join("a.proto"), &text).expect("a file can be written");
        let said = oracle::protoc(std::slice::from_ref(&folder), &["a.proto".to_owned()], &[]);
        let mut workspace = Workspace::new(Vec::new());
        workspace.set("a.proto", text.as_bytes());
        let has_error =
            workspace.problems("a.proto").iter().any(|problem| problem.severity == Severity::Error);
        if said.is_ok() || !has_error {
            wrong.push(format!("{line}: protoc takes it: {}, we see an error: {has_error}", said.is_ok()));
        }
    }
    let _ = fs::remove_dir_all(&folder);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
