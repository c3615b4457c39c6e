//! Files in several languages, and what the names in them mean.

use std::collections::{HashMap, HashSet};

use locant_names::{
    Fix, Fold, FoundSymbol, Hover, Mention, Names, Problem, Question, Refusal, Replacement, SignatureHelp,
    Suggestion, Target, Token,
};
use locant_text::{Offset, Range};

use crate::Reader;

/// Files in the languages whose names locant understands. A question about a file goes to the [`Names`] of its
/// language.
#[derive(Default)]
pub struct NameIndex {
    roots: Vec<String>,
    /// The languages of the files added so far: the name of each, and its files.
    languages: Vec<(&'static str, Box<dyn Names>)>,
    /// The language of each file, as an index in `languages`.
    files: HashMap<String, usize>,
}

/// Makes an empty set of files. Its imports are looked for in the given directories first.
type Make = fn(&[String]) -> Box<dyn Names>;

/// The languages whose names locant understands.
const LANGUAGES: &[(&str, Make)] = &[
    ("proto", |roots| Box::new(locant_proto::Workspace::new(roots.to_vec()))),
    ("rholang", |_| Box::<locant_rholang::Workspace>::default()),
];

/// An empty set of files in the language of a reader; `None` when the names of that language are not understood.
fn names(reader: Reader, roots: &[String]) -> Option<Box<dyn Names>> {
    let (_, make) = LANGUAGES.iter().find(|(name, _)| *name == reader.name())?;
    Some(make(roots))
}

impl NameIndex {
    /// An index without files. Imports are looked for in these directories first.
    pub fn new(roots: Vec<String>) -> NameIndex {
        NameIndex { roots, ..NameIndex::default() }
    }

    /// Whether locant understands the names of a reader's language.
    pub fn knows(reader: Reader) -> bool {
        LANGUAGES.iter().any(|(name, _)| *name == reader.name())
    }

    /// Whether a question can have answers in the language of a reader.
    pub fn answers_in(reader: Reader, question: Question) -> bool {
        NameIndex::knows(reader) && NameIndex::why_never_in(reader, question).is_none()
    }

    /// Why a question never has an answer in the language of a reader; `None` when it may have one.
    pub fn why_never_in(reader: Reader, question: Question) -> Option<&'static str> {
        names(reader, &[])?.why_never(question)
    }

    /// The extensions of files in the languages in which a question has answers, without the dot.
    pub fn extensions(question: Question) -> Vec<&'static str> {
        let readers = LANGUAGES.iter().filter_map(|(name, _)| Reader::by_name(name));
        readers
            .filter(|reader| NameIndex::answers_in(*reader, question))
            .flat_map(|reader| reader.extensions().iter().copied())
            .collect()
    }

    /// The text of a built-in file: one that answers may point to although it is not on disk.
    pub fn built_in_file(path: &str) -> Option<String> {
        let reader = Reader::for_file(path, b"")?;
        names(reader, &[])?.built_in(path)
    }

    /// Whether a file with this text imports a file that has one of these names. `None` when the language has no
    /// imports, so that all files see each other's names.
    pub fn imports_any(reader: Reader, text: &[u8], file_names: &HashSet<&[u8]>) -> Option<bool> {
        names(reader, &[])?.imports_any(text, file_names)
    }

    /// Adds a file in the language of a reader, or gives it a new text. If locant does not understand the names of that
    /// language, the file is removed instead.
    pub fn set_as(&mut self, reader: Reader, path: &str, text: &[u8]) {
        let Some(index) = self.language(reader) else { return self.remove(path) };
        if self.files.get(path).is_some_and(|&old| old != index) {
            self.remove(path);
        }
        self.files.insert(path.to_owned(), index);
        self.languages[index].1.set(path, text);
    }

    /// Whether a file is in the index.
    pub fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// The paths of all files, in no particular order.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Whether two files are in the same language, so that one may use the names of the other.
    pub fn are_related(&self, one: &str, other: &str) -> bool {
        self.files.get(one).is_some_and(|index| self.files.get(other) == Some(index))
    }

    fn language(&mut self, reader: Reader) -> Option<usize> {
        let name = reader.name();
        if let Some(index) = self.languages.iter().position(|(known, _)| *known == name) {
            return Some(index);
        }
        self.languages.push((name, names(reader, &self.roots)?));
        Some(self.languages.len() - 1)
    }

    fn of(&self, path: &str) -> Option<&dyn Names> {
        self.files.get(path).map(|&index| self.languages[index].1.as_ref())
    }
}

