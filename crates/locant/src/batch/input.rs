//! The lines of a batch as they come in.

use std::io::{self, BufRead, Read};

/// The longest line that is read, in bytes. A longer one is skipped.
pub(super) const LONGEST: usize = 64 << 20;

/// A line as it came in, with its line break if it has one.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    Read(Vec<u8>),
    /// It was too long, and was not kept.
    TooLong,
}

impl Line {
    /// How many bytes of the line are in memory.
    pub(super) fn len(&self) -> usize {
        match self {
            Line::Read(bytes) => bytes.len(),
            Line::TooLong => 0,
        }
    }
}

/// The next line of an input; `None` at its end.
pub(super) fn next_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    next_line_up_to(input, LONGEST)
}

fn next_line_up_to(input: &mut impl BufRead, longest: usize) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    let length = input.by_ref().take(longest as u64 + 1).read_until(b'\n', &mut line)?;
    if length <= longest {
        return Ok((length > 0).then_some(Line::Read(line)));
    }
    let is_whole = line.ends_with(b"\n");
    drop(line);
    if !is_whole {
        input.skip_until(b'\n')?;
    }
    Ok(Some(Line::TooLong))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_is_stepped_over() {
        let long = "x".repeat(100);
        let text = format!("a\n{long}\n\nb{long}\r\n12345678\n123456789\nend");
        // The size of the buffer must not matter.
        for size in [1, 2, 3, 7, 64, 1000] {
            let mut input = io::BufReader::with_capacity(size, text.as_bytes());
            let mut lines = Vec::new();
            while let Some(line) = next_line_up_to(&mut input, 9).expect("memory can be read") {
                lines.push(match line {
                    Line::Read(line) => String::from_utf8(line).expect("it was text"),
                    Line::TooLong => "…".to_owned(),
                });
            }
            assert_eq!(lines, ["a\n", "…", "\n", "…", "12345678\n", "…", "end"], "pieces of {size}");
        }
    }

    #[test]
    fn an_end_without_line_break_is_a_line() {
        let mut input = "x".as_bytes();
        let mut next = || next_line_up_to(&mut input, 9).expect("memory can be read");
        assert_eq!([next(), next()], [Some(Line::Read(b"x".to_vec())), None]);
        let mut input = "1234567890".as_bytes();
        let mut next = || next_line_up_to(&mut input, 9).expect("memory can be read");
        assert_eq!([next(), next()], [Some(Line::TooLong), None]);
    }
}
