//! What changes would break: the problems that they bring and take away, told before anything is written.
//!
//! Problems are asked for twice: first in a snapshot in which the changed texts replace those of the files, then in the
//! files as they are. In this order, a language server ends up with the files as they are.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use locant_engine::names::{Diagnostic, Severity};
use locant_engine::{self as engine, Document, Edit, Edits, Extent, NameIndex, Offset, Text};
use locant_workspace::{Asked, Base, Documents, Gap, Project, Scope, Snapshot, Unanswered, written};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ChangedFile, Changes, Whole};
use crate::encoding::Encoding;
use crate::files::Files;
use crate::flags::Flags;
use crate::gaps;
use crate::phrase::{Phrase, Voice};
use crate::problem_item::ProblemItem;
use crate::request::Context;
use crate::wire::Item;

/// Whether changes are checked.
#[derive(Args, Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Checking {
    /// Say which problems the changes bring and take away, before anything is written
    #[arg(long)]
    check: bool,
}

/// What a check needs besides the changes: the files as they are, and the settings of the request.
pub(crate) struct Around<'a> {
    /// The files as they are.
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) files: &'a Files,
    pub(crate) flags: &'a Flags,
    pub(crate) base: &'a Base,
    pub(crate) import_roots: &'a [String],
    pub(crate) voice: &'a dyn Voice,
}

/// The problems that changes bring and take away.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct CheckAnswer {
    /// Problems that the changed files would have and do not have now. Their places are in the changed texts.
    new: Vec<ProblemItem>,
    /// Problems that the changed files have now and would not have any more.
    gone: Vec<ProblemItem>,
    /// Whether all changed files would be without syntax errors; null when locant reads none of their languages.
    parses: Option<bool>,
    /// The changed files that were checked. Files that use them were not.
    checked: Vec<String>,
    /// Who has told the problems; null when nobody has, so that only the syntax was checked.
    server: Option<String>,
    /// Whether the changed files were checked completely.
    complete: bool,
    /// Why not, if they were not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    incomplete_because: Vec<String>,
}

/// A file that changes, before and after.
pub(super) struct Version {
    /// Its path as answers show it.
    path: String,
    pub(super) on_disk: PathBuf,
    pub(super) before: Arc<Document>,
    pub(super) after: Arc<Document>,
    pub(super) edits: Edits,
}

/// What a provider said about the problems of a file.
pub(super) struct Told {
    pub(super) problems: Vec<Diagnostic>,
    who: String,
    gaps: Vec<Gap>,
}

impl Checking {
    /// The check of changes, if one is asked for.
    pub(crate) fn of(
        self,
        changes: &Changes,
        around: &Around<'_>,
        encoding: Encoding,
    ) -> Option<CheckAnswer> {
        self.check.then(|| check(changes, around, encoding))
    }

    /// The check of edits, if one is asked for. They come from no question about names, so a snapshot is made here.
    pub(crate) fn of_edits(
        self,
        changes: &Changes,
        flags: &Flags,
        context: Context<'_>,
    ) -> Option<CheckAnswer> {
        let base = flags.base();
        let given = |file: &ChangedFile| (PathBuf::from(&file.path), Arc::clone(&file.document));
        let snapshot = if changes.are_texts {
            Snapshot::of_given(changes.files.iter().map(given).collect())
        } else {
            context.files.workspace().snapshot(Documents::new())
        };
        let around = Around {
            snapshot: &snapshot,
            files: context.files,
            flags,
            base: &base,
            import_roots: &[],
            voice: context.voice,
        };
        self.of(changes, &around, flags.encoding())
    }
}

fn check(changes: &Changes, around: &Around<'_>, encoding: Encoding) -> CheckAnswer {
    let root = changes.reach.root.as_deref().map(Path::new).filter(|_| !around.snapshot.is_closed());
    let stay = changes.files.iter().filter(|file| file.whole != Whole::Removed);
    let versions: Vec<Version> = stay.filter_map(|file| Version::of(file, root)).collect();
    let layer = |version: &Version| (version.on_disk.clone(), Arc::clone(&version.after));
    let would_be: Snapshot = around.snapshot.with(versions.iter().map(layer).collect::<Documents>());
    // The files as they are come last, so that a server forgets the changed texts that it was told before.
    let after: Vec<_> = versions.iter().map(|one| problems(around, &would_be, &one.after)).collect();
    let before: Vec<_> = versions.iter().map(|one| problems(around, around.snapshot, &one.before)).collect();
    let mut answer = CheckAnswer {
        new: Vec::new(),
        gone: Vec::new(),
        parses: None,
        checked: versions.iter().map(|version| version.path.clone()).collect(),
        server: None,
        complete: true,
        incomplete_because: Vec::new(),
    };
    if changes.files.iter().any(|file| file.moved_to().is_some() || file.whole == Whole::Removed) {
        answer.lack("files that move or are removed were still there for the check".to_owned());
    }
    for ((version, before), after) in versions.iter().zip(before).zip(after) {
        answer.note_syntax(version, encoding);
        match (before, after) {
            (Ok(before), Ok(after)) => answer.note_problems(version, before, after, around, encoding),
            (Err(Unanswered::Unsupported), _) | (_, Err(Unanswered::Unsupported)) => {}
            (Err(why), _) | (_, Err(why)) => answer.lack(why.to_string()),
        }
    }
    answer
}

