//! The languages that are skimmed. Each has a table that describes how it is written.

mod csharp;
mod css;
mod go;
mod java;
mod php;
mod python;
mod rust;
mod scripts;
mod xml;

use crate::indented::Indented;
use crate::keyworded::Keyworded;
use crate::lined::Lined;
use crate::propertied::Propertied;
use crate::scripted::Scripted;
use crate::sigiled::Sigiled;
use crate::styled::Styled;
use crate::tagged::Tagged;
use crate::typed::Typed;

/// The table of a language. The variant says which reader reads it.
#[derive(Debug)]
pub(crate) enum Table {
    Indented(&'static Indented),
    Keyworded(&'static Keyworded),
    Lined(&'static Lined),
    Propertied(&'static Propertied),
    Scripted(&'static Scripted),
    Sigiled(&'static Sigiled),
    Styled(&'static Styled),
    Tagged(&'static Tagged),
    Typed(&'static Typed),
}

/// The table of the language with this name.
pub(crate) fn by_name(name: &str) -> Option<&'static Table> {
    TABLES.iter().find(|(own, _)| *own == name).map(|(_, table)| table)
}

/// The names of all languages that are skimmed.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    TABLES.iter().map(|(name, _)| *name)
}

static TABLES: &[(&str, Table)] = &[
    ("csharp", Table::Propertied(&csharp::CSHARP)),
    ("css", Table::Styled(&css::CSS)),
    ("go", Table::Lined(&go::GO)),
    ("java", Table::Typed(&java::JAVA)),
    ("javascript", Table::Scripted(&scripts::JAVASCRIPT)),
    ("php", Table::Sigiled(&php::PHP)),
    ("python", Table::Indented(&python::PYTHON)),
    ("rust", Table::Keyworded(&rust::RUST)),
    ("tsx", Table::Scripted(&scripts::TSX)),
    ("typescript", Table::Scripted(&scripts::TYPESCRIPT)),
    ("xml", Table::Tagged(&xml::XML)),
];
