//! Finds the path of nodes that leads to a place or to a node.
//!
//! The nodes of a tree are stored in blocks, which `block.rs` describes. One descent through the summaries finds the
//! block of the goal, and one scan of that block finds the inner part of the path. The outer part is in the lists of
//! openings of the blocks to the left. Where these outer nodes end is in the lists of closings of the blocks to the
//! right. Summaries tell which blocks have openings or closings that matter; all other blocks are skipped.

use locant_text::{Offset, Range};

use crate::Label;
use crate::block::{Block, Opening, Steps, Summary};
use crate::blocks::Entry;
use crate::label::Labels;
use crate::stream::Step;
use crate::tree::{Node, NodeId, Tree};

impl Tree {
    /// The nodes that contain the byte after `offset`, the outermost first. Empty if there are none.
    pub fn path(&self, offset: Offset) -> Vec<Node> {
        let mut path = Vec::with_capacity(LIKELY);
        self.path_into(&mut path, offset);
        path
    }

    /// Like [`Tree::path`], but writes into `path`, so that the vector can be reused.
    pub fn path_into(&self, path: &mut Vec<Node>, offset: Offset) {
        self.follow(path, Goal::Offset(offset.to_u32()));
    }

    /// The nodes from the outermost one down to the given one. Empty if there is no such node.
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
        spot.openings(Openings { n_closed: scan.n_closed, ..Openings::new(path, &self.labels) });
        let n_ended = usize::from(scan.is_on_leaf);
        let mut ends = Ends { path, n_ended, n_between: scan.n_between, before: spot.before };
        scan.finish(&mut ends, &spot, n_own);
        spot.closings(&mut ends);
        path.reverse();
    }
}

impl Tree {
    /// The label of a node.
    pub(crate) fn label(&self, id: NodeId) -> Option<Label> {
        let goal = Goal::Node(id.0);
        let spot = Spot::find(&self.root, goal)?;
        let mut path = Vec::with_capacity(LIKELY);
        Scan::new(&spot, &self.labels).find(&mut path, goal);
        path.last().map(|node| node.label)
    }

    /// Given a leaf that is the last child of its parent: the leaf, where the child before it ends, and the parent.
    /// This looks only for the innermost node around the leaf, so it is fast however deep the leaf is.
    pub(crate) fn last_child(&self, leaf: NodeId) -> Option<(Node, Offset, NodeId)> {
        let goal = Goal::Node(leaf.0);
        let spot = Spot::find(&self.root, goal)?;
        let mut path = Vec::with_capacity(LIKELY);
        let mut scan = Scan::new(&spot, &self.labels);
        if !scan.find(&mut path, goal) || !scan.is_on_leaf {
            return None;
        }
        let leaf = path.pop()?;
        if path.is_empty() {
            let all = Openings::new(&mut path, &self.labels);
            spot.openings(Openings { n_closed: scan.n_closed, n_wanted: 1, ..all });
        }
        // Between two leaves, nodes end only where the first of them ends.
        path.last().map(|parent| (leaf, Offset::new(scan.previous), parent.id))
    }
}

/// Nodes are rarely nested deeper than this.
const LIKELY: usize = 32;

/// What to look for.
#[derive(Clone, Copy)]
pub(crate) enum Goal {
    /// The innermost node that contains the byte after this offset.
    Offset(u32),
    /// The node with this number.
    Node(u32),
    /// The block with this number.
    Block(u32),
}

impl Goal {
    /// Whether the goal is in the stretch that starts after `before`. The goal must not be before that stretch.
    #[inline]
    fn is_in(self, summary: &Summary, before: Before) -> bool {
        match self {
            Goal::Offset(goal) => goal - before.offset < summary.extent,
            Goal::Node(goal) => goal - before.nodes < summary.nodes,
            Goal::Block(goal) => goal - before.blocks < summary.blocks,
        }
    }
}

/// What comes before a place in a tree.
#[derive(Clone, Copy, Default)]
pub(crate) struct Before {
    /// How many bytes of the text.
    pub(crate) offset: u32,
    /// How many nodes.
    pub(crate) nodes: u32,
    /// How many blocks.
    pub(crate) blocks: u32,
}

impl Before {
    #[inline]
    fn add(&mut self, summary: &Summary) {
        self.offset += summary.extent;
        self.nodes += summary.nodes;
        self.blocks += summary.blocks;
    }

    #[inline]
    fn subtract(&mut self, summary: &Summary) {
        self.offset -= summary.extent;
        self.nodes -= summary.nodes;
        self.blocks -= summary.blocks;
    }
}

/// The greatest height of a tree of blocks. Branches have at least two entries, except for a few that edits have left
/// with one.
const HIGHEST: usize = 24;

