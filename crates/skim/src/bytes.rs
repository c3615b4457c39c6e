//! Small functions on the bytes of a text.

/// Whether a byte can be part of a word. All non-ASCII bytes can.
pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

/// The length of the word that the text starts with.
pub(crate) fn word(text: &[u8]) -> usize {
    text.iter().take_while(|&&byte| is_word(byte)).count()
}

/// Whether the text contains one of the words as a whole word, even inside a string or comment.
pub(crate) fn has_word(text: &[u8], words: &[&str]) -> bool {
    words.iter().any(|word| {
        let is_whole = |start: usize| {
            let end = start + word.len();
            let is_cut =
                start > 0 && is_word(text[start - 1]) || text.get(end).is_some_and(|&byte| is_word(byte));
            !is_cut
        };
        memchr::memmem::find_iter(text, word.as_bytes()).any(is_whole)
    })
}
