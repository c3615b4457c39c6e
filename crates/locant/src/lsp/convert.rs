//! Converts places to and from the protocol. The protocol counts lines and characters from 0, and a position outside of
//! the text means the nearest one inside.

use gen_lsp_types as lsp;
use locant_engine::{Encoding, Offset, Position, Range, Text};

/// A text, and how the client counts columns in it.
#[derive(Clone, Copy)]
pub(super) struct Sheet<'t> {
    pub(super) text: &'t Text,
    pub(super) encoding: Encoding,
    /// Whether the client counts a byte-order mark as a character. It does when it sent one.
    pub(super) counts_mark: bool,
}

impl Sheet<'_> {
    /// The position of an offset. An offset inside of a character counts as the start of the character.
    pub(super) fn position(&self, offset: Offset) -> lsp::Position {
        let start = self.text.start().index();
        let offset = offset.min(self.text.end()).index();
        if offset < start {
            return lsp::Position::new(0, 0);
        }
        let at = |index| self.text.position(Offset::of_index(index), self.encoding);
        let found = (start.max(offset.saturating_sub(3))..=offset).rev().find_map(at);
        let Position { line, character } = found.unwrap_or(Position { line: 1, character: 1 });
        let mark = if line == 1 { self.mark() } else { 0 };
        lsp::Position::new(line - 1, character - 1 + mark)
    }

    /// The positions of both ends of a range.
    pub(super) fn range(&self, range: Range) -> lsp::Range {
        lsp::Range::new(self.position(range.start()), self.position(range.end()))
    }

    /// The offset of a position. As the protocol demands, a position after the end of a line means the end of the line,
    /// and one after the last line means the end of the text.
    pub(super) fn offset(&self, position: lsp::Position) -> Offset {
        let line = position.line.saturating_add(1);
        let Some(content) = self.text.line_content(line) else { return self.text.end() };
        let mark = if line == 1 { self.mark() } else { 0 };
        let character = position.character.saturating_sub(mark).saturating_add(1);
        let end = self.text.position(content.end(), self.encoding);
        if end.is_none_or(|end| end.character <= character) {
            return content.end();
        }
        // A position inside of a character means its start, which is at most three units before.
        let at = |character| self.text.offset(Position { line, character }, self.encoding);
        let found = (character.saturating_sub(3).max(1)..=character).rev().find_map(at);
        found.unwrap_or(content.start())
    }

    /// The range of offsets between two positions.
    pub(super) fn stretch(&self, range: lsp::Range) -> Range {
        let (one, other) = (self.offset(range.start), self.offset(range.end));
        Range::new(one.min(other), one.max(other))
    }

    fn mark(&self) -> u32 {
        let has_mark = self.counts_mark && self.text.start() > Offset::ZERO;
        match self.encoding {
            _ if !has_mark => 0,
            Encoding::Utf8 => 3,
            Encoding::Utf16 | Encoding::Utf32 => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, encoding: Encoding, (line, character): (u32, u32), expected: usize) {
        let text = Text::new(text.as_bytes().to_vec()).expect("it is short");
        let sheet = Sheet { text: &text, encoding, counts_mark: true };
        let offset = sheet.offset(lsp::Position::new(line, character));
        assert_eq!(offset.index(), expected, "{encoding} {line}:{character}");
    }

    #[test]
    fn what_is_outside_is_the_nearest_inside() {
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            check("ab\r\nc", encoding, (0, 2), 2);
            check("ab\r\nc", encoding, (0, 9), 2);
            check("ab\r\nc", encoding, (1, u32::MAX), 5);
            check("ab\r\nc", encoding, (2, 0), 5);
            check("ab\r\nc", encoding, (u32::MAX, u32::MAX), 5);
            check("", encoding, (0, 1), 0);
        }
    }

    #[test]
    fn inside_a_character_is_its_start() {
        check("a😀b", Encoding::Utf16, (0, 2), 1);
        check("a😀b", Encoding::Utf16, (0, 3), 5);
        check("a😀b", Encoding::Utf8, (0, 4), 1);
        check("a😀b", Encoding::Utf32, (0, 2), 5);
    }

    #[test]
    fn a_mark_that_was_sent_is_counted() {
        check("\u{FEFF}ab", Encoding::Utf16, (0, 0), 3);
        check("\u{FEFF}ab", Encoding::Utf16, (0, 2), 4);
        check("\u{FEFF}ab", Encoding::Utf8, (0, 4), 4);
        let text = Text::new("\u{FEFF}ab\n".as_bytes().to_vec()).expect("it is short");
        let counted = Sheet { text: &text, encoding: Encoding::Utf16, counts_mark: true };
        let not = Sheet { counts_mark: false, ..counted };
        assert_eq!(counted.position(Offset::new(4)), lsp::Position::new(0, 2));
        assert_eq!(not.position(Offset::new(4)), lsp::Position::new(0, 1));
        assert_eq!(not.position(Offset::new(0)), lsp::Position::new(0, 0));
    }

    #[test]
    fn there_and_back_in_every_encoding() {
        let written = "é\tx\r\n😀é\rz\n\n";
        let text = Text::new(written.as_bytes().to_vec()).expect("it is short");
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            let sheet = Sheet { text: &text, encoding, counts_mark: false };
            for (index, _) in written.char_indices().filter(|(at, _)| !written[..*at].ends_with('\r')) {
                let offset = Offset::of_index(index);
                assert_eq!(sheet.offset(sheet.position(offset)), offset, "{encoding} {index}");
            }
        }
    }
}
