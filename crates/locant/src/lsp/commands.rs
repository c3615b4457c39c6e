//! The commands that an editor can have executed: they give the location of a place, go to a location, and find out
//! where a place of an earlier version went. They work in every language.
//!
//! The answers come from `locant_api`, as for every other door. An editor that knows these commands uses the answers as
//! it likes. For other editors, the server opens the document at the place and shows the location in a message.

use std::sync::atomic::{AtomicUsize, Ordering};

use locant_api::{Context, Files, Flags, Form, Request, run};
use locant_engine::{Document, Encoding, Position, Range};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::convert::Sheet;
use super::offered::{COPY, GO, GONE};
use super::transport::Error;
use super::view::{View, on_disk};
use crate::voice::Editor;
use locant_api::uri;
use locant_workspace::reading::read_bytes;
use locant_workspace::{Base, git, written};

/// The revision that a place is read in if none is given: that of the last commit.
const LAST_COMMIT: &str = "HEAD";

#[derive(Deserialize)]
pub(super) struct ExecuteParams {
    command: String,
    #[serde(default)]
    arguments: Vec<Argument>,
}

/// The argument of a command. Which fields are needed depends on the command.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Argument {
    uri: Option<String>,
    position: Option<gen_lsp_types::Position>,
    range: Option<gen_lsp_types::Range>,
    location: Option<String>,
    from: Option<String>,
    old_text: Option<String>,
}

impl View {
    pub(super) fn execute(&self, params: ExecuteParams) -> Result<Value, Error> {
        let argument = params.arguments.into_iter().next().unwrap_or_default();
        match params.command.as_str() {
            COPY => self.copy_location(&argument),
            GO => self.go_to_location(&argument),
            GONE => self.where_it_went(&argument),
            other => Err(invalid(format!("there is no command `{other}`"))),
        }
    }

    fn copy_location(&self, argument: &Argument) -> Result<Value, Error> {
        let path = argument.path()?;
        let mut fields = Map::from_iter([("op".to_owned(), json!("describe"))]);
        let source = self.source(&path).and_then(|source| source.document);
        let document = source.ok_or_else(|| failed(format!("`{path}` is no text")))?;
        fields.extend(self.place_fields(&path, &document, argument)?);
        fields.insert("text".to_owned(), json!(String::from_utf8_lossy(document.text().bytes())));
        let answer = self.answer_of(fields, Flags::default())?;
        let location = answer["location"].clone();
        if !self.client.knows_commands {
            self.output.tell("window/showMessage", &json!({"type": 3, "message": location}));
        }
        Ok(json!({"location": location, "stable": answer["stable"], "alternatives": answer["alternatives"]}))
    }

    fn go_to_location(&self, argument: &Argument) -> Result<Value, Error> {
        let location = argument.location.as_ref().ok_or_else(|| invalid("the command needs a `location`"))?;
        let fields =
            Map::from_iter([("op".to_owned(), json!("locate")), ("locate".to_owned(), json!(location))]);
        self.go(fields, Flags { from: argument.from.clone(), ..Flags::default() })
    }

    fn where_it_went(&self, argument: &Argument) -> Result<Value, Error> {
        let mut fields = Map::from_iter([("op".to_owned(), json!("locate"))]);
        match &argument.location {
            Some(location) => drop(fields.insert("locate".to_owned(), json!(location))),
            None => {
                let path = argument.path()?;
                // The position is in the old text, so columns are counted in that text.
                let old = match &argument.old_text {
                    Some(text) => text.clone().into_bytes(),
                    None => self.at_revision(&path, argument.from.as_deref().unwrap_or(LAST_COMMIT))?,
                };
                let old = Document::new(path.clone(), old)
                    .map_err(|unreadable| failed(format!("`{path}`: {unreadable}")))?;
                fields.extend(self.place_fields(&path, &old, argument)?);
            }
        }
        let from = match &argument.old_text {
            Some(old_text) => {
                fields.insert("old_text".to_owned(), json!(old_text));
                None
            }
            None => Some(argument.from.clone().unwrap_or_else(|| LAST_COMMIT.to_owned())),
        };
        self.go(fields, Flags { from, ..Flags::default() })
    }

    /// The text that a file had in a revision.
    fn at_revision(&self, path: &str, rev: &str) -> Result<Vec<u8>, Error> {
        let base = Base::new(self.folders.first().map(|folder| written(folder)).as_deref());
        let past = git::before(rev, &self.shown_path(path), &base);
        past.map(|past| past.text).map_err(|failure| failed(failure.message))
    }

