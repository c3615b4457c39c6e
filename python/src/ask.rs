//! All commands, by requests and answers in JSON.

use std::sync::LazyLock;

use locant_api::{Context, Failure, Files, Flags, Form, Request, guard, run};
use pyo3::prelude::*;
use serde_json::{Map, Value, json};

use crate::voice::Python as Voice;

/// The files that all requests share, so that unchanged ones are read and parsed once.
static FILES: LazyLock<Files> = LazyLock::new(Files::default);

/// Answers a request, which is the JSON of one line of a batch. The answer is `{"result": …}` or `{"error": …}`.
#[pyfunction]
pub(crate) fn ask(py: Python<'_>, request: &str) -> String {
    py.detach(|| match answer(request) {
        Ok(result) => format!("{{\"result\":{result}}}"),
        Err(failure) => json!({"error": failure.error(&Voice)}).to_string(),
    })
}

fn answer(request: &str) -> Result<String, Failure> {
    let fields: Map<String, Value> = serde_json::from_str(request).map_err(|error| {
        Failure::invalid(
            format!("the request is not a JSON object: {error}"),
            "write {\"op\": \"locate\", …}",
        )
    })?;
    let context = Context { files: &FILES, form: Form::Json, voice: &Voice };
    let answer =
        guard(|| Request::from_json(fields, &Flags::default())).and_then(|request| run(request, context))?;
    guard(|| Ok(answer.json(&Voice).get().to_owned()))
}
