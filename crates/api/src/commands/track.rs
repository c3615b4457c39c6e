//! `track`: follows a place through the history of its file.

mod elsewhere;
mod stretch;

use std::fmt;
use std::sync::Arc;

use clap::Args;
use locant_engine::{self as engine, Document, Relocation};
use locant_workspace::git::{Blobs, Commit, Past};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::stretch::Stretch;
use super::Ask;
use crate::answer::{Answer, Form};
use crate::encoding::Encoding;
use crate::failure::{Failure, Kind};
use crate::files::{Files, Source};
use crate::flags::Flags;
use crate::how::Renaming;
use crate::ordered::in_order;
use crate::phrase::{Voice, call, phrase, setting};
use crate::place::{self, Place};
use crate::remark::Remark;
use crate::request::Context;
use crate::subject::{Opened, Subject};
use crate::{show, wire};

/// Follow a place through the history, commit by commit
///
/// The location is read in the revision that `--from` names. Each commit since then that changed the file is shown
/// with where the place is after it, up to the one that lost it, and at last the file on disk if it differs. The
/// file may have been renamed since, and the place may have gone to another one.
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

/// The history of a place.
#[derive(Debug, JsonSchema, Serialize)]
pub struct TrackAnswer {
    /// The path of the file, as in the request.
    file_path: String,
    /// What became of the place: the most serious status of all steps. `gone` counts only for the last step.
    status: Fate,
    /// The place in each version, starting with the revision.
    steps: Vec<Step>,
    /// The unit in which `character` counts.
    encoding: Encoding,
}

/// One version of the file, and the place in it.
#[derive(Clone, Debug, JsonSchema, Serialize)]
struct Step {
    /// The id of the commit; absent for the file on disk.
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<String>,
    /// The day of the commit.
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    /// The first line of the commit message.
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// The path of the file in this version.
    file_path: String,
    /// What became of the place in this version.
    status: Fate,
    /// The name before and after, if the status is `renamed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    renamed: Option<Renaming>,
    /// Where the place is; absent when it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<wire::Position>,
    /// The position as a number of bytes from the start of this version.
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<u32>,
    /// The line of the place.
    #[serde(skip_serializing_if = "Option::is_none")]
    line_text: Option<String>,
    /// A location that leads to the place in this version.
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<String>,
    /// The place, if its location has not been computed yet. That would parse this version.
    #[serde(skip)]
    unsaid: Option<(Arc<Document>, engine::Offset)>,
    /// Where the place could be in this version, most probable first, if its position is not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    candidates: Vec<wire::Candidate>,
}

/// What became of a place, from least to most serious.
#[derive(Clone, Copy, Debug, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
enum Fate {
    /// The place is at the same position, in an unchanged line.
    Unchanged,
    /// Its line is unchanged, but is at another position.
    Moved,
    /// Its line was edited.
    Edited,
    /// The symbol around it, or the word at the place, has another name.
    Renamed,
    /// The place could be one of several.
    Ambiguous,
    /// The place no longer exists.
    Gone,
}

impl fmt::Display for Fate {
    /// The word that is used in JSON.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

impl Ask for Track {
    type Answer = TrackAnswer;

    fn run(self, flags: &Flags, context: Context<'_>) -> Result<TrackAnswer, Failure> {
        let files = context.files;
        let Some(rev) = flags.from.clone() else {
            return Err(Failure::invalid(
                "track needs the revision in which the location was written",
                phrase![
                    "give `",
                    setting("from", "REV"),
                    "`, for example `",
                    setting("from", "HEAD~20"),
                    "`"
                ],
            ));
        };
        let Opened { place: Place { document: now, memory, .. }, past, .. } =
            self.subject.open_also_deleted(flags, files)?;
        let (Some((old, anchor)), Some(past)) = (memory.old_text(), past) else {
            return Err(Failure::new(
                Kind::NotFound,
                "there is nothing but blanks in that revision",
                "give a later one",
            ));
        };
        let text = Some(old.text().bytes().to_vec());
        let old = files.open(Source { path: &past.old_path(), text }, flags)?;
        let steps = vec![Step::start(&rev, &old, &anchor, flags)];
        let mut walk = Walk { steps, last: Last { document: old, anchor }, files, flags };
        let way = walk.through(&past)?;
        if way == Way::Open {
            walk.end_on_disk(&past, &now);
        }
        walk.elsewhere(&past, &now)?;
        let answer = TrackAnswer::new(now.path(), walk.steps, flags);
        Ok(if context.form == Form::Json { answer.with_locations() } else { answer })
    }
}

/// The steps so far, and the state of the walk through the history.
struct Walk<'a> {
    steps: Vec<Step>,
    last: Last,
    files: &'a Files,
    flags: &'a Flags,
}

