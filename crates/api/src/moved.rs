//! Finds places that have left their file, by searching the rest of the tree.
//!
//! A place leaves its file when a symbol around it is moved to another file, or when the file is renamed. The bytes of
//! every file are searched first. A file is parsed only if it contains the name of such a symbol and one of its lines.
//! What is found is compared with what is known about the old symbol. It is accepted only if it is similar enough, and
//! if nothing else is similar enough.

mod bars;
mod hit;
mod spot;

use std::cell::OnceCell;
use std::sync::Arc;

use locant_engine::{self as engine, Anchor, Document, Relocation, Renaming, Stray};
use locant_workspace::git;
use locant_workspace::sweep::{Sweep, may_have_symbols, sweep};

use self::bars::sureness;
use self::hit::{Hit, Needles, Of};
use crate::files::{Files, Source};
use crate::flags::Flags;
use crate::whole_tree::WholeTree;
use crate::wire::{self, Candidate};

/// How many places are offered as candidates.
const OFFERED: usize = 3;

/// A place that is no longer in its file.
pub(crate) struct Lost<'l> {
    /// The anchor of the place.
    pub(crate) anchor: &'l Anchor,
    /// The text that the place was in, if it is known.
    pub(crate) old: Option<&'l Document>,
    /// The file as it is now, if it still exists.
    pub(crate) now: Option<&'l Document>,
    /// The path of the file.
    pub(crate) path: &'l str,
    /// The revision that the place was in, if it is known.
    pub(crate) rev: Option<&'l str>,
}

/// The result of looking for a lost place in the rest of the tree.
pub(crate) enum Elsewhere {
    /// The place was found in this document.
    Found(Arc<Document>, Relocation),
    /// Several places may be the lost one, and nothing tells which of them is.
    Several(Vec<Candidate>),
    /// No place is likely to be the lost one. These resemble it most.
    Like(Vec<Candidate>),
}

/// Looks for a place in all files except its own.
pub(crate) fn look(lost: &Lost<'_>, flags: &Flags, files: &Files) -> Elsewhere {
    let search = Search {
        lost,
        strays: engine::strays(lost.old, lost.now, lost.anchor),
        tree: WholeTree::around(flags),
        flags,
        files,
        known_rev: OnceCell::new(),
    };
    if search.strays.is_empty() && lost.now.is_some() {
        return Elsewhere::Like(Vec::new());
    }
    let hits = search.hits();
    match search.chosen(&hits) {
        Some(found) => found,
        None if search.is_likely(&hits) => Elsewhere::Several(search.like(&hits)),
        None => Elsewhere::Like(search.like(&hits)),
    }
}

/// Finds a lost place in a document that may contain what was moved.
pub(crate) fn within(lost: &Lost<'_>, document: &Document) -> Option<Relocation> {
    let strays = engine::strays(lost.old, lost.now, lost.anchor);
    let mut hits = hit::hits(lost, &strays, document);
    hits.sort_by(|one, other| other.likeness().total_cmp(&one.likeness()));
    let admitted = hits.iter().filter(|hit| hit.new_name.is_none() && bars::admit(hit, 0.0));
    admitted.into_iter().find_map(|hit| spot::place(lost, &strays, hit, document))
}

/// What to look for, and where.
struct Search<'s> {
    lost: &'s Lost<'s>,
    /// The symbols around the lost place that may have been moved, outermost first.
    strays: Vec<Stray>,
    tree: WholeTree,
    flags: &'s Flags,
    files: &'s Files,
    /// The revision that has the old text, once it has been looked up.
    known_rev: OnceCell<Option<String>>,
}

