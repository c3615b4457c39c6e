//! One line of a batch: from bytes to a request, from an answer to a line.

use std::collections::BTreeMap;

use anstream::adapter::strip_str;
use locant_api::wire::BatchAnswer;
use locant_api::{Context, Failure, Files, Flags, Form, Kind, Reply, Request, guard, run};
use locant_workspace::git;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::input::LONGEST;
use super::notes;
use super::report::{self, Outcome};
use crate::fields;
use crate::voice::Fields as Voice;

/// The answer to a line.
pub(super) struct Answered {
    /// The line to write. Every line of the input has one, whatever is in it.
    pub text: String,
    /// What became of the place that was asked for; `None` if the line has no place, or if no report is wanted.
    pub outcome: Option<Outcome>,
}

/// Answers a line.
pub(super) fn answer(
    line: &[u8],
    defaults: &Flags,
    files: &Files,
    (reports, form): (bool, Form),
) -> Answered {
    // Output of other programs may quote a file that is not UTF-8; only the place before the quotation matters.
    let lossy = (form == Form::Line).then(|| String::from_utf8_lossy(line));
    let line = lossy.as_ref().map_or(line, |lossy| lossy.as_bytes());
    let exists = |path: &str| files.exists(path, defaults);
    let was_there = |path: &str| {
        let past = defaults.from.as_ref().map(|rev| git::since(rev, path, &defaults.base()));
        matches!(past, Some(Ok(Some(_))))
    };
    let mut is_note = false;
    let request = match read(line, Known { exists: &exists, was_there: &was_there }) {
        Ok(Line::Request(request)) => request,
        Ok(Line::Note(readings)) => {
            is_note = true;
            Fields::located(likeliest(&readings, defaults, files))
        }
        Ok(Line::Empty | Line::Prose) if form == Form::Line => return as_it_is(line),
        // A line without a request gets an answer like every other line, but does not count as failed.
        Ok(Line::Empty) => return unasked(&bad_line("the line is empty")),
        Ok(Line::Prose) => return unasked(&bad_line("the line is not JSON, and has no location in it")),
        Err(failure) => return unread(&failure, (reports, form)),
    };
    let Fields { id, fields, note } = request;
    let asked = if reports { report::asked(&fields) } else { String::new() };
    let (mut is_fuzzy, mut has_old_text) = (false, fields.contains_key("old_text"));
    let request = guard(|| Request::from_json(fields, defaults));
    let result = request
        .inspect(|request| {
            is_fuzzy = request.flags.fuzzy;
            has_old_text |= request.flags.from.is_some();
        })
        .and_then(|request| run(request, Context { files, form, voice: &Voice }))
        .and_then(|answer| guard(|| Ok((said(answer.as_ref(), form), answer))));
    let outcome = match &result {
        _ if !reports => None,
        Ok((_, answer)) => {
            let how = answer.found_how();
            how.map(|how| Outcome::of_answer(asked, how, is_fuzzy, answer.as_ref()))
        }
        Err(failure) => Some(Outcome::of_failure(asked, failure, has_old_text)),
    };
    let text = match result {
        Ok((Said::Line(text), _)) if is_note => text + &message(line),
        Ok((Said::Line(text), _)) => text,
        Ok((Said::Json(result), _)) => written(&id, Ok(&result), note),
        // A part of a note that only looks like a place does not count as failed.
        Err(failure) if form == Form::Line && is_note && failure.kind.exit_code() != 1 => {
            return as_it_is(line);
        }
        Err(failure) => in_form(form, &failure, || written(&id, Err(&failure), note)),
    };
    Answered { text, outcome }
}

/// An answer as it is written.
enum Said {
    Line(String),
    Json(Box<RawValue>),
}

fn said(answer: &dyn Reply, form: Form) -> Said {
    if form != Form::Line {
        return Said::Json(answer.json(&Voice));
    }
    let mut line = Vec::new();
    answer.write(form, &Voice, &mut line).expect("memory can be written to");
    // Other programs read these lines, too, so they have no styles.
    Said::Line(strip_str(&String::from_utf8_lossy(&line)).to_string())
}

/// An answer or a failure as a line of JSON.
fn written(id: &RawValue, result: Result<&RawValue, &Failure>, note: Option<String>) -> String {
    let error = result.err().map(|failure| failure.error(&Voice));
    let answer = BatchAnswer { id, result: result.ok(), error, note };
    serde_json::to_string(&answer).expect("answers have string keys and no failing parts")
}

