//! Searches the bytes of a file for words, to decide whether the file is worth parsing.

use memchr::memmem;

/// The words of a text.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// Whether the bytes contain a word, even as part of a longer one.
pub(crate) fn has(bytes: &[u8], word: &str) -> bool {
    memmem::find(bytes, word.as_bytes()).is_some()
}

/// Whether the bytes may match a find: they contain its longest word.
pub(crate) fn may_match(bytes: &[u8], find: &str) -> bool {
    words(find).max_by_key(|word| word.len()).is_none_or(|word| has(bytes, word))
}
