//! Lines and columns as protoc counts them.
//!
//! Both count from 0. Only `\n` ends a line. A byte is one column, except that a tab goes on to the next multiple of 8.
//! A byte-order mark is therefore three columns of the first line. To convert from or to other ways of counting
//! columns, go through the offset.

use locant_text::Offset;

/// A place as protoc's tables write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineColumn {
    /// The line, from 0.
    pub line: u32,
    /// The column, from 0.
    pub column: u32,
}

/// The lines of a text, for counting columns as protoc does.
#[derive(Clone, Debug)]
pub struct Columns<'t> {
    bytes: &'t [u8],
    /// Invariant: sorted, starts with 0.
    starts: Vec<u32>,
    has_tabs: bool,
}

/// A tab goes on to the next multiple of this.
const TAB: u32 = 8;

impl<'t> Columns<'t> {
    /// Finds the lines of a text.
    pub fn new(bytes: &'t [u8]) -> Columns<'t> {
        let breaks = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let starts = [0].into_iter().chain(breaks.map(|(at, _)| Offset::of_index(at + 1).to_u32()));
        Columns { bytes, starts: starts.collect(), has_tabs: bytes.contains(&b'\t') }
    }

    /// The place of an offset; `None` past the end of the text.
    pub fn place(&self, offset: Offset) -> Option<LineColumn> {
        if self.bytes.len() < offset.index() {
            return None;
        }
        let line = self.starts.partition_point(|&start| start <= offset.to_u32()) - 1;
        let start = self.starts[line] as usize;
        let column = if self.has_tabs {
            self.bytes[start..offset.index()].iter().fold(0, |column, &byte| next(column, byte))
        } else {
            Offset::of_index(offset.index() - start).to_u32()
        };
        Some(LineColumn { line: Offset::of_index(line).to_u32(), column })
    }

    /// The offset of a place; `None` when there is no such place, for example inside a tab.
    pub fn offset(&self, place: LineColumn) -> Option<Offset> {
        let start = *self.starts.get(place.line as usize)? as usize;
        let rest = &self.bytes[start..];
        let line = &rest[..rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len())];
        let mut column = 0;
        for (index, &byte) in line.iter().enumerate() {
            if place.column <= column {
                return (place.column == column).then(|| Offset::of_index(start + index));
            }
            column = next(column, byte);
        }
        (column == place.column).then(|| Offset::of_index(start + line.len()))
    }

    /// A span as protoc's tables write it: `[line, column, end line, end column]`, or `[line, column, end column]` when
    /// it ends on the line where it starts.
    pub fn span(&self, start: Offset, end: Offset) -> Option<Vec<u32>> {
        let (start, end) = (self.place(start)?, self.place(end)?);
        Some(if start.line == end.line {
            vec![start.line, start.column, end.column]
        } else {
            vec![start.line, start.column, end.line, end.column]
        })
    }

    /// The start and the end of a span that is written as in protoc's tables.
    pub fn offsets(&self, span: &[u32]) -> Option<(Offset, Offset)> {
        let (start, end) = match *span {
            [line, column, end] => (LineColumn { line, column }, LineColumn { line, column: end }),
            [line, column, end_line, end] => {
                (LineColumn { line, column }, LineColumn { line: end_line, column: end })
            }
            _ => return None,
        };
        Some((self.offset(start)?, self.offset(end)?))
    }
}

fn next(column: u32, byte: u8) -> u32 {
    match byte {
        b'\t' => column / TAB * TAB + TAB,
        _ => column + 1,
    }
}
