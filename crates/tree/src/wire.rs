//! A tree as bytes, for a file or for sending. docs/tree.md describes the format with an example.
//!
//! The bytes contain the names of all kinds and fields that occur, so they do not depend on the version of the
//! grammar. Bytes that are read are not trusted: every step is checked, and everything that can be computed is
//! computed again.

use std::collections::HashSet;
use std::sync::Arc;
use std::{error, fmt};

use locant_text::{Offset, Range};

use crate::blocks::Entry;
use crate::build::Builder;
use crate::label::Labels;
use crate::path::{Goal, Spot};
use crate::stream::{Reader, Shape, Step, put_code, put_shape, put_varint};
use crate::{Event, Kind, Label, Tree, Vocabulary};

/// The first bytes: four letters and the version of the format.
const HEAD: &[u8] = b"ltre\x02";

const CHECK_BYTES: usize = 8;

const EXTRA: u8 = 1;
const MISSING: u8 = 2;
const LEAF: u8 = 4;
const FILLER: u8 = 8;
const LACKING: u8 = 16;

/// Why bytes are not a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// The bytes do not start as a tree does, or have another version of the format.
    Head,
    /// The bytes were changed or cut off: the checksum at their end does not match.
    Check,
    /// The names or labels are invalid.
    Words,
    /// The nodes are invalid.
    Nodes,
}

impl Tree {
    /// The tree as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = HEAD.to_vec();
        self.put_words(&mut bytes);
        for number in 0..self.root.summary().blocks {
            let spot = Spot::find(&self.root, Goal::Block(number)).expect("the number is that of a block");
            for step in spot.block.steps(&self.labels) {
                match step {
                    Step::Enter(code) => put_code(&mut bytes, code),
                    Step::Leaf(code, shape) => {
                        put_code(&mut bytes, code);
                        put_shape(&mut bytes, shape);
                    }
                }
            }
        }
        let check = check_of(&bytes);
        bytes.extend(check.to_le_bytes());
        bytes
    }

    /// The tree that [`Tree::to_bytes`] wrote. Its vocabulary has only the names that occur in the tree.
    pub fn from_bytes(bytes: &[u8]) -> Result<Tree, Malformed> {
        if !bytes.starts_with(HEAD) {
            return Err(Malformed::Head);
        }
        let (content, check) = bytes.split_last_chunk::<CHECK_BYTES>().ok_or(Malformed::Check)?;
        if u64::from_le_bytes(*check) != check_of(content) {
            return Err(Malformed::Check);
        }
        let mut reader = Reader::new(content.get(HEAD.len()..).ok_or(Malformed::Head)?);
        let (vocabulary, labels) = words(&mut reader).ok_or(Malformed::Words)?;
        let (labels, blocks) = nodes(&mut reader, labels).ok_or(Malformed::Nodes)?;
        Ok(Tree { root: Entry::above(blocks), labels: Arc::new(labels), vocabulary: Arc::new(vocabulary) })
    }

    /// The same tree with another vocabulary. `None` if that vocabulary lacks a name that occurs in the tree.
    pub fn with_vocabulary(&self, vocabulary: &Arc<Vocabulary>) -> Option<Tree> {
        let number = |index: usize| u16::try_from(index).ok();
        let relabelled = |&label: &Label| {
            if label.is_filler() {
                return Some(label);
            }
            let kind = self.vocabulary.kind(label);
            let kind = number(vocabulary.kinds().iter().position(|known| known == kind)?)?;
            let field = match self.vocabulary.field(label) {
                Some(field) => number(vocabulary.fields().iter().position(|known| known == field)? + 1)?,
                None => 0,
            };
            Some(label.renumbered(kind, field))
        };
        let labels: Option<Vec<Label>> = self.labels.as_slice().iter().map(relabelled).collect();
        Some(Tree {
            root: self.root.clone(),
            labels: Arc::new(Labels::from(labels?)),
            vocabulary: Arc::clone(vocabulary),
        })
    }

    /// Writes the kinds and fields that occur, and then the labels. The labels refer to kinds and fields by their
    /// numbers in these lists.
    fn put_words(&self, bytes: &mut Vec<u8>) {
        let (mut kinds, mut fields) = (Vec::new(), Vec::new());
        let mut labels = Vec::new();
        for &label in self.labels.as_slice() {
            let flags = [
                (label.is_extra(), EXTRA),
                (label.is_missing(), MISSING),
                (label.is_leaf(), LEAF),
                (label.is_filler(), FILLER),
                (label.is_lacking(), LACKING),
            ];
            let flags = flags.iter().map(|(is_set, flag)| u8::from(*is_set) * flag).sum();
            let is_node = !label.is_filler();
            let kind = is_node.then(|| number_in(&mut kinds, self.vocabulary.kind(label)));
            let field = if is_node { self.vocabulary.field(label) } else { None };
            put_varint(&mut labels, kind.unwrap_or(0));
            put_varint(&mut labels, field.map_or(0, |field| number_in(&mut fields, field) + 1));
            labels.push(flags);
        }
        put_varint(bytes, length(kinds.len()));
        for Kind { name, is_named } in kinds {
            put_varint(bytes, length(name.len()) << 1 | u32::from(*is_named));
            bytes.extend(name.as_bytes());
        }
        put_varint(bytes, length(fields.len()));
        for name in fields {
            put_varint(bytes, length(name.len()));
            bytes.extend(name.as_bytes());
        }
        put_varint(bytes, length(self.labels.as_slice().len()));
        bytes.extend(labels);
    }
}

