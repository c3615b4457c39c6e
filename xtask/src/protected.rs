//! Checks that the program is linked in such a way that Linux can protect it. It must be loaded at a random address,
//! its tables of addresses must become read-only before it runs, and its stack must not be executable.
//!
//! The program reads files that strangers wrote, so a bug could be used for an attack. These protections make attacks
//! hard.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

/// Fails if a program lacks one of the protections. The message names all missing protections.
pub(crate) fn check(program: &Path) -> Result<()> {
    let bytes = std::fs::read(program).with_context(|| format!("cannot read {}", program.display()))?;
    let lacks = lacks(&bytes).with_context(|| format!("cannot read the headers of {}", program.display()))?;
    ensure!(lacks.is_empty(), "{} {}", program.display(), lacks.join(", and "));
    Ok(())
}

/// Whether another program must load this program and its libraries.
pub(crate) fn needs_a_loader(program: &Path) -> Result<bool> {
    let bytes = std::fs::read(program).with_context(|| format!("cannot read {}", program.display()))?;
    Ok(segments(&bytes)?.iter().any(|segment| segment.kind == elf::PT_INTERP))
}

/// Constants of the ELF format, under their names in that format.
mod elf {
    pub(super) const ET_DYN: u64 = 3;
    pub(super) const PT_DYNAMIC: u64 = 2;
    pub(super) const PT_INTERP: u64 = 3;
    pub(super) const PT_GNU_STACK: u64 = 0x6474_E551;
    pub(super) const PT_GNU_RELRO: u64 = 0x6474_E552;
    pub(super) const PF_X: u64 = 1;
    pub(super) const PF_W: u64 = 2;
    pub(super) const DT_TEXTREL: u64 = 22;
    pub(super) const DT_FLAGS_1: u64 = 0x6FFF_FFFB;
    pub(super) const DF_1_NOW: u64 = 1;
    pub(super) const DF_1_PIE: u64 = 0x0800_0000;
}

/// A segment of a program: its kind, its permissions, and where it is in the file.
struct Segment {
    kind: u64,
    flags: u64,
    start: usize,
    length: usize,
}

/// The protections that a program lacks, as phrases to put after its name.
fn lacks(program: &[u8]) -> Result<Vec<&'static str>> {
    let segments = segments(program)?;
    let of_kind = |kind: u64| segments.iter().find(|segment| segment.kind == kind);
    let entries = of_kind(elf::PT_DYNAMIC).map(|segment| entries(program, segment)).transpose()?;
    let entries = entries.unwrap_or_default();
    let flags = entries.iter().find(|(tag, _)| *tag == elf::DT_FLAGS_1).map_or(0, |(_, flags)| *flags);
    let is_movable = number(program, 16, 2)? == elf::ET_DYN && flags & elf::DF_1_PIE != 0;
    let is_relocated_text = entries.iter().any(|(tag, _)| *tag == elf::DT_TEXTREL);
    let is_read_only = of_kind(elf::PT_GNU_RELRO).is_some() && flags & elf::DF_1_NOW != 0;
    let runs_stack = of_kind(elf::PT_GNU_STACK).is_none_or(|stack| stack.flags & elf::PF_X != 0);
    let runs_data =
        segments.iter().any(|segment| segment.flags & elf::PF_W != 0 && segment.flags & elf::PF_X != 0);
    let lacks = [
        (!is_movable, "is linked to a fixed address"),
        (is_relocated_text, "has code that the loader writes to"),
        (!is_read_only, "has tables of addresses that stay writable"),
        (runs_stack, "has a stack that can be run"),
        (runs_data, "has a part that can be both written and run"),
    ];
    Ok(lacks.into_iter().filter_map(|(is_so, words)| is_so.then_some(words)).collect())
}

/// The segments of a program. Fails if it is not a 64-bit little-endian ELF file, which all our builds for Linux are.
fn segments(program: &[u8]) -> Result<Vec<Segment>> {
    if !program.starts_with(b"\x7FELF\x02\x01") {
        bail!("it is no program of Linux for 64 bits");
    }
    let (table, size, n_segments) = (place(program, 32)?, number(program, 54, 2)?, number(program, 56, 2)?);
    let segment = |index: u64| {
        let at = table + usize::try_from(index * size)?;
        Ok(Segment {
            kind: number(program, at, 4)?,
            flags: number(program, at + 4, 4)?,
            start: place(program, at + 8)?,
            length: place(program, at + 32)?,
        })
    };
    (0..n_segments).map(segment).collect()
}

/// The entries of the dynamic segment, which the loader reads: pairs of a tag and a value.
fn entries(program: &[u8], dynamic: &Segment) -> Result<Vec<(u64, u64)>> {
    let places = (dynamic.start..dynamic.start + dynamic.length).step_by(16);
    places.map(|at| Ok((number(program, at, 8)?, number(program, at + 8, 8)?))).collect()
}

fn place(program: &[u8], at: usize) -> Result<usize> {
    Ok(usize::try_from(number(program, at, 8)?)?)
}

/// The little-endian number of `n_bytes` bytes at an offset. Fails if the file is too short.
fn number(program: &[u8], at: usize, n_bytes: usize) -> Result<u64> {
    let bytes = program.get(at..at + n_bytes).context("it ends too early")?;
    Ok(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// Checks what this test program lacks after a change to its headers. `change` gets the bytes of the program and
    /// the offset of the header of its stack segment.
    #[track_caller]
    fn check(change: impl FnOnce(&mut [u8], usize), expected: &[&str]) {
        let mut program = std::fs::read(std::env::current_exe().expect("it runs")).expect("it is a file");
        let segments = segments(&program).expect("it has segments");
        let stack = segments.iter().position(|segment| segment.kind == elf::PT_GNU_STACK);
        let at = place(&program, 32).expect("a table") + 56 * stack.expect("it has a stack");
        change(&mut program, at);
        assert_eq!(lacks(&program).expect("it is whole"), expected);
    }

    #[test]
    fn a_program_lacks_what_it_was_not_linked_with() {
        check(|_, _| {}, &[]);
        check(|program, _| program[16] = 2, &["is linked to a fixed address"]);
        check(
            |program, stack| program[stack + 4] |= 1,
            &["has a stack that can be run", "has a part that can be both written and run"],
        );
        check(|program, stack| program[stack] = 0, &["has a stack that can be run"]);
    }

    #[test]
    fn what_is_no_program_is_said_to_be_none() {
        assert!(lacks(b"#!/bin/sh\n").is_err());
        assert!(lacks(b"\x7FELF\x02\x01").is_err());
    }
}
