//! What a location is made of, and how it is written.

use std::borrow::Cow;
use std::fmt;

use locant_text::Position;

use crate::scope::parse_scope;
use crate::split::split;

/// A description of a place: a file, a scope in it, a text to find in that scope.
///
/// At least one of scope and find is there, else there is nothing to look for; resolving says so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// The file, as it was written. Empty: the whole workspace.
    pub path: String,
    /// Where to look.
    pub scope: Option<Scope>,
    /// The text to find there, with or without a marker. Empty counts as none.
    pub find: Option<String>,
    /// Which of several matches, from 0.
    pub find_index: usize,
}

/// The part of a file in which to look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Lines, from 1, both ends included; without a last one, up to the end of the file.
    Lines {
        /// The first line.
        first: u32,
        /// The last line.
        last: Option<u32>,
    },
    /// A coordinate as compilers print it, in UTF-16 units, or a range of them.
    Coordinate {
        /// Where it is, or starts.
        start: Position,
        /// Where it ends.
        end: Option<Position>,
    },
    /// A symbol, by the names that lead to it.
    Symbol(Vec<Segment>),
    /// A path through the descriptor of a .proto file.
    Descriptor(Vec<i32>),
}

/// One name of a symbol path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The name.
    pub name: String,
    /// Which of several symbols with the same path up to here, from 0.
    pub index: Option<u32>,
}

impl Segment {
    /// The name with the index as a part of it.
    pub(crate) fn with_brackets(&self) -> Segment {
        let brackets = self.index.map_or_else(String::new, |index| format!("[{index}]"));
        Segment { name: format!("{}{brackets}", self.name), index: None }
    }
}

/// Why something is no location.
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
    /// `exists` is asked whether a path names a file: when the plain reading names none but another way to
    /// split the string does, the existing file wins. Without files at hand, pass `|_| false`.
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
    /// Whether it says what stands at the place. A line or a coordinate says only where.
    pub fn says_what_is_there(&self) -> bool {
        self.find.is_some() || matches!(self.scope, Some(Scope::Symbol(_)))
    }
}

/// A coordinate is exact already: there is nothing left to find.
pub(crate) fn find_after_coordinate() -> InvalidLocation {
    InvalidLocation {
        message: "a coordinate takes no find: it is a place already".to_owned(),
        hint: "drop the column to search the line: FILE:LINE@FIND".to_owned(),
    }
}

/// Writes the location so that [`Location::parse`] reads the same one. (`find_index` has no place in the string.)
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
    // What the plain reading would cut elsewhere, or read as a quote or a line of a web link, is quoted. So is
    // what ends in a separator, since an `@` after one belongs to the path, and what a command would take for a flag.
    let is_flag = path.starts_with('-') && path != "-";
    let is_plain = !path.starts_with(['"', '`', '\'', '<'])
        && !is_flag
        && !path.ends_with(['/', '\\'])
        && split(path, &|_| false).is_ok_and(|pieces| pieces.path == path);
    if is_plain { f.write_str(path) } else { write!(f, "\"{}\"", path.replace('"', "\"\"")) }
}
