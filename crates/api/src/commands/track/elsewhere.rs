//! Follows a place that has left its file into the file that has it now.

use std::sync::Arc;

use locant_engine::{self as engine, Document, Relocation};
use locant_workspace::git::{self, Past};

use super::{Fate, Last, Step, Walk, Way};
use crate::failure::Failure;
use crate::files::Source;
use crate::moved::{self, Elsewhere, Lost};

impl Walk<'_> {
    /// Continues in another file if the place was lost. If the other file had the place right after the commit that
    /// lost it, the history continues from there; otherwise only the place on disk is given.
    pub(super) fn elsewhere(&mut self, past: &Past, now: &Arc<Document>) -> Result<(), Failure> {
        let Some(lost) = self.steps.last().filter(|step| step.is_lost()) else { return Ok(()) };
        let (commit, status) = (lost.commit.clone(), lost.status);
        let Elsewhere::Found(document, relocation) =
            moved::look(&self.lost(past, now), self.flags, self.files)
        else {
            return Ok(());
        };
        if let Some(commit) = commit
            && let Ok(other) = git::before(&commit, document.path(), &self.flags.base())
            && self.arrived(past, now, &other)?
        {
            if self.through(&other)? == Way::Open {
                self.end_on_disk(&other, &document);
            }
        } else if status == Fate::Gone {
            self.steps.extend(Step::arrived(&document, &relocation, self.flags));
        }
        Ok(())
    }

    /// Called when the last step has lost the place. If the other file has the place after that commit, that step
    /// becomes the move to the other file.
    fn arrived(&mut self, past: &Past, now: &Arc<Document>, other: &Past) -> Result<bool, Failure> {
        let source = Source { path: &other.old_path(), text: Some(other.text.clone()) };
        let document = self.files.open(source, self.flags)?;
        let Some(relocation) = moved::within(&self.lost(past, now), &document) else { return Ok(false) };
        let Some(step) = Step::arrived(&document, &relocation, self.flags) else { return Ok(false) };
        let place = step.offset.map(|offset| engine::Offset::of_index(offset as usize));
        let described = place.and_then(|place| Some((place, engine::describe(&document, place)?.location)));
        let anchor = described.and_then(|(place, location)| engine::anchor(&document, place, location));
        let (Some(anchor), Some(lost)) = (anchor, self.steps.pop()) else { return Ok(false) };
        let Step { commit, date, title, .. } = lost;
        self.steps.push(Step { commit, date, title, ..step });
        self.last = Last { document, anchor };
        Ok(true)
    }

    /// What to look for: the place in the last version in which it is known.
    fn lost<'l>(&'l self, past: &Past, now: &'l Document) -> Lost<'l> {
        let known = self.steps.iter().rev().find(|step| !step.is_lost());
        let now = (!past.is_deleted).then_some(now);
        let Last { document, anchor } = &self.last;
        let path = now.map_or(document.path(), Document::path);
        Lost { anchor, old: Some(document), now, path, rev: known.and_then(|step| step.commit.as_deref()) }
    }
}

impl Step {
    fn is_lost(&self) -> bool {
        matches!(self.status, Fate::Ambiguous | Fate::Gone)
    }

    /// The step to another file.
    fn arrived(
        document: &Arc<Document>,
        relocation: &Relocation,
        flags: &crate::flags::Flags,
    ) -> Option<Step> {
        match relocation {
            Relocation::Found { offset, .. } => Some(Step::at(document, *offset, Fate::Moved, flags)),
            Relocation::Renamed { offset, renaming, .. } => {
                let renamed = Some(renaming.clone().into());
                Some(Step { renamed, ..Step::at(document, *offset, Fate::Renamed, flags) })
            }
            Relocation::Ambiguous(_) | Relocation::Gone(_) => None,
        }
    }
}
