//! The binders that are in scope at the current point of the walk over a program.

use std::collections::HashMap;

use crate::bind::BinderId;

/// The names found so far, and their binders in the open scopes.
#[derive(Debug, Default)]
pub(crate) struct NamesInScope<'a> {
    numbers: HashMap<&'a [u8], NameId>,
    /// Indexed by the number of a name.
    names: Vec<Name>,
    /// The name of each binder, indexed by the number of the binder.
    bound: Vec<NameId>,
}

/// The number of a name. A text is looked up once, and from then on its number is used.
pub(crate) type NameId = usize;

#[derive(Debug, Default)]
struct Name {
    /// Its binders in open scopes, each with the depth of its scope; the innermost last.
    open: Vec<(BinderId, usize)>,
    /// The binder that went out of scope last.
    closed: Option<BinderId>,
}

impl<'a> NamesInScope<'a> {
    /// The number of a name. A name that was not seen before gets a new number.
    pub(crate) fn name(&mut self, written: &'a [u8]) -> NameId {
        let next = self.names.len();
        let number = *self.numbers.entry(written).or_insert(next);
        if number == next {
            self.names.push(Name::default());
        }
        number
    }

    /// The innermost binder of a name, and the depth of its scope.
    pub(crate) fn innermost(&self, name: NameId) -> Option<(BinderId, usize)> {
        self.names[name].open.last().copied()
    }

    /// The innermost binder of a name outside of the scope at a depth.
    pub(crate) fn outside(&self, name: NameId, depth: usize) -> Option<BinderId> {
        let open = self.names[name].open.iter().rev();
        open.copied().find(|&(_, other)| other < depth).map(|(binder, _)| binder)
    }

    /// The binder of a name that went out of scope last.
    pub(crate) fn closed(&self, name: NameId) -> Option<BinderId> {
        self.names[name].closed
    }

    /// Binds a name in the open scope at a depth. Binders must come in the order of their numbers.
    pub(crate) fn bind(&mut self, name: NameId, binder: BinderId, depth: usize) {
        debug_assert_eq!(self.bound.len(), binder as usize, "binders come by their numbers");
        self.bound.push(name);
        self.names[name].open.push((binder, depth));
    }

    /// Takes a binder out of scope. Its scope, at this depth, must be the innermost open one.
    pub(crate) fn close(&mut self, binder: BinderId, depth: usize) {
        let name = &mut self.names[self.bound[binder as usize]];
        name.open.retain(|&(_, other)| other < depth);
        name.closed = Some(binder);
    }
}
