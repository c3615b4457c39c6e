//! Looking in long loops whether the work was asked to stop.
//!
//! A loop whose turns do more than a little calls [`locant_stop::check`] in each of them. Where a turn takes only a few
//! steps, even that would be felt, so the loop looks at every thousandth turn.

const N_TURNS: usize = 1024;

/// Ends the work if it was asked to stop, in every [`N_TURNS`]th turn of a loop.
#[inline]
pub(crate) fn check_at(turn: usize) {
    if turn.is_multiple_of(N_TURNS) {
        locant_stop::check();
    }
}
