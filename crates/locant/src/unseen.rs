//! Files that may use a name and were not looked at: those that are hidden or that version control ignores, and, where
//! no repository tells the project, those around it.

use std::collections::HashSet;
use std::path::Path;

use locant_engine::{Document, NameIndex, Reader};

use crate::disk::{Depth, DiskFile, Listing, Sight, list, list_some, written};
use crate::project::{Origin, Project, is_shared};
use crate::show;

/// How many files a reason names.
const NAMED: usize = 3;

/// How many folders above a project are looked through for files that may belong to it, and how much of each.
const ABOVE: usize = 3;
const MOST_ABOVE: usize = 20_000;

/// A question about a word in a document of a project.
pub(crate) struct Unseen<'q> {
    pub(crate) project: &'q Project,
    /// The folder that relative paths start from.
    pub(crate) base: &'q Path,
    pub(crate) document: &'q Document,
    pub(crate) word: &'q str,
    /// Can the one who asks give flags, or only the options with which a language server is started?
    pub(crate) has_flags: bool,
    /// Which files were looked at.
    pub(crate) is_seen: &'q dyn Fn(&str) -> bool,
}

impl Unseen<'_> {
    /// Why the answer may lack something.
    pub(crate) fn gaps(&self) -> Vec<String> {
        if self.project.origin == Origin::Guess {
            let path = show::path(self.document.path());
            return vec![format!(
                "nothing above `{path}` tells its project, so that only its folder was looked through; `--root DIR` \
                 names it"
            )];
        }
        let Listing { files, mut gaps } = list(&self.project.root, self.project.depth(), Sight::All);
        let names: HashSet<&[u8]> = files.iter().map(|path| last_name(path.as_bytes())).collect();
        let is_unseen = |path: &&String| !(self.is_seen)(&self.project.below(path.as_ref()));
        let unseen: Vec<&String> =
            files.iter().filter(is_unseen).filter(|path| self.uses(path, &names).is_some()).collect();
        if let Some(first) = unseen.first() {
            gaps.push(format!(
                "`{}` also stands in files that are hidden or ignored by version control, which were not looked \
                 through: {}{}",
                self.word,
                self.named(&unseen),
                self.way_to(first)
            ));
        }
        if self.project.origin == Origin::Folder {
            gaps.extend(self.around(&names));
        }
        gaps
    }

    /// The first files of a list, and how many there are besides.
    fn named(&self, paths: &[&String]) -> String {
        let named = paths.iter().take(NAMED);
        let named = named.map(|path| format!("`{}`", show::path(&self.project.below(path.as_ref()))));
        let more = match paths.len().saturating_sub(NAMED) {
            0 => String::new(),
            n => format!(" and {n} more"),
        };
        named.collect::<Vec<_>>().join(", ") + &more
    }

    /// What looks through the folder of a file too.
    fn way_to(&self, path: &str) -> String {
        let folder = Path::new(path).parent().unwrap_or(self.base);
        let folder = match folder.strip_prefix(self.base) {
            Ok(below) if below.as_os_str().is_empty() => ".".to_owned(),
            Ok(below) => written(below),
            Err(_) => written(folder),
        };
        let reader = self.document.reader();
        match reader.and_then(|reader| NameIndex::imports_any(reader, b"", &HashSet::new())) {
            Some(_) if !self.has_flags => "; the option `protoPath` names folders to look through".to_owned(),
            Some(_) => format!("; `--proto-path {}` looks there too", show::shell_word(&folder)),
            None => String::new(),
        }
    }

    /// Files around a project that use a file of it.
    fn around(&self, names: &HashSet<&[u8]>) -> Option<String> {
        let above = self.project.root.ancestors().skip(1).take(ABOVE);
        above.take_while(|folder| !is_shared(folder)).find_map(|folder| {
            let Listing { files, .. } = list_some(folder, Depth::All, Sight::Shown, MOST_ABOVE);
            let is_outside = |path: &&String| !Path::new(path.as_str()).starts_with(&self.project.root);
            // Only what is imported is sure to be of this project.
            let is_used = |path: &&String| self.uses(path, names) == Some(Seen::ByImport);
            let found = files.iter().filter(is_outside).find(is_used)?;
            Some(format!(
                "`{}` also stands in `{}`, around what was looked through; ask with `--root {}` and paths from there, \
                 or put a `buf.yaml` or a repository there",
                self.word,
                show::path(found),
                show::shell_word(&written(folder))
            ))
        })
    }

    /// How a file may use the word as it is meant; `None` when it does not have it, or imports none of the files with
    /// these names though it would have to.
    fn uses(&self, path: &str, names: &HashSet<&[u8]>) -> Option<Seen> {
        let reader = self.document.reader()?;
        let is_kin = Reader::for_file(path, b"").map(Reader::name) == Some(reader.name());
        if self.word.is_empty() || !is_kin {
            return None;
        }
        let file = DiskFile::read(path)?;
        let text = file.text.bytes();
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

/// How a file sees the names of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    /// It imports it.
    ByImport,
    /// All files of the language see each other's names.
    Everywhere,
}

/// Does a word stand in a text?
fn has_word(text: &[u8], word: &[u8]) -> bool {
    let is_part = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    memchr::memmem::find_iter(text, word).any(|at| {
        let before = at.checked_sub(1).and_then(|before| text.get(before));
        !is_part(before) && !is_part(text.get(at + word.len()))
    })
}

fn last_name(path: &[u8]) -> &[u8] {
    path.rsplit(|&byte| byte == b'/').next().unwrap_or(path)
}
