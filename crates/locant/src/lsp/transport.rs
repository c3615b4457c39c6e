//! Reads and writes messages: a header with the length, then JSON.
//!
//! A message that cannot be read becomes an event, and the next one is read.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use gen_lsp_types as lsp;
use locant_frames::{Frame, Frames, write_frame};
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::room::{Room, Share};

/// What the server has to handle, from the client and from its own threads.
pub(super) enum Event {
    /// The client sends a request.
    Request(Call),
    /// The client sends a notification.
    Notification { method: String, params: Params, share: Share },
    /// The client cancels the request with this id.
    Cancel { id: Value, _share: Share },
    /// The client wants the server to end.
    Exit,
    /// The client sends something that is not a message. The response says so.
    Malformed { response: Response, share: Share },
    /// The client has gone.
    Gone,
    /// A request was answered.
    Answered { id: Value },
    /// A document was checked; `None` when the check was stopped.
    Checked { path: String, version: i32, problems: Option<Vec<lsp::Diagnostic>> },
    /// The client requested the problems of a document, and got these.
    Served { path: String, problems: Vec<lsp::Diagnostic> },
}

/// A request of the client.
pub(super) struct Call {
    /// A number or a string, which comes back with the answer.
    pub(super) id: Value,
    pub(super) method: String,
    pub(super) params: Params,
    /// The part of the room for waiting messages that this message takes.
    pub(super) share: Share,
}

/// Parameters, not parsed yet: a message that waits takes no more memory than its text.
pub(super) struct Params(Option<Box<RawValue>>);

impl Params {
    pub(super) fn read(self) -> Result<Value, Error> {
        let Some(params) = self.0 else { return Ok(Value::Null) };
        serde_json::from_str(params.get()).map_err(|error| {
            Error::new(Error::INVALID_PARAMS, format!("the parameters cannot be read: {error}"))
        })
    }
}

/// An answer: the result, or why there is none.
pub(super) struct Response {
    pub(super) id: Value,
    /// The result as JSON.
    pub(super) result: Result<String, Error>,
}

/// Why there is no result.
#[derive(Clone, Debug)]
pub(super) struct Error {
    pub(super) code: i32,
    pub(super) message: String,
}

impl Error {
    pub(super) const PARSE_ERROR: i32 = -32700;
    pub(super) const INVALID_REQUEST: i32 = -32600;
    pub(super) const METHOD_NOT_FOUND: i32 = -32601;
    pub(super) const INVALID_PARAMS: i32 = -32602;
    pub(super) const INTERNAL_ERROR: i32 = -32603;
    pub(super) const NOT_INITIALIZED: i32 = -32002;
    pub(super) const REQUEST_FAILED: i32 = -32803;
    pub(super) const REQUEST_CANCELLED: i32 = -32800;

    pub(super) fn new(code: i32, message: impl Into<String>) -> Error {
        Error { code, message: message.into() }
    }

    /// The error for a request that was cancelled.
    pub(super) fn cancelled() -> Error {
        Error::new(Error::REQUEST_CANCELLED, "cancelled")
    }
}

/// Reads messages in a separate thread, so that a cancellation is noticed in time. The thread blocks while too many
/// bytes wait to be answered.
pub(super) fn listen(input: impl Read + Send + 'static, sender: Sender<Event>) {
    thread::spawn(move || {
        let mut frames = Frames::new(input);
        let room = Arc::new(Room::default());
        loop {
            let event = match frames.read() {
                Ok(Some(Frame::Body(body))) => read(&body, Room::take(&room, body.len())),
                Ok(Some(Frame::Bad(why))) => {
                    eprintln!("locant: {why}; the next message is looked for");
                    malformed(Value::Null, Error::new(Error::PARSE_ERROR, why), Room::take(&room, 0))
                }
                Ok(None) => Some(Event::Gone),
                Err(error) => {
                    eprintln!("locant: no message can be read any more: {error}");
                    Some(Event::Gone)
                }
            };
            let is_over = matches!(event, Some(Event::Gone));
            // If the server no longer receives events, the process is ending.
            let is_heard = event.is_none_or(|event| sender.send(event).is_ok());
            if is_over || !is_heard {
                return;
            }
        }
    });
}

/// The output to the client, to which several threads write whole messages.
#[derive(Clone)]
pub(super) struct Output(Arc<Mutex<Box<dyn Write + Send>>>);

impl Output {
    pub(super) fn new(output: impl Write + Send + 'static) -> Output {
        Output(Arc::new(Mutex::new(Box::new(output))))
    }

