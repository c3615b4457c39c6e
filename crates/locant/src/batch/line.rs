//! One line of a batch: from bytes to a request, from an answer to a line.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::report::Report;
use crate::commands::schema;
use crate::failure::Failure;
use crate::files::Files;
use crate::flags::Flags;
use crate::request::{Request, guard, run};

/// The answer to a line, as a line. There is one for every line, whatever it holds.
pub(super) fn answer(line: &[u8], defaults: &Flags, files: &Files, report: &Report) -> String {
    // It has an answer as every line has, but is nothing that failed.
    if line.trim_ascii().is_empty() {
        return failed("null", &bad_line("the line is empty"), None);
    }
    let mut fields = match fields(line) {
        Ok(fields) => fields,
        Err(failure) => {
            report.count(Err(&failure));
            return failed("null", &failure, None);
        }
    };
    let id = id(line, fields.remove("id"));
    let note = unknown_fields(&fields);
    let request = guard(|| Request::from_json(fields, defaults));
    let result = request
        .and_then(|request| run(request, files))
        .and_then(|answer| guard(|| Ok((answer.status(), answer.json()))));
    report.count(result.as_ref().map(|(status, _)| *status));
    match result {
        Ok((_, result)) => format!("{{\"id\":{id},\"result\":{result}{}}}", noted(note)),
        Err(failure) => failed(&id, &failure, note),
    }
}

fn fields(line: &[u8]) -> Result<Map<String, Value>, Failure> {
    let line = std::str::from_utf8(line)
        .map_err(|error| bad_line(&format!("the line is not valid UTF-8 at byte {}", error.valid_up_to())))?;
    // Some programs put a byte-order mark in front of all that they write.
    let line = line.strip_prefix('\u{feff}').unwrap_or(line);
    match serde_json::from_str(line) {
        Ok(Value::Object(fields)) => Ok(with_location(fields)),
        // A location alone asks for its place, so that a list of them can be checked as it is.
        Ok(location @ Value::String(_)) => Ok(Map::from_iter([("locate".to_owned(), location)])),
        Err(_) if !line.trim_start().starts_with(['{', '[']) && line.contains([':', '@']) => {
            Ok(Map::from_iter([("locate".to_owned(), Value::from(unquoted(line)))]))
        }
        Ok(_) => Err(bad_line("the line is not a JSON object")),
        Err(error) => Err(bad_line(&format!("the line is not JSON: {error}"))),
    }
}

/// The fields of a request. A location as an object asks for its place as one in words does.
fn with_location(mut fields: Map<String, Value>) -> Map<String, Value> {
    let has = |name| fields.contains_key(name);
    if has("op") || has("locate") || !(has("scope") || has("find")) {
        return fields;
    }
    let parts = ["file_path", "scope", "find"].map(|name| fields.remove_entry(name));
    let location: Map<String, Value> = parts.into_iter().flatten().collect();
    fields.insert("locate".to_owned(), Value::Object(location));
    fields
}

/// A location alone on a line. Notes put it in backticks, and behind them the sentence goes on.
fn unquoted(line: &str) -> &str {
    let quoted = line.trim_start().strip_prefix('`').and_then(|rest| rest.split_once('`'));
    quoted.map_or_else(|| line.trim_end_matches(['\n', '\r']), |(location, _)| location)
}

/// The id as it was written: a number may be larger than any that a value can hold.
fn id(line: &[u8], read: Option<Value>) -> String {
    #[derive(serde::Deserialize)]
    struct Envelope<'a> {
        #[serde(borrow)]
        id: Option<&'a RawValue>,
    }
    match (serde_json::from_slice::<Envelope<'_>>(line), read) {
        (Ok(Envelope { id: Some(id) }), _) => id.get().to_owned(),
        (_, Some(id)) => id.to_string(),
        (_, None) => "null".to_owned(),
    }
}

fn failed(id: &str, failure: &Failure, note: Option<String>) -> String {
    format!("{{\"id\":{id},\"error\":{}{}}}", failure.json(), noted(note))
}

fn noted(note: Option<String>) -> String {
    note.map_or_else(String::new, |note| format!(",\"note\":{}", Value::String(note)))
}

fn bad_line(message: &str) -> Failure {
    Failure::invalid(
        message,
        "write one request on each line: {\"op\": \"locate\", \"locate\": \"FILE:SCOPE@FIND\"}",
    )
}

/// A field that nothing reads is not an error, since a client may bring its own, but a slip should be seen.
fn unknown_fields(fields: &Map<String, Value>) -> Option<String> {
    /// How the command line shows an answer; here it is always JSON.
    const FORM: [&str; 5] = ["op", "json", "markdown", "color", "stdin_path"];

    let op = fields.get("op").map_or(Some("locate"), Value::as_str)?.replace('_', "-");
    let known = FIELDS.get(&op)?;
    let unknown = |name: &&String| !known.contains(*name) && !FORM.contains(&name.as_str());
    let unknown: Vec<String> = fields.keys().filter(unknown).map(|name| format!("`{name}`")).collect();
    (!unknown.is_empty()).then(|| format!("not read: {}", unknown.join(", ")))
}

/// The fields of each command's request, as its schema says.
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
