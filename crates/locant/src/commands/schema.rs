//! `schema`: what requests and answers look like, as JSON Schemas.

use clap::Args;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{Ask, Command, Forms};
use crate::answer::Answer;
use crate::failure::Failure;
use crate::files::Files;
use crate::flags::Flags;
use crate::wire::Spoken;

/// Print the JSON Schema of a command's request and answer, or the names of all schemas
///
/// A request may have the fields of its command and the common ones. `location` and `error` are parts that
/// several commands share.
///
///   locant schema
///   locant schema locate
#[derive(Args, Debug, Deserialize, JsonSchema)]
#[command(verbatim_doc_comment)]
pub struct Schema {
    /// A command, or `common`, `location`, `error`; without it their names are listed
    name: Option<String>,
}

/// A JSON Schema, or `names` of all there are.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(transparent)]
pub struct Schemas(Map<String, Value>);

impl Ask for Schema {
    type Wire = Schemas;

    fn run(self, _: &Flags, _: &Files) -> Result<Box<dyn Answer>, Failure> {
        let all = all();
        match self.name {
            None => Ok(Box::new(Names { names: all.keys().cloned().collect() })),
            Some(name) => match all.get(&name.replace('_', "-")) {
                Some(Value::Object(schema)) => Ok(Box::new(Schemas(schema.clone()))),
                _ => {
                    let names: Vec<&str> = all.keys().map(String::as_str).collect();
                    let hint = format!("there are {}", names.join(", "));
                    Err(Failure::invalid(format!("there is no schema `{name}`"), hint))
                }
            },
        }
    }
}

/// The names of all schemas.
#[derive(Debug, Serialize)]
struct Names {
    names: Vec<String>,
}

impl Answer for Names {
    fn json(&self) -> String {
        crate::wire::to_json(self)
    }

    fn text(&self) -> String {
        self.names.iter().map(|name| format!("{name}\n")).collect()
    }

    fn markdown(&self) -> String {
        self.names.iter().map(|name| format!("- `{name}`\n")).collect()
    }
}

impl Answer for Schemas {
    fn json(&self) -> String {
        crate::wire::to_json(&self.0)
    }

    fn text(&self) -> String {
        format!("{:#}\n", Value::Object(self.0.clone()))
    }

    fn markdown(&self) -> String {
        crate::show::fenced("json", &self.text())
    }
}

/// The schemas of all commands that are built, and of the parts they share.
pub fn all() -> Map<String, Value> {
    let mut all = Map::new();
    all.insert("common".to_owned(), generator().into_root_schema_for::<Flags>().to_value());
    all.insert("location".to_owned(), generator().into_root_schema_for::<Spoken>().to_value());
    all.insert("error".to_owned(), generator().into_root_schema_for::<ErrorAnswer>().to_value());
    for Forms { name, request, answer } in Command::forms(generator) {
        let mut answer = answer.to_value();
        with_notes(&mut answer);
        all.insert(name.to_owned(), json!({"request": request, "answer": answer}));
    }
    all
}

/// Adds the field that every answer may have, in each of the forms it may take.
fn with_notes(answer: &mut Value) {
    let notes = json!({
        "description": "All that should be known besides, each in one sentence.",
        "type": "array",
        "items": {"type": "string"},
    });
    let forms = answer.get("anyOf").and_then(Value::as_array).into_iter().flatten();
    let shared = forms.clone().filter_map(|form| form.get("$ref")?.as_str()?.strip_prefix('#'));
    let inline = forms.enumerate().map(|(index, _)| format!("/anyOf/{index}"));
    let places: Vec<String> =
        [String::new()].into_iter().chain(shared.map(str::to_owned)).chain(inline).collect();
    for place in places {
        let properties = answer.pointer_mut(&format!("{place}/properties"));
        if let Some(properties) = properties.and_then(Value::as_object_mut) {
            properties.insert("notes".to_owned(), notes.clone());
        }
    }
}

/// The answer in place of an answer.
#[derive(Debug, JsonSchema)]
#[expect(dead_code, reason = "only its schema is used; the doors write the object around a failure")]
struct ErrorAnswer {
    /// Why there is no answer.
    error: Failure,
}

fn generator() -> SchemaGenerator {
    // `format: uint32` and `double` are no formats that JSON Schema knows, and some readers refuse them.
    let strip = RecursiveTransform(|schema: &mut schemars::Schema| {
        let format = schema.get("format").and_then(Value::as_str).unwrap_or_default();
        if format.starts_with("uint") || format.starts_with("int") || format == "double" {
            schema.remove("format");
        }
    });
    let mut settings = SchemaSettings::draft2020_12();
    settings.transforms.push(Box::new(strip));
    settings.into_generator()
}

#[cfg(test)]
mod tests {
    #[test]
    fn no_schema_has_a_format_that_readers_do_not_know() {
        let all = serde_json::Value::Object(super::all()).to_string();
        assert!(!all.contains("\"format\""), "{all}");
    }
}
