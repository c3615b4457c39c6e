//! Places that left their file: the rest of the tree is looked through for them.
//!
//! A place leaves its file together with a symbol around it, or because the file has another name. The bytes of every
//! file are looked at first; only one that has a name of these symbols and a line of them is read as code. What it has
//! is compared with what is known of the old symbol, and taken for it only if it is like it and nothing else is.

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

/// How many places are offered.
const OFFERED: usize = 3;

/// A place that is not in its file.
pub(crate) struct Lost<'l> {
    /// What was kept of it.
    pub(crate) anchor: &'l Anchor,
    /// The text that it was in, if that is known.
    pub(crate) old: Option<&'l Document>,
    /// The file as it is now, if it is there.
    pub(crate) now: Option<&'l Document>,
    /// The path of the file.
    pub(crate) path: &'l str,
    /// The revision that it was in, if that is known.
    pub(crate) rev: Option<&'l str>,
}

/// What the rest of the tree has of a lost place.
pub(crate) enum Elsewhere {
    /// The place.
    Found(Arc<Document>, Relocation),
    /// What may be it, and nothing tells which or whether.
    Several(Vec<Candidate>),
    /// What is most like it.
    Like(Vec<Candidate>),
}

/// Looks for a place in all files but its own.
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

/// Where a lost place is in a text that may have what was moved.
pub(crate) fn within(lost: &Lost<'_>, document: &Document) -> Option<Relocation> {
    let strays = engine::strays(lost.old, lost.now, lost.anchor);
    let mut hits = hit::hits(lost, &strays, document);
    hits.sort_by(|one, other| other.likeness().total_cmp(&one.likeness()));
    let admitted = hits.iter().filter(|hit| hit.new_name.is_none() && bars::admit(hit, 0.0));
    admitted.into_iter().find_map(|hit| spot::place(lost, &strays, hit, document))
}

/// What is looked for, and where.
struct Search<'s> {
    lost: &'s Lost<'s>,
    /// The outermost first.
    strays: Vec<Stray>,
    tree: WholeTree,
    flags: &'s Flags,
    files: &'s Files,
    /// The revision that has the old text, once it was asked for.
    known_rev: OnceCell<Option<String>>,
}

impl Search<'_> {
    /// What the files have, the best of each stray first.
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

    /// The place, if what has it is like the old one and nothing else is: the file first, then the outermost symbol.
    fn chosen(&self, hits: &[Hit]) -> Option<Elsewhere> {
        let levels = std::iter::once(Of::File).chain((0..self.strays.len()).map(Of::Stray));
        levels.into_iter().find_map(|of| self.chosen_of(of, hits))
    }

    /// Of those with the old name the best, or else of those with another.
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

    /// Whether something would be taken for it if nothing else resembled it.
    fn is_likely(&self, hits: &[Hit]) -> bool {
        let good = hits.iter().filter(|hit| hit.new_name.is_none() && bars::admit(hit, 0.0)).take(OFFERED);
        let documents = good.filter_map(|hit| Some((hit, self.open(&hit.path)?)));
        documents.into_iter().any(|(hit, document)| self.may_have_come(hit, &document))
    }

    /// Whether it was not there before, and its file is no copy of the old one.
    fn may_have_come(&self, hit: &Hit, document: &Document) -> bool {
        let Lost { old, now, anchor, .. } = *self.lost;
        let stayed = now.and_then(|now| engine::shared_stayed(old, now, anchor, document));
        let is_copy = stayed.is_some_and(|stayed| stayed >= bars::COPIED);
        !is_copy && !self.rev().is_some_and(|rev| self.was_there(hit, rev))
    }

    /// The revision that the place was in: the one that was named, or the one that has the same text.
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

    /// The relocation with the sureness that it was moved there, and the new name if it has one.
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

    /// Was it there in the revision that the place was in? Then it is another one.
    fn was_there(&self, hit: &Hit, rev: &str) -> bool {
        let shown = self.tree.shown(&hit.path);
        let Ok(past) = git::before(rev, &shown, &self.flags.base()) else { return false };
        // A file that was renamed has what it had.
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

    /// What is most like it, with locations to paste.
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
