//! Every answer fits the schema that `locant schema` prints for it.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::run;

const PYTHON: &str = "class C:\n    # Note.\n    def m(self):\n        return self.x\n\n    x = 1\n";
const PROTO: &str =
    "syntax = \"proto3\";\n// A sum.\nmessage Money { int64 units = 1; }\nmessage Cart { Money sum = 1; }\n";
const BROKEN: &str =
    "syntax = \"proto3\";\nimport \"gone.proto\";\noption (a.b) = 1;\nmessage M { int64 = 1; X x = 2; }\n";
const RHOLANG: &str = "new x in { contract x(@n) = { Nil } | x!(1) | y!(2) }\n";

#[test]
fn answers_fit_their_schemas() {
    let names: Value = serde_json::from_slice(&run(&["schema", "--json"], "")).unwrap();
    let names = names["names"].as_array().unwrap().iter().map(|name| name.as_str().unwrap());
    let schema = |name: &str| serde_json::from_slice(&run(&["schema", name], "")).unwrap();
    let schemas: HashMap<String, Value> = names.map(|name| (name.to_owned(), schema(name))).collect();
    let requests = requests();
    let lines: String = requests.iter().map(|request| format!("{request}\n")).collect();
    let answers = String::from_utf8(run(&["batch"], &lines)).unwrap();
    assert_eq!(answers.lines().count(), requests.len());
    for (request, answer) in requests.iter().zip(answers.lines()) {
        let answer: Value = serde_json::from_str(answer).unwrap();
        let result = answer.get("result").unwrap_or_else(|| panic!("{request} failed: {answer}"));
        let schema = &schemas[&request["op"].as_str().unwrap().replace('_', "-")]["answer"];
        assert!(schema.is_object(), "no schema for {request}");
        if let Err(why) = fits(result, schema, schema) {
            panic!("{request}\n{result}\n{why}");
        }
    }
}

fn requests() -> Vec<Value> {
    let ask = |op: &str, file: &str, place: &str, text: &str| {
        let locate = format!("{file}{place}");
        json!({"op": op, "locate": locate, "text": text})
    };
    let mut requests = Vec::new();
    for op in ["locate", "range", "describe", "read", "tree"] {
        for place in [":C.m@return <|>self", ":C", "@self", ":4:5"] {
            requests.push(ask(op, "a.py", place, PYTHON));
        }
    }
    for (file, text) in [("a.py", PYTHON), ("a.proto", PROTO), ("a.rho", RHOLANG)] {
        requests.push(json!({"op": "outline", "file_path": file, "text": text}));
    }
    for op in ["definition", "declaration", "references", "hover", "completion"] {
        requests.push(ask(op, "a.proto", "@message Cart { <|>Money", PROTO));
        requests.push(ask(op, "a.rho", "@| <|>x", RHOLANG));
    }
    for (file, text) in [("a.proto", PROTO), ("b.proto", BROKEN)] {
        requests.push(json!({"op": "proto", "file_path": file, "text": text}));
        requests.push(json!({"op": "diagnostics", "file_path": file, "text": text}));
    }
    requests.push(json!({"op": "rename", "locate": "a.rho@| <|>x", "text": RHOLANG, "new_name": "z"}));
    requests.push(json!({"op": "diagnostics", "file_path": "a.rho", "text": RHOLANG}));
    requests
}

/// Fails if a value does not fit a schema. Only the parts of JSON Schema that our schemas use are supported.
fn fits(value: &Value, schema: &Value, root: &Value) -> Result<(), String> {
    if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
        return fits(value, root.pointer(name.trim_start_matches('#')).unwrap(), root);
    }
    if let Some(any) = schema.get("anyOf").or_else(|| schema.get("oneOf")).and_then(Value::as_array) {
        let all: Vec<_> = any.iter().map(|schema| fits(value, schema, root)).collect();
        return if all.iter().any(Result::is_ok) {
            Ok(())
        } else {
            Err(format!("{value} is none of {all:?}"))
        };
    }
    if let Some(types) = schema.get("type") {
        let is = |name: &str| match name {
            "null" => value.is_null(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
            "string" => value.is_string(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            other => panic!("an unknown type: {other}"),
        };
        let fits = match types {
            Value::String(name) => is(name),
            Value::Array(names) => names.iter().filter_map(Value::as_str).any(is),
            other => panic!("no type: {other}"),
        };
        if !fits {
            return Err(format!("{value} is no {types}"));
        }
    }
    let minimum = schema.get("minimum").and_then(Value::as_f64);
    if minimum.is_some_and(|minimum| value.as_f64().is_some_and(|value| value < minimum)) {
        return Err(format!("{value} is too small"));
    }
    for name in schema.get("required").and_then(Value::as_array).into_iter().flatten() {
        if value.is_object() && value.get(name.as_str().unwrap()).is_none() {
            return Err(format!("{name} is missing in {value}"));
        }
    }
    if let (Some(object), Some(properties)) = (value.as_object(), schema.get("properties")) {
        for (name, value) in object {
            let schema = properties.get(name).ok_or_else(|| format!("{name} is in no schema"))?;
            fits(value, schema, root)?;
        }
    }
    if let (Some(items), Some(schema)) = (value.as_array(), schema.get("items")) {
        items.iter().try_for_each(|item| fits(item, schema, root))?;
    }
    Ok(())
}
