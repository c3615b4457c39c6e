//! Counts the files of a tree in which a word occurs. This estimates how much a symbol is used, without any parsing.

use std::collections::{HashMap, HashSet};

use crate::sweep::{Sweep, sweep};

/// How many files of a tree contain each of these words.
pub fn mentions(sweep_over: &Sweep<'_>, words: &HashSet<&str>) -> HashMap<String, u32> {
    // Each word gets a number, so that little memory is needed for each file.
    let numbers: HashMap<&[u8], u32> = words.iter().map(|word| word.as_bytes()).zip(0..).collect();
    let swept = sweep(sweep_over, |_, bytes| {
        let found: HashSet<u32> = words_of(bytes).filter_map(|word| numbers.get(word).copied()).collect();
        (!found.is_empty()).then(|| found.into_iter().collect::<Vec<u32>>())
    });
    let mut counts = vec![0; numbers.len()];
    for number in swept.found.into_iter().flat_map(|(_, found)| found) {
        counts[number as usize] += 1;
    }
    let count =
        |(word, number): (&[u8], u32)| (String::from_utf8_lossy(word).into_owned(), counts[number as usize]);
    numbers.into_iter().map(count).collect()
}

/// The words of a text: letters, digits, `_` and all bytes outside of ASCII, as in the names of nearly all languages.
fn words_of(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
    bytes.split(move |byte| !is_part(byte)).filter(|word| !word.is_empty())
}
