//! Messages in and out: a header with the length, then JSON.
//!
//! A message that cannot be read is an event like any other, and the next one is read.

use std::io::{self, BufRead, Read, Write};
use std::sync::mpsc::Sender;
use std::thread;

use serde_json::{Map, Value, json};

use crate::disk::DiskFile;

/// Messages longer than this are stepped over.
const MOST_BYTES: u64 = 1 << 30;

/// What happens to a server.
pub(super) enum Event {
    /// The client asks.
    Request(Call),
    /// The client tells.
    Notification { method: String, params: Value },
    /// The client does not want the answer to this any more.
    Cancel { id: Value },
    /// The client wants the server to end.
    Exit,
    /// The client sends what is no message.
    Malformed(Response),
    /// The client has gone.
    Gone,
    /// A file was found, for the workspace with this number.
    Found { workspace: usize, path: String, file: DiskFile },
    /// All files of a folder were found.
    Scanned,
}

/// A question of the client.
pub(super) struct Call {
    /// A number or a string, which comes back with the answer.
    pub(super) id: Value,
    pub(super) method: String,
    pub(super) params: Value,
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
}

/// Reads messages from standard input in a thread of its own, so that what is cancelled is seen in time.
pub(super) fn listen(sender: Sender<Event>) {
    thread::spawn(move || {
        let mut input = io::stdin().lock();
        loop {
            let event = match frame(&mut input) {
                Ok(Some(bytes)) => read(&bytes),
                Ok(None) | Err(_) => Some(Event::Gone),
            };
            let is_over = matches!(event, Some(Event::Gone));
            // That nobody listens any more ends the process anyway.
            let is_heard = event.is_none_or(|event| sender.send(event).is_ok());
            if is_over || !is_heard {
                return;
            }
        }
    });
}

/// Writes an answer to standard output; an error says that the client has gone.
pub(super) fn respond(response: &Response) -> io::Result<()> {
    let Response { id, result } = response;
    match result {
        // As text, since a result may be long and is JSON already.
        Ok(result) => write_body(&format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{result}}}")),
        Err(Error { code, message }) => {
            write(&json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}))
        }
    }
}

/// Writes a message to standard output.
pub(super) fn write(message: &Value) -> io::Result<()> {
    write_body(&message.to_string())
}

fn write_body(body: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    write!(out, "Content-Length: {}\r\n\r\n{body}", body.len())?;
    out.flush()
}

/// The body of the next message; `None` at the end.
fn frame(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut length: Option<u64> = None;
    loop {
        let mut line = Vec::new();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        match (line.split_once(':'), length) {
            (Some((name, value)), _) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse().ok();
            }
            (None, Some(length)) if line.is_empty() && length > MOST_BYTES => {
                io::copy(&mut input.by_ref().take(length), &mut io::sink())?;
                return Ok(Some(Vec::new()));
            }
            (None, Some(length)) if line.is_empty() => {
                let mut body = Vec::new();
                let n_read = input.by_ref().take(length).read_to_end(&mut body)?;
                return Ok((n_read as u64 == length).then_some(body));
            }
            // Other headers, and whatever stands between messages.
            _ => {}
        }
    }
}

/// What a message says; `None` for an answer, since nothing hangs on those.
fn read(bytes: &[u8]) -> Option<Event> {
    let malformed = |id: Value, code: i32, message: String| {
        Some(Event::Malformed(Response { id, result: Err(Error { code, message }) }))
    };
    let mut fields: Map<String, Value> = match serde_json::from_slice(bytes) {
        Ok(Value::Object(fields)) => fields,
        Ok(_) => return malformed(Value::Null, Error::INVALID_REQUEST, "a message is an object".to_owned()),
        Err(error) => return malformed(Value::Null, Error::PARSE_ERROR, format!("this is no JSON: {error}")),
    };
    let params = fields.remove("params").unwrap_or_default();
    let is_answer = fields.contains_key("result") || fields.contains_key("error");
    match (fields.remove("method"), fields.remove("id")) {
        (Some(Value::String(method)), None) => Some(notification(method, params)),
        (Some(Value::String(method)), Some(id @ (Value::Number(_) | Value::String(_)))) => {
            Some(Event::Request(Call { id, method, params }))
        }
        (None, Some(_)) if is_answer => None,
        (_, id) => malformed(
            id.filter(|id| id.is_number() || id.is_string()).unwrap_or_default(),
            Error::INVALID_REQUEST,
            "a request has an `id` (a number or a string) and a `method`".to_owned(),
        ),
    }
}

/// What the client tells. What is about messages themselves is told from what the server is to know.
fn notification(method: String, mut params: Value) -> Event {
    match method.as_str() {
        "exit" => Event::Exit,
        "$/cancelRequest" => Event::Cancel { id: params.get_mut("id").map(Value::take).unwrap_or_default() },
        _ => Event::Notification { method, params },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is read from an input, as words.
    fn heard(input: &str) -> Vec<String> {
        let mut input = input.as_bytes();
        let mut heard = Vec::new();
        while let Some(body) = frame(&mut input).expect("reading memory does not fail") {
            heard.push(match read(&body) {
                Some(Event::Request(request)) => format!("{} {}", request.id, request.method),
                Some(Event::Notification { method, .. }) => method,
                Some(Event::Malformed(Response { id, result: Err(error) })) => format!("{id} {}", error.code),
                _ => "nothing".to_owned(),
            });
        }
        heard
    }

    fn framed(body: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    #[test]
    fn messages_follow_each_other() {
        let input = framed("{\"id\": 1, \"method\": \"a\"}") + &framed("{\"method\": \"é\"}");
        assert_eq!(heard(&input), ["1 a", "é"]);
        let input = framed("{\"id\": \"x\", \"method\": \"a\"}");
        let input = input.replace("Content-Length", "Content-Type: x\r\ncontent-length");
        assert_eq!(heard(&input), ["\"x\" a"]);
    }

    #[test]
    fn what_is_no_message_is_said_and_the_next_is_read() {
        let bad =
            ["{", "[]", "{\"id\": null, \"method\": \"a\"}", "{\"id\": 7}", "{\"id\": 7, \"method\": 1}", ""];
        let input: String = bad.iter().map(|body| framed(body)).collect();
        let expected =
            ["null -32700", "null -32600", "null -32600", "7 -32600", "7 -32600", "null -32700", "ok"];
        assert_eq!(heard(&(input + &framed("{\"method\": \"ok\"}"))), expected);
    }

    #[test]
    fn a_request_that_is_cancelled_is_named_by_its_id() {
        let cancelled = |params: &str| match read(
            format!("{{\"method\": \"$/cancelRequest\", \"params\": {params}}}").as_bytes(),
        ) {
            Some(Event::Cancel { id }) => id,
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
        assert_eq!(heard(&framed("{\"id\": 1, \"result\": null}")), ["nothing"]);
    }

    #[test]
    fn half_a_message_is_the_end() {
        assert_eq!(heard("Content-Length: 10\r\n\r\n{}"), [""; 0]);
        assert_eq!(heard("Content-Length: 10\r\n"), [""; 0]);
    }
}
