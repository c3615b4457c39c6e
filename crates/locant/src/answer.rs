//! What a command gives back, in the forms that doors need.

use std::io::{self, Write};

use crate::wire::How;

/// How an answer is shown.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Form {
    /// For programs.
    Json,
    /// For people in a terminal.
    Text,
    /// For agents.
    Markdown,
}

/// An answer. It is computed only as far as the asked form needs: the text form of a find, for one, does not
/// describe the place, which would parse the file.
pub trait Answer {
    /// One JSON object on one line, as the contract gives it.
    fn json(&self) -> String;

    /// What people read in a terminal, with styles; the door strips them where there is no terminal.
    fn text(&self) -> String;

    /// What an agent reads.
    fn markdown(&self) -> String;

    /// Writes one of these forms; a long answer piece by piece, as it is made.
    fn write(&self, form: Form, out: &mut dyn Write) -> io::Result<()> {
        let whole = match form {
            Form::Json => self.json(),
            Form::Text => self.text(),
            Form::Markdown => self.markdown(),
        };
        out.write_all(whole.as_bytes())
    }

    /// How the place was found, if the answer is about one.
    fn how(&self) -> Option<&How> {
        None
    }

    /// Is there what was asked for? What is lost is an answer for who reads it, and a failure for scripts.
    fn is_found(&self) -> bool {
        true
    }

    /// What people should know besides the answer, once it is written.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }
}
