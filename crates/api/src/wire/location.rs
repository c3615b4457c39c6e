//! A location in JSON: a string, or an object with its parts.

use std::fmt;
use std::str::FromStr;

use locant_engine::{Location, Scope, Segment};
use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::failure::Failure;
use crate::uri;

/// A location: the string `FILE:SCOPE@FIND`, or the same as an object.
#[derive(Clone, Debug, JsonSchema)]
#[schemars(untagged, rename = "Location")]
pub(crate) enum Spoken {
    /// `FILE:SCOPE@FIND`
    Words(String),
    /// As separate parts.
    Parts(Parts),
}

/// A location as an object.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "LocationObject")]
#[serde(deny_unknown_fields)]
pub(crate) struct Parts {
    /// The file.
    #[serde(default)]
    pub file_path: Option<String>,
    /// The part of the file in which to look.
    #[serde(default)]
    pub scope: Option<SpokenScope>,
    /// The text to find there, with a marker `<|>` at the place meant.
    #[serde(default)]
    pub find: Option<String>,
    /// Which of several matches, from 0.
    #[serde(default)]
    pub find_index: Option<u32>,
}

/// A scope: as it is written in a location string, or as an object.
#[derive(Clone, Debug, JsonSchema)]
#[schemars(untagged, rename = "Scope")]
pub(crate) enum SpokenScope {
    /// As in a location string: `MyClass.my_method`, `42`, `10-20`.
    Words(String),
    /// One of the forms below.
    Parts(ScopeParts),
}

/// A scope as an object: `symbol_path`, `line`, `start_line` with `end_line`, or `descriptor_path`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[schemars(rename = "ScopeObject")]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ScopeParts {
    /// The names that lead to a symbol. `name[1]` is the second of several with that path.
    pub symbol_path: Option<Vec<String>>,
    /// One line, or the first and the last of several.
    pub line: Option<SpokenLines>,
    /// The first line.
    pub start_line: Option<LineNumber>,
    /// The line after the last; 0 for the end of the file.
    pub end_line: Option<LineNumber>,
    /// The mark of the line, or those of the first and the last of several, as `read` shows them.
    pub check: Option<SpokenChecks>,
    /// A path through the descriptor of a .proto file.
    pub descriptor_path: Option<Vec<i32>>,
}

/// One line, or the first and the last of several; a last one of 0 is the end of the file.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "Lines")]
#[serde(untagged, expecting = "expected a line number or [first, last]")]
pub(crate) enum SpokenLines {
    /// One line.
    One(LineNumber),
    /// From the first to the last.
    Several([LineNumber; 2]),
}

/// The mark of one line, or those of the first and the last of several.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(rename = "Checks")]
#[serde(untagged, expecting = "expected a mark or [first, last]")]
pub(crate) enum SpokenChecks {
    /// Of one line.
    One(String),
    /// Of the first and the last line.
    Several([String; 2]),
}

/// The number of a line. Numbers beyond 32 bits all become the largest one, since no text has so many lines.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(from = "u64")]
pub(crate) struct LineNumber(u32);

impl From<u64> for LineNumber {
    fn from(number: u64) -> LineNumber {
        LineNumber(u32::try_from(number).unwrap_or(u32::MAX))
    }
}

impl Spoken {
    /// The names of a symbol path that was given as a list. A name such as `x[1]` may be an index, or really be the
    /// name.
    pub(crate) fn names(&self) -> Option<&[String]> {
        let Spoken::Parts(Parts { scope: Some(SpokenScope::Parts(parts)), .. }) = self else { return None };
        parts.symbol_path.as_deref()
    }

    /// The string, if the location was given as one.
    pub(crate) fn words(&self) -> Option<&str> {
        match self {
            Spoken::Words(words) => Some(words),
            Spoken::Parts(_) => None,
        }
    }

    /// Reads a string of dotted names as modules that lead to a symbol, and returns it as a location without a file.
    pub(crate) fn module_path(&self) -> Option<String> {
        match self {
            Spoken::Words(words) => module_path(words),
            Spoken::Parts(_) => None,
        }
    }

    /// Converts to a location of the engine. `exists` returns whether a path names a file.
    pub(crate) fn location(self, exists: &dyn Fn(&str) -> bool) -> Result<Location, Failure> {
        match self {
            Spoken::Words(words) => Ok(Location::parse(&uri::plain(&words, exists), exists)?),
            Spoken::Parts(parts) => Ok(Location {
                path: parts.file_path.as_deref().map(uri::path).unwrap_or_default(),
                scope: parts.scope.map(SpokenScope::scope).transpose()?,
                find: parts.find,
                find_index: parts.find_index.map_or(0, |index| index as usize),
            }),
        }
    }
}

