//! `diagnostics`: what is wrong in a file.

use clap::Args;
use locant_engine::Document;
use locant_engine::names::{Diagnostic, Question, Severity};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Ask;
use crate::answer::Form;
use crate::failure::Failure;
use crate::flags::Flags;
use crate::name_query::Around;
use crate::paging::{Listed, Paging};
use crate::request::Context;
use crate::show;
use crate::wire::{self, Item, Page};

/// List what is wrong in a file
///
/// In .proto and .rho files: syntax, names that nothing declares, imports and names that are missing or not used. Other
/// languages are answered by their language servers.
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

impl Ask for Diagnostics {
    type Answer = Page<ProblemItem>;

    fn run(self, flags: &Flags, context: Context<'_>) -> Result<Page<ProblemItem>, Failure> {
        let paging = self.paging.checked()?;
        let asked = self.around.open_file(Question::Diagnostics, flags, context)?;
        let known = asked.ask(|provider, asked| provider.problems(asked))?;
        let reach = asked.reach(&known);
        let Listed { items, part } = paging.cut(known.value);
        let (document, encoding, n_places) = (&*asked.document, flags.encoding(), items.len());
        let item = |problem: Diagnostic| {
            let (start, range) = (problem.range.start(), wire::range(document, problem.range, encoding));
            ProblemItem {
                file_path: document.path().to_owned(),
                range,
                position: range.start,
                offset: start.to_u32(),
                location: match context.form {
                    Form::Json => wire::location_of_one(document, start, n_places),
                    Form::Text | Form::Line | Form::Markdown => String::new(),
                },
                line_text: wire::line_text(document, start),
                severity: word(problem.severity),
                code: problem.code.clone(),
                source: problem.source.clone(),
                about: about(document, &problem),
                message: problem.message,
                hint: problem.hint,
            }
        };
        let nothing = (part.total == 0 && reach.gaps.is_empty())
            .then(|| format!("nothing is wrong in {}", document.path()).into());
        let page = Page::new(items.into_iter().map(item).collect(), part, encoding).searched(&reach);
        Ok(page.with_notes(nothing.into_iter().chain(reach.gaps()).collect()))
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

    fn markdown(&self) -> String {
        let place = show::code(&show::place(&self.file_path, self.position));
        format!("- {place}: {}: {}{}\n", self.severity, self.about, self.message)
    }
}