/// The message that a program prints after a coordinate: `: error: bad thing`. It is empty for the output of `grep -n`,
/// where the text of the line follows the row. The answer shows that text anyway.
fn message(line: &[u8]) -> String {
    let line = String::from_utf8_lossy(line);
    let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = line.trim_end().splitn(4, ':').collect();
    match parts.as_slice() {
        [_, row, column, said] if is_number(row) && is_number(column) && !said.trim().is_empty() => {
            format!(": {}", said.trim())
        }
        _ => String::new(),
    }
}

/// The answer for a line without a place: the line itself, so that people see it among the others.
fn as_it_is(line: &[u8]) -> Answered {
    let text = String::from_utf8_lossy(line).trim_end_matches(['\n', '\r']).to_owned();
    Answered { text, outcome: None }
}

fn in_form(form: Form, failure: &Failure, json: impl FnOnce() -> String) -> String {
    match form {
        Form::Line => {
            let places: Vec<&str> = failure.candidates.iter().map(|place| place.location.as_str()).collect();
            let places = if places.is_empty() { String::new() } else { format!(" {}", places.join(", ")) };
            format!("error: {}; {}{places}", failure.message, failure.hint.said(&Voice))
        }
        Form::Json | Form::Text | Form::Markdown => json(),
    }
}

/// Answers a line that was too long to be kept.
pub(super) fn too_long(wanted: (bool, Form)) -> Answered {
    let failure = Failure::invalid(
        format!("the line is longer than {} MiB, and was not read", LONGEST >> 20),
        "write one request on each line; give a long text as a file, not as `text`",
    );
    unread(&failure, wanted)
}

fn unread(failure: &Failure, (reports, form): (bool, Form)) -> Answered {
    let outcome = || Outcome::of_failure("a line that cannot be read".to_owned(), failure, false);
    Answered {
        text: in_form(form, failure, || written(RawValue::NULL, Err(failure), None)),
        outcome: reports.then(outcome),
    }
}

fn unasked(failure: &Failure) -> Answered {
    Answered { text: written(RawValue::NULL, Err(failure), None), outcome: None }
}

/// What a line is.
enum Line {
    Request(Fields),
    /// A note with a location: the texts that the location may be, the longest first.
    Note(Vec<String>),
    Empty,
    /// A sentence between the locations of someone's notes.
    Prose,
}

/// The fields of a request.
struct Fields {
    /// The text of the id: a number may be larger than any that a `Value` can hold.
    id: Box<RawValue>,
    /// The fields that the command reads.
    fields: Map<String, Value>,
    /// A sentence that names the other fields, if there are some.
    note: Option<String>,
}

/// Whether a file exists, and whether it existed in the revision of `--from`.
#[derive(Clone, Copy)]
struct Known<'a> {
    exists: &'a dyn Fn(&str) -> bool,
    was_there: &'a dyn Fn(&str) -> bool,
}

fn read(line: &[u8], known: Known<'_>) -> Result<Line, Failure> {
    let line = std::str::from_utf8(line)
        .map_err(|error| bad_line(&format!("the line is not valid UTF-8 at byte {}", error.valid_up_to())))?;
    // Some programs start their output with a byte-order mark.
    let line = line.strip_prefix('\u{feff}').unwrap_or(line);
    let no_json = |error| bad_line(&format!("the line is not JSON: {error}"));
    match line.trim_start().bytes().next() {
        None => Ok(Line::Empty),
        Some(b'{') => Fields::read(serde_json::from_str(line).map_err(no_json)?).map(Line::Request),
        // A location alone is a request for its place, so that a plain list of locations can be checked.
        Some(b'"') if let Ok(location) = serde_json::from_str::<String>(line) => {
            Ok(Line::Request(Fields::located(&location)))
        }
        Some(_) => match serde_json::from_str(line) {
            Ok(IgnoredAny) => Err(bad_line("the line is not a JSON object")),
            Err(error) if is_meant_as_json(line) => Err(no_json(error)),
            Err(_) => Ok(note(line, known)),
        },
    }
}

