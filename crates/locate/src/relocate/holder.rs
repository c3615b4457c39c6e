//! Compares the symbol around a place in the new text with the symbol around it in the old text.

use locant_text::{Offset, Range};
use locant_tree::{Symbol, SymbolId};

use super::new_text::{NewText, declares};
use super::taken_over;
use super::target::Target;
use crate::anchor::Anchor;
use crate::answer::Document;
use crate::lines::Lines;
use crate::symbols;

/// How the symbol around a place in the new text is related to the symbol around it in the old text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Holder {
    /// Both have the same path.
    Same,
    /// They are different symbols: the new one already existed in the old text, or the old one still exists.
    Other,
    /// The new one may be the old one under a new name. Nothing contradicts that.
    New,
}

impl Holder {
    pub(super) fn of(old: &dyn Document, new: &dyn Document, anchor: &Anchor, offset: Offset) -> Holder {
        let then = anchor.symbol_path();
        let outline = new.outline();
        let id = outline.and_then(|outline| symbols::innermost(outline, Range::empty(offset)));
        let now = outline.zip(id).map(|(outline, id)| outline.path(id)).unwrap_or_default();
        if then == now {
            let is_other = outline.zip(id).is_some_and(|(outline, id)| {
                let other =
                    |&(other, _): &(SymbolId, &Symbol)| other != id && outline.have_same_path(other, id);
                let others = outline.iter().filter(other).map(|(_, symbol)| symbol);
                is_declared_by_another(old, new, anchor, outline.get(id), others)
            });
            return if is_other { Holder::Other } else { Holder::Same };
        }
        // The symbol around the place is now a parent of the old symbol, so it was also around the place before.
        if then.starts_with(&now) {
            return Holder::New;
        }
        let declares =
            |document: &dyn Document, path: &[&str]| document.outline().is_some_and(|o| declares(o, path));
        if declares(new, &then) || declares(old, &now) { Holder::Other } else { Holder::New }
    }
}

/// Whether another symbol with the same path has the old declaration line, while this symbol has a different one.
fn is_declared_by_another<'s>(
    old: &dyn Document,
    new: &dyn Document,
    anchor: &Anchor,
    symbol: &Symbol,
    mut others: impl Iterator<Item = &'s Symbol>,
) -> bool {
    let declaration = |lines: &Lines, symbol: &Symbol| {
        lines.of_offset(symbol.name_range.start()).map(|line| lines.digest(line))
    };
    let place = Range::empty(Offset::of_index(anchor.offset as usize));
    let held = old.outline().and_then(|outline| Some(outline.get(symbols::innermost(outline, place)?)));
    let then = held.and_then(|symbol| declaration(&old.lines(), symbol));
    let lines = new.lines();
    then != declaration(&lines, symbol) && others.any(|other| declaration(&lines, other) == then)
}

/// Whether the symbol around a place may be a new symbol that took over the name of the old one.
pub(super) fn is_taken_over(
    old: &dyn Document,
    new_text: &NewText<'_>,
    anchor: &Anchor,
    offset: Offset,
) -> bool {
    let target = Target::of_anchor(anchor).map(|target| Target { outline: old.outline(), ..target });
    let Some((target, outline)) = target.zip(new_text.document().outline()) else { return false };
    let holder = symbols::innermost(outline, Range::empty(offset));
    holder.is_some_and(|holder| taken_over::taken_over(new_text, &target).contains(&holder))
        || target.is_declared && taken_over::other_name(new_text, &target).is_some()
}
