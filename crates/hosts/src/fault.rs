//! Why settings cannot be read.

/// Why settings cannot be added to.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Fault {
    /// Where, as a number of bytes from the start of the settings.
    pub offset: usize,
    /// What is wrong there.
    pub message: String,
}
