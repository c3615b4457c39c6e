//! The arguments of a call as the fields of a request.

use locant_api::{Failure, Phrase};
use serde_json::{Map, Value};

use super::tools::{Mode, Tool};
use crate::fields::{self, Takes};

/// The fields of the request that a call means.
pub(super) fn request(tool: &Tool, mut arguments: Map<String, Value>) -> Result<Map<String, Value>, Failure> {
    arguments.retain(|_, value| !value.is_null());
    let mode = chosen(tool, &mut arguments)?;
    if let Some(text) = arguments.remove("new_text") {
        arguments.insert(mode.new_text.to_owned(), text);
    }
    if !mode.sets.is_empty() {
        arguments.insert(mode.sets.to_owned(), true.into());
    }
    if arguments.get("plan").is_some_and(|plan| !plan.is_array()) {
        return Err(Failure::invalid("`plan` is not a list", "give the edits themselves: \"plan\": [{…}]"));
    }
    if let Some(unknown) = arguments.keys().find(|name| *name != "budget" && !fields::has(mode.command, name))
    {
        return Err(unread(tool, unknown));
    }
    for (name, value) in &mut arguments {
        let takes = fields::of(mode.command).and_then(|known| known.get(name)).copied();
        meant(value, if name == "budget" { Takes::Number } else { takes.unwrap_or(Takes::Other) });
    }
    arguments.insert("op".to_owned(), mode.command.into());
    Ok(arguments)
}

/// Accepts what models often write: one text in place of a list, and numbers, `true` and `false` in quotes.
fn meant(value: &mut Value, takes: Takes) {
    let Value::String(text) = value else { return };
    let read = match takes {
        Takes::List => Some(Value::Array(vec![std::mem::take(text).into()])),
        Takes::Number => text.parse::<u64>().ok().map(Value::from),
        Takes::Truth => text.parse::<bool>().ok().map(Value::from),
        Takes::Other => None,
    };
    if let Some(read) = read {
        *value = read;
    }
}

fn chosen<'t>(tool: &'t Tool, arguments: &mut Map<String, Value>) -> Result<&'t Mode, Failure> {
    let given = if tool.has_modes() { arguments.remove("mode") } else { None };
    let name = match &given {
        None => None,
        Some(Value::String(name)) => Some(name.as_str()),
        Some(_) => Some(""),
    };
    tool.mode(name).ok_or_else(|| {
        let modes: Vec<String> =
            tool.mode_names().iter().map(|name| format!("\"mode\": \"{name}\"")).collect();
        let given = given.map(|given| given.to_string()).unwrap_or_default();
        Failure::invalid(
            format!("`{}` has no mode {given}", tool.name),
            format!("give one of {}", modes.join(", ")),
        )
    })
}

fn unread(tool: &Tool, unknown: &str) -> Failure {
    Failure::invalid(format!("`{}` has no argument `{unknown}`", tool.name), taken(tool))
}

/// Which arguments a tool takes.
pub(super) fn taken(tool: &Tool) -> Phrase {
    let mode = if tool.has_modes() { "mode, " } else { "" };
    let known: Vec<&str> = tool.fields.iter().map(|(name, _)| *name).collect();
    format!("it takes {mode}{}", known.join(", ")).into()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::mcp::tools;

    fn read(tool: &str, arguments: Value) -> Value {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        let read = request(tools::named(tool).expect("the tool exists"), arguments);
        read.map_or_else(|failure| failure.message.into(), Value::Object)
    }

    #[test]
    fn what_models_write_is_read_as_it_is_meant() {
        assert_eq!(
            read("search", json!({"query": "7", "in": "src", "limit": "5", "code": "true", "next": null})),
            json!({"op": "search", "query": "7", "in": ["src"], "limit": 5, "code": true})
        );
        assert_eq!(read("outline", json!({"file_path": "a", "limit": "many"}))["limit"], "many");
        assert_eq!(read("read", json!({"locates": "a.py:1", "budget": "900"}))["budget"], 900);
        assert_eq!(read("edit", json!({"mode": "format", "locate": "a.py"}))["op"], "format");
        assert_eq!(read("hover", json!({"place": "a.py:1"})), "`hover` has no argument `place`");
    }
}
