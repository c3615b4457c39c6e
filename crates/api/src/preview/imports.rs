//! Imports that changes make necessary, as a language server offers them.
//!
//! The server is asked about the texts as they would be. It tells which names would be unknown, and which imports would
//! make them known. An import is taken only if nothing else is offered that could be meant, and if the problem is gone
//! with it. The files on disk stay as they are.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use locant_engine::names::{Diagnostic, Replacement, Severity};
use locant_engine::{Document, Range};
use locant_workspace::{Asked, Documents, Project, Scope, Snapshot};

use super::check::{Around, Version, difference, problems};
use super::composed::composed;
use super::{ChangedFile, Whole};

/// How many problems a server is asked to mend.
const MOST: usize = 60;

/// An import that was added.
pub(crate) struct Import {
    /// The path of the file.
    pub(crate) path: String,
    /// What it is, as the server says it.
    pub(crate) title: String,
    /// The server.
    pub(crate) who: String,
    /// Whether it names another file of the changes.
    pub(crate) names_another: bool,
    /// Whether nothing else would be wrong in the file then that is not wrong now.
    pub(crate) is_all: bool,
}

/// An import that is offered.
#[derive(PartialEq)]
struct Offer {
    title: String,
    who: String,
    is_preferred: bool,
    /// Invariant: in the order of places.
    edits: Vec<(Range, String)>,
}

/// Adds to files the imports that are offered. A file without changes comes along when it may need an import, and is
/// left out of the result when it gets none.
pub(crate) fn with_imports(
    files: Vec<ChangedFile>,
    root: Option<&Path>,
    around: &Around<'_>,
) -> (Vec<ChangedFile>, Vec<Import>) {
    let mut would_be = WouldBe { files, root, around, n_asked: 0 };
    let mut imports = Vec::new();
    for at in 0..would_be.files.len() {
        imports.extend(would_be.mend(at));
    }
    // The server is told last how the files are, and forgets how they would be.
    for at in 0..would_be.files.len() {
        would_be.told_before(at);
    }
    let mut files = would_be.files;
    files.retain(|file| !file.replacements.is_empty() || file.whole != Whole::Stays);
    (files, imports)
}

/// Files as they would be.
struct WouldBe<'a> {
    files: Vec<ChangedFile>,
    root: Option<&'a Path>,
    around: &'a Around<'a>,
    n_asked: usize,
}