/// How many versions are read ahead. More would be wasted if the place is lost in one of the first.
const AHEAD: usize = 64;

/// The file after a commit.
enum Version {
    There(Arc<Document>),
    /// The file was deleted. This is its last name.
    Deleted(String),
}

/// The last version in which the place is known.
struct Last {
    document: Arc<Document>,
    anchor: engine::Anchor,
}

/// Whether the place is followed further.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Way {
    Open,
    /// The place was lost.
    Ended,
}

impl Walk<'_> {
    /// Follows the place from commit to commit.
    fn through(&mut self, past: &Past) -> Result<Way, Failure> {
        let mut commits = past.commits()?.into_iter();
        let mut blobs = past.blobs()?;
        while !commits.as_slice().is_empty() {
            let ahead = commits.as_slice().iter().take(AHEAD);
            let versions = ahead.map(|commit| self.version(commit, &mut blobs));
            let versions = versions.collect::<Result<Vec<_>, Failure>>()?;
            let mut versions = &versions[..];
            while !versions.is_empty() {
                let (steps, way) = self.next_steps(versions);
                versions = &versions[steps.len()..];
                let steps = steps.into_iter().zip(commits.by_ref());
                self.steps.extend(steps.map(|(step, commit)| step.of(commit)));
                if way == Way::Ended {
                    return Ok(way);
                }
            }
        }
        Ok(Way::Open)
    }

    fn version(&self, commit: &Commit, blobs: &mut Blobs) -> Result<Version, Failure> {
        let Some(blob) = &commit.blob else { return Ok(Version::Deleted(commit.path.clone())) };
        let source = Source { path: &commit.path, text: Some(blobs.read(blob)?) };
        Ok(Version::There(self.files.open(source, self.flags)?))
    }

    /// Makes the next step, or several at once.
    fn next_steps(&mut self, versions: &[Version]) -> (Vec<Step>, Way) {
        match versions.first() {
            None => (Vec::new(), Way::Open),
            // The file may be restored later, and the place with it.
            Some(Version::Deleted(path)) => (vec![Step::lost(path, Fate::Gone)], Way::Open),
            Some(Version::There(document)) => match self.leap(versions) {
                Some(steps) => (steps, Way::Open),
                None => {
                    let (step, way) = self.step(document);
                    (vec![step], way)
                }
            },
        }
    }

    /// The steps through the next versions as long as the lines around the place stay unchanged. Only the last of these
    /// versions is parsed: if the same location leads to the place there, in the same symbol, nothing happened to it in
    /// between.
    fn leap(&mut self, versions: &[Version]) -> Option<Vec<Step>> {
        let Last { document: old, anchor } = &self.last;
        let was = engine::Offset::of_index(anchor.offset as usize);
        let stretch = Stretch::around(old.text(), was)?;
        let there = |version: &Version| match version {
            Version::There(document) => Some((Arc::clone(document), stretch.place_in(document.text())?)),
            Version::Deleted(_) => None,
        };
        let mut there: Vec<_> = versions.iter().map_while(there).collect();
        let said = said(old, was)?;
        while there
            .last()
            .is_some_and(|(document, place)| self::said(document, *place).as_ref() != Some(&said))
        {
            there.truncate(there.len() / 2);
        }
        let (last, place) = there.last()?.clone();
        let mut before = (Arc::clone(old), was);
        let mut steps = Vec::new();
        for (document, place) in there {
            let status = fate(&before.0, before.1, &document, place);
            steps.push(Step::unsaid(&document, place, status, self.flags));
            before = (document, place);
        }
        let location = engine::Location { path: last.path().to_owned(), ..said.0 };
        let anchor = engine::anchor(&last, place, location)?;
        self.last = Last { document: last, anchor };
        Some(steps)
    }

    /// Adds a step for the file on disk, if it differs from the last commit.
    fn end_on_disk(&mut self, past: &Past, now: &Arc<Document>) {
        let is_lost = self.steps.last().is_some_and(|step| step.status == Fate::Gone);
        let Last { document, .. } = &self.last;
        let is_same = document.path() == now.path() && document.text().bytes() == now.text().bytes();
        if past.is_deleted && !is_lost {
            self.steps.push(Step::lost(now.path(), Fate::Gone));
        } else if !past.is_deleted && (is_lost || !is_same) {
            let (step, _) = self.step(now);
            self.steps.push(step);
        }
    }

    /// The step to the next version. If the place is known there, it becomes the last known one.
    fn step(&mut self, new: &Arc<Document>) -> (Step, Way) {
        let Last { document, anchor } = &self.last;
        match Step::next(document, new, anchor, self.flags) {
            (step, Some(anchor)) => {
                self.last = Last { document: Arc::clone(new), anchor };
                (step, Way::Open)
            }
            (step, None) => (step, Way::Ended),
        }
    }
}

