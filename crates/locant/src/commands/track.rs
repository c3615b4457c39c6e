//! `track`: where a place went through the history.

use std::fmt;
use std::sync::Arc;

use clap::Args;
use locant_engine::{self as engine, Document, Relocation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Ask;
use crate::answer::Answer;
use crate::failure::{Failure, Kind};
use crate::files::{Files, Source};
use crate::flags::{Encoding, Flags};
use crate::git;
use crate::place::Place;
use crate::subject::{Opened, Subject};
use crate::{show, wire};

/// Follow a place through the history, commit by commit
///
/// The location is read in the revision that `--from` names. Each commit since then that changed the file is shown
/// with where the place is after it, up to the one that lost it, and at last the file on disk if it is another one. The
/// file may have been renamed since.
///
///   locant track 'foo.py:process@return <|>result' --from HEAD~20
///   locant track foo.py:42:10 --from v1.0
#[derive(Args, Debug, Deserialize, JsonSchema)]
#[command(verbatim_doc_comment)]
pub struct Track {
    #[command(flatten)]
    #[serde(flatten)]
    subject: Subject,
}

/// Where a place went.
#[derive(Debug, JsonSchema, Serialize)]
pub struct TrackAnswer {
    /// The file, as it was given.
    file_path: String,
    /// What became of the place: of all steps, what changed most.
    status: Fate,
    /// The place from the revision on, commit by commit.
    steps: Vec<Step>,
    /// What `character` counts.
    encoding: Encoding,
}

/// A version of the file.
#[derive(Debug, JsonSchema, Serialize)]
struct Step {
    /// The commit; absent for the file as it is on disk.
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<String>,
    /// Its day.
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    /// The first line of its message.
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// The name of the file in it.
    file_path: String,
    /// What became of the place in it.
    status: Fate,
    /// The name that is another one since, if the status is `renamed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    renamed: Option<wire::Renaming>,
    /// Where the place is; absent when it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<wire::Position>,
    /// The same as a number of bytes from the start of that version.
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<u32>,
    /// The line it is in.
    #[serde(skip_serializing_if = "Option::is_none")]
    line_text: Option<String>,
    /// A location that leads there in that version.
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<String>,
    /// Where it could be in that version, the most probable first, when it is not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    candidates: Vec<wire::Candidate>,
}

/// What became of a place, from what matters least to what matters most.
#[derive(Clone, Copy, Debug, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
enum Fate {
    /// It stands where it stood, in a line that is the same.
    Unchanged,
    /// Its line is the same, and stands elsewhere.
    Moved,
    /// Its line was changed around it.
    Edited,
    /// The symbol that holds it, or the word that stood there, has another name.
    Renamed,
    /// It could be at several places.
    Ambiguous,
    /// It is not there any more.
    Gone,
}

impl fmt::Display for Fate {
    /// The word that it travels as.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

impl Ask for Track {
    type Wire = TrackAnswer;

    fn run(self, flags: &Flags, files: &Files) -> Result<Box<dyn Answer>, Failure> {
        let Some(rev) = flags.from.clone() else {
            return Err(Failure::invalid(
                "track needs the revision in which the location was written",
                "give `--from REV`, for example `--from HEAD~20`",
            ));
        };
        let Opened { place: Place { document: now, memory, .. }, was } =
            self.subject.open_also_deleted(flags, files)?;
        let Some((mut document, mut anchor)) = memory.old_text() else {
            return Err(Failure::new(
                Kind::NotFound,
                "there is nothing but blanks in that revision",
                "give a later one",
            ));
        };
        let path = now.path().to_owned();
        let history = git::history(&rev, &path, flags)?;
        if let Some(first) = history.first() {
            let old_path = git::as_given(&first.old_path, &path, flags);
            let text = document.text().bytes().to_vec();
            document = files.open(Source { path: &old_path, text: Some(text) }, flags)?;
        }
        let mut steps = vec![Step::start(&rev, &document, &anchor, flags)];
        for commit in history {
            if commit.is_deletion {
                let step = Step::lost(&git::as_given(&commit.path, &path, flags), Fate::Gone);
                steps.push(step.of(commit));
                return Ok(answer(path, steps, flags));
            }
            let text = git::show_from_top(&commit.hash, &commit.path, &path, flags)?;
            let commit_path = git::as_given(&commit.path, &path, flags);
            let next = files.open(Source { path: &commit_path, text: Some(text) }, flags)?;
            let (step, place) = Step::next(&document, &next, &anchor, flags);
            steps.push(step.of(commit));
            let Some(kept) = place else { return Ok(answer(path, steps, flags)) };
            (document, anchor) = (next, kept);
        }
        if was.is_some() {
            steps.push(Step::lost(&path, Fate::Gone));
        } else if document.text().bytes() != now.text().bytes() {
            steps.push(Step::next(&document, &now, &anchor, flags).0);
        }
        Ok(answer(path, steps, flags))
    }
}

fn answer(file_path: String, steps: Vec<Step>, flags: &Flags) -> Box<dyn Answer> {
    let status = steps.iter().map(|step| step.status).fold(Fate::Unchanged, Fate::max);
    Box::new(TrackAnswer { file_path, status, steps, encoding: flags.encoding() })
}

impl Step {
    fn at(document: &Document, offset: engine::Offset, status: Fate, flags: &Flags) -> Step {
        Step {
            position: Some(wire::position(document, offset, flags.encoding())),
            offset: Some(offset.to_u32()),
            line_text: Some(wire::line_text(document, offset)),
            location: Some(wire::location(document, offset)),
            ..Step::lost(document.path(), status)
        }
    }

    fn start(rev: &str, document: &Document, anchor: &engine::Anchor, flags: &Flags) -> Step {
        let offset = engine::Offset::of_index(anchor.offset as usize);
        let step = Step::at(document, offset, Fate::Unchanged, flags);
        Step { commit: Some(rev.to_owned()), ..step }
    }

    /// The step to the next version, and what to keep of the place in it if it is known.
    fn next(
        old: &Document,
        new: &Arc<Document>,
        anchor: &engine::Anchor,
        flags: &Flags,
    ) -> (Step, Option<engine::Anchor>) {
        let was = engine::Offset::of_index(anchor.offset as usize);
        let (offset, status, renamed) = match engine::relocate_from(old, new, anchor) {
            Relocation::Found { offset, .. } => (offset, fate(old, was, new, offset), None),
            Relocation::Renamed { offset, renaming, .. } => (offset, Fate::Renamed, Some(renaming.into())),
            Relocation::Ambiguous(places) => {
                return (Step::doubtful(new, Fate::Ambiguous, &places, flags), None);
            }
            Relocation::Gone(places) => return (Step::doubtful(new, Fate::Gone, &places, flags), None),
        };
        let description = engine::describe(new, offset);
        let kept = description.and_then(|description| engine::anchor(new, offset, description.location));
        (Step { renamed, ..Step::at(new, offset, status, flags) }, kept)
    }

    /// The same as the step of a commit.
    fn of(self, commit: git::Commit) -> Step {
        let git::Commit { hash, date, title, .. } = commit;
        Step { commit: Some(hash), date: Some(date), title: Some(title), ..self }
    }

    /// A version in which the place is not known, but could be one of these.
    fn doubtful(document: &Document, status: Fate, places: &[engine::Offset], flags: &Flags) -> Step {
        let candidate = |&offset: &engine::Offset| engine::Candidate { offset, why: "resembles it".into() };
        let candidates: Vec<_> = places.iter().map(candidate).collect();
        let candidates = wire::candidates(document, &candidates, flags.encoding());
        Step { candidates, ..Step::lost(document.path(), status) }
    }

    /// A version in which the place is not known.
    fn lost(file_path: &str, status: Fate) -> Step {
        Step {
            commit: None,
            date: None,
            title: None,
            file_path: file_path.to_owned(),
            status,
            renamed: None,
            position: None,
            offset: None,
            line_text: None,
            location: None,
            candidates: Vec::new(),
        }
    }

    /// One line for people, with the text of the line below if it is another one than before.
    fn text(&self, line_before: Option<&str>) -> String {
        let Step { commit, date, title, file_path, status, position, .. } = self;
        let place = match position {
            Some(wire::Position { line, character }) => {
                format!("{}:{line}:{character}", show::path(file_path))
            }
            None => show::path(file_path),
        };
        let commit = commit.as_deref().unwrap_or("on disk");
        let about = [date.as_deref(), title.as_deref()].into_iter().flatten().collect::<Vec<_>>().join(" ");
        let line = self.line_text.as_deref().map(str::trim);
        let is_new = line != line_before.map(str::trim);
        let line = line.filter(|_| is_new).map(|line| format!("\n    {line}")).unwrap_or_default();
        let status = match &self.renamed {
            Some(wire::Renaming { old, new }) => format!("{status} `{old}` to `{new}`"),
            None => status.to_string(),
        };
        format!("{}{line}\n", format!("{place}  {status}  {commit} {about}").trim_end())
    }

    /// Where it could be, and how to go on from there.
    fn ways_on(&self) -> Vec<String> {
        let Some(candidate) = self.candidates.first() else { return Vec::new() };
        let shown: String = self.candidates.iter().map(show::candidate).collect();
        let from = self.commit.as_ref().map(|commit| format!(" --from {commit}")).unwrap_or_default();
        let how = if from.is_empty() { "locant locate" } else { "locant track" };
        let next = format!("{how} '{}'{from}", candidate.location);
        vec![
            format!("it could be one of these\n{}", shown.trim_end()),
            format!("to go on from there: {next}"),
        ]
    }
}

/// What became of a place that was found.
fn fate(old: &Document, was: engine::Offset, new: &Document, now: engine::Offset) -> Fate {
    let line = |document: &Document, offset| {
        let line = document.text().line_of(offset);
        document.text().line_content(line).map(|content| document.text().lossy(content).trim().to_owned())
    };
    match (line(old, was) == line(new, now), old.text().line_of(was) == new.text().line_of(now)) {
        (false, _) => Fate::Edited,
        (true, false) => Fate::Moved,
        (true, true) => Fate::Unchanged,
    }
}

impl Answer for TrackAnswer {
    fn json(&self) -> String {
        wire::to_json(self)
    }

    fn text(&self) -> String {
        self.shown().collect()
    }

    fn notes(&self) -> Vec<String> {
        self.steps.last().map(Step::ways_on).unwrap_or_default()
    }

    fn is_found(&self) -> bool {
        !matches!(self.status, Fate::Ambiguous | Fate::Gone)
    }

    fn markdown(&self) -> String {
        self.shown().map(|step| format!("- {step}")).collect()
    }
}

impl TrackAnswer {
    /// The steps, each as people read it.
    fn shown(&self) -> impl Iterator<Item = String> {
        let before = std::iter::once(None).chain(self.steps.iter().map(|step| step.line_text.as_deref()));
        self.steps.iter().zip(before).map(|(step, before)| step.text(before))
    }
}
