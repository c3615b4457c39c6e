//! The sections of an object file of Linux.

use anyhow::{Context, Result, ensure};

/// The bytes of the section with this name; `None` if there is no such section.
pub(crate) fn section(object: &[u8], name: &str) -> Result<Option<Vec<u8>>> {
    ensure!(object.starts_with(b"\x7FELF\x02\x01"), "it is no object file of Linux for 64 bits");
    let (table, size) = (number(object, 40, 8)?, number(object, 58, 2)?);
    let (n_sections, names) = (number(object, 60, 2)?, number(object, 62, 2)?);
    let header = |index: usize| table + index * size;
    let names = number(object, header(names) + 24, 8)?;
    for index in 0..n_sections {
        let at = header(index);
        let own =
            object.get(names + number(object, at, 4)?..).context("the name of a section lies outside")?;
        if own.starts_with(name.as_bytes()) && own.get(name.len()) == Some(&0) {
            let (start, length) = (number(object, at + 24, 8)?, number(object, at + 32, 8)?);
            return Ok(Some(object.get(start..start + length).context("a section lies outside")?.to_vec()));
        }
    }
    Ok(None)
}

/// The little-endian number of `n_bytes` bytes at an offset.
fn number(object: &[u8], at: usize, n_bytes: usize) -> Result<usize> {
    let bytes = object.get(at..at + n_bytes).context("the object file ends too early")?;
    let number = bytes.iter().rev().fold(0u64, |number, byte| number << 8 | u64::from(*byte));
    Ok(usize::try_from(number)?)
}
