//! `diagnostics`: what is wrong in a file.

use std::fmt::Write as _;
use std::sync::Arc;

use clap::Args;
use locant_engine::Document;
use locant_engine::names::{Names, Problem, Severity};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Ask;
use crate::answer::Answer;
use crate::around::Around;
use crate::failure::Failure;
use crate::files::Files;
use crate::flags::{Encoding, Flags};
use crate::session::Breadth;
use crate::show;
use crate::wire::{self, Page};

/// List what is wrong in a file
///
/// Built for .proto and .rho files: syntax, names that nothing declares, imports and names that are missing or not
/// used.
///
///   locant diagnostics a.proto
#[derive(Args, Debug, Deserialize, JsonSchema)]
#[command(verbatim_doc_comment)]
pub struct Diagnostics {
    #[command(flatten)]
    #[serde(flatten)]
    around: Around,
}

/// Something wrong.
#[derive(Debug, JsonSchema, Serialize)]
pub struct ProblemItem {
    /// The file, as it was given.
    file_path: String,
    /// Where.
    range: wire::Range,
    /// Where it starts.
    position: wire::Position,
    /// The same as a number of bytes from the start of the file.
    offset: u32,
    /// A location that leads there.
    location: String,
    /// The line of the place, without its line break.
    line_text: String,
    /// `error`, `warning` or `hint`.
    severity: &'static str,
    /// A short name for what is wrong.
    code: &'static str,
    /// What is wrong.
    message: String,
    /// What to do about it.
    hint: String,
}

struct Wrong {
    document: Arc<Document>,
    problems: Vec<Problem>,
    encoding: Encoding,
}

impl Ask for Diagnostics {
    type Wire = Page<ProblemItem>;

    fn run(self, flags: &Flags, files: &Files) -> Result<Box<dyn Answer>, Failure> {
        let asked = self.around.open_file("diagnostics", flags, files)?;
        let (problems, _) = asked.ask(Breadth::Needed, |names, path, _| names.problems(path), |_| Vec::new());
        Ok(Box::new(Wrong { document: asked.document, problems, encoding: flags.encoding() }))
    }
}

fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "hint",
    }
}

impl Answer for Wrong {
    fn json(&self) -> String {
        let document = &*self.document;
        let item = |problem: &Problem| {
            let range = wire::range(document, problem.range, self.encoding);
            ProblemItem {
                file_path: document.path().to_owned(),
                range,
                position: range.start,
                offset: problem.range.start().to_u32(),
                location: wire::location_of_one(document, problem.range.start(), self.problems.len()),
                line_text: wire::line_text(document, problem.range.start()),
                severity: word(problem.severity),
                code: problem.code,
                message: problem.message.clone(),
                hint: problem.hint.clone(),
            }
        };
        wire::to_json(&Page::whole(self.problems.iter().map(item).collect(), self.encoding))
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for problem in &self.problems {
            let position = wire::position(&self.document, problem.range.start(), self.encoding);
            let (place, severity) = (show::place(&self.document, position), word(problem.severity));
            // Writing to a string does not fail.
            let _ = writeln!(text, "{place}: {severity}: {}", problem.message);
        }
        text
    }

    fn markdown(&self) -> String {
        self.text().lines().map(|line| format!("- {}\n", line.replace('`', "'"))).collect()
    }

    fn notes(&self) -> Vec<String> {
        self.problems
            .is_empty()
            .then(|| format!("nothing is wrong in {}", self.document.path()))
            .into_iter()
            .collect()
    }
}
