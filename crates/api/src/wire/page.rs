//! A page of a list in an answer.

use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::Answer;
use crate::encoding::Encoding;
use crate::grouped::times;
use crate::paging::Part;
use crate::phrase::{Phrase, Voice};
use crate::show;

/// An item of a list.
pub trait Item: Serialize + JsonSchema {
    /// The plural noun for the items.
    const PLURAL: &'static str;

    /// The item for people. An item that is the only one may show more.
    fn text(&self, is_alone: bool) -> String;

    /// The path of the file that the item is in, if the item for agents is written below it.
    fn path(&self) -> Option<String> {
        None
    }

    /// Whether the item is outside of the project. For agents, such items come last.
    fn is_outside(&self) -> bool {
        false
    }

    /// The symbol around the item, if items for agents are written below it.
    fn within(&self) -> Option<String> {
        None
    }

    /// The item for agents.
    fn markdown(&self) -> String;
}

/// The items that were found, or a part of them.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "PageOf{T}")]
pub struct Page<T> {
    /// The items, in order.
    items: Vec<T>,
    /// The unit in which `character` counts.
    encoding: Encoding,
    /// The provider that answered.
    server: String,
    /// The folder that paths start from; absent when all files came with the request, or there is only one file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    root: Option<String>,
    /// Whether all files that may matter were looked at.
    complete: bool,
    /// Why files may be missing, if `complete` is false.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    incomplete_because: Vec<String>,
    /// How many items there are in total.
    total: usize,
    /// The value for `next` to get the following items; null when there are no more.
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
        let mut markdown = String::new();
        let (mut above, mut within) = (None, String::new());
        // Several places of one line look the same.
        let is_same = |one: &&T, next: &&T| {
            one.path() == next.path() && one.within() == next.within() && one.markdown() == next.markdown()
        };
        let (outside, inside): (Vec<&T>, Vec<&T>) = self.items.iter().partition(|item| item.is_outside());
        for same in inside.chunk_by(is_same).chain(outside.chunk_by(is_same)) {
            let item = same[0];
            let path = item.path();
            if let Some(path) = path.as_ref().filter(|_| path != above) {
                markdown +=
                    &if item.is_outside() { format!("{path}\n") } else { format!("{}\n", show::code(path)) };
            }
            let is_new_file = path != above;
            if is_new_file {
                within = String::new();
            }
            let around = item.within().unwrap_or_default();
            if around != within {
                let said =
                    if around.is_empty() { "outside of symbols".to_owned() } else { format!("in {around}") };
                markdown += &format!("{}\n", show::visible(&said));
            }
            (above, within) = (path, around);
            markdown += &match same.len() {
                1 => item.markdown(),
                n => format!("{}{}\n", item.markdown().trim_end(), times(n)),
            };
        }
        markdown
    }

    fn n_listed(&self) -> Option<usize> {
        Some(self.items.len())
    }

    fn notes(&self) -> Vec<Phrase> {
        let nothing = (self.total == 0 && self.notes.is_empty()).then(|| format!("no {}", T::PLURAL).into());
        nothing.into_iter().chain(self.notes.iter().cloned()).chain(self.part.note(T::PLURAL)).collect()
    }
}

impl<T> Page<T> {
    /// Whether no page has any items.
    pub(crate) fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// A page with these items. `part` says which part of all items they are.
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

    /// Sets the notes.
    pub(crate) fn with_notes(self, notes: Vec<Phrase>) -> Page<T> {
        Page { notes, ..self }
    }

    /// Sets which files were searched.
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

/// Which files were searched for an answer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reach {
    /// The folder that paths of the answer start from; `None` when all files came with the request.
    pub(crate) root: Option<String>,
    /// The provider that answered; `None` for locant itself.
    pub(crate) who: Option<String>,
    /// Whether relative paths of requests start from another folder.
    pub(crate) is_elsewhere: bool,
    /// Why the answer may lack something.
    pub(crate) gaps: Vec<String>,
}

impl Reach {
    /// Notes for people about where paths start and what may be missing.
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

/// The name and version of locant, as the provider of an answer.
pub(crate) fn server() -> String {
    format!("locant {}", env!("CARGO_PKG_VERSION"))
}
