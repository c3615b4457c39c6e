//! A simple layout of a position tree, for comparison with ours. It is the `first layout` in the table. Every node is
//! allocated separately, and its place is relative to the node before it. A lookup needs a map with the places of all
//! nodes, which is computed first.

use std::collections::HashMap;
use std::sync::Arc;

use tree_sitter::{Node, Point};

/// A place: row, column, byte.
#[derive(Clone, Copy, Default)]
pub(crate) struct Place {
    pub(crate) row: usize,
    pub(crate) column: usize,
    pub(crate) byte: usize,
}

/// A place relative to the end of the node before it.
struct Relative {
    lines: i32,
    columns: i32,
    bytes: usize,
}

/// A node in this layout.
pub(crate) struct Layout {
    start: Relative,
    #[expect(dead_code, reason = "it is held, as in the layout that is measured")]
    content_length: usize,
    length: usize,
    span_lines: usize,
    span_columns: usize,
    #[expect(dead_code, reason = "it is held, as in the layout that is measured")]
    kind: u16,
    children: Vec<Arc<Layout>>,
}

impl Layout {
    pub(crate) fn new(root: Node<'_>) -> Layout {
        laid_out(root, Place::default()).0
    }
}

/// The places of all nodes, by their addresses.
pub(crate) fn positions(root: &Layout) -> HashMap<usize, (Place, Place)> {
    let mut positions = HashMap::new();
    place_all(&mut positions, root, Place::default());
    positions
}

fn laid_out(node: Node<'_>, before: Place) -> (Layout, Place) {
    let (start, end) =
        (place(node.start_position(), node.start_byte()), place(node.end_position(), node.end_byte()));
    let lines = distance(before.row, start.row);
    let columns = if lines == 0 { distance(before.column, start.column) } else { distance(0, start.column) };
    let mut children = Vec::new();
    let mut cursor = node.walk();
    let mut last = start;
    for child in node.children(&mut cursor) {
        let (child, child_end) = laid_out(child, last);
        children.push(Arc::new(child));
        last = child_end;
    }
    let layout = Layout {
        start: Relative { lines, columns, bytes: start.byte - before.byte },
        content_length: last.byte - start.byte,
        length: end.byte - start.byte,
        span_lines: end.row - start.row,
        span_columns: if start.row == end.row { end.column - start.column } else { end.column },
        kind: node.kind_id(),
        children,
    };
    (layout, end)
}

fn place_all(positions: &mut HashMap<usize, (Place, Place)>, node: &Layout, before: Place) -> Place {
    let start = Place {
        row: before.row.wrapping_add_signed(node.start.lines as isize),
        column: match node.start.lines {
            0 => before.column.wrapping_add_signed(node.start.columns as isize),
            _ => usize::try_from(node.start.columns).unwrap_or(0),
        },
        byte: before.byte + node.start.bytes,
    };
    let end = Place {
        row: start.row + node.span_lines,
        column: if node.span_lines == 0 { start.column + node.span_columns } else { node.span_columns },
        byte: start.byte + node.length,
    };
    let mut last = start;
    for child in &node.children {
        last = place_all(positions, child, last);
    }
    positions.insert(std::ptr::from_ref(node) as usize, (start, end));
    end
}

fn place(point: Point, byte: usize) -> Place {
    Place { row: point.row, column: point.column, byte }
}

fn distance(from: usize, to: usize) -> i32 {
    i32::try_from(to).unwrap_or(i32::MAX) - i32::try_from(from).unwrap_or(i32::MAX)
}