impl Names for NameIndex {
    fn set(&mut self, path: &str, text: &[u8]) {
        match Reader::for_file(path, text) {
            Some(reader) => self.set_as(reader, path, text),
            None => self.remove(path),
        }
    }

    fn remove(&mut self, path: &str) {
        if let Some(index) = self.files.remove(path) {
            self.languages[index].1.remove(path);
        }
    }

    fn wanted(&self, path: &str) -> Option<Vec<String>> {
        self.of(path).map_or(Some(Vec::new()), |names| names.wanted(path))
    }

    fn imported(&self, path: &str) -> Vec<String> {
        self.of(path).map(|names| names.imported(path)).unwrap_or_default()
    }

    fn lacks(&self, path: &str) -> bool {
        self.of(path).is_some_and(|names| names.lacks(path))
    }

    fn fixes(&self, path: &str, within: Range) -> Vec<Fix> {
        self.of(path).map(|names| names.fixes(path, within)).unwrap_or_default()
    }

    fn definition(&self, path: &str, at: Offset) -> Vec<Target> {
        self.of(path).map(|names| names.definition(path, at)).unwrap_or_default()
    }

    fn declaration(&self, path: &str, at: Offset) -> Vec<Target> {
        self.of(path).map(|names| names.declaration(path, at)).unwrap_or_default()
    }

    fn type_definition(&self, path: &str, at: Offset) -> Vec<Target> {
        self.of(path).map(|names| names.type_definition(path, at)).unwrap_or_default()
    }

    fn references(&self, path: &str, at: Offset) -> Vec<Mention> {
        self.of(path).map(|names| names.references(path, at)).unwrap_or_default()
    }

    fn highlights(&self, path: &str, at: Offset) -> Vec<Mention> {
        self.of(path).map(|names| names.highlights(path, at)).unwrap_or_default()
    }

    fn hover(&self, path: &str, at: Offset) -> Option<Hover> {
        self.of(path)?.hover(path, at)
    }

    fn renamable(&self, path: &str, at: Offset) -> Result<Range, Refusal> {
        self.of(path).ok_or_else(unknown).and_then(|names| names.renamable(path, at))
    }

    fn rename(&self, path: &str, at: Offset, name: &str) -> Result<Vec<Replacement>, Refusal> {
        self.of(path).ok_or_else(unknown).and_then(|names| names.rename(path, at, name))
    }

    fn suggestions(&self, path: &str, at: Offset) -> Vec<Suggestion> {
        self.of(path).map(|names| names.suggestions(path, at)).unwrap_or_default()
    }

    fn signatures(&self, path: &str, at: Offset) -> Option<SignatureHelp> {
        self.of(path)?.signatures(path, at)
    }

    fn symbols(&self, query: &str) -> Vec<FoundSymbol> {
        self.languages.iter().flat_map(|(_, names)| names.symbols(query)).collect()
    }

    fn problems(&self, path: &str) -> Vec<Problem> {
        self.of(path).map(|names| names.problems(path)).unwrap_or_default()
    }

    fn format(&self, path: &str, within: Option<Range>) -> Result<Vec<Replacement>, Problem> {
        self.of(path).map_or(Ok(Vec::new()), |names| names.format(path, within))
    }

    fn tokens(&self, path: &str) -> Vec<Token> {
        self.of(path).map(|names| names.tokens(path)).unwrap_or_default()
    }

    fn folds(&self, path: &str) -> Vec<Fold> {
        self.of(path).map(|names| names.folds(path)).unwrap_or_default()
    }
}

fn unknown() -> Refusal {
    let known = NameIndex::extensions(Question::Rename);
    let known: Vec<String> = known.iter().map(|extension| format!(".{extension}")).collect();
    Refusal::new("the names of this file are not known", format!("ask in a {} file", known.join(" or ")))
}
