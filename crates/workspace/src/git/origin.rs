//! Finds the revision in which a file had a certain text.

use super::blobs::Blobs;
use super::file_at_revision::FileAtRevision;
use crate::path::Base;

/// How many versions of a file are read, newest first.
const N_VERSIONS: &str = "-100";

/// The latest revision in which the file had a text that `is_known` accepts: either `HEAD`, or the parent of the commit
/// that changed that text, such as `1a2b3c^`. `None` when no version is accepted, or there is no history.
pub fn commit_with(path: &str, base: &Base, is_known: impl Fn(&[u8]) -> bool) -> Option<String> {
    let file = FileAtRevision::new("HEAD", path, base).ok()?;
    // For each commit, git prints a line with its id and a line `:MODE MODE OLD NEW STATUS`. `NEW` is the id of the
    // text after the commit.
    let log = ["log", N_VERSIONS, "--format=%H", "--raw", "--no-abbrev", "--no-renames"];
    let said = file.ask(&[&log[..], &[&file.rev, "--", &file.names.from_top]].concat()).ok()?;
    let mut blobs = Blobs::new(&file.top).ok()?;
    let (mut commit, mut last) = (None, "HEAD".to_owned());
    for line in said.lines().filter(|line| !line.is_empty()) {
        locant_stop::check();
        let Some(change) = line.strip_prefix(':') else {
            commit = Some(line);
            continue;
        };
        let blob = change.split(' ').nth(3).filter(|blob| blob.bytes().any(|digit| digit != b'0'));
        if blob.and_then(|blob| blobs.read(blob).ok()).is_some_and(|text| is_known(&text)) {
            return Some(last);
        }
        last = commit.map(|commit| format!("{commit}^"))?;
    }
    None
}
