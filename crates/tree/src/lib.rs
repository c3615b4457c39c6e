//! Where is everything in a file?
//!
//! There are two answers. The [`Outline`] has the named declarations of a file, nested as people think of them. The
//! [`Tree`] has every node of the syntax tree with its range, packed into a few bytes for each node.
//!
//! A tree stores no absolute offsets. A leaf stores the gap before it, its length, and how many nodes end with it.
//! Everything else follows from that. The stream of nodes is cut into blocks, and a tree of block summaries leads to
//! any place in the stream. An edit replaces only the blocks that it touches. All other blocks are shared with the
//! previous version.
//!
//! Invariants:
//! - Outlines and trees are plain values that know nothing of the parser they came from.
//! - Every range in an outline lies inside the text that the outline was made from.
//! - [`Tree::events`] gives back exactly the events that a tree was built from.

mod outline;

mod around;
mod assemble;
mod attach;
mod item;
mod nest;
mod order;
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

pub use assemble::{Assembly, Conventions, InnerSymbols};
pub use attach::{Attachable, Attached, Attachments, Front};
pub use event::{Event, Kind, Source, Vocabulary};
pub use item::{Frame, Item, Joining};
pub use label::Label;
pub use nest::{Link, link};
pub use outline::{Outline, Symbol, SymbolId, SymbolKind, apart};
pub use tree::{Events, Node, NodeId, Tree};
pub use wire::{Malformed, check_of};
