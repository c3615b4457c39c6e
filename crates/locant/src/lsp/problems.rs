//! What is wrong in the documents that are open.

use gen_lsp_types as lsp;
use locant_engine::names::{Names, Problem, Severity};
use serde_json::{Value, json};

use super::convert::Sheet;
use super::server::Server;
use super::transport::Error;
use crate::uri;

impl Server {
    /// Tells the client of problems that are new or gone, once there is nothing else to do. While files are looked
    /// for, much seems to be missing that is not.
    pub(super) fn tell_news(&mut self) {
        if !self.has_news || self.is_scanning() {
            return;
        }
        self.has_news = false;
        let paths: Vec<String> = self.open.keys().cloned().collect();
        if self.client.asks_for_problems {
            // No short circuit: all of them are told of by one word.
            let n_stale = paths.iter().filter(|path| self.is_stale(path)).count();
            if n_stale > 0 && self.client.refreshes_problems {
                self.ask("workspace/diagnostic/refresh", &Value::Null);
            }
            return;
        }
        for path in paths {
            self.publish(&path);
        }
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
        self.refresh_all();
        let problems = self.problems(&path);
        let answer = json!({"kind": "full", "items": problems});
        if let Some(open) = self.open.get_mut(&path) {
            open.published = Some(problems);
        }
        Ok(answer)
    }

    fn problems(&self, path: &str) -> Vec<lsp::Diagnostic> {
        let problems = self.names.problems(path);
        let shown =
            self.on_sheet(path, |sheet| problems.iter().map(|problem| diagnostic(problem, sheet)).collect());
        shown.unwrap_or_default()
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
