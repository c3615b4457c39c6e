//! Finds the texts in broken source: heredocs, docstrings, and strings that span several lines. Their opening and
//! closing marks show where they are even if the tree does not. Nothing is declared inside them.

use std::cell::Cell;
use std::collections::HashMap;

use locant_text::Range;

use crate::bytes::line_start;
use crate::bytes::string;
use crate::packed::Word;
use crate::ranges::apart;
use crate::table::Words;

/// The texts of a source, in source order. A text between marks counts only if it is closed. Its range starts with the
/// opening mark, or at the end of the line that opens the text, and ends with the closing mark.
pub(crate) fn texts(source: &[u8], words: &Words, comments: &[Range]) -> Vec<Range> {
    let fences: Vec<Fence> = words.texts.iter().filter_map(|text| Fence::of(text.get())).collect();
    if fences.is_empty() {
        return Vec::new();
    }
    let mut scanner = Scanner {
        source,
        words,
        comments,
        unclosed: vec![false; fences.len()],
        doubtful: vec![Vec::new(); fences.len()],
        fences,
        texts: Vec::new(),
        heredocs: Vec::new(),
        last_lines: None,
        is_front: true,
        line: Cell::new((0, 0)),
    };
    let mut at = 0;
    while at < source.len() {
        at = scanner.step(at);
    }
    let mut texts = scanner.texts;
    texts.extend(scanner.doubtful.into_iter().flatten());
    apart(texts)
}

