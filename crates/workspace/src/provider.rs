//! Who answers questions about names.
//!
//! A provider is asked about a place in a snapshot. It returns an answer, together with its own name and the reasons
//! why the answer may be incomplete; or it returns why it does not answer. [`Providers`] is a list of providers, and
//! the first that answers counts.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use locant_engine::names::{
    Action, CallDirection, Diagnostic, Fix, Fold, FoundSymbol, Hover, Mention, Problem, Proposal, Question,
    Refusal, Relative, Replacement, SignatureHelp, Suggestion, Target, Token, TypeDirection,
};
use locant_engine::{Document, Offset, Range};
use serde_json::Value;

use crate::gap::Gap;
use crate::path::Base;
use crate::project::Project;
use crate::snapshot::Snapshot;

/// What a question is about.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The files in which names are looked for.
    pub scope: Scope<'a>,
    /// The file of the question.
    pub document: &'a Arc<Document>,
    /// The place in the document; the start of the file for questions that need no place.
    pub at: Offset,
}

impl Asked<'_> {
    /// The name at the place; empty when there is none.
    pub fn word(&self) -> String {
        self.document.text().lossy(self.word_range()).into_owned()
    }

    /// Where the name at the place is; empty when there is none.
    pub fn word_range(&self) -> Range {
        let bytes = self.document.text().bytes();
        let at = self.at.index().min(bytes.len());
        let before = bytes[..at].iter().rev().take_while(|byte| is_part_of_name(byte)).count();
        let after = bytes[at..].iter().take_while(|byte| is_part_of_name(byte)).count();
        Range::of_indices(at - before..at + after)
    }
}

fn is_part_of_name(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii()
}

/// The files in which names are looked for.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    /// The files.
    pub snapshot: &'a Snapshot,
    /// The project that the files belong to.
    pub project: &'a Project,
    /// The folder that relative paths start from.
    pub base: &'a Base,
    /// Folders in which imports are looked for before others.
    pub import_roots: &'a [String],
    /// More folders that belong to the project, besides its root.
    pub beside: &'a [PathBuf],
    /// The name of the provider that is to answer; `None` when any may.
    pub server: Option<&'a str>,
    /// Whether providers that outlive this process must not be asked.
    pub is_alone: bool,
}

/// The answer of a provider.
#[derive(Clone, Debug)]
pub struct Known<T> {
    /// The answer itself. Paths in it start from `root` or are absolute.
    pub value: T,
    /// The name and version of the provider.
    pub who: String,
    /// The folder that paths start from; `None` when all files came with the request.
    pub root: Option<PathBuf>,
    /// Why the answer may lack something; empty when it is complete.
    pub gaps: Vec<Gap>,
}

/// Why a provider does not answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unanswered {
    /// The provider is still starting, or reading the project. The text says how far it is.
    NotReady(String),
    /// The provider does not answer this question for this file.
    Unsupported,
    /// The provider failed for this reason.
    Failed(String),
    /// The request was cancelled, or took too long.
    Cancelled,
    /// The provider would have to run a program that the project names, and the user has not allowed that.
    Forbidden {
        /// The name of the server.
        server: String,
        /// The folder of the project.
        folder: PathBuf,
    },
}

/// How to get an answer that no provider on this machine can give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The name of a provider that would answer.
    pub server: String,
    /// The command that installs it.
    pub install: String,
    /// Whether it is on this machine. Then it was asked, and it has no answer.
    pub is_here: bool,
}

/// An answer, or why there is none.
pub type Answered<T> = Result<Known<T>, Unanswered>;

impl<T> Known<T> {
    /// The same answer with its value changed.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Known<U> {
        let Known { value, who, root, gaps } = self;
        Known { value: change(value), who, root, gaps }
    }

    /// The path on disk for a path in the answer.
    pub fn on_disk(&self, path: &str) -> PathBuf {
        self.root.as_deref().map_or_else(|| PathBuf::from(path), |root| root.join(path))
    }
}

impl fmt::Display for Unanswered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unanswered::NotReady(why) => write!(f, "not ready: {why}"),
            Unanswered::Unsupported => f.write_str("not supported"),
            Unanswered::Failed(why) => f.write_str(why),
            Unanswered::Cancelled => f.write_str("cancelled"),
            Unanswered::Forbidden { server, folder } => {
                write!(f, "the settings of `{}` name the program of {server}", folder.display())
            }
        }
    }
}

/// Answers questions about names. By default, each question is unsupported.
pub trait Provider: Send + Sync {
    /// The name and version of the provider.
    fn who(&self) -> String;

