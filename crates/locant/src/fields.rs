//! Which fields the requests of each command have, as their schemas say.

use std::collections::HashSet;
use std::sync::{LazyLock, OnceLock};

use locant_api::Command;
use locant_api::commands::schema;
use serde_json::Value;

/// Whether the request of a command has this field.
pub(crate) fn has(command: &str, field: &str) -> bool {
    of(command).is_some_and(|known| known.contains(field))
}

/// The fields of a command's request; `None` if there is no such command.
pub(crate) fn of(command: &str) -> Option<&'static HashSet<String>> {
    let (name, fields) = FIELDS.iter().find(|(name, _)| *name == command)?;
    Some(fields.get_or_init(|| {
        let request = schema::request(name).unwrap_or_default();
        names(&request).chain(names(&COMMON)).map(str::to_owned).collect()
    }))
}

/// The fields of each command, read from its schema when they are first needed. All schemas together take megabytes.
static FIELDS: LazyLock<Vec<(&str, OnceLock<HashSet<String>>)>> =
    LazyLock::new(|| Command::NAMES.iter().map(|name| (*name, OnceLock::new())).collect());

static COMMON: LazyLock<Value> = LazyLock::new(schema::common);

fn names(schema: &Value) -> impl Iterator<Item = &str> {
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.into_iter().flat_map(|properties| properties.keys().map(String::as_str))
}