/// The problems of a file in a snapshot.
pub(super) fn problems(
    around: &Around<'_>,
    snapshot: &Snapshot,
    document: &Arc<Document>,
) -> Result<Told, Unanswered> {
    let project = Project::around(document.path(), around.base);
    let scope = Scope {
        snapshot,
        project: &project,
        base: around.base,
        import_roots: around.import_roots,
        beside: &[],
        server: around.flags.server.as_deref(),
        is_alone: around.flags.no_daemon,
    };
    let asked = Asked { scope, document, at: Offset::ZERO };
    let known = around.files.providers().ask(|provider| provider.problems(&asked))?;
    Ok(Told { problems: known.value, who: known.who, gaps: known.gaps })
}

impl Version {
    /// `None` when the changes cannot be made to the file.
    pub(super) fn of(file: &ChangedFile, root: Option<&Path>) -> Option<Version> {
        let place = |path: &str| root.map_or_else(|| PathBuf::from(path), |root| root.join(path));
        let path = file.moved_to().unwrap_or(&file.path);
        let edits = file.replacements.iter();
        let edits = edits.map(|one| Edit { range: one.range, insert: Extent::of_len(one.text.len()) });
        let document = |path: &str, text: Arc<Text>| {
            let document = Document::of_text(written(&place(path)), text).ok()?;
            Some(Arc::new(match file.document.reader() {
                Some(reader) => document.in_language(reader),
                None => document,
            }))
        };
        Some(Version {
            before: document(&file.path, Arc::clone(file.document.shared_text()))?,
            after: document(path, Arc::new(Text::new(file.changed()).ok()?))?,
            edits: Edits::new(edits.collect())?,
            on_disk: place(path),
            path: path.to_owned(),
        })
    }

    /// A problem in the form of the answer. `document` is the version that has the problem.
    fn item(&self, document: &Document, problem: Diagnostic, encoding: Encoding) -> ProblemItem {
        ProblemItem::new(document, &self.path, problem, encoding)
    }
}

impl CheckAnswer {
    fn lack(&mut self, why: String) {
        self.complete = false;
        if !self.incomplete_because.contains(&why) {
            self.incomplete_because.push(why);
        }
    }

    /// Notes whether a file would have syntax errors, and the first one if it has none now.
    fn note_syntax(&mut self, version: &Version, encoding: Encoding) {
        let Some(after) = engine::syntax_error(&version.after) else { return };
        self.parses = Some(self.parses.unwrap_or(true) && after.is_none());
        // If locant itself finds the problems of a language, syntax errors are already among them.
        let is_told = version.after.reader().is_some_and(NameIndex::knows);
        let was_sound = engine::syntax_error(&version.before) == Some(None);
        if let Some(range) = after.filter(|_| was_sound && !is_told) {
            let problem = Diagnostic {
                range,
                severity: Severity::Error,
                code: "syntax".to_owned(),
                source: "locant".to_owned(),
                message: "the file has no syntax errors now, and would have its first one here".to_owned(),
                hint: String::new(),
                is_unused: false,
            };
            self.new.push(version.item(&version.after, problem, encoding));
        }
    }

    fn note_problems(
        &mut self,
        version: &Version,
        before: Told,
        after: Told,
        around: &Around<'_>,
        encoding: Encoding,
    ) {
        for gap in before.gaps.iter().chain(&after.gaps) {
            self.lack(gaps::said(gap).said(around.voice));
        }
        self.server = Some(after.who);
        let (new, gone) = difference(before.problems, after.problems, &version.edits);
        self.new.extend(new.into_iter().map(|one| version.item(&version.after, one, encoding)));
        self.gone.extend(gone.into_iter().map(|one| version.item(&version.before, one, encoding)));
    }

