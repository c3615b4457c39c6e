//! The answer of `proto`.

use std::borrow::Cow;

use locant_engine::proto::{self, Columns, Interpretation, LocationId, Names, Pool, Row, UnitId};
use locant_engine::{Document, Scope, Text};
use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::{Answer, Form};
use crate::encoding::Encoding;
use crate::phrase::{Phrase, Voice, phrase, setting};
use crate::{paging, show, wire};

/// The locations of a .proto file.
#[derive(Debug, JsonSchema, Serialize)]
pub struct ProtoAnswer {
    /// The path of the file, as in the request.
    file_path: String,
    /// The locations, in protoc's order. A lookup by place lists the most specific first.
    locations: Vec<Location>,
    /// Options whose declaration was not found. Their locations keep the path of the raw table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    unknown_options: Vec<String>,
    /// Imports that cannot be read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    missing_imports: Vec<String>,
    /// What is wrong with the text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    problems: Vec<Problem>,
    /// Notes about the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    /// The rows for people, and in `n_more` how many more there are.
    #[serde(skip)]
    lines: Vec<String>,
    #[serde(skip)]
    n_more: usize,
}

/// One location.
#[derive(Debug, JsonSchema, Serialize)]
struct Location {
    /// The path through the descriptor.
    path: Vec<i32>,
    /// The start line, start column, end line and end column, from 0, as protoc counts them. If the end is on the start
    /// line, there are only three numbers, without the end line.
    span: Vec<u32>,
    /// The comment before the element.
    #[serde(skip_serializing_if = "Option::is_none")]
    leading_comments: Option<String>,
    /// The comment after the element.
    #[serde(skip_serializing_if = "Option::is_none")]
    trailing_comments: Option<String>,
    /// Comments before the element that are separated from it by a blank line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    leading_detached_comments: Vec<String>,
    /// The path by name. Only present for a lookup.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// The range in the requested encoding. Only present for a lookup.
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<wire::Range>,
    /// The location that leads to the element. Only present for a lookup.
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<String>,
}

/// A problem in the text.
#[derive(Debug, JsonSchema, Serialize)]
struct Problem {
    /// Where the problem is.
    range: wire::Range,
    /// What is wrong.
    message: String,
    /// What to do about it.
    hint: String,
}

/// The rows that were found, and how to show them.
pub(super) struct Rows<'d> {
    pub(super) document: &'d Document,
    pub(super) pool: Pool,
    pub(super) interpretation: Interpretation,
    /// The rows, each with its path in the requested table.
    pub(super) rows: Vec<(Vec<i32>, LocationId)>,
    pub(super) is_lookup: bool,
    pub(super) encoding: Encoding,
    /// Why there is no more specific location at the place.
    pub(super) note: Option<String>,
}

