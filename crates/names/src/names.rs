//! The questions.

use std::collections::HashSet;

use locant_text::{Offset, Range};

use crate::{
    Fix, Fold, FoundSymbol, Hover, Mention, Problem, Question, Refusal, Replacement, SignatureHelp,
    Suggestion, Target, Token,
};

/// A set of files of one language, and what can be asked of the names in them.
///
/// A place belongs to the name that it stands in or right after: editors ask with a cursor between two characters.
pub trait Names: Send + Sync {
    /// Adds a file, or gives it a new text.
    fn set(&mut self, path: &str, text: &[u8]);

    /// Takes a file out.
    fn remove(&mut self, path: &str);

    /// The files that the names of a file depend on and that are not among the files, as it calls them; `None` when
    /// any file may matter. Not all of them need to be there.
    fn wanted(&self, path: &str) -> Option<Vec<String>> {
        let _ = path;
        None
    }

    /// The files, of those that were given, on which the names of a file depend.
    fn imported(&self, path: &str) -> Vec<String> {
        let _ = path;
        Vec::new()
    }

    /// Whether a file has a name that no file it sees declares. A file that was not given may declare it.
    fn lacks(&self, path: &str) -> bool {
        let _ = path;
        false
    }

    /// Why a question never has an answer in this language, as part of a sentence; `None` when it may have one.
    fn why_never(&self, question: Question) -> Option<&'static str> {
        let _ = question;
        None
    }

    /// The text of a file that answers may name though it is in no folder, such as one that comes with a compiler.
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

    /// Where the name at a place is declared: what makes it known. In many languages that is the definition.
    fn declaration(&self, path: &str, at: Offset) -> Vec<Target> {
        self.definition(path, at)
    }

    /// Where the type of what stands at a place is defined.
    fn type_definition(&self, path: &str, at: Offset) -> Vec<Target>;

    /// Every place in all files that means the same as the name at a place, that one and the declaration included; in
    /// the order of paths and places.
    fn references(&self, path: &str, at: Offset) -> Vec<Mention>;

    /// The same in the one file.
    fn highlights(&self, path: &str, at: Offset) -> Vec<Mention> {
        let mut mentions = self.references(path, at);
        mentions.retain(|mention| mention.path == path && !mention.is_guess);
        mentions
    }

    /// What the name at a place says.
    fn hover(&self, path: &str, at: Offset) -> Option<Hover>;

    /// The name at a place, if it can be called otherwise.
    fn renamable(&self, path: &str, at: Offset) -> Result<Range, Refusal>;

    /// What to replace, and by what, so that the name at a place is renamed and everything means what it did.
    fn rename(&self, path: &str, at: Offset, name: &str) -> Result<Vec<Replacement>, Refusal>;

    /// What could be written at a place.
    fn suggestions(&self, path: &str, at: Offset) -> Vec<Suggestion>;

    /// The ways to call what is called around a place.
    fn signatures(&self, path: &str, at: Offset) -> Option<SignatureHelp>;

    /// The symbols of all files whose names contain the letters of `query` in this order, whatever their case.
    fn symbols(&self, query: &str) -> Vec<FoundSymbol>;

    /// What is wrong in a file, in the order of places.
    fn problems(&self, path: &str) -> Vec<Problem>;

    /// What would put right what is wrong in a part of a file, in the order of places.
    fn fixes(&self, path: &str, within: Range) -> Vec<Fix> {
        let _ = (path, within);
        Vec::new()
    }

    /// What the words of a file are, in the order of places, without overlaps.
    fn tokens(&self, path: &str) -> Vec<Token>;

    /// What can be folded away in a file.
    fn folds(&self, path: &str) -> Vec<Fold>;
}
