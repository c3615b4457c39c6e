//! Answers a call on a thread of its own.

use std::sync::Arc;

use locant_api::{BUDGET, show};
use locant_api::{Context, ErrorAnswer, Failure, Files, Flags, Form, guard, run_fitted};
use locant_stop::{Stop, Stopped, until};
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Map, Value};

use super::argument;
use super::tools::Tool;
use super::voice::Agent;

/// The longest text, in bytes, for which a question is answered without a thread of its own.
const MOST_QUICK: u64 = 256 << 10;

/// The longest location of such a question.
const LONGEST_QUICK: usize = 2_000;

/// What all calls share.
#[derive(Debug)]
pub(super) struct Answering {
    files: Files,
    defaults: Flags,
}

/// A call of a tool.
#[derive(Debug)]
pub(super) struct Called {
    pub(super) tool: &'static Tool,
    pub(super) arguments: Map<String, Value>,
    pub(super) flags: Arc<Flags>,
}

impl Answering {
    pub(super) fn new(files: Files, defaults: Flags) -> Answering {
        Answering { files, defaults }
    }

    /// The flags that the program was started with.
    pub(super) fn defaults(&self) -> &Flags {
        &self.defaults
    }

    /// What the language servers are busy with.
    pub(super) fn work(&self) -> Option<String> {
        let running = self.files.pool()?.running();
        let busy = running.iter().find_map(|server| Some((server, server.work.as_ref()?)));
        busy.map(|(server, work)| format!("{}: {work}", server.name))
    }

    /// Whether the answer takes less time than waking a thread: all that it needs is in memory.
    pub(super) fn is_quick(&self, called: &Called) -> bool {
        let Called { tool, arguments, flags } = called;
        let is_plain = arguments.keys().all(|name| tool.quick_fields.contains(&name.as_str()));
        let location = arguments.get("locate").and_then(Value::as_str);
        let location = location.filter(|location| is_plain && location.len() <= LONGEST_QUICK);
        location.is_some_and(|location| self.files.keeps_file_of(location, MOST_QUICK, flags))
    }

    /// Answers a call, unless it is asked to stop.
    pub(super) fn answer(&self, called: Called, stop: &Stop) -> Result<CallToolResult, Stopped> {
        let Called { tool, arguments, flags } = called;
        let boundary = flags.boundary.as_ref().map(|boundary| Arc::new(boundary.for_request()));
        let flags = Flags { boundary, ..Flags::clone(&flags) };
        let context = Context { files: &self.files, form: Form::Json, voice: &Agent };
        let answered = until(stop, || {
            guard(|| {
                let fitted = run_fitted(argument::request(tool, arguments)?, &flags, context)?;
                let json: Value = serde_json::from_str(&fitted.json).expect("answers are JSON");
                Ok((json, fitted.markdown))
            })
        })?;
        Ok(match answered {
            Ok((json, markdown)) => {
                let mut result = CallToolResult::success(vec![ContentBlock::text(markdown)]);
                result.structured_content = Some(json);
                result
            }
            // The hint suggests a command that prints a schema. A model without a shell gets the list of arguments
            // instead.
            Err(failure) if failure.hint.suggests("schema") => {
                failed(&Failure { hint: argument::taken(tool), ..failure })
            }
            Err(failure) => failed(&failure),
        })
    }
}

/// A failure as a result: an error of the protocol may never reach the model.
pub(super) fn failed(failure: &Failure) -> CallToolResult {
    let error = failure.error(&Agent).within(BUDGET);
    let mut result = CallToolResult::error(vec![ContentBlock::text(show::error_markdown(&error))]);
    result.structured_content =
        Some(serde_json::to_value(ErrorAnswer { error }).expect("failures have string keys"));
    result
}
