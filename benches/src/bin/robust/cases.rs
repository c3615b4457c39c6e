//! Cases: places in one version of a file, and where they are in a later version.

use std::fmt;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use locant_bench::parallel::map_in_parallel;
use locant_engine::{Document, Encoding, Offset, Position, Resolution, describe, locate};
use locant_locate::relocate::{
    Evidence, Relocation, Thresholds, evidence, evidence_of_words, relocate, relocate_from, relocate_words,
    renamed,
};
use locant_locate::{Anchor, Location, anchor, checked};
use serde::Deserialize;

/// A place in two versions of a file.
pub(crate) struct Case {
    pub(crate) repository: String,
    pub(crate) class: String,
    old: Document,
    new: Document,
    anchor: Anchor,
    /// The location with a check, if a check can be added to it.
    checked: Location,
    /// Where the place is in the new version; `None` when it is gone.
    place: Option<Offset>,
}

/// What is found for a case, if a certain part of the old version is known.
pub(crate) struct Seen {
    pub(crate) candidates: Vec<Evidence>,
    /// The index of the right candidate; `None` when none is right.
    pub(crate) right: Option<usize>,
    /// Whether the place still exists.
    pub(crate) is_there: bool,
    /// The answer, if it needs no weighing of candidates.
    pub(crate) decided: Option<Decided>,
}

/// An answer that needs no weighing of candidates.
#[derive(Clone, Copy)]
pub(crate) struct Decided {
    pub(crate) confidence: f64,
    pub(crate) is_right: bool,
}

/// Which part of the old version is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Known {
    /// The location alone.
    Words,
    /// The location with a check.
    Checked,
    /// The whole anchor.
    Anchor,
    /// The whole old text.
    OldText,
    /// The texts of the line of the place and of this many lines on each side.
    Lines(usize),
    /// Three lines on each side, and how often the line and the word occur.
    Twins,
    /// The same as `Twins`, and digests of more lines.
    Wide,
}

#[derive(Deserialize)]
struct Row {
    repo: String,
    path: String,
    blob_a: String,
    blob_b: String,
    pos_a: Place,
    pos_b: Option<Place>,
    difficulty: String,
}

#[derive(Clone, Copy, Deserialize)]
struct Place {
    line: u32,
    col: u32,
}

/// Reads the cases. Cases whose texts are missing are left out.
pub(crate) fn load(cases: &Path, texts: &Path) -> Result<Vec<Case>> {
    let unpacked = Command::new("gzip").arg("-dc").arg(cases).output().context("gzip")?;
    ensure!(unpacked.status.success(), "cannot read {}", cases.display());
    let lines = String::from_utf8(unpacked.stdout)?;
    let rows: Vec<Row> = lines.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let found: Vec<Case> = map_in_parallel(rows, |row| case(row, texts)).into_iter().flatten().collect();
    ensure!(!found.is_empty(), "there are no texts in {}", texts.display());
    Ok(found)
}

fn case(row: Row, texts: &Path) -> Option<Case> {
    let name = Path::new(&row.path).file_name()?.to_str()?;
    let document = |blob: &str| {
        let bytes = std::fs::read(texts.join(blob).join(name)).ok()?;
        Document::new(name, String::from_utf8_lossy(&bytes).into_owned()).ok()
    };
    let (old, new) = (document(&row.blob_a)?, document(&row.blob_b)?);
    let offset = |document: &Document, place: Place| {
        document.text().offset(Position { line: place.line, character: place.col }, Encoding::Utf32)
    };
    let described = offset(&old, row.pos_a)?;
    let place = row.pos_b.and_then(|place| offset(&new, place));
    new_case(&row.repo, &row.difficulty, (old, described), (new, place))
}

fn new_case(
    repository: &str,
    class: &str,
    (old, described): (Document, Offset),
    (new, place): (Document, Option<Offset>),
) -> Option<Case> {
    let location = describe(&old, described)?.location;
    let checked = checked(&old, described, &location).unwrap_or_else(|| location.clone());
    let anchor = anchor(&old, described, location)?;
    Some(Case {
        repository: repository.to_owned(),
        class: class.to_owned(),
        old,
        new,
        anchor,
        checked,
        place,
    })
}

/// The candidates for all cases, if `known` is the only part of the old version that is known.
pub(crate) fn all_seen(cases: &[Case], known: Known, thresholds: &Thresholds) -> Vec<Seen> {
    map_in_parallel(cases.iter().collect(), |case: &Case| case.seen(known, thresholds))
}

impl Case {
    /// The version that the place was described in.
    pub(crate) fn old(&self) -> &Document {
        &self.old
    }

    /// The place in the old version.
    pub(crate) fn described(&self) -> Offset {
        Offset::of_index(self.anchor.offset as usize)
    }

    /// A case with the same place and a made-up later version.
    pub(crate) fn made_up(&self, class: &str, new: String, place: Option<usize>) -> Option<Case> {
        let old = Document::new(self.old.path(), self.old.text().bytes()).ok()?;
        self.made_up_of(class, old, self.described(), new, place)
    }

    /// A case with two made-up versions. It belongs to the same repository as this case.
    pub(crate) fn made_up_of(
        &self,
        class: &str,
        old: Document,
        described: Offset,
        new: String,
        place: Option<usize>,
    ) -> Option<Case> {
        let new = Document::new(old.path(), new).ok()?;
        let place = place.map(Offset::of_index);
        new_case(&self.repository, class, (old, described), (new, place))
    }

    /// Whether the place still exists.
    pub(crate) fn is_there(&self) -> bool {
        self.place.is_some()
    }

    /// Whether the location leads to exactly one place in the new version.
    pub(crate) fn is_led(&self, known: Known) -> bool {
        let found = locate(&self.new, self.location(known));
        matches!(found, Resolution::Found(found) if found.matches == 1)
    }

