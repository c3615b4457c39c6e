//! Converts between the positions of a server and offsets in our text.
//!
//! Servers differ in where they break lines and in what they do with a byte-order mark, and each chooses an encoding
//! for its columns. A [`Sheet`] is a text as one server counts its lines and columns.

use locant_engine::{Encoding, Range};
use serde_json::{Value, json};

use crate::entry::{Bom, LineRule};

const BOM: &[u8] = b"\xef\xbb\xbf";

/// What breaks lines in Python's `splitlines`, but not by the rule of the protocol.
const UNUSUAL: [char; 8] = ['\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}', '\u{2029}'];

/// How a server counts lines and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counting {
    pub(crate) encoding: Encoding,
    pub(crate) bom: Bom,
    pub(crate) lines: LineRule,
}

/// A text as a server counts its lines and columns.
pub(crate) struct Sheet<'t> {
    bytes: &'t [u8],
    counting: Counting,
    /// Where the lines start, in bytes. Invariant: sorted, never empty.
    starts: Vec<usize>,
}

impl Counting {
    /// The text as it is sent to the server, without a byte-order mark unless the server counts it. Parts that are not
    /// UTF-8 are replaced by U+FFFD. `Sheet` counts columns as in this text.
    pub(crate) fn sent(self, bytes: &[u8]) -> String {
        let bytes = match self.bom {
            Bom::Counted => bytes,
            Bom::Dropped | Bom::Either => bytes.strip_prefix(BOM).unwrap_or(bytes),
        };
        String::from_utf8_lossy(bytes).into_owned()
    }

    /// Why positions in a text cannot be exchanged with the server; `None` if they can.
    pub(crate) fn objection(self, bytes: &[u8]) -> Option<&'static str> {
        let has_lone_return = || {
            let returns = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\r');
            returns.into_iter().any(|(at, _)| bytes.get(at + 1) != Some(&b'\n'))
        };
        match self.lines {
            LineRule::NoLoneReturn if has_lone_return() => Some(
                "the file has a carriage return without a line feed, at which this server breaks lines in some \
                 messages and not in others",
            ),
            LineRule::PlainOnly if String::from_utf8_lossy(bytes).contains(UNUSUAL) => Some(
                "the file has an unusual line break, such as a form feed or U+2028, at which this server breaks lines \
                 in some messages and not in others",
            ),
            _ => None,
        }
    }
}

impl<'t> Sheet<'t> {
    pub(crate) fn new(bytes: &'t [u8], counting: Counting) -> Sheet<'t> {
        let first = match counting.bom {
            Bom::Dropped | Bom::Either if bytes.starts_with(BOM) => BOM.len(),
            _ => 0,
        };
        let starts = std::iter::once(first).chain(breaks(bytes, counting.lines)).collect();
        Sheet { bytes, counting, starts }
    }

    /// The position of an offset, as the protocol writes it.
    pub(crate) fn position(&self, offset: usize) -> Value {
        let line = self.starts.partition_point(|start| *start <= offset).saturating_sub(1);
        let before = &self.bytes[self.starts[line].min(offset)..offset];
        json!({"line": line, "character": self.units(before)})
    }

    /// A range, as the protocol writes it.
    pub(crate) fn of_range(&self, range: Range) -> Value {
        json!({"start": self.position(range.start().index()), "end": self.position(range.end().index())})
    }

    /// The offset of a position. A column past the end of its line means the end of the line, as the protocol says.
    /// `None` if the line is past the end of the text.
    pub(crate) fn offset(&self, position: &Value) -> Option<usize> {
        let field = |name| position.get(name)?.as_u64().and_then(|n| usize::try_from(n).ok());
        let (line, character) = (field("line")?, field("character")?);
        let Some(&start) = self.starts.get(line) else {
            // A range of a whole file may end at the start of the line after the last one.
            return (line == self.starts.len() && character == 0).then_some(self.bytes.len());
        };
        Some(self.advance(start, self.line_end(line), character))
    }

    /// The range that a server means. If it is unclear whether the server counts a byte-order mark, the reading is
    /// taken that covers whole words.
    pub(crate) fn range(&self, range: &Value) -> Option<Range> {
        let (start, end) = (self.offset(range.get("start")?)?, self.offset(range.get("end")?)?);
        let read = (start <= end).then(|| Range::of_indices(start..end))?;
        let Some(counted) = self.counted().filter(|_| !self.is_whole(read)) else { return Some(read) };
        let (start, end) = (counted.offset(range.get("start")?)?, counted.offset(range.get("end")?)?);
        let other = (start <= end).then(|| Range::of_indices(start..end))?;
        Some(if self.is_whole(other) { other } else { read })
    }

    /// The range of a name. `None` if it starts behind the end of its line, or inside a character, where no name is.
    pub(crate) fn name(&self, range: &Value) -> Option<Range> {
        let start = range.get("start")?;
        let is_there = self.has(start) || self.counted().is_some_and(|counted| counted.has(start));
        self.range(range).filter(|_| is_there)
    }

    /// A range that is replaced. `None` if it begins behind the end of its line or inside a character, or ends so in
    /// the same line. The server then has another text, or counts in another way, and would damage this one.
    pub(crate) fn replaced(&self, range: &Value) -> Option<Range> {
        let (start, end) = (range.get("start")?, range.get("end")?);
        // The end of a whole line, or of the text, is often written as a column or line that is far behind it.
        let is_in = |sheet: &Sheet<'_>| {
            (sheet.has(start) || sheet.offset(start) == Some(self.bytes.len()))
                && (start.get("line") != end.get("line") || sheet.has(end))
        };
        let is_there = is_in(self) || self.counted().is_some_and(|counted| is_in(&counted));
        self.range(range).filter(|_| is_there)
    }

