//! The layout of a document, or of the lines of a part of it.

use gen_lsp_types as lsp;
use locant_engine::names::Problem;
use serde::Deserialize;
use serde_json::Value;

use super::changes::edits;
use super::transport::Error;
use super::view::View;
use locant_api::uri;

/// The parameters of both requests. How the client would indent the document does not matter: the layout is that of the
/// language.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FormattingParams {
    text_document: lsp::TextDocumentIdentifier,
    range: Option<lsp::Range>,
}

impl View {
    pub(super) fn formatting(&self, params: FormattingParams) -> Result<Option<Vec<Value>>, Error> {
        self.range_formatting(FormattingParams { range: None, ..params })
    }

    pub(super) fn range_formatting(&self, params: FormattingParams) -> Result<Option<Vec<Value>>, Error> {
        let path = uri::path(params.text_document.uri.as_ref());
        let Some(start) = self.start_of(&path) else { return Ok(None) };
        let part = params.range.and_then(|range| self.on_sheet(&path, |sheet| sheet.stretch(range)));
        let Some(known) = self.ask(&start, |provider, asked| provider.format(asked, part))? else {
            return Ok(None);
        };
        let replacements = known.value.map_err(|problem| self.refused(&path, &problem))?;
        Ok(self.on_sheet(&path, |sheet| edits(&replacements, sheet)))
    }

    fn refused(&self, path: &str, problem: &Problem) -> Error {
        let line = self.on_sheet(path, |sheet| sheet.position(problem.range.start()).line + 1);
        let line = line.map(|line| format!(" in line {line}")).unwrap_or_default();
        let message = format!("a syntax error{line}, so it is left as it is: {}", problem.message);
        Error::new(Error::REQUEST_FAILED, message)
    }
}
