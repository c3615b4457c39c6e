//! Cases: places in one version of a file, and where they are in a later version.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use locant_bench::parallel::map_in_parallel;
use locant_engine::{Document, Encoding, Offset, Position};
use serde::Deserialize;

/// A place in two versions of a file.
pub(crate) struct Case {
    pub(crate) old: Document,
    pub(crate) new: Document,
    /// The place in the old version.
    pub(crate) from: Offset,
    /// The place in the new version; `None` when it is gone.
    to: Option<Offset>,
}

/// The outcome of an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Landing {
    Right,
    Refused,
    Wrong,
}

#[derive(Deserialize)]
struct Row {
    path: String,
    blob_a: String,
    blob_b: String,
    pos_a: Place,
    pos_b: Option<Place>,
}

#[derive(Clone, Copy, Deserialize)]
struct Place {
    line: u32,
    col: u32,
}

/// Reads the cases. Cases whose texts are missing are left out.
pub(crate) fn load(cases: &Path, texts: &Path) -> Result<Vec<Case>> {
    let unpacked = Command::new("gzip").arg("-dc").arg(cases).output().context("gzip did not start")?;
    ensure!(unpacked.status.success(), "gzip could not read {}", cases.display());
    let rows = String::from_utf8(unpacked.stdout)?;
    let rows: Vec<Row> = rows.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    Ok(map_in_parallel(rows, |row| case(&row, texts)).into_iter().flatten().collect())
}

fn case(row: &Row, texts: &Path) -> Option<Case> {
    let name = row.path.rsplit('/').next()?;
    let document = |blob: &str| {
        let bytes = std::fs::read(texts.join(blob).join(name)).ok()?;
        Document::new(name, bytes).ok()
    };
    let (old, new) = (document(&row.blob_a)?, document(&row.blob_b)?);
    let offset = |document: &Document, Place { line, col }: Place| {
        document.text().offset(Position { line, character: col }, Encoding::Utf32)
    };
    let from = offset(&old, row.pos_a)?;
    let to = match row.pos_b {
        Some(place) => Some(offset(&new, place)?),
        None => None,
    };
    Some(Case { old, new, from, to })
}

impl Case {
    /// The outcome of an edit that lands at this place. `None` means that the edit is refused.
    pub(crate) fn landing(&self, place: Option<Offset>) -> Landing {
        judged(place, self.to)
    }

    /// The outcome of an edit that lands on this line. `None` means that the edit is refused.
    pub(crate) fn landing_on_line(&self, line: Option<u32>) -> Landing {
        judged(line, self.to.map(|place| self.new.text().line_of(place)))
    }
}

fn judged<P: PartialEq>(place: Option<P>, right: Option<P>) -> Landing {
    match (place, right) {
        (place, right) if place == right => Landing::Right,
        (None, _) => Landing::Refused,
        (Some(_), _) => Landing::Wrong,
    }
}
