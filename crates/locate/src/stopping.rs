//! Checks, in long loops, whether the work was asked to stop.
//!
//! A loop whose iterations take some time calls [`locant_stop::check`] in each iteration. If an iteration takes only a
//! few steps, even this check would cost too much. Such a loop calls [`check_at`], which checks only in some
//! iterations.

const N_TURNS: usize = 1024;

/// Ends the work if it was asked to stop. Checks only in every 1024th iteration of a loop. `turn` is the number of the
/// iteration.
#[inline]
pub(crate) fn check_at(turn: usize) {
    if turn.is_multiple_of(N_TURNS) {
        locant_stop::check();
    }
}
