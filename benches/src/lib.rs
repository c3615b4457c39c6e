//! How fast is it, and does the law hold on real code?
//!
//! Two programs share what is here: `roundtrip` describes every position of real sources and looks it up again,
//! `compare` measures us beside the tools and libraries that others use. `cargo xtask` starts both, after it has
//! fetched the sources.
//!
//! Invariants: every run takes the same files and the same random numbers; a figure is never judged here, only
//! shown.

pub mod corpus;
pub mod law;
pub mod measure;
pub mod parallel;
pub mod random;
pub mod survive;
pub mod trees;
