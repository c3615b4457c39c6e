//! Texts that break careless code, put together by proptest.

#![allow(dead_code, reason = "not every test takes all of them")]

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Pieces of a few bytes, each a trap of its own.
pub(crate) const PIECES: &[&[u8]] = &[
    b"a",
    b"\t",
    b"\0",
    b"\n",
    b"\r",
    b"\r\n",
    b"\x0B\x0C",           // a line break elsewhere, not here
    "\u{85}".as_bytes(),   // as above
    "\u{2028}".as_bytes(), // as above
    "é".as_bytes(),
    "e\u{301}".as_bytes(), // one letter, two characters
    "€".as_bytes(),
    "😀".as_bytes(), // two units of UTF-16
    "\u{10FFFF}".as_bytes(),
    "👩‍👩‍👧".as_bytes(),
    "\u{FEFF}".as_bytes(), // a byte-order mark at the start
    "\u{FFFD}".as_bytes(), // what bad parts count as
    b"\x80",               // a continuation of nothing
    b"\xBF\xBF\xBF\xBF\xBF",
    b"\xC3",             // a first byte alone
    b"\xE2\x82",         // two of three
    b"\xF0\x9F",         // two of four
    b"\xF0\x9F\x98",     // three of four
    b"\xC0\x80",         // overlong
    b"\xE0\x80\xAF",     // overlong
    b"\xF0\x80\x80\xAF", // overlong
    b"\xED\xA0\x80",     // a surrogate
    b"\xF4\x90\x80\x80", // beyond U+10FFFF
    b"\xF8\x88\x80\x80\x80",
    b"\xEF\xBB", // a byte-order mark without its end
    b"\xFF\xFE", // the byte-order mark of UTF-16
];

/// Short texts, dense with traps.
pub(crate) fn dense_text() -> impl Strategy<Value = Vec<u8>> {
    vec(piece(), 0..24).prop_map(|pieces| pieces.concat())
}

/// Long texts, in which the traps fall on all sides of the edges of chunks and blocks.
pub(crate) fn sparse_text() -> impl Strategy<Value = Vec<u8>> {
    vec(prop_oneof![3 => piece(), 1 => filler(), 1 => filler_of_two_bytes()], 0..40)
        .prop_map(|pieces| pieces.concat())
}

/// Lines of some kilobytes, whose end is far from where they start.
pub(crate) fn long_line() -> impl Strategy<Value = Vec<u8>> {
    let repeated = (piece(), 1..1500usize).prop_map(|(piece, n)| piece.repeat(n));
    let on_one_line = |bytes: &Vec<u8>| !bytes.contains(&b'\n') && !bytes.contains(&b'\r');
    vec(prop_oneof![piece(), filler(), repeated].prop_filter("one line", on_one_line), 10..40)
        .prop_map(|pieces| pieces.concat())
}

fn piece() -> impl Strategy<Value = Vec<u8>> {
    select(PIECES).prop_map(<[u8]>::to_vec)
}

fn filler() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![40..70usize, 370..400usize].prop_map(|len| vec![b'x'; len])
}

fn filler_of_two_bytes() -> impl Strategy<Value = Vec<u8>> {
    (20..40usize).prop_map(|n| "ß".repeat(n).into_bytes())
}
