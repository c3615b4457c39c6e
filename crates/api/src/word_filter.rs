//! Words that the bytes of a file must have before it is worth reading as code.

use memchr::memmem;

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
