//! Positions and offsets are exact inverses, whatever the bytes are.

#![allow(clippy::unwrap_used, clippy::cast_possible_truncation, reason = "a test may fail")]

mod hostile;

use locant_text::{Encoding, Offset, Position, Text};
use proptest::prelude::*;
use std::collections::HashMap;

const ENCODINGS: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];

/// The position of each place, found by decoding the text character by character. `None` if the place is not a
/// position.
fn positions(bytes: &[u8], encoding: Encoding) -> Vec<Option<Position>> {
    let mut positions = vec![None; bytes.len() + 1];
    let mut at = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    let mut position = Position { line: 1, character: 1 };
    let mut characters = characters(&bytes[at..]).into_iter().peekable();
    positions[at] = Some(position);
    while let Some((character, len)) = characters.next() {
        at += len;
        match character {
            '\r' if characters.next_if(|(next, _)| *next == '\n').is_some() => {
                at += 1;
                position = Position { line: position.line + 1, character: 1 };
            }
            '\r' | '\n' => position = Position { line: position.line + 1, character: 1 },
            _ => position.character += units(character, encoding),
        }
        positions[at] = Some(position);
    }
    positions
}

fn characters(bytes: &[u8]) -> Vec<(char, usize)> {
    let mut characters = Vec::new();
    for chunk in bytes.utf8_chunks() {
        characters.extend(chunk.valid().chars().map(|character| (character, character.len_utf8())));
        if !chunk.invalid().is_empty() {
            characters.push(('\u{FFFD}', chunk.invalid().len()));
        }
    }
    characters
}

fn units(character: char, encoding: Encoding) -> u32 {
    let units = match encoding {
        Encoding::Utf8 => character.len_utf8(),
        Encoding::Utf16 => character.len_utf16(),
        Encoding::Utf32 => 1,
    };
    units as u32
}

/// Checks that each place of the text has the expected position or none, and that the position leads back to the place.
fn check_there_and_back(bytes: &[u8]) {
    check_there_and_back_from(0, bytes);
}

/// Does the same as `check_there_and_back`, but only for the places from `start` on.
fn check_there_and_back_from(start: usize, bytes: &[u8]) {
    let text = Text::new(bytes).unwrap();
    for encoding in ENCODINGS {
        let positions = positions(bytes, encoding);
        for index in start..=bytes.len() + 2 {
            let offset = Offset::of_index(index);
            let expected = positions.get(index).copied().flatten();
            assert_eq!(text.position(offset, encoding), expected, "{index} in {encoding} of {bytes:?}");
            assert_eq!(text.is_boundary(offset), expected.is_some(), "{index} of {bytes:?}");
            if let Some(position) = expected {
                assert_eq!(
                    text.offset(position, encoding),
                    Some(offset),
                    "{position} in {encoding} of {bytes:?}"
                );
            }
        }
    }
}

/// Checks that a line and character have an offset only if they are a position.
fn check_nothing_else(bytes: &[u8]) {
    check_nothing_else_in_last(u32::MAX, bytes);
}

/// Does the same as `check_nothing_else`, but in each line only from `n` characters before the end of the longest line.
fn check_nothing_else_in_last(n: u32, bytes: &[u8]) {
    let text = Text::new(bytes).unwrap();
    for encoding in ENCODINGS {
        let offsets: HashMap<Position, usize> = (0..)
            .zip(positions(bytes, encoding))
            .filter_map(|(at, position)| Some((position?, at)))
            .collect();
        let n_lines = offsets.keys().map(|position| position.line).max().unwrap();
        let n_characters = offsets.keys().map(|position| position.character).max().unwrap();
        for line in (0..n_lines + 2).chain([u32::MAX]) {
            for character in (n_characters.saturating_sub(n)..n_characters + 5).chain([u32::MAX]) {
                let position = Position { line, character };
                let expected = offsets.get(&position).copied().map(Offset::of_index);
                assert_eq!(
                    text.offset(position, encoding),
                    expected,
                    "{position} in {encoding} of {bytes:?}"
                );
            }
        }
    }
}

/// Compares the position of `<|>` in UTF-8, UTF-16 and UTF-32 with `expected`.
fn check(marked: &str, expected: &str) {
    let at = marked.find("<|>").unwrap();
    let text = Text::new(marked.replacen("<|>", "", 1)).unwrap();
    let position = |encoding| match text.position(Offset::of_index(at), encoding) {
        Some(position) => position.to_string(),
        None => "none".to_owned(),
    };
    assert_eq!(ENCODINGS.map(position).join(" "), expected, "{marked:?}");
    check_there_and_back(text.bytes());
    check_nothing_else(text.bytes());
}

