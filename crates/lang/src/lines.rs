//! The lines of a text and their indentation. They are used to read a text whose syntax is broken.

use locant_text::{Range, trimmed};

use crate::node::{Cursor, Node};
use crate::packed::{List, Word};

/// One line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    /// Where the first byte that is not a blank is.
    pub(crate) content: usize,
    /// Where the line ends, without trailing blanks and line break.
    pub(crate) end: usize,
    /// The width of the blanks before the content. A tab extends to the next multiple of eight.
    pub(crate) indent: usize,
}

const TAB: usize = 8;

impl Line {
    /// Whether the line has only blanks.
    pub(crate) fn is_blank(&self) -> bool {
        self.content == self.end
    }

    /// The bytes of the line, without blanks at both ends.
    pub(crate) fn text<'a>(&self, text: &'a [u8]) -> &'a [u8] {
        &text[self.content..self.end]
    }

    /// Whether the line says nothing about which blocks are open: a comment, directive, decorator, label, bracket, or
    /// the rest of a header (`= struct`).
    pub(crate) fn is_neutral(&self, text: &[u8]) -> bool {
        let line = self.text(text);
        let is_label = line.ends_with(b":") && line[..line.len() - 1].iter().all(u8::is_ascii_alphanumeric);
        let starts = [&b"{"[..], b"#", b"//", b"/*", b"*", b"@", b")", b"]", b"=", b"\"\"\"", b"'''"];
        // `else:` counts as a label too, and says just as little.
        is_label || starts.iter().any(|start| line.starts_with(start))
    }

    /// Whether the line starts with the comma before a list item. Then the list continues, whatever the indentation.
    pub(crate) fn is_next(&self, text: &[u8]) -> bool {
        self.text(text).starts_with(b",")
    }

    /// Splits a line that contains a block into pieces, each as a line of its own. A piece ends after a `{` or `;`
    /// (and after a comma, in a list), or before a `}`. The pieces are indented as if they were written below each
    /// other.
    pub(crate) fn pieces(&self, text: &[u8], is_list: bool) -> Vec<Line> {
        let mut pieces = Vec::new();
        let (mut start, mut indent) = (self.content, self.indent);
        let (mut n_brackets, mut is_quoted) = (0_usize, false);
        for at in self.content..self.end {
            let (end, next) = match text[at] {
                b'"' => {
                    is_quoted = !is_quoted;
                    continue;
                }
                _ if is_quoted => continue,
                b'(' | b'[' => {
                    n_brackets += 1;
                    continue;
                }
                b')' | b']' => {
                    n_brackets = n_brackets.saturating_sub(1);
                    continue;
                }
                b'{' => (at + 1, indent + 1),
                b';' if n_brackets == 0 => (at + 1, indent),
                b',' if n_brackets == 0 && is_list => (at + 1, indent),
                b'}' => (at, indent.saturating_sub(1).max(self.indent)),
                _ => continue,
            };
            pieces.extend(piece(text, start, end, indent));
            (start, indent) = (end, next);
        }
        pieces.extend(piece(text, start, self.end, indent));
        pieces
    }

    /// Splits a line that contains a list in parentheses into pieces, each as a line of its own. A piece ends after
    /// the `(`, after a comma, or before the `)`.
    pub(crate) fn listed(&self, text: &[u8]) -> Vec<Line> {
        let mut pieces = Vec::new();
        let (mut start, mut depth, mut quote) = (self.content, 0_usize, None);
        for at in self.content..self.end {
            let (end, indent) = match (text[at], quote) {
                (byte, Some(open)) => {
                    quote = (byte != open).then_some(open);
                    continue;
                }
                (byte @ (b'"' | b'\'' | b'`'), None) => {
                    quote = Some(byte);
                    continue;
                }
                (b'(', None) => {
                    depth += 1;
                    (at + 1, self.indent)
                }
                (b')', None) => {
                    depth = depth.saturating_sub(1);
                    (at, self.indent + 1)
                }
                (b',', None) => (at + 1, self.indent + 1),
                _ => continue,
            };
            let is_end = text[at] == b')' && depth == 0;
            if is_end || (depth == 1 && text[at] != b')') {
                pieces.extend(piece(text, start, end, indent));
                start = end;
            }
            if is_end {
                break;
            }
        }
        let is_open = depth > 0;
        pieces.extend(piece(text, start, self.end, self.indent + usize::from(is_open)));
        pieces
    }

    /// The comment after a closing bracket. It may name the block that the bracket closes: `}  // namespace a`.
    pub(crate) fn closed_name<'a>(&self, text: &'a [u8]) -> Option<&'a [u8]> {
        let rest = self.text(text).strip_prefix(b"}")?.trim_ascii_start();
        (rest.starts_with(b"//") || rest.starts_with(b"/*")).then_some(rest)
    }

    /// Whether the line closes a block.
    pub(crate) fn is_closer(&self, text: &[u8]) -> bool {
        let line = self.text(text);
        matches!(line.first(), Some(b'}' | b')' | b']')) || line == b"end" || line.starts_with(b"</")
    }
}

