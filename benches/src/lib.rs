//! How fast is locant, and does its description of a place always lead back there, on real code?
//!
//! The programs in `bin` share this library. `roundtrip` describes positions of real sources and looks them up again.
//! `trees` compares position trees with the parser's. `compare` measures locant and similar tools and libraries.
//! `hostile` looks for texts that take long. `robust` finds places again in later versions. `cargo xtask` fetches the
//! sources and starts these programs.
//!
//! Invariants: every run uses the same files and the same random numbers.

pub mod corpus;
pub mod law;
pub mod measure;
pub mod parallel;
pub mod random;
pub mod survive;
pub mod trees;
