//! Where is everything in a file?
//!
//! Two answers: the [`Outline`], the named declarations of a file, nested as people think of them; and the
//! [`Tree`], every node of its syntax tree and where it is, packed into a few bytes a node.
//!
//! A tree holds no absolute places. A leaf stores the gap before it, its length, and how many nodes end with it; all
//! else follows from that. The stream of nodes is cut into blocks, and a tree of their summaries leads to any place in
//! it. An edit replaces the blocks it touches; all others are shared with the version before.
//!
//! Invariants: both are plain values that know nothing of the parser they came from; every range in an outline lies
//! inside the text it was made from; [`Tree::events`] gives back exactly the events a tree was built from.

mod around;
mod order;
mod outline;
mod packed;

mod event;
mod label;
mod tree;

mod block;
mod blocks;
mod build;
mod path;
mod read;
mod stream;
mod update;
mod wire;

pub use event::{Event, Kind, Source, Vocabulary};
pub use label::Label;
pub use outline::{Outline, Symbol, SymbolId, SymbolKind, apart};
pub use tree::{Events, Node, NodeId, Tree};
pub use wire::{Malformed, check_of};