/// The index of a word in a list. A new word is added to the list.
fn number_in<'w, W: PartialEq + ?Sized>(list: &mut Vec<&'w W>, word: &'w W) -> u32 {
    let at = list.iter().position(|&known| known == word).unwrap_or(list.len());
    if at == list.len() {
        list.push(word);
    }
    length(at)
}

fn length(length: usize) -> u32 {
    u32::try_from(length).expect("names and tables are short")
}

fn words(reader: &mut Reader<'_>) -> Option<(Vocabulary, Vec<Label>)> {
    let mut kinds = Vec::new();
    for _ in 0..reader.varint()? {
        let head = reader.varint()?;
        kinds.push(Kind { name: word(reader, head >> 1)?, is_named: head & 1 == 1 });
    }
    let mut fields = Vec::new();
    for _ in 0..reader.varint()? {
        let length = reader.varint()?;
        fields.push(word(reader, length)?);
    }
    let mut labels = Vec::new();
    for _ in 0..reader.varint()? {
        labels.push(label(reader, kinds.len(), fields.len())?);
    }
    // Each word may occur only once; otherwise the same node could be labelled in two ways.
    let n_kinds = kinds.iter().map(|kind| (&kind.name, kind.is_named)).collect::<HashSet<_>>().len();
    let n_fields = fields.iter().collect::<HashSet<_>>().len();
    let is_unique = n_kinds == kinds.len() && n_fields == fields.len();
    Some((Vocabulary::new(kinds, fields).filter(|_| is_unique)?, labels))
}

fn word(reader: &mut Reader<'_>, length: u32) -> Option<String> {
    let bytes = reader.take(length as usize)?;
    std::str::from_utf8(bytes).ok().map(str::to_owned)
}

fn label(reader: &mut Reader<'_>, n_kinds: usize, n_fields: usize) -> Option<Label> {
    let (kind, field, flags) = (reader.varint()?, reader.varint()?, reader.byte()?);
    if flags & FILLER != 0 {
        return (flags == FILLER | LEAF && kind == 0 && field == 0).then_some(Label::FILLER);
    }
    if kind as usize >= n_kinds
        || field as usize > n_fields
        || flags & !(EXTRA | MISSING | LEAF | LACKING) != 0
    {
        return None;
    }
    // If there are too many kinds or fields in total, `Vocabulary::new` refuses them later.
    let (kind, field) = (u16::try_from(kind).ok()?, u16::try_from(field).ok()?);
    let fits = usize::from(field) <= Label::MOST_FIELDS;
    let label = fits.then(|| Label::new(kind, field))?;
    let label = label.extra(flags & EXTRA != 0).missing(flags & MISSING != 0).lacking(flags & LACKING != 0);
    Some(if flags & LEAF != 0 { label.leaf() } else { label })
}

/// Builds the blocks again, from the events that the steps represent.
fn nodes(reader: &mut Reader<'_>, labels: Vec<Label>) -> Option<(Labels, Vec<Entry>)> {
    let labels = Labels::from(labels);
    let mut builder = Builder::new(labels.clone(), Offset::ZERO);
    let (mut end, mut depth) = (0u32, 0u32);
    let mut entered = Vec::new();
    while reader.n_left() > 0 {
        match reader.step(&labels)? {
            Step::Enter(code) => entered.push(labels.get(code)),
            Step::Leaf(code, Shape { gap, length, closes }) => {
                let start = end.checked_add(gap)?;
                end = start.checked_add(length).filter(|&end| end < u32::MAX)?;
                let range = Range::new(Offset::new(start), Offset::new(end));
                depth = depth.checked_add(u32::try_from(entered.len()).ok()?)?.checked_sub(closes)?;
                for label in entered.drain(..) {
                    builder.push(Event::Enter { label, start: range.start() })?;
                }
                let label = labels.get(code);
                if !label.is_filler() {
                    builder.push(Event::Leaf { label: label.plain(), range })?;
                }
                for _ in 0..closes {
                    builder.push(Event::Leave { end: range.end() })?;
                }
            }
        }
    }
    (depth == 0 && entered.is_empty()).then(|| builder.finish())
}

/// The checksum of some bytes: a hash like FNV-1a, but eight bytes at a time. It detects accidental changes, not
/// changes that were made so as to keep the checksum.
pub fn check_of(bytes: &[u8]) -> u64 {
    const PRIME: u64 = 0x100_0000_01b3;
    let (words, rest) = bytes.as_chunks::<8>();
    let start = 0xcbf2_9ce4_8422_2325 ^ bytes.len() as u64;
    let step = |digest: u64, word: u64| {
        let mixed = (digest ^ word).wrapping_mul(PRIME);
        // A multiplication moves bits only upwards. Without this shift, the high bits of a word would affect few
        // others.
        mixed ^ (mixed >> 29)
    };
    let digest = words.iter().fold(start, |digest, word| step(digest, u64::from_le_bytes(*word)));
    rest.iter().fold(digest, |digest, &byte| step(digest, byte.into()))
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Malformed::Head => "the bytes are no position tree, or one of another version",
            Malformed::Check => "the position tree was damaged: its check does not fit",
            Malformed::Words => "the words of the position tree are not whole",
            Malformed::Nodes => "the nodes of the position tree are not whole",
        })
    }
}

impl error::Error for Malformed {}
