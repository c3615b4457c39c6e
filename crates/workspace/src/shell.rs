//! Words of commands that people paste into a shell.

use std::borrow::Cow;

/// Puts a word in quotes if a shell would interpret some of its characters.
pub fn shell_word(word: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_alphanumeric() || "_@%+=:,./-".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return Cow::Borrowed(word);
    }
    // Inside of single quotes only the single quote is special.
    Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
}