impl WouldBe<'_> {
    /// Adds the imports that one of the files needs.
    fn mend(&mut self, at: usize) -> Vec<Import> {
        let mut imports = Vec::new();
        let Some(before) = self.told_before(at) else { return imports };
        let mut tried = HashSet::new();
        let Some(mut wrong) = self.wrong(at, &before) else { return imports };
        while let Some(next) = wrong.iter().find(|problem| !tried.contains(&problem.message)).cloned() {
            tried.insert(next.message.clone());
            let Some((offer, replacements)) = self.import(at, &next) else { continue };
            let kept = std::mem::replace(&mut self.files[at].replacements, replacements);
            let count = |wrong: &[Diagnostic]| wrong.iter().filter(|one| one.message == next.message).count();
            match self.wrong(at, &before).filter(|now| now.len() < wrong.len() && count(now) < count(&wrong))
            {
                Some(now) => {
                    wrong = now;
                    let (path, names_another) = (self.files[at].path.clone(), self.names_another(at, &offer));
                    imports.push(Import {
                        path,
                        title: offer.title,
                        who: offer.who,
                        names_another,
                        is_all: false,
                    });
                }
                None => self.files[at].replacements = kept,
            }
        }
        let is_all = wrong.is_empty();
        imports.iter_mut().for_each(|import| import.is_all = is_all);
        imports
    }

    /// What is wrong in a file as it is. `None` when nobody tells.
    fn told_before(&self, at: usize) -> Option<Vec<Diagnostic>> {
        let version = Version::of(&self.files[at], self.root)?;
        problems(self.around, self.around.snapshot, &version.before).ok().map(|told| told.problems)
    }

    /// What would be wrong in a file that is not wrong now.
    fn wrong(&self, at: usize, before: &[Diagnostic]) -> Option<Vec<Diagnostic>> {
        let version = Version::of(&self.files[at], self.root)?;
        let told = problems(self.around, &self.snapshot(), &version.after).ok()?;
        let (new, _) = difference(before.to_vec(), told.problems, &version.edits);
        Some(new.into_iter().filter(|problem| problem.severity != Severity::Hint).collect())
    }

    /// All files as they would be.
    fn snapshot(&self) -> Snapshot {
        let versions = self.files.iter().filter_map(|file| Version::of(file, self.root));
        let layers = versions.map(|version| (version.on_disk, version.after));
        self.around.snapshot.with(layers.collect::<Documents>())
    }

    /// The import that is offered for a problem, and the replacements of the file with it.
    fn import(&mut self, at: usize, problem: &Diagnostic) -> Option<(Offer, Vec<Replacement>)> {
        self.n_asked += 1;
        if self.n_asked > MOST {
            return None;
        }
        let file = &self.files[at];
        let version = Version::of(file, self.root)?;
        let offer = self.chosen(at, self.offers(&version.after, problem.range))?;
        let n_bytes = file.document.text().bytes().len();
        let replacements = composed(&file.path, n_bytes, &file.replacements, &offer.edits)?;
        Some((offer, replacements))
    }

    /// The imports that are offered for a problem.
    fn offers(&self, document: &Arc<Document>, within: Range) -> Vec<Offer> {
        let snapshot = self.snapshot();
        let around = self.around;
        let project = Project::around(document.path(), around.base);
        let scope = Scope {
            snapshot: &snapshot,
            project: &project,
            base: around.base,
            import_roots: around.import_roots,
            beside: &[],
            server: around.flags.server.as_deref(),
            is_alone: around.flags.no_daemon,
        };
        let asked = Asked { scope, document, at: within.start() };
        let providers = around.files.providers();
        let Ok(known) = providers.ask(|provider| provider.actions(&asked, within)) else { return Vec::new() };
        let root = known.root.clone();
        let on_disk =
            |path: &str| root.as_deref().map_or_else(|| PathBuf::from(path), |root| root.join(path));
        let here = around.base.absolute(document.path());
        let mut offers: Vec<Offer> = Vec::new();
        for action in known.value.into_iter().filter(|action| is_import(&action.title)) {
            let Ok(proposal) = action.changes else { continue };
            let is_here = proposal.replacements.iter().all(|one| on_disk(&one.path) == here);
            if !is_here || !proposal.files.is_empty() || proposal.replacements.is_empty() {
                continue;
            }
            let edits =
                proposal.replacements.into_iter().map(|one| (above_comments(document, one.range), one.text));
            let mut edits: Vec<(Range, String)> = edits.collect();
            edits.sort_by_key(|(range, _)| range.start());
            let offer = Offer {
                title: action.title,
                who: known.who.clone(),
                is_preferred: action.is_preferred,
                edits,
            };
            if !offers.iter().any(|other| other.edits == offer.edits) {
                offers.push(offer);
            }
        }
        offers
    }

    /// The files but one.
    fn others(&self, at: usize) -> impl Iterator<Item = &ChangedFile> {
        self.files.iter().enumerate().filter(move |(other, _)| *other != at).map(|(_, file)| file)
    }

    /// The offer that is meant: one that writes what another of the files says already, or names another that changes.
    /// `None` when that leaves several.
    fn chosen(&self, at: usize, offers: Vec<Offer>) -> Option<Offer> {
        let lines: HashSet<String> = self.others(at).flat_map(lines_of).collect();
        let is_written = |offer: &Offer| {
            let mut new = offer.edits.iter().flat_map(|(_, text)| text.lines()).map(str::trim);
            new.all(|line| line.is_empty() || lines.contains(line))
        };
        let names_another = |offer: &Offer| self.names_another(at, offer);
        one_of(offers, &[&is_written, &names_another, &|offer| offer.is_preferred])
    }

    /// Whether an import says the name of another file that changes.
    fn names_another(&self, at: usize, offer: &Offer) -> bool {
        let texts = offer.edits.iter().map(|(_, text)| text.as_str()).chain([offer.title.as_str()]);
        let said: Vec<&str> =
            texts.flat_map(|text| text.split(|c: char| !c.is_alphanumeric() && !"_-".contains(c))).collect();
        let stem = |file: &ChangedFile| Path::new(&file.path).file_stem()?.to_str().map(str::to_owned);
        let changed =
            self.others(at).filter(|file| file.whole != Whole::Stays || !file.replacements.is_empty());
        changed.filter_map(stem).any(|stem| said.contains(&stem.as_str()))
    }
}

/// The only offer for which the first of the tests holds that holds for any.
fn one_of(offers: Vec<Offer>, tests: &[&dyn Fn(&Offer) -> bool]) -> Option<Offer> {
    let mut left = offers;
    for test in tests {
        if left.iter().any(test) {
            left.retain(|offer| test(offer));
        }
    }
    let only = left.pop();
    only.filter(|_| left.is_empty())
}

/// The place of an insertion, in front of the comments of a symbol where it would part them from it.
fn above_comments(document: &Document, range: Range) -> Range {
    let parts = |symbol: &&locant_engine::Symbol| {
        range.is_empty()
            && symbol.extent.start() < range.start()
            && range.start() <= symbol.declaration.start()
    };
    let outline = document.outline();
    let parted = outline.and_then(|outline| outline.symbols().iter().find(parts));
    parted.map_or(range, |symbol| Range::empty(symbol.extent.start()))
}

/// The lines of a file without the blanks around them.
fn lines_of(file: &ChangedFile) -> Vec<String> {
    let text = file.document.text();
    text.lossy(text.range()).lines().map(|line| line.trim().to_owned()).collect()
}

/// Whether a server says of a change that it adds an import.
fn is_import(title: &str) -> bool {
    let title = title.to_lowercase();
    let words: Vec<&str> =
        title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let has = |word: &str| words.contains(&word);
    let begins = words.first().is_some_and(|first| ["import", "include", "add", "update"].contains(first));
    begins && (has("import") || has("include")) && !["all", "missing"].iter().any(|word| has(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_told_by_what_servers_say() {
        for title in [
            "Add import from \"./b\"",
            "Update import from \"./b\"",
            "import b.f",
            "Import `crate::b::f`",
            "Include \"b.h\" for symbol f",
        ] {
            assert!(is_import(title), "{title}");
        }
        for title in [
            "Remove unused import",
            "Organize Imports",
            "Add all missing imports",
            "Ignore 'import-not-found' for this line",
            "Extract function",
        ] {
            assert!(!is_import(title), "{title}");
        }
    }
}
