//! Renders an outline as text, one symbol per line. Parts that are as usual are left out.
//!
//!     method A.f  2:9  [1:5 - 4:10]  declaration 2:5  header to 2:13  docs 1:5 - 1:12
//!
//! A line has the kind, the path, the place of the name, and the extent. In the path, names that are not symbols of
//! the file are in parentheses. Then come, if they differ from the usual: where the declaration starts if not with the
//! extent, where the header ends if before the end of the declaration, and the docs.

use locant_lang::Outline;
use locant_text::{Offset, Range};
use locant_tree::{Symbol, SymbolId};

/// Renders all symbols.
pub(crate) fn rendered(outline: &Outline, text: &[u8]) -> String {
    let mut lines = String::new();
    if !outline.package.is_empty() {
        lines += &format!("package {}\n", outline.package.join("."));
    }
    for (id, symbol) in outline.iter() {
        // A symbol that has no name in the source may be named after the word at its range: `Companion`.
        let mut said = String::from_utf8_lossy(&text[symbol.name_range.indices()]).to_lowercase();
        // A name that spans several lines is written in one line.
        if said.contains(['\n', '\r']) {
            said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        }
        assert!(symbol.name.to_lowercase().starts_with(&said), "{symbol:?}");
        lines += &format!("{} {}  {}\n", symbol.kind.word(), path(outline, id), places(symbol, text));
    }
    lines
}

fn places(symbol: &Symbol, text: &[u8]) -> String {
    let at = |offset| place(text, offset);
    let mut line = format!("{}  {}", at(symbol.name_range.start()), span(text, symbol.extent));
    if symbol.declaration.start() != symbol.extent.start() {
        line += &format!("  declaration {}", at(symbol.declaration.start()));
    }
    if symbol.header.end() != symbol.declaration.end() {
        line += &format!("  header to {}", at(symbol.header.end()));
    }
    assert_eq!(symbol.declaration.end(), symbol.extent.end());
    assert_eq!(symbol.header.start(), symbol.declaration.start());
    if let Some(docs) = symbol.docs {
        line += &format!("  docs {}", span(text, docs));
    }
    line
}

fn path(outline: &Outline, id: SymbolId) -> String {
    let symbol = outline.get(id);
    let mut path = symbol.parent.map(|parent| path(outline, parent) + ".").unwrap_or_default();
    for name in &symbol.qualifier {
        path += &format!("({name}).");
    }
    path + &symbol.name
}

fn span(text: &[u8], range: Range) -> String {
    format!("[{} - {}]", place(text, range.start()), place(text, range.end()))
}

/// The line and the byte in the line, both counted from 1.
fn place(text: &[u8], offset: Offset) -> String {
    let before = &text[..offset.index()];
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let column = before.iter().rev().take_while(|&&byte| byte != b'\n').count() + 1;
    format!("{line}:{column}")
}
