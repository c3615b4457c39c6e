//! What names mean while a program is walked: for each, what binds it, the innermost last.

use std::collections::HashMap;

use crate::bind::BinderId;

/// The names that were met, and what binds them in the scopes that are open.
#[derive(Debug, Default)]
pub(crate) struct NamesInScope<'a> {
    numbers: HashMap<&'a [u8], NameId>,
    /// By the number of a name.
    names: Vec<Name>,
    /// By the number of a binder: its name.
    bound: Vec<NameId>,
}

/// The number of a name. A name is looked for once, then its number is asked.
pub(crate) type NameId = usize;

#[derive(Debug, Default)]
struct Name {
    /// What binds it, with the place of its scope among the open ones; the innermost last.
    open: Vec<(BinderId, usize)>,
    /// What bound it last in a scope that is closed.
    closed: Option<BinderId>,
}

impl<'a> NamesInScope<'a> {
    /// The number of a name.
    pub(crate) fn name(&mut self, written: &'a [u8]) -> NameId {
        let next = self.names.len();
        let number = *self.numbers.entry(written).or_insert(next);
        if number == next {
            self.names.push(Name::default());
        }
        number
    }

    /// What binds a name, and the place of its scope among the open ones.
    pub(crate) fn innermost(&self, name: NameId) -> Option<(BinderId, usize)> {
        self.names[name].open.last().copied()
    }

    /// What binds a name outside of a scope.
    pub(crate) fn outside(&self, name: NameId, depth: usize) -> Option<BinderId> {
        let open = self.names[name].open.iter().rev();
        open.copied().find(|&(_, other)| other < depth).map(|(binder, _)| binder)
    }

    /// What bound a name last in a scope that is closed.
    pub(crate) fn closed(&self, name: NameId) -> Option<BinderId> {
        self.names[name].closed
    }

    /// Binds a name in an open scope. Binders come by their numbers.
    pub(crate) fn bind(&mut self, name: NameId, binder: BinderId, depth: usize) {
        debug_assert_eq!(self.bound.len(), binder as usize, "binders come by their numbers");
        self.bound.push(name);
        self.names[name].open.push((binder, depth));
    }

    /// Closes the scope of a binder, the innermost one.
    pub(crate) fn close(&mut self, binder: BinderId, depth: usize) {
        let name = &mut self.names[self.bound[binder as usize]];
        name.open.retain(|&(_, other)| other < depth);
        name.closed = Some(binder);
    }
}
