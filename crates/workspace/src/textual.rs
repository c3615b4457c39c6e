//! The provider for languages whose names no other provider understands: it looks for the words themselves.
//!
//! It is asked last, and every answer says that it is by text. Comments and the contents of strings are left out.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use locant_engine::names::{Hover, Mention, Question, Role, Target};
use locant_engine::{Document, Range, Reader, Symbol};

use crate::gap::Gap;
use crate::path::written;
use crate::project::Origin;
use crate::provider::{Answered, Asked, Known, Provider, Scope, Unanswered};
use crate::sweep::{Sweep, sweep};
use crate::unseen::{has_word, words};

/// The name by which this provider is chosen, and which its answers carry.
const NAME: &str = "text";

/// The provider that looks for words.
#[derive(Clone, Copy, Debug, Default)]
pub struct Textual;

impl Provider for Textual {
    fn who(&self) -> String {
        NAME.to_owned()
    }

    fn knows(&self, document: &Document) -> bool {
        document.reader().is_some()
    }

    fn is_last_resort(&self) -> bool {
        true
    }

    fn extensions(&self, _: Question) -> Vec<String> {
        Vec::new()
    }

    /// The symbols that have the name, those of the file itself first. If the place is in the name of a declaration,
    /// only the symbol that is declared there.
    fn definition(&self, asked: &Asked<'_>) -> Answered<Vec<Target>> {
        let (files, gaps) = Words::of(asked)?.files(declared);
        let own = key(asked);
        let mut targets: Vec<Target> = files.into_iter().flat_map(|(_, targets)| targets).collect();
        let is_here = |target: &Target| target.path == own && target.name.touches(asked.at);
        if let Some(here) = targets.iter().find(|target| is_here(target)) {
            targets = vec![Target { is_guess: false, ..here.clone() }];
        }
        targets.sort_by_key(|target| target.path != own);
        Ok(known(asked, targets, gaps))
    }

    fn declaration(&self, asked: &Asked<'_>) -> Answered<Vec<Target>> {
        self.definition(asked)
    }

    fn references(&self, asked: &Asked<'_>) -> Answered<Vec<Mention>> {
        let (files, gaps) = Words::of(asked)?.files(mentioned);
        let mut mentions: Vec<Mention> = files.into_iter().flat_map(|(_, mentions)| mentions).collect();
        mentions
            .sort_by(|one, other| (&one.path, one.range.start()).cmp(&(&other.path, other.range.start())));
        Ok(known(asked, mentions, gaps))
    }

    /// The header and the documentation of the first symbol that has the name.
    fn hover(&self, asked: &Asked<'_>) -> Answered<Option<Hover>> {
        let Known { value, gaps, .. } = self.definition(asked)?;
        let hover = value.first().and_then(|target| {
            let document = document_of(asked, &target.path)?;
            let outline = document.outline()?;
            let symbol = outline.symbols().iter().find(|symbol| symbol.name_range == target.name)?;
            let text = |range: Range| document.text().lossy(range).trim().to_owned();
            let place = written(Path::new(&target.path));
            Some(Hover {
                range: asked.word_range(),
                code: text(symbol.header),
                facts: vec![format!("found by its name, in `{place}`")],
                docs: symbol.docs.map(text).unwrap_or_default(),
            })
        });
        Ok(known(asked, hover, gaps))
    }
}

/// A word, and the language in whose files it is looked for.
struct Words<'a> {
    asked: &'a Asked<'a>,
    word: String,
    reader: Reader,
}