impl TrackAnswer {
    fn new(file_path: &str, steps: Vec<Step>, flags: &Flags) -> TrackAnswer {
        let last = steps.last().map_or(Fate::Unchanged, |step| step.status);
        // A place that was gone and came back does not count as gone.
        let ways = steps.iter().map(|step| step.status).filter(|fate| *fate != Fate::Gone);
        let status = ways.fold(last, Fate::max);
        TrackAnswer { file_path: file_path.to_owned(), status, steps, encoding: flags.encoding() }
    }

    /// Adds the location to each step. The text for people does not show it.
    fn with_locations(self) -> TrackAnswer {
        let mut steps = Vec::new();
        let take = |step| {
            steps.push(step);
            Ok::<(), std::convert::Infallible>(())
        };
        match in_order(&self.steps, |step| step.clone().with_location(), |_| 0, take) {
            Ok(()) => TrackAnswer { steps, ..self },
        }
    }

    /// The steps, each in the form for people.
    fn shown(&self) -> impl Iterator<Item = String> {
        let before = std::iter::once(None).chain(self.steps.iter().map(|step| step.line_text.as_deref()));
        self.steps.iter().zip(before).map(|(step, before)| step.text(before))
    }
}

/// The location of a place without its file, and the path of the symbol around it. `None` when the location would not
/// survive the next edit.
fn said(document: &Document, place: engine::Offset) -> Option<(engine::Location, Vec<String>)> {
    let description = engine::describe(document, place).filter(|description| description.stable)?;
    let outline = document.outline();
    let path = outline.zip(description.symbol).map(|(outline, symbol)| outline.path(symbol));
    let path = path.unwrap_or_default().into_iter().map(str::to_owned).collect();
    Some((engine::Location { path: String::new(), ..description.location }, path))
}

impl Step {
    fn at(document: &Arc<Document>, offset: engine::Offset, status: Fate, flags: &Flags) -> Step {
        Step::unsaid(document, offset, status, flags).with_location()
    }

    /// A step whose place is known, but whose location is not computed yet.
    fn unsaid(document: &Arc<Document>, offset: engine::Offset, status: Fate, flags: &Flags) -> Step {
        Step {
            position: Some(wire::position(document, offset, flags.encoding())),
            offset: Some(offset.to_u32()),
            line_text: Some(wire::line_text(document, offset)),
            unsaid: Some((Arc::clone(document), offset)),
            ..Step::lost(document.path(), status)
        }
    }