/// The opening and closing marks of a kind of text.
#[derive(Clone, Copy)]
enum Fence {
    /// `[[` and `]]`. With `at_line`, the closing mark counts only at the start of a line.
    Marks { open: &'static str, close: &'static str, at_line: bool },
    /// `<<EOF`, up to a line `EOF`. With `has_blanks`, blanks are allowed before the word.
    Heredoc { open: &'static str, has_blanks: bool },
    /// From a line that starts with `open` to a line that starts with `close`. If a second text opens before the first
    /// is closed, the first does not count.
    Lines { open: &'static str, close: &'static str },
    /// A line that ends the code. Everything after it is a text.
    Rest { open: &'static str },
}

impl Fence {
    /// Reads a fence as it is written in the rule file. `None` for an opening mark alone: indentation shows where its
    /// text ends.
    fn of(text: &'static str) -> Option<Fence> {
        let (open, close) = text.split_once(' ')?;
        let is_word = open.bytes().all(|byte| byte.is_ascii_alphabetic());
        Some(match (open.strip_suffix("{word}"), close.strip_prefix("{line}")) {
            (Some(open), _) => {
                let bare = open.strip_suffix("{blanks}");
                Fence::Heredoc { open: bare.unwrap_or(open), has_blanks: bare.is_some() }
            }
            (None, Some(close)) => Fence::Marks { open, close, at_line: true },
            (None, None) if close == "{end}" => Fence::Rest { open },
            (None, None) if is_word => Fence::Lines { open, close },
            (None, None) => Fence::Marks { open, close, at_line: false },
        })
    }
}

struct Scanner<'a> {
    source: &'a [u8],
    words: &'a Words,
    comments: &'a [Range],
    fences: Vec<Fence>,
    /// For each fence, whether no more closing marks follow.
    unclosed: Vec<bool>,
    texts: Vec<Range>,
    /// For each fence whose two marks are equal: the texts found since the last certain one. If one mark is left over
    /// in the end, and it can be a closing mark, then the marks were paired wrongly. These ranges are then the code
    /// between the texts.
    doubtful: Vec<Vec<Range>>,
    /// Whether there are only blanks between the start of the line and the current place.
    is_front: bool,
    /// The words of the heredocs that open on the current line, and their fences.
    heredocs: Vec<(&'a [u8], usize)>,
    /// For each word, the ends of the lines that start with it and could close a heredoc. Built at the first heredoc.
    last_lines: Option<HashMap<&'a [u8], Vec<usize>>>,
    /// A place and the end of its line. The end is remembered, because a line may be as long as the source and have
    /// many strings. To search for the end of the line at each string would take too long.
    line: Cell<(usize, usize)>,
}

impl<'a> Scanner<'a> {
    /// Reads the token at a place that is not inside a text. Returns the place after it.
    fn step(&mut self, at: usize) -> usize {
        let starts_line = self.is_front;
        self.is_front &= self.source[at].is_ascii_whitespace();
        if let Some(end) = self.comment(at) {
            return end;
        }
        for fence in 0..self.fences.len() {
            if let Some(next) = self.open(fence, at, starts_line) {
                return next;
            }
        }
        let is_in_word = || at > 0 && self.source[at - 1].is_ascii_alphanumeric();
        match self.source[at] {
            b'\n' => {
                self.is_front = true;
                self.below(at + 1)
            }
            b'\\' => at + 2,
            b'\'' if is_in_word() => at + 1,
            quote @ (b'"' | b'\'') => {
                let line = &self.source[at..self.line_end(at)];
                let length = string(line, quote);
                let is_closed = 1 < length && line[..length].ends_with(&[quote]);
                at + if is_closed { length } else { 1 }
            }
            _ => at + 1,
        }
    }

    /// The end of the comment that starts at a place, or `None` if there is no comment.
    fn comment(&self, at: usize) -> Option<usize> {
        let next = self.comments.partition_point(|comment| comment.end().index() <= at);
        let comment = self.comments.get(next).filter(|comment| comment.start().index() == at);
        let is_apart = at == 0 || self.source[at - 1].is_ascii_whitespace();
        let opens = |mark: &Word| self.source[at..].starts_with(mark.as_bytes());
        let is_line = || is_apart && self.words.line_comments.iter().any(opens);
        comment.map(|comment| comment.end().index()).or_else(|| is_line().then(|| self.line_end(at)))
    }

    /// Opens a text if there is an opening mark at this place. Returns where to continue.
    fn open(&mut self, fence: usize, at: usize, starts_line: bool) -> Option<usize> {
        let here = &self.source[at..];
        match self.fences[fence] {
            Fence::Marks { open, close, at_line } => {
                let is_open = here.starts_with(open.as_bytes()) && !self.unclosed[fence];
                is_open.then(|| self.marked(fence, at, (open, close), at_line))
            }
            Fence::Heredoc { open, has_blanks } => {
                let is_more = at > 0 && self.source[at - 1] == open.as_bytes()[0];
                let rest = here.strip_prefix(open.as_bytes()).filter(|_| !is_more)?;
                let (word, length) = heredoc(rest, has_blanks)?;
                self.heredocs.push((word, fence));
                Some(at + open.len() + length)
            }
            Fence::Lines { open, close } => {
                let is_open = starts_line && first_word(here) == open.as_bytes();
                let end = is_open.then(|| self.closing_line(at, open, close))??;
                self.add(fence, self.line_end(at)..end, true);
                Some(end)
            }
            Fence::Rest { open } => {
                let is_line = || self.source[at..self.line_end(at)].trim_ascii_end() == open.as_bytes();
                (starts_line && here.starts_with(open.as_bytes()) && is_line()).then(|| {
                    self.add(fence, at..self.source.len(), true);
                    self.source.len()
                })
            }
        }
    }

    /// Reads a text between marks, from its opening mark on. Returns where to continue.
    fn marked(&mut self, fence: usize, at: usize, (open, close): (&str, &str), at_line: bool) -> usize {
        let start = at + open.len();
        let is_same = open == close;
        let closes = |&end: &usize| {
            !self.source[start..end].ends_with(b"\\") && (!at_line || self.front(end).trim_ascii().is_empty())
        };
        let found = memchr::memmem::find_iter(&self.source[start..], close.as_bytes())
            .map(|end| start + end)
            .find(closes);
        let is_long = |end: usize| memchr::memchr(b'\n', &self.source[at..end]).is_some();
        let is_sure = !is_same || self.surely_opens(at, open.len());
        match found {
            // The mark that was found can only open a text. So it does not close this text, and this text is not
            // closed.
            Some(end) if is_same && is_long(end) && self.surely_opens(end, open.len()) => {
                self.decide(fence, is_sure);
                end
            }
            Some(end) => {
                self.add(fence, at..end + close.len(), is_sure);
                end + close.len()
            }
            None => {
                self.unclosed[fence] = true;
                self.decide(fence, is_sure);
                start
            }
        }
    }

    /// Whether a mark that may open or close a text can only open one here: in `x = """`, in `@doc """`, or in
    /// `"""About x` at the start of a line.
    fn surely_opens(&self, at: usize, length: usize) -> bool {
        let front = self.front(at).trim_ascii();
        let n_prefix =
            front.iter().rev().take_while(|byte| byte.is_ascii_alphabetic() || **byte == b'~').count();
        let before = front[..front.len() - n_prefix].trim_ascii_end();
        let is_attribute = front.first() == Some(&b'@') && n_prefix + 1 >= front.len();
        match before.last() {
            None => n_prefix <= 2 && self.source.get(at + length).is_some_and(u8::is_ascii_alphanumeric),
            Some(last) => is_attribute || b"=([{,".contains(last) && n_prefix <= 2,
        }
    }

    /// The place after the heredocs that were opened on the previous line.
    fn below(&mut self, start: usize) -> usize {
        let mut at = start;
        for (word, fence) in std::mem::take(&mut self.heredocs) {
            if let Some(end) = self.last_line(word, at) {
                self.add(fence, at - 1..end, true);
                at = (end + 1).min(self.source.len());
            }
        }
        at
    }

    /// The end of the next line after `at` that closes the heredoc with this word.
    fn last_line(&mut self, word: &[u8], at: usize) -> Option<usize> {
        let source = self.source;
        let last_lines = self.last_lines.get_or_insert_with(|| last_lines(source));
        let ends = last_lines.get(word)?;
        ends.get(ends.partition_point(|&end| end <= at)).copied()
    }

    /// The end of the line that closes the text opened by the line at `at`. `None` if there is none, or if another
    /// text opens first.
    fn closing_line(&self, at: usize, open: &str, close: &str) -> Option<usize> {
        let mut start = self.line_end(at) + 1;
        while start < self.source.len() {
            let word = first_word(self.source[start..].trim_ascii_start());
            if word == close.as_bytes() {
                return Some(self.line_end(start));
            } else if word == open.as_bytes() {
                return None;
            }
            start = self.line_end(start) + 1;
        }
        None
    }

    /// Keeps the doubtful texts found so far if `are_texts`, otherwise drops them.
    fn decide(&mut self, fence: usize, are_texts: bool) {
        let doubtful = std::mem::take(&mut self.doubtful[fence]);
        self.texts.extend(doubtful.into_iter().filter(|_| are_texts));
    }

    /// Adds a text. `is_sure` means that its opening mark cannot be the closing mark of another text.
    fn add(&mut self, fence: usize, range: std::ops::Range<usize>, is_sure: bool) {
        if is_sure {
            self.decide(fence, true);
        }
        let texts = if is_sure { &mut self.texts } else { &mut self.doubtful[fence] };
        texts.push(Range::of_indices(range));
    }

    /// The line up to `at`, but at most its last 100 bytes, because lines can be very long.
    fn front(&self, at: usize) -> &'a [u8] {
        let near = &self.source[at.saturating_sub(100)..at];
        &near[line_start(near, near.len())..]
    }

    fn line_end(&self, at: usize) -> usize {
        let (start, end) = self.line.get();
        if start < at && at <= end {
            return end;
        }
        let end = memchr::memchr(b'\n', &self.source[at..]).map_or(self.source.len(), |length| at + length);
        self.line.set((at, end));
        end
    }
}

/// The word of a heredoc and how many bytes it takes, with its quotes. `rest` is the text after the opening mark.
fn heredoc(rest: &[u8], has_blanks: bool) -> Option<(&[u8], usize)> {
    let mark = rest.iter().take_while(|byte| matches!(byte, b'-' | b'~')).count().min(1);
    let n_blanks = rest[mark..].iter().take_while(|byte| has_blanks && matches!(byte, b' ' | b'\t')).count();
    let quote = rest.get(mark + n_blanks).filter(|byte| matches!(byte, b'"' | b'\'' | b'`' | b'\\'));
    let start = mark + n_blanks + usize::from(quote.is_some());
    let word = first_word(&rest[start..]);
    let first = word.first().filter(|first| !first.is_ascii_digit())?;
    // `class <<self` is not a heredoc.
    let is_heredoc = mark > 0 || has_blanks || quote.is_some() || first.is_ascii_uppercase();
    let is_closed = quote.is_none_or(|quote| *quote == b'\\' || rest.get(start + word.len()) == Some(quote));
    let length = start + word.len() + usize::from(quote.is_some_and(|quote| *quote != b'\\'));
    (is_heredoc && is_closed).then_some((word, length))
}

/// The ends of the lines that could close a heredoc, by the word they start with.
fn last_lines(source: &[u8]) -> HashMap<&[u8], Vec<usize>> {
    let mut lines: HashMap<&[u8], Vec<usize>> = HashMap::new();
    let mut start = 0;
    for line in source.split(|byte| *byte == b'\n') {
        let content = line.trim_ascii();
        let word = first_word(content);
        let is_last = content[word.len()..].first().is_none_or(|next| b";,)]".contains(next));
        if is_last && !word.is_empty() {
            lines.entry(word).or_default().push(start + line.len());
        }
        start += line.len() + 1;
    }
    lines
}

fn first_word(text: &[u8]) -> &[u8] {
    let is_letter = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_' || !byte.is_ascii();
    &text[..text.iter().take_while(is_letter).count()]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks a source in which every byte inside a text is shown as `.`.
    #[track_caller]
    fn check(language: &str, source: &str, expected: &str) {
        let words = &crate::by_name(language).expect("it is a language").tables.words;
        let mut seen = source.as_bytes().to_vec();
        for text in texts(source.as_bytes(), words, &[]) {
            seen[text.indices()].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b'.');
        }
        assert_eq!(String::from_utf8_lossy(&seen), expected);
    }

