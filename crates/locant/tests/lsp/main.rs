//! The language server as an editor uses it: the real program, over standard input and output.

mod client;
mod doors;
mod doubts;
mod formatting;
mod languages;
mod lifecycle;
mod locations;
mod proto;
mod rho;
mod sync;