    /// Whether the provider answers questions about the language of a document.
    fn knows(&self, document: &Document) -> bool;

    /// Why a question never has an answer in the language of a document, as part of a sentence; `None` when the
    /// question may have an answer.
    fn why_never(&self, question: Question, document: &Document) -> Option<String> {
        let _ = (question, document);
        None
    }

    /// Whether the provider is asked only when no other one supports the question, or when it is chosen.
    fn is_last_resort(&self) -> bool {
        false
    }

    /// The extensions, without the dot, of the files for which the provider answers a question.
    fn extensions(&self, question: Question) -> Vec<String>;

    /// How to get an answer for the language of a document, if this provider could give one on another machine.
    fn advice(&self, question: Question, document: &Document) -> Vec<Advice> {
        let _ = (question, document);
        Vec::new()
    }

    /// Where the name is defined.
    fn definition(&self, asked: &Asked<'_>) -> Answered<Vec<Target>> {
        let _ = asked;
        Err(Unanswered::Unsupported)
    }

    /// Where the name is declared.
    fn declaration(&self, asked: &Asked<'_>) -> Answered<Vec<Target>> {
        let _ = asked;
        Err(Unanswered::Unsupported)
    }

    /// Where the type of the thing at the place is defined.
    fn type_definition(&self, asked: &Asked<'_>) -> Answered<Vec<Target>> {
        let _ = asked;
        Err(Unanswered::Unsupported)
    }

    /// Where the name is implemented.
    fn implementation(&self, asked: &Asked<'_>) -> Answered<Vec<Target>> {
        let _ = asked;
        Err(Unanswered::Unsupported)
    }

    /// The callers of the function at the place, or the functions that it calls.
    fn calls(&self, asked: &Asked<'_>, direction: CallDirection) -> Answered<Vec<Relative>> {
        let _ = (asked, direction);
        Err(Unanswered::Unsupported)
    }

    /// The types above or below the type at the place.
    fn types(&self, asked: &Asked<'_>, direction: TypeDirection) -> Answered<Vec<Relative>> {
        let _ = (asked, direction);
        Err(Unanswered::Unsupported)
    }

    /// Changes that are offered for a part of the file.
    fn actions(&self, asked: &Asked<'_>, within: Range) -> Answered<Vec<Action>> {
        let _ = (asked, within);
        Err(Unanswered::Unsupported)
    }

    /// The answer to any other request of the language server protocol, as JSON. Positions in it are written as
    /// `{"line", "character"}`, counted from 1 in UTF-16, whatever the server counts in.
    fn request(&self, asked: &Asked<'_>, method: &str, within: Range) -> Answered<Value> {
        let _ = (asked, method, within);
        Err(Unanswered::Unsupported)
    }

    /// Every mention of the thing at the place, in the order of paths and places.
    fn references(&self, asked: &Asked<'_>) -> Answered<Vec<Mention>> {
        let _ = asked;
        Err(Unanswered::Unsupported)
    }

    /// Every mention in the file of the thing at the place.
    fn highlights(&self, asked: &Asked<'_>) -> Answered<Vec<Mention>> {
        let _ = asked;
        Err(Unanswered::Unsupported)
    }

    /// What to show about the name.
    fn hover(&self, asked: &Asked<'_>) -> Answered<Option<Hover>> {
        let _ = asked;
        Err(Unanswered::Unsupported)
    }

    /// The range of the name, if it can be renamed.
    fn renamable(&self, asked: &Asked<'_>) -> Answered<Result<Range, Refusal>> {
        let _ = asked;
        Err(Unanswered::Unsupported)
    }

    /// What to replace so that the thing has the new name everywhere.
    fn rename(&self, asked: &Asked<'_>, name: &str) -> Answered<Result<Proposal, Refusal>> {
        let _ = (asked, name);
        Err(Unanswered::Unsupported)
    }

    /// What could be inserted at the place.
    fn suggestions(&self, asked: &Asked<'_>) -> Answered<Vec<Suggestion>> {
        let _ = asked;
        Err(Unanswered::Unsupported)
    }

    /// The signatures of the call around the place.
    fn signatures(&self, asked: &Asked<'_>) -> Answered<Option<SignatureHelp>> {
        let _ = asked;
        Err(Unanswered::Unsupported)
    }

    /// What is wrong in the file, in the order of places.
    fn problems(&self, asked: &Asked<'_>) -> Answered<Vec<Diagnostic>> {
        let _ = asked;
        Err(Unanswered::Unsupported)
    }

