//! Which fields the requests of each command have, as their schemas say.

use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

use locant_api::Command;
use locant_api::commands::schema;
use serde_json::Value;

/// What a field takes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Takes {
    /// A list.
    List,
    /// A whole number.
    Number,
    /// True or false.
    Truth,
    /// Something else, or one of several things.
    Other,
}

/// Whether the request of a command has this field.
#[cfg(feature = "agents")]
pub(crate) fn has(command: &str, field: &str) -> bool {
    of(command).is_some_and(|known| known.contains_key(field))
}

/// What each field of a request takes.
type Fields = HashMap<String, Takes>;

/// The fields of a command's request; `None` if there is no such command.
pub(crate) fn of(command: &str) -> Option<&'static Fields> {
    let (name, fields) = FIELDS.iter().find(|(name, _)| *name == command)?;
    Some(fields.get_or_init(|| {
        let request = schema::request(name).unwrap_or_default();
        read(&COMMON).chain(read(&request)).collect()
    }))
}

/// The fields of each command, read from its schema when they are first needed. All schemas together take megabytes.
static FIELDS: LazyLock<Vec<(&str, OnceLock<Fields>)>> =
    LazyLock::new(|| Command::NAMES.iter().map(|name| (*name, OnceLock::new())).collect());

static COMMON: LazyLock<Value> = LazyLock::new(schema::common);

fn read(schema: &Value) -> impl Iterator<Item = (String, Takes)> {
    let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    properties.map(|(name, field)| (name.clone(), Takes::of(field)))
}

impl Takes {
    /// What a field takes by its schema, in which the type may be beside `null`.
    fn of(field: &Value) -> Takes {
        let types = match field.get("type") {
            Some(Value::Array(types)) => types.iter().filter_map(Value::as_str).collect(),
            Some(Value::String(one)) => vec![one.as_str()],
            _ => Vec::new(),
        };
        match types.into_iter().find(|one| *one != "null") {
            Some("array") => Takes::List,
            Some("integer") => Takes::Number,
            Some("boolean") => Takes::Truth,
            _ => Takes::Other,
        }
    }
}
