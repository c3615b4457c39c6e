//! The nodes around a node, and where paths lead from them.
//!
//! A broken text may put a hundred thousand children into one node, and each of them may ask the same of it. What was
//! found for one of them is kept for the others, for as long as the walk is inside the node.

use std::cell::RefCell;

use crate::table::Path;

/// A node around others, in a list that starts with the root.
pub(crate) struct Ancestor<N> {
    pub(crate) node: N,
    /// Where the nearest node stands that a step to a parent does not go past, from this one outward. Thin nodes may
    /// be as deep as the text is long.
    stop: Option<usize>,
    /// Where paths lead from here, as far as they were followed. The rules of a language have a handful of such paths.
    led: RefCell<Vec<(Path, Option<N>)>>,
}

impl<N: Copy> Ancestor<N> {
    /// A node in the last of these.
    pub(crate) fn within(around: &[Ancestor<N>], node: N, is_thin: bool) -> Ancestor<N> {
        let stop = if is_thin { around.last().and_then(|parent| parent.stop) } else { Some(around.len()) };
        Ancestor { node, stop, led: RefCell::default() }
    }

    /// Where these steps lead from the node; `find` follows them, the first time.
    pub(crate) fn led(&self, steps: Path, find: impl FnOnce(N) -> Option<N>) -> Option<N> {
        let known = self.led.borrow().iter().find(|(known, _)| *known == steps).map(|(_, found)| *found);
        known.unwrap_or_else(|| {
            let found = find(self.node);
            self.led.borrow_mut().push((steps, found));
            found
        })
    }
}

/// The node after this many steps to a parent, going past thin ones; the first one leads to the last of the list.
pub(crate) fn after_steps_up<N>(around: &[Ancestor<N>], n_steps: usize) -> Option<&Ancestor<N>> {
    let mut rest = around;
    for _ in 1..n_steps {
        rest = &rest[..rest.last()?.stop?];
    }
    around.get(rest.last()?.stop?)
}
