//! What an edit is given: a text, or a list of edits, in the request, in a file or on standard input.

use std::convert::Infallible;

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::files::Files;
use crate::flags::Flags;

/// A text in a request.
#[derive(Clone, Debug)]
pub(crate) enum GivenText {
    /// The text itself.
    Text(String),
    /// The text is to be read from standard input.
    Stdin,
}

/// A list of edits.
#[derive(Clone, Debug)]
pub(crate) enum GivenPlan {
    /// In the request.
    Value(Value),
    /// In the file with this name, or with `-` on standard input.
    File(String),
}

impl GivenText {
    /// Reads an argument of the command line.
    pub(crate) fn of_argument(argument: &str) -> Result<GivenText, Infallible> {
        Ok(if argument == "-" { GivenText::Stdin } else { GivenText::Text(argument.to_owned()) })
    }

    /// The text.
    pub(crate) fn read(&self, files: &Files) -> Result<String, Failure> {
        match self {
            GivenText::Text(text) => Ok(text.clone()),
            GivenText::Stdin => String::from_utf8(files.stdin()?).map_err(|_| no_utf8()),
        }
    }
}

impl GivenPlan {
    /// Reads an argument of the command line.
    pub(crate) fn of_argument(argument: &str) -> Result<GivenPlan, Infallible> {
        Ok(GivenPlan::File(argument.to_owned()))
    }

    /// The edits, each as the fields of a request.
    pub(crate) fn read(&self, files: &Files) -> Result<Vec<Map<String, Value>>, Failure> {
        let value = match self {
            GivenPlan::Value(Value::String(file)) => GivenPlan::File(file.clone()).value(files)?,
            given => given.value(files)?,
        };
        let Value::Array(items) = value else { return Err(no_list("it is no list")) };
        let fields = |item| match item {
            Value::Object(fields) => Ok(fields),
            _ => Err(no_list("an item is no object")),
        };
        items.into_iter().map(fields).collect()
    }

    fn value(&self, files: &Files) -> Result<Value, Failure> {
        let bytes = match self {
            GivenPlan::Value(value) => return Ok(value.clone()),
            GivenPlan::File(file) if file == "-" => files.stdin()?,
            // The file belongs to the user and not to the workspace, so its path does not start from the root.
            GivenPlan::File(file) => files.read(file, &Flags::default())?.bytes().to_vec(),
        };
        serde_json::from_slice(&bytes).map_err(|error| no_list(&format!("it is not JSON: {error}")))
    }
}

impl<'de> Deserialize<'de> for GivenText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<GivenText, D::Error> {
        String::deserialize(deserializer).map(GivenText::Text)
    }
}

impl<'de> Deserialize<'de> for GivenPlan {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<GivenPlan, D::Error> {
        Value::deserialize(deserializer).map(GivenPlan::Value)
    }
}

fn no_list(why: &str) -> Failure {
    Failure::invalid(
        format!("the plan is no list of edits: {why}"),
        "write a list of such objects: [{\"locate\": \"a.py:f\", \"replace\": \"…\"}]",
    )
}

fn no_utf8() -> Failure {
    Failure::invalid("the text on standard input is not UTF-8", "give the text as UTF-8")
}
