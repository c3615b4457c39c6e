//! From a place, or a node, to the path of nodes that leads there.
//!
//! One descent finds the block; one scan of it finds the lower part of the path. What is open above lies in the
//! lists of openings of the blocks to the left, and where it ends in the closings of those to the right: summaries
//! tell which blocks have any, and all others are passed by.

use locant_text::{Offset, Range};

use crate::block::{Block, Opening, Steps, Summary};
use crate::blocks::Entry;
use crate::label::Labels;
use crate::stream::Step;
use crate::tree::{Node, NodeId, Tree};

impl Tree {
    /// The nodes that contain the byte behind an offset, the outermost first; none when no node does.
    pub fn path(&self, offset: Offset) -> Vec<Node> {
        let mut path = Vec::with_capacity(LIKELY);
        self.path_into(&mut path, offset);
        path
    }

    /// The same, into a vector that is used again.
    pub fn path_into(&self, path: &mut Vec<Node>, offset: Offset) {
        self.follow(path, Goal::Offset(offset.to_u32()));
    }

    /// The nodes from the outermost to the given one; none when there is no such node.
    pub fn path_to(&self, id: NodeId) -> Vec<Node> {
        let mut path = Vec::with_capacity(LIKELY);
        self.follow(&mut path, Goal::Node(id.0));
        path
    }

    /// Writes the path to a goal, the outermost node first.
    pub(crate) fn follow(&self, path: &mut Vec<Node>, goal: Goal) {
        path.clear();
        let Some(spot) = Spot::find(&self.root, goal) else { return };
        let mut scan = Scan::new(&spot, &self.labels);
        if !scan.find(path, goal) {
            path.clear();
            return;
        }
        let n_own = path.len();
        path.reverse();
        spot.openings(path, &self.labels, scan.n_closed);
        let mut ends = Ends { path, n_ended: 0, n_between: scan.n_between, offset: 0, nodes: 0 };
        if scan.is_on_leaf {
            ends.n_ended = 1;
        }
        scan.finish(&mut ends, &spot, n_own);
        spot.closings(&mut ends);
        path.reverse();
    }
}

/// More nodes than this are rarely above each other.
const LIKELY: usize = 32;

/// What is looked for.
#[derive(Clone, Copy)]
pub(crate) enum Goal {
    /// The innermost node that contains the byte behind it.
    Offset(u32),
    /// The node with this number.
    Node(u32),
    /// The block with this number.
    Block(u32),
}

impl Goal {
    /// Is it in the stretch that starts at the given offset, node and block, which are not behind the goal?
    #[inline]
    fn is_in(self, summary: &Summary, offset: u32, nodes: u32, number: u32) -> bool {
        match self {
            Goal::Offset(goal) => goal - offset < summary.extent,
            Goal::Node(goal) => goal - nodes < summary.nodes,
            Goal::Block(goal) => goal - number < summary.blocks,
        }
    }
}

/// Trees of blocks are not higher: branches have at least two entries, but for a few that edits have left with one.
const HIGHEST: usize = 24;

