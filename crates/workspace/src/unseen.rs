//! Files that may use a name but were not searched. These are files that are hidden or ignored by version control and,
//! if the project is not a repository, files around the project.

use std::collections::HashSet;
use std::path::Path;

use locant_engine::{Document, NameIndex, Reader};

use crate::gap::Gap;
use crate::path::written;
use crate::project::{Origin, Project, is_shared};
use crate::snapshot::Snapshot;
use crate::walk::{Depth, Listing, Sight, list, list_some};

/// How many files a gap names, at most.
const NAMED: usize = 3;

/// How many folders above a project are searched for files that use it, and how many entries of each.
const ABOVE: usize = 3;
const MOST_ABOVE: usize = 20_000;

/// A question about a word in a document, and the project around the document.
pub(crate) struct Unseen<'q> {
    pub(crate) snapshot: &'q Snapshot,
    pub(crate) project: &'q Project,
    /// The folder that relative paths start from.
    pub(crate) base: &'q Path,
    pub(crate) document: &'q Document,
    pub(crate) word: &'q str,
    /// Whether the file with a key was searched.
    pub(crate) is_seen: &'q dyn Fn(&str) -> bool,
}

impl Unseen<'_> {
    /// The reasons why the answer may lack something.
    pub(crate) fn gaps(&self) -> Vec<Gap> {
        if self.project.origin == Origin::Guess {
            return vec![Gap::NoProject { file: self.document.path().to_owned() }];
        }
        let Listing { files, mut gaps } = list(&self.project.root, self.project.depth(), Sight::All);
        let names: HashSet<&[u8]> = files.iter().map(|path| last_name(path.as_bytes())).collect();
        let is_unseen = |path: &&String| !(self.is_seen)(&self.project.below(path.as_ref()));
        let unseen = files.iter().filter(is_unseen).filter(|path| self.uses(path, &names).is_some());
        gaps.extend(self.hidden(&unseen.collect::<Vec<_>>()));
        if self.project.origin == Origin::Folder {
            gaps.extend(self.around(&names));
        }
        gaps
    }

    fn hidden(&self, paths: &[&String]) -> Option<Gap> {
        let first = paths.first()?;
        let named = paths.iter().take(NAMED).map(|path| self.project.below(path.as_ref()));
        Some(Gap::Hidden {
            word: self.word.to_owned(),
            files: named.collect(),
            n_more: paths.len().saturating_sub(NAMED),
            import_folder: self.import_folder(first),
        })
    }

    /// The folder of a file, written as in a request; `None` when the language has no imports.
    fn import_folder(&self, path: &str) -> Option<String> {
        NameIndex::imports_any(self.document.reader()?, b"", &HashSet::new())?;
        let folder = Path::new(path).parent()?;
        Some(match folder.strip_prefix(self.base) {
            Ok(below) if below.as_os_str().is_empty() => ".".to_owned(),
            Ok(below) => written(below),
            Err(_) => written(folder),
        })
    }

    /// The gap for a file outside of the project that contains the word and imports a file of the project.
    fn around(&self, names: &HashSet<&[u8]>) -> Option<Gap> {
        let above = self.project.root.ancestors().skip(1).take(ABOVE);
        above.take_while(|folder| !is_shared(folder)).find_map(|folder| {
            let Listing { files, .. } = list_some(folder, Depth::All, Sight::Shown, MOST_ABOVE);
            let is_outside = |path: &&String| !Path::new(path.as_str()).starts_with(&self.project.root);
            // Without such an import, the word may have nothing to do with this project.
            let is_used = |path: &&String| self.uses(path, names) == Some(Seen::ByImport);
            let file = files.iter().filter(is_outside).find(is_used)?;
            Some(Gap::Around { word: self.word.to_owned(), file: file.clone(), folder: written(folder) })
        })
    }

    /// How a file may see the name in question. Returns `None` when the file does not contain the word or is in another
    /// language, or when the language has imports and the file imports none of the files in `names`.
    fn uses(&self, path: &str, names: &HashSet<&[u8]>) -> Option<Seen> {
        let reader = self.document.reader()?;
        let is_kin = Reader::for_file(path, b"").map(Reader::name) == Some(reader.name());
        if self.word.is_empty() || !is_kin {
            return None;
        }
        let text = self.snapshot.text(Path::new(path))?;
        let text = text.bytes();
        if !has_word(text, self.word.as_bytes()) {
            return None;
        }
        match NameIndex::imports_any(reader, text, names) {
            None => Some(Seen::Everywhere),
            Some(true) => Some(Seen::ByImport),
            Some(false) => None,
        }
    }
}

/// How a file sees the names of another file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    /// The file imports the other file.
    ByImport,
    /// All files of the language see each other's names.
    Everywhere,
}

/// Whether a text contains a word as a whole, and not as part of a longer word.
pub fn has_word(text: &[u8], word: &[u8]) -> bool {
    words(text, word).next().is_some()
}

/// Where a word occurs in a text as a whole, and not as part of a longer word.
pub fn words<'t>(text: &'t [u8], word: &'t [u8]) -> impl Iterator<Item = usize> + 't {
    let is_part = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    memchr::memmem::find_iter(text, word).filter(move |&at| {
        let before = at.checked_sub(1).and_then(|before| text.get(before));
        !is_part(before) && !is_part(text.get(at + word.len()))
    })
}

fn last_name(path: &[u8]) -> &[u8] {
    path.rsplit(|&byte| byte == b'/').next().unwrap_or(path)
}