    #[test]
    fn texts_between_marks() {
        check("lua", "a [[\nb\n]] c", "a ..\n.\n.. c");
        check("lua", "a \"[[\" -- [[\nb ]] c", "a \"[[\" -- [[\nb ]] c");
        check("powershell", "a @\"\nb \"@\n\"@ c", "a ..\n....\n.. c");
    }

    #[test]
    fn heredocs() {
        check("bash", "a << 'E' <<F b\nc\nE\nd\nF\ng", "a << 'E' <<F b\n.\n.\n.\n.\ng");
        check("bash", "a <<< E\nb\nE\n", "a <<< E\nb\nE\n");
        check("ruby", "class <<self\n  self\nend\na << B\nB\n", "class <<self\n  self\nend\na << B\nB\n");
        check("ruby", "a(<<~E, b)\n  c\n  E\nd", "a(<<~E, b)\n...\n...\nd");
        check("hcl", "a = <<E\nb\n", "a = <<E\nb\n");
    }

    #[test]
    fn what_is_not_closed_is_no_text() {
        let closed = "\"\"\"\na\n\"\"\"\n";
        check("python", closed, "...\n.\n...\n");
        check("python", &format!("{closed}\"\"\"\nb"), &format!("{closed}\"\"\"\nb"));
        // The second mark can only open a text, so it does not close the first one.
        check("python", "\"\"\"A\nf()\nx = \"\"\"\nb\n\"\"\"\nc", "\"\"\"A\nf()\nx = ...\n.\n...\nc");
    }

    #[test]
    fn the_rest_of_a_file() {
        check("ruby", "a\n__END__\nb", "a\n.......\n.");
        check("make", "define a\nb\nendef\nc", "define a\n.\n.....\nc");
    }
}
