//! Runs tasks in parallel, on all processors.

use std::sync::{Mutex, PoisonError};

/// Runs all tasks, and adds up their results. The last task is started first.
pub fn in_parallel<T: Send, R: Default + Send>(
    tasks: Vec<T>,
    run: impl Fn(T) -> R + Sync,
    add: impl Fn(&mut R, R) + Sync,
) -> R {
    let queue = Mutex::new(tasks);
    let total = Mutex::new(R::default());
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..n_threads {
            scope.spawn(|| {
                // This is a closure because the lock would be held during the work if it were taken in the condition of
                // the loop.
                let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).pop();
                while let Some(task) = next() {
                    let result = run(task);
                    add(&mut total.lock().unwrap_or_else(PoisonError::into_inner), result);
                }
            });
        }
    });
    total.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Runs all tasks. Returns their results in the order of the tasks.
pub fn map_in_parallel<T: Send, R: Send>(tasks: Vec<T>, run: impl Fn(T) -> R + Sync) -> Vec<R> {
    let numbered: Vec<(usize, T)> = tasks.into_iter().enumerate().collect();
    let mut results: Vec<(usize, R)> =
        in_parallel(numbered, |(number, task)| vec![(number, run(task))], |all, more| all.extend(more));
    results.sort_by_key(|(number, _)| *number);
    results.into_iter().map(|(_, result)| result).collect()
}
