//! The location table of a .proto file for the page.

use std::collections::HashMap;

use locant_engine::proto::{Columns, Interpretation, Lookup, Names, NoSources, Pool, Row, TableKind};
use locant_engine::{Document, Reader};
use serde::Serialize;

use super::super::proto::imports::Imports;
use crate::flags::Flags;

/// The location table of a .proto file, as `proto` gives it.
#[derive(Serialize)]
pub(super) struct Table {
    rows: Vec<ShownRow>,
    /// Imports that cannot be read. Options that they declare keep their paths in the raw table.
    missing_imports: Vec<String>,
}

/// A location of the table.
#[derive(Serialize)]
struct ShownRow {
    path: Vec<i32>,
    /// The path by name.
    name: String,
    /// As protoc counts: from 0, in bytes, with tab stops of 8.
    span: Vec<u32>,
    range: [u32; 2],
    /// The index of this range among those with the same path, in the table that locations use. That table is made
    /// without reading imports. Absent if the range is not in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    nth: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    leading: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trailing: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    detached: Vec<String>,
}

impl Table {
    /// The table; `None` if the file is in another language.
    pub(super) fn of(document: &Document, proto_path: &[String], flags: &Flags) -> Option<Table> {
        let Some(Reader::Proto) = document.reader() else { return None };
        let (path, bytes) = (document.path(), document.text().bytes());
        let file = document.proto()?;
        let imports = Imports::new(path, proto_path, flags);
        let pool = Pool::of(&imports.name(path), bytes, file.clone(), &imports);
        let interpretation = Interpretation::new(&pool);
        let lookup = Lookup::new(&pool, &interpretation);
        let names = Names::new(&pool);
        let columns = Columns::new(bytes);
        let addressed = addressed(document)?;
        let said = |text: Vec<u8>| String::from_utf8_lossy(&text).into_owned();
        let shown = |row: Row<'_>| {
            let range = super::facts::ends(row.range());
            let with_path = addressed.get(&row.path);
            ShownRow {
                name: names.name(&row.path),
                span: columns.span(row.location.start(), row.location.end()).unwrap_or_default(),
                nth: with_path.and_then(|ranges| ranges.iter().position(|other| *other == range)),
                range,
                leading: row.location.leading(bytes).map(said),
                trailing: row.location.trailing(bytes).map(said),
                detached: row.location.detached(bytes).into_iter().map(said).collect(),
                path: row.path,
            }
        };
        let rows = lookup.rows(TableKind::Default).into_iter().map(shown).collect();
        let main = locant_engine::proto::UnitId::MAIN;
        Some(Table { rows, missing_imports: pool.missing_imports(main) })
    }
}

/// The ranges by path in the table that locations use: that of the file alone, with all options.
fn addressed(document: &Document) -> Option<HashMap<Vec<i32>, Vec<[u32; 2]>>> {
    let file = document.proto()?;
    let pool = Pool::of(document.path(), document.text().bytes(), file.clone(), &NoSources);
    let interpretation = Interpretation::new(&pool);
    let mut addressed: HashMap<Vec<i32>, Vec<[u32; 2]>> = HashMap::new();
    for row in Lookup::new(&pool, &interpretation).rows(TableKind::Retained) {
        let range = super::facts::ends(row.range());
        addressed.entry(row.path).or_default().push(range);
    }
    Some(addressed)
}
