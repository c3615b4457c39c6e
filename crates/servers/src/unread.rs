//! Files of a project that a server has not read, although they may use the name that is asked about.

use std::path::Path;

use locant_engine::Document;
use locant_workspace::sweep::{Sweep, sweep};
use locant_workspace::{Asked, Gap, Origin, has_word, written};
use serde_json::Value;

use crate::documents::uri_of;
use crate::entry::Entry;

/// The gap for a server that reads only some of the files below its root; `None` if it reads all.
pub(crate) fn all_of_root(entry: &Entry, root: &Path) -> Option<Gap> {
    let is_there = entry.reads_all_with.iter().any(|name| root.join(name).exists());
    if is_there || entry.reads_all_with.is_empty() {
        return None;
    }
    let names = entry.reads_all_with.join(" or ");
    let why = format!("`{}` has no {names}, so it reads only files that were asked about", written(root));
    Some(Gap::PartOfProject { server: entry.name.clone(), why })
}

/// The gap for a name that also occurs in files of the project outside of the server's root. Files that the answer
/// names do not count, because the server has read them.
pub(crate) fn outside_of_root(asked: &Asked<'_>, entry: &Entry, root: &Path, answer: &Value) -> Option<Gap> {
    let project = asked.scope.project;
    let Ok(below) = root.strip_prefix(&project.root) else { return None };
    let word = asked.word();
    let is_whole = below.as_os_str().is_empty() || project.origin == Origin::Guess;
    if is_whole || word.is_empty() || asked.scope.snapshot.is_closed() {
        return None;
    }
    let wants = |path: &str| {
        !Path::new(path).starts_with(below)
            && Document::new(path, "").is_ok_and(|document| entry.is_for(&document))
    };
    let swept = sweep(&Sweep { root: &project.root, wants: &wants }, |_, bytes| {
        has_word(bytes, word.as_bytes()).then_some(())
    });
    let answer = answer.to_string();
    let is_unread = |path: &&String| !answer.contains(&uri_of(&project.on_disk(path)));
    let unread: Vec<&String> = swept.found.iter().map(|(path, ())| path).filter(is_unread).collect();
    let first = unread.first()?;
    let more = match unread.len() - 1 {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    let why = format!(
        "it reads `{}`, because of its {}, and `{word}` also stands in `{first}`{more}",
        written(below),
        entry.root_markers.iter().find(|mark| root.join(mark).exists()).map_or("root", String::as_str),
    );
    Some(Gap::PartOfProject { server: entry.name.clone(), why })
}
