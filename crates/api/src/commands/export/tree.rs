//! The files of the exported directory. Each is turned into a piece of the output.

use std::path::PathBuf;

use locant_engine::{Document, Outline, SymbolId};
use locant_workspace::walk::is_known;

use crate::commands::outline::NONE;
use crate::failure::Failure;
use crate::files::language;
use crate::flags::Flags;
use crate::folder::{Entry, Folder, Opened};
use crate::ordered::in_order;
use crate::request::guard;

/// How deep an exported symbol may be nested. Without a limit, the paths of all symbols could take the square of the
/// text's size.
const DEEPEST: usize = 1000;

/// The files of a directory.
pub(super) struct Tree {
    /// The directory, as an absolute path.
    pub(super) top: PathBuf,
    /// The files, sorted by their paths from the directory.
    entries: Vec<Entry>,
    left_out: Vec<String>,
    /// Only files in this language are read; `None` for all languages.
    language: Option<&'static str>,
}

/// The output for one file.
pub(super) struct Piece {
    pub(super) bytes: Vec<u8>,
    pub(super) n_symbols: usize,
}

/// The counts of an export, and what was left out.
#[derive(Default)]
pub(super) struct Tally {
    /// How many files have symbols.
    pub(super) n_files: usize,
    pub(super) n_symbols: usize,
    /// Why files were left out.
    left_out: Vec<String>,
    /// How many symbols are nested too deep.
    n_deeper: usize,
}

/// The result for one file.
enum Outcome {
    Made {
        piece: Piece,
        n_deeper: usize,
    },
    /// The file is in a language that locant does not read.
    Unread,
    /// The file could not be read.
    Failed(String),
}

/// The symbols of an outline that are exported.
pub(super) struct Listed {
    /// The symbols in the order of the outline, in which parents come before their members.
    pub(super) ids: Vec<SymbolId>,
    n_deeper: usize,
}

impl Tree {
    pub(super) fn at(directory: &str, flags: &Flags) -> Result<Tree, Failure> {
        let language = language(flags)?.map(|language| language.name());
        let top = flags.base().absolute(directory);
        let Folder { entries, left_out } = Folder::at(&top, ".");
        Ok(Tree { top, entries, left_out, language })
    }

    /// Makes a piece of each file that has an outline, on all cores. `take` gets the pieces in the order of the files.
    pub(super) fn each_file<Error>(
        &self,
        made: impl Fn(&Document, &Outline, &Listed) -> Piece + Sync,
        mut take: impl FnMut(Vec<u8>) -> Result<(), Error>,
    ) -> Result<Tally, Error> {
        let mut tally = Tally { left_out: self.left_out.clone(), ..Tally::default() };
        let work = |entry: &Entry| self.outcome(entry, &made);
        in_order(&self.entries, work, Outcome::room, |outcome| {
            locant_stop::check();
            match outcome {
                Outcome::Made { piece, n_deeper } => {
                    tally.n_files += usize::from(piece.n_symbols > 0);
                    tally.n_symbols += piece.n_symbols;
                    tally.n_deeper += n_deeper;
                    take(piece.bytes)?;
                }
                Outcome::Unread => {}
                Outcome::Failed(why) => tally.left_out.push(why),
            }
            Ok(())
        })?;
        Ok(tally)
    }

    /// Calls `take` for each document in a language whose names locant reads, in order.
    pub(super) fn each_known(&self, mut take: impl FnMut(Document)) {
        for entry in self.entries.iter().filter(|entry| is_known(&entry.shown)) {
            locant_stop::check();
            if let Opened::Document(document) = entry.open(self.language) {
                take(*document);
            }
        }
    }

    fn outcome(&self, entry: &Entry, made: &impl Fn(&Document, &Outline, &Listed) -> Piece) -> Outcome {
        let document = match entry.open(self.language) {
            Opened::Document(document) => document,
            Opened::Unread => return Outcome::Unread,
            Opened::Failed(why) => return Outcome::Failed(why),
        };
        let made = guard(|| {
            Ok(document.outline().map(|outline| {
                let listed = Listed::of(outline);
                Outcome::Made { piece: made(&document, outline, &listed), n_deeper: listed.n_deeper }
            }))
        });
        match made {
            Ok(made) => made.unwrap_or(Outcome::Unread),
            Err(failure) => Outcome::Failed(format!("{}: {}", entry.shown, failure.message)),
        }
    }
}

impl Outcome {
    /// How many bytes the result takes in memory.
    fn room(&self) -> usize {
        let length = match self {
            Outcome::Made { piece, .. } => piece.bytes.capacity(),
            Outcome::Unread => 0,
            Outcome::Failed(why) => why.capacity(),
        };
        size_of::<Outcome>() + length
    }
}

impl Tally {
    /// Notes about what was left out.
    pub(super) fn notes(&self) -> Vec<String> {
        let (n_left_out, n_deeper) = (self.left_out.len(), self.n_deeper);
        let first = self.left_out.first();
        let left_out = first.map(|first| format!("{n_left_out} files were left out; the first: {first}"));
        let deeper =
            format!("{n_deeper} symbols that are nested more than {DEEPEST} levels deep are left out");
        let none = (self.n_symbols == 0).then(|| NONE.to_owned());
        left_out.into_iter().chain((n_deeper > 0).then_some(deeper)).chain(none).collect()
    }
}

impl Listed {
    pub(super) fn of(outline: &Outline) -> Listed {
        let mut depths: Vec<usize> = Vec::with_capacity(outline.symbols().len());
        for symbol in outline.symbols() {
            depths.push(symbol.parent.map_or(0, |parent| depths[parent.index()] + 1));
        }
        let ids = outline.iter().map(|(id, _)| id).filter(|id| depths[id.index()] <= DEEPEST);
        let ids: Vec<SymbolId> = ids.collect();
        Listed { n_deeper: depths.len() - ids.len(), ids }
    }
}
