//! Writes a check into a location.

use locant_text::Offset;

use crate::answer::{Document, Resolution, Wanted};
use crate::check::{Check, MOST_TWINS, Twins};
use crate::lines::Lines;
use crate::location::{Location, Scope};
use crate::relocate::wording;
use crate::resolve::resolve;

/// The location with a check of the place that it leads to. `None` if the location takes no check, such as a
/// coordinate, or if it would not lead back to the place.
pub fn checked(document: &dyn Document, offset: Offset, location: &Location) -> Option<Location> {
    if matches!(location.scope, Some(Scope::Coordinate { .. })) {
        return None;
    }
    let lines = document.lines();
    let check = Check::at_place(document, &lines, offset)?;
    let check = check.with_twins(twins(document, &lines, location, check));
    let find = format!("{}{check}", location.find.as_deref().unwrap_or_default());
    let checked = Location { find: Some(find), ..location.clone() };
    match resolve(document, &checked, Wanted::Position) {
        Resolution::Found(found) if found.offset == offset && found.matches == 1 => Some(checked),
        _ => None,
    }
}

fn twins(document: &dyn Document, lines: &Lines, location: &Location, check: Check) -> Twins {
    Twins { words: n_twins(wording::n_equal(document, location)), lines: n_twins(check.n_alike(lines)) }
}

/// How many twins a place has, at most [`MOST_TWINS`]. `n_places` includes the place itself.
fn n_twins(n_places: usize) -> u32 {
    u32::try_from(n_places.saturating_sub(1)).unwrap_or(MOST_TWINS).min(MOST_TWINS)
}
