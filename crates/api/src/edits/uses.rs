//! Which places use a symbol, asked before it is removed or moved.

use std::sync::Arc;

use locant_engine::names::{Mention, Question, Role};
use locant_engine::{Document, SymbolId};

use super::pasted;
use crate::failure::{Failure, Kind};
use crate::flags::Flags;
use crate::name_query::Around;
use crate::phrase::Phrase;
use crate::request::Context;
use crate::subject::Subject;
use crate::wire::{self, Candidate};

/// The places that use a symbol.
pub(crate) struct Uses {
    /// The uses outside of the symbol, and the file of each.
    pub(crate) places: Vec<(Using, Candidate)>,
    /// The folder that the paths of the files start from; `None` when all came with the request.
    pub(crate) root: Option<String>,
    /// Why there may be more.
    pub(crate) gaps: Vec<String>,
}

/// A file that uses a symbol.
pub(crate) struct Using {
    pub(crate) path: String,
    pub(crate) document: Arc<Document>,
}

impl Uses {
    /// Asks the providers that know the names of the language. `subject` has the texts of the request.
    pub(crate) fn of(
        document: &Document,
        id: SymbolId,
        subject: &Subject,
        flags: &Flags,
        context: Context<'_>,
    ) -> Result<Uses, Failure> {
        let Some(symbol) = document.outline().map(|outline| outline.get(id)) else {
            return Err(unknown(&Failure::invalid("it is no symbol", "")));
        };
        let name = wire::position(document, symbol.name_range.start(), flags.encoding());
        let named = Subject {
            file_path: Some(document.path().to_owned()),
            position: Some(name),
            text: subject.text.clone(),
            files: subject.files.clone(),
            ..Subject::default()
        };
        let flags = &Flags { from: None, find_index: None, fuzzy: false, ..flags.clone() };
        let around = Around { subject: named, proto_path: Vec::new() };
        let asked = around.open(Question::References, flags, context).map_err(|why| unknown(&why))?;
        let known = asked.ask(|provider, asked| provider.references(asked)).map_err(|why| unknown(&why))?;
        let reach = asked.reach(&known);
        if known.value.is_empty() {
            return Err(unknown(&asked.nothing()));
        }
        let root = known.root.as_deref();
        let place = |mention: Mention| {
            let file = asked.document_at(root, &mention.path)?;
            let is_own = file.text().bytes() == document.text().bytes();
            let is_use = mention.role == Role::Use && !(is_own && symbol.extent.covers(mention.range));
            let candidate = is_use.then(|| pasted(&file, mention.range.start(), "uses it"))?;
            Some((Using { path: mention.path, document: file }, candidate))
        };
        let places = known.value.into_iter().filter_map(place).collect();
        Ok(Uses { places, root: reach.root, gaps: reach.gaps })
    }

    /// Refuses to remove a symbol that is used, or may be.
    pub(crate) fn refused(self, said: &str) -> Result<(), Failure> {
        let hint =
            Phrase::from("change these places first, or remove it all the same, without asking who uses it");
        match (self.places.len(), self.gaps.as_slice()) {
            (0, []) => Ok(()),
            (0, gaps) => {
                let message = format!("whether `{said}` is used is not known: {}", gaps.join("; "));
                Err(Failure::new(Kind::Refused, message, hint))
            }
            (n_uses, _) => {
                let places = if n_uses == 1 { "place" } else { "places" };
                let candidates = self.places.into_iter().map(|(_, candidate)| candidate).take(MOST_SHOWN);
                Err(Failure::new(Kind::Refused, format!("`{said}` is used in {n_uses} {places}"), hint)
                    .with_candidates(candidates.collect()))
            }
        }
    }
}

/// How many uses are shown.
const MOST_SHOWN: usize = 20;

/// The refusal to remove a symbol when no provider can say where it is used.
fn unknown(why: &Failure) -> Failure {
    let message = format!("who uses it is not known: {}", why.message);
    Failure::new(Kind::Refused, message, why.hint.clone())
}
