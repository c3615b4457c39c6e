//! The table of locations: the range of text for each path through the descriptor.
//!
//! Locations are in the order in which the parser opens them, as in protoc's tables. The ranges are in bytes; lines and
//! columns are counted on demand.

use locant_text::Offset;

use crate::comments::Comment;

/// The number of a location in its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocationId(u32);

/// All locations of one file, as the parser recorded them.
#[derive(Clone, Debug, Default)]
pub struct Table {
    entries: Vec<Entry>,
    /// All paths, one after the other.
    paths: Vec<i32>,
    notes: Vec<Notes>,
    /// All detached comments, one after the other.
    detached: Vec<Comment>,
}

/// One location: a part of the descriptor and its range of text.
///
/// An entry is 24 bytes. The path `[4, 0, 2, 0]` of a field at bytes 16 to 40 with a comment is
/// `{ path: 7, path_len: 4, start: 16, end: 40, notes: 0 }` when its numbers start at index 7 of `paths`.
#[derive(Clone, Copy, Debug)]
struct Entry {
    path: u32,
    path_len: u16,
    layer: Layer,
    start: u32,
    /// Where it ends; before `start` for the location of a file that has only comments.
    end: u32,
    notes: u32,
}

/// How a location appears in the three tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layer {
    /// In all tables, with the same path.
    Plain,
    /// An option: its path changes once it is interpreted.
    Option,
    /// A part of an option. It is left out once the option is interpreted.
    OptionPart,
}

/// The comments of a location.
#[derive(Clone, Copy, Debug)]
struct Notes {
    leading: Option<Comment>,
    trailing: Option<Comment>,
    detached: (u32, u32),
}

const NO_NOTES: u32 = u32::MAX;
const OPEN: u32 = u32::MAX;

/// A location as a reader of the table sees it.
#[derive(Clone, Copy, Debug)]
pub struct Location<'t> {
    table: &'t Table,
    id: LocationId,
}

impl LocationId {
    /// The id of the location at an index of the table.
    pub(crate) fn at(index: usize) -> LocationId {
        LocationId(to_u32(index))
    }

    /// The index of the location in the table.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Table {
    /// How many locations there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no locations.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// One location.
    pub fn get(&self, id: LocationId) -> Location<'_> {
        Location { table: self, id }
    }

    /// All locations, in protoc's order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Location<'_>> {
        (0..self.len()).map(|index| self.get(LocationId(to_u32(index))))
    }

    /// Adds a location that starts at `start` and has no end yet. Its path is `path` followed by `tail`.
    pub(crate) fn open(&mut self, path: &[i32], tail: &[i32], start: u32, layer: Layer) -> LocationId {
        let id = LocationId(to_u32(self.entries.len()));
        let path_start = to_u32(self.paths.len());
        self.paths.extend_from_slice(path);
        self.paths.extend_from_slice(tail);
        let path_len =
            u16::try_from(path.len() + tail.len()).expect("nesting is bounded, so paths are short");
        self.entries.push(Entry { path: path_start, path_len, layer, start, end: OPEN, notes: NO_NOTES });
        id
    }

    /// Sets the end of a location, unless it already has one.
    pub(crate) fn close(&mut self, id: LocationId, end: u32) {
        let entry = &mut self.entries[id.index()];
        if entry.end == OPEN {
            entry.end = end;
        }
    }

    /// The number of the location that will be added next.
    pub(crate) fn next_id(&self) -> LocationId {
        LocationId(to_u32(self.entries.len()))
    }

    /// Removes all locations from `id` on and returns their paths, starts, ends and layers.
    pub(crate) fn take_from(&mut self, id: LocationId) -> Vec<(Vec<i32>, u32, u32, Layer)> {
        let taken = (id.index()..self.len()).map(|index| {
            let entry = self.entries[index];
            (self.path_of(&entry).to_vec(), entry.start, entry.end, entry.layer)
        });
        let taken: Vec<_> = taken.collect();
        self.entries.truncate(id.index());
        taken
    }

    pub(crate) fn attach(
        &mut self,
        id: LocationId,
        leading: Option<Comment>,
        trailing: Option<Comment>,
        detached: &[Comment],
    ) {
        if leading.is_none() && trailing.is_none() && detached.is_empty() {
            return;
        }
        let first = to_u32(self.detached.len());
        self.detached.extend_from_slice(detached);
        self.entries[id.index()].notes = to_u32(self.notes.len());
        let detached = (first, to_u32(self.detached.len()));
        self.notes.push(Notes { leading, trailing, detached });
    }

    fn path_of(&self, entry: &Entry) -> &[i32] {
        &self.paths[entry.path as usize..][..usize::from(entry.path_len)]
    }
}

impl<'t> Location<'t> {
    /// Its number in the table.
    pub fn id(self) -> LocationId {
        self.id
    }

    /// Its path, with options not interpreted.
    pub fn path(self) -> &'t [i32] {
        self.table.path_of(self.entry())
    }

    /// Where it starts.
    pub fn start(self) -> Offset {
        Offset::new(self.entry().start)
    }

    /// Where it ends; before its start when a file has only comments, as in protoc's tables.
    pub fn end(self) -> Offset {
        Offset::new(self.entry().end)
    }

    /// The text of its leading comment.
    pub fn leading(self, bytes: &[u8]) -> Option<Vec<u8>> {
        self.notes()?.leading.map(|comment| comment.text(bytes)).filter(|text| !text.is_empty())
    }

    /// The text of its trailing comment.
    pub fn trailing(self, bytes: &[u8]) -> Option<Vec<u8>> {
        self.notes()?.trailing.map(|comment| comment.text(bytes)).filter(|text| !text.is_empty())
    }

    /// The texts of the detached comments before it, which belong to no declaration.
    pub fn detached(self, bytes: &[u8]) -> Vec<Vec<u8>> {
        let (first, last) = self.notes().map_or((0, 0), |notes| notes.detached);
        let detached = &self.table.detached[first as usize..last as usize];
        detached.iter().map(|comment| comment.text(bytes)).collect()
    }

    /// The range of its leading comment.
    pub(crate) fn leading_comment(self) -> Option<Comment> {
        self.notes()?.leading
    }

    /// The role of the comment at a place for this location; `None` when none of its comments is there.
    pub(crate) fn role_of_comment(self, at: Offset) -> Option<&'static str> {
        let notes = self.notes()?;
        let covers = |comment: &Comment| comment.start <= at.to_u32() && at.to_u32() < comment.end;
        let (first, last) = notes.detached;
        let mut detached = self.table.detached[first as usize..last as usize].iter();
        match (notes.leading, notes.trailing) {
            (Some(leading), _) if covers(&leading) => Some("leading"),
            (_, Some(trailing)) if covers(&trailing) => Some("trailing"),
            _ => detached.any(covers).then_some("leading detached"),
        }
    }

    pub(crate) fn layer(self) -> Layer {
        self.entry().layer
    }

    fn entry(self) -> &'t Entry {
        &self.table.entries[self.id.index()]
    }

    fn notes(self) -> Option<&'t Notes> {
        self.table.notes.get(self.entry().notes as usize)
    }
}

fn to_u32(index: usize) -> u32 {
    u32::try_from(index).expect("there are fewer locations and numbers in paths than 32 bits count")
}
