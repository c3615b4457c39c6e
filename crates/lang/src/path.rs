//! Follows the paths of rules and tests their conditions.

use std::ops::Range;

use crate::ancestors::{Ancestor, after_steps_up};
use crate::asked::Asked;
use crate::kinds::Kinds;
use crate::node::Node;
use crate::packed::Word;
use crate::table::{Conditions, Path, Paths, Step, Tables, Test};

/// A node and the nodes around it, starting with the root.
#[derive(Clone, Copy)]
pub(crate) struct NodeContext<'a, N> {
    pub(crate) node: N,
    pub(crate) ancestors: &'a [Ancestor<N>],
}

impl<N> NodeContext<'_, N> {
    /// A node without its ancestors, for paths that do not start with a step to a parent.
    pub(crate) fn of(node: N) -> Self {
        NodeContext { node, ancestors: &[] }
    }
}

/// What is needed to apply rules to the nodes of one text.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    pub(crate) tables: &'a Tables,
    pub(crate) kinds: &'a Kinds,
    pub(crate) text: &'a [u8],
    pub(crate) asked: &'a Asked,
}

impl<'a> Reader<'a> {
    /// The bytes of a node.
    pub(crate) fn text(&self, node: impl Node) -> &'a [u8] {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// The node that the first path to succeed leads to.
    pub(crate) fn first<N: Node>(&self, paths: Paths, place: NodeContext<'_, N>) -> Option<N> {
        paths.iter().find_map(|&path| self.one(path, place))
    }

    /// All nodes that the first path to succeed leads to.
    pub(crate) fn each<N: Node>(&self, paths: Paths, place: NodeContext<'_, N>) -> Vec<N> {
        paths.iter().map(|&path| self.all(path, place)).find(|nodes| !nodes.is_empty()).unwrap_or_default()
    }

    /// Whether all conditions hold.
    pub(crate) fn holds<N: Node>(&self, conditions: Conditions, place: NodeContext<'_, N>) -> bool {
        conditions.iter().all(|condition| {
            let is_so = self
                .one(condition.path, place)
                .is_some_and(|node| self.passes(&condition.test, node, place.node));
            is_so != condition.negated
        })
    }

    fn passes<N: Node>(&self, test: &Test, node: N, own: N) -> bool {
        match test {
            Test::Exists => true,
            Test::Kind(kinds) => self.kinds.of(node).is_some_and(|kind| kinds.contains(&kind)),
            Test::Text(words) => words.iter().any(|&word| self.says(node, word)),
            Test::Broken => node.has_error(),
            Test::Beside => self.is_one_line(own.end_byte().min(node.start_byte())..node.start_byte()),
            Test::Long => !self.is_one_line(node.byte_range()),
            Test::Glued => {
                let next = self.text.get(node.end_byte());
                next.is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'~'))
            }
            Test::Start(words) => words.iter().any(|word| self.text(node).starts_with(word.as_bytes())),
            Test::Has(words) => {
                words.iter().any(|word| self.asked.has(self.text, node.byte_range(), word.get()))
            }
        }
    }

    /// Whether the text of the node is this word. Letter case is ignored if the language ignores it.
    fn says(&self, node: impl Node, word: Word) -> bool {
        word.is(self.text(node), self.tables.words.any_case)
    }

    fn is_one_line(&self, part: Range<usize>) -> bool {
        self.asked.is_one_line(self.text, part)
    }

    /// The node that a path leads to.
    pub(crate) fn one<N: Node>(&self, path: Path, place: NodeContext<'_, N>) -> Option<N> {
        let n_up = n_steps_up(path);
        let steps = path.after(n_up);
        let follow = |node: N| steps.iter().try_fold(node, |node, &step| self.step(step, node));
        if n_up == 0 {
            return follow(place.node);
        }
        let around = after_steps_up(place.ancestors, n_up)?;
        if steps.is_empty() { Some(around.node) } else { around.led(steps, follow) }
    }

    /// All nodes that a path leads to.
    pub(crate) fn all<N: Node>(&self, path: Path, place: NodeContext<'_, N>) -> Vec<N> {
        // After a step to a parent, only one node is followed. Following all of them for each child would take too
        // long.
        if n_steps_up(path) > 0 {
            return self.one(path, place).into_iter().collect();
        }
        let mut nodes = vec![place.node];
        for &step in path.get() {
            for node in std::mem::take(&mut nodes) {
                self.steps(&mut nodes, step, node);
            }
        }
        nodes
    }

    fn step<N: Node>(&self, step: Step, node: N) -> Option<N> {
        match step {
            Step::Field(field) | Step::Fields(field) => node.in_field(self.kinds.field(field)),
            Step::Child(kind) | Step::Children(kind) => {
                node.children().find(|child| self.kinds.of(*child) == Some(kind))
            }
            Step::Among(kinds) => {
                node.children().find(|child| self.kinds.of(*child).is_some_and(|kind| kinds.contains(&kind)))
            }
            Step::Saying(kind, word) => {
                let says = |child: N| self.says(child.children().next().unwrap_or(child), word);
                node.children().find(|child| self.kinds.of(*child) == Some(kind) && says(*child))
            }
            Step::Nth(n) => proper(node).nth(usize::from(n)),
            Step::All => proper(node).next(),
            Step::Parent => None,
        }
    }

    fn steps<N: Node>(&self, acc: &mut Vec<N>, step: Step, node: N) {
        match step {
            Step::Fields(field) => {
                acc.extend(node.all_in_field(self.kinds.field(field)).filter(|child| child.is_named()));
            }
            Step::Children(kind) => {
                acc.extend(node.children().filter(|child| self.kinds.of(*child) == Some(kind)));
            }
            Step::Among(kinds) => {
                let is_meant = |child: &N| self.kinds.of(*child).is_some_and(|kind| kinds.contains(&kind));
                acc.extend(node.children().filter(is_meant));
            }
            Step::All => acc.extend(proper(node)),
            Step::Field(_) | Step::Child(_) | Step::Saying(..) | Step::Nth(_) | Step::Parent => {
                acc.extend(self.step(step, node))
            }
        }
    }
}

/// How many steps to a parent a path starts with.
fn n_steps_up(path: Path) -> usize {
    path.iter().take_while(|step| matches!(step, Step::Parent)).count()
}

/// The children that are neither tokens nor comments. There may be many, so they are not collected.
fn proper<N: Node>(node: N) -> impl Iterator<Item = N> {
    node.children().filter(|child| child.is_named() && !child.is_extra())
}
