//! The bytes of a file, and indexes of them that are computed on first use.

use crate::checkpoints::Checkpoints;
use crate::{LineIndex, Offset, Range};
use std::borrow::Cow;
use std::sync::OnceLock;
use std::{error, fmt};

/// A text is binary if it has a NUL within this many bytes of its start.
const BINARY_WITHIN: usize = 8 * 1024;

/// The byte-order mark in UTF-8.
const MARK: &[u8] = "\u{FEFF}".as_bytes();

/// The bytes of a file as they are on disk. The index of lines and other indexes are computed on first use.
#[derive(Clone)]
pub struct Text {
    /// Invariant: fewer than `u32::MAX` bytes.
    bytes: Vec<u8>,
    lines: OnceLock<LineIndex>,
    first_bad: OnceLock<Option<Offset>>,
    checkpoints: OnceLock<Checkpoints>,
}

/// What kind of bytes a text has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Nature {
    /// Text in UTF-8.
    Utf8,
    /// Text, but not all of it is UTF-8.
    NotUtf8 {
        /// Where the first part that is not UTF-8 starts.
        first_bad: Offset,
    },
    /// Not text: there is a NUL in the first 8 KB.
    Binary,
}

/// The error for more bytes than a text can hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

impl Text {
    /// The text with these bytes.
    ///
    /// A text holds fewer than `u32::MAX` bytes, so that line and character numbers, which start at 1, fit in `u32`.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Result<Text, TooLarge> {
        let bytes = bytes.into();
        match u32::try_from(bytes.len()) {
            Ok(len) if len < u32::MAX => Ok(Text {
                bytes,
                lines: OnceLock::new(),
                first_bad: OnceLock::new(),
                checkpoints: OnceLock::new(),
            }),
            _ => Err(TooLarge),
        }
    }

    /// All bytes, including a byte-order mark.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The first position. It is after the byte-order mark, if there is one.
    pub fn start(&self) -> Offset {
        Offset::of_index(if self.bytes.starts_with(MARK) { MARK.len() } else { 0 })
    }

    /// The last position.
    pub fn end(&self) -> Offset {
        Offset::of_index(self.bytes.len())
    }

    /// The range of the whole text, without a byte-order mark.
    pub fn range(&self) -> Range {
        Range::new(self.start(), self.end())
    }

    /// The bytes of a range.
    ///
    /// # Panics
    /// When the range reaches past the end of this text.
    pub fn slice(&self, range: Range) -> &[u8] {
        &self.bytes[range.indices()]
    }

    /// A range as a string, with U+FFFD for each part that is not UTF-8.
    ///
    /// # Panics
    /// When the range reaches past the end of this text.
    pub fn lossy(&self, range: Range) -> Cow<'_, str> {
        String::from_utf8_lossy(self.slice(range))
    }

    /// Whether the text is all UTF-8, only partly UTF-8, or binary.
    pub fn nature(&self) -> Nature {
        let head = &self.bytes[..self.bytes.len().min(BINARY_WITHIN)];
        match self.first_bad() {
            _ if head.contains(&0) => Nature::Binary,
            Some(first_bad) => Nature::NotUtf8 { first_bad },
            None => Nature::Utf8,
        }
    }

    /// Where the lines are, found on first use.
    pub fn lines(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(&self.bytes, self.start().index()))
    }

    /// How many lines there are. After a final line break there is one more, empty line. An empty text has one line.
    pub fn n_lines(&self) -> u32 {
        self.lines().n_breaks() + 1
    }

    /// The number of the line that a place is in, counted from 1. A line break belongs to the line that it ends. An
    /// offset past the end of the text is in the last line.
    pub fn line_of(&self, offset: Offset) -> u32 {
        self.lines().line_at(offset.min(self.end()).index()) + 1
    }

    /// Where a line starts. Lines are counted from 1, and the first line starts after a byte-order mark.
    pub fn line_start(&self, line: u32) -> Option<Offset> {
        self.lines().start_of_line(line.checked_sub(1)?).map(Offset::of_index)
    }

    /// A line without its line break.
    pub fn line_content(&self, line: u32) -> Option<Range> {
        let start = self.line_start(line)?;
        Some(Range::new(start, Offset::of_index(self.content_end(start.index()))))
    }

    /// A line with its line break. The last line has no line break.
    pub fn line_with_break(&self, line: u32) -> Option<Range> {
        let start = self.line_start(line)?;
        let end = self.lines().next_break(start.index()).map_or(self.bytes.len(), |last| last + 1);
        Some(Range::new(start, Offset::of_index(end)))
    }

    /// Where the content of the line that starts at `start` ends.
    pub(crate) fn content_end(&self, start: usize) -> usize {
        match self.lines().next_break(start) {
            // A `\r` right before the last byte of a line break belongs to that break, which is then `\r\n`.
            Some(last) if self.bytes[start..last].ends_with(b"\r") => last - 1,
            Some(last) => last,
            None => self.bytes.len(),
        }
    }

    /// The checkpoints for columns in long lines, counted on first use.
    pub(crate) fn checkpoints(&self) -> &Checkpoints {
        self.checkpoints.get_or_init(|| Checkpoints::new(self))
    }

    /// Where the first part that is not UTF-8 starts, found on first use.
    pub(crate) fn first_bad(&self) -> Option<Offset> {
        *self.first_bad.get_or_init(|| {
            let mut runs = self.lines().non_ascii_runs(0..self.bytes.len());
            runs.find_map(|run| {
                let error = std::str::from_utf8(&self.bytes[run.clone()]).err()?;
                Some(Offset::of_index(run.start + error.valid_up_to()))
            })
        })
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Text({} bytes)", self.bytes.len())
    }
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the text is too large: it must be smaller than 4 GB")
    }
}

impl error::Error for TooLarge {}