    /// The paths of the innermost symbols around the place, in the old and in the new version.
    pub(crate) fn paths(&self) -> Option<[Vec<&str>; 2]> {
        Some([path_at(&self.old, self.described())?, path_at(&self.new, self.place?)?])
    }

    /// The path of the innermost symbol around the place in the old version.
    pub(crate) fn path_then(&self) -> Option<Vec<&str>> {
        path_at(&self.old, self.described())
    }

    /// Whether the new version declares a symbol with this path.
    pub(crate) fn declares_now(&self, path: &[&str]) -> bool {
        self.new.outline().is_some_and(|outline| outline.iter().any(|(id, _)| outline.path(id) == path))
    }

    /// The location, with a check if the check is known.
    fn location(&self, known: Known) -> &Location {
        if known == Known::Checked { &self.checked } else { &self.anchor.location }
    }

    /// Whether the place is at this offset in the new version.
    pub(crate) fn is_at(&self, offset: Offset) -> bool {
        self.place == Some(offset)
    }

    /// Whether the old version declares this name.
    pub(crate) fn declared(&self, name: &str) -> bool {
        self.old.outline().is_some_and(|outline| outline.symbols().iter().any(|symbol| symbol.name == name))
    }

    /// Whether the location and the old text disagree on how the symbol around the place was renamed.
    pub(crate) fn is_misnamed(&self, known: Known, thresholds: &Thresholds) -> bool {
        let location = self.location(known);
        self.place.is_some_and(|place| {
            renamed::holder_of_words(&self.new, location, place, thresholds)
                != renamed::holder_from(&self.old, &self.new, &self.anchor, place)
        })
    }

    /// The answer of the library, if `known` is the only part of the old version that is known.
    pub(crate) fn relocated(&self, known: Known) -> Relocation {
        match known {
            Known::Words => relocate_words(&self.new, &self.anchor.location),
            Known::Checked => relocate_words(&self.new, &self.checked),
            Known::OldText => relocate_from(&self.old, &self.new, &self.anchor),
            Known::Anchor => relocate(&self.new, &self.anchor),
            Known::Lines(_) | Known::Twins | Known::Wide => {
                relocate(&self.new, &trimmed(&self.anchor, known))
            }
        }
    }

    /// The candidates, if `known` is the only part of the old version that is known.
    fn seen(&self, known: Known, thresholds: &Thresholds) -> Seen {
        let seen = match known {
            Known::Words => Err(evidence_of_words(&self.new, &self.anchor.location, thresholds)),
            Known::Checked => Err(evidence_of_words(&self.new, &self.checked, thresholds)),
            Known::OldText => evidence(Some(&self.old), &self.new, &self.anchor, thresholds),
            Known::Anchor => evidence(None, &self.new, &self.anchor, thresholds),
            Known::Lines(_) | Known::Twins | Known::Wide => {
                evidence(None, &self.new, &trimmed(&self.anchor, known), thresholds)
            }
        };
        let (decided, candidates) = match seen {
            Ok(relocation) => (Some(self.decided(&relocation)), Vec::new()),
            Err(candidates) => (None, candidates),
        };
        let right = candidates.iter().position(|candidate| Some(candidate.place) == self.place);
        Seen { candidates, right, is_there: self.is_there(), decided }
    }

    fn decided(&self, relocation: &Relocation) -> Decided {
        match relocation {
            Relocation::Found { offset, confidence, .. }
            | Relocation::Renamed { offset, confidence: Some(confidence), .. } => {
                Decided { confidence: *confidence, is_right: self.is_at(*offset) }
            }
            _ => Decided { confidence: 0.0, is_right: false },
        }
    }
}

impl fmt::Display for Case {
    /// The place with the lines around it, in the old and in the new version.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} ({}): {}", self.repository, self.class, self.anchor.location)?;
        let around = |document: &Document, place: Offset| {
            let (text, at) = (document.text(), document.text().line_of(place));
            let lines = (at.saturating_sub(8).max(1)..=at + 8)
                .filter_map(|line| Some((line, text.line_content(line)?)));
            let lines = lines.map(|(line, range)| {
                let mark = if line == at { '>' } else { ' ' };
                format!("{mark}{line:5} {}\n", text.lossy(range))
            });
            lines.collect::<String>()
        };
        write!(f, "was\n{}", around(&self.old, self.described()))?;
        match self.place {
            Some(place) => write!(f, "is\n{}", around(&self.new, place)),
            None => writeln!(f, "is gone"),
        }?;
        match self.relocated(Known::Anchor).places().first() {
            Some(&place) => write!(f, "the library, by its anchor, thinks of\n{}", around(&self.new, place)),
            None => Ok(()),
        }
    }
}

fn path_at(document: &Document, place: Offset) -> Option<Vec<&str>> {
    let outline = document.outline()?;
    let around = outline.iter().filter(|(_, symbol)| symbol.extent.contains(place));
    around.max_by_key(|(_, symbol)| symbol.extent.start()).map(|(id, _)| outline.path(id))
}

/// An anchor reduced to the part that is known.
fn trimmed(anchor: &Anchor, known: Known) -> Anchor {
    let mut anchor = anchor.clone();
    anchor.others.clear();
    if known == Known::Wide {
        return anchor;
    }
    let n_lines = if let Known::Lines(n_lines) = known { n_lines } else { 3 };
    anchor.before.truncate(n_lines);
    anchor.after.truncate(n_lines);
    anchor.above.truncate(n_lines);
    anchor.below.truncate(n_lines);
    if known != Known::Twins {
        (anchor.twins, anchor.words) = Default::default();
    }
    anchor
}
