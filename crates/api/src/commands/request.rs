//! `request`: any other request of the language server protocol.

use clap::Args;
use locant_engine as engine;
use locant_engine::names::Question;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Ask;
use crate::answer::Answer;
use crate::failure::Failure;
use crate::flags::Flags;
use crate::how_found::HowFound;
use crate::name_query::Around;
use crate::phrase::{Phrase, Voice};
use crate::show;

use crate::request::Context;

/// Send any other textDocument request to a language server, such as foldingRange, inlayHint or semanticTokens/full
///
/// Positions in the answer are lines and columns from 1, in UTF-16, and files are named by their paths. Beside each
/// range and position is a location. Semantic tokens are a list of ranges with their kinds. What is about a whole file,
/// such as foldingRange, takes a file alone.
///
///   locant request foldingRange models.py:User
///   locant request textDocument/documentHighlight 'models.py:User.save@<|>self'
#[derive(Args, Debug, Deserialize, JsonSchema)]
#[command(verbatim_doc_comment, mut_arg("locate", |arg| arg.index(2)))]
pub struct Request {
    /// The method; `textDocument/` may be left out
    #[arg(value_name = "METHOD", index = 1)]
    method: String,
    #[command(flatten)]
    #[serde(flatten)]
    around: Around,
}

/// What a language server has answered.
#[derive(Debug, JsonSchema, Serialize)]
pub struct RequestAnswer {
    /// The method that was asked.
    method: String,
    /// The answer, in the form of the protocol but for its positions and paths.
    result: Value,
    /// Who has answered.
    server: String,
    /// Whether the server had read the whole project.
    complete: bool,
    #[serde(skip)]
    gaps: Vec<String>,
}

impl Ask for Request {
    type Answer = HowFound<RequestAnswer>;

    fn run(self, flags: &Flags, context: Context<'_>) -> Result<HowFound<RequestAnswer>, Failure> {
        let method = match self.method.split_once('/') {
            Some(("textDocument", _)) => self.method,
            _ => format!("textDocument/{}", self.method),
        };
        let (asked, part) = self.around.open_part(Question::Request, flags, context)?;
        if part.is_none() && !is_about_files(&method) {
            return Err(no_place(&method, asked.document.path()));
        }
        let within =
            part.unwrap_or_else(|| engine::Range::of_indices(0..asked.document.text().bytes().len()));
        let known = asked.ask(|provider, asked| provider.request(asked, &method, within))?;
        let reach = asked.reach(&known);
        Ok(asked.told(RequestAnswer {
            method,
            result: known.value,
            server: known.who,
            complete: reach.gaps.is_empty(),
            gaps: reach.gaps,
        }))
    }
}

/// The methods that ask about a whole file, or about a range of it.
const ABOUT_FILES: [&str; 10] = [
    "codeLens",
    "diagnostic",
    "documentColor",
    "documentLink",
    "documentSymbol",
    "foldingRange",
    "formatting",
    "inlayHint",
    "rangeFormatting",
    "semanticTokens",
];

/// Whether a method may be asked without a place in the file.
fn is_about_files(method: &str) -> bool {
    let name = method.trim_start_matches("textDocument/").split('/').next();
    name.is_some_and(|name| ABOUT_FILES.contains(&name))
}

fn no_place(method: &str, path: &str) -> Failure {
    Failure::invalid(
        format!("`{method}` is asked about a place, and the location names only a file"),
        format!("write {path}:Symbol, {path}:42 or {path}@text"),
    )
}

impl Answer for RequestAnswer {
    fn text(&self, _: &dyn Voice) -> String {
        format!("{:#}\n", self.result)
    }

    fn markdown(&self, _: &dyn Voice) -> String {
        show::fenced("json", &format!("{:#}\n", self.result))
    }

    fn notes(&self) -> Vec<Phrase> {
        self.gaps.iter().map(|gap| format!("not complete: {gap}").into()).collect()
    }
}
