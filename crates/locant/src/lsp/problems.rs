//! The problems of open documents, and in which order documents are checked for them.

use std::collections::HashMap;
use std::ops::Bound;

use gen_lsp_types as lsp;
use locant_engine::names::{Diagnostic, Severity};
use locant_stop::Stop;

use super::convert::Sheet;
use super::view::{OpenDocuments, View};

/// The problems that the client has, and which documents are still to be checked. Only one document is checked at a
/// time, so that requests do not have to wait for all checks.
#[derive(Default)]
pub(super) struct Problems {
    /// The problems that the client has, for each document.
    pub(super) published: HashMap<String, Vec<lsp::Diagnostic>>,
    /// The document that was changed last. It is checked first, since people look at it.
    first: Option<String>,
    /// The document that was checked last. Documents are taken in a circle, so that each has its turn however often
    /// something changes.
    last: String,
    /// How many documents of the circle are left to check.
    n_left: usize,
    /// Stops the running check; `None` when no check is running.
    running: Option<Stop>,
    /// Whether a client that requests problems by itself has outdated ones for some document.
    pub(super) is_stale: bool,
}

impl Problems {
    /// Notes a change that may matter to all documents, so that all are checked again. `first` is the one that is
    /// checked first.
    pub(super) fn note_change(&mut self, n_open: usize, first: Option<&str>) {
        self.n_left = n_open;
        if let Some(first) = first {
            self.first = Some(first.to_owned());
        }
        // The document that is being checked may be outdated.
        if let Some(stop) = &self.running {
            stop.ask();
        }
    }

    /// The next document to check, and a way to stop the check. `None` while another check is running, or when all
    /// documents are checked.
    pub(super) fn next(&mut self, open: &OpenDocuments) -> Option<(String, Stop)> {
        if self.running.is_some() {
            return None;
        }
        let path =
            self.first.take().filter(|path| open.contains_key(path)).or_else(|| self.in_circle(open))?;
        let stop = Stop::default();
        self.running = Some(stop.clone());
        Some((path, stop))
    }

    fn in_circle(&mut self, open: &OpenDocuments) -> Option<String> {
        self.n_left = self.n_left.checked_sub(1)?;
        let after = (Bound::Excluded(self.last.as_str()), Bound::Unbounded);
        let (path, _) = open.range::<str, _>(after).next().or_else(|| open.first_key_value())?;
        self.last.clone_from(path);
        Some(path.clone())
    }

    /// Notes that a check has ended or was stopped.
    pub(super) fn finish(&mut self) {
        self.running = None;
    }

    /// Whether no document is left to check.
    pub(super) fn is_done(&self) -> bool {
        self.running.is_none() && self.n_left == 0
    }
}

impl View {
    /// The problems of a document, as the protocol writes them; none if the question has no answer.
    pub(super) fn problems(&self, path: &str) -> Vec<lsp::Diagnostic> {
        let Some(start) = self.start_of(path) else { return Vec::new() };
        let known = self.ask(&start, |provider, asked| provider.problems(asked));
        let Ok(Some(known)) = known else { return Vec::new() };
        let problems = known.value;
        let shown = self.on_sheet(path, |sheet| {
            let mut shown: Vec<_> =
                problems.iter().take(MOST).map(|problem| diagnostic(problem, sheet)).collect();
            shown.extend(problems.get(MOST).map(|next| more(next, problems.len() - MOST, sheet)));
            shown
        });
        shown.unwrap_or_default()
    }
}

/// How many problems of a document the client gets, at most. Nobody reads more, and editors become slow.
const MOST: usize = 1_000;

/// The diagnostic that says how many more problems there are, at the place of the first that is not shown.
fn more(next: &Diagnostic, n_more: usize, sheet: Sheet<'_>) -> lsp::Diagnostic {
    lsp::Diagnostic {
        severity: Some(lsp::DiagnosticSeverity::Information),
        code: Some(lsp::Code::String("more-problems".to_owned())),
        message: lsp::Message::String(format!("from here on, {n_more} more problems are not shown")),
        tags: None,
        ..diagnostic(next, sheet)
    }
}

fn diagnostic(problem: &Diagnostic, sheet: Sheet<'_>) -> lsp::Diagnostic {
    let message = if problem.hint.is_empty() {
        problem.message.clone()
    } else {
        format!("{}; {}", problem.message, problem.hint)
    };
    lsp::Diagnostic {
        range: sheet.range(problem.range),
        severity: Some(match problem.severity {
            Severity::Error => lsp::DiagnosticSeverity::Error,
            Severity::Warning => lsp::DiagnosticSeverity::Warning,
            Severity::Hint => lsp::DiagnosticSeverity::Hint,
        }),
        code: Some(lsp::Code::String(problem.code.to_owned())),
        code_description: None,
        source: Some(problem.source.clone()),
        message: lsp::Message::String(message),
        tags: problem.is_unused.then(|| vec![lsp::DiagnosticTag::Unnecessary]),
        related_information: None,
        data: None,
    }
}
