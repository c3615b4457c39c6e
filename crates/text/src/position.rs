//! Places as people and protocols write them: a line, and a character counted in the unit of an encoding.

use std::fmt;

/// A place written as line and character, both counted from 1.
///
/// What one character is depends on an [`Encoding`], which the position does not carry: do not compare the
/// characters of positions that were counted differently.
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
    /// Units of UTF-16, in which a character beyond U+FFFF is two. The default of the language server protocol.
    #[default]
    Utf16,
    /// Code points.
    Utf32,
}

impl Encoding {
    /// The name by which protocols and options know it: `utf-8`, `utf-16` or `utf-32`.
    pub const fn word(self) -> &'static str {
        match self {
            Encoding::Utf8 => "utf-8",
            Encoding::Utf16 => "utf-16",
            Encoding::Utf32 => "utf-32",
        }
    }

    /// The encoding that is called `word`.
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