    /// The problems as lines, the new ones first.
    pub(crate) fn lines(&self) -> String {
        let line = |word: &str, item: &ProblemItem| format!("{word}: {}", item.text(false));
        let new = self.new.iter().map(|item| line("new", item));
        new.chain(self.gone.iter().map(|item| line("gone", item))).collect()
    }

    /// The problems as a list in Markdown, the new ones first.
    pub(crate) fn list(&self) -> String {
        let line = |word: &str, item: &ProblemItem| item.markdown().replacen("- ", &format!("- {word}: "), 1);
        let new = self.new.iter().map(|item| line("new", item));
        let lines: String = new.chain(self.gone.iter().map(|item| line("gone", item))).collect();
        if lines.is_empty() { lines } else { format!("\n{lines}") }
    }

    /// How many problems are new and how many are gone.
    pub(crate) fn counts(&self) -> String {
        let [new, gone] = [(&self.new, "new"), (&self.gone, "gone")].map(|(items, word)| match items.len() {
            1 => format!("1 problem {word}"),
            n => format!("{n} problems {word}"),
        });
        let parses = match self.parses {
            Some(true) => "; no syntax errors",
            Some(false) => "; with syntax errors",
            None => "",
        };
        format!("{new}, {gone}{parses}")
    }

    /// What the check has found, and what it lacks, for people.
    pub(crate) fn notes(&self) -> Vec<Phrase> {
        let who = match &self.server {
            Some(who) => format!("by {who}"),
            None => "of the syntax alone: no language server tells problems here".to_owned(),
        };
        let said = Phrase::from(format!("check {who}: {}", self.counts()));
        let lacks =
            self.incomplete_because.iter().map(|why| format!("the check is not complete: {why}").into());
        std::iter::once(said).chain(lacks).collect()
    }
}

/// The problems that only the text after some edits has, and those that only the text before has. A problem stays if
/// the text after has one that says the same, at the place to which the edits carry it or, if there is none, at any
/// other place.
pub(super) fn difference(
    before: Vec<Diagnostic>,
    after: Vec<Diagnostic>,
    edits: &Edits,
) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
    let mut left: HashMap<(String, String, String), Vec<Diagnostic>> = HashMap::new();
    for problem in after {
        left.entry(key(&problem)).or_default().push(problem);
    }
    let mut moved = Vec::new();
    for problem in before {
        let carried = edits.carry_range(problem.range);
        let same = left.get_mut(&key(&problem));
        let at = same.as_ref().and_then(|same| same.iter().position(|other| Some(other.range) == carried));
        match same.zip(at) {
            Some((same, at)) => drop(same.remove(at)),
            None => moved.push(problem),
        }
    }
    let gone = moved.into_iter().filter(|problem| left.get_mut(&key(problem)).and_then(Vec::pop).is_none());
    let gone = gone.collect();
    let mut new: Vec<Diagnostic> = left.into_values().flatten().collect();
    new.sort_by_key(|problem| (problem.range.start(), problem.range.end(), key(problem)));
    (new, gone)
}

fn key(problem: &Diagnostic) -> (String, String, String) {
    (problem.source.clone(), problem.code.clone(), problem.message.clone())
}

#[cfg(test)]
mod tests {
    use locant_engine::Range;

    use super::*;

    fn problem(message: &str, at: usize) -> Diagnostic {
        Diagnostic {
            range: Range::of_indices(at..at + 2),
            severity: Severity::Error,
            code: String::new(),
            source: "s".to_owned(),
            message: message.to_owned(),
            hint: String::new(),
            is_unused: false,
        }
    }

    #[test]
    fn problems_move_with_the_text_around_them() {
        // Two bytes are inserted at 5, and the bytes from 20 to 30 are replaced by nothing.
        let edit = |start, end, insert| Edit {
            range: Range::of_indices(start..end),
            insert: Extent::of_len(insert),
        };
        let edits = Edits::new(vec![edit(5, 5, 2), edit(20, 30, 0)]).expect("they are in order");
        let before =
            vec![problem("a", 0), problem("b", 10), problem("c", 22), problem("d", 24), problem("e", 40)];
        let after =
            vec![problem("a", 0), problem("b", 12), problem("d", 4), problem("e", 32), problem("e", 40)];
        let (new, gone) = difference(before, after, &edits);
        assert_eq!(new, [problem("e", 40)]);
        assert_eq!(gone, [problem("c", 22)]);
    }
}
