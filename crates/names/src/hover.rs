//! What a name says.

use std::ops;

use locant_text::Range;

/// What is said of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The name.
    pub range: Range,
    /// Its declaration, in the language of the file.
    pub code: String,
    /// Facts that the declaration does not show, each a sentence or part of one, in Markdown.
    pub facts: Vec<String>,
    /// Its documentation, in Markdown; empty when there is none.
    pub docs: String,
}

/// The ways to call something, while it is being called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureHelp {
    /// The ways.
    pub signatures: Vec<Signature>,
    /// Which of them fits best.
    pub active: usize,
    /// Which argument is being written, from 0.
    pub active_parameter: usize,
}

/// One way to call something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// How it is written.
    pub label: String,
    /// Its documentation, in Markdown; empty when there is none.
    pub docs: String,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
}

/// A parameter of a signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The bytes of the label that it is.
    pub label: ops::Range<usize>,
    /// Its documentation, in Markdown; empty when there is none.
    pub docs: String,
}
