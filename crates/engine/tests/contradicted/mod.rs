//! Locations that name an existing symbol, but with one detail that its declaration contradicts.

use locant_engine::{Document, Outline, Range, Symbol, SymbolKind};

/// Keywords that exclude each other: a declaration has at most one of them.
const KEYWORDS: [&str; 12] = [
    "class",
    "struct",
    "enum",
    "interface",
    "trait",
    "protocol",
    "union",
    "record",
    "const",
    "let",
    "var",
    "mod",
];

const MODIFIERS: [&str; 6] = ["async", "static", "abstract", "override", "export", "unsafe"];

/// A word that occurs in no source.
const NONSENSE: &str = "Zyxwvu";

/// Locations that contradict a declaration, for each symbol of a document.
pub(crate) fn locations(document: &Document) -> Vec<String> {
    let Some(outline) = document.outline() else { return Vec::new() };
    let mut written = Vec::new();
    for (id, symbol) in outline.iter().filter(|(_, symbol)| is_plain(&symbol.name)) {
        let path = outline.path(id);
        if !path.iter().all(|name| is_plain(name)) {
            continue;
        }
        let (name, path) = (&symbol.name, path.join("."));
        let fronts = fronts(document, outline, name);
        let is_new = |word: &&&str| !fronts.iter().any(|front| front.iter().any(|own| own == **word));
        // One keyword may introduce several names, as in `var a, b`. Then it is not directly before each of them, and
        // another keyword would not be a contradiction.
        let has_keyword = fronts.iter().all(|front| front.iter().any(|own| KEYWORDS.contains(&own.as_str())));
        if has_keyword {
            written.extend(KEYWORDS.iter().filter(is_new).map(|keyword| format!("{keyword} {name}")));
        }
        written.extend(MODIFIERS.iter().filter(is_new).map(|modifier| format!("{modifier} {path}")));
        written.push(format!("{NONSENSE} {path}"));
        written.extend(of_kind(symbol, &path));
    }
    written
}

fn of_kind(symbol: &Symbol, path: &str) -> Vec<String> {
    let name = &symbol.name;
    match symbol.kind {
        kind if kind.is_callable() => vec![
            format!("{path}({NONSENSE}, {NONSENSE})"),
            format!("{path}() -> {NONSENSE}"),
            format!("{path}(): {NONSENSE}"),
            format!("{path}({NONSENSE}:)"),
            format!("{path}({NONSENSE}) const"),
            format!("{path}/97"),
            format!("<{NONSENSE} as {NONSENSE}>::{name}"),
        ],
        SymbolKind::Class | SymbolKind::Struct => vec![
            format!("class {name}({NONSENSE})"),
            format!("class {name} extends {NONSENSE}"),
            format!("class {name} : public {NONSENSE} {{"),
            format!("struct {name}: {NONSENSE}"),
        ],
        _ => Vec::new(),
    }
}

/// For each symbol with this name, the words before the name in its declaration.
fn fronts(document: &Document, outline: &Outline, name: &str) -> Vec<Vec<String>> {
    let namesakes = outline.symbols().iter().filter(|symbol| symbol.name == name);
    let words = |symbol: &Symbol| {
        let start = symbol.extent.start().min(symbol.name_range.start());
        let front = document.text().lossy(Range::new(start, symbol.name_range.start()));
        front.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_owned).collect()
    };
    namesakes.map(words).collect()
}

fn is_plain(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphabetic()) && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}
