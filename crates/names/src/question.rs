//! What kinds of questions there are.

/// A kind of question about names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Where the name at a place is defined.
    Definition,
    /// Where it is declared.
    Declaration,
    /// Where the type of what stands at a place is defined.
    TypeDefinition,
    /// Every place that means the same.
    References,
    /// What the name at a place says.
    Hover,
    /// What could be written at a place.
    Completion,
    /// The ways to call what is called around a place.
    Signature,
    /// What to change so that a name has a new spelling.
    Rename,
    /// What is wrong in a file.
    Diagnostics,
}

impl Question {
    /// Its name, as commands have it.
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
