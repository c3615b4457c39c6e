//! Places that left their file: the rest of the tree is looked through for them.
//!
//! A place leaves its file together with a symbol around it, or because the file has another name. The bytes of every
//! file are looked at first; only one that has a name of these symbols and a line of them is read as code. What it has
//! is compared with what is known of the old symbol, and taken for it only if it is like it and nothing else is.

mod bars;
mod hit;
mod spot;

use std::sync::Arc;

use locant_engine::{self as engine, Anchor, Document, Relocation, Renaming, Stray};
use locant_workspace::git;
use locant_workspace::sweep::{Sweep, may_have_symbols, sweep};

use self::bars::{Bars, sureness};
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
    };
    if search.strays.is_empty() && lost.now.is_some() {
        return Elsewhere::Like(Vec::new());
    }
    let hits = search.hits();
    search.chosen(&hits).unwrap_or_else(|| Elsewhere::Like(search.like(&hits)))
}

/// What is looked for, and where.
struct Search<'s> {
    lost: &'s Lost<'s>,
    /// The outermost first.
    strays: Vec<Stray>,
    tree: WholeTree,
    flags: &'s Flags,
    files: &'s Files,
}

impl Search<'_> {
    /// What the files have, the best of each stray first.
    fn hits(&self) -> Vec<Hit> {
        let own = self.tree.below(self.lost.path);
        let needs_symbols = self.lost.now.is_some() || may_have_symbols(self.lost.path);
        let wants = |path: &str| own.as_deref() != Some(path) && (!needs_symbols || may_have_symbols(path));
        let needles = Needles::new(self.lost, &self.strays);
        let look = |path: &str, bytes: &[u8]| {
            if !needles.are_in(bytes) {
                return None;
            }
            let document = Document::new(path, bytes).ok()?;
            let hits = hit::hits(self.lost, &self.strays, &document);
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

    fn chosen_of(&self, of: Of, hits: &[Hit]) -> Option<Elsewhere> {
        let bars = Bars::of(self.lost, of);
        let mut all = hits.iter().filter(|hit| hit.of == of);
        let best = all.next()?;
        let next = all.find(|hit| !hit.is_within(best)).map_or(0.0, Hit::likeness);
        if !bars.admit(best, next) || self.was_there(best) {
            return None;
        }
        let document = self.open(&best.path)?;
        let relocation = spot::place(self.lost, &self.strays, best, &document)?;
        Some(Elsewhere::Found(document, self.sure(relocation, best, next)))
    }

    /// The relocation with the sureness that it was moved there, and the new name if it has one.
    fn sure(&self, relocation: Relocation, hit: &Hit, next: f64) -> Relocation {
        let moved = sureness(self.lost, hit, next);
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
    fn was_there(&self, hit: &Hit) -> bool {
        let Some(rev) = self.lost.rev else { return false };
        let shown = self.tree.shown(&hit.path);
        let Ok(past) = git::before(rev, &shown, &self.flags.base()) else { return false };
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
