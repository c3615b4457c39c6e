//! Some texts have correct syntax, but protoc refuses them. This crate must report an error for them too.

mod oracle;

use std::fs;

use locant_names::{Names, Severity};
use locant_proto::Workspace;

/// Texts that protoc refuses although their syntax is correct. Each line is a dialect and a text.
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
proto3 package google.protobuf.Any; import "google/protobuf/any.proto"; message B {}
proto3 import "a.proto"; message A {}
proto2 message A { reserved 0; }
proto2 message A { optional int32 a = 1 [default = 1, default = 2]; }
proto3 message A { int32 a = 1 [json_name = "x", json_name = "y"]; }
proto3 message A { int32 a = 1 [json_name = "[x]"]; }
proto3 message A { int32 a = 1 [json_name = "x\0y"]; }
proto2 message A { optional int32 a = 1 [json_name = "x"]; optional int32 b = 2 [json_name = "x"]; }
proto3 message A { int32 a = 1 [json_name = "b"]; int32 b = 2; }
proto3 message A { int32 a = 1 [json_name = "x"]; int32 A = 2 [json_name = "y"]; int32 _a = 3; }
2023 message A { int32 a_b = 1; int32 aB = 2; }
proto2 message A { extensions 5; } extend A { optional int32 x = 5 [json_name = "y"]; }
proto2 enum E { A = 0; B = 1; } message M { optional E f = 1 [default = C]; }
2023 message A { int32 a = 1 [default = 1, features.field_presence = IMPLICIT]; }
2023 option features.field_presence = IMPLICIT; message A { E e = 1; } enum E { option features.enum_type = CLOSED; A = 0; }
proto2 enum E { A = 1; } message M { map<int32, E> m = 1; }
proto2 enum E { option allow_alias = true; A = 0; B = 1; }
proto3 enum E { option allow_alias = false; A = 0; }
proto2 enum Color { Z = 0; COLOR_RED = 1; RED = 2; }
proto3 enum MyEnum { Z = 0; MY_ENUM_A = 1; MyEnum_a = 2; }
proto3 enum E { Z = 0; A_B = 1; a_b = 2; }
proto3 enum E { option deprecated_legacy_json_field_conflicts = true; Z = 0; A = 1; E_A = 2; }
proto2 message A { option message_set_wire_format = true; optional int32 a = 1; }
proto3 message A { option message_set_wire_format = true; }
proto2 message A { option message_set_wire_format = true; extensions 4 to max; } extend A { optional int32 x = 5; }
proto2 message A { option message_set_wire_format = true; extensions 4 to max; } extend A { repeated A x = 5; }
proto2 message A { extensions 4 to max; } extend A { optional A x = 536870912; }
proto3 message A { option map_entry = true; }
proto3 import "google/protobuf/descriptor.proto"; extend google.protobuf.FieldOptions { int32 x = 1; }
proto2 import "google/protobuf/descriptor.proto"; extend google.protobuf.MessageOptions { optional int32 x = 989; }
proto2 import "google/protobuf/descriptor.proto"; extend google.protobuf.MessageOptions { optional int32 x = 999; }
proto2 import "google/protobuf/descriptor.proto"; extend google.protobuf.FileDescriptorSet { optional int32 x = 1000; }
proto2 import "google/protobuf/descriptor.proto"; extend google.protobuf.FeatureSet { optional int32 x = 10001; }
proto2 import "google/protobuf/descriptor.proto"; extend google.protobuf.SourceCodeInfo { optional int32 x = 1000; }
proto2 import "google/protobuf/descriptor.proto"; extend google.protobuf.DescriptorProto { optional int32 x = 1000; }
proto2 import "google/protobuf/timestamp.proto"; extend google.protobuf.Timestamp { optional int32 x = 1000; }
proto2 package google.protobuf; message A {} extend A { optional int32 a = 1000; }
proto3 import "google/protobuf/descriptor.proto"; extend google.protobuf.MessageOptions { int32 x = 50000; } message A { int32 a = 1 [(x) = 1]; }
proto3 message A { int32 a = 1 [features.field_presence = IMPLICIT]; }
2023 option features.enforce_naming_style = STYLE_LEGACY;
2023 option features.field_presence = LEGACY_REQUIRED;
2023 message A { option features.enum_type = OPEN; }
2023 enum E { option features = { field_presence: IMPLICIT }; A = 0; }
2023 message A { oneof o { int32 a = 1 [features.field_presence = IMPLICIT]; } }
2023 message A { extensions 1; } extend A { int32 a = 1 [features.field_presence = LEGACY_REQUIRED]; }
2024 message A { option features.default_symbol_visibility = STRICT; }
2024 message shop_order {}
2024 message Shop_Order {}
2024 message A { int32 Field = 1; }
2024 message A { int32 field_1 = 1; }
2024 message A { oneof o_ { int32 a = 1; } }
2024 enum E { zero = 0; }
2024 package Shop; message A {}
2024 service S { rpc get(A) returns (A); } message A {}
2024 option features.enforce_naming_style = STYLE_LEGACY; message A { option features.enforce_naming_style = STYLE2024; int32 B = 1; }
"#;

