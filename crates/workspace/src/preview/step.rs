//! Every step of a change on disk calls `step` first. Through it, tests can interfere between any two steps: they end
//! the work as a kill would, save a file as an editor would, or have a step fail as on a full disk.

/// Fails only in tests.
#[cfg(not(test))]
#[allow(clippy::unnecessary_wraps, reason = "tests have steps that fail")]
pub(super) fn step() -> std::io::Result<()> {
    Ok(())
}

/// Whether files may be swapped atomically, if the system can. Some tests forbid it.
#[cfg(all(unix, not(test)))]
pub(super) fn may_swap() -> bool {
    true
}

#[cfg(test)]
pub(super) use in_tests::{fail, forbid_swap, may_swap, meddle, step};

#[cfg(test)]
mod in_tests {
    use std::cell::{Cell, RefCell};
    use std::io;
    use std::ops::Range;

    /// Called with the number of each step.
    type Meddler = Box<dyn FnMut(usize)>;

    thread_local! {
        static MEDDLER: RefCell<(usize, Option<Meddler>)> = const { RefCell::new((0, None)) };
        static FAILING: RefCell<Range<usize>> = const { RefCell::new(0..0) };
        static MAY_SWAP: Cell<bool> = const { Cell::new(true) };
    }

    pub(in super::super) fn may_swap() -> bool {
        MAY_SWAP.get()
    }

    /// From now on, this thread swaps files as on systems that cannot do it atomically.
    pub(in super::super) fn forbid_swap() {
        MAY_SWAP.set(false);
    }

    pub(in super::super) fn step() -> io::Result<()> {
        // The meddler is taken out while it runs, because it may panic to end the work.
        let (number, meddler) = MEDDLER.with_borrow_mut(|(number, meddler)| {
            *number += 1;
            (*number, meddler.take())
        });
        if let Some(mut meddler) = meddler {
            meddler(number);
            MEDDLER.with_borrow_mut(|(_, kept)| *kept = Some(meddler));
        }
        let is_full = FAILING.with_borrow(|failing| failing.contains(&number));
        if is_full { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
    }

    /// From now on, these steps of this thread fail, as on a full disk.
    pub(in super::super) fn fail(steps: Range<usize>) {
        FAILING.set(steps);
    }

    /// From now on, the meddler is called before each step of this thread, counted from 1.
    pub(in super::super) fn meddle(meddler: Option<Meddler>) {
        MEDDLER.set((0, meddler));
    }
}