/// A block, and the way from the root to it.
pub(crate) struct Spot<'t> {
    levels: [(&'t [Entry], usize); HIGHEST],
    n_levels: usize,
    pub(crate) block: Block<'t>,
    pub(crate) summary: Summary,
    /// Where the block starts, how many nodes start before it, and which block it is.
    pub(crate) offset: u32,
    nodes: u32,
    pub(crate) number: u32,
}

impl<'t> Spot<'t> {
    pub(crate) fn find(root: &'t Entry, goal: Goal) -> Option<Spot<'t>> {
        if !goal.is_in(root.summary(), 0, 0, 0) {
            return None;
        }
        let (mut entry, mut offset, mut nodes, mut number) = (root, 0, 0, 0);
        let (mut levels, mut n_levels): ([(&[Entry], usize); HIGHEST], usize) = ([(&[], 0); HIGHEST], 0);
        while let Entry::Branch(_, entries) = entry {
            let index = entries.iter().map(Entry::summary).position(|summary| {
                let is_here = goal.is_in(summary, offset, nodes, number);
                if !is_here {
                    offset += summary.extent;
                    nodes += summary.nodes;
                    number += summary.blocks;
                }
                is_here
            })?;
            levels[n_levels] = (entries, index);
            n_levels += 1;
            entry = &entries[index];
        }
        let Entry::Block(summary, bytes) = entry else { return None };
        Some(Spot { levels, n_levels, block: Block::new(bytes), summary: *summary, offset, nodes, number })
    }

    /// The nodes that are open where the block starts, the outermost first.
    pub(crate) fn open(&self, labels: &Labels) -> Vec<Node> {
        let mut path = Vec::new();
        self.openings(&mut path, labels, 0);
        path.reverse();
        path
    }

    /// Adds the nodes that are open where the block starts and have not ended yet, the innermost first.
    fn openings(&self, path: &mut Vec<Node>, labels: &Labels, n_closed: u32) {
        let mut walk = Openings { path, labels, n_closed, offset: self.offset, nodes: self.nodes };
        for (entries, index) in self.levels[..self.n_levels].iter().rev() {
            walk.entries(&entries[..*index]);
        }
    }

    /// Finds the ends of the nodes that are open where the block ends.
    fn closings(&self, ends: &mut Ends<'_>) {
        ends.offset = self.offset + self.summary.extent;
        ends.nodes = self.nodes + self.summary.nodes;
        for (entries, index) in self.levels[..self.n_levels].iter().rev() {
            ends.entries(&entries[index + 1..]);
        }
    }
}

/// A walk to the left for nodes that are still open.
struct Openings<'p> {
    path: &'p mut Vec<Node>,
    labels: &'p Labels,
    /// How many of the next nodes found have ended already.
    n_closed: u32,
    offset: u32,
    nodes: u32,
}

impl Openings<'_> {
    fn entries(&mut self, entries: &[Entry]) {
        for entry in entries.iter().rev() {
            let summary = entry.summary();
            if summary.opens > self.n_closed {
                match entry {
                    Entry::Branch(_, entries) => {
                        self.entries(entries);
                        continue;
                    }
                    Entry::Block(_, bytes) => self.block(Block::new(bytes), summary.extent, summary.nodes),
                }
            }
            self.offset -= summary.extent;
            self.nodes -= summary.nodes;
            self.n_closed = self.n_closed.saturating_sub(summary.opens) + summary.closes;
        }
    }

    fn block(&mut self, block: Block<'_>, extent: u32, nodes: u32) {
        let (offset, nodes) = (self.offset - extent, self.nodes - nodes);
        for opening in block.openings().skip(self.n_closed as usize) {
            let id = NodeId(nodes + opening.index);
            let start = Offset::new(offset + opening.start);
            let label = self.labels.get(opening.code);
            self.path.push(Node { id, label, range: Range::empty(start), behind: id });
        }
    }
}

/// A walk to the right for the ends of the nodes of a path, which has the innermost first.
struct Ends<'p> {
    path: &'p mut Vec<Node>,
    /// How many of them have their end.
    n_ended: usize,
    /// How many other nodes are open, all of them inside the next one to end.
    n_between: u32,
    /// How far it has come.
    offset: u32,
    nodes: u32,
}

impl Ends<'_> {
    fn is_done(&self) -> bool {
        self.n_ended == self.path.len()
    }

    /// So many nodes end at a place, with so many nodes before it.
    #[inline]
    fn close(&mut self, count: u32, end: u32, nodes: u32) {
        let n_between = self.n_between.min(count);
        self.n_between -= n_between;
        for _ in n_between..count {
            let Some(node) = self.path.get_mut(self.n_ended) else { return };
            node.range = Range::new(node.range.start(), Offset::new(end));
            node.behind = NodeId(nodes);
            self.n_ended += 1;
        }
    }

    /// Passes entries, of which the first starts where the walk is.
    fn entries(&mut self, entries: &[Entry]) {
        for entry in entries {
            let summary = entry.summary();
            if summary.closes > self.n_between {
                if self.is_done() {
                    return;
                }
                match entry {
                    Entry::Block(_, bytes) => self.block(Block::new(bytes)),
                    Entry::Branch(_, entries) => {
                        self.entries(entries);
                        continue;
                    }
                }
                self.n_between = summary.opens;
            } else {
                self.n_between = self.n_between - summary.closes + summary.opens;
            }
            self.offset += summary.extent;
            self.nodes += summary.nodes;
        }
    }

    fn block(&mut self, block: Block<'_>) {
        let (offset, nodes) = (self.offset, self.nodes);
        for closing in block.closings() {
            self.close(closing.count, offset + closing.end, nodes + closing.nodes);
        }
    }
}

/// A walk through one block.
struct Scan<'t> {
    steps: Steps<'t>,
    labels: &'t Labels,
    /// Where the last leaf ends, and how many nodes start before that.
    end: u32,
    nodes: u32,
    /// How many nodes have ended that were open before the block.
    n_closed: u32,
    /// How many nodes are open that do not lie on the path.
    n_between: u32,
    /// How many nodes end with the last leaf that have not been looked at.
    closes: u32,
    is_on_leaf: bool,
}

