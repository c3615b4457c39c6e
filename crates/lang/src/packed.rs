//! Lists and words in the tables, stored without pointers.
//!
//! The program is loaded at a random address each time it starts, so the loader must adjust each pointer in its
//! tables. With 45 languages, that took a third of the time of a short command. So a list is stored as its start and
//! length in one slice of all items of its type, and a word as its start and length in one long text. A list can be
//! used like a slice, and a word like a string.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use crate::language::TEXT;

/// A type of list items. The build script writes all items of a type into one slice.
pub(crate) trait Kept: Sized + 'static {
    fn all() -> &'static [Self];
}

/// A list in the tables.
pub(crate) struct List<T> {
    start: u32,
    length: u32,
    of: PhantomData<T>,
}

impl<T> List<T> {
    pub(crate) const EMPTY: List<T> = List::new(0, 0);

    pub(crate) const fn new(start: u32, length: u32) -> List<T> {
        List { start, length, of: PhantomData }
    }
}

impl<T: Kept> List<T> {
    /// The items, as a static slice.
    pub(crate) fn get(self) -> &'static [T] {
        let start = self.start as usize;
        &T::all()[start..start + self.length as usize]
    }

    /// The list without its first `n_items` items.
    pub(crate) fn after(self, n_items: usize) -> List<T> {
        let n_items = u32::try_from(n_items).unwrap_or(u32::MAX).min(self.length);
        List::new(self.start + n_items, self.length - n_items)
    }
}

impl<T: Kept> Deref for List<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.get()
    }
}

impl<T> Clone for List<T> {
    fn clone(&self) -> List<T> {
        *self
    }
}

impl<T> Copy for List<T> {}

/// Two lists are equal if they are the same part of the slice of all items. Their items are not compared.
impl<T> PartialEq for List<T> {
    fn eq(&self, other: &List<T>) -> bool {
        (self.start, self.length) == (other.start, other.length)
    }
}

impl<T> Eq for List<T> {}

/// A word in the tables.
#[derive(Clone, Copy)]
pub(crate) struct Word {
    start: u32,
    length: u32,
}

impl Word {
    pub(crate) const fn new(start: u32, length: u32) -> Word {
        Word { start, length }
    }

    /// The word, as a static string.
    pub(crate) fn get(self) -> &'static str {
        let start = self.start as usize;
        &TEXT[start..start + self.length as usize]
    }

    /// The word as bytes. Unlike `get`, this needs no check for character boundaries, which matters because texts are
    /// compared with words at every place.
    pub(crate) fn as_bytes(self) -> &'static [u8] {
        let start = self.start as usize;
        &TEXT.as_bytes()[start..start + self.length as usize]
    }

    /// Whether the text is this word. With `any_case`, letter case does not matter.
    pub(crate) fn is(self, text: &[u8], any_case: bool) -> bool {
        // Most words differ in length, so their bytes need not be compared.
        let is_as_long = self.len() == text.len();
        is_as_long && (self.as_bytes() == text || any_case && self.as_bytes().eq_ignore_ascii_case(text))
    }

    pub(crate) fn len(self) -> usize {
        self.length as usize
    }

    pub(crate) fn is_empty(self) -> bool {
        self.length == 0
    }
}

impl Deref for Word {
    type Target = str;

    fn deref(&self) -> &str {
        self.get()
    }
}

impl AsRef<str> for Word {
    fn as_ref(&self) -> &str {
        self.get()
    }
}

impl PartialEq for Word {
    fn eq(&self, other: &Word) -> bool {
        self.get() == other.get()
    }
}

impl Eq for Word {}

impl fmt::Debug for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}