    /// Computes the location of the place.
    fn with_location(mut self) -> Step {
        if let Some((document, offset)) = self.unsaid.take() {
            self.location = Some(wire::location(&document, offset));
        }
        self
    }

    fn start(rev: &str, document: &Arc<Document>, anchor: &engine::Anchor, flags: &Flags) -> Step {
        let offset = engine::Offset::of_index(anchor.offset as usize);
        let step = Step::at(document, offset, Fate::Unchanged, flags);
        Step { commit: Some(rev.to_owned()), ..step }
    }

    /// The step to the next version, and the anchor of the place in it if the place is known.
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
                return (Step::doubtful(new, Fate::Ambiguous, (anchor, &places), flags), None);
            }
            Relocation::Gone(places) => {
                return (Step::doubtful(new, Fate::Gone, (anchor, &places), flags), None);
            }
        };
        let description = engine::describe(new, offset);
        let kept = description.and_then(|description| engine::anchor(new, offset, description.location));
        (Step { renamed, ..Step::at(new, offset, status, flags) }, kept)
    }

    /// Adds the hash, date and title of the commit.
    fn of(self, commit: Commit) -> Step {
        let Commit { hash, date, title, .. } = commit;
        Step { commit: Some(hash), date: Some(date), title: Some(title), ..self }
    }

    /// A step in which the place is not known, with the places that resemble it most.
    fn doubtful(
        document: &Document,
        status: Fate,
        (anchor, places): (&engine::Anchor, &[engine::Offset]),
        flags: &Flags,
    ) -> Step {
        let candidate = |&offset: &engine::Offset| {
            let reason = place::resemblance(anchor, document, offset);
            engine::Candidate { offset, reason }
        };
        let candidates: Vec<_> = places.iter().map(candidate).collect();
        let candidates = wire::candidates(document, &candidates, flags.encoding());
        Step { candidates, ..Step::lost(document.path(), status) }
    }

    /// A step in which the place is not known.
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
            unsaid: None,
            candidates: Vec::new(),
        }
    }

    /// One line for people. If the text of the place's line has changed, it follows on a second line.
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
            Some(Renaming { old, new }) => format!("{status} `{old}` to `{new}`"),
            None => status.to_string(),
        };
        let shown = format!("{}{line}\n", format!("{place}  {status}  {commit} {about}").trim_end());
        show::visible(&shown).into_owned()
    }

    /// Remarks on where the place could be, and how to continue from there.
    fn ways_on(&self) -> Vec<Remark> {
        let Some(candidate) = self.candidates.first() else { return Vec::new() };
        let offered = |said: &'static str| Remark { places: self.candidates.clone(), ..Remark::new(said) };
        if self.status == Fate::Gone {
            return vec![offered(place::NONE_IS_LIKELY)];
        }
        let location = &candidate.location;
        let next = match &self.commit {
            Some(commit) => call("track").with("locate", location).with("from", commit),
            None => call("locate").with("locate", location),
        };
        vec![offered(place::NONE_IS_SURE), Remark::new(phrase!["to go on from the first: ", next])]
    }
}

/// What became of a place that was found: compares its old and its new line.
fn fate(old: &Document, was: engine::Offset, new: &Document, now: engine::Offset) -> Fate {
    let line = |document: &Document, offset| {
        let line = document.text().line_of(offset);
        document.text().line_content(line).map(|content| document.text().lossy(content).trim().to_owned())
    };
    if line(old, was) != line(new, now) {
        Fate::Edited
    } else if old.text().line_of(was) != new.text().line_of(now) {
        Fate::Moved
    } else {
        Fate::Unchanged
    }
}

impl Answer for TrackAnswer {
    fn text(&self, _: &dyn Voice) -> String {
        self.shown().collect()
    }

    fn remarks(&self) -> Vec<Remark> {
        self.steps.last().map(Step::ways_on).unwrap_or_default()
    }

    fn is_found(&self) -> bool {
        !matches!(self.status, Fate::Ambiguous | Fate::Gone)
    }

    fn markdown(&self, _: &dyn Voice) -> String {
        self.shown().map(|step| format!("- {step}")).collect()
    }
}