/// The location for modules and a symbol that are written as a bare path, such as `django.db.models.query.QuerySet` or
/// `crate::a::B@x`. `None` for any other words.
fn module_path(words: &str) -> Option<String> {
    let (path, _) = words.split_once('@').unwrap_or((words, ""));
    let plain = path.replace("::", ".");
    let names: Vec<&str> = plain.split('.').collect();
    let is_name = |name: &&str| {
        name.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    (names.len() > 1 && names.iter().all(is_name)).then(|| format!(":{words}"))
}

impl SpokenScope {
    fn scope(self) -> Result<Scope, Failure> {
        match self {
            SpokenScope::Words(words) => scope_of_words(&words),
            SpokenScope::Parts(parts) => parts.scope(),
        }
    }
}

impl ScopeParts {
    fn scope(self) -> Result<Scope, Failure> {
        let lines = match self.check {
            Some(checks) => Some(marked(self.line, checks)?),
            None => lines(self.line, self.start_line, self.end_line)?,
        };
        let symbol = self.symbol_path.map(symbol).transpose()?;
        let descriptor = self.descriptor_path.map(Scope::Descriptor);
        let mut scopes = [lines, symbol, descriptor].into_iter().flatten();
        match (scopes.next(), scopes.next()) {
            (Some(scope), None) => Ok(scope),
            (None, _) => Err(bad_scope("the scope is empty")),
            (Some(_), Some(_)) => Err(bad_scope("the scope says several things at once")),
        }
    }
}

impl fmt::Display for Spoken {
    /// Writes the string as it was given, and an object as a location string.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, self.clone().location(&|_| false)) {
            (Spoken::Words(words), _) => f.write_str(words),
            (Spoken::Parts(_), Ok(location)) => write!(f, "{location}"),
            (Spoken::Parts(parts), Err(_)) => f.write_str(parts.file_path.as_deref().unwrap_or_default()),
        }
    }
}

impl FromStr for Spoken {
    type Err = serde_json::Error;

    fn from_str(words: &str) -> Result<Spoken, serde_json::Error> {
        match serde_json::from_str(words) {
            Ok(object @ Value::Object(_)) => serde_json::from_value(object),
            _ => Ok(Spoken::Words(words.to_owned())),
        }
    }
}

// Written by hand, because serde's message for an untagged enum says only that nothing matched.
impl<'de> Deserialize<'de> for Spoken {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Spoken, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::String(words) => Ok(Spoken::Words(words)),
            object @ Value::Object(_) => {
                serde_json::from_value(object).map(Spoken::Parts).map_err(D::Error::custom)
            }
            _ => Err(D::Error::custom("expected a location string or an object with `file_path`")),
        }
    }
}

impl<'de> Deserialize<'de> for SpokenScope {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SpokenScope, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::String(words) => Ok(SpokenScope::Words(words)),
            object @ Value::Object(_) => {
                serde_json::from_value(object).map(SpokenScope::Parts).map_err(D::Error::custom)
            }
            _ => Err(D::Error::custom("expected a scope string or an object such as {\"line\": 42}")),
        }
    }
}

fn scope_of_words(words: &str) -> Result<Scope, Failure> {
    let location = Location::parse(&format!("file:{words}"), &|_| false)?;
    match location {
        Location { scope: Some(scope), find: None, .. } => Ok(scope),
        Location { find: Some(_), .. } => Err(bad_scope("the scope has an `@` in it")),
        _ => Err(bad_scope("the scope is empty")),
    }
}

/// Lines with their marks, read as if they were written in a location string.
fn marked(line: Option<SpokenLines>, checks: SpokenChecks) -> Result<Scope, Failure> {
    match (line, checks) {
        (Some(SpokenLines::One(LineNumber(line))), SpokenChecks::One(check)) => {
            scope_of_words(&format!("{line}~{check}"))
        }
        (
            Some(SpokenLines::Several([LineNumber(first), LineNumber(last)])),
            SpokenChecks::Several([one, other]),
        ) => scope_of_words(&format!("{first}~{one}-{last}~{other}")),
        _ => Err(bad_scope("`check` needs as many lines in `line` as it has marks")),
    }
}

/// The scope for these lines. Line 0, and an end before the start, are refused later, when the location is resolved.
fn lines(
    line: Option<SpokenLines>,
    start_line: Option<LineNumber>,
    end_line: Option<LineNumber>,
) -> Result<Option<Scope>, Failure> {
    let up_to = |last| if last == 0 { None } else { Some(last) };
    match (line, start_line, end_line) {
        (None, None, None) => Ok(None),
        (Some(SpokenLines::One(LineNumber(line))), None, None) => {
            Ok(Some(Scope::Lines { first: line, last: Some(line) }))
        }
        (Some(SpokenLines::Several([LineNumber(first), LineNumber(last)])), None, None) => {
            Ok(Some(Scope::Lines { first, last: up_to(last) }))
        }
        (None, Some(LineNumber(first)), Some(LineNumber(0))) => Ok(Some(Scope::Lines { first, last: None })),
        (None, Some(LineNumber(first)), Some(LineNumber(end))) if first < end => {
            Ok(Some(Scope::Lines { first, last: Some(end - 1) }))
        }
        (None, Some(LineNumber(first)), Some(LineNumber(end))) => {
            Err(bad_scope(&format!("no line lies between start_line {first} and end_line {end}")))
        }
        (None, ..) => Err(bad_scope("start_line and end_line need each other")),
        (Some(_), ..) => Err(bad_scope("the scope has line and start_line or end_line")),
    }
}

fn symbol(names: Vec<String>) -> Result<Scope, Failure> {
    if names.is_empty() {
        return Err(bad_scope("the symbol path is empty"));
    }
    Ok(Scope::Symbol(names.into_iter().map(segment).collect()))
}

/// Reads `method[1]` as the second `method`. If a symbol is really called `method[1]`, a later step finds it.
fn segment(name: String) -> Segment {
    let indexed = name.strip_suffix(']').and_then(|rest| rest.rsplit_once('['));
    match indexed.and_then(|(name, index)| Some((name, index.parse().ok()?))) {
        Some((name, index)) if !name.is_empty() => Segment { name: name.to_owned(), index: Some(index) },
        _ => Segment { name, index: None },
    }
}

fn bad_scope(message: &str) -> Failure {
    Failure::invalid(
        message,
        "write one of {\"symbol_path\": [\"Class\", \"method\"]}, {\"line\": 42}, {\"line\": [10, 20]}, \
         {\"start_line\": 10, \"end_line\": 21}",
    )
}