#[test]
fn lines_and_characters_count_from_one() {
    check("<|>", "1:1 1:1 1:1");
    check("a<|>b", "1:2 1:2 1:2");
    check("ab\n<|>", "2:1 2:1 2:1");
    check("ab\nc<|>d\n", "2:2 2:2 2:2");
}

#[test]
fn astral_character_is_two_utf16_units() {
    check("😀<|>", "1:5 1:3 1:2");
    check("x = '😀'; y<|>", "1:14 1:12 1:11");
    check("é€<|>", "1:6 1:3 1:3");
    check("e\u{301}<|>", "1:4 1:3 1:3");
}

#[test]
fn three_line_breaks_and_no_other() {
    check("a\r\nb\rc\nd<|>", "4:2 4:2 4:2");
    check("a\r<|>\nb", "none none none");
    check("a<|>\r\nb", "1:2 1:2 1:2");
    check("\r\r\n<|>", "3:1 3:1 3:1");
    check("\n\r<|>", "3:1 3:1 3:1");
    check("a\u{2028}\u{85}\x0B\x0Cb<|>", "1:10 1:7 1:7");
}

#[test]
fn byte_order_mark_is_no_column() {
    check("\u{FEFF}<|>", "1:1 1:1 1:1");
    check("\u{FEFF}a<|>", "1:2 1:2 1:2");
    check("<|>\u{FEFF}", "none none none");
    check("a\u{FEFF}<|>", "1:5 1:3 1:3");
    check("\u{FEFF}\r<|>\n", "none none none");
    check("\u{FEFF}\r\n<|>", "2:1 2:1 2:1");
}

#[test]
fn bad_part_counts_as_one_replacement_character() {
    let cases: [(&[u8], &str); 6] = [
        (b"\x80", "1:4 1:2 1:2"),
        (b"\xF0\x9F\x98", "1:4 1:2 1:2"),
        (b"\xF0\x9F\x98\x98\x98", "1:8 1:4 1:3"), // 😀, then a continuation byte that continues nothing
        (b"\xED\xA0\x80", "1:10 1:4 1:4"),
        (b"\xC0\x80", "1:7 1:3 1:3"),
        (b"a\xE2\x82b", "1:6 1:4 1:4"),
    ];
    for (bytes, expected) in cases {
        let text = Text::new(bytes).unwrap();
        let position = |encoding| text.position(text.end(), encoding).unwrap().to_string();
        assert_eq!(ENCODINGS.map(position).join(" "), expected, "{bytes:?}");
    }
}

#[test]
fn every_trap_at_every_edge() {
    // The lengths of a chunk, of a block, and of the stretch between two checkpoints.
    for edge in [64, 384, 4096] {
        for len in edge - 4..edge + 2 {
            for piece in hostile::PIECES {
                let filler = vec![b'x'; len];
                check_there_and_back_from(len - 1, &[&filler, *piece, b"y\n"].concat());
                check_there_and_back_from(
                    len - 1,
                    &["ß".repeat(len / 2).as_bytes(), piece, b"\xC3"].concat(),
                );
                check_there_and_back_from(
                    len - 1,
                    &[b"\n\xFF", &filler[..], piece, piece, &filler].concat()[..len + 9],
                );
            }
        }
    }
}

#[test]
fn encoding_is_known_by_its_word() {
    assert_eq!(ENCODINGS.map(|encoding| Encoding::of_word(encoding.word())), ENCODINGS.map(Some));
    assert_eq!(ENCODINGS.map(Encoding::word), ["utf-8", "utf-16", "utf-32"]);
    assert_eq!((Encoding::default(), Encoding::of_word("UTF-8")), (Encoding::Utf16, None));
}

#[test]
fn far_into_a_long_line() {
    let line = ["x".repeat(70_000), "😀".repeat(3_000), "y".repeat(9_000)].concat();
    let text = Text::new(format!("first\n{line}\nlast")).unwrap();
    let offset = Offset::of_index(6 + 70_000 + 12_000 + 9_000);
    let position = Position { line: 2, character: 70_000 + 6_000 + 9_000 + 1 };
    assert_eq!(text.position(offset, Encoding::Utf16), Some(position));
    assert_eq!(text.offset(position, Encoding::Utf16), Some(offset));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn dense_texts_there_and_back(bytes in hostile::dense_text()) {
        check_there_and_back(&bytes);
        check_nothing_else(&bytes);
    }

    #[test]
    fn sparse_texts_there_and_back(bytes in hostile::sparse_text()) {
        check_there_and_back(&bytes);
    }

    #[test]
    fn long_lines_there_and_back(bytes in hostile::long_line()) {
        check_there_and_back_from(bytes.len().saturating_sub(20), &bytes);
        check_nothing_else_in_last(30, &bytes);
    }

    #[test]
    fn random_bytes_there_and_back(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        check_there_and_back(&bytes);
        check_nothing_else(&bytes);
    }
}
