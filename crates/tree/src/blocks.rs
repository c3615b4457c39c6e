//! The blocks of a tree in order, as the leaves of a balanced tree of summaries.
//!
//! A change copies the branches above the blocks that it replaces. All other blocks and branches are shared with the
//! previous version.

use std::ops::Range;
use std::sync::Arc;

use crate::block::{Block, Lengthening, Summary};
use crate::label::Labels;

/// A part of the tree of blocks, with its summary. This is one enum because a struct that contains an enum is a fifth
/// larger.
#[derive(Clone)]
pub(crate) enum Entry {
    /// A block, by its bytes.
    Block(Summary, Arc<[u8]>),
    /// Some entries of the same height.
    Branch(Summary, Arc<[Entry]>),
}

/// How many bytes the two reference counts of an `Arc` take.
pub(crate) const COUNTS: usize = 2 * size_of::<usize>();

/// The most entries that a branch can have. The number is small because an edit copies one branch at each level and
/// increments the reference count of each entry in it.
const WIDEST: usize = 7;
/// A branch with fewer entries is joined to a neighbour.
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

    /// One entry above all of `entries`, which must have the same height.
    pub(crate) fn above(mut entries: Vec<Entry>) -> Entry {
        while entries.len() > 1 {
            entries = group(entries);
        }
        entries.pop().unwrap_or_else(|| Entry::branch(Arc::default()))
    }

    /// The same tree with `blocks` in place of the blocks with the numbers `gone`. Unless the tree is empty, `gone`
    /// must not be empty.
    pub(crate) fn replace(&self, gone: Range<u32>, blocks: Vec<Entry>) -> Entry {
        if self.summary().blocks == 0 {
            return Entry::above(blocks);
        }
        let mut blocks = blocks.into_iter();
        let mut root = Entry::above(replaced(self, gone, &mut blocks));
        // A branch with only one entry is useless at the top.
        while let Entry::Branch(_, entries) = &root
            && let [only] = &**entries
        {
            root = only.clone();
        }
        root
    }

    /// The same tree after an edit inside a leaf: the block of the leaf and the branches above it get a new extent.
    /// `None` if the edit is not inside a leaf, or touches one of its ends.
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

    /// How many bytes this entry and everything below it take in memory, including the counts of each `Arc`.
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

/// Groups entries into branches of about equal width.
fn group(entries: Vec<Entry>) -> Vec<Entry> {
    let n_branches = entries.len().div_ceil(WIDEST);
    let width = entries.len().div_ceil(n_branches.max(1));
    let mut entries = entries.into_iter();
    (0..n_branches).map(|_| Entry::branch(entries.by_ref().take(width).collect())).collect()
}

/// The entries that replace `entry`, at the same height as `entry`. The blocks `gone` are replaced by all of `blocks`.
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
