//! What is wrong in the documents that are open.

use std::collections::{BTreeSet, HashMap};

use gen_lsp_types as lsp;
use locant_engine::names::{Problem, Severity};
use locant_stop::Stop;

use super::convert::Sheet;
use super::view::View;

/// What the client was told of problems, and which documents are still to be looked through. One is looked through at a
/// time, so that requests do not wait for all of them.
#[derive(Default)]
pub(super) struct Problems {
    /// What the client knows of each document.
    pub(super) published: HashMap<String, Vec<lsp::Diagnostic>>,
    /// The documents that are still to be looked through.
    waiting: BTreeSet<String>,
    /// The one that has changed last, which people look at.
    first: Option<String>,
    /// The one that was looked through last: they are taken in a circle, so that each has its turn however often
    /// something changes.
    last: String,
    /// The one that is being looked through.
    running: Option<(String, Stop)>,
    /// Whether the client, which asks itself, has other problems of some document than there are.
    pub(super) is_stale: bool,
}

impl Problems {
    /// All of these are to be looked through, one of them first.
    pub(super) fn note_change<'a>(&mut self, all: impl Iterator<Item = &'a String>, first: Option<&str>) {
        self.waiting = all.cloned().collect();
        if let Some(first) = first {
            self.first = Some(first.to_owned());
        }
        // What is being looked through may be out of date.
        if let Some((_, stop)) = &self.running {
            stop.ask();
        }
    }

    /// A document is open no longer.
    pub(super) fn forget(&mut self, path: &str) -> Option<Vec<lsp::Diagnostic>> {
        self.waiting.remove(path);
        self.published.remove(path)
    }

    /// The next document to look through, with a way to stop that; `None` while another one is.
    pub(super) fn next(&mut self) -> Option<(String, Stop)> {
        if self.running.is_some() {
            return None;
        }
        let first = self.first.take().filter(|path| self.waiting.contains(path));
        let after = || self.waiting.range(self.last.clone()..).find(|path| **path != self.last);
        let path = first.or_else(|| after().or_else(|| self.waiting.first()).cloned())?;
        self.waiting.remove(&path);
        self.last.clone_from(&path);
        let stop = Stop::default();
        self.running = Some((path.clone(), stop.clone()));
        Some((path, stop))
    }

    /// A document was looked through, or was to be and was stopped.
    pub(super) fn finish(&mut self) {
        self.running = None;
    }

    /// Whether nothing is left to look through.
    pub(super) fn is_done(&self) -> bool {
        self.running.is_none() && self.waiting.is_empty()
    }
}

impl View {
    /// What is wrong in a document, as the client is told. What cannot be found out is not wrong.
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

/// How many problems of a document the client is told of. Nobody reads more, and editors become slow.
const MOST: usize = 1_000;

/// What says that there are more problems, where the first of them is.
fn more(next: &Problem, n_more: usize, sheet: Sheet<'_>) -> lsp::Diagnostic {
    lsp::Diagnostic {
        severity: Some(lsp::DiagnosticSeverity::Information),
        code: Some(lsp::Code::String("more-problems".to_owned())),
        message: lsp::Message::String(format!("from here on, {n_more} more problems are not shown")),
        tags: None,
        ..diagnostic(next, sheet)
    }
}

fn diagnostic(problem: &Problem, sheet: Sheet<'_>) -> lsp::Diagnostic {
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
        source: Some("locant".to_owned()),
        message: lsp::Message::String(message),
        tags: problem.is_unused.then(|| vec![lsp::DiagnosticTag::Unnecessary]),
        related_information: None,
        data: None,
    }
}
