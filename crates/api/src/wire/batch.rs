//! A line of a batch.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::failure::Error;

/// One line of a batch's output: the result, or the error.
#[derive(Debug, JsonSchema, Serialize)]
pub struct BatchAnswer<'a> {
    /// The id of the request; null when the request had no readable id.
    #[schemars(with = "Value")]
    pub id: &'a RawValue,
    /// The answer of the command.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Map<String, Value>>")]
    pub result: Option<&'a RawValue>,
    /// Why there is no result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Error>,
    /// Notes about the request, such as a field that no command knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}