impl Search<'_> {
    /// The hits in all files. For each stray, the best hit comes first.
    fn hits(&self) -> Vec<Hit> {
        let own = self.tree.below(self.lost.path);
        let needs_symbols = self.lost.now.is_some() || may_have_symbols(self.lost.path);
        let wants = |path: &str| own.as_deref() != Some(path) && (!needs_symbols || may_have_symbols(path));
        let needles = Needles::new(self.lost, &self.strays);
        let (lost, strays) = (self.lost, &self.strays);
        let look = |path: &str, bytes: &[u8]| {
            if !needles.are_in(bytes) {
                return None;
            }
            let document = Document::new(path, bytes).ok()?;
            let hits = hit::hits(lost, strays, &document);
            (!hits.is_empty()).then_some(hits)
        };
        let found = sweep(&Sweep { root: &self.tree.root, wants: &wants }, look).found;
        let mut hits: Vec<Hit> = found.into_iter().flat_map(|(_, hits)| hits).collect();
        hits.sort_by(|one, other| other.likeness().total_cmp(&one.likeness()));
        hits
    }

    /// The place, if one hit is similar enough and no other is. The whole file is tried first, then the symbols from
    /// the outermost inwards.
    fn chosen(&self, hits: &[Hit]) -> Option<Elsewhere> {
        let levels = std::iter::once(Of::File).chain((0..self.strays.len()).map(Of::Stray));
        levels.into_iter().find_map(|of| self.chosen_of(of, hits))
    }

    /// The best hit with the old name; if there is none, the best one with another name.
    fn chosen_of(&self, of: Of, hits: &[Hit]) -> Option<Elsewhere> {
        let (named, others): (Vec<&Hit>, Vec<&Hit>) =
            hits.iter().filter(|hit| hit.of == of).partition(|hit| hit.new_name.is_none());
        let other = others.first().map_or(0.0, |hit| hit.likeness());
        let is_other = named.first().is_some_and(|hit| other > hit.likeness() + bars::AHEAD);
        if is_other {
            return None;
        }
        self.chosen_among(&named).or_else(|| self.chosen_among(&others))
    }

    fn chosen_among(&self, hits: &[&Hit]) -> Option<Elsewhere> {
        let (best, rest) = hits.split_first()?;
        let next = rest.iter().find(|hit| !hit.is_within(best)).map_or(0.0, |hit| hit.likeness());
        if !bars::admit(best, next) {
            return None;
        }
        let document = self.open(&best.path)?;
        if !self.may_have_come(best, &document) {
            return None;
        }
        let relocation = spot::place(self.lost, &self.strays, best, &document)?;
        let sure = sureness(self.rev().is_some());
        Some(Elsewhere::Found(document, self.sure(relocation, best, sure)))
    }

    /// Whether a hit would be accepted if nothing else resembled it.
    fn is_likely(&self, hits: &[Hit]) -> bool {
        let good = hits.iter().filter(|hit| hit.new_name.is_none() && bars::admit(hit, 0.0)).take(OFFERED);
        let documents = good.filter_map(|hit| Some((hit, self.open(&hit.path)?)));
        documents.into_iter().any(|(hit, document)| self.may_have_come(hit, &document))
    }

    /// Whether the hit was not there before, and its file is not a copy of the old one.
    fn may_have_come(&self, hit: &Hit, document: &Document) -> bool {
        let Lost { old, now, anchor, .. } = *self.lost;
        let stayed = now.and_then(|now| engine::shared_stayed(old, now, anchor, document));
        let is_copy = stayed.is_some_and(|stayed| stayed >= bars::COPIED);
        !is_copy && !self.rev().is_some_and(|rev| self.was_there(hit, rev))
    }

    /// The revision that the place was in: the given one, or one that has the same text.
    fn rev(&self) -> Option<&str> {
        self.lost.rev.or_else(|| self.known_rev.get_or_init(|| self.rev_with_text()).as_deref())
    }

    fn rev_with_text(&self) -> Option<String> {
        let is_known = |text: &[u8]| match self.lost.old {
            Some(old) => old.text().bytes() == text,
            None => Document::new(self.lost.path, text)
                .is_ok_and(|document| engine::is_text_of(self.lost.anchor, &document)),
        };
        git::commit_with(self.lost.path, &self.flags.base(), is_known)
    }

    /// The relocation, with its confidence multiplied by `moved`, the confidence that the symbol was moved there. If
    /// the symbol has a new name, the relocation says so.
    fn sure(&self, relocation: Relocation, hit: &Hit, moved: f64) -> Relocation {
        let renaming = hit.new_name.as_ref().map(|new| {
            let old = match hit.of {
                Of::Stray(at) => self.strays[at].name().to_owned(),
                Of::File => String::new(),
            };
            Renaming { old, new: new.clone() }
        });
        match (relocation, renaming) {
            (Relocation::Found { offset, confidence, .. }, None) => {
                Relocation::Found { offset, confidence: confidence * moved, is_exact: false }
            }
            (Relocation::Found { offset, confidence, .. }, Some(renaming)) => {
                Relocation::Renamed { offset, confidence: Some(confidence * moved), renaming }
            }
            (Relocation::Renamed { offset, confidence, renaming }, _) => {
                Relocation::Renamed { offset, confidence: confidence.map(|sure| sure * moved), renaming }
            }
            (lost, _) => lost,
        }
    }

    /// Whether the hit already existed in the revision of the place. Then it is something else.
    fn was_there(&self, hit: &Hit, rev: &str) -> bool {
        let shown = self.tree.shown(&hit.path);
        let Ok(past) = git::before(rev, &shown, &self.flags.base()) else { return false };
        // If the file itself was renamed, its old content does not count.
        if self.tree.below(&past.old_path()) == self.tree.below(self.lost.path) {
            return false;
        }
        let Ok(document) = Document::new(&hit.path, past.text) else { return false };
        let before = hit::hits(self.lost, &self.strays, &document);
        let is_same = |before: &Hit| before.of == hit.of && before.symbol_path == hit.symbol_path;
        before.iter().any(|before| is_same(before) && bars::is_old(before, hit))
    }

    fn open(&self, path: &str) -> Option<Arc<Document>> {
        let shown = self.tree.shown(path);
        self.files.open(Source { path: &shown, text: None }, self.flags).ok()
    }

    /// The places that resemble the lost one most, with locations to paste.
    fn like(&self, hits: &[Hit]) -> Vec<Candidate> {
        let mut offered: Vec<Candidate> = Vec::new();
        for hit in hits.iter().filter(|hit| hit.is_worth_a_look()) {
            let Some(document) = self.open(&hit.path) else { continue };
            let offset = spot::offered(self.lost, &self.strays, hit, &document);
            let candidate = engine::Candidate { offset, reason: engine::Reason::Resembles };
            let candidates = wire::candidates(&document, &[candidate], self.flags.encoding());
            let is_new = |new: &Candidate| offered.iter().all(|old| old.location != new.location);
            let new: Vec<Candidate> = candidates.into_iter().filter(is_new).collect();
            offered.extend(new);
            if offered.len() >= OFFERED {
                break;
            }
        }
        offered
    }
}
