//! Follows a place in a symbol that was moved and renamed but has the same lines. This needs the old text.

use std::ops::Range as Indices;

use locant_text::{Offset, Range};
use locant_tree::{Outline, Symbol, SymbolId, SymbolKind};

use super::new_text::{NewText, declares, place};
use super::renamed::Renaming;
use super::similarity::start_of_token;
use crate::anchor::Anchor;
use crate::answer::Document;
use crate::lines::{Digest, Lines};
use crate::symbols;
use crate::tokens;

/// How many lines a body must have. Shorter bodies may be equal by chance.
const LEAST_LINES: usize = 2;

/// Where a place is, if its symbol is now elsewhere under another name and has all lines of its old body. `None` if
/// another symbol had the same lines, or has them now.
pub(super) fn with_its_symbol(
    old: &dyn Document,
    new_text: &NewText<'_>,
    anchor: &Anchor,
) -> Option<(Offset, Renaming)> {
    let (then, now) = (old.outline()?, new_text.document().outline()?);
    let was = symbols::innermost(then, Range::empty(Offset::of_index(anchor.offset as usize)))?;
    if declares(now, &then.path(was)) {
        return None;
    }
    let lines = old.lines();
    let body = Body::of(old, &lines, then.get(was));
    if body.lines.len() < LEAST_LINES {
        return None;
    }
    let is_alone = with_lines(old, &lines, then, &body, |id| id != was).is_empty();
    let moved =
        with_lines(new_text.document(), &new_text.lines, now, &body, |id| !declares(then, &now.path(id)));
    let &[moved] = moved.as_slice() else { return None };
    let moved = Body::of(new_text.document(), &new_text.lines, now.get(moved));
    let place = body.place_in(&moved, anchor)?;
    let renaming = Renaming { old: body.symbol.name.clone(), new: moved.symbol.name.clone() };
    is_alone.then_some((place, renaming))
}

/// The symbols that `may_be` allows and that have the lines of `body`. In their lines, the old name may be replaced by
/// their own name.
fn with_lines(
    document: &dyn Document,
    lines: &Lines,
    outline: &Outline,
    body: &Body<'_>,
    may_be: impl Fn(SymbolId) -> bool,
) -> Vec<SymbolId> {
    let is_moved = |id: SymbolId, symbol: &Symbol| {
        locant_stop::check();
        let other = Body::of(document, lines, symbol);
        are_alike(symbol.kind, body.symbol.kind)
            && other.lines.len() == body.lines.len()
            && may_be(id)
            && other.is(body)
    };
    outline.iter().filter(|(id, symbol)| is_moved(*id, symbol)).map(|(id, _)| id).collect()
}

/// Whether a symbol of one kind may become one of the other kind when it is moved. A method that is moved out of its
/// class becomes a function.
fn are_alike(one: SymbolKind, other: SymbolKind) -> bool {
    let is_function = |kind| matches!(kind, SymbolKind::Function | SymbolKind::Method);
    one == other || is_function(one) && is_function(other)
}

/// The lines of a symbol after the line of its name.
struct Body<'b> {
    document: &'b dyn Document,
    all: &'b Lines,
    symbol: &'b Symbol,
    lines: Indices<usize>,
}

impl<'b> Body<'b> {
    fn of(document: &'b dyn Document, all: &'b Lines, symbol: &'b Symbol) -> Body<'b> {
        Body { document, all, symbol, lines: all.body(symbol) }
    }

    /// Whether its lines are those of an old body. The old name may be replaced by its own name.
    fn is(&self, old: &Body<'_>) -> bool {
        let mut both = self.lines.clone().zip(old.lines.clone());
        both.all(|(now, then)| {
            let line = self.document.text().slice(self.all.range(now));
            let names = [&self.symbol.name, &old.symbol.name].map(|name| name.as_bytes());
            self.all.digest(now) == old.all.digest(then)
                || Digest::of_line_with(line, names[0], names[1]) == old.all.digest(then)
        })
    }

    /// Where an anchored place in this body is in an equal body. A place at the name of the symbol is found too.
    fn place_in(&self, other: &Body<'_>, anchor: &Anchor) -> Option<Offset> {
        let (text, now) = (self.document.text(), other.document.text());
        let at = anchor.offset as usize;
        let word = tokens::pivot(text.bytes(), text.start().index(), at)?.start;
        if Offset::of_index(word) == self.symbol.name_range.start() {
            return Some(other.symbol.name_range.start());
        }
        let line = self.all.of_offset(Offset::of_index(word)).filter(|line| self.lines.contains(line))?;
        let n_before = tokens::all_in(text.bytes(), self.all.range(line).start().index()..word).count();
        let line = other.all.range(other.lines.start + line - self.lines.start);
        let token = line.start().index() + start_of_token(now.slice(line), n_before);
        Some(place(now, Offset::of_index(token), anchor.within))
    }
}
