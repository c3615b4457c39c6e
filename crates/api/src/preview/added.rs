//! Texts that are put into a file of settings: shown as a diff, and made like any other change.

use std::path::Path;
use std::sync::Arc;

use locant_engine::names::Replacement;
use locant_engine::{Document, Offset, Range};
use locant_hosts::Insertion;
use locant_workspace::preview::{Edit, Preview, Store};

use super::{ChangedFile, Whole, unified};

/// Settings to which something is added.
pub(crate) struct Settings<'s> {
    path: &'s Path,
    /// The path as it is shown.
    shown: &'s str,
    /// `None` for a file that is new.
    old: Option<&'s str>,
    insertions: &'s [Insertion],
}

impl<'s> Settings<'s> {
    pub(crate) fn new(
        path: &'s Path,
        shown: &'s str,
        old: Option<&'s str>,
        insertions: &'s [Insertion],
    ) -> Settings<'s> {
        Settings { path, shown, old, insertions }
    }

    /// Whether there is no such file yet.
    pub(crate) fn is_new(&self) -> bool {
        self.old.is_none()
    }

    /// The lines that change.
    pub(crate) fn diff(&self) -> String {
        let text = self.old.unwrap_or_default();
        // Settings are smaller than any document may be, and are text.
        let Ok(document) = Document::new(self.shown, text.as_bytes()) else { return String::new() };
        let place = |one: &Insertion| Offset::new(u32::try_from(one.offset).unwrap_or(u32::MAX));
        let replacement = |one: &Insertion| Replacement {
            path: self.shown.to_owned(),
            range: Range::new(place(one), place(one)),
            text: one.text.clone(),
        };
        let replacements = self.insertions.iter().map(replacement).collect();
        unified::diff(&ChangedFile {
            path: self.shown.to_owned(),
            document: Arc::new(document),
            replacements,
            whole: Whole::Stays,
        })
    }

    /// Makes the change, and returns the id by which it is taken back. If there is a root, the file must be below it,
    /// also after links are followed.
    pub(crate) fn apply(&self, root: Option<&Path>) -> Result<String, String> {
        let text = self.old.unwrap_or_default();
        let edit = |one: &Insertion| Edit {
            start: one.offset,
            end: one.offset,
            text: one.text.clone().into_bytes(),
        };
        let edits = self.insertions.iter().map(edit).collect();
        // The user's own file may be a link to where the user keeps all settings.
        let real = self.path.canonicalize().map_err(|error| format!("it cannot be read: {error}"))?;
        let root = root.or(real.parent()).unwrap_or(&real);
        let mut preview =
            Preview::new(root).map_err(|error| format!("its folder cannot be read: {error}"))?;
        let kept = preview.change(self.path, text.as_bytes(), edits).and_then(|()| {
            let store = Store::of_user()?;
            store.keep(&preview).and_then(|id| store.apply(&id))
        });
        kept.map(|applied| applied.id).map_err(|failure| failure.message)
    }
}
