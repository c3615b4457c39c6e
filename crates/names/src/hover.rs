//! Answers that explain a name: hovers and signatures.

use std::ops;

use locant_text::Range;

/// The explanation that an editor shows for a name under the pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The name.
    pub range: Range,
    /// The declaration of the name, in the language of the file.
    pub code: String,
    /// Facts that the declaration does not show, in Markdown. Each is a sentence or a phrase.
    pub facts: Vec<String>,
    /// Its documentation, in Markdown; empty when there is none.
    pub docs: String,
}

/// The signatures to show while a call is being written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureHelp {
    /// The ways to call the function.
    pub signatures: Vec<Signature>,
    /// The index in `signatures` of the signature that fits best.
    pub active: usize,
    /// The index of the argument that is being written.
    pub active_parameter: usize,
}

/// One way to call something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The call with its parameters, as a person would write it.
    pub label: String,
    /// Its documentation, in Markdown; empty when there is none.
    pub docs: String,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
}

/// A parameter of a signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The bytes of the signature's label that show this parameter.
    pub label: ops::Range<usize>,
    /// Its documentation, in Markdown; empty when there is none.
    pub docs: String,
}