    /// Changes that repair the problems in a part of the file.
    fn fixes(&self, asked: &Asked<'_>, within: Range) -> Answered<Vec<Fix>> {
        let _ = (asked, within);
        Err(Unanswered::Unsupported)
    }

    /// The replacements that lay out the file, or the lines of a part of it. A file with syntax errors may be left as
    /// it is: then the first error is returned.
    fn format(
        &self,
        asked: &Asked<'_>,
        within: Option<Range>,
    ) -> Answered<Result<Vec<Replacement>, Problem>> {
        let _ = (asked, within);
        Err(Unanswered::Unsupported)
    }

    /// The kind of each word in the file, for highlighting.
    fn tokens(&self, asked: &Asked<'_>) -> Answered<Vec<Token>> {
        let _ = asked;
        Err(Unanswered::Unsupported)
    }

    /// The symbols whose names contain the letters of `query` in this order. Upper and lower case do not matter.
    fn symbols(&self, scope: &Scope<'_>, query: &str) -> Answered<Vec<FoundSymbol>> {
        let _ = (scope, query);
        Err(Unanswered::Unsupported)
    }

    /// What can be folded away in the file.
    fn folds(&self, asked: &Asked<'_>) -> Answered<Vec<Fold>> {
        let _ = asked;
        Err(Unanswered::Unsupported)
    }
}

/// All providers, in order of preference.
#[derive(Clone, Default)]
pub struct Providers(Vec<Arc<dyn Provider>>);

impl fmt::Debug for Providers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|provider| provider.who())).finish()
    }
}

impl Providers {
    /// A list of providers, in order of preference.
    pub fn new(providers: Vec<Arc<dyn Provider>>) -> Providers {
        Providers(providers)
    }

    /// These providers, and one more that is asked last.
    #[must_use]
    pub fn and(mut self, provider: Arc<dyn Provider>) -> Providers {
        self.0.push(provider);
        self
    }

    /// Whether any of the providers answers questions about the language of a document.
    pub fn know(&self, document: &Document) -> bool {
        self.0.iter().any(|provider| provider.knows(document))
    }

    /// Why a question never has an answer in the language of a document, from the first provider for the language.
    pub fn why_never(&self, question: Question, document: &Document) -> Option<String> {
        self.0.iter().find(|provider| provider.knows(document))?.why_never(question, document)
    }

    /// How to get answers for the language of a document that no provider on this machine can give.
    pub fn advice(&self, question: Question, document: &Document) -> Vec<Advice> {
        self.0.iter().flat_map(|provider| provider.advice(question, document)).collect()
    }

    /// The extensions, without the dot, of the files for which any provider answers a question.
    pub fn extensions(&self, question: Question) -> Vec<String> {
        let mut extensions: Vec<String> =
            self.0.iter().flat_map(|provider| provider.extensions(question)).collect();
        extensions.sort_unstable();
        extensions.dedup();
        extensions
    }

    /// The first answer of a provider. If no provider answers, the first reason that is not `Unsupported`, if there is
    /// one.
    pub fn ask<T>(&self, ask: impl Fn(&dyn Provider) -> Answered<T>) -> Answered<T> {
        let mut why = Unanswered::Unsupported;
        for provider in &self.0 {
            // A provider that fails must not be hidden behind one that knows less.
            if provider.is_last_resort() && why != Unanswered::Unsupported {
                continue;
            }
            match ask(provider.as_ref()) {
                Ok(known) => return Ok(known),
                Err(Unanswered::Cancelled) => return Err(Unanswered::Cancelled),
                Err(reason) if why == Unanswered::Unsupported => why = reason,
                Err(_) => {}
            }
        }
        Err(why)
    }

    /// The answers of all providers that have one, for questions that are not about a particular file.
    pub fn ask_all<T>(&self, ask: impl Fn(&dyn Provider) -> Answered<Vec<T>>) -> Vec<Known<Vec<T>>> {
        self.0.iter().filter_map(|provider| ask(provider.as_ref()).ok()).collect()
    }

    /// The targets from the first provider that answers. Guesses are left out when one target is certain.
    pub fn targets(&self, ask: impl Fn(&dyn Provider) -> Answered<Vec<Target>>) -> Answered<Vec<Target>> {
        self.ask(ask).map(|known| known.map(without_guesses))
    }
}

fn without_guesses(mut targets: Vec<Target>) -> Vec<Target> {
    if targets.iter().any(|target| !target.is_guess) {
        targets.retain(|target| !target.is_guess);
    }
    targets
}
