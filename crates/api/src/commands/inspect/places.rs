//! The words and punctuation characters of a file, each with the location that `describe` gives for its start.
//!
//! A file of ten thousand lines has about a hundred thousand of these words and characters, so they are packed. Most
//! locations consist of a scope that many locations share, and a find that is a piece of the source with the marker at
//! the place. Then only the number of the scope and the piece are stored. The page puts them together again.

use std::collections::HashMap;
use std::convert::Infallible;

use locant_engine::{self as engine, Description, Document, Location, Range};
use serde::Serialize;

use crate::base64::Base64;
use crate::ordered::in_order;

/// If a file has more words and punctuation characters than this, they are not described.
const MOST_DESCRIBED: usize = 400_000;

/// The packed words and punctuation characters.
#[derive(Default, Serialize)]
pub(super) struct Places {
    /// For each word or punctuation character: the gap after the one before, and its length.
    tokens: Base64,
    /// For each word or punctuation character: how its location is made, and the numbers for that. Empty if there are
    /// too many to describe.
    locations: Base64,
    /// What locations start with: the path and the scope.
    fronts: Vec<String>,
    /// The finds that are not a piece of the source.
    finds: Vec<String>,
}

/// How a location is made. In the packed form, a bit beside it tells whether the location is stable.
enum Way {
    /// There is no location.
    Nothing,
    /// The front alone.
    Front,
    /// The front, and a piece of the source with the marker `<|>` at the place.
    Piece { before: u32, after: u32 },
    /// The front, and a find from the list.
    Find(u32),
}

impl Places {
    pub(super) fn of(document: &Document) -> Places {
        let tokens: Vec<Range> = engine::tokens(document).collect();
        let mut packed = Places { tokens: Base64(spans(&tokens)), ..Places::default() };
        if tokens.len() <= MOST_DESCRIBED {
            let mut packing = Packing { document, known: HashMap::new(), packed: &mut packed };
            packing.describe(&tokens);
        }
        packed
    }
}

/// How many words are described at a time by each core.
const AT_ONCE: usize = 1024;

/// About how many bytes a description takes.
const DESCRIPTION: usize = 200;

/// Packs the locations one after the other.
struct Packing<'p> {
    document: &'p Document,
    /// The numbers of the fronts.
    known: HashMap<String, u32>,
    packed: &'p mut Places,
}

impl Packing<'_> {
    /// Describes all words, on all cores.
    fn describe(&mut self, tokens: &[Range]) {
        let document = self.document;
        let some: Vec<&[Range]> = tokens.chunks(AT_ONCE).collect();
        let work = |tokens: &&[Range]| -> Vec<Option<Description>> {
            tokens.iter().map(|token| engine::describe(document, token.start())).collect()
        };
        let room = |done: &Vec<Option<Description>>| done.len() * DESCRIPTION;
        let mut left = tokens.iter();
        let taken: Result<(), Infallible> = in_order(&some, work, room, |done| {
            locant_stop::check();
            done.into_iter()
                .zip(left.by_ref())
                .for_each(|(description, token)| self.add(*token, description));
            Ok(())
        });
        let Ok(()) = taken;
    }

    fn add(&mut self, token: Range, description: Option<Description>) {
        let Some(description) = description else {
            return self.put(&Way::Nothing, false, 0);
        };
        let Location { find, .. } = &description.location;
        let front = Location { find: None, ..description.location.clone() };
        let way = match find {
            None => Way::Front,
            Some(find) => self.piece(token, find).unwrap_or_else(|| Way::Find(self.listed(find))),
        };
        let front = self.front(front.to_string());
        self.put(&way, description.stable, front);
    }

    /// The find as a piece of the source around the place; `None` if the source does not contain it there.
    fn piece(&self, token: Range, find: &str) -> Option<Way> {
        let (before, after) = find.split_once("<|>")?;
        let (bytes, at) = (self.document.text().bytes(), token.start().index());
        let is_there = bytes[..at].ends_with(before.as_bytes()) && bytes[at..].starts_with(after.as_bytes());
        let length = |part: &str| u32::try_from(part.len()).ok();
        is_there.then_some(Way::Piece { before: length(before)?, after: length(after)? })
    }

    fn front(&mut self, front: String) -> u32 {
        let fronts = &mut self.packed.fronts;
        *self.known.entry(front).or_insert_with_key(|front| {
            fronts.push(front.clone());
            number(fronts.len() - 1)
        })
    }

    fn listed(&mut self, find: &str) -> u32 {
        self.packed.finds.push(find.to_owned());
        number(self.packed.finds.len() - 1)
    }

    fn put(&mut self, way: &Way, is_stable: bool, front: u32) {
        let out = &mut self.packed.locations.0;
        let (kind, numbers) = match way {
            Way::Nothing => (0, [None, None]),
            Way::Front => (1, [None, None]),
            Way::Piece { before, after } => (2, [Some(*before), Some(*after)]),
            Way::Find(index) => (3, [Some(*index), None]),
        };
        put_varint(out, kind << 1 | u32::from(is_stable));
        if kind > 0 {
            put_varint(out, front);
        }
        numbers.into_iter().flatten().for_each(|number| put_varint(out, number));
    }
}

fn number(length: usize) -> u32 {
    u32::try_from(length).expect("a file has fewer words than bytes")
}

/// The ranges as gaps and lengths.
fn spans(ranges: &[Range]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut end = 0;
    for range in ranges {
        put_varint(&mut out, range.start().to_u32() - end);
        put_varint(&mut out, range.end().to_u32() - range.start().to_u32());
        end = range.end().to_u32();
    }
    out
}

/// Writes a number in groups of seven bits, the low bits first. The high bit is set in all bytes but the last: 300 is
/// `ac 02`.
fn put_varint(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        out.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    out.push(number.to_le_bytes()[0]);
}
