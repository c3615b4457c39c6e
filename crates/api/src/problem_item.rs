//! A problem of a file in an answer.

use locant_engine::Document;
use locant_engine::names::{Diagnostic, Severity};
use schemars::JsonSchema;
use serde::Serialize;

use crate::encoding::Encoding;
use crate::show;
use crate::wire::{self, Item};

/// A problem in a file.
#[derive(Debug, JsonSchema, Serialize)]
pub struct ProblemItem {
    /// The path of the file, as in the request.
    file_path: String,
    /// Where the problem is.
    range: wire::Range,
    /// Where the problem starts.
    position: wire::Position,
    /// Where the problem starts, as a number of bytes from the start of the file.
    offset: u32,
    /// A location that leads to the problem.
    location: String,
    /// The line of the place, without its line break.
    line_text: String,
    /// `error`, `warning` or `hint`.
    severity: &'static str,
    /// A short name for the kind of problem.
    code: String,
    /// The name of the program that found the problem.
    source: String,
    /// What is wrong.
    message: String,
    /// What to do about it.
    hint: String,
    /// The text at the problem, if the message does not quote it.
    #[serde(skip)]
    about: String,
}

impl ProblemItem {
    /// A problem of a document, which answers show under a path. Its location is its line and column.
    pub(crate) fn new(
        document: &Document,
        path: &str,
        problem: Diagnostic,
        encoding: Encoding,
    ) -> ProblemItem {
        let (start, range) = (problem.range.start(), wire::range(document, problem.range, encoding));
        let wire::Position { line, character } = range.start;
        ProblemItem {
            file_path: path.to_owned(),
            range,
            position: range.start,
            offset: start.to_u32(),
            location: format!("{path}:{line}:{character}"),
            line_text: wire::line_text(document, start),
            severity: word(problem.severity),
            code: problem.code.clone(),
            source: problem.source.clone(),
            about: about(document, &problem),
            message: problem.message,
            hint: problem.hint,
        }
    }

    /// The same with another location.
    pub(crate) fn with_location(self, location: String) -> ProblemItem {
        ProblemItem { location, ..self }
    }
}

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "hint",
    }
}

/// The text at the problem, if the message does not quote it and it is short.
fn about(document: &Document, Diagnostic { range, message, .. }: &Diagnostic) -> String {
    let written = if range.extent().len() <= SHORT { document.text().lossy(*range) } else { "".into() };
    let written = written.trim_matches('"');
    let is_told =
        written.trim().is_empty() || written.contains('\n') || message.contains(&format!("`{written}`"));
    if is_told { String::new() } else { format!("{}: ", show::code(written)) }
}

/// The longest text that is quoted with a problem, in bytes.
const SHORT: usize = 80;

impl Item for ProblemItem {
    const PLURAL: &'static str = "problems";

    fn text(&self, _: bool) -> String {
        let place = show::place(&self.file_path, self.position);
        format!("{place}: {}: {}{}\n", self.severity, self.about, self.message)
    }

    fn path(&self) -> Option<String> {
        Some(show::path(&self.file_path))
    }

    fn markdown(&self) -> String {
        // Without a location, the place is written with its path.
        let place = match self.location.as_str() {
            "" => show::code(&show::place(&self.file_path, self.position)),
            location => show::below_path(&self.file_path, location, self.position),
        };
        let hint = if self.hint.is_empty() { String::new() } else { format!("; {}", self.hint) };
        format!("- {place}: {}: {}{}{hint}\n", self.severity, self.about, self.message)
    }
}
