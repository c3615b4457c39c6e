//! How is a text laid out anew without a change to its tokens?
//!
//! A formatter goes through the pieces of a text, which are its tokens and comments, and says what should be between
//! each piece and the one before: nothing, a space, or a line break. A [`Layout`] collects the replacements that make
//! the text follow these gaps.
//!
//! Invariants:
//! - Only blanks are replaced, and only by blanks. What is not blank stays as it is, byte by byte.
//! - New line breaks have the form of the first one in the text, `\n` or `\r\n`. A byte-order mark stays.
//! - A piece after a `//` comment always starts a new line, because on the same line it would become part of the
//!   comment.

use locant_text::Range;

const BYTE_ORDER_MARK: &[u8] = "\u{FEFF}".as_bytes();

/// The most spaces that a line is indented by. Without a limit, a deeply nested text would become many times as long.
const MOST_INDENTED: usize = 200;

/// What is between a piece and the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// Nothing.
    Tight,
    /// A space.
    Space,
    /// A line break.
    Line,
    /// A line break, and a blank line where the text has one or more.
    Lines,
}

/// A layout of a text, made from its start to its end.
#[derive(Debug)]
pub struct Layout<'t> {
    text: &'t [u8],
    line_break: &'static str,
    /// Where the last piece ends.
    end: usize,
    /// Whether the last piece was a comment that goes on to the end of its line.
    is_after_line_comment: bool,
    is_empty: bool,
    /// By how many spaces the current line is indented.
    indent: usize,
    replacements: Vec<(Range, String)>,
}

impl<'t> Layout<'t> {
    /// A layout of a text, before any piece is laid out.
    pub fn new(text: &'t [u8]) -> Layout<'t> {
        let first = text.iter().position(|&byte| byte == b'\n');
        let has_return = first.and_then(|at| at.checked_sub(1)).is_some_and(|at| text[at] == b'\r');
        Layout {
            text,
            line_break: if has_return { "\r\n" } else { "\n" },
            end: if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 },
            is_after_line_comment: false,
            is_empty: true,
            indent: 0,
            replacements: Vec::new(),
        }
    }

    /// By how many spaces the line of the last piece is indented.
    pub fn indent(&self) -> usize {
        self.indent
    }

    /// How many line breaks the text has between the last piece and a place.
    pub fn breaks_before(&self, start: usize) -> usize {
        self.blanks_before(start).iter().filter(|&&byte| byte == b'\n').count()
    }

    /// Whether the text has nothing between the last piece and a place.
    pub fn touches(&self, start: usize) -> bool {
        start <= self.end
    }

    /// Adds the next piece, which is a token. If it starts a line, the line is indented by `indent` spaces.
    pub fn token(&mut self, start: usize, end: usize, gap: Gap, indent: usize) {
        self.place(start, gap, indent);
        self.end = end;
    }

    /// Adds the next piece, which is a comment that starts with `//` or `/*`. A line break at its end does not belong
    /// to the piece. If the comment starts a line, the line is indented by `indent` spaces.
    pub fn comment(&mut self, start: usize, end: usize, gap: Gap, indent: usize) {
        let starts_line = self.place(start, gap, indent);
        let bytes = &self.text[start..end];
        let blank = bytes.iter().rev().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        self.is_after_line_comment = bytes.starts_with(b"//");
        self.end = if self.is_after_line_comment { end - blank } else { end };
        if starts_line && !self.is_after_line_comment {
            self.stars(start, indent.min(MOST_INDENTED));
        }
    }

    /// The replacements, sorted by place. The last line gets a line break.
    pub fn finish(mut self) -> Vec<(Range, String)> {
        let end = if self.is_empty { "" } else { self.line_break };
        self.replace(self.text.len(), end.to_owned());
        self.replacements
    }

    /// Writes the gap before a piece. Returns whether the piece starts a line.
    fn place(&mut self, start: usize, gap: Gap, indent: usize) -> bool {
        let indent = indent.min(MOST_INDENTED);
        let is_first = std::mem::take(&mut self.is_empty);
        let is_forced = std::mem::take(&mut self.is_after_line_comment);
        let gap = match gap {
            Gap::Tight | Gap::Space if is_forced => Gap::Line,
            gap => gap,
        };
        let n_lines = match gap {
            _ if is_first => 0,
            Gap::Tight | Gap::Space => 0,
            Gap::Line => 1,
            Gap::Lines => self.breaks_before(start).clamp(1, 2),
        };
        let starts_line = is_first || n_lines > 0;
        let blanks = match gap {
            _ if starts_line => {
                self.line_break.repeat(n_lines) + &" ".repeat(if is_first { 0 } else { indent })
            }
            Gap::Space => " ".to_owned(),
            _ => String::new(),
        };
        if starts_line {
            self.indent = if is_first { 0 } else { indent };
        }
        self.replace(start, blanks);
        starts_line
    }

