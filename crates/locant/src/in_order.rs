//! Work on all cores, results in order.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// Applies `work` to all items on all cores. `take` gets the results in the order of the items, each as soon as
/// no earlier one is missing; when it fails, no further item is begun.
pub(crate) fn in_order<Item: Sync, Done: Send, Error>(
    items: &[Item],
    work: impl Fn(&Item) -> Done + Sync,
    mut take: impl FnMut(Done) -> Result<(), Error>,
) -> Result<(), Error> {
    let next = AtomicUsize::new(0);
    let n_threads = thread::available_parallelism().map_or(2, usize::from).min(items.len()).max(1);
    let (sender, receiver) = mpsc::channel();
    let run = |sender: mpsc::Sender<(usize, Done)>| {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return };
            // No one listens any more once a result was not taken.
            let Ok(()) = sender.send((index, work(item))) else { return };
        }
    };
    thread::scope(|scope| {
        for _ in 0..n_threads {
            let (run, sender) = (&run, sender.clone());
            scope.spawn(move || run(sender));
        }
        drop(sender);
        let mut early = HashMap::new();
        let mut n_taken = 0;
        // Owned here, so that it is gone before the threads are waited for.
        for (index, done) in receiver {
            early.insert(index, done);
            while let Some(done) = early.remove(&n_taken) {
                take(done)?;
                n_taken += 1;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::in_order;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<u32> = (0..1000).collect();
        let mut taken = Vec::new();
        let work = |item: &u32| {
            let n_turns = if item.is_multiple_of(7) { 20_000 } else { 1 };
            (0..n_turns).fold(*item, |sum: u32, _| std::hint::black_box(sum))
        };
        let result: Result<(), ()> = in_order(&items, work, |done| {
            taken.push(done);
            Ok(())
        });
        assert_eq!((result, taken), (Ok(()), items));
    }

    #[test]
    fn the_first_failure_ends_it() {
        let items: Vec<u32> = (0..1000).collect();
        let mut n_taken = 0;
        let result = in_order(
            &items,
            |item| *item,
            |done| {
                n_taken += 1;
                if done == 10 { Err(done) } else { Ok(()) }
            },
        );
        assert_eq!((result, n_taken), (Err(10), 11));
    }
}
