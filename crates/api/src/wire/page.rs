//! A list in an answer.

use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::Answer;
use crate::encoding::Encoding;
use crate::paging::Part;
use crate::phrase::{Phrase, Voice};

/// One of the things that a list has.
pub trait Item: Serialize + JsonSchema {
    /// What several of them are called.
    const PLURAL: &'static str;

    /// As people read it; one that is alone may say more.
    fn text(&self, is_alone: bool) -> String;

    /// As agents read it.
    fn markdown(&self) -> String;
}

/// What was found, or some of it.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "PageOf{T}")]
pub struct Page<T> {
    /// What was found, in order.
    items: Vec<T>,
    /// What `character` counts.
    encoding: Encoding,
    /// Who has answered.
    server: String,
    /// The folder that paths start from; absent when all files came with the request, or there is only one file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    root: Option<String>,
    /// Whether all files that may matter were looked at.
    complete: bool,
    /// Why not, if they were not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    incomplete_because: Vec<String>,
    /// How many there are.
    total: usize,
    /// Where the next ones start; null when these are all.
    next: Option<usize>,
    #[serde(skip)]
    part: Part,
    #[serde(skip)]
    notes: Vec<Phrase>,
}

impl<T: Item> Answer for Page<T> {
    fn text(&self, _: &dyn Voice) -> String {
        let is_alone = self.items.len() == 1;
        self.items.iter().map(|item| item.text(is_alone)).collect()
    }

    fn markdown(&self, _: &dyn Voice) -> String {
        self.items.iter().map(Item::markdown).collect()
    }

    fn notes(&self) -> Vec<Phrase> {
        self.notes.iter().cloned().chain(self.part.note(T::PLURAL)).collect()
    }
}

impl<T> Page<T> {
    /// Whether there is nothing on any page.
    pub(crate) fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// A page with these items; `part` says which part of all items they are.
    pub(crate) fn new(items: Vec<T>, part: Part, encoding: Encoding) -> Page<T> {
        Page {
            items,
            encoding,
            server: server(),
            root: None,
            complete: true,
            incomplete_because: Vec::new(),
            total: part.total,
            next: part.next(),
            part,
            notes: Vec::new(),
        }
    }

    /// The same page with these notes.
    pub(crate) fn with_notes(self, notes: Vec<Phrase>) -> Page<T> {
        Page { notes, ..self }
    }

    /// What was found in these files.
    pub(crate) fn searched(self, reach: &Reach) -> Page<T> {
        Page {
            root: reach.root.clone(),
            server: reach.who.clone().unwrap_or(self.server),
            complete: reach.gaps.is_empty(),
            incomplete_because: reach.gaps.clone(),
            ..self
        }
    }
}

/// In which files an answer was looked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reach {
    /// What the paths of the answer start from; `None` when all files came with the request.
    pub(crate) root: Option<String>,
    /// Who has answered; `None` for locant itself.
    pub(crate) who: Option<String>,
    /// Whether relative paths of the request start in a different folder.
    pub(crate) is_elsewhere: bool,
    /// Why the answer may lack something.
    pub(crate) gaps: Vec<String>,
}

impl Reach {
    /// What people should know of it.
    pub(crate) fn notes(&self) -> Vec<Phrase> {
        let root = self.root.iter().filter(|_| self.is_elsewhere);
        let root = root.map(|root| format!("paths start from `{root}`").into());
        root.chain(self.gaps()).collect()
    }

    /// Why the answer may lack something, in sentences.
    pub(crate) fn gaps(&self) -> impl Iterator<Item = Phrase> {
        self.gaps.iter().map(|gap| format!("not complete: {gap}").into())
    }
}

/// Who answers.
pub(crate) fn server() -> String {
    format!("locant {}", env!("CARGO_PKG_VERSION"))
}