/// A block, and the way to it from the root.
pub(crate) struct Spot<'t> {
    /// At each level, the entries of the branch and the index of the entry that leads to the block.
    levels: [(&'t [Entry], usize); HIGHEST],
    n_levels: usize,
    pub(crate) block: Block<'t>,
    pub(crate) summary: Summary,
    pub(crate) before: Before,
}

impl<'t> Spot<'t> {
    pub(crate) fn find(root: &'t Entry, goal: Goal) -> Option<Spot<'t>> {
        let mut before = Before::default();
        if !goal.is_in(root.summary(), before) {
            return None;
        }
        let mut entry = root;
        let (mut levels, mut n_levels): ([(&[Entry], usize); HIGHEST], usize) = ([(&[], 0); HIGHEST], 0);
        while let Entry::Branch(_, entries) = entry {
            let index = entries.iter().map(Entry::summary).position(|summary| {
                let is_here = goal.is_in(summary, before);
                if !is_here {
                    before.add(summary);
                }
                is_here
            })?;
            levels[n_levels] = (entries, index);
            n_levels += 1;
            entry = &entries[index];
        }
        let Entry::Block(summary, bytes) = entry else { return None };
        Some(Spot { levels, n_levels, block: Block::new(bytes), summary: *summary, before })
    }

    /// The nodes that are open where the block starts, the outermost first.
    pub(crate) fn open(&self, labels: &Labels) -> Vec<Node> {
        let mut path = Vec::new();
        self.openings(Openings::new(&mut path, labels));
        path.reverse();
        path
    }

    /// Walks to the left from the start of the block, looking for openings.
    fn openings(&self, mut openings: Openings<'_>) {
        openings.before = self.before;
        for (entries, index) in self.levels[..self.n_levels].iter().rev() {
            openings.entries(&entries[..*index]);
        }
    }

    /// Walks to the right from the end of the block, looking for closings.
    fn closings(&self, ends: &mut Ends<'_>) {
        ends.before = self.before;
        ends.before.add(&self.summary);
        for (entries, index) in self.levels[..self.n_levels].iter().rev() {
            ends.entries(&entries[index + 1..]);
        }
    }
}

/// A walk from a block towards one end of the tree. It skips stretches in which there is nothing to find.
trait SideWalk {
    const IS_TO_THE_LEFT: bool;

    /// Whether the walk has found everything.
    fn is_done(&self) -> bool;

    /// Whether a stretch may contain something that this walk looks for.
    fn wants(&self, summary: &Summary) -> bool;

    /// Reads the lists of a block, which is the next stretch.
    fn look(&mut self, block: Block<'_>, summary: &Summary);

    /// Moves past a stretch.
    fn pass(&mut self, summary: &Summary);

    /// Walks through entries, the nearest first.
    fn entries(&mut self, entries: &[Entry]) {
        for n_passed in 0..entries.len() {
            let index = if Self::IS_TO_THE_LEFT { entries.len() - 1 - n_passed } else { n_passed };
            let summary = entries[index].summary();
            if self.wants(summary) {
                match &entries[index] {
                    _ if self.is_done() => return,
                    Entry::Block(_, bytes) => self.look(Block::new(bytes), summary),
                    Entry::Branch(_, entries) => {
                        self.entries(entries);
                        continue;
                    }
                }
            }
            self.pass(summary);
        }
    }
}

/// A walk to the left that collects the nodes that are open at its starting point, and appends them to a path. The
/// innermost node comes first.
struct Openings<'p> {
    path: &'p mut Vec<Node>,
    labels: &'p Labels,
    /// How many more nodes to collect.
    n_wanted: usize,
    /// How many of the next openings to skip. These nodes end in stretches that the walk has already passed, so they
    /// are not open at its starting point.
    n_closed: u32,
    before: Before,
}

impl<'p> Openings<'p> {
    /// A walk that collects all nodes that are open at its starting point.
    fn new(path: &'p mut Vec<Node>, labels: &'p Labels) -> Openings<'p> {
        Openings { path, labels, n_wanted: usize::MAX, n_closed: 0, before: Before::default() }
    }
}

impl SideWalk for Openings<'_> {
    const IS_TO_THE_LEFT: bool = true;

    fn is_done(&self) -> bool {
        self.n_wanted == 0
    }

    fn wants(&self, summary: &Summary) -> bool {
        summary.opens > self.n_closed
    }

    fn look(&mut self, block: Block<'_>, summary: &Summary) {
        let mut before = self.before;
        before.subtract(summary);
        for opening in block.openings().skip(self.n_closed as usize).take(self.n_wanted) {
            let id = NodeId(before.nodes + opening.index);
            let start = Offset::new(before.offset + opening.start);
            let label = self.labels.get(opening.code);
            self.path.push(Node { id, label, range: Range::empty(start), after: id });
            self.n_wanted -= 1;
        }
    }

    fn pass(&mut self, summary: &Summary) {
        self.before.subtract(summary);
        self.n_closed = self.n_closed.saturating_sub(summary.opens) + summary.closes;
    }
}