    /// Aligns the lines of a block comment if each of them starts with a star: these stars are put below the first
    /// star. If a line starts with anything else, the comment stays as it is, because it may be a drawing.
    fn stars(&mut self, start: usize, indent: usize) {
        let inside = start..self.end;
        let breaks = inside.clone().filter(|&at| self.text[at] == b'\n');
        let lines: Vec<(usize, usize)> = breaks.map(|at| (at + 1, self.after_blanks(at + 1))).collect();
        if lines.iter().any(|&(_, star)| self.text.get(star) != Some(&b'*')) {
            return;
        }
        let end = self.end;
        for (line, star) in lines {
            self.end = line;
            self.replace(star, " ".repeat(indent + 1));
        }
        self.end = end;
    }

    fn after_blanks(&self, from: usize) -> usize {
        from + self.text[from..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
    }

    /// Replaces the text between the last piece and a place by `blanks`, if the old text is blank and differs.
    fn replace(&mut self, start: usize, blanks: String) {
        let old = self.blanks_before(start);
        if old != blanks.as_bytes() && old.iter().all(|byte| is_blank(*byte)) {
            self.replacements.push((Range::of_indices(self.end..start), blanks));
        }
    }

    fn blanks_before(&self, start: usize) -> &'t [u8] {
        &self.text[self.end.min(start)..start]
    }
}

/// The replacements for a part of a text: those in its lines.
pub fn within(text: &[u8], part: Range, replacements: Vec<(Range, String)>) -> Vec<(Range, String)> {
    let (start, end) = (part.start().index(), part.end().index());
    let line = text[..start].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    // If the part is whole lines, it ends where the next line starts. The next line does not belong to it.
    let last = if end > start && text[..end].ends_with(b"\n") { end - 1 } else { end };
    let after = text[last..].iter().position(|&byte| byte == b'\n').map_or(text.len(), |at| last + at);
    // The indentation of a line is replaced together with the line break in front of it.
    let is_in = |range: Range| (line..=after).contains(&range.end().index());
    replacements.into_iter().filter(|(range, _)| is_in(*range)).collect()
}

fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lays out the words of a text with these gaps, and shows the result.
    #[track_caller]
    fn check(text: &str, gaps: &[(Gap, usize)], expected: &str) {
        let mut layout = Layout::new(text.as_bytes());
        let mut at = 0;
        for (word, &(gap, indent)) in text.split_whitespace().zip(gaps) {
            let start = at + text[at..].find(word).expect("it is there");
            at = start + word.len();
            layout.token(start, at, gap, indent);
        }
        assert_eq!(applied(text, &layout.finish()), expected);
    }

    fn applied(text: &str, replacements: &[(Range, String)]) -> String {
        let mut new = text.to_owned();
        for (range, blanks) in replacements.iter().rev() {
            new.replace_range(range.start().index()..range.end().index(), blanks);
        }
        new
    }

    #[test]
    fn blanks_become_as_they_should_be() {
        use Gap::{Line, Lines, Space, Tight};
        check(
            " a  b\t,\n\n\n c\nd",
            &[(Line, 4), (Space, 0), (Tight, 0), (Lines, 2), (Line, 0)],
            "a b,\n\n  c\nd\n",
        );
        check("a\r\nb c", &[(Line, 0), (Line, 2), (Line, 2)], "a\r\n  b\r\n  c\r\n");
        check("", &[], "");
        check(" \n", &[], "");
    }

    #[test]
    fn nothing_follows_a_comment_on_its_line() {
        let text = "a // b  \r\nc";
        let mut layout = Layout::new(text.as_bytes());
        layout.token(0, 1, Gap::Space, 0);
        layout.comment(2, 10, Gap::Space, 0);
        layout.token(10, 11, Gap::Space, 4);
        assert_eq!(applied(text, &layout.finish()), "a // b  \r\n    c\r\n");
    }

    #[test]
    fn stars_stand_below_each_other() {
        for (text, expected) in
            [("/* a\n*b\n      */", "/* a\n *b\n */\n"), ("/* a\n  b\n*/", "/* a\n  b\n*/\n")]
        {
            let mut layout = Layout::new(text.as_bytes());
            layout.comment(0, text.len(), Gap::Line, 0);
            assert_eq!(applied(text, &layout.finish()), expected);
        }
    }

    #[test]
    fn a_part_gets_the_replacements_of_its_lines() {
        let text = "a  b\nc  d\ne  f\n";
        let mut layout = Layout::new(text.as_bytes());
        for (at, gap) in [(0, Gap::Line), (3, Gap::Space), (5, Gap::Line), (8, Gap::Space), (10, Gap::Line)] {
            layout.token(at, at + 1, gap, 2);
        }
        layout.token(13, 14, Gap::Space, 0);
        let replacements = layout.finish();
        let part = within(text.as_bytes(), Range::of_indices(6..7), replacements);
        assert_eq!(applied(text, &part), "a  b\n  c d\ne  f\n");
    }
}