    /// The same text with a byte-order mark that counts, if it has one of which that is unclear.
    fn counted(&self) -> Option<Sheet<'t>> {
        let may_differ = self.counting.bom == Bom::Either && self.starts[0] > 0;
        may_differ.then(|| Sheet::new(self.bytes, Counting { bom: Bom::Counted, ..self.counting }))
    }

    /// Whether the text has a position, at the start of a character or at the end of a line.
    fn has(&self, position: &Value) -> bool {
        let is_it =
            |found: &Value| ["line", "character"].iter().all(|name| found.get(name) == position.get(name));
        self.offset(position).is_some_and(|offset| is_it(&self.position(offset)))
    }

    /// Whether neither end of a range is inside a word.
    pub(crate) fn is_whole(&self, range: Range) -> bool {
        let is_cut = |at: usize| {
            let before = at.checked_sub(1).and_then(|at| self.bytes.get(at));
            before.is_some_and(is_word) && self.bytes.get(at).is_some_and(is_word)
        };
        !is_cut(range.start().index()) && !is_cut(range.end().index())
    }

    /// The end of a line, before its break.
    fn line_end(&self, line: usize) -> usize {
        let Some(&next) = self.starts.get(line + 1) else { return self.bytes.len() };
        let content = &self.bytes[self.starts[line]..next];
        let n_break = match content {
            [.., b'\r', b'\n'] => 2,
            [.., 0xe2, 0x80, 0xa8 | 0xa9] => 3,
            _ => 1,
        };
        next - n_break
    }

    /// How many columns a stretch of text takes.
    fn units(&self, bytes: &[u8]) -> usize {
        let of_text = |text: &str| match self.counting.encoding {
            Encoding::Utf8 => text.len(),
            Encoding::Utf16 => text.encode_utf16().count(),
            Encoding::Utf32 => text.chars().count(),
        };
        bytes.utf8_chunks().map(|chunk| of_text(chunk.valid()) + self.units_of_bad(chunk.invalid())).sum()
    }

    /// The number of columns of a part that is not UTF-8. The part was sent as U+FFFD.
    fn units_of_bad(&self, bytes: &[u8]) -> usize {
        match self.counting.encoding {
            _ if bytes.is_empty() => 0,
            Encoding::Utf8 => '\u{fffd}'.len_utf8(),
            Encoding::Utf16 | Encoding::Utf32 => 1,
        }
    }

    /// The offset `n` columns after `start`, but at most `end`. A column inside a character means the start of the
    /// character.
    fn advance(&self, start: usize, end: usize, n: usize) -> usize {
        let mut left = n;
        let mut at = start;
        for chunk in self.bytes[start..end.max(start)].utf8_chunks() {
            for character in chunk.valid().chars() {
                let units = match self.counting.encoding {
                    Encoding::Utf8 => character.len_utf8(),
                    Encoding::Utf16 => character.len_utf16(),
                    Encoding::Utf32 => 1,
                };
                if left < units {
                    return at;
                }
                left -= units;
                at += character.len_utf8();
            }
            let units = self.units_of_bad(chunk.invalid());
            if left < units {
                return at;
            }
            left -= units;
            at += chunk.invalid().len();
        }
        at
    }
}

fn is_word(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii()
}