impl Rows<'_> {
    fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        let table = &self.pool.unit(UnitId::MAIN).file.table;
        self.rows.iter().map(|(path, id)| Row { path: path.clone(), location: table.get(*id) })
    }

    /// The answer, with the parts that this form needs.
    pub(super) fn answer(&self, form: Form) -> ProtoAnswer {
        let columns = Columns::new(self.document.text().bytes());
        let names = self.is_lookup.then(|| Names::new(&self.pool));
        let n_lines = match form {
            Form::Json => 0,
            Form::Text | Form::Line => usize::MAX,
            Form::Markdown => paging::FEW,
        };
        let n_locations = if form == Form::Json { usize::MAX } else { 0 };
        let rows = self.rows().take(n_locations);
        let lines = self.lines(n_lines);
        ProtoAnswer {
            file_path: self.document.path().to_owned(),
            locations: rows.map(|row| self.location(&row, &columns, names.as_ref())).collect(),
            n_more: self.rows.len() - lines.len(),
            lines,
            unknown_options: self.unknown_options(),
            missing_imports: self.pool.missing_imports(UnitId::MAIN),
            problems: self.problems(),
            note: self.note.clone(),
        }
    }

    fn unknown_options(&self) -> Vec<String> {
        let table = &self.pool.unit(UnitId::MAIN).file.table;
        let unknown = self.interpretation.unknown().into_iter().map(|(location, unknown)| {
            let place = table.get(location).start();
            let wire::Position { line, character } = wire::position(self.document, place, self.encoding);
            let (path, part) = (self.document.path(), &unknown.part);
            format!("{path}:{line}:{character}: no file that can be read declares the option `{part}`")
        });
        unknown.collect()
    }

    fn problems(&self) -> Vec<Problem> {
        let problems = self.document.proto().map_or(&[][..], |file| &file.problems);
        let problem = |problem: &proto::Problem| Problem {
            range: wire::range(self.document, problem.range, self.encoding),
            message: problem.flaw.message(),
            hint: problem.flaw.hint().to_owned(),
        };
        problems.iter().map(problem).collect()
    }

    fn location(&self, row: &Row<'_>, columns: &Columns<'_>, names: Option<&Names<'_>>) -> Location {
        let bytes = self.document.text().bytes();
        let said = |text: Vec<u8>| String::from_utf8_lossy(&text).into_owned();
        Location {
            path: row.path.clone(),
            span: columns.span(row.location.start(), row.location.end()).unwrap_or_default(),
            leading_comments: row.location.leading(bytes).map(said),
            trailing_comments: row.location.trailing(bytes).map(said),
            leading_detached_comments: row.location.detached(bytes).into_iter().map(said).collect(),
            name: names.map(|names| names.name(&row.path)),
            range: names.map(|_| wire::range(self.document, row.range(), self.encoding)),
            location: names.map(|_| self.address(row)),
        }
    }

    /// A location that leads to a row: the file and the path of the row.
    fn address(&self, row: &Row<'_>) -> String {
        let scope = Some(Scope::Descriptor(row.path.clone()));
        let path = self.document.path().to_owned();
        locant_engine::Location { path, scope, ..Default::default() }.to_string()
    }

    /// At most `most` rows for people: the range, the path by number and by name, and the text.
    fn lines(&self, most: usize) -> Vec<String> {
        let names = Names::new(&self.pool);
        let line = |row: Row<'_>| {
            let wire::Range { start, end } = wire::range(self.document, row.range(), self.encoding);
            let numbers: Vec<String> = row.path.iter().map(i32::to_string).collect();
            let (path, numbers, name) =
                (show::path(self.document.path()), numbers.join(","), names.name(&row.path));
            let name = if name.is_empty() { "the file" } else { &name };
            let text = first_line(self.document.text(), &row);
            let span = format!("{}:{}-{}:{}", start.line, start.character, end.line, end.character);
            format!("{path}:{span}: [{numbers}] {name}: {text}")
        };
        self.rows().take(most).map(line).collect()
    }
}

/// The first line of the text that a row spans.
fn first_line<'t>(text: &'t Text, row: &Row<'_>) -> Cow<'t, str> {
    let written = text.lossy(row.range());
    let first = written.lines().next().unwrap_or_default().trim_end();
    if first.len() == written.len() { written } else { Cow::Owned(format!("{first} …")) }
}

/// How many problems are reported to people.
const MOST_NOTES: usize = 100;

impl Answer for ProtoAnswer {
    fn text(&self, _: &dyn Voice) -> String {
        self.lines.iter().map(|line| format!("{line}\n")).collect()
    }

    fn markdown(&self, voice: &dyn Voice) -> String {
        let listed: String = self.lines.iter().map(|line| format!("- {}\n", show::code(line))).collect();
        let all = phrase!["`", setting("json", ""), "` gives all"].said(voice);
        let more = (self.n_more > 0).then(|| format!("\n{} more are not shown: {all}\n", self.n_more));
        listed + &more.unwrap_or_default()
    }

    fn notes(&self) -> Vec<Phrase> {
        let missing = self.missing_imports.iter().map(|path| {
            let missing = format!("the import `{path}` is not found; name its directory with `");
            phrase![missing, setting("proto_path", "DIR"), "`"]
        });
        let problems = self.problems.iter().map(|problem| {
            let place = show::place(&self.file_path, problem.range.start);
            Phrase::from(format!("{place}: {}", problem.message))
        });
        let note = self.note.clone().map(Phrase::from).into_iter();
        let unknown = self.unknown_options.iter().cloned().map(Phrase::from);
        let mut notes: Vec<Phrase> = note.chain(problems).chain(missing).chain(unknown).collect();
        let n_more = notes.len().saturating_sub(MOST_NOTES);
        notes.truncate(MOST_NOTES);
        let more = || phrase![format!("and {n_more} more such notes: `"), setting("json", ""), "` gives all"];
        notes.extend((n_more > 0).then(more));
        notes
    }
}
