//! What a command gives back, in the forms that doors need.

/// An answer. It is computed only as far as the asked form needs: the text form of a find, for one, does not
/// describe the place, which would parse the file.
pub trait Answer {
    /// One JSON object on one line, as the contract gives it.
    fn json(&self) -> String;

    /// What people read in a terminal, with styles; the door strips them where there is no terminal.
    fn text(&self) -> String;

    /// What an agent reads.
    fn markdown(&self) -> String;

    /// What people should know besides the answer.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }
}
