//! Resolves the old location in the new text, unchanged.

use locant_text::{Offset, Range};
use locant_tree::{Symbol, SymbolId};

use super::new_text::NewText;
use super::relocation::Relocation;
use super::taken_over::{other_name, taken_over};
use super::target::Target;
use crate::anchor::Anchor;
use crate::answer::{Document, Resolution, Wanted};
use crate::lines::{Digest, Lines};
use crate::location::{Location, Scope};
use crate::resolve::resolve_quietly;
use crate::symbols;

/// Where the location of an anchor leads to in a new text.
pub(super) struct ResolvedNow {
    /// The place, if the location leads to exactly one.
    pub(super) exact: Option<Offset>,
    /// The same place, if it is in a symbol with the old path and kind.
    pub(super) own: Option<Offset>,
    /// The same place, if it is also the name of that symbol.
    declared: Option<Offset>,
    /// Whether the location uses line numbers, or an index in its path, as in `f[1]`. Neither is reliable in another
    /// text.
    is_counted: bool,
}

impl ResolvedNow {
    pub(super) fn of(document: &dyn Document, anchor: &Anchor) -> ResolvedNow {
        let exact = only_place(document, &anchor.location);
        // If a symbol with the same path is added or removed, an index means another symbol than before.
        let has_name = match &anchor.location.scope {
            Some(Scope::Symbol(path)) => path.iter().all(|segment| segment.index.is_none()),
            _ => false,
        };
        let own = exact.filter(|&offset| has_name && is_in_own(document, anchor, offset));
        ResolvedNow {
            exact,
            own,
            declared: own.filter(|_| anchor.location.find.is_none()),
            is_counted: anchor.location.scope.is_some() && !has_name,
        }
    }

    /// The place, if the location leads to exactly one and uses no line numbers and no index.
    pub(super) fn led(&self) -> Option<Offset> {
        self.exact.filter(|_| !self.is_counted)
    }

    /// The answer for the name of a symbol, if exactly one symbol still has its path and kind. A new symbol may have
    /// taken over the name, so its line, the line above or the line below must be the same as before.
    pub(super) fn declared(&self, new_text: &NewText<'_>, target: &Target<'_>) -> Option<Relocation> {
        let offset = self.declared?;
        let lines = &new_text.lines;
        let line = lines.of_offset(offset)?;
        let is_known = is_at(lines, Some(line), target.digest.as_ref())
            || is_at(lines, line.checked_sub(1), target.above.first())
            || is_at(lines, Some(line + 1), target.below.first());
        // If a new symbol may have taken over the name, the candidates have to be weighed.
        if !is_known || !taken_over(new_text, target).is_empty() {
            return None;
        }
        Some(match other_name(new_text, target) {
            Some(other) => Relocation::Ambiguous(vec![offset, other]),
            None => Relocation::Found { offset, confidence: new_text.thresholds.named, is_exact: true },
        })
    }
}

fn is_at(lines: &Lines, line: Option<usize>, digest: Option<&Digest>) -> bool {
    line.and_then(|line| lines.digests().get(line)).is_some_and(|now| Some(now) == digest)
}

/// Whether a place is in the symbol of an anchor: it has the same path and kind, and no other symbol has that path.
fn is_in_own(document: &dyn Document, anchor: &Anchor, offset: Offset) -> bool {
    let Some((outline, symbol)) = document.outline().zip(anchor.symbol.as_ref()) else { return false };
    let Some(id) = symbols::innermost(outline, Range::empty(offset)) else { return false };
    let is_other = |(other, _): (SymbolId, &Symbol)| other != id && outline.have_same_path(other, id);
    outline.get(id).kind == symbol.kind && outline.path(id) == symbol.path && !outline.iter().any(is_other)
}

/// The place that a location leads to, if it leads to exactly one.
pub(super) fn only_place(document: &dyn Document, location: &Location) -> Option<Offset> {
    only(&resolve_quietly(document, location, Wanted::Position))
}

pub(super) fn only(resolution: &Resolution) -> Option<Offset> {
    match resolution {
        Resolution::Found(found) if found.matches == 1 => Some(found.offset),
        _ => None,
    }
}
