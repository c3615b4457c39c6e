//! The parts of a location, and how a location is written as a string.

use std::borrow::Cow;
use std::fmt;

use locant_text::Position;

use crate::mark::Marked;
use crate::scope::parse_scope;
use crate::split::split;

/// A description of a place: a file, a scope in it, a text to find in that scope.
///
/// At least one of scope and find is needed; otherwise resolving reports an invalid location.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// The file, as it was written. Empty for the whole workspace.
    pub path: String,
    /// The part of the file to search.
    pub scope: Option<Scope>,
    /// The text to find there, with or without a marker. An empty text counts as none.
    pub find: Option<String>,
    /// Which match is meant, counted from 0, if there are several.
    pub find_index: usize,
}

/// The part of a file to search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Lines, counted from 1.
    Lines {
        /// The first line.
        first: u32,
        /// The last line, which is included. `None` for the end of the file.
        last: Option<u32>,
    },
    /// Lines with their marks, which tell whether they are still there.
    Marked(Marked),
    /// A line and column as compilers print them, or a range between two of them. Columns count UTF-16 units.
    Coordinate {
        /// The coordinate, or the start of the range.
        start: Position,
        /// The end of the range.
        end: Option<Position>,
    },
    /// A symbol, by the names that lead to it: `User.save`.
    Symbol(Vec<Segment>),
    /// A path through the descriptor of a .proto file: `[4,0,2,0,1]`.
    Descriptor(Vec<i32>),
}

/// One name of a symbol path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The name.
    pub name: String,
    /// Which symbol is meant, counted from 0, if several have the same path up to this name.
    pub index: Option<u32>,
}

impl Segment {
    /// The segment with its index as a part of its name: `steps[1]`.
    pub(crate) fn with_brackets(&self) -> Segment {
        let brackets = self.index.map_or_else(String::new, |index| format!("[{index}]"));
        Segment { name: format!("{}{brackets}", self.name), index: None }
    }
}

/// Why a text is not a location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidLocation {
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub hint: String,
}

impl fmt::Display for InvalidLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for InvalidLocation {}

impl Location {
    /// Reads a location as people write it: `FILE:SCOPE@FIND`.
    ///
    /// `exists` tells whether there is a file with a given path. It is used for file names that contain `:` or `@`. If
    /// the usual way to split the string gives no existing file but another way does, the other way is used. Without
    /// access to files, pass `|_| false`.
    pub fn parse(text: &str, exists: &dyn Fn(&str) -> bool) -> Result<Location, InvalidLocation> {
        let pieces = split(text, exists)?;
        let scope = parse_scope(&pieces.scope)?;
        let find = pieces.find.filter(|find| !find.is_empty()).map(Cow::into_owned);
        if find.is_some() && matches!(scope, Some(Scope::Coordinate { .. })) {
            return Err(find_after_coordinate());
        }
        Ok(Location { path: pieces.path.into_owned(), scope, find, find_index: 0 })
    }
}

impl Location {
    /// Whether the location describes the text at the place. A line or a coordinate gives only a position.
    pub fn says_what_is_there(&self) -> bool {
        self.find.is_some() || matches!(self.scope, Some(Scope::Symbol(_)))
    }
}

/// The error for a find after a coordinate. A coordinate is an exact place, so there is nothing to search.
pub(crate) fn find_after_coordinate() -> InvalidLocation {
    InvalidLocation {
        message: "a coordinate takes no find: it is a place already".to_owned(),
        hint: "drop the column to search the line: FILE:LINE@FIND".to_owned(),
    }
}

/// Writes the location so that [`Location::parse`] reads the same location again. The string does not include
/// `find_index`.
impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_path(f, &self.path)?;
        if let Some(scope) = &self.scope {
            write!(f, ":{scope}")?;
        } else if self.path.is_empty() {
            // Without the colon the `@` would be read as the start of the path.
            f.write_str(":")?;
        }
        match &self.find {
            Some(find) => write!(f, "@{find}"),
            None => Ok(()),
        }
    }
}

fn write_path(f: &mut fmt::Formatter<'_>, path: &str) -> fmt::Result {
    // A path is quoted if it would be read differently without quotes:
    // - because it contains `:` or `@`, or looks like a web link with a line, or starts with a quotation mark;
    // - because it ends with `/` or `\`, since an `@` after them belongs to the path;
    // - because it starts with `-`, and so looks like a flag on the command line.
    let is_flag = path.starts_with('-') && path != "-";
    let is_plain = !path.starts_with(['"', '`', '\'', '<'])
        && !is_flag
        && !path.ends_with(['/', '\\'])
        && split(path, &|_| false).is_ok_and(|pieces| pieces.path == path);
    if is_plain { f.write_str(path) } else { write!(f, "\"{}\"", path.replace('"', "\"\"")) }
}
