//! Places as people and protocols write them: a line and a character, where the encoding says what a character counts.

use std::fmt;

/// A place written as line and character, both counted from 1.
///
/// An [`Encoding`] says what one character is. The position does not carry its encoding, so do not compare the
/// characters of positions in different encodings.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// One more than the number of units before the place in its line.
    pub character: u32,
}

/// What `character` counts in a [`Position`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Encoding {
    /// Bytes of UTF-8.
    Utf8,
    /// Units of UTF-16: a character beyond U+FFFF counts as two. The default of the language server protocol.
    #[default]
    Utf16,
    /// Code points.
    Utf32,
}

impl Encoding {
    /// The name of this encoding in protocols and options: `utf-8`, `utf-16` or `utf-32`.
    pub const fn word(self) -> &'static str {
        match self {
            Encoding::Utf8 => "utf-8",
            Encoding::Utf16 => "utf-16",
            Encoding::Utf32 => "utf-32",
        }
    }

    /// The encoding with the name `word`.
    pub fn of_word(word: &str) -> Option<Encoding> {
        [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32]
            .into_iter()
            .find(|encoding| encoding.word() == word)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.character)
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
