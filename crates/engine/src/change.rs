//! What an edit at a location changes.

use locant_locate::{Change, Found, Location, Rewrite, Scope, Stretch, Unchangeable};
use locant_text::Offset;

use crate::{Document, Reader};

/// What an edit changes; `None` when nothing does.
pub fn change(
    document: &Document,
    stretch: Stretch,
    change: &Change,
) -> Result<Option<Rewrite>, Unchangeable> {
    let filler = match document.reader() {
        Some(Reader::Grammar(language)) => language.empty_block(),
        Some(Reader::Proto) | None => None,
    };
    locant_locate::change(document, stretch, change, filler)
}

/// What a location means to an edit. `found` is its range, and `place` the position that it means.
pub fn stretch(document: &Document, location: &Location, found: &Found, place: Offset) -> Stretch {
    let plain = locant_locate::without_check(document, location);
    let location = plain.as_ref().unwrap_or(location);
    let find = location.find.as_deref().filter(|find| !find.is_empty());
    let n_lines = document.text().n_lines();
    match (&location.scope, find) {
        (_, Some(find)) => part(found, locant_locate::marker(find).map(|_| place)),
        // In .proto, a path of names may be a path in the descriptor, which leads to no symbol by itself.
        (Some(Scope::Symbol(_) | Scope::Descriptor(_)), None) => {
            let symbol = found.symbol.map(Stretch::Symbol);
            symbol.or_else(|| symbol_of(document, found)).unwrap_or(part(found, None))
        }
        (Some(Scope::Lines { first, last }), None) => {
            Stretch::Lines { first: *first, last: last.unwrap_or(n_lines) }
        }
        (Some(Scope::Marked(_)), None) => {
            // The range ends after the line break of the last line.
            let last = document.text().line_of(found.range.end().max(found.range.start()));
            let first = document.text().line_of(found.range.start());
            let is_next = document.text().line_start(last) == Some(found.range.end()) && last > first;
            Stretch::Lines { first, last: last - u32::from(is_next) }
        }
        (Some(Scope::Coordinate { .. }) | None, None) => part(found, None),
    }
}

fn part(found: &Found, mark: Option<Offset>) -> Stretch {
    Stretch::Text { range: found.range, mark }
}

/// The symbol whose declaration is exactly what was found.
fn symbol_of(document: &Document, found: &Found) -> Option<Stretch> {
    let mut symbols = document.outline()?.iter();
    let is_it =
        |symbol: &locant_tree::Symbol| symbol.declaration == found.range || symbol.extent == found.range;
    symbols.find(|(_, symbol)| is_it(symbol)).map(|(id, _)| Stretch::Symbol(id))
}
