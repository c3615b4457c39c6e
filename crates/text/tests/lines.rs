//! Lines cover the text without gaps, and each line ends at its line break.

#![allow(clippy::unwrap_used, clippy::cast_possible_truncation, reason = "a test may fail")]

mod hostile;

use locant_text::{Nature, Offset, Range, Text};
use proptest::prelude::*;

/// Compares the lines with `expected`, which has the content of each line in brackets and the line breaks as they are.
fn check(source: &str, expected: &str) {
    let text = Text::new(source).unwrap();
    let mut rendered = String::new();
    for line in 1..=text.n_lines() {
        let (content, whole) = (text.line_content(line).unwrap(), text.line_with_break(line).unwrap());
        let line_break = Range::new(content.end(), whole.end());
        rendered += &format!("[{}]{}", text.lossy(content), text.lossy(line_break));
    }
    assert_eq!(rendered, expected, "{source:?}");
}

/// The lines of a text, found by a plain loop over its bytes. For each line: where it starts, where its content ends,
/// and where its line break ends.
fn lines(bytes: &[u8]) -> Vec<[usize; 3]> {
    let mut start = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    let mut lines = Vec::new();
    let mut at = start;
    while at < bytes.len() {
        let len = match &bytes[at..] {
            [b'\r', b'\n', ..] => 2,
            [b'\r' | b'\n', ..] => 1,
            _ => 0,
        };
        if len > 0 {
            lines.push([start, at, at + len]);
            start = at + len;
        }
        at += len.max(1);
    }
    lines.push([start, bytes.len(), bytes.len()]);
    lines
}

fn check_lines(bytes: &[u8]) {
    let text = Text::new(bytes).unwrap();
    let lines = lines(bytes);
    assert_eq!(text.n_lines() as usize, lines.len(), "{bytes:?}");
    for (line, [start, content_end, end]) in (1u32..).zip(lines) {
        assert_eq!(text.line_start(line), Some(Offset::of_index(start)), "{line} of {bytes:?}");
        assert_eq!(
            text.line_content(line),
            Some(Range::of_indices(start..content_end)),
            "{line} of {bytes:?}"
        );
        assert_eq!(text.line_with_break(line), Some(Range::of_indices(start..end)), "{line} of {bytes:?}");
        let is_last = line == text.n_lines();
        for offset in (start..end + usize::from(is_last)).map(Offset::of_index) {
            assert_eq!(text.line_of(offset), line, "{offset:?} of {bytes:?}");
        }
    }
    for line in [0, text.n_lines() + 1, u32::MAX] {
        assert_eq!(
            (text.line_start(line), text.line_content(line), text.line_with_break(line)),
            (None, None, None)
        );
    }
}

#[test]
fn final_line_break_opens_an_empty_line() {
    check("", "[]");
    check("a", "[a]");
    check("a\n", "[a]\n[]");
    check("\n", "[]\n[]");
}

#[test]
fn three_kinds_of_line_break() {
    check("a\r\nb\rc\nd", "[a]\r\n[b]\r[c]\n[d]");
    check("\r\r\n\n", "[]\r[]\r\n[]\n[]");
    check("\n\r", "[]\n[]\r[]");
    check("a\u{2028}b\x0C", "[a\u{2028}b\x0C]");
}

#[test]
fn first_line_starts_after_a_byte_order_mark() {
    check("\u{FEFF}", "[]");
    check("\u{FEFF}a\r\n", "[a]\r\n[]");
    check("a\n\u{FEFF}b", "[a]\n[\u{FEFF}b]");
}

#[test]
fn line_breaks_at_every_edge() {
    for len in (0..140).chain(375..390).chain(760..770) {
        for line_break in ["\n", "\r", "\r\n", "\r\r\n", "\n\r", "\n\n", "\r\n\r\n"] {
            let filler = "x".repeat(len);
            check_lines([&filler, line_break].concat().as_bytes());
            check_lines([&filler, line_break, &filler, line_break, "y"].concat().as_bytes());
        }
    }
    check_lines("\n".repeat(1500).as_bytes());
    check_lines("\r".repeat(1500).as_bytes());
}

#[test]
fn offset_past_the_end_is_in_the_last_line() {
    let text = Text::new("a\nb").unwrap();
    assert_eq!(text.line_of(Offset::new(u32::MAX)), 2);
}

#[test]
fn bad_bytes_read_as_replacement_characters() {
    let text = Text::new(b"a\xF0\x9Fb\xFF").unwrap();
    assert_eq!(text.lossy(text.range()), "a\u{FFFD}b\u{FFFD}");
    assert_eq!(text.slice(Range::of_indices(1..3)), b"\xF0\x9F");
}

#[test]
fn nature_of_a_text() {
    let nature = |bytes: &[u8]| Text::new(bytes).unwrap().nature();
    let bad_at = |index| Nature::NotUtf8 { first_bad: Offset::of_index(index) };
    assert_eq!(nature(b""), Nature::Utf8);
    assert_eq!(nature("\u{FEFF}é😀".as_bytes()), Nature::Utf8);
    assert_eq!(nature(b"a\xE2\x82"), bad_at(1));
    assert_eq!(nature(&[&[b'x'; 63], "é".as_bytes(), &[b'x'; 900], b"\xFF"].concat()), bad_at(965));
    assert_eq!(nature(&[&[b'x'; 8191][..], b"\0"].concat()), Nature::Binary);
    assert_eq!(nature(&[&[b'x'; 8192][..], b"\0"].concat()), Nature::Utf8);
    assert_eq!(nature(b"\xFF\0"), Nature::Binary);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn lines_tile_dense_texts(bytes in hostile::dense_text()) {
        check_lines(&bytes);
    }

    #[test]
    fn lines_tile_sparse_texts(bytes in hostile::sparse_text()) {
        check_lines(&bytes);
    }

    #[test]
    fn first_bad_part_is_where_the_standard_library_finds_it(bytes in hostile::sparse_text()) {
        let expected = match std::str::from_utf8(&bytes) {
            _ if bytes.iter().take(8192).any(|byte| *byte == 0) => Nature::Binary,
            Err(error) => Nature::NotUtf8 { first_bad: Offset::of_index(error.valid_up_to()) },
            Ok(_) => Nature::Utf8,
        };
        prop_assert_eq!(Text::new(bytes).unwrap().nature(), expected);
    }
}
