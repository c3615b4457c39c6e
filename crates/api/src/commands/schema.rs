//! `schema`: what requests and answers look like, as JSON Schemas.

use clap::Args;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{Ask, Command};
use crate::answer::Answer;
use crate::failure::{ErrorAnswer, Failure};
use crate::flags::Flags;
use crate::phrase::Voice;
use crate::request::Context;
use crate::wire::{BatchAnswer, Spoken};

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
#[serde(untagged)]
pub enum SchemaAnswer {
    /// The names of all schemas.
    Names {
        /// The names.
        names: Vec<String>,
    },
    /// A schema.
    Schema(Map<String, Value>),
}

impl Ask for Schema {
    type Answer = SchemaAnswer;

    fn run(self, _: &Flags, _: Context<'_>) -> Result<SchemaAnswer, Failure> {
        let all = all();
        match self.name {
            None => Ok(SchemaAnswer::Names { names: all.keys().cloned().collect() }),
            Some(name) => match all.get(&name.replace('_', "-")) {
                Some(Value::Object(schema)) => Ok(SchemaAnswer::Schema(schema.clone())),
                _ => {
                    let names: Vec<&str> = all.keys().map(String::as_str).collect();
                    let hint = format!("there are {}", names.join(", "));
                    Err(Failure::invalid(format!("there is no schema `{name}`"), hint))
                }
            },
        }
    }
}

impl Answer for SchemaAnswer {
    fn text(&self, _: &dyn Voice) -> String {
        match self {
            SchemaAnswer::Names { names } => names.iter().map(|name| format!("{name}\n")).collect(),
            SchemaAnswer::Schema(schema) => format!("{:#}\n", Value::Object(schema.clone())),
        }
    }

    fn markdown(&self, voice: &dyn Voice) -> String {
        match self {
            SchemaAnswer::Names { names } => names.iter().map(|name| format!("- `{name}`\n")).collect(),
            SchemaAnswer::Schema(_) => crate::show::fenced("json", &self.text(voice)),
        }
    }
}

/// The schemas of all commands, and of the types that they share.
pub fn all() -> Map<String, Value> {
    let mut all = Map::new();
    all.insert("common".to_owned(), common());
    all.insert("location".to_owned(), generator().into_root_schema_for::<Spoken>().to_value());
    all.insert("error".to_owned(), of_answers().into_root_schema_for::<ErrorAnswer>().to_value());
    let batch = of_answers().into_root_schema_for::<BatchAnswer<'_>>();
    all.insert("batch".to_owned(), json!({"answer": batch}));
    for name in Command::NAMES {
        all.insert((*name).to_owned(), json!({"request": request(name), "answer": answer(name)}));
    }
    all
}

/// The schema of the fields that the requests of all commands share.
pub fn common() -> Value {
    generator().into_root_schema_for::<Flags>().to_value()
}

/// The schema of a command's request, without the fields that all commands share.
pub fn request(command: &str) -> Option<Value> {
    Command::request(command, generator()).map(schemars::Schema::to_value)
}

/// The schema of a command's answer.
pub fn answer(command: &str) -> Option<Value> {
    Command::answer(command, of_answers()).map(schemars::Schema::to_value)
}

fn generator() -> SchemaGenerator {
    settings().into_generator()
}

/// Makes schemas of what is written: a field that may be left out is not required.
fn of_answers() -> SchemaGenerator {
    settings().for_serialize().into_generator()
}

fn settings() -> SchemaSettings {
    // JSON Schema does not define the formats `uint32` and `double`, and some readers refuse them.
    let strip = RecursiveTransform(|schema: &mut schemars::Schema| {
        let format = schema.get("format").and_then(Value::as_str).unwrap_or_default();
        if format.starts_with("uint") || format.starts_with("int") || format == "double" {
            schema.remove("format");
        }
    });
    let mut settings = SchemaSettings::draft2020_12();
    settings.transforms.push(Box::new(strip));
    settings
}

#[cfg(test)]
mod tests {
    #[test]
    fn no_schema_has_a_format_that_readers_do_not_know() {
        let all = serde_json::Value::Object(super::all()).to_string();
        // The command `format` has a schema of its own.
        assert!(!all.contains("\"format\":\""), "{all}");
    }
}
