//! What is wrong in the documents that are open.

use std::ops::Bound;
use std::time::Instant;

use gen_lsp_types as lsp;
use locant_engine::names::{Names, Problem, Severity};
use serde_json::{Value, json};

use super::convert::Sheet;
use super::server::Server;
use super::transport::Error;
use crate::uri;

/// The documents of which the client is still to be told. They are taken in a circle, so that each has its turn
/// however often something changes.
#[derive(Debug, Default)]
pub(super) struct Untold {
    /// The one that has changed last, which people look at.
    pub(super) first: Option<String>,
    /// The one that was told of last.
    last: String,
    /// How many in the circle are left.
    n_left: usize,
}

impl Server {
    /// Tells the client of problems that are new or gone in one more document, when there is nothing else to do; is
    /// there more to tell? While files are looked for, much seems to be missing that is not.
    pub(super) fn tell_news(&mut self) -> bool {
        if self.is_scanning() {
            return false;
        }
        let has_news = std::mem::take(&mut self.has_news);
        if self.client.asks_for_problems {
            let paths: Vec<String> = if has_news { self.open.keys().cloned().collect() } else { Vec::new() };
            // No short circuit: all of them are told of by one word.
            let n_stale = paths.iter().filter(|path| self.is_stale(path)).count();
            if n_stale > 0 && self.client.refreshes_problems {
                self.ask("workspace/diagnostic/refresh", &Value::Null);
            }
            return false;
        }
        if has_news {
            self.untold.n_left = self.open.len();
        }
        let path = match self.untold.first.take() {
            Some(path) => path,
            None if self.untold.n_left == 0 => return false,
            None => {
                self.untold.n_left -= 1;
                let after = (Bound::Excluded(self.untold.last.as_str()), Bound::Unbounded);
                let next = self.open.range::<str, _>(after).next().or_else(|| self.open.first_key_value());
                let Some((path, _)) = next else { return false };
                self.untold.last.clone_from(path);
                path.clone()
            }
        };
        self.publish(&path);
        self.untold.n_left > 0
    }

    /// Does the client have other problems of a document than there are now? A client that asks itself does so for
    /// what is typed into, so that only what a change means for other documents must be told.
    fn is_stale(&mut self, path: &str) -> bool {
        if self.open.get(path).is_none_or(|open| open.published.is_none()) {
            return false;
        }
        let problems = Some(self.problems(path));
        let Some(open) = self.open.get_mut(path) else { return false };
        let is_stale = open.published != problems;
        open.published = problems;
        is_stale
    }

    fn publish(&mut self, path: &str) {
        let problems = self.problems(path);
        let Some(open) = self.open.get_mut(path) else { return };
        // The client shows what it was told last, which at first is nothing.
        let is_known = match &open.published {
            Some(published) => *published == problems,
            None => problems.is_empty() && !self.names.has(path),
        };
        if is_known {
            return;
        }
        let params = json!({"uri": open.uri, "version": open.version, "diagnostics": problems});
        open.published = Some(problems);
        self.tell("textDocument/publishDiagnostics", &params);
    }

    pub(super) fn diagnostics(&mut self, params: lsp::DocumentDiagnosticParams) -> Result<Value, Error> {
        let path = uri::path(params.text_document.uri.as_ref());
        let version = self.open.get(&path).map_or(0, |open| open.version);
        if self.is_scanning() || self.freshness.must_look(&path, version, Instant::now()) {
            self.refresh_all();
        }
        let problems = self.problems(&path);
        let answer = json!({"kind": "full", "items": problems});
        if let Some(open) = self.open.get_mut(&path) {
            open.published = Some(problems);
        }
        Ok(answer)
    }

    fn problems(&self, path: &str) -> Vec<lsp::Diagnostic> {
        let problems = self.names.problems(path);
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
