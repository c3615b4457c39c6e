//! The lines of a text as an edit sees them: their blanks, indentations and line breaks.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeMap;

use locant_text::{Offset, Range, Text};

/// How many lines are read to find out how the file indents.
const MOST_LINES: u32 = 500;

/// How many characters one level of indentation has in a file without indented lines.
const DEFAULT_UNIT: usize = 4;

/// How a file indents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Style {
    /// How many characters one level of indentation has.
    pub(super) unit: usize,
    pub(super) signs: Signs,
}

/// The characters that lines are indented with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signs {
    Tabs,
    Spaces,
    /// Some lines with tabs and some with spaces, or no line at all.
    Both,
}

/// The lines of a text.
pub(super) struct Layout<'t> {
    pub(super) text: &'t Text,
}

impl<'t> Layout<'t> {
    pub(super) fn new(text: &'t Text) -> Layout<'t> {
        Layout { text }
    }

    /// A line without its line break; empty when there is no such line.
    pub(super) fn content(&self, line: u32) -> Range {
        self.text.line_content(line).unwrap_or(Range::empty(self.text.end()))
    }

    /// Where a line starts.
    pub(super) fn start(&self, line: u32) -> Offset {
        self.content(line).start()
    }

    /// The place after a line and its line break.
    pub(super) fn end(&self, line: u32) -> Offset {
        self.text.line_with_break(line).map_or(self.text.end(), |line| line.end())
    }

    pub(super) fn bytes(&self, range: Range) -> &'t [u8] {
        self.text.slice(range)
    }

    /// Whether there is a line break at the end of a line.
    pub(super) fn has_break(&self, line: u32) -> bool {
        self.content(line).end() < self.end(line)
    }

    pub(super) fn is_blank(&self, line: u32) -> bool {
        is_blank(self.bytes(self.content(line)))
    }

    /// The blanks at the start of a line.
    pub(super) fn indent(&self, line: u32) -> Cow<'t, str> {
        let content = self.bytes(self.content(line));
        String::from_utf8_lossy(&content[..n_blanks(content)])
    }

    /// The nearest line above that is not blank.
    pub(super) fn above(&self, line: u32) -> Option<u32> {
        (1..line).rev().find(|line| !self.is_blank(*line))
    }

    /// The nearest line below that is not blank.
    pub(super) fn below(&self, line: u32) -> Option<u32> {
        (line + 1..=self.text.n_lines()).find(|line| !self.is_blank(*line))
    }

    /// The line break that is used around a line.
    pub(super) fn line_break(&self, line: u32) -> &'static str {
        let near = [line, line.saturating_sub(1).max(1), 1];
        let found = near.into_iter().find(|line| self.has_break(*line));
        let found = found.map(|line| self.bytes(Range::new(self.content(line).end(), self.end(line))));
        match found {
            Some(b"\r\n") => "\r\n",
            Some(b"\r") => "\r",
            _ => "\n",
        }
    }

    /// A text with the line breaks that are used around a place. If these are line feeds, the text stays as it is.
    pub(super) fn with_breaks(&self, text: &str, place: Offset) -> String {
        match self.line_break(self.text.line_of(place)) {
            "\n" => text.to_owned(),
            other => lines_of(text, true).join(other),
        }
    }

    /// How the file indents.
    pub(super) fn style(&self) -> Style {
        let (mut n_tabs, mut n_spaces, mut above) = (0, 0, 0);
        // How often a line is deeper than the one above by this many characters.
        let mut steps: BTreeMap<usize, usize> = BTreeMap::new();
        for line in 1..=self.text.n_lines().min(MOST_LINES) {
            let content = self.bytes(self.content(line));
            // The lines of a comment often start one blank deeper, with a star.
            if is_blank(content) || content.trim_ascii_start().starts_with(b"*") {
                continue;
            }
            let depth = n_blanks(content);
            if depth > above {
                *steps.entry(depth - above).or_default() += 1;
            }
            above = depth;
            match content.first() {
                Some(b'\t') => n_tabs += 1,
                Some(b' ') => n_spaces += 1,
                _ => {}
            }
        }
        let usual = steps.into_iter().max_by_key(|(step, n)| (*n, Reverse(*step)));
        let unit = usual.map_or(DEFAULT_UNIT, |(step, _)| step);
        Style {
            unit,
            signs: match (n_tabs, n_spaces) {
                (0, 1..) => Signs::Spaces,
                (1.., 0) => Signs::Tabs,
                _ => Signs::Both,
            },
        }
    }

    /// Whether everything on the line before a place is blank.
    pub(super) fn starts_line(&self, place: Offset) -> bool {
        is_blank(self.bytes(Range::new(self.start(self.text.line_of(place)), place)))
    }

    /// What follows a place on its line.
    pub(super) fn rest(&self, place: Offset) -> Range {
        Range::new(place, self.content(self.text.line_of(place)).end().max(place))
    }
}

/// How many blanks a line starts with.
pub(super) fn n_blanks(line: &[u8]) -> usize {
    line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

pub(super) fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(u8::is_ascii_whitespace)
}

/// Whether the bytes are blank or look like a comment: they start with one of the marks that most languages use.
pub(super) fn is_comment(bytes: &[u8]) -> bool {
    let bytes = bytes.trim_ascii();
    let is_block = bytes.starts_with(b"/*") && bytes.ends_with(b"*/");
    bytes.is_empty() || is_block || [&b"//"[..], b"#", b"--"].iter().any(|sign| bytes.starts_with(sign))
}

/// The lines of a text. If the text ends with a line break, `with_last` says whether an empty line follows it.
pub(super) fn lines_of(text: &str, with_last: bool) -> Vec<&str> {
    let mut lines: Vec<&str> = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
    // No line feed follows the last part, so a `\r` at its end is not part of a line break and is kept.
    if let Some(last) = lines.last_mut() {
        *last = text.rsplit('\n').next().unwrap_or_default();
    }
    if !with_last && lines.last().is_some_and(|last| last.is_empty()) {
        lines.pop();
    }
    lines
}
