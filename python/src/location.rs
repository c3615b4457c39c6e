//! Locations as Python sees them: a path, a scope and a find.

use locant_engine::{self as engine, Location, Scope, Segment};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A scope as Python sees it. At most one part is present: the names of a symbol; the first and the last line, where 0
/// as the last line means the end of the file; the numbers of a descriptor path; or, for all other scopes, the scope as
/// it is written in a location string.
pub(crate) type Parts = (Option<Vec<String>>, Option<(u32, u32)>, Option<Vec<i32>>, Option<String>);

/// Reads a location string: its path, scope and find.
#[pyfunction]
pub(crate) fn parse(text: &str) -> PyResult<(String, Parts, Option<String>)> {
    let location = Location::parse(text, &|_| false)
        .map_err(|error| PyValueError::new_err(format!("{}: {}", error.message, error.hint)))?;
    Ok((location.path, location.scope.map(parts).unwrap_or_default(), location.find))
}

/// Writes a location string that [`parse`] reads as the same parts.
#[pyfunction]
pub(crate) fn write(path: String, scope: Parts, find: Option<String>) -> PyResult<String> {
    let scope = read(scope).map_err(PyValueError::new_err)?;
    Ok(Location { path, scope, find, find_index: 0 }.to_string())
}

/// The marker in a find, and where it starts and ends, counted in characters.
#[pyfunction]
pub(crate) fn marker(text: &str) -> Option<(&str, usize, usize)> {
    let range = engine::marker(text)?;
    let marker = &text[range.clone()];
    let start = text[..range.start].chars().count();
    // A marker has brackets and a bar only, so its characters are its bytes.
    Some((marker, start, start + marker.len()))
}

/// The scope of the engine that the parts mean.
pub(crate) fn read(parts: Parts) -> Result<Option<Scope>, String> {
    Ok(match parts {
        (Some(names), ..) => Some(Scope::Symbol(names.into_iter().map(segment).collect())),
        (_, Some((first, last)), ..) => {
            Some(Scope::Lines { first, last: Some(last).filter(|last| *last > 0) })
        }
        (_, _, Some(numbers), _) => Some(Scope::Descriptor(numbers)),
        (.., Some(written)) => {
            let location = Location::parse(&format!("file:{written}"), &|_| false);
            location.map_err(|error| error.message)?.scope
        }
        (None, None, None, None) => None,
    })
}

fn parts(scope: Scope) -> Parts {
    match scope {
        Scope::Symbol(segments) => (Some(segments.into_iter().map(name).collect()), None, None, None),
        Scope::Lines { first, last } => (None, Some((first, last.unwrap_or_default())), None, None),
        Scope::Descriptor(numbers) => (None, None, Some(numbers), None),
        other => (None, None, None, Some(other.to_string())),
    }
}

fn name(segment: Segment) -> String {
    match segment.index {
        Some(index) => format!("{}[{index}]", segment.name),
        None => segment.name,
    }
}

/// Reads `method[1]` as the second `method`.
fn segment(name: String) -> Segment {
    let indexed = name.strip_suffix(']').and_then(|rest| rest.rsplit_once('['));
    match indexed.and_then(|(name, index)| Some((name, index.parse().ok()?))) {
        Some((name, index)) if !name.is_empty() => Segment { name: name.to_owned(), index: Some(index) },
        _ => Segment { name, index: None },
    }
}