impl<'a> Words<'a> {
    fn of(asked: &'a Asked<'a>) -> Result<Words<'a>, Unanswered> {
        let is_chosen = asked.scope.server.is_none_or(|name| name == NAME);
        let reader = asked.document.reader().filter(|_| is_chosen).ok_or(Unanswered::Unsupported)?;
        Ok(Words { asked, word: asked.word(), reader })
    }

    /// What `look` finds in each file of the project, by the keys of the files, and what may be missing.
    fn files<T: Send>(
        &self,
        look: impl Fn(&Document, &str, &str) -> Vec<T> + Sync,
    ) -> (Vec<(String, Vec<T>)>, Vec<Gap>) {
        if self.word.is_empty() {
            return (Vec::new(), Vec::new());
        }
        let layered = self.layered();
        let mut gaps = vec![Gap::ByText { word: self.word.clone(), language: self.reader.name() }];
        let mut found: Vec<(String, Vec<T>)> = Vec::new();
        let Scope { snapshot, project, .. } = self.asked.scope;
        if !snapshot.is_closed() {
            // If the project is only a guess, the folders in it may have nothing to do with the file, so they are not
            // searched.
            let is_deep = project.origin != Origin::Guess;
            let wants = |path: &str| {
                let is_layered = layered.iter().any(|(key, _)| key == path);
                self.may_be_kin(path) && (is_deep || !path.contains('/')) && !is_layered
            };
            let swept = sweep(&Sweep { root: &project.root, wants: &wants }, |path, bytes| {
                if !has_word(bytes, self.word.as_bytes()) {
                    return None;
                }
                self.look_at(&Document::new(path, bytes).ok()?.skimmed(), path, &look)
            });
            found.extend(swept.found);
            gaps.extend(swept.tally.gaps);
        }
        for (key, document) in layered {
            found.extend(self.look_at(&document, &key, &look).map(|of_file| (key, of_file)));
        }
        found.sort_by(|(one, _), (other, _)| one.cmp(other));
        (found, gaps)
    }

    /// What is found in a document; `None` when nothing is, or it is in another language.
    fn look_at<T>(
        &self,
        document: &Document,
        key: &str,
        look: impl Fn(&Document, &str, &str) -> Vec<T>,
    ) -> Option<Vec<T>> {
        let is_kin = document.reader().map(Reader::name) == Some(self.reader.name());
        let found = if is_kin { look(document, &self.word, key) } else { Vec::new() };
        (!found.is_empty()).then_some(found)
    }

    /// Whether a file may be in the language, judging by its name.
    fn may_be_kin(&self, path: &str) -> bool {
        Reader::for_file(path, b"").is_none_or(|reader| reader.name() == self.reader.name())
    }

    /// The document of the question, and those that came with it or are open in an editor, by their keys.
    fn layered(&self) -> Vec<(String, Arc<Document>)> {
        let Scope { snapshot, project, .. } = self.asked.scope;
        let own = (key(self.asked), Arc::clone(self.asked.document));
        let mut layered: Vec<(String, Arc<Document>)> = Vec::new();
        for (path, document) in snapshot.all_layered() {
            let key = if snapshot.is_closed() { written(path) } else { project.below(path) };
            if key != own.0 {
                layered.push((key, Arc::clone(document)));
            }
        }
        layered.push(own);
        layered
    }
}

/// The symbols of a document that have a name.
fn declared(document: &Document, word: &str, key: &str) -> Vec<Target> {
    let symbols = document.outline().map(|outline| outline.symbols()).unwrap_or_default();
    let is_it = |symbol: &&Symbol| symbol.name == word && !symbol.name_range.is_empty();
    let target = |symbol: &Symbol| Target {
        path: key.to_owned(),
        name: symbol.name_range,
        extent: symbol.extent,
        is_guess: true,
    };
    symbols.iter().filter(is_it).map(target).collect()
}

/// The places of a document where a word occurs as a whole, in code.
fn mentioned(document: &Document, word: &str, key: &str) -> Vec<Mention> {
    let Some(code) = document.code_only() else { return Vec::new() };
    let declared = declared(document, word, key);
    let mention = |at: usize| {
        let range = Range::of_indices(at..at + word.len());
        let is_declared = declared.iter().any(|target| target.name == range);
        let role = if is_declared { Role::Declaration } else { Role::Use };
        Mention { path: key.to_owned(), range, role, is_guess: true }
    };
    words(code.text().bytes(), word.as_bytes()).map(mention).collect()
}

/// The key of the document of a question.
fn key(asked: &Asked<'_>) -> String {
    let path = asked.document.path();
    if asked.scope.snapshot.is_closed() {
        return path.to_owned();
    }
    asked.scope.project.key(path, asked.scope.base)
}

fn document_of(asked: &Asked<'_>, path: &str) -> Option<Arc<Document>> {
    if path == key(asked) {
        return Some(Arc::clone(asked.document));
    }
    let is_closed = asked.scope.snapshot.is_closed();
    let on_disk = if is_closed { PathBuf::from(path) } else { asked.scope.project.on_disk(path) };
    asked.scope.snapshot.document(&on_disk, path)
}

fn known<T>(asked: &Asked<'_>, value: T, gaps: Vec<Gap>) -> Known<T> {
    let root = (!asked.scope.snapshot.is_closed()).then(|| asked.scope.project.root.clone());
    Known { value, who: NAME.to_owned(), root, gaps }
}