impl Fields {
    /// Reads the fields of an object. Only those that the command reads are parsed: a value takes far more memory than
    /// its text.
    fn read(mut object: BTreeMap<String, &RawValue>) -> Result<Fields, Failure> {
        let id = object.remove("id").unwrap_or(RawValue::NULL).to_owned();
        let mut fields = Map::new();
        let has = |name| object.contains_key(name);
        // A location alone may also be an object. It is a request for its place, like a location in text form.
        if !(has("op") || has("locate")) && (has("scope") || has("find")) {
            let parts = ["file_path", "scope", "find"].map(|name| object.remove_entry(name));
            let location: Result<Map<_, _>, _> = parts.into_iter().flatten().map(field).collect();
            fields.insert("locate".to_owned(), Value::Object(location?));
        }
        let op =
            object.get("op").map_or_else(|| Ok("locate".to_owned()), |op| serde_json::from_str(op.get()));
        let known = op.ok().and_then(|op: String| fields::of(&op.replace('_', "-")));
        let is_read =
            |name: &str| known.is_some_and(|known| known.contains_key(name)) || FORM.contains(&name);
        let (read, others): (Vec<_>, Vec<_>) = object.into_iter().partition(|(name, _)| is_read(name));
        for part in read {
            fields.extend([field(part)?]);
        }
        let note = known.and_then(|_| unknown_fields(&others));
        Ok(Fields { id, fields, note })
    }

    fn located(location: &str) -> Fields {
        Fields { id: RawValue::NULL.to_owned(), fields: located(location), note: None }
    }
}

fn field((name, value): (String, &RawValue)) -> Result<(String, Value), Failure> {
    match serde_json::from_str(value.get()) {
        Ok(value) => Ok((name, value)),
        Err(error) => Err(bad_line(&format!("the field `{name}` is not JSON: {error}"))),
    }
}

/// Whether a line that is not valid JSON was meant to be JSON. `[id]/page.py:main` and `[a link](a.py#L12)` also start
/// with a bracket, but are not.
fn is_meant_as_json(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with('{')
        || line.strip_prefix('[').is_some_and(|inside| inside.trim_start().starts_with(['{', '"', '[']))
}

fn note(line: &str, Known { exists, was_there }: Known<'_>) -> Line {
    match notes::locations_in(line) {
        readings if readings.is_empty() => notes::whole_location(line, exists)
            .filter(|(_, path)| exists(path) || was_there(path))
            .map_or(Line::Prose, |(whole, _)| Line::Note(vec![whole])),
        readings => Line::Note(readings),
    }
}

fn located(location: &str) -> Map<String, Value> {
    Map::from_iter([("locate".to_owned(), Value::from(location))])
}

/// The reading of a note that leads to a place as it is written. If none does, one that leads to a place by a fuzzy
/// search; else one that at least names a file; else the shortest.
fn likeliest<'r>(readings: &'r [String], defaults: &Flags, files: &Files) -> &'r str {
    let [whole, .., shortest] = readings else { return &readings[0] };
    let as_written = Flags { fuzzy: false, ..defaults.clone() };
    let failures = |reading: &str, flags: &Flags| try_out(reading, flags, files);
    if let Some(written) = readings.iter().find(|reading| failures(reading, &as_written).is_none()) {
        return written;
    }
    let mut ends = [shortest, whole].into_iter();
    let found_again = ends.clone().find(|end| defaults.fuzzy && failures(end, defaults).is_none());
    let with_file = || {
        ends.find(|end| !matches!(failures(end, &as_written), Some(Kind::NoSuchFile | Kind::InvalidLocation)))
    };
    found_again.or_else(with_file).unwrap_or(shortest)
}

/// Why a reading of a note leads to no place; `None` if it leads to one.
fn try_out(reading: &str, flags: &Flags, files: &Files) -> Option<Kind> {
    let request = guard(|| Request::from_json(located(reading), flags));
    let answer = request.and_then(|request| run(request, Context { files, form: Form::Text, voice: &Voice }));
    answer.err().map(|failure| failure.kind)
}

fn bad_line(message: &str) -> Failure {
    Failure::invalid(
        message,
        "write one request on each line: {\"op\": \"locate\", \"locate\": \"FILE:SCOPE@FIND\"}",
    )
}

/// A note about fields that the command does not read. They are not an error, since a client may have fields of its
/// own, but a misspelt field should be noticed.
fn unknown_fields(others: &[(String, &RawValue)]) -> Option<String> {
    let names: Vec<String> = others.iter().map(|(name, _)| format!("`{name}`")).collect();
    (!names.is_empty()).then(|| format!("not read: {}", names.join(", ")))
}

/// Fields that every request may have: `op`, and flags that only the command line uses. In a batch these flags change
/// nothing.
const FORM: [&str; 5] = ["op", "json", "markdown", "color", "stdin_path"];
