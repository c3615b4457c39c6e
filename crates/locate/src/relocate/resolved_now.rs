//! Where a location as it was written leads to in the new text.

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
    /// The place, if there is only one.
    pub(super) exact: Option<Offset>,
    /// The place, if it is in a symbol with the old path and kind.
    pub(super) own: Option<Offset>,
    /// The place, if it is also the name of that symbol.
    declared: Option<Offset>,
    /// Whether the location uses lines or a number among symbols with one path. Neither is reliable in another text.
    is_counted: bool,
}

impl ResolvedNow {
    pub(super) fn of(document: &dyn Document, anchor: &Anchor) -> ResolvedNow {
        let exact = only_place(document, &anchor.location);
        // If a symbol with the same path is added or removed, a number means another symbol than before.
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

    /// The place, if there is only one and the location does not use a number or lines.
    pub(super) fn led(&self) -> Option<Offset> {
        self.exact.filter(|_| !self.is_counted)
    }

    /// The answer for a name that is still declared with the same path and kind, and only once. A new symbol may have
    /// taken over the name, so the line, the one above or the one below must be the same.
    pub(super) fn declared(&self, new_text: &NewText<'_>, target: &Target<'_>) -> Option<Relocation> {
        let offset = self.declared?;
        let lines = &new_text.lines;
        let line = lines.of_offset(offset)?;
        let is_known = is_at(lines, Some(line), target.digest.as_ref())
            || is_at(lines, line.checked_sub(1), target.above.first())
            || is_at(lines, Some(line + 1), target.below.first());
        // If another symbol has the line, the candidates have to be weighed.
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

/// Whether a place is in the only symbol with the path of an anchored one, and that has its kind.
fn is_in_own(document: &dyn Document, anchor: &Anchor, offset: Offset) -> bool {
    let Some((outline, symbol)) = document.outline().zip(anchor.symbol.as_ref()) else { return false };
    let Some(id) = symbols::innermost(outline, Range::empty(offset)) else { return false };
    let is_other = |(other, _): (SymbolId, &Symbol)| other != id && outline.have_same_path(other, id);
    outline.get(id).kind == symbol.kind && outline.path(id) == symbol.path && !outline.iter().any(is_other)
}

/// The place that a location as it was written leads to, if there is only one.
pub(super) fn only_place(document: &dyn Document, location: &Location) -> Option<Offset> {
    only(&resolve_quietly(document, location, Wanted::Position))
}

pub(super) fn only(resolution: &Resolution) -> Option<Offset> {
    match resolution {
        Resolution::Found(found) if found.matches == 1 => Some(found.offset),
        _ => None,
    }
}