impl<'t> Scan<'t> {
    fn new(spot: &Spot<'t>, labels: &'t Labels) -> Scan<'t> {
        Scan {
            steps: spot.block.steps(labels),
            labels,
            end: spot.offset,
            nodes: spot.nodes,
            n_closed: 0,
            n_between: 0,
            closes: 0,
            is_on_leaf: false,
        }
    }

    /// Goes to the goal. The path then has the nodes of this block that lead there, the outermost first.
    #[inline]
    fn find(&mut self, path: &mut Vec<Node>, goal: Goal) -> bool {
        // How many nodes of the path have their start, and how many belong to it when the goal was met.
        let (mut n_started, mut n_wanted) = (0, usize::MAX);
        while let Some(step) = self.steps.next() {
            let (code, shape) = match step {
                Step::Enter(code) => {
                    path.push(self.node(code, 0, 0));
                    if matches!(goal, Goal::Node(goal) if goal == self.nodes) {
                        n_wanted = path.len();
                    }
                    self.nodes += 1;
                    continue;
                }
                Step::Leaf(code, shape) => (code, shape),
            };
            let start = self.end + shape.gap;
            let end = start + shape.length;
            for node in &mut path[n_started..] {
                node.range = Range::empty(Offset::new(start));
            }
            let label = self.labels.get(code);
            match goal {
                Goal::Offset(goal) if goal < start => n_wanted = n_started,
                Goal::Offset(goal) if goal < end => self.is_on_leaf = true,
                Goal::Node(goal) if n_wanted == usize::MAX && goal == self.nodes && !label.is_filler() => {
                    self.is_on_leaf = true;
                }
                _ => {}
            }
            if self.is_on_leaf {
                path.push(self.node(code, start, end));
                n_wanted = path.len();
            }
            self.nodes += u32::from(!label.is_filler());
            self.end = end;
            if n_wanted != usize::MAX {
                self.n_between = u32::try_from(path.len() - n_wanted).expect("a block is short");
                path.truncate(n_wanted);
                self.closes = shape.closes;
                return true;
            }
            let n_own = path.len().min(shape.closes as usize);
            path.truncate(path.len() - n_own);
            n_started = path.len();
            self.n_closed += shape.closes - u32::try_from(n_own).expect("at most as many");
        }
        false
    }

    /// Finds the ends of the path that lie in the rest of the block. Those of its own nodes are looked for step by
    /// step; what was open before it has its ends in its closings.
    fn finish(mut self, ends: &mut Ends<'_>, spot: &Spot<'_>, n_own: usize) {
        let first = spot.nodes;
        // What opens up to the goal and is still open at the end of the block was open at the goal.
        let n_staying = ends.path[..n_own].first().map_or(0, |innermost| {
            let up_to_goal = |opening: &Opening| first + opening.index <= innermost.id.0;
            spot.block.openings().filter(up_to_goal).count()
        });
        let n_ending = n_own - n_staying;
        ends.close(self.closes, self.end, self.nodes);
        while ends.n_ended < n_ending {
            match self.steps.next() {
                Some(Step::Enter(_)) => {
                    self.nodes += 1;
                    ends.n_between += 1;
                }
                Some(Step::Leaf(code, shape)) => {
                    self.end += shape.gap + shape.length;
                    self.nodes += u32::from(!self.labels.get(code).is_filler());
                    ends.close(shape.closes, self.end, self.nodes);
                }
                None => return,
            }
        }
        if n_staying == 0 {
            // Those that ended before the goal are not on the path, and some may have ended since.
            let mut n_passed = self.n_closed + u32::try_from(ends.n_ended - n_own).expect("a path is short");
            ends.n_between = 0;
            for closing in spot.block.closings() {
                let count = closing.count.saturating_sub(n_passed);
                n_passed = n_passed.saturating_sub(closing.count);
                ends.close(count, spot.offset + closing.end, first + closing.nodes);
            }
        }
        ends.n_between = spot.summary.opens - u32::try_from(n_staying).expect("a block is short");
    }

    fn node(&self, code: u32, start: u32, end: u32) -> Node {
        Node {
            id: NodeId(self.nodes),
            label: self.labels.get(code).plain(),
            range: Range::new(Offset::new(start), Offset::new(end)),
            behind: NodeId(self.nodes + 1),
        }
    }
}
