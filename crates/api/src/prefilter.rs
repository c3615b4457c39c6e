//! What the bytes of a file must have before it is worth reading as code.

use globset::{GlobBuilder, GlobMatcher};
use memchr::memmem;

use crate::failure::Failure;

/// The words of a text.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// Whether bytes have a word in them, be it a part of a longer one.
pub(crate) fn has(bytes: &[u8], word: &str) -> bool {
    memmem::find(bytes, word.as_bytes()).is_some()
}

/// Whether bytes may match a find: they have the longest word of it.
pub(crate) fn may_match(bytes: &[u8], find: &str) -> bool {
    words(find).max_by_key(|word| word.len()).is_none_or(|word| has(bytes, word))
}

/// Whether a path is written as a pattern.
pub(crate) fn is_pattern(path: &str) -> bool {
    path.contains(['*', '?', '[', '{'])
}

/// The pattern that a path is.
pub(crate) fn pattern(path: &str) -> Result<GlobMatcher, Failure> {
    let glob = GlobBuilder::new(path.trim_start_matches("./")).literal_separator(true).build();
    glob.map(|glob| glob.compile_matcher()).map_err(|error| {
        Failure::invalid(
            format!("`{path}` is no pattern for paths: {}", error.kind()),
            "`*` stands for a part of a name, `**` for folders: `**/models.py`",
        )
    })
}
