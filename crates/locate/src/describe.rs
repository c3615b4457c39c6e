//! Turns a place into a location that leads there.
//!
//! A place can be described in several ways, from the words a person would use down to the bare coordinate. Each
//! location is written, parsed again and resolved. The answer is the first one that leads back to the place and to no
//! other place.

use locant_text::{Encoding, Extent, Offset, Range, Text};
use locant_tree::{Outline, SymbolId};

use crate::answer::{Document, Resolution, Wanted};
use crate::location::{Location, Scope, Segment};
use crate::resolve::resolve_quietly;
use crate::snippet;
use crate::symbols;

/// The location of a place, and facts about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// The shortest location that leads to this place and to no other.
    pub location: Location,
    /// Whether the location describes the text at the place. `false` for lines and coordinates, which are wrong after
    /// the next edit above them.
    pub stable: bool,
    /// The innermost symbol around the place.
    pub symbol: Option<SymbolId>,
}

/// Describes a place. `None` if the offset is not a position in the text, such as one inside a character.
pub fn describe(document: &dyn Document, offset: Offset) -> Option<Description> {
    Ladder::new(document, Range::empty(offset), Wanted::Position)?.best()
}

/// Describes one of several places that an answer contains.
///
/// The more places there are, the less time is spent on each. If a name occurs thousands of times, the search for a
/// unique text at each place stops early, and the place is given by its line or coordinate. Such locations are read and
/// pasted, not stored. So a symbol may be given by its path and number even where other words would survive more edits.
pub fn describe_one_of(document: &dyn Document, offset: Offset, n_places: usize) -> Option<Description> {
    let mut ladder = Ladder::new(document, Range::empty(offset), Wanted::Position)?;
    ladder.most_compared = snippet::MOST_COMPARED.min(MOST_COMPARED_OF_ALL / n_places.max(1));
    ladder.is_to_last = false;
    ladder.best()
}

/// The finds that could describe a place inside the innermost symbol around it, the best first. They have not been
/// tried.
pub(crate) fn finds_in_symbol(document: &dyn Document, offset: Offset) -> Vec<String> {
    let ladder = Ladder::new(document, Range::empty(offset), Wanted::Position);
    let ways = ladder.map_or_else(Vec::new, |ladder| ladder.in_symbol());
    ways.into_iter().filter_map(|location| location.find).collect()
}

/// All locations of a place that lead there and nowhere else, the best first.
pub fn descriptions(document: &dyn Document, offset: Offset) -> Vec<Location> {
    Ladder::new(document, Range::empty(offset), Wanted::Position).map_or_else(Vec::new, |ladder| ladder.all())
}

/// Describes a range of text. `None` if an end is not a position in the text.
pub fn describe_range(document: &dyn Document, range: Range) -> Option<Description> {
    Ladder::new(document, range, Wanted::Range)?.best()
}

/// Describes a range of text and a place in it. If several symbols have this range as their extent, the place tells
/// which one is meant: the one whose name is there.
pub fn describe_match(document: &dyn Document, range: Range, place: Offset) -> Option<Description> {
    let mut ladder = Ladder::new(document, range, Wanted::Range)?;
    ladder.place = Some(place);
    ladder.best()
}

/// All locations of a range of text that lead there and nowhere else, the best first.
pub fn range_descriptions(document: &dyn Document, range: Range) -> Vec<Location> {
    Ladder::new(document, range, Wanted::Range).map_or_else(Vec::new, |ladder| ladder.all())
}

/// The symbols of a document that are nested in at most `deepest` other symbols, in the order of the outline. Each
/// comes with the location that leads to it.
///
/// The limit bounds the size of the answer: if each symbol is nested in the one before, all paths together are far
/// longer than the text.
pub fn symbol_locations(document: &dyn Document, deepest: usize) -> Vec<(SymbolId, Location)> {
    let Some(outline) = document.outline() else { return Vec::new() };
    let named = |(id, path): (SymbolId, Vec<Segment>)| {
        let could_be_package = path.first().map(|first| &first.name) == outline.package.first();
        let scope = Some(Scope::Symbol(path));
        let location = Location { path: document.path().to_owned(), scope, ..Location::default() };
        let place = outline.get(id).name_range.start();
        // Only a path that starts like the package may have a second meaning.
        if could_be_package {
            (id, describe(document, place).map_or(location, |found| found.location))
        } else {
            (id, location)
        }
    };
    symbols::paths(outline, deepest).into_iter().map(named).collect()
}

/// From this size on, places are described by their coordinates alone.
///
/// Other descriptions need the symbols, and each is tried on the whole text. In a log file of a gigabyte that takes
/// minutes for one place. Source code that people write is never that large.
const LARGE: Extent = Extent::new(16 << 20);

