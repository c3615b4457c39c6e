//! The parts of one file that may be what was moved out of another file.

use locant_engine::{self as engine, Document, Heir, Offset, Range, Reader, Stray};

use super::Lost;
use crate::word_filter::has;

/// What may have been moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    /// The whole file.
    File,
    /// The stray with this index: a symbol around the place, counted from the outermost.
    Stray(usize),
}

/// Something that may be what was moved.
#[derive(Debug)]
pub(super) struct Hit {
    /// The path of the file, from the root of the tree.
    pub(super) path: String,
    pub(super) of: Of,
    /// The share of the old lines that it contains, and in `own` the share of its own lines that are old.
    pub(super) kept: f64,
    pub(super) own: f64,
    /// How many lines are the same.
    pub(super) n_same: usize,
    /// Its range in the text.
    pub(super) extent: Range,
    /// Its name, if that is not the old name.
    pub(super) new_name: Option<String>,
    /// Whether its parent has the same name as before, or there is no parent now and was none before.
    pub(super) has_parent: bool,
    /// The names of the enclosing symbols, followed by its own name.
    pub(super) symbol_path: Vec<String>,
    /// Where its name starts.
    pub(super) name: Offset,
    /// Where the place is, if the anchor tells.
    pub(super) place: Option<Offset>,
}

impl Hit {
    /// How similar it is to the old symbol, from 0 to 1. Missing lines and additional lines count equally.
    pub(super) fn likeness(&self) -> f64 {
        if self.kept + self.own == 0.0 { 0.0 } else { 2.0 * self.kept * self.own / (self.kept + self.own) }
    }

    /// Whether one of two hits contains the other. Then both have the same lines.
    pub(super) fn is_within(&self, other: &Hit) -> bool {
        let holds = |outer: Range, inner: Range| outer.start() <= inner.start() && inner.end() <= outer.end();
        self.path == other.path && (holds(self.extent, other.extent) || holds(other.extent, self.extent))
    }

    pub(super) fn is_worth_a_look(&self) -> bool {
        self.new_name.is_none() || self.likeness() >= 0.5
    }
}

/// Words and lines that the bytes of a file must contain to be worth parsing.
pub(super) struct Needles<'n> {
    /// The names of the strays.
    names: Vec<&'n str>,
    /// Lines of the strays, and also of the whole file if it no longer exists.
    lines: Vec<String>,
    /// How many of the lines are enough, if no name is found.
    enough: usize,
}

/// How many lines of each stray are searched for. The longest are taken.
const N_LINES: usize = 10;

/// How many bytes a line must have to be looked for.
const LEAST_BYTES: usize = 8;

impl<'n> Needles<'n> {
    pub(super) fn new(lost: &Lost<'_>, strays: &'n [Stray]) -> Needles<'n> {
        let mut lines = match lost.old {
            None => of_anchor(lost.anchor),
            Some(old) => {
                let parts = strays.iter().filter_map(|stray| stray.extent);
                let whole = lost.now.is_none().then(|| Range::of_indices(0..old.text().bytes().len()));
                parts.chain(whole).flat_map(|part| longest(&old.text().lossy(part))).collect()
            }
        };
        lines.sort();
        lines.dedup();
        let enough =
            if lost.now.is_none() { lines.len().div_ceil(4) } else { lines.len().div_ceil(2).max(2) };
        Needles { names: strays.iter().map(Stray::name).collect(), lines, enough }
    }

    pub(super) fn are_in(&self, bytes: &[u8]) -> bool {
        let has_name = self.names.iter().any(|name| has(bytes, name));
        let wanted = if has_name { 1 } else { self.enough };
        let mut found = self.lines.iter().filter(|line| has(bytes, line));
        found.by_ref().take(wanted).count() == wanted
    }
}

fn of_anchor(anchor: &engine::Anchor) -> Vec<String> {
    let near = anchor.before.iter().chain(&anchor.after).chain([&anchor.line]);
    near.filter(|line| line.len() >= LEAST_BYTES).cloned().collect()
}

/// The longest lines of a text, because they are rarer than others.
fn longest(text: &str) -> Vec<String> {
    let mut lines: Vec<&str> = text.lines().map(str::trim).filter(|line| line.len() >= LEAST_BYTES).collect();
    lines.sort_by_key(|line| std::cmp::Reverse(line.len()));
    lines.into_iter().take(N_LINES).map(str::to_owned).collect()
}

/// The hits in a document.
pub(super) fn hits(lost: &Lost<'_>, strays: &[Stray], document: &Document) -> Vec<Hit> {
    let mut hits = Vec::new();
    // A file in another language, such as a manual that quotes the code, is not where the code was moved to.
    let was = lost.old.or(lost.now).map_or_else(|| Reader::for_file(lost.path, b""), Document::reader);
    if was.map(Reader::name) != document.reader().map(Reader::name) {
        return hits;
    }
    if lost.now.is_none() {
        hits.extend(of_file(lost, document));
    }
    let Some(outline) = document.outline() else { return hits };
    for (at, stray) in strays.iter().enumerate() {
        locant_stop::check();
        for Heir { symbol: id, has_name, kept, own, n_same, place } in stray.heirs(document) {
            let symbol = outline.get(id);
            let path = outline.path(id);
            hits.push(Hit {
                path: document.path().to_owned(),
                of: Of::Stray(at),
                kept,
                own,
                n_same,
                extent: symbol.extent,
                new_name: (!has_name).then(|| symbol.name.clone()),
                has_parent: path.iter().rev().nth(1).copied()
                    == stray.path.iter().rev().nth(1).map(String::as_str),
                symbol_path: path.into_iter().map(str::to_owned).collect(),
                name: symbol.name_range.start(),
                place,
            });
        }
    }
    hits
}

fn of_file(lost: &Lost<'_>, document: &Document) -> Option<Hit> {
    let (kept, own) = match lost.old {
        Some(old) => engine::shared_lines(old, document),
        None => {
            let around = engine::shared_around(lost.anchor, document);
            (around, around)
        }
    };
    (kept > 0.0).then(|| Hit {
        path: document.path().to_owned(),
        of: Of::File,
        kept,
        own,
        n_same: usize::MAX,
        extent: Range::of_indices(0..document.text().bytes().len()),
        new_name: None,
        has_parent: true,
        symbol_path: Vec::new(),
        name: Offset::ZERO,
        place: None,
    })
}