    /// Finds the place that the fields of a request mean, and has the editor go there.
    fn go(&self, fields: Map<String, Value>, flags: Flags) -> Result<Value, Error> {
        let mut answer = self.answer_of(fields.clone(), flags.clone())?;
        let mut path = self.full_path(&answer);
        // The text in the editor may not be on disk yet, so the place is found again in that text.
        if let Some(text) = self.unsaved(&path) {
            let file =
                [("file_path".to_owned(), answer["file_path"].clone()), ("text".to_owned(), json!(text))];
            let again = fields.into_iter().chain(file).collect();
            answer = self.answer_of(again, flags)?;
            path = self.full_path(&answer);
        }
        // A position, and not an offset: an editor leaves out the byte-order mark that is on disk.
        let number =
            |name: &str| answer["position"][name].as_u64().and_then(|number| u32::try_from(number).ok());
        let found = number("line").zip(number("character"));
        let (line, character) = found.ok_or_else(|| failed("the answer has no position"))?;
        let place = self.on_sheet(&path, |sheet| {
            let offset = sheet.text.offset(Position { line, character }, Encoding::Utf16);
            offset.map(|offset| sheet.range(Range::empty(offset)))
        });
        let place = place.flatten().ok_or_else(|| failed(format!("`{path}` cannot be read")))?;
        let uri = self.uri(&path);
        if !self.client.knows_commands && self.client.shows_documents {
            let params = json!({"uri": uri, "takeFocus": true, "selection": place});
            self.output.ask(&next_id(), "window/showDocument", &params);
        }
        Ok(json!({
            "uri": uri,
            "range": place,
            "location": answer["location"],
            "status": answer["status"],
            "confidence": answer["confidence"],
            "matches": answer["matches"],
            "notes": answer["notes"],
        }))
    }

    /// The file and the position or range of an argument, as fields of a request.
    fn place_fields(
        &self,
        path: &str,
        document: &Document,
        argument: &Argument,
    ) -> Result<Map<String, Value>, Error> {
        let text = document.text();
        let counts_mark = self.open.contains_key(path);
        let sheet = Sheet { text, encoding: self.client.encoding, counts_mark };
        let said = |position: gen_lsp_types::Position| {
            let position = text.position(sheet.offset(position), Encoding::Utf16);
            position.map(|at| json!({"line": at.line, "character": at.character}))
        };
        let place = match (argument.range, argument.position) {
            (Some(range), _) if range.start != range.end => (
                "range",
                said(range.start)
                    .zip(said(range.end))
                    .map(|(start, end)| json!({"start": start, "end": end})),
            ),
            (Some(range), _) => ("position", said(range.start)),
            (None, Some(position)) => ("position", said(position)),
            (None, None) => return Err(invalid("the command needs a `position`")),
        };
        let (name, Some(place)) = place else { return Err(failed("there is no such place")) };
        let file = ("file_path".to_owned(), json!(self.shown_path(path)));
        Ok(Map::from_iter([file, (name.to_owned(), place)]))
    }

    /// The answer to a request about the files of the first folder, in JSON.
    fn answer_of(&self, fields: Map<String, Value>, flags: Flags) -> Result<Value, Error> {
        let root = self.folders.first().map(|folder| written(folder));
        let flags = Flags { root, encoding: None, ..flags };
        let files = Files::default();
        let context = Context { files: &files, form: Form::Json, voice: &Editor };
        let answer = Request::from_json(fields, &flags).and_then(|request| run(request, context));
        let reply = answer.map_err(|failure| {
            let error = failure.error(&Editor);
            failed([error.message.as_str(), error.hint.as_str()].join("; "))
        })?;
        serde_json::from_str(reply.json(&Editor).get())
            .map_err(|error| Error::new(Error::INTERNAL_ERROR, error.to_string()))
    }

    /// The path of a file as locations name it: from the first folder, if it is inside.
    fn shown_path(&self, path: &str) -> String {
        let below =
            self.folders.first().and_then(|folder| std::path::Path::new(path).strip_prefix(folder).ok());
        below.map_or_else(|| path.to_owned(), written)
    }

    /// The path on disk of the file that an answer names.
    fn full_path(&self, answer: &Value) -> String {
        written(&on_disk(answer["file_path"].as_str().unwrap_or_default(), &self.folders))
    }

    /// The text of an open document, if the file on disk has another one.
    fn unsaved(&self, path: &str) -> Option<String> {
        let open = self.open.get(path)?.text();
        let saved = read_bytes(&on_disk(path, &self.folders)).ok();
        (saved.as_deref() != Some(open.bytes())).then(|| String::from_utf8_lossy(open.bytes()).into_owned())
    }
}

impl Argument {
    fn path(&self) -> Result<String, Error> {
        let uri = self.uri.as_deref().ok_or_else(|| invalid("the command needs a `uri`"))?;
        Ok(uri::path(uri))
    }
}

/// An id for a request to the client. Those that the server itself sends have other ids.
fn next_id() -> String {
    static NEXT: AtomicUsize = AtomicUsize::new(1);
    format!("locant-show-{}", NEXT.fetch_add(1, Ordering::Relaxed))
}

fn invalid(message: impl Into<String>) -> Error {
    Error::new(Error::INVALID_PARAMS, message)
}

fn failed(message: impl Into<String>) -> Error {
    Error::new(Error::REQUEST_FAILED, message)
}
