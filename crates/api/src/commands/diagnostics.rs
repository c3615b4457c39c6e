//! `diagnostics`: what is wrong in a file.

use clap::Args;
use locant_engine::names::{Diagnostic, Question};
use schemars::JsonSchema;
use serde::Deserialize;

use super::Ask;
use crate::answer::Form;
use crate::failure::Failure;
use crate::flags::Flags;
use crate::name_query::Around;
use crate::paging::{Listed, Paging};
use crate::problem_item::ProblemItem;
use crate::request::Context;
use crate::wire::{self, Page};

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
            let start = problem.range.start();
            let location = match context.form {
                Form::Json | Form::Markdown => wire::location_of_one(document, start, n_places),
                Form::Text | Form::Line => String::new(),
            };
            ProblemItem::new(document, document.path(), problem, encoding).with_location(location)
        };
        let nothing = (part.total == 0 && reach.gaps.is_empty())
            .then(|| format!("nothing is wrong in {}", document.path()).into());
        let page = Page::new(items.into_iter().map(item).collect(), part, encoding).searched(&reach);
        Ok(page.with_notes(nothing.into_iter().chain(reach.gaps()).collect()))
    }
}
