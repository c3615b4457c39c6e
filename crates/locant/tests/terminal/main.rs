//! What people see in a terminal: in the cases of the command line, on the pages of the documentation, and in the
//! picture of the README. With `UPDATE=1` in the environment, what is printed now replaces what was expected.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod cases;
mod pages;
mod picture;
mod session;
