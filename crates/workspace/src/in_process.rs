//! The provider for languages whose names locant reads itself, without another program.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockWriteGuard};

use locant_engine::names::{
    Diagnostic, Fix, Fold, FoundSymbol, Hover, Mention, Names, Problem, Proposal, Question, Refusal,
    Replacement, SignatureHelp, Suggestion, Target, Token,
};
use locant_engine::{Document, NameIndex, Range};

use crate::gap::Gap;
use crate::index::{Breadth, Index, Setup};
use crate::project::{Origin, Project};
use crate::provider::{Answered, Asked, Known, Provider, Scope, Unanswered};
use crate::snapshot::Snapshot;
use crate::unseen::Unseen;

/// How many projects are kept. With several, questions that alternate between projects do not read the files again.
const MOST_PROJECTS: usize = 8;

/// The name by which this provider is chosen.
const NAME: &str = "locant";

/// The provider for languages whose names locant reads itself.
#[derive(Default)]
pub struct InProcess {
    /// The indexes of projects, most recently used first.
    indexes: Mutex<VecDeque<(Setup, Arc<RwLock<Index>>)>>,
}

impl InProcess {
    /// Answers a question from the index of a project. `paths` returns the files that an answer names: if one of them
    /// has changed, it is read again and the question is asked a second time.
    fn ask<T>(
        &self,
        asked: &Asked<'_>,
        breadth: Breadth,
        ask: impl Fn(&NameIndex, &str) -> T,
        paths: impl Fn(&T) -> Vec<String>,
    ) -> Answered<T> {
        let is_chosen = asked.scope.server.is_none_or(|name| name == NAME);
        if !is_chosen || !self.knows(asked.document) {
            return Err(Unanswered::Unsupported);
        }
        let key = key(asked);
        let lock = &*self.index(asked.scope.snapshot, setup(&asked.scope));
        // Safe to go on after a panic: a file that was only half read counts as not read, and is read again.
        let mut whole = lock.write().unwrap_or_else(PoisonError::into_inner);
        whole.prepare(asked.scope.snapshot, &key, breadth);
        // From here on other threads may use the index at the same time.
        let mut index = RwLockWriteGuard::downgrade(whole);
        let mut value = ask(index.names(), &key);
        if breadth == Breadth::Needed && index.is_stale(asked.scope.snapshot, &paths(&value)) {
            drop(index);
            let mut whole = lock.write().unwrap_or_else(PoisonError::into_inner);
            whole.refresh(asked.scope.snapshot, &paths(&value));
            index = RwLockWriteGuard::downgrade(whole);
            value = ask(index.names(), &key);
        }
        let gaps = gaps(asked, &index, breadth);
        let root = (!asked.scope.snapshot.is_closed()).then(|| asked.scope.project.root.clone());
        Ok(Known { value, who: self.who(), root, gaps })
    }

    /// The index of a project. If all files came with the request, a new index is made and not kept.
    fn index(&self, snapshot: &Snapshot, setup: Setup) -> Arc<RwLock<Index>> {
        if snapshot.is_closed() {
            return Arc::new(RwLock::new(Index::new(setup)));
        }
        let mut indexes = self.indexes.lock().unwrap_or_else(PoisonError::into_inner);
        let known = indexes.iter().position(|(known, _)| *known == setup).and_then(|at| indexes.remove(at));
        let (setup, index) = known.unwrap_or_else(|| {
            let index = Index::new(setup.clone());
            (setup, Arc::new(RwLock::new(index)))
        });
        indexes.push_front((setup, Arc::clone(&index)));
        indexes.truncate(MOST_PROJECTS);
        index
    }
}

/// The folders that paths and imports start from, for the index of a project.
fn setup(scope: &Scope<'_>) -> Setup {
    let n_given = scope.import_roots.len();
    if scope.snapshot.is_closed() {
        let project = Project { root: Path::new("").to_owned(), origin: Origin::Folder };
        let import_roots = scope.import_roots.iter().cloned().chain([String::new()]).collect();
        return Setup { project, import_roots, n_given, beside: Vec::new() };
    }
    let (project, base) = (scope.project, scope.base);
    // Imports are looked for in this order: below the folders that the request names, the folder that relative paths
    // start from, the root of the project, and the folders beside it.
    let given = scope.import_roots.iter().map(|root| project.key(root, base));
    let beside = scope.beside.iter().map(|folder| project.below(folder));
    let import_roots = given.chain([project.below(&base.folder()), String::new()]).chain(beside).collect();
    Setup { project: project.clone(), import_roots, n_given, beside: scope.beside.to_vec() }
}

/// The key of the document in the index of its project.
fn key(asked: &Asked<'_>) -> String {
    let path = asked.document.path();
    if asked.scope.snapshot.is_closed() {
        path.to_owned()
    } else {
        asked.scope.project.key(path, asked.scope.base)
    }
}

/// The reasons why an answer may lack something.
fn gaps(asked: &Asked<'_>, index: &Index, breadth: Breadth) -> Vec<Gap> {
    if asked.scope.snapshot.is_closed() {
        return Vec::new();
    }
    let mut gaps = index.gaps().to_vec();
    if breadth == Breadth::All {
        let unseen = Unseen {
            snapshot: asked.scope.snapshot,
            project: asked.scope.project,
            base: &asked.scope.base.folder(),
            document: asked.document,
            word: &asked.word(),
            is_seen: &|key| index.has(key),
        };
        gaps.extend(unseen.gaps());
    }
    gaps
}

