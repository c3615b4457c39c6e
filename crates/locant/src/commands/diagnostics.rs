//! `diagnostics`: what is wrong in a file.

use std::sync::Arc;

use clap::Args;
use locant_engine::Document;
use locant_engine::names::{Problem, Question, Severity};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Ask;
use crate::answer::Answer;
use crate::around::Around;
use crate::failure::Failure;
use crate::files::Files;
use crate::flags::{Encoding, Flags};
use crate::paging::{Listed, Paging};
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
    #[command(flatten)]
    #[serde(flatten)]
    paging: Paging,
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
    /// Who says so.
    source: &'static str,
    /// What is wrong.
    message: String,
    /// What to do about it.
    hint: String,
}

struct Wrong {
    document: Arc<Document>,
    problems: Listed<Problem>,
    encoding: Encoding,
}

impl Ask for Diagnostics {
    type Wire = Page<ProblemItem>;

    fn run(self, flags: &Flags, files: &Files) -> Result<Box<dyn Answer>, Failure> {
        let paging = self.paging.checked()?;
        let asked = self.around.open_file(Question::Diagnostics, flags, files)?;
        let problems = paging.cut(asked.ask(|provider, asked| provider.problems(asked))?.value);
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
        let (document, n_places) = (&*self.document, self.problems.items.len());
        let item = |problem: &Problem| {
            let range = wire::range(document, problem.range, self.encoding);
            ProblemItem {
                file_path: document.path().to_owned(),
                range,
                position: range.start,
                offset: problem.range.start().to_u32(),
                location: wire::location_of_one(document, problem.range.start(), n_places),
                line_text: wire::line_text(document, problem.range.start()),
                severity: word(problem.severity),
                code: problem.code,
                source: "locant",
                message: problem.message.clone(),
                hint: problem.hint.clone(),
            }
        };
        let items = self.problems.items.iter().map(item).collect();
        wire::to_json(&Page::new(items, self.problems.part, self.encoding))
    }

    fn text(&self) -> String {
        let line = |problem: &Problem| {
            let (place, said) = self.said(problem);
            format!("{place}: {said}\n")
        };
        self.problems.items.iter().map(line).collect()
    }

    fn markdown(&self) -> String {
        let line = |problem: &Problem| {
            let (place, said) = self.said(problem);
            format!("- {}: {said}\n", show::code(&place))
        };
        self.problems.items.iter().map(line).collect()
    }

    fn notes(&self) -> Vec<String> {
        let part = self.problems.part;
        let nothing = (part.total == 0).then(|| format!("nothing is wrong in {}", self.document.path()));
        nothing.into_iter().chain(part.note("problems")).collect()
    }
}

impl Wrong {
    /// Where something is wrong, and what; the name that it is about is told where the message does not.
    fn said(&self, problem: &Problem) -> (String, String) {
        let Problem { range, message, .. } = problem;
        let position = wire::position(&self.document, range.start(), self.encoding);
        let written =
            if range.extent().len() <= SHORT { self.document.text().lossy(*range) } else { "".into() };
        let written = written.trim_matches('"');
        let is_told =
            written.trim().is_empty() || written.contains('\n') || message.contains(&format!("`{written}`"));
        let about = if is_told { String::new() } else { format!("{}: ", show::code(written)) };
        (show::place(&self.document, position), format!("{}: {about}{message}", word(problem.severity)))
    }
}

/// How many bytes of the text are told with what is wrong about it.
const SHORT: usize = 80;
