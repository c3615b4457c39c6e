//! Answers that explain a name: hovers and signatures.

use std::ops;

use locant_text::Range;

/// What an editor shows for a name under the pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The name.
    pub range: Range,
    /// The declaration of the name, in the language of the file.
    pub code: String,
    /// Facts that the declaration does not show, each a sentence or part of one, in Markdown.
    pub facts: Vec<String>,
    /// Its documentation, in Markdown; empty when there is none.
    pub docs: String,
}

/// The ways to call something, while it is being called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureHelp {
    /// The ways to call it.
    pub signatures: Vec<Signature>,
    /// Which of the signatures fits best, from 0.
    pub active: usize,
    /// Which argument is being written, from 0.
    pub active_parameter: usize,
}

/// One way to call something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The call as it is written, with its parameters.
    pub label: String,
    /// Its documentation, in Markdown; empty when there is none.
    pub docs: String,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
}

/// A parameter of a signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The part of the label that is this parameter, in bytes.
    pub label: ops::Range<usize>,
    /// Its documentation, in Markdown; empty when there is none.
    pub docs: String,
}
