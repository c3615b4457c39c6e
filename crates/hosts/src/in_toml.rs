//! Additions to TOML. A table may be added at the end, whatever is before it.

use std::fmt::Write as _;

use toml::Table;

use crate::addition::{Addition, Insertion, NAME, beside};
use crate::catalogue::Host;
use crate::fault::Fault;
use crate::value::Value;

pub(crate) fn add(settings: &str, host: &Host, entry: &Value) -> Result<Addition, Fault> {
    let standing = read(settings)?.get(&host.key).and_then(|servers| servers.get(NAME)).map(value);
    if let Some(standing) = standing {
        return Ok(beside(entry, &standing));
    }
    let line_break = if settings.contains("\r\n") { "\r\n" } else { "\n" };
    let mut text = String::new();
    if !settings.is_empty() {
        text.push_str(if settings.ends_with('\n') { line_break } else { "\n\n" });
    }
    // Writing to a string does not fail.
    let _ = write!(text, "[{}.{NAME}]{line_break}", host.key);
    let Value::Table(fields) = entry else { return Err(closed(settings, host)) };
    for (key, value) in fields {
        let _ = write!(text, "{key} = {}{line_break}", value.on_one_line());
    }
    // If the table of servers is written in braces, nothing can be added to it from outside, and the text is not valid.
    match read(&format!("{settings}{text}")) {
        Ok(_) => Ok(Addition::Missing(vec![Insertion { offset: settings.len(), text }])),
        Err(_) => Err(closed(settings, host)),
    }
}

fn closed(settings: &str, host: &Host) -> Fault {
    let message = format!("`{}` is not written as `[{0}.NAME]`, so nothing can be added below it", host.key);
    Fault { offset: settings.find(&host.key).unwrap_or_default(), message }
}

fn read(settings: &str) -> Result<Table, Fault> {
    settings.trim_start_matches('\u{feff}').parse().map_err(|error: toml::de::Error| Fault {
        offset: error.span().map(|span| span.start).unwrap_or_default(),
        message: error.message().to_owned(),
    })
}

fn value(value: &toml::Value) -> Value {
    match value {
        toml::Value::String(text) => Value::Text(text.clone()),
        toml::Value::Array(all) => Value::List(all.iter().map(self::value).collect()),
        toml::Value::Table(all) => {
            Value::Table(all.iter().map(|(key, one)| (key.clone(), self::value(one))).collect())
        }
        toml::Value::Integer(number) => Value::Word(number.to_string()),
        toml::Value::Float(number) => Value::Word(number.to_string()),
        toml::Value::Boolean(truth) => Value::Word(truth.to_string()),
        toml::Value::Datetime(time) => Value::Word(time.to_string()),
    }
}