/// Texts that protoc accepts, though they are similar to some of the refused ones.
const TAKEN: &str = r#"
proto2 message A { optional int32 a = 1 [json_name = "b"]; optional int32 b = 2; }
proto2 import "google/protobuf/descriptor.proto"; extend google.protobuf.MessageOptions { optional int32 x = 990; }
proto2 import "google/protobuf/descriptor.proto"; extend google.protobuf.MethodOptions { optional int32 x = 998; }
proto2 import "google/protobuf/descriptor.proto"; extend google.protobuf.FieldOptions { optional int32 x = 1000; }
proto2 import "google/protobuf/descriptor.proto"; extend google.protobuf.OneofOptions { optional int32 x = 536870911; }
proto2 package google.protobuf; message A { extensions 990 to 998; } extend A { optional string a = 990; }
proto2 message A { optional int32 a_b = 1; optional int32 aB = 2; }
proto3 message A { int32 a = 1 [json_name = "[x"]; int32 b = 2 [json_name = ""]; }
proto3 message A { option deprecated_legacy_json_field_conflicts = true; int32 a_b = 1; int32 aB = 2; }
2023 message A { option features.json_format = LEGACY_BEST_EFFORT; int32 a_b = 1; int32 aB = 2; }
2023 option features.field_presence = IMPLICIT; message A { A e = 1; repeated int32 x = 2; oneof o { int32 y = 3 [default = 1]; } }
2023 option features.field_presence = IMPLICIT; message A { extensions 5; } extend A { int32 z = 5 [default = 3]; }
2023 message A { map<int32, string> m = 1 [features.utf8_validation = NONE, features.repeated_field_encoding = EXPANDED]; }
proto2 enum E { option deprecated_legacy_json_field_conflicts = true; Z = 0; A = 1; E_A = 2; }
proto3 enum E { option allow_alias = true; Z = 0; A = 1; E_A = 1; }
proto3 enum Color { Z = 0; COLOR = 1; A_B = 2; COLOR_AB = 3; }
proto2 message A { option message_set_wire_format = true; extensions 4 to max; } extend A { optional A x = 2147483646; }
proto2 message A { map<int32, int32> m = 1 [lazy = true]; repeated A a = 2 [lazy = true]; }
proto3 message A { repeated int64 a = 1 [jstype = JS_STRING]; string b = 2 [jstype = JS_NORMAL, ctype = CORD]; }
proto3 import "google/protobuf/struct.proto"; message A { google.protobuf.NullValue n = 1; map<int32, google.protobuf.NullValue> m = 2; }
2024 package a1.b_c; message HTTPServer2 { int32 field1 = 1; oneof which_one { int32 a = 2; } } enum E1 { ZERO1 = 0; }
2024 message A { option features.enforce_naming_style = STYLE_LEGACY; int32 Z = 5; message n {} }
2024 message A { int32 Z = 5 [features.enforce_naming_style = STYLE_LEGACY]; }
"#;

#[test]
fn what_protoc_refuses_has_an_error() {
    agree(REFUSED.trim().lines().map(str::to_owned), |is_taken| assert!(!is_taken));
}

#[test]
fn what_protoc_takes_has_none() {
    agree(TAKEN.trim().lines().map(str::to_owned), |is_taken| assert!(is_taken));
}

/// Trying each option on each type in each dialect would take too long. So each pair of option and type is tried in one
/// dialect, and the dialects take turns.
#[test]
fn options_are_for_the_types_that_protoc_says() {
    const OPTIONS: [&str; 9] = [
        "packed = true",
        "packed = false",
        "lazy = true",
        "unverified_lazy = true",
        "jstype = JS_STRING",
        "ctype = CORD",
        "features.field_presence = IMPLICIT",
        "features.repeated_field_encoding = PACKED",
        "features.utf8_validation = NONE",
    ];
    const TYPES: [&str; 8] =
        ["int32", "sfixed64", "string", "bytes", "Kind", "Msg", "map<int32, string>", "repeated"];
    let types = TYPES.iter().flat_map(|kind| match *kind {
        "repeated" => ["repeated uint64", "repeated string", "repeated Kind", "repeated Msg"].to_vec(),
        kind => vec![kind],
    });
    let pairs = types.flat_map(|kind| OPTIONS.map(|option| (kind, option)));
    let cases = pairs.zip(["proto2", "proto3", "2023", "2024"].into_iter().cycle()).map(|((kind, option), dialect)| {
        let has_label = kind.starts_with("repeated") || kind.starts_with("map");
        let label = if dialect == "proto2" && !has_label { "optional " } else { "" };
        format!("{dialect} message Msg {{}} enum Kind {{ NONE = 0; }} message A {{ {label}{kind} a = 1 [{option}]; }}")
    });
    agree(cases, |_| {});
}

/// Checks that this crate and protoc agree on which texts are wrong. Each line is a dialect and a text.
#[track_caller]
fn agree(lines: impl Iterator<Item = String>, expect: fn(bool)) {
    let folder =
        std::env::temp_dir().join(format!("locant-refused-{}-{}", std::process::id(), oracle::unique()));
    fs::create_dir_all(&folder).expect("a folder can be made");
    let mut wrong = Vec::new();
    for line in lines {
        let (dialect, rest) = line.split_once(' ').expect("a dialect and a text");
        let word = if dialect.starts_with("20") { "edition" } else { "syntax" };
        let text = format!("{word} = \"{dialect}\";\n{rest}\n");
        fs::write(folder.join("a.proto"), &text).expect("a file can be written");
        let said = oracle::protoc(std::slice::from_ref(&folder), &["a.proto".to_owned()], &[]);
        let mut workspace = Workspace::new(Vec::new());
        workspace.set("a.proto", text.as_bytes());
        let problems = workspace.problems("a.proto");
        let error = problems.iter().find(|problem| problem.severity == Severity::Error);
        match (&said, error) {
            (Ok(_), Some(error)) => wrong.push(format!("{line}: protoc takes it, we say: {}", error.message)),
            (Err(said), None) => wrong.push(format!("{line}: we take it, protoc says: {said}")),
            _ => expect(said.is_ok()),
        }
    }
    let _ = fs::remove_dir_all(&folder);
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