#[expect(clippy::ptr_arg, reason = "it is handed over as a function of the whole answer")]
fn target_paths(targets: &Vec<Target>) -> Vec<String> {
    targets.iter().map(|target| target.path.clone()).collect()
}

#[expect(clippy::ptr_arg, reason = "it is handed over as a function of the whole answer")]
fn mention_paths(mentions: &Vec<Mention>) -> Vec<String> {
    mentions.iter().map(|mention| mention.path.clone()).collect()
}

fn no_paths<T>(_: &T) -> Vec<String> {
    Vec::new()
}

impl Provider for InProcess {
    fn who(&self) -> String {
        format!("{NAME} {}", env!("CARGO_PKG_VERSION"))
    }

    fn knows(&self, document: &Document) -> bool {
        document.reader().is_some_and(NameIndex::knows)
    }

    fn why_never(&self, question: Question, document: &Document) -> Option<String> {
        NameIndex::why_never_in(document.reader()?, question).map(str::to_owned)
    }

    fn extensions(&self, question: Question) -> Vec<String> {
        NameIndex::extensions(question).into_iter().map(str::to_owned).collect()
    }

    fn definition(&self, asked: &Asked<'_>) -> Answered<Vec<Target>> {
        self.ask(asked, Breadth::Needed, |names, key| names.definition(key, asked.at), target_paths)
    }

    fn declaration(&self, asked: &Asked<'_>) -> Answered<Vec<Target>> {
        self.ask(asked, Breadth::Needed, |names, key| names.declaration(key, asked.at), target_paths)
    }

    fn type_definition(&self, asked: &Asked<'_>) -> Answered<Vec<Target>> {
        self.ask(asked, Breadth::Needed, |names, key| names.type_definition(key, asked.at), target_paths)
    }

    fn references(&self, asked: &Asked<'_>) -> Answered<Vec<Mention>> {
        self.ask(asked, Breadth::All, |names, key| names.references(key, asked.at), mention_paths)
    }

    fn highlights(&self, asked: &Asked<'_>) -> Answered<Vec<Mention>> {
        self.ask(asked, Breadth::Needed, |names, key| names.highlights(key, asked.at), no_paths)
    }

    fn hover(&self, asked: &Asked<'_>) -> Answered<Option<Hover>> {
        self.ask(asked, Breadth::Needed, |names, key| names.hover(key, asked.at), no_paths)
    }

    fn renamable(&self, asked: &Asked<'_>) -> Answered<Result<Range, Refusal>> {
        self.ask(asked, Breadth::Needed, |names, key| names.renamable(key, asked.at), no_paths)
    }

    fn rename(&self, asked: &Asked<'_>, name: &str) -> Answered<Result<Proposal, Refusal>> {
        let rename = |names: &NameIndex, key: &str| names.rename(key, asked.at, name).map(Proposal::from);
        self.ask(asked, Breadth::All, rename, no_paths)
    }

    fn suggestions(&self, asked: &Asked<'_>) -> Answered<Vec<Suggestion>> {
        self.ask(asked, Breadth::Needed, |names, key| names.suggestions(key, asked.at), no_paths)
    }

    fn signatures(&self, asked: &Asked<'_>) -> Answered<Option<SignatureHelp>> {
        self.ask(asked, Breadth::Needed, |names, key| names.signatures(key, asked.at), no_paths)
    }

    fn problems(&self, asked: &Asked<'_>) -> Answered<Vec<Diagnostic>> {
        let known = self.ask(asked, Breadth::Needed, |names, key| names.problems(key), no_paths)?;
        Ok(known.map(|problems| problems.into_iter().map(|one| Diagnostic::new(one, NAME)).collect()))
    }

    fn fixes(&self, asked: &Asked<'_>, within: Range) -> Answered<Vec<Fix>> {
        self.ask(asked, Breadth::Needed, |names, key| names.fixes(key, within), no_paths)
    }

    fn format(
        &self,
        asked: &Asked<'_>,
        within: Option<Range>,
    ) -> Answered<Result<Vec<Replacement>, Problem>> {
        self.ask(asked, Breadth::Needed, |names, key| names.format(key, within), no_paths)
    }

    fn tokens(&self, asked: &Asked<'_>) -> Answered<Vec<Token>> {
        self.ask(asked, Breadth::Needed, |names, key| names.tokens(key), no_paths)
    }

    fn folds(&self, asked: &Asked<'_>) -> Answered<Vec<Fold>> {
        self.ask(asked, Breadth::Needed, |names, key| names.folds(key), no_paths)
    }

    fn symbols(&self, scope: &Scope<'_>, query: &str) -> Answered<Vec<FoundSymbol>> {
        let lock = &*self.index(scope.snapshot, setup(scope));
        let mut whole = lock.write().unwrap_or_else(PoisonError::into_inner);
        whole.prepare_all(scope.snapshot);
        let index = RwLockWriteGuard::downgrade(whole);
        let root = (!scope.snapshot.is_closed()).then(|| scope.project.root.clone());
        let gaps = index.gaps().to_vec();
        Ok(Known { value: index.names().symbols(query), who: self.who(), root, gaps })
    }
}
