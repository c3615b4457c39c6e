//! Why nothing can be added to settings.

/// Why nothing can be added to settings, such as a syntax error in them.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Fault {
    /// Where, as a number of bytes from the start of the settings.
    pub offset: usize,
    /// What is wrong there.
    pub message: String,
}
