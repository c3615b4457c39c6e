//! The kinds of questions about names.

/// A kind of question about names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Where the name at a place is defined.
    Definition,
    /// Where the name at a place is declared.
    Declaration,
    /// Where the type of what is at a place is defined.
    TypeDefinition,
    /// Every place that means the same as the name at a place.
    References,
    /// What to show for the name at a place.
    Hover,
    /// Suggestions for what to write at a place.
    Completion,
    /// The signatures of the call around a place.
    Signature,
    /// What to change so that a name has a new spelling.
    Rename,
    /// The problems of a file.
    Diagnostics,
}

impl Question {
    /// The name of the command that asks this question.
    pub fn word(self) -> &'static str {
        match self {
            Question::Definition => "definition",
            Question::Declaration => "declaration",
            Question::TypeDefinition => "type-definition",
            Question::References => "references",
            Question::Hover => "hover",
            Question::Completion => "completion",
            Question::Signature => "signature",
            Question::Rename => "rename",
            Question::Diagnostics => "diagnostics",
        }
    }
}