/// Where the lines start, except the first one.
fn breaks(bytes: &[u8], rule: LineRule) -> Vec<usize> {
    let mut starts = Vec::new();
    for (at, byte) in bytes.iter().enumerate() {
        let ends = match byte {
            b'\n' => true,
            b'\r' => rule != LineRule::LineFeed && bytes.get(at + 1) != Some(&b'\n'),
            0xa8 | 0xa9 => rule == LineRule::Unicode && bytes[..at].ends_with(b"\xe2\x80"),
            _ => false,
        };
        if ends {
            starts.push(at + 1);
        }
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: [LineRule; 3] = [LineRule::Protocol, LineRule::LineFeed, LineRule::Unicode];
    const BOMS: [Bom; 3] = [Bom::Counted, Bom::Dropped, Bom::Either];
    const ENCODINGS: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];

    fn sheet(text: &str, encoding: Encoding, bom: Bom, lines: LineRule) -> Sheet<'_> {
        Sheet::new(text.as_bytes(), Counting { encoding, bom, lines })
    }

    #[test]
    fn every_offset_comes_back_however_a_server_counts() {
        let text = "\u{feff}a𝄞b\r\nc\u{301}\r\td\u{2028}e\u{c}f\nlast";
        for (encoding, bom) in ENCODINGS.iter().flat_map(|one| BOMS.map(|bom| (*one, bom))) {
            for lines in RULES {
                let sheet = sheet(text, encoding, bom, lines);
                let inside = text.char_indices().map(|(at, _)| at).chain([text.len()]);
                // No position is inside a mark that is not sent, or inside a line break.
                for at in inside.filter(|&at| at >= sheet.starts[0] && !text[at..].starts_with('\n')) {
                    assert_eq!(
                        sheet.offset(&sheet.position(at)),
                        Some(at),
                        "{encoding:?} {bom:?} {lines:?} {at}"
                    );
                }
            }
        }
    }

    #[test]
    fn columns_are_in_the_unit_of_the_server() {
        let columns = ENCODINGS.map(|encoding| {
            let sheet = sheet("é𝄞x", encoding, Bom::Counted, LineRule::Protocol);
            sheet.position("é𝄞".len())["character"].as_u64()
        });
        assert_eq!(columns, [Some(6), Some(3), Some(2)]);
    }

    #[test]
    fn a_line_ends_where_the_server_ends_it() {
        let lines = RULES.map(|rule| {
            let sheet = sheet("a\rb\u{2028}c\nd", Encoding::Utf16, Bom::Counted, rule);
            sheet.position("a\rb\u{2028}c\n".len())["line"].as_u64()
        });
        assert_eq!(lines, [Some(2), Some(1), Some(3)]);
    }

    #[test]
    fn a_mark_that_a_server_may_count_is_read_so_that_words_stay_whole() {
        let sheet = sheet("\u{feff}int value;", Encoding::Utf16, Bom::Either, LineRule::Protocol);
        for start in [4, 5] {
            let range =
                json!({"start": {"line": 0, "character": start}, "end": {"line": 0, "character": start + 5}});
            assert_eq!(sheet.range(&range), Some(Range::of_indices(7..12)));
        }
    }

    #[test]
    fn a_name_or_a_change_is_at_a_place_that_the_text_has() {
        let sheet = sheet("x = 𝄞\nab\n", Encoding::Utf16, Bom::Counted, LineRule::Protocol);
        let range = |start: (u32, u32), end: (u32, u32)| {
            let position = |(line, character): (u32, u32)| json!({"line": line, "character": character});
            json!({"start": position(start), "end": position(end)})
        };
        for (start, end, is_name, is_replaced) in [
            ((0, 0), (0, 1), true, true),
            ((0, 4), (0, 6), true, true),
            // Inside a character of two units, and behind the end of a line.
            ((0, 5), (0, 6), false, false),
            ((0, 4), (0, 5), true, false),
            ((0, 90), (0, 91), false, false),
            ((1, 0), (1, 90), true, false),
            // To the end of the text, however it is written.
            ((0, 0), (2, 90), true, true),
            ((2, 0), (2, 0), true, true),
            ((9, 0), (9, 1), false, false),
        ] {
            let range = range(start, end);
            let found = (sheet.name(&range).is_some(), sheet.replaced(&range).is_some());
            assert_eq!(found, (is_name, is_replaced), "{range}");
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_counted_as_they_are_sent() {
        let bytes = b"a\xff\xfeb";
        for encoding in ENCODINGS {
            let counting = Counting { encoding, bom: Bom::Counted, lines: LineRule::Protocol };
            let (here, sent) = (Sheet::new(bytes, counting).position(3), counting.sent(bytes));
            let there = Sheet::new(sent.as_bytes(), counting).position(sent.len() - 1);
            assert_eq!(here, there);
        }
    }
}