    /// Writes an answer. Fails if the client is gone.
    pub(super) fn respond(&self, response: &Response) -> io::Result<()> {
        let Response { id, result } = response;
        match result {
            // Put together as text, since a result may be long and is JSON already.
            Ok(result) => {
                self.write_body(&format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{result}}}"))
            }
            Err(Error { code, message }) => {
                self.write(&json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}))
            }
        }
    }

    /// Sends the client a notification. If the client is gone, the thread that reads messages notices it.
    pub(super) fn tell(&self, method: &str, params: &Value) {
        let _ = self.write(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends the client a request whose answer does not matter.
    pub(super) fn ask(&self, id: &str, method: &str, params: &Value) {
        let _ = self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
    }

    fn write(&self, message: &Value) -> io::Result<()> {
        self.write_body(&message.to_string())
    }

    fn write_body(&self, body: &str) -> io::Result<()> {
        // Safe after a panic elsewhere: a message is written by one call.
        write_frame(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), body)
    }
}

/// The event for a message; `None` for an answer, since answers of the client do not matter.
fn read(body: &[u8], share: Share) -> Option<Event> {
    let mut fields: BTreeMap<String, &RawValue> = match serde_json::from_slice(body) {
        Ok(fields) => fields,
        Err(error) => return malformed(Value::Null, no_object(body, &error), share),
    };
    let params = Params(fields.remove("params").map(ToOwned::to_owned));
    let is_answer = fields.contains_key("result") || fields.contains_key("error");
    let mut value = |name| fields.remove(name).and_then(|value| serde_json::from_str(value.get()).ok());
    match (value("method"), value("id")) {
        (Some(Value::String(method)), None) => Some(notification(method, params, share)),
        (Some(Value::String(method)), Some(id @ (Value::Number(_) | Value::String(_)))) => {
            Some(Event::Request(Call { id, method, params, share }))
        }
        (None, Some(_)) if is_answer => None,
        (_, id) => {
            let id = id.filter(|id| id.is_number() || id.is_string()).unwrap_or_default();
            let message = "a request has an `id` (a number or a string) and a `method`";
            malformed(id, Error::new(Error::INVALID_REQUEST, message), share)
        }
    }
}

fn malformed(id: Value, error: Error, share: Share) -> Option<Event> {
    Some(Event::Malformed { response: Response { id, result: Err(error) }, share })
}

fn no_object(body: &[u8], error: &serde_json::Error) -> Error {
    match serde_json::from_slice(body) {
        Ok(IgnoredAny) => Error::new(Error::INVALID_REQUEST, "a message is an object"),
        Err(_) => Error::new(Error::PARSE_ERROR, format!("this is not JSON: {error}")),
    }
}

/// The event for a notification. `exit` and cancellations have events of their own.
fn notification(method: String, params: Params, share: Share) -> Event {
    match method.as_str() {
        "exit" => Event::Exit,
        "$/cancelRequest" => {
            let mut params = params.read().unwrap_or_default();
            Event::Cancel { id: params.get_mut("id").map(Value::take).unwrap_or_default(), _share: share }
        }
        _ => Event::Notification { method, params, share },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The event for a message, as text.
    fn heard(body: &str) -> String {
        match read(body.as_bytes(), Share::default()) {
            Some(Event::Request(request)) => format!("{} {}", request.id, request.method),
            Some(Event::Notification { method, .. }) => method,
            Some(Event::Malformed { response: Response { id, result: Err(error) }, .. }) => {
                format!("{id} {}", error.code)
            }
            _ => "nothing".to_owned(),
        }
    }

    #[test]
    fn a_message_asks_or_tells() {
        assert_eq!(heard("{\"id\": 1, \"method\": \"a\"}"), "1 a");
        assert_eq!(heard("{\"id\": \"x\", \"method\": \"a\"}"), "\"x\" a");
        assert_eq!(heard("{\"method\": \"é\"}"), "é");
    }

    #[test]
    fn what_is_no_message_is_said() {
        let bad = [
            ("{", "null -32700"),
            ("[]", "null -32600"),
            ("{\"id\": null, \"method\": \"a\"}", "null -32600"),
            ("{\"id\": 7}", "7 -32600"),
            ("{\"id\": 7, \"method\": 1}", "7 -32600"),
            ("", "null -32700"),
        ];
        bad.iter().for_each(|(body, expected)| assert_eq!(heard(body), *expected, "{body}"));
    }

    #[test]
    fn a_request_that_is_cancelled_is_named_by_its_id() {
        let cancelled = |params: &str| match read(
            format!("{{\"method\": \"$/cancelRequest\", \"params\": {params}}}").as_bytes(),
            Share::default(),
        ) {
            Some(Event::Cancel { id, .. }) => id,
            _ => panic!("it is heard as something else"),
        };
        assert_eq!(cancelled("{\"id\": 7}"), 7);
        assert_eq!(
            [cancelled("{}"), cancelled("[]"), cancelled("null")],
            [Value::Null, Value::Null, Value::Null]
        );
    }

    #[test]
    fn an_answer_is_not_listened_to() {
        assert_eq!(heard("{\"id\": 1, \"result\": null}"), "nothing");
    }
}
