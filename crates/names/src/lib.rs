//! What can be asked of a name?
//!
//! Where it is declared, where it is used, how it is documented, whether it can be renamed. The trait [`Names`] has a
//! method for each of these questions, and the other types here are their answers. A language implements [`Names`] for
//! a set of files. The command line and the language server ask the questions without knowing the language.
//!
//! Invariants:
//! - Answers are plain values. Paths are those passed to [`Names::set`]; ranges count bytes of the text passed last.
//! - Nothing fails. Where nothing is found, the answer is empty. Only a rename can be refused, and then with a reason.

mod action;
mod hierarchy;
mod hover;
mod names;
mod place;
mod problem;
mod question;
mod rename;
mod suggestion;
mod token;

pub use action::Action;
pub use hierarchy::{CallDirection, Relative, TypeDirection};
pub use hover::{Hover, Parameter, Signature, SignatureHelp};
pub use names::Names;
pub use place::{FoundSymbol, Mention, Role, Target};
pub use problem::{Diagnostic, Fix, Problem, Severity};
pub use question::Question;
pub use rename::{Fault, FileStep, Proposal, Refusal, Replacement};
pub use suggestion::{Suggestion, SuggestionKind};
pub use token::{Fold, FoldKind, Token, TokenKind};
