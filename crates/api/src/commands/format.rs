//! `format`: lays out a file, or a part of it, as is usual in its language.

use clap::Args;
use locant_engine::Document;
use locant_engine::names::{Problem, Question};
use schemars::JsonSchema;
use serde::Deserialize;

use super::Ask;
use super::rename::by_file;
use crate::encoding::Encoding;
use crate::failure::{Failure, Kind};
use crate::flags::Flags;
use crate::how_found::HowFound;
use crate::name_query::Around;
use crate::phrase::{call, phrase};
use crate::preview::{Applying, Changes, Checking, PreviewAnswer, refuse_outside, refuse_unsure};
use crate::request::Context;
use crate::{show, wire};

/// Preview the layout of a file, or of the lines of a part of it: what changes, and an id for `apply`
///
/// .proto and .rho files are laid out by locant itself: only blanks change, and a file with syntax errors is refused.
/// Other languages are answered by their language servers, with the indentation that the file has.
///
///   locant format a.proto
///   locant format a.proto:Order --apply
#[derive(Args, Debug, Deserialize, JsonSchema)]
#[command(verbatim_doc_comment)]
pub struct Format {
    #[command(flatten)]
    #[serde(flatten)]
    around: Around,
    #[command(flatten)]
    #[serde(flatten)]
    applying: Applying,
    #[command(flatten)]
    #[serde(flatten)]
    checking: Checking,
}

impl Ask for Format {
    type Answer = HowFound<PreviewAnswer>;

    fn run(self, flags: &Flags, context: Context<'_>) -> Result<HowFound<PreviewAnswer>, Failure> {
        // A command that changes files acts only if the location cannot mean another place.
        let strict = Flags { strict: true, ..flags.clone() };
        let are_texts = self.around.subject.text.is_some() || self.around.subject.files.is_some();
        let (asked, part) = self.around.open_part(Question::Format, &strict, context)?;
        refuse_unsure(&asked.document, asked.offset, &asked.how)?;
        if !are_texts {
            refuse_outside(asked.document.path(), flags)?;
        }
        let known = asked.ask(|provider, asked| provider.format(asked, part))?;
        let reach = asked.reach(&known);
        let replacements =
            known.value.map_err(|problem| broken(&asked.document, &problem, flags.encoding()))?;
        let changes = Changes {
            title: format!("Format `{}`", asked.document.path()),
            nothing: "it is laid out so already: nothing changes",
            files: by_file(&asked, known.root.as_deref(), replacements.into())?,
            reach,
            are_texts,
        };
        let check = self.checking.of(&changes, &asked.around(), flags.encoding());
        Ok(asked.told(changes.preview(self.applying, flags, context.files)?.with_check(check)))
    }
}

/// Refuses a file with syntax errors: where its parts end is not certain.
fn broken(document: &Document, problem: &Problem, encoding: Encoding) -> Failure {
    let position = wire::position(document, problem.range.start(), encoding);
    let place = show::place(document.path(), position);
    let message = format!("it has a syntax error, so it is left as it is: {place}: {}", problem.message);
    let all = call("diagnostics").with("file_path", document.path());
    Failure::new(
        Kind::Refused,
        message,
        match problem.hint.as_str() {
            "" => phrase!["correct it first; `", all, "` lists all errors"],
            hint => phrase![format!("{hint}; `"), all, "` lists all errors"],
        },
    )
}
