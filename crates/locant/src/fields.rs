//! Which fields the requests of each command have, as their schemas say.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use locant_api::commands::schema;
use serde_json::Value;

/// Whether the request of a command has this field.
pub(crate) fn has(command: &str, field: &str) -> bool {
    of(command).is_some_and(|known| known.contains(field))
}

/// The fields of a command's request; `None` for a command that is not built.
pub(crate) fn of(command: &str) -> Option<&'static HashSet<String>> {
    FIELDS.get(command)
}

static FIELDS: LazyLock<HashMap<String, HashSet<String>>> = LazyLock::new(|| {
    let schemas = schema::all();
    let names = |schema: &Value| -> HashSet<String> {
        let properties = schema.get("properties").and_then(Value::as_object);
        properties.map(|properties| properties.keys().cloned().collect()).unwrap_or_default()
    };
    let common = schemas.get("common").map(names).unwrap_or_default();
    let fields = |schema: &Value| schema.get("request").map(|request| &names(request) | &common);
    schemas.iter().filter_map(|(name, schema)| Some((name.clone(), fields(schema)?))).collect()
});
