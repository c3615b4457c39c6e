//! Files that may use a name and were not looked at: those that are hidden or that version control ignores, and, where
//! no repository tells the project, those around it.

use std::collections::HashSet;
use std::path::Path;

use locant_engine::{Document, Reader};

use crate::disk::{Depth, DiskFile, Listing, Sight, list, list_some, written};
use crate::project::{Origin, Project, is_shared};
use crate::show;

/// How many files a reason names.
const NAMED: usize = 3;

/// How many bytes an import statement has at most.
const MOST_IMPORT: usize = 4096;

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
            files.iter().filter(is_unseen).filter(|path| self.may_use(path, &names)).collect();
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
        match self.language() {
            Some("proto") => format!("; `--proto-path {}` looks there too", show::shell_word(&folder)),
            _ => String::new(),
        }
    }

    /// Files around a project that use a file of it.
    fn around(&self, names: &HashSet<&[u8]>) -> Option<String> {
        let above = self.project.root.ancestors().skip(1).take(ABOVE);
        above.take_while(|folder| !is_shared(folder)).find_map(|folder| {
            let Listing { files, .. } = list_some(folder, Depth::All, Sight::Shown, MOST_ABOVE);
            let is_outside = |path: &&String| !Path::new(path.as_str()).starts_with(&self.project.root);
            // Only names of .proto files are sure to be of this project: they are imported.
            let is_sure = self.language() == Some("proto");
            let found = files.iter().filter(|_| is_sure).filter(is_outside);
            let found = found.into_iter().find(|path| self.may_use(path, names))?;
            Some(format!(
                "`{}` also stands in `{}`, around what was looked through; ask with `--root {}` and paths from there, \
                 or put a `buf.yaml` or a repository there",
                self.word,
                show::path(found),
                show::shell_word(&written(folder))
            ))
        })
    }

    fn language(&self) -> Option<&'static str> {
        self.document.reader().map(Reader::name)
    }

    /// May a file use the word as it is meant? In .proto files that takes an import of a file with one of these names.
    fn may_use(&self, path: &str, names: &HashSet<&[u8]>) -> bool {
        let language = self.language();
        if self.word.is_empty() || Reader::for_file(path, b"").map(Reader::name) != language {
            return false;
        }
        DiskFile::read(path).is_some_and(|file| {
            let text = file.text.bytes();
            has_word(text, self.word.as_bytes()) && (language != Some("proto") || imports_any(text, names))
        })
    }
}

/// Does a word stand in a text?
fn has_word(text: &[u8], word: &[u8]) -> bool {
    let is_part = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    memchr::memmem::find_iter(text, word).any(|at| {
        let before = at.checked_sub(1).and_then(|before| text.get(before));
        !is_part(before) && !is_part(text.get(at + word.len()))
    })
}

/// Does a .proto file import one of the files with these names? Without that, it sees none of their declarations.
fn imports_any(text: &[u8], names: &HashSet<&[u8]>) -> bool {
    // A path is short, and the words between are few: a text full of `import` is not read again and again.
    let imports =
        memchr::memmem::find_iter(text, "import").map(|at| &text[at..text.len().min(at + MOST_IMPORT)]);
    let mut imported = imports.filter_map(|rest| {
        let start = rest.iter().position(|byte| b"\"'".contains(byte))? + 1;
        let len = rest[start..].iter().position(|byte| b"\"'".contains(byte))?;
        Some(last_name(&rest[start..start + len]))
    });
    imported.any(|name| names.contains(name))
}

fn last_name(path: &[u8]) -> &[u8] {
    path.rsplit(|&byte| byte == b'/').next().unwrap_or(path)
}