/// How deep the lines of a text are nested according to their indentation. Each bullet at the start of a line is one
/// more level.
pub(crate) fn depth(text: &[u8], bullets: &str) -> usize {
    let mut columns: Vec<usize> = Vec::new();
    let mut deepest = 0;
    for line in text.split(|byte| matches!(byte, b'\n' | b'\r')) {
        let n_front = front(line, bullets);
        let content = Some(n_front).filter(|&at| at < line.len());
        let levels = (0..n_front).filter(|&at| bullets.as_bytes().contains(&line[at]));
        for column in levels.chain(content) {
            columns.truncate(columns.partition_point(|&open| open < column));
            columns.push(column);
            deepest = deepest.max(columns.len());
        }
    }
    deepest
}

/// The length of the longest run of punctuation marks without a word between them. A mark that is repeated directly,
/// as in `=====`, counts once. Comment lines do not count.
pub(crate) fn marks_in_a_row(text: &[u8], line_comments: List<Word>) -> usize {
    let (mut row, mut longest) = (0, 0);
    for line in text.split(|byte| matches!(byte, b'\n' | b'\r')).map(<[u8]>::trim_ascii_start) {
        if line_comments.iter().any(|comment| line.starts_with(comment.as_bytes())) {
            continue;
        }
        let mut before = b' ';
        for &byte in line {
            match byte {
                b'_' => row = 0,
                mark if mark.is_ascii_punctuation() => row += usize::from(mark != before),
                blank if blank.is_ascii() && !blank.is_ascii_alphanumeric() => {}
                _ => row = 0,
            }
            longest = longest.max(row);
            before = byte;
        }
    }
    longest
}

/// How deep the elements of a text are nested, according to their tags.
pub(crate) fn tag_depth(text: &[u8]) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let mut is_opening = false;
    for at in memchr::memchr2_iter(b'<', b'>', text) {
        match (text[at], text.get(at + 1)) {
            (b'<', Some(b'/')) => (depth, is_opening) = (depth.saturating_sub(1), false),
            (b'<', Some(byte)) if !matches!(byte, b'!' | b'?') => (depth, is_opening) = (depth + 1, true),
            // `<a/>` has no closing tag.
            (b'>', _) if is_opening && text[..at].ends_with(b"/") => {
                (depth, is_opening) = (depth.saturating_sub(1), false);
            }
            _ => is_opening = false,
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// The lines of a text. Bullets at the start of a line count as blanks.
pub(crate) fn lines(text: &[u8], bullets: &'static str) -> impl Iterator<Item = Line> + Clone {
    let mut start = 0;
    std::iter::from_fn(move || {
        if start >= text.len() {
            return None;
        }
        let is_break = |byte: &u8| matches!(byte, b'\n' | b'\r');
        let length = text[start..].iter().position(is_break).unwrap_or(text.len() - start);
        let line = line(&text[..start + length], start, bullets);
        start += length + 1;
        Some(line)
    })
}

/// The line from `start` to the end of `text`.
fn line(text: &[u8], start: usize, bullets: &str) -> Line {
    let bytes = &text[start..];
    let front = front(bytes, bullets);
    let back = bytes[front..].iter().rev().take_while(|&&byte| is_blank(byte)).count();
    let width = |indent: usize, byte: &u8| if *byte == b'\t' { (indent / TAB + 1) * TAB } else { indent + 1 };
    let indent = bytes[..front].iter().fold(0, width);
    Line { content: start + front, end: text.len() - back, indent }
}

/// A part of a line, if it is not blank.
fn piece(text: &[u8], start: usize, end: usize, indent: usize) -> Option<Line> {
    let range = trimmed(text, start..end).indices();
    (!range.is_empty()).then_some(Line { content: range.start, end: range.end, indent })
}

/// The tokens that span several lines (strings and comments), in source order.
pub(crate) fn long_tokens(root: impl Node, text: &[u8]) -> Vec<Range> {
    let mut tokens = Vec::new();
    let mut cursor = root.walk();
    // The first line break at or after the start of the last node. The walk moves forward, so later nodes do not start
    // before that node.
    let mut next_break = 0;
    loop {
        let node = cursor.node();
        if next_break <= node.start_byte() {
            let rest = &text[node.start_byte()..];
            next_break = node.start_byte() + memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        }
        let is_long = next_break < node.end_byte();
        if is_long && cursor.goto_first_child() {
            continue;
        }
        if is_long && !node.is_error() {
            tokens.push(Range::of_indices(node.byte_range()));
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return tokens;
            }
        }
    }
}

/// The length of the blanks and bullets at the start of a line.
fn front(line: &[u8], bullets: &str) -> usize {
    let is_bullet = |at: usize| {
        bullets.as_bytes().contains(&line[at]) && line.get(at + 1).is_none_or(|&next| is_blank(next))
    };
    (0..line.len()).take_while(|&at| is_blank(line[at]) || is_bullet(at)).count()
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\x0c')
}

/// Whether the text contains this word, and not just as part of a longer word.
pub(crate) fn contains_word(text: &[u8], word: &[u8]) -> bool {
    let is_letter =
        |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    memchr::memmem::find_iter(text, word).any(|start| {
        let before = start.checked_sub(1).and_then(|before| text.get(before));
        !is_letter(before) && !is_letter(text.get(start + word.len()))
    })
}