/// A walk to the right that finds where the nodes of a path end, the innermost first.
struct Ends<'p> {
    path: &'p mut Vec<Node>,
    /// The number of nodes of the path whose end is known.
    n_ended: usize,
    /// How many nodes that are not on the path are open. All of them end before the next node of the path ends.
    n_between: u32,
    before: Before,
}

impl Ends<'_> {
    /// Records that `count` nodes end at `end`. `nodes` is the number of nodes that start before that place.
    #[inline]
    fn close(&mut self, count: u32, end: u32, nodes: u32) {
        let n_between = self.n_between.min(count);
        self.n_between -= n_between;
        for _ in n_between..count {
            let Some(node) = self.path.get_mut(self.n_ended) else { return };
            node.range = Range::new(node.range.start(), Offset::new(end));
            node.after = NodeId(nodes);
            self.n_ended += 1;
        }
    }
}

impl SideWalk for Ends<'_> {
    const IS_TO_THE_LEFT: bool = false;

    fn is_done(&self) -> bool {
        self.n_ended == self.path.len()
    }

    fn wants(&self, summary: &Summary) -> bool {
        summary.closes > self.n_between
    }

    fn look(&mut self, block: Block<'_>, _: &Summary) {
        let Before { offset, nodes, .. } = self.before;
        for closing in block.closings() {
            self.close(closing.count, offset + closing.end, nodes + closing.nodes);
        }
    }

    fn pass(&mut self, summary: &Summary) {
        self.before.add(summary);
        self.n_between = self.n_between.saturating_sub(summary.closes) + summary.opens;
    }
}

/// A walk through one block.
struct Scan<'t> {
    steps: Steps<'t>,
    labels: &'t Labels,
    /// Where the leaf before the last one ends.
    previous: u32,
    /// Where the last leaf ends. `nodes` counts the nodes that start before that place.
    end: u32,
    nodes: u32,
    /// How many nodes that were open before the block have ended.
    n_closed: u32,
    /// How many open nodes are not on the path.
    n_between: u32,
    /// How many nodes end with the last leaf. They are not yet counted as ended.
    closes: u32,
    is_on_leaf: bool,
}

impl<'t> Scan<'t> {
    fn new(spot: &Spot<'t>, labels: &'t Labels) -> Scan<'t> {
        Scan {
            steps: spot.block.steps(labels),
            labels,
            previous: spot.before.offset,
            end: spot.before.offset,
            nodes: spot.before.nodes,
            n_closed: 0,
            n_between: 0,
            closes: 0,
            is_on_leaf: false,
        }
    }

    /// Moves to the goal, and returns whether it was found. If so, the path has the nodes of this block that contain
    /// the goal, the outermost first.
    #[inline]
    fn find(&mut self, path: &mut Vec<Node>, goal: Goal) -> bool {
        // `n_started` is how many nodes of the path have a known start. `n_wanted` is how many nodes lead to the goal,
        // once the goal is met.
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
            (self.previous, self.end) = (self.end, end);
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

    /// Finds the ends of path nodes in the rest of the block. For the `n_own` path nodes that start in the block, it
    /// reads the remaining steps. For nodes that were open before the block, it reads the closings of the block.
    fn finish(mut self, ends: &mut Ends<'_>, spot: &Spot<'_>, n_own: usize) {
        let first = spot.before.nodes;
        // A node that starts before the goal and is still open at the end of the block is also open at the goal.
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
            // The closings also list nodes that ended before the goal, and path nodes whose end was found just now.
            // Both are skipped.
            let mut n_passed = self.n_closed + u32::try_from(ends.n_ended - n_own).expect("a path is short");
            ends.n_between = 0;
            for closing in spot.block.closings() {
                let count = closing.count.saturating_sub(n_passed);
                n_passed = n_passed.saturating_sub(closing.count);
                ends.close(count, spot.before.offset + closing.end, first + closing.nodes);
            }
        }
        ends.n_between = spot.summary.opens - u32::try_from(n_staying).expect("a block is short");
    }

    fn node(&self, code: u32, start: u32, end: u32) -> Node {
        Node {
            id: NodeId(self.nodes),
            label: self.labels.get(code).plain(),
            range: Range::new(Offset::new(start), Offset::new(end)),
            after: NodeId(self.nodes + 1),
        }
    }
}
