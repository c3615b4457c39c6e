//! The schemas of tools, derived from those of the commands' requests and answers.
//!
//! Input schemas are small: only the fields that a tool shows, each with its type. Every client sends them with every
//! request to a model, so titles, formats, nulls and references are noise. Output schemas are whole, for programs.

use locant_api::commands::schema;
use serde_json::{Map, Value, json};

use super::tools::{Mode, Tool};

/// The fields that take a location. A model writes it as a string, though the object is read too.
const LOCATIONS: [&str; 2] = ["locate", "locates"];

/// The schemas of the commands that a tool stands for.
#[derive(Debug)]
pub(super) struct Schemas<'t> {
    tool: &'t Tool,
    /// The schema of the request of each mode.
    requests: Vec<Value>,
    /// The schema of the fields that all commands share.
    common: Value,
}

impl Schemas<'_> {
    pub(super) fn of(tool: &Tool) -> Schemas<'_> {
        let request = |mode: &Mode| schema::request(mode.command).unwrap_or_default();
        Schemas { tool, requests: tool.modes.iter().map(request).collect(), common: schema::common() }
    }

    /// The schema of the tool's arguments.
    pub(super) fn input(&self) -> Map<String, Value> {
        let tool = self.tool;
        let mut properties = Map::new();
        if tool.has_modes() {
            properties.insert("mode".to_owned(), json!({"type": "string", "enum": tool.mode_names()}));
        }
        for (name, says) in tool.fields {
            let mut property = self.field(name);
            if !says.is_empty() {
                property.insert("description".to_owned(), (*says).into());
            }
            properties.insert((*name).to_owned(), Value::Object(property));
        }
        Map::from_iter([("type".to_owned(), "object".into()), ("properties".to_owned(), properties.into())])
    }

    /// The type of a field, in the first command of the tool that has it.
    fn field(&self, name: &str) -> Map<String, Value> {
        match name {
            "locate" => return of_type("string"),
            "budget" => return of_type("integer"),
            _ => {}
        }
        let of_mode = |(mode, request): (&Mode, &'_ Value)| {
            let field = if name == "new_text" { mode.new_text } else { name };
            Some(plain(request.get("properties")?.get(field)?, request, LOCATIONS.contains(&name)))
        };
        let common = || {
            Some(plain(self.common.get("properties")?.get(name)?, &self.common, LOCATIONS.contains(&name)))
        };
        let found = self.tool.modes.iter().zip(&self.requests).find_map(of_mode).or_else(common);
        found.unwrap_or_else(|| of_type("string"))
    }

    /// The schema of the tool's structured content.
    pub(super) fn output(&self) -> Map<String, Value> {
        let mut definitions = Map::new();
        let mut answers: Vec<Value> = Vec::new();
        for mode in self.tool.modes {
            let Some(Value::Object(mut answer)) = schema::answer(mode.command) else { continue };
            answer.remove("$schema");
            if let Some(Value::Object(own)) = answer.remove("$defs") {
                definitions.extend(own);
            }
            let answer = Value::Object(answer);
            if !answers.contains(&answer) {
                answers.push(answer);
            }
        }
        let mut output = match <[Value; 1]>::try_from(answers) {
            Ok([Value::Object(only)]) => only,
            Ok([_]) => Map::new(),
            Err(several) => Map::from_iter([("anyOf".to_owned(), Value::Array(several))]),
        };
        output.insert("type".to_owned(), "object".into());
        if !definitions.is_empty() {
            output.insert("$defs".to_owned(), definitions.into());
        }
        output
    }
}

fn of_type(name: &str) -> Map<String, Value> {
    Map::from_iter([("type".to_owned(), name.into())])
}

/// A field without references, alternatives and nulls: its type, and the types of what is in it.
fn plain(schema: &Value, whole: &Value, is_location: bool) -> Map<String, Value> {
    let schema = resolved(schema, whole);
    let mut simple = Map::new();
    match schema.get("type") {
        Some(Value::Array(several)) => {
            let real = several.iter().find(|one| **one != "null").cloned();
            simple.extend(real.map(|real| ("type".to_owned(), real)));
        }
        Some(one) => drop(simple.insert("type".to_owned(), one.clone())),
        None => {}
    }
    if let Some(items) = schema.get("items") {
        let items = if is_location { json!({"type": "string"}) } else { plain(items, whole, false).into() };
        simple.insert("items".to_owned(), items);
    }
    if let Some(choices) = schema.get("enum") {
        simple.insert("enum".to_owned(), choices.clone());
    }
    simple
}

/// What a reference or an optional value stands for.
fn resolved<'s>(schema: &'s Value, whole: &'s Value) -> &'s Value {
    let reference = schema.get("$ref").and_then(Value::as_str);
    if let Some(meant) = reference.and_then(|path| whole.pointer(path.trim_start_matches('#'))) {
        return resolved(meant, whole);
    }
    let choices = schema.get("anyOf").and_then(Value::as_array);
    let real =
        choices.and_then(|choices| choices.iter().find(|one| one.get("type").is_none_or(|is| is != "null")));
    real.map_or(schema, |real| resolved(real, whole))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcp::tools::{INSTRUCTIONS, TOOLS};

    #[test]
    fn what_every_model_must_read_is_short() {
        let told = |tool: &Tool| {
            tool.name.len() + tool.says.len() + Value::Object(Schemas::of(tool).input()).to_string().len()
        };
        let n_characters: usize = TOOLS.iter().map(told).sum();
        assert!(n_characters < 10_000, "{n_characters}");
        assert!(INSTRUCTIONS.len() < 1_500, "{}", INSTRUCTIONS.len());
        assert!(TOOLS.len() <= 12);
    }

    #[test]
    fn input_schemas_have_no_noise() {
        for tool in TOOLS {
            let input = Value::Object(Schemas::of(tool).input()).to_string();
            for noise in
                ["null", "$ref", "$schema", "\"format\":", "title", "anyOf", "default\":", "[\"string\""]
            {
                assert!(!input.contains(noise), "{}: {noise} in {input}", tool.name);
            }
            let untyped = input.matches("\"description\"").count() + usize::from(tool.has_modes());
            assert!(input.matches("\"type\"").count() > untyped, "{input}");
        }
    }

    #[test]
    fn all_tools_are_commands() {
        for tool in TOOLS {
            for mode in tool.modes {
                assert!(schema::request(mode.command).is_some(), "{}", mode.command);
                assert!(mode.sets.is_empty() || crate::fields::has(mode.command, mode.sets), "{}", mode.name);
            }
            for (field, _) in
                tool.fields.iter().filter(|(field, _)| *field != "budget" && *field != "new_text")
            {
                assert!(tool.modes.iter().any(|mode| crate::fields::has(mode.command, field)), "{field}");
            }
            assert_eq!(Schemas::of(tool).output().get("type"), Some(&"object".into()));
        }
    }
}
