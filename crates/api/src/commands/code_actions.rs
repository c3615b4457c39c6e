//! `code-actions`: the changes that are offered at a place.

use clap::Args;
use locant_engine::names::{Action, Question};
use locant_workspace::preview::Store;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Ask;
use super::rename::by_file;
use crate::answer::Answer;
use crate::failure::Failure;
use crate::flags::Flags;
use crate::how_found::HowFound;
use crate::name_query::Around;
use crate::phrase::{Phrase, Voice, call};
use crate::preview::{Changes, CheckAnswer, Checking, refuse_outside, refuse_unsure};
use crate::request::Context;
use crate::show;
use crate::wire::Reach;

/// List the changes that a language server offers at a place: fixes of problems, refactorings
///
/// Each has a number; `apply ID --action N` makes it. Nothing is changed before that.
///
///   locant code-actions 'app.py@<|>undefined_name'
#[derive(Args, Debug, Deserialize, JsonSchema)]
#[command(verbatim_doc_comment)]
pub struct CodeActions {
    #[command(flatten)]
    #[serde(flatten)]
    around: Around,
    #[command(flatten)]
    #[serde(flatten)]
    checking: Checking,
}

/// The changes that are offered.
#[derive(Debug, JsonSchema, Serialize)]
pub struct ActionsAnswer {
    /// The changes.
    actions: Vec<ActionItem>,
    /// The id by which `apply` makes one of them; null when none can be made.
    id: Option<String>,
    /// Who has answered.
    server: String,
    /// Whether the server had read the whole project.
    complete: bool,
    #[serde(skip)]
    reach: Reach,
}

/// A change that is offered.
#[derive(Debug, JsonSchema, Serialize)]
struct ActionItem {
    /// Its number for `apply`.
    n: usize,
    /// What it does.
    title: String,
    /// What it is: `quickfix`, `refactor` …
    kind: String,
    /// Whether it is the one that is most probably wanted.
    preferred: bool,
    /// Why it cannot be made; absent when it can.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
    /// The problems that it brings and takes away; absent when that was not asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    check: Option<CheckAnswer>,
}

impl Ask for CodeActions {
    type Answer = HowFound<ActionsAnswer>;

    fn run(self, flags: &Flags, context: Context<'_>) -> Result<HowFound<ActionsAnswer>, Failure> {
        // A command that changes files acts only if the location cannot mean another place.
        let strict = Flags { strict: true, ..flags.clone() };
        let are_texts = self.around.subject.text.is_some() || self.around.subject.files.is_some();
        let (asked, within) = self.around.open_range(Question::CodeActions, &strict, context)?;
        refuse_unsure(&asked.document, asked.offset, &asked.how)?;
        if !are_texts {
            refuse_outside(asked.document.path(), flags)?;
        }
        let known = asked.ask(|provider, asked| provider.actions(asked, within))?;
        let reach = asked.reach(&known);
        let (mut actions, mut previews) = (Vec::new(), Vec::new());
        for (n, Action { title, kind, is_preferred: preferred, changes }) in
            known.value.into_iter().enumerate()
        {
            let mut check = None;
            let kept = changes.map_err(|why| Failure::invalid(why, "")).and_then(|changes| {
                let files = by_file(&asked, known.root.as_deref(), changes)?;
                let nothing = "nothing changes";
                let changes =
                    Changes { title: title.clone(), nothing, files, reach: reach.clone(), are_texts };
                check = self.checking.of(&changes, &asked.around(), flags.encoding());
                changes.keep()
            });
            let refused = kept.as_ref().err().map(|failure| failure.message.clone());
            previews.push(kept.ok());
            actions.push(ActionItem { n, title, kind, preferred, refused, check });
        }
        let can_any = previews.iter().any(Option::is_some) && !are_texts;
        let id = if can_any { Some(Store::of_user()?.keep_choice(&previews)?) } else { None };
        let complete = reach.gaps.is_empty();
        Ok(asked.told(ActionsAnswer { actions, id, server: known.who, complete, reach }))
    }
}

impl ActionItem {
    fn line(&self) -> String {
        let preferred = if self.preferred { " (preferred)" } else { "" };
        let refused =
            self.refused.as_ref().map(|why| format!(" (cannot be made: {why})")).unwrap_or_default();
        let check = self.check.as_ref().map(|check| format!(" ({})", check.counts())).unwrap_or_default();
        format!("{} {}{preferred}{refused}{check}", self.n, self.title)
    }
}

impl ActionsAnswer {
    /// The command that makes one of the changes, if one can be made.
    fn apply(&self, voice: &dyn Voice) -> Option<String> {
        let id = self.id.as_ref()?;
        Some(voice.call(&call("apply").with("preview", id).with("action", "N")))
    }
}

impl Answer for ActionsAnswer {
    fn text(&self, voice: &dyn Voice) -> String {
        let lines: String = self.actions.iter().map(|action| format!("{}\n", action.line())).collect();
        let apply = self.apply(voice).map(|apply| format!("{apply}\n")).unwrap_or_default();
        format!("{lines}{apply}")
    }

    fn markdown(&self, voice: &dyn Voice) -> String {
        let lines: String = self.actions.iter().map(|action| format!("- {}\n", action.line())).collect();
        let apply = self.apply(voice).map(|apply| format!("\n{} makes one of them.\n", show::code(&apply)));
        format!("{lines}{}", apply.unwrap_or_default())
    }

    fn notes(&self) -> Vec<Phrase> {
        let none = self.actions.is_empty().then(|| Phrase::from("nothing is offered here"));
        none.into_iter().chain(self.reach.notes()).collect()
    }
}
