//! The chain of nodes around the current node of the walk, and where the paths of rules lead from each of them.
//!
//! A broken text may put a hundred thousand children into one node, and a rule may follow the same path from this node
//! for each child. So a node keeps the results of the paths followed from it for as long as the walk is inside the
//! node.

use std::cell::RefCell;

use crate::table::Path;

/// A node around the current node. A list of them starts with the root and ends with the parent.
pub(crate) struct Ancestor<N> {
    pub(crate) node: N,
    /// The index of the nearest node that is not thin: either this node or one around it. A step to a parent skips
    /// thin nodes, which may be nested as deep as the text is long.
    stop: Option<usize>,
    /// The paths that were followed from this node, and the nodes that they lead to. A language has only a few such
    /// paths.
    led: RefCell<Vec<(Path, Option<N>)>>,
}

impl<N: Copy> Ancestor<N> {
    /// The entry for `node`, whose parent is the last node of `around`.
    pub(crate) fn within(around: &[Ancestor<N>], node: N, is_thin: bool) -> Ancestor<N> {
        let stop = if is_thin { around.last().and_then(|parent| parent.stop) } else { Some(around.len()) };
        Ancestor { node, stop, led: RefCell::default() }
    }

    /// The node that `steps` lead to from this node. `find` follows the steps the first time.
    pub(crate) fn led(&self, steps: Path, find: impl FnOnce(N) -> Option<N>) -> Option<N> {
        let known = self.led.borrow().iter().find(|(known, _)| *known == steps).map(|(_, found)| *found);
        known.unwrap_or_else(|| {
            let found = find(self.node);
            self.led.borrow_mut().push((steps, found));
            found
        })
    }
}

/// The node that is `n_steps` steps towards the root from the current node. Each step goes to the nearest node around
/// that is not thin.
pub(crate) fn after_steps_up<N>(around: &[Ancestor<N>], n_steps: usize) -> Option<&Ancestor<N>> {
    let mut rest = around;
    for _ in 1..n_steps {
        rest = &rest[..rest.last()?.stop?];
    }
    around.get(rest.last()?.stop?)
}
