//! Following the paths and testing the conditions of the rules.

use std::num::NonZeroU16;

use tree_sitter::Node;

use crate::kinds::Kinds;
use crate::table::{Condition, Path, Step, Tables, Test};

/// A node and the nodes around it, the root first.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a, 't> {
    pub(crate) node: Node<'t>,
    pub(crate) ancestors: &'a [Node<'t>],
}

impl<'t> Place<'_, 't> {
    /// A node whose surroundings do not matter.
    pub(crate) fn of(node: Node<'t>) -> Self {
        Place { node, ancestors: &[] }
    }
}

/// What is needed to read rules against a tree.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    pub(crate) tables: &'a Tables,
    pub(crate) kinds: &'a Kinds,
    pub(crate) text: &'a [u8],
}

impl<'a> Reader<'a> {
    /// The bytes of a node.
    pub(crate) fn text(&self, node: Node<'_>) -> &'a [u8] {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// Where the first path leads that leads anywhere.
    pub(crate) fn first<'t>(&self, paths: &[Path], place: Place<'_, 't>) -> Option<Node<'t>> {
        paths.iter().find_map(|path| self.one(path, place))
    }

    /// All nodes the first path leads to that leads anywhere.
    pub(crate) fn each<'t>(&self, paths: &[Path], place: Place<'_, 't>) -> Vec<Node<'t>> {
        let all = |path: &Path| {
            let mut nodes = Vec::new();
            self.follow(&mut nodes, path, place);
            nodes
        };
        paths.iter().map(all).find(|nodes| !nodes.is_empty()).unwrap_or_default()
    }

    /// Do all conditions hold?
    pub(crate) fn holds(&self, conditions: &[Condition], place: Place<'_, '_>) -> bool {
        conditions.iter().all(|condition| {
            let is_so = self
                .one(condition.path, place)
                .is_some_and(|node| self.passes(&condition.test, node, place.node));
            is_so != condition.negated
        })
    }

    fn passes(&self, test: &Test, node: Node<'_>, own: Node<'_>) -> bool {
        match test {
            Test::Exists => true,
            Test::Kind(kinds) => self.kinds.of(node).is_some_and(|kind| kinds.contains(&kind)),
            Test::Text(words) => words.iter().any(|word| self.says(node, word)),
            Test::Broken => node.has_error(),
            Test::Beside => {
                let gap = own.end_byte().min(node.start_byte())..node.start_byte();
                is_one_line(&self.text[gap])
            }
            Test::Start(words) => words.iter().any(|word| self.text(node).starts_with(word.as_bytes())),
        }
    }

    /// Is this its text, in capital or small letters where they mean the same?
    fn says(&self, node: Node<'_>, word: &str) -> bool {
        let text = self.text(node);
        text == word.as_bytes() || self.tables.words.any_case && text.eq_ignore_ascii_case(word.as_bytes())
    }

    fn one<'t>(&self, path: Path, place: Place<'_, 't>) -> Option<Node<'t>> {
        let (node, steps) = climb(path, place)?;
        steps.iter().try_fold(node, |node, &step| self.step(step, node))
    }

    fn follow<'t>(&self, acc: &mut Vec<Node<'t>>, path: Path, place: Place<'_, 't>) {
        let Some((node, steps)) = climb(path, place) else { return };
        acc.push(node);
        for &step in steps {
            for node in std::mem::take(acc) {
                self.steps(acc, step, node);
            }
        }
    }

    fn step<'t>(&self, step: Step, node: Node<'t>) -> Option<Node<'t>> {
        match step {
            Step::Field(field) | Step::Fields(field) => node.child_by_field_id(self.kinds.field(field)),
            Step::Child(kind) | Step::Children(kind) => {
                node.children(&mut node.walk()).find(|child| self.kinds.of(*child) == Some(kind))
            }
            Step::Among(kinds) => node
                .children(&mut node.walk())
                .find(|child| self.kinds.of(*child).is_some_and(|kind| kinds.contains(&kind))),
            Step::Saying(kind, word) => {
                let says = |child: Node<'_>| self.says(child.child(0).unwrap_or(child), word);
                let is_meant = |child: &Node<'_>| self.kinds.of(*child) == Some(kind) && says(*child);
                node.children(&mut node.walk()).find(is_meant)
            }
            Step::Nth(n) => proper_at(node, usize::from(n)),
            Step::All => proper_at(node, 0),
            Step::Parent => None,
        }
    }

    fn steps<'t>(&self, acc: &mut Vec<Node<'t>>, step: Step, node: Node<'t>) {
        match step {
            Step::Fields(field) => acc.extend(
                node.children_by_field_id(field_id(self.kinds.field(field)), &mut node.walk())
                    .filter(Node::is_named),
            ),
            Step::Children(kind) => {
                acc.extend(
                    node.children(&mut node.walk()).filter(|child| self.kinds.of(*child) == Some(kind)),
                );
            }
            Step::Among(kinds) => {
                let is_meant =
                    |child: &Node<'_>| self.kinds.of(*child).is_some_and(|kind| kinds.contains(&kind));
                acc.extend(node.children(&mut node.walk()).filter(is_meant));
            }
            Step::All => acc.extend(proper(node)),
            Step::Field(_) | Step::Child(_) | Step::Saying(..) | Step::Nth(_) | Step::Parent => {
                acc.extend(self.step(step, node))
            }
        }
    }
}

/// Does no line end here? A backslash makes a line go on.
fn is_one_line(text: &[u8]) -> bool {
    memchr::memchr2_iter(b'\n', b'\r', text).all(|at| text[..at].ends_with(b"\\"))
}

/// The children that mean something: no tokens, no comments.
fn proper(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let children: Vec<Node<'_>> = node.named_children(&mut node.walk()).collect();
    children.into_iter().filter(|child| !child.is_extra())
}

/// One of them; those behind it, which may be many, are not looked at.
fn proper_at(node: Node<'_>, n: usize) -> Option<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| !child.is_extra()).nth(n)
}

/// A field that the grammar lacks has no children, so any other id would do; a test forbids such fields.
fn field_id(id: u16) -> NonZeroU16 {
    NonZeroU16::new(id).unwrap_or(NonZeroU16::MAX)
}

/// The node after the steps to parents, and the steps that are left.
fn climb<'t>(path: Path, place: Place<'_, 't>) -> Option<(Node<'t>, Path)> {
    let up = path.iter().take_while(|step| matches!(step, Step::Parent)).count();
    match up {
        0 => Some((place.node, path)),
        _ => Some((*place.ancestors.iter().nth_back(up - 1)?, &path[up..])),
    }
}
