//! The questions about names, as a trait that each language implements.

use std::collections::HashSet;

use locant_text::{Offset, Range};

use crate::{
    Fix, Fold, FoundSymbol, Hover, Mention, Problem, Question, Refusal, Replacement, SignatureHelp,
    Suggestion, Target, Token,
};

/// A set of files of one language, and what can be asked of the names in them.
///
/// A place belongs to the name that it is in or right after: editors ask with a cursor between two characters.
pub trait Names: Send + Sync {
    /// Adds a file, or gives it a new text.
    fn set(&mut self, path: &str, text: &[u8]);

    /// Takes a file out.
    fn remove(&mut self, path: &str);

    /// The files that the names of a file depend on and that were not given yet, as the file calls them; `None` when
    /// any file may matter. Some of them may not exist.
    fn wanted(&self, path: &str) -> Option<Vec<String>> {
        let _ = path;
        None
    }

    /// The files on which the names of a file depend, of those that were given.
    fn imported(&self, path: &str) -> Vec<String> {
        let _ = path;
        Vec::new()
    }

    /// Whether a file mentions a name that is declared in none of the files it sees. A file that was not given may
    /// declare it.
    fn lacks(&self, path: &str) -> bool {
        let _ = path;
        false
    }

    /// Why a question never has an answer in this language, as part of a sentence; `None` when it may have one.
    fn why_never(&self, question: Question) -> Option<&'static str> {
        let _ = question;
        None
    }

    /// The text of a file that answers may point to though it is in no folder, such as one that comes with a compiler.
    fn built_in(&self, path: &str) -> Option<String> {
        let _ = path;
        None
    }

    /// Whether a file with this text imports one of the files with these names, without their folders. `None` when
    /// names are seen without an import.
    fn imports_any(&self, text: &[u8], file_names: &HashSet<&[u8]>) -> Option<bool> {
        let _ = (text, file_names);
        None
    }

    /// Where the name at a place is defined: the code that gives it its meaning.
    fn definition(&self, path: &str, at: Offset) -> Vec<Target>;

    /// Where the name at a place is declared: the code that brings it into scope. In many languages that is the
    /// definition.
    fn declaration(&self, path: &str, at: Offset) -> Vec<Target> {
        self.definition(path, at)
    }

    /// Where the type of what is at a place is defined.
    fn type_definition(&self, path: &str, at: Offset) -> Vec<Target>;

    /// Every mention in all files of what the name at a place means, that name and the declaration included; in the
    /// order of paths and places.
    fn references(&self, path: &str, at: Offset) -> Vec<Mention>;

    /// The references in the file itself, without guesses.
    fn highlights(&self, path: &str, at: Offset) -> Vec<Mention> {
        let mut mentions = self.references(path, at);
        mentions.retain(|mention| mention.path == path && !mention.is_guess);
        mentions
    }

    /// What to show for the name at a place.
    fn hover(&self, path: &str, at: Offset) -> Option<Hover>;

    /// The range of the name at a place, if it can be renamed.
    fn renamable(&self, path: &str, at: Offset) -> Result<Range, Refusal>;

    /// The replacements that rename what the name at a place means. Afterwards every name means what it did before.
    fn rename(&self, path: &str, at: Offset, name: &str) -> Result<Vec<Replacement>, Refusal>;

    /// Suggestions for what to write at a place.
    fn suggestions(&self, path: &str, at: Offset) -> Vec<Suggestion>;

    /// The signatures of the call around a place.
    fn signatures(&self, path: &str, at: Offset) -> Option<SignatureHelp>;

    /// The symbols of all files whose names contain the letters of `query` in this order, whatever their case.
    fn symbols(&self, query: &str) -> Vec<FoundSymbol>;

    /// The problems of a file, in the order of places.
    fn problems(&self, path: &str) -> Vec<Problem>;

    /// The fixes of the problems in a part of a file, in the order of places.
    fn fixes(&self, path: &str, within: Range) -> Vec<Fix> {
        let _ = (path, within);
        Vec::new()
    }

    /// The tokens of a file and their kinds, in the order of places, without overlaps.
    fn tokens(&self, path: &str) -> Vec<Token>;

    /// The parts of a file that can be folded away.
    fn folds(&self, path: &str) -> Vec<Fold>;
}
