//! The questions about names, as a trait that each language implements.

use std::collections::HashSet;

use locant_text::{Offset, Range};

use crate::{
    Fix, Fold, FoundSymbol, Hover, Mention, Problem, Question, Refusal, Replacement, SignatureHelp,
    Suggestion, Target, Token,
};

/// A set of files in one language, and the questions that can be asked about the names in them.
///
/// Editors ask about a place between two characters. The question is about the name around the place, or else the name
/// that starts or ends there.
pub trait Names: Send + Sync {
    /// Adds a file, or gives it a new text.
    fn set(&mut self, path: &str, text: &[u8]);

    /// Removes a file.
    fn remove(&mut self, path: &str);

    /// The files that this file imports and that are not in the set yet, by the names in its imports. Some of these
    /// files may not exist. `None` when any file may matter.
    fn wanted(&self, path: &str) -> Option<Vec<String>> {
        let _ = path;
        None
    }

    /// The files of the set that this file imports.
    fn imported(&self, path: &str) -> Vec<String> {
        let _ = path;
        Vec::new()
    }

    /// Whether a file mentions a name that no file visible to it declares. A file outside the set may declare the name.
    fn lacks(&self, path: &str) -> bool {
        let _ = path;
        false
    }

    /// Why a question never has an answer in this language, as part of a sentence; `None` when it may have one.
    fn why_never(&self, question: Question) -> Option<&'static str> {
        let _ = question;
        None
    }

    /// The text of a file that answers may point to although it is not on disk, such as one built into a compiler.
    fn built_in(&self, path: &str) -> Option<String> {
        let _ = path;
        None
    }

    /// Whether a file with this text imports a file that has one of these names. The names are without folders. `None`
    /// when the language needs no import to use the names of another file.
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

    /// Where the type of the expression or name at a place is defined.
    fn type_definition(&self, path: &str, at: Offset) -> Vec<Target>;

    /// Every mention, in all files, of the thing that the name at a place means. The list includes that name itself and
    /// the declaration. It is sorted by path, then by place.
    fn references(&self, path: &str, at: Offset) -> Vec<Mention>;

    /// The references in the file itself, without guesses.
    fn highlights(&self, path: &str, at: Offset) -> Vec<Mention> {
        let mut mentions = self.references(path, at);
        mentions.retain(|mention| mention.path == path && !mention.is_guess);
        mentions
    }

    /// The explanation to show for the name at a place.
    fn hover(&self, path: &str, at: Offset) -> Option<Hover>;

    /// The range of the name at a place, if it can be renamed.
    fn renamable(&self, path: &str, at: Offset) -> Result<Range, Refusal>;

    /// The replacements that rename the thing at a place to `name`, in all files. After the rename, every name still
    /// means what it meant before.
    fn rename(&self, path: &str, at: Offset, name: &str) -> Result<Vec<Replacement>, Refusal>;

    /// Suggestions for what to write at a place.
    fn suggestions(&self, path: &str, at: Offset) -> Vec<Suggestion>;

    /// The signatures of the call around a place.
    fn signatures(&self, path: &str, at: Offset) -> Option<SignatureHelp>;

    /// The symbols of all files whose names contain the letters of `query` in the same order. Case is ignored, and
    /// other letters may be between them: `usv` finds `UserService`.
    fn symbols(&self, query: &str) -> Vec<FoundSymbol>;

    /// The problems of a file, sorted by place.
    fn problems(&self, path: &str) -> Vec<Problem>;

    /// The fixes for the problems in a part of a file, sorted by place.
    fn fixes(&self, path: &str, within: Range) -> Vec<Fix> {
        let _ = (path, within);
        Vec::new()
    }

    /// The replacements that lay out a file, or the lines of a part of it, as is usual in the language. Only blanks are
    /// replaced, and only by blanks. A file with syntax errors is left as it is: the first error is returned.
    fn format(&self, path: &str, within: Option<Range>) -> Result<Vec<Replacement>, Problem>;

    /// The tokens of a file and their kinds, sorted by place, without overlaps.
    fn tokens(&self, path: &str) -> Vec<Token>;

    /// The parts of a file that can be folded away.
    fn folds(&self, path: &str) -> Vec<Fold>;
}
