//! Work on all cores, results in order.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// How many bytes finished results may take while they wait for an earlier one, or to be taken. When there are more, no
/// further item is begun.
const WAITING: usize = 64 << 20;

/// Applies `work` to all items on all cores. `take` gets the results in the order of the items, each as soon as all
/// earlier ones are there. When `take` fails, no further item is begun. `room` returns how many bytes a result takes.
pub(crate) fn in_order<Item: Sync, Done: Send, Error>(
    items: &[Item],
    work: impl Fn(&Item) -> Done + Sync,
    room: impl Fn(&Done) -> usize + Sync,
    take: impl FnMut(Done) -> Result<(), Error>,
) -> Result<(), Error> {
    in_order_within(WAITING, items, work, room, take)
}

fn in_order_within<Item: Sync, Done: Send, Error>(
    most: usize,
    items: &[Item],
    work: impl Fn(&Item) -> Done + Sync,
    room: impl Fn(&Done) -> usize + Sync,
    mut take: impl FnMut(Done) -> Result<(), Error>,
) -> Result<(), Error> {
    let n_threads = thread::available_parallelism().map_or(2, usize::from).min(items.len()).max(1);
    let line = Line::default();
    thread::scope(|scope| {
        for _ in 0..n_threads {
            scope.spawn(|| {
                let _end = End { line: &line, is_worker: true };
                while let Some(index) = line.begin(items.len(), most) {
                    let done = work(&items[index]);
                    line.give(index, room(&done), done);
                }
            });
        }
        let _end = End { line: &line, is_worker: false };
        while let Some(done) = line.next(items.len()) {
            take(done)?;
        }
        Ok(())
    })
}

/// The results that wait to be taken.
struct Line<Done> {
    state: Mutex<State<Done>>,
    changed: Condvar,
}

struct State<Done> {
    /// The index of the next item to begin.
    next: usize,
    n_taken: usize,
    /// The results from `n_taken` on, each with its size; `None` for results that are not finished yet.
    done: VecDeque<Option<(usize, Done)>>,
    /// Invariant: the sum of the sizes in `done`.
    waiting: usize,
    is_closed: bool,
}

impl<Done> Default for Line<Done> {
    fn default() -> Line<Done> {
        let state = State { next: 0, n_taken: 0, done: VecDeque::new(), waiting: 0, is_closed: false };
        Line { state: Mutex::new(state), changed: Condvar::new() }
    }
}

impl<Done> Line<Done> {
    /// The index of the next item to begin; `None` when there are no more. Blocks while too many bytes wait to be
    /// taken. This cannot block for ever: items are begun in order, so the result to be taken next is finished or being
    /// made.
    fn begin(&self, n_items: usize, most: usize) -> Option<usize> {
        let mut state = self.wait(|state| state.is_closed || state.waiting <= most);
        let index = state.next;
        state.next += 1;
        (!state.is_closed && index < n_items).then_some(index)
    }

    fn give(&self, index: usize, room: usize, done: Done) {
        let mut state = self.lock();
        let place = index - state.n_taken;
        while state.done.len() <= place {
            state.done.push_back(None);
        }
        state.done[place] = Some((room, done));
        state.waiting += room;
        drop(state);
        self.changed.notify_all();
    }

    /// The next result in order; `None` when all were taken, or when one will never be finished.
    fn next(&self, n_items: usize) -> Option<Done> {
        let is_there = |state: &State<Done>| matches!(state.done.front(), Some(Some(_)));
        let mut state = self.wait(|state| is_there(state) || state.is_closed || state.n_taken == n_items);
        let (room, done) = state.done.pop_front()??;
        state.n_taken += 1;
        state.waiting -= room;
        drop(state);
        self.changed.notify_all();
        Some(done)
    }

    fn lock(&self) -> MutexGuard<'_, State<Done>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait(&self, is_ready: impl Fn(&State<Done>) -> bool) -> MutexGuard<'_, State<Done>> {
        let waited = self.changed.wait_while(self.lock(), |state| !is_ready(state));
        waited.unwrap_or_else(PoisonError::into_inner)
    }
}

/// When dropped, wakes all threads that wait, because no more results will be taken or one will never be finished.
struct End<'l, Done> {
    line: &'l Line<Done>,
    is_worker: bool,
}

impl<Done> Drop for End<'_, Done> {
    fn drop(&mut self) {
        if !self.is_worker || thread::panicking() {
            self.line.lock().is_closed = true;
            self.line.changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<u32> = (0..1000).collect();
        let work = |item: &u32| {
            let n_turns = if item.is_multiple_of(7) { 20_000 } else { 1 };
            (0..n_turns).fold(*item, |sum: u32, _| std::hint::black_box(sum))
        };
        // From hardly any memory for waiting results to plenty.
        for most in [0, 3, 1_000_000] {
            let mut taken = Vec::new();
            let result: Result<(), ()> = in_order_within(
                most,
                &items,
                work,
                |_| 1,
                |done| {
                    taken.push(done);
                    Ok(())
                },
            );
            assert_eq!((result, &taken), (Ok(()), &items), "at most {most} wait");
        }
    }

    #[test]
    fn the_first_failure_ends_it() {
        let items: Vec<u32> = (0..1000).collect();
        let mut n_taken = 0;
        let result = in_order(
            &items,
            |item| *item,
            |_| 1,
            |done| {
                n_taken += 1;
                if done == 10 { Err(done) } else { Ok(()) }
            },
        );
        assert_eq!((result, n_taken), (Err(10), 11));
    }

    #[test]
    fn what_is_not_taken_does_not_pile_up() {
        let items: Vec<u32> = (0..1000).collect();
        let (n_done, n_threads) =
            (AtomicUsize::new(0), thread::available_parallelism().map_or(2, usize::from));
        let mut n_taken = 0;
        let result: Result<(), ()> = in_order_within(
            10,
            &items,
            |_| n_done.fetch_add(1, Ordering::SeqCst),
            |_| 1,
            |_| {
                n_taken += 1;
                // The results that wait, and one for each thread at work.
                assert!(n_done.load(Ordering::SeqCst) <= n_taken + 10 + 1 + n_threads);
                Ok(())
            },
        );
        assert_eq!(result, Ok(()));
    }

    #[test]
    fn a_panic_of_the_work_ends_it() {
        let items: Vec<u32> = (0..100).collect();
        let work = |item: &u32| assert!(*item != 50, "as planned");
        let ended = std::panic::catch_unwind(|| in_order(&items, work, |()| 1, |()| Ok::<(), ()>(())));
        assert!(ended.is_err());
    }
}
