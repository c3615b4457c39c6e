//! The arguments of a call as the fields of a request.

use locant_api::{Failure, Phrase};
use serde_json::{Map, Value};

use super::tools::{Mode, Tool};
use crate::fields;

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
    arguments.insert("op".to_owned(), mode.command.into());
    Ok(arguments)
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
    let mode = if tool.has_modes() { "mode, " } else { "" };
    let known: Vec<&str> = tool.fields.iter().map(|(name, _)| *name).collect();
    let hint: Phrase = format!("it takes {mode}{}", known.join(", ")).into();
    Failure::invalid(format!("`{}` has no argument `{unknown}`", tool.name), hint)
}
