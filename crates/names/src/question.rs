//! The kinds of questions about names.

/// A kind of question about names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Where the name at a place is defined.
    Definition,
    /// Where the name at a place is declared.
    Declaration,
    /// Where the type of the expression or name at a place is defined.
    TypeDefinition,
    /// Where the name at a place is implemented: the methods that implement a method of an interface, or the classes
    /// that implement a type.
    Implementation,
    /// Every mention of the thing that the name at a place means.
    References,
    /// The explanation to show for the name at a place.
    Hover,
    /// Suggestions for what to write at a place.
    Completion,
    /// The signatures of the call around a place.
    Signature,
    /// The replacements that rename the thing at a place.
    Rename,
    /// The problems of a file.
    Diagnostics,
    /// Changes that are offered at a place.
    CodeActions,
    /// The replacements that lay out a file, or a part of it, anew.
    Format,
    /// Who calls a function, or whom it calls.
    Calls,
    /// The types above or below a type.
    Types,
    /// Any other question that a language server answers.
    Request,
}

impl Question {
    /// The name of the command that asks this question.
    pub fn word(self) -> &'static str {
        match self {
            Question::Definition => "definition",
            Question::Declaration => "declaration",
            Question::TypeDefinition => "type-definition",
            Question::Implementation => "implementation",
            Question::References => "references",
            Question::Hover => "hover",
            Question::Completion => "completion",
            Question::Signature => "signature",
            Question::Rename => "rename",
            Question::Diagnostics => "diagnostics",
            Question::CodeActions => "code-actions",
            Question::Format => "format",
            Question::Calls => "calls",
            Question::Types => "types",
            Question::Request => "request",
        }
    }
}
