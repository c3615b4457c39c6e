//! What does a SourceCodeInfo path point at?
//!
//! This crate reads .proto files for the whole project. [`File::parse`] reads any text, however broken, and records for
//! each part of the descriptor where it is in the text, exactly as protoc does: same order, same spans, same comments.
//! For many files together, a [`Workspace`] tells what their names mean.
//!
//! Invariants:
//! - Any bytes give a file. The whole parts of a broken file are read, and keep their paths.
//! - For every file that protoc accepts, the table of locations is protoc's.

mod columns;
mod comments;
mod descriptor;
mod features;
mod file;
mod flaw;
mod format;
mod interpret;
mod kinds;
mod known;
mod lexer;
mod lookup;
mod names;
mod nodes;
mod number;
mod outline;
mod parser;
mod pool;
mod table;
mod value;
mod wire;
mod workspace;

pub use columns::{Columns, LineColumn};
pub use descriptor::descriptor_set;
pub use file::{
    Declaration, DeclarationId, Field, FieldKind, File, Form, Holder, Import, Label, Manner, Method,
    NamePart, OptionUse, OptionValue, Reservation, Reserved, Syntax,
};
pub use flaw::{Flaw, Problem};
pub use interpret::{Interpretation, Meaning, TableKind, Unknown};
pub use known::{known_file, known_files};
pub use lookup::{Lookup, Row, Why};
pub use names::Names;
pub use nodes::{nodes, tree};
pub use outline::outline;
pub use pool::{NoSources, Pool, Sources, SymbolRef, Unit, UnitId, Wanted};
pub use table::{Location, LocationId, Table};
pub use workspace::Workspace;
