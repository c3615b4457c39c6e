//! The blocks of a tree in order, as a tree of their summaries.
//!
//! A change copies the branches above the blocks it replaces and shares all others with the version before.

use std::ops::Range;
use std::sync::Arc;

use crate::block::Summary;

/// A block or a branch, with its summary.
#[derive(Clone)]
pub(crate) struct Entry {
    pub(crate) summary: Summary,
    pub(crate) below: Below,
}

/// What stands below an entry.
#[derive(Clone)]
pub(crate) enum Below {
    /// A block, by its bytes.
    Block(Arc<[u8]>),
    /// Some entries of the same height.
    Branch(Arc<[Entry]>),
}

/// How many entries a branch has at most. Few, since an edit counts a reference more for each entry beside its own.
const WIDEST: usize = 12;
const NARROWEST: usize = WIDEST / 4;

impl Entry {
    pub(crate) fn block((summary, bytes): (Summary, Arc<[u8]>)) -> Entry {
        Entry { summary, below: Below::Block(bytes) }
    }

    pub(crate) fn branch(entries: Arc<[Entry]>) -> Entry {
        let join = |sum: Summary, entry: &Entry| sum.then(entry.summary);
        Entry { summary: entries.iter().fold(Summary::default(), join), below: Below::Branch(entries) }
    }

    /// One entry above all of these, which have the same height.
    pub(crate) fn above(mut entries: Vec<Entry>) -> Entry {
        while entries.len() > 1 {
            entries = group(entries);
        }
        entries.pop().unwrap_or_else(|| Entry::branch(Arc::default()))
    }

    /// With other blocks in place of some, which are at least one if there are any.
    pub(crate) fn replace(&self, gone: Range<u32>, blocks: Vec<Entry>) -> Entry {
        if self.summary.blocks == 0 {
            return Entry::above(blocks);
        }
        let mut blocks = blocks.into_iter();
        let mut root = Entry::above(replaced(self, gone, &mut blocks));
        // A branch with one entry says nothing.
        while let Below::Branch(entries) = &root.below
            && let [only] = &**entries
        {
            root = only.clone();
        }
        root
    }

    /// The bytes that this entry and all below it take, with what the allocator keeps beside an `Arc`.
    pub(crate) fn n_bytes(&self) -> usize {
        const COUNTS: usize = 2 * size_of::<usize>();
        match &self.below {
            Below::Block(bytes) => COUNTS + bytes.len(),
            Below::Branch(entries) => {
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

/// What takes the place of an entry, at the same height.
fn replaced(entry: &Entry, gone: Range<u32>, blocks: &mut dyn Iterator<Item = Entry>) -> Vec<Entry> {
    let Below::Branch(entries) = &entry.below else { return blocks.collect() };
    let mut kept = Vec::with_capacity(entries.len() + 4);
    let mut first = 0;
    for entry in &**entries {
        let end = first + entry.summary.blocks;
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
    let width = |entry: &Entry| match &entry.below {
        Below::Block(_) => WIDEST,
        Below::Branch(entries) => entries.len(),
    };
    let mut wide: Vec<Entry> = Vec::with_capacity(entries.len());
    for entry in entries {
        let is_narrow = |last: &Entry| width(last) < NARROWEST || width(&entry) < NARROWEST;
        match (wide.pop_if(|last| is_narrow(last)), &entry.below) {
            (Some(Entry { below: Below::Branch(left), .. }), Below::Branch(right)) => {
                wide.extend(group([&*left, right].concat()));
            }
            (Some(last), _) => wide.extend([last, entry]),
            (None, _) => wide.push(entry),
        }
    }
    wide
}
