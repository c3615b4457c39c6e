//! How does work end before it is done?
//!
//! There are two ways: another thread asks the work to stop, or a defect makes it panic. Neither may end the process.
//!
//! The caller that starts long work makes a [`Stop`] and runs the work under it with [`until`]. Any thread can then ask
//! the work to stop. Long loops call [`check`]. Once the work has been asked to stop, [`check`] unwinds to [`until`].
//! So the functions in between need no extra parameter and no early return.
//!
//! Work that may have a defect runs in [`unharmed`], which turns a panic into an ordinary value.
//!
//! Invariants:
//! - Work that does not run under a [`Stop`] is never stopped.
//! - A clock is read only under a [`Stop`] that has a deadline.
//! - A stop is not a defect: no panic message is printed, and [`unharmed`] passes the stop on.

use std::any::Any;
use std::cell::RefCell;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A handle that asks work to stop. All clones of a handle ask the same work.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    is_asked: Arc<AtomicBool>,
    /// The work stops at this time even if nobody asks.
    deadline: Option<Instant>,
}

/// The work was stopped before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

thread_local! {
    /// The [`Stop`] that the work of this thread runs under.
    static CURRENT: RefCell<Option<Stop>> = const { RefCell::new(None) };
}

impl Stop {
    /// Asks the work to stop. It stops at its next [`check`].
    pub fn ask(&self) {
        self.is_asked.store(true, Ordering::Relaxed);
    }

    /// Whether the work was asked to stop, or its deadline has passed.
    pub fn is_asked(&self) -> bool {
        self.is_asked.load(Ordering::Relaxed)
            || self.deadline.is_some_and(|deadline| deadline <= Instant::now())
    }

    /// A [`Stop`] that is asked once `time` has passed, and also whenever `outer` is asked.
    #[must_use]
    pub fn after(time: Duration, outer: &Stop) -> Stop {
        let own = Instant::now().checked_add(time);
        let deadline = [own, outer.deadline].into_iter().flatten().min();
        Stop { is_asked: Arc::clone(&outer.is_asked), deadline }
    }

    /// The [`Stop`] that this thread's work runs under. Pass it to threads that do parts of the work.
    pub fn current() -> Stop {
        CURRENT.with_borrow(Option::clone).unwrap_or_default()
    }
}

/// Runs work until it is done or asked to stop. Any [`check`] may end the work by unwinding, like a panic. So whatever
/// the work changes must be valid at every [`check`].
pub fn until<T>(stop: &Stop, work: impl FnOnce() -> T) -> Result<T, Stopped> {
    let _outer = Outer(CURRENT.replace(Some(stop.clone())));
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(done) => Ok(done),
        Err(cause) if cause.is::<Stopped>() => Err(Stopped),
        Err(defect) => resume_unwind(defect),
    }
}

/// Stops the work of this thread if it was asked to stop. Cheap enough to call in every iteration of a loop whose body
/// is not tiny.
pub fn check() {
    if is_asked() {
        resume_unwind(Box::new(Stopped));
    }
}

/// A panic in work that should not fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defect {
    /// The message of the panic.
    pub message: String,
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// Runs work that may have a defect, and returns even if the work panics. After a panic, whatever the work was
/// changing must be valid or be thrown away.
pub fn unharmed<T>(work: impl FnOnce() -> T) -> Result<T, Defect> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(done) => Ok(done),
        Err(cause) if cause.is::<Stopped>() => resume_unwind(cause),
        Err(panic) => Err(Defect { message: message(panic.as_ref()) }),
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    let message = panic.downcast_ref::<String>().map(String::as_str);
    message.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message").to_owned()
}

/// Whether the work of this thread was asked to stop. For loops that cannot unwind, such as loops in C.
pub fn is_asked() -> bool {
    CURRENT.with_borrow(|current| current.as_ref().is_some_and(Stop::is_asked))
}

/// The [`Stop`] that the thread ran under before. Dropping this value restores that [`Stop`], also while unwinding.
struct Outer(Option<Stop>);

impl Drop for Outer {
    fn drop(&mut self) {
        CURRENT.set(self.0.take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_ends_when_its_time_is_over_or_the_outer_work_is_asked() {
        let outer = Stop::default();
        let at_once = Stop::after(Duration::ZERO, &outer);
        assert_eq!(
            until(&at_once, || {
                check();
                1
            }),
            Err(Stopped)
        );
        let later = Stop::after(Duration::from_secs(3600), &outer);
        assert_eq!(
            until(&later, || {
                check();
                1
            }),
            Ok(1)
        );
        let shorter_outside = Stop::after(Duration::from_secs(3600), &at_once);
        assert_eq!(
            until(&shorter_outside, || {
                check();
                1
            }),
            Err(Stopped)
        );
        outer.ask();
        assert_eq!(
            until(&later, || {
                check();
                1
            }),
            Err(Stopped)
        );
    }

    #[test]
    fn work_goes_on_until_it_is_asked_to_stop() {
        let stop = Stop::default();
        let mut n_turns = 0;
        let done = until(&stop, || {
            loop {
                check();
                n_turns += 1;
                if n_turns == 3 {
                    stop.ask();
                }
            }
        });
        assert_eq!((done, n_turns), (Err::<(), _>(Stopped), 3));
    }

    #[test]
    fn work_under_nothing_is_not_stopped() {
        let stop = Stop::default();
        stop.ask();
        check();
        assert_eq!(until(&stop, || 7), Ok(7), "work that does not look is not stopped");
        assert!(!is_asked());
    }

    #[test]
    fn inner_work_is_stopped_alone() {
        let (outer, inner) = (Stop::default(), Stop::default());
        inner.ask();
        let done = until(&outer, || (until(&inner, check), Stop::current().is_asked()));
        assert_eq!(done, Ok((Err(Stopped), false)));
    }

    #[test]
    fn a_part_that_runs_in_another_thread_can_be_stopped_too() {
        let stop = Stop::default();
        let part = until(&stop, || {
            let part = Stop::current();
            stop.ask();
            std::thread::spawn(move || until(&part, check)).join()
        });
        assert!(matches!(part, Ok(Ok(Err(Stopped)))));
    }

    #[test]
    fn a_defect_is_a_value_and_a_stop_goes_on() {
        let defect = unharmed(|| resume_unwind(Box::new("too bad")));
        assert_eq!(defect, Err::<(), _>(Defect { message: "too bad".to_owned() }));
        let stop = Stop::default();
        stop.ask();
        assert_eq!(until(&stop, || unharmed(check)), Err(Stopped));
    }

    #[test]
    fn a_defect_is_no_stop() {
        let defect = catch_unwind(|| until(&Stop::default(), || resume_unwind(Box::new("defect"))));
        assert!(defect.is_err());
    }
}
