//! Words of commands that people paste into a shell.

use std::borrow::Cow;

/// A word of a command as shells read it: in quotes where they would take some of its characters for their own.
pub fn shell_word(word: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_alphanumeric() || "_@%+=:,./-".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return Cow::Borrowed(word);
    }
    // Nothing is special inside of single quotes but their end.
    Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
}
