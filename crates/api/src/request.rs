//! One request, from any door: the command line, a batch, the language server, or the tools for agents.

use std::time::Duration;

use locant_stop::{Defect, Stop, Stopped, check, unharmed, until};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::answer::{Form, Reply};
use crate::commands::Command;
use crate::failure::{Failure, Kind};
use crate::files::Files;
use crate::flags::Flags;
use crate::phrase::{Voice, call, phrase, setting};

/// One request.
#[derive(Debug)]
pub struct Request {
    /// The command and its arguments.
    pub command: Command,
    /// The flags that all commands share.
    pub flags: Flags,
}

/// What a request is answered with: the files, the form of the answer, and the voice of the door.
#[derive(Clone, Copy)]
pub struct Context<'c> {
    /// The files.
    pub files: &'c Files,
    /// The form in which the answer will be written. Parts that only other forms need are not computed.
    pub form: Form,
    /// How the door writes suggestions for the next request.
    pub voice: &'c dyn Voice,
}

/// Answers a request. All doors go through this function.
///
/// A panic makes only this request fail: the process and its other requests go on. A request also fails if it takes too
/// long, or if another thread asks it to stop ([`Stop::current`]).
pub fn run(request: Request, context: Context<'_>) -> Result<Box<dyn Reply>, Failure> {
    // Safe to go on after an unwind: `files` keeps only complete documents.
    let answer = || {
        guard(|| {
            request.flags.admit("")?;
            request.command.run(&request.flags, context)
        })
    };
    match request.flags.timeout_ms {
        None => answer(),
        Some(timeout_ms) => {
            let stop = Stop::after(Duration::from_millis(timeout_ms), &Stop::current());
            until(&stop, answer).unwrap_or_else(|Stopped| {
                // If the work around this request was asked to stop, this check ends it. Otherwise the time of the
                // request is over.
                check();
                Err(late(timeout_ms))
            })
        }
    }
}

fn late(timeout_ms: u64) -> Failure {
    Failure::new(
        Kind::Cancelled,
        format!("there was no answer within {timeout_ms} ms"),
        phrase!["give it more time: `", setting("timeout_ms", "MS"), "`, or ask about less"],
    )
}

/// Turns a panic into a failure.
pub fn guard<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    unharmed(work).unwrap_or_else(|defect| Err(failed(&defect)))
}

impl Request {
    /// Reads a request from the fields of a JSON object. A field that is null counts as absent.
    pub fn from_json(mut fields: Map<String, Value>, defaults: &Flags) -> Result<Request, Failure> {
        fields.retain(|_, value| !value.is_null());
        let op = match fields.remove("op") {
            None => "locate".to_owned(),
            Some(Value::String(op)) => op.replace('_', "-"),
            Some(_) => return Err(Failure::invalid("`op` is not a string", "write \"op\": \"locate\"")),
        };
        let fields = Value::Object(fields);
        let flags: Flags = read_fields(&fields)?;
        let command = Command::from_json(&op, &fields)?;
        Ok(Request { command, flags: flags.or(defaults) })
    }
}

/// Reads the fields that a type knows. The failure names the field that is wrong.
pub(crate) fn read_fields<T: DeserializeOwned>(fields: &Value) -> Result<T, Failure> {
    T::deserialize(fields).map_err(|error| {
        let culprit = fields.as_object().and_then(|fields| fields.iter().find_map(culprit::<T>));
        let message = culprit.unwrap_or_else(|| error.to_string());
        Failure::invalid(
            in_plain_words(message),
            phrase!["`", call("schema").with("name", "NAME"), "` prints the form of a command's request"],
        )
    })
}

/// What is wrong with a single field. Each field is read alone, because serde does not say where in a value it failed.
fn culprit<T: DeserializeOwned>((name, value): (&String, &Value)) -> Option<String> {
    let alone = Value::Object(Map::from_iter([(name.clone(), value.clone())]));
    let error = T::deserialize(&alone).err()?.to_string();
    let is_about_others = error.starts_with("missing field");
    (!is_about_others).then(|| format!("the field `{name}` is wrong: {error}"))
}

/// Replaces the type names in serde's messages by plain words.
pub(crate) fn in_plain_words(mut message: String) -> String {
    const WORDS: [(&str, &str); 9] = [
        ("expected u32", "expected a whole number"),
        ("expected usize", "expected a whole number"),
        ("expected i32", "expected a whole number"),
        ("expected f64", "expected a number"),
        ("expected a sequence", "expected a list"),
        ("expected a map", "expected an object"),
        ("invalid type: sequence", "invalid type: a list"),
        ("invalid type: map", "invalid type: an object"),
        ("expected struct", "expected an object:"),
    ];
    for (words, plain) in WORDS {
        message = message.replace(words, plain);
    }
    message
}

fn failed(defect: &Defect) -> Failure {
    Failure::new(
        Kind::Unsupported,
        format!(
            "{} itself failed on this request: {defect}",
            env!("CARGO_PKG_NAME").trim_end_matches("-api")
        ),
        "this is a defect; please report it with the file and the request",
    )
}
