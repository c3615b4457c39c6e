//! How suggestions for the next request are written for people who program in Python.

use locant_api::{Call, Voice};

/// Calls of the module `locant`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Python;

impl Voice for Python {
    fn call(&self, call: &Call) -> String {
        let fields = call.fields.iter().map(|(field, value)| format!(", {}", self.setting(field, value)));
        format!("locant.ask({}{})", quoted(&call.command.replace('-', "_")), fields.collect::<String>())
    }

    fn setting(&self, field: &str, value: &str) -> String {
        let is_stand_in = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_uppercase());
        match value.parse::<u64>() {
            _ if value.is_empty() => format!("{field}=True"),
            Ok(number) => format!("{field}={number}"),
            Err(_) if is_stand_in => format!("{field}={value}"),
            Err(_) => format!("{field}={}", quoted(value)),
        }
    }
}

/// A string as Python writes it. A string in JSON is also one in Python.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