fn is_large(text: &Text) -> bool {
    text.range().extent() >= LARGE
}

/// A snippet that is unique in the whole file is preferred to a path with a number if it has at most this many bytes.
const BRIEF: usize = 48;

/// How many tokens or symbols are compared for all places of one answer together.
const MOST_COMPARED_OF_ALL: usize = 1 << 23;

/// The ways to describe one place, tried in turn.
struct Ladder<'d> {
    document: &'d dyn Document,
    outline: Option<&'d Outline>,
    /// The innermost symbol around the target.
    symbol: Option<SymbolId>,
    /// What is described: a range, or a place as an empty range.
    target: Range,
    /// A place inside a range: the location must lead to it too.
    place: Option<Offset>,
    wanted: Wanted,
    /// How many tokens or symbols may be compared in the search for a unique text.
    most_compared: usize,
    /// Whether the location is to be stored, and so should still lead to the place after edits.
    is_to_last: bool,
}

/// A way to describe a place. It gives one or more locations.
type Way<'d> = fn(&Ladder<'d>) -> Vec<Location>;

impl<'d> Ladder<'d> {
    fn new(document: &'d dyn Document, target: Range, wanted: Wanted) -> Option<Ladder<'d>> {
        let text = document.text();
        if !text.is_boundary(target.start()) || !text.is_boundary(target.end()) {
            return None;
        }
        let outline = if is_large(text) { None } else { document.outline() };
        let symbol = outline.and_then(|outline| symbols::innermost(outline, target));
        let most_compared = snippet::MOST_COMPARED;
        // A range that is a whole symbol can be described only by its path, so its path may have a number.
        let is_to_last = wanted == Wanted::Position;
        Some(Ladder { document, outline, symbol, target, place: None, wanted, most_compared, is_to_last })
    }

    /// All locations to try, and whether each is stable. A location is made only when those before it have failed.
    fn rungs(&self) -> impl Iterator<Item = (Location, bool)> {
        let ways: [(Way<'d>, bool); 8] = [
            (Self::by_name, true),
            (Self::in_symbol, true),
            (Self::briefly_in_file, true),
            (Self::by_number, true),
            (Self::in_numbered_symbol, true),
            (Self::in_file, true),
            (Self::in_lines, false),
            (Self::by_coordinate, false),
        ];
        let skipped = if is_large(self.document.text()) { ways.len() - 1 } else { 0 };
        ways.into_iter().skip(skipped).flat_map(move |(way, is_stable)| {
            way(self).into_iter().map(move |location| (location, is_stable))
        })
    }

    /// The first location that leads back.
    fn best(&self) -> Option<Description> {
        let (location, stable) = self.rungs().find(|(location, _)| self.leads_back(location))?;
        Some(Description { location, stable, symbol: self.symbol })
    }

    fn all(&self) -> Vec<Location> {
        let mut all: Vec<Location> = Vec::new();
        for (location, _) in self.rungs() {
            if !all.contains(&location) && self.leads_back(&location) {
                all.push(location);
            }
        }
        all
    }

    /// Whether the location, written and parsed again, leads to the target and to nothing else.
    fn leads_back(&self, location: &Location) -> bool {
        locant_stop::check();
        let path = self.document.path();
        let is_read_back =
            Location::parse(&location.to_string(), &|other| other == path).as_ref() == Ok(location);
        is_read_back
            && match resolve_quietly(self.document, location, self.wanted) {
                Resolution::Found(found) => {
                    let is_target = match self.wanted {
                        Wanted::Position => found.offset == self.target.start(),
                        Wanted::Range => {
                            found.range == self.target && self.place.is_none_or(|place| found.offset == place)
                        }
                    };
                    is_target && found.matches == 1 && !found.partial
                }
                _ => false,
            }
    }

    fn location(&self, scope: Option<Scope>, find: Option<String>) -> Location {
        Location { path: self.document.path().to_owned(), scope, find, find_index: 0 }
    }

    /// Whether there are few enough symbols to compare all their paths.
    fn may_ask(&self, outline: &Outline) -> bool {
        outline.symbols().len() <= self.most_compared
    }

    /// The path of the symbol that is declared at the place. For a location that is to be stored, the path must need no
    /// number.
    fn by_name(&self) -> Vec<Location> {
        self.declared(|path| !self.is_to_last || !is_numbered(path))
    }

    /// The path of the symbol that is declared at the place, with a number because others have the same path. The
    /// number becomes wrong when one of them is added or removed.
    fn by_number(&self) -> Vec<Location> {
        self.declared(|path| self.is_to_last && is_numbered(path))
    }

    fn declared(&self, is_wanted: impl Fn(&[Segment]) -> bool) -> Vec<Location> {
        let Some(outline) = self.outline.filter(|outline| self.may_ask(outline)) else { return Vec::new() };
        let is_meant = |id: SymbolId| match self.wanted {
            Wanted::Position => outline.get(id).name_range.start() == self.target.start(),
            Wanted::Range => outline.get(id).extent == self.target,
        };
        let named = outline.iter().map(|(id, _)| id).filter(|&id| is_meant(id));
        let paths = named.map(|id| symbols::path_to(outline, id)).filter(|path| is_wanted(path));
        paths.map(|path| self.location(Some(Scope::Symbol(path)), None)).collect()
    }

    /// The smallest snippet that is unique in the innermost symbol and in all other symbols with its path.
    fn in_symbol(&self) -> Vec<Location> {
        let Some((outline, id)) = self.holder() else { return Vec::new() };
        let mut twins: Vec<SymbolId> = symbols::twins(outline, id).collect();
        // The symbol that holds the place comes first, because twins may touch each other.
        twins.sort_by_key(|&twin| twin != id);
        let mut path = symbols::path_to(outline, id);
        path.iter_mut().for_each(|segment| segment.index = None);
        self.in_group(outline, &twins, path)
    }

    /// The smallest snippet that is unique in the innermost symbol alone. Only for a symbol whose path needs a number,
    /// because others have the same path.
    fn in_numbered_symbol(&self) -> Vec<Location> {
        let Some((outline, id)) = self.holder() else { return Vec::new() };
        let path = symbols::path_to(outline, id);
        if is_numbered(&path) { self.in_group(outline, &[id], path) } else { Vec::new() }
    }

    /// The innermost symbol around the place, if there are few enough symbols to compare all their paths.
    fn holder(&self) -> Option<(&'d Outline, SymbolId)> {
        self.outline.filter(|outline| self.may_ask(outline)).zip(self.symbol)
    }

    /// The smallest snippet that is unique in a group of symbols. The path must lead to exactly these symbols.
    fn in_group(&self, outline: &Outline, group: &[SymbolId], path: Vec<Segment>) -> Vec<Location> {
        let mut extents: Vec<Range> =
            symbols::regions(outline, group).iter().map(|region| region.range).collect();
        extents.dedup();
        let scope = Scope::Symbol(path);
        self.snippets(&extents)
            .into_iter()
            .map(|find| self.location(Some(scope.clone()), Some(find)))
            .collect()
    }

    /// The smallest snippet that is unique in the file, if it is short and the location is to be stored. Unlike a path
    /// with a number, it does not depend on other symbols.
    fn briefly_in_file(&self) -> Vec<Location> {
        let is_brief = |location: &Location| location.find.as_ref().is_some_and(|find| find.len() <= BRIEF);
        if self.is_to_last { self.in_file().into_iter().filter(is_brief).collect() } else { Vec::new() }
    }

    /// The smallest snippet that is unique in the file.
    fn in_file(&self) -> Vec<Location> {
        let finds = self.snippets(&[self.document.text().range()]);
        finds.into_iter().map(|find| self.location(None, Some(find))).collect()
    }

    /// The lines themselves, or the smallest snippet that is unique in them.
    fn in_lines(&self) -> Vec<Location> {
        let text = self.document.text();
        let first = text.line_of(self.target.start());
        // A range of whole lines ends at the start of the next line.
        let is_after_break = text.line_start(text.line_of(self.target.end())) == Some(self.target.end());
        let last = text.line_of(self.target.end()) - u32::from(is_after_break && !self.target.is_empty());
        let (Some(start), Some(end)) = (text.line_start(first), text.line_with_break(last)) else {
            return Vec::new();
        };
        let scope = Scope::Lines { first, last: Some(last) };
        let lines = Range::new(start, end.end());
        let whole = (self.target == lines).then(|| self.location(Some(scope.clone()), None));
        let finds = self.snippets(&[lines]);
        let inside = finds.into_iter().map(|find| self.location(Some(scope.clone()), Some(find)));
        whole.into_iter().chain(inside).collect()
    }

    fn by_coordinate(&self) -> Vec<Location> {
        let position = |offset| self.document.text().position(offset, Encoding::Utf16);
        let Some(start) = position(self.target.start()) else { return Vec::new() };
        let end = if self.target.is_empty() { None } else { position(self.target.end()) };
        vec![self.location(Some(Scope::Coordinate { start, end }), None)]
    }

    /// The finds that lead to the target and should be unique in the given parts of the text.
    fn snippets(&self, parts: &[Range]) -> Vec<String> {
        match self.wanted {
            Wanted::Position => {
                snippet::at(self.document.text(), parts, self.target.start(), self.most_compared)
            }
            Wanted::Range => snippet::of(self.document.text(), self.target).into_iter().collect(),
        }
    }
}

fn is_numbered(path: &[Segment]) -> bool {
    path.iter().any(|segment| segment.index.is_some())
}
