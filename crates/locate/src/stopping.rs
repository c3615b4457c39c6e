//! Checks in long loops whether the work was asked to stop.
//!
//! A loop whose turns take some time calls [`locant_stop::check`] in each turn. If a turn takes only a few steps, even
//! this check would cost too much, so it is made in every thousandth turn.

const N_TURNS: usize = 1024;

/// Ends the work if it was asked to stop. Checks only in every [`N_TURNS`]th turn of a loop.
#[inline]
pub(crate) fn check_at(turn: usize) {
    if turn.is_multiple_of(N_TURNS) {
        locant_stop::check();
    }
}
