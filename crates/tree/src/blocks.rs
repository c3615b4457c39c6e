//! The blocks of a tree in order, as the leaves of a tree of their summaries.
//!
//! A change copies the branches above the blocks it replaces and shares all others with the version before.

use std::ops::Range;
use std::sync::Arc;

use crate::block::{Block, Lengthening, Summary};
use crate::label::Labels;

/// A part of the tree of blocks, with its summary. One enum, because a struct with an enum inside is a fifth larger.
#[derive(Clone)]
pub(crate) enum Entry {
    /// A block, by its bytes.
    Block(Summary, Arc<[u8]>),
    /// Some entries of the same height.
    Branch(Summary, Arc<[Entry]>),
}

/// How many bytes of memory the counts beside the content of an `Arc` take.
pub(crate) const COUNTS: usize = 2 * size_of::<usize>();

/// How many entries a branch has at most. Few, since an edit copies a branch of each level, and must count one more
/// reference to each entry in it.
const WIDEST: usize = 7;
/// Branches with fewer entries are joined to a neighbour.
const NARROWEST: usize = 2;

impl Entry {
    pub(crate) fn branch(entries: Arc<[Entry]>) -> Entry {
        let join = |sum: Summary, entry: &Entry| sum.then(*entry.summary());
        Entry::Branch(entries.iter().fold(Summary::default(), join), entries)
    }

    #[inline]
    pub(crate) fn summary(&self) -> &Summary {
        match self {
            Entry::Block(summary, _) | Entry::Branch(summary, _) => summary,
        }
    }

    /// One entry above all of these, which have the same height.
    pub(crate) fn above(mut entries: Vec<Entry>) -> Entry {
        while entries.len() > 1 {
            entries = group(entries);
        }
        entries.pop().unwrap_or_else(|| Entry::branch(Arc::default()))
    }

    /// The same entry with new blocks in place of the blocks `gone`. If there are any blocks, at least one is replaced.
    pub(crate) fn replace(&self, gone: Range<u32>, blocks: Vec<Entry>) -> Entry {
        if self.summary().blocks == 0 {
            return Entry::above(blocks);
        }
        let mut blocks = blocks.into_iter();
        let mut root = Entry::above(replaced(self, gone, &mut blocks));
        // A branch with one entry is of no use at the top.
        while let Entry::Branch(_, entries) = &root
            && let [only] = &**entries
        {
            root = only.clone();
        }
        root
    }

    /// The same entry after an edit inside one of its leaves: the block of the leaf and the branches above it get
    /// another extent. `None` when the edit touches the ends of a leaf or is in none.
    pub(crate) fn lengthened(&self, labels: &Labels, edit: Lengthening) -> Option<Entry> {
        let longer =
            |summary: &Summary, edit: Lengthening| Summary { extent: edit.moved(summary.extent), ..*summary };
        match self {
            Entry::Block(summary, bytes) => {
                let bytes = Block::new(bytes).edited(labels, edit)?;
                Some(Entry::Block(longer(summary, edit), bytes))
            }
            Entry::Branch(summary, entries) => {
                let (mut index, mut below) = (0, edit);
                while entries.get(index)?.summary().extent <= below.start {
                    let extent = entries[index].summary().extent;
                    (below.start, below.end) = (below.start - extent, below.end - extent);
                    index += 1;
                }
                let entry = entries[index].lengthened(labels, below)?;
                let mut entries: Arc<[Entry]> = Arc::from(&**entries);
                Arc::get_mut(&mut entries).expect("nobody else has it yet")[index] = entry;
                Some(Entry::Branch(longer(summary, edit), entries))
            }
        }
    }

    /// How many bytes this entry and all below it take in memory, with the counts of each `Arc`.
    pub(crate) fn n_bytes(&self) -> usize {
        match self {
            Entry::Block(_, bytes) => COUNTS + bytes.len(),
            Entry::Branch(_, entries) => {
                let own = COUNTS + size_of_val(&**entries);
                own + entries.iter().map(Entry::n_bytes).sum::<usize>()
            }
        }
    }
}

/// Branches over these entries, all about equally wide.
fn group(entries: Vec<Entry>) -> Vec<Entry> {
    let n_branches = entries.len().div_ceil(WIDEST);
    let width = entries.len().div_ceil(n_branches.max(1));
    let mut entries = entries.into_iter();
    (0..n_branches).map(|_| Entry::branch(entries.by_ref().take(width).collect())).collect()
}

/// The entries that take the place of an entry, at the same height: the blocks `gone` are replaced by all of `blocks`.
fn replaced(entry: &Entry, gone: Range<u32>, blocks: &mut dyn Iterator<Item = Entry>) -> Vec<Entry> {
    let Entry::Branch(_, entries) = entry else { return blocks.collect() };
    let mut kept = Vec::with_capacity(entries.len() + 4);
    let mut first = 0;
    for entry in &**entries {
        let end = first + entry.summary().blocks;
        if end <= gone.start || gone.end <= first {
            kept.push(entry.clone());
        } else {
            let within = gone.start.saturating_sub(first)..gone.end - first;
            kept.extend(replaced(entry, within, blocks));
        }
        first = end;
    }
    group(widened(kept))
}

/// The same entries, with narrow branches joined to a neighbour.
fn widened(entries: Vec<Entry>) -> Vec<Entry> {
    let width = |entry: &Entry| match entry {
        Entry::Block(..) => WIDEST,
        Entry::Branch(_, entries) => entries.len(),
    };
    let mut wide: Vec<Entry> = Vec::with_capacity(entries.len());
    for entry in entries {
        let is_narrow = |last: &Entry| width(last) < NARROWEST || width(&entry) < NARROWEST;
        match (wide.pop_if(|last| is_narrow(last)), &entry) {
            (Some(Entry::Branch(_, left)), Entry::Branch(_, right)) => {
                wide.extend(group([&*left, right].concat()));
            }
            (Some(last), _) => wide.extend([last, entry]),
            (None, _) => wide.push(entry),
        }
    }
    wide
}
