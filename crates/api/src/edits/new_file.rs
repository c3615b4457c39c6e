//! A file that is made for a symbol: the symbol, below the first lines that its language wants there.
//!
//! These lines are not made up. They are taken from the file that the symbol leaves or, in another folder, from a file
//! that is there already.

use std::path::{Path, PathBuf};

use locant_engine::{Document, Outline, Symbol, SymbolId, proto};
use locant_workspace::{Base, reading, walk};

use crate::failure::{Failure, Kind};

/// How many statements at the top of a file are looked at, and how many files beside a new one.
const MOST: usize = 40;

/// The text of a new file `to` that has only a symbol of another file. `text` is what is written of the symbol.
pub(crate) fn text_of_new(
    from: &Document,
    id: SymbolId,
    text: &str,
    to: &str,
    base: &Base,
) -> Result<String, Failure> {
    let symbol = from.outline().map(|outline| outline.get(id).clone());
    let Some(symbol) = symbol else { return Err(unknown(to, "the language of the symbol is not read")) };
    let line_break = if from.text().bytes().windows(2).any(|two| two == b"\r\n") { "\r\n" } else { "\n" };
    let body = outdented(text, line_break);
    let opening = opening(from, to, base)?;
    let head: String = opening.iter().map(|statement| format!("{statement}{line_break}")).collect();
    let gap = if head.is_empty() { "" } else { line_break };
    let whole = format!("{head}{gap}{body}{line_break}");
    let reads = Document::new(to, whole.as_bytes()).is_ok_and(|document| has(&document, &symbol));
    if reads { Ok(whole) } else { Err(unknown(to, "alone in a file the symbol would not be what it is")) }
}

/// The statements that the new file begins with.
fn opening(from: &Document, to: &str, base: &Base) -> Result<Vec<String>, Failure> {
    let own = Opening::of(from);
    if own.package.is_empty() {
        return Ok(own.statements);
    }
    let (from_path, to_path) = (base.absolute(from.path()), base.absolute(to));
    let is_same_folder = from_path.parent() == to_path.parent();
    let beside = openings_beside(&to_path, &from_path);
    let is_named_like_file =
        from_path.file_stem().and_then(|stem| stem.to_str()) == own.package.last().map(String::as_str);
    let is_shared = beside.iter().any(|other| other.package == own.package);
    if is_same_folder && (is_shared || beside.is_empty() && !is_named_like_file) {
        return Ok(own.statements);
    }
    match beside.split_first() {
        Some((first, rest)) if !is_same_folder && rest.iter().all(|other| other.package == first.package) => {
            Ok(first.statements.clone())
        }
        _ => Err(unknown(to, &format!("`{}` is in the package `{}`", from.path(), own.package.join(".")))),
    }
}

/// The statements at the top of a file that it cannot do without, and the package that they name.
struct Opening {
    package: Vec<String>,
    statements: Vec<String>,
}

impl Opening {
    /// Those statements without any of which the rest would mean something else.
    fn of(document: &Document) -> Opening {
        let Some(outline) = document.outline() else {
            return Opening { package: Vec::new(), statements: Vec::new() };
        };
        let first = outline.symbols().iter().min_by_key(|symbol| symbol.extent.start());
        let body = first.map(|symbol| document.text().lossy(symbol.extent).into_owned()).unwrap_or_default();
        let mut statements = at_top(document, outline);
        let whole = Meaning::of(document.path(), &statements, &body);
        for at in (0..statements.len()).rev() {
            let without = statements.iter().enumerate().filter(|(other, _)| *other != at);
            let without: Vec<String> = without.map(|(_, statement)| statement.clone()).collect();
            if Meaning::of(document.path(), &without, &body) == whole {
                statements = without;
            }
        }
        Opening { package: outline.package.clone(), statements }
    }
}

/// What the first lines of a file say about all of it.
#[derive(PartialEq)]
struct Meaning {
    package: Vec<String>,
    symbols: Vec<String>,
    syntax: Option<proto::Syntax>,
}

impl Meaning {
    fn of(path: &str, statements: &[String], body: &str) -> Option<Meaning> {
        let text: String = statements.iter().map(|statement| format!("{statement}\n")).collect();
        let document = Document::new(path, (text + "\n" + body + "\n").into_bytes()).ok()?;
        let outline = document.outline()?;
        let symbols = outline.symbols().iter().map(|symbol| symbol.name.clone()).collect();
        Some(Meaning {
            package: outline.package.clone(),
            symbols,
            syntax: document.proto().map(|file| file.syntax),
        })
    }
}

/// The statements before the first symbol.
fn at_top(document: &Document, outline: &Outline) -> Vec<String> {
    let Some(tree) = document.tree() else { return Vec::new() };
    let first = outline.symbols().iter().map(|symbol| symbol.extent.start()).min();
    let nodes = tree.nodes();
    let mut statements = Vec::new();
    // The first node is the whole file.
    let mut at = 1;
    while let Some(node) = nodes.get(at).filter(|node| first.is_none_or(|first| node.range.end() <= first)) {
        at += 1 + node.n_below() as usize;
        let statement = document.text().lossy(node.range);
        // In some grammars the mark that ends a statement is a node of its own.
        if !statement.trim().is_empty() && statements.len() < MOST {
            statements.push(statement.trim_end().to_owned());
        }
    }
    statements
}

/// How the files begin that stand beside a new one and have its extension.
fn openings_beside(to: &Path, from: &Path) -> Vec<Opening> {
    let Some(folder) = to.parent() else { return Vec::new() };
    let is_like = |path: &Path| path.extension() == to.extension() && path != from && path != to;
    let mut walk = walk::walker(folder, |_| ());
    let entries = walk.max_depth(Some(1)).build().flatten();
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.path().to_owned()).filter(|path| is_like(path)).collect();
    paths.sort();
    let read = |path: &PathBuf| Document::new(path.to_str()?, reading::read_text(path).ok()?).ok();
    paths.iter().take(MOST).filter_map(read).map(|document| Opening::of(&document)).collect()
}

/// Whether a document has a symbol of this name and kind that is in no other.
fn has(document: &Document, symbol: &Symbol) -> bool {
    let is_it = |other: &Symbol| other.name == symbol.name && other.parent.is_none();
    document.outline().is_some_and(|outline| !outline.is_damaged && outline.symbols().iter().any(is_it))
}

/// The lines without the indentation of the first one.
fn outdented(text: &str, line_break: &str) -> String {
    let blanks = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let lines: Vec<&str> = text.lines().collect();
    let own = lines.first().map_or(0, |line| blanks(line));
    let moved = |line: &&str| line[own.min(blanks(line))..].to_owned();
    lines.iter().map(moved).collect::<Vec<_>>().join(line_break)
}

fn unknown(to: &str, why: &str) -> Failure {
    Failure::new(
        Kind::Refused,
        format!("`{to}` is not there, and how it would have to begin is not known: {why}"),
        "make the file with its first lines, and ask again",
    )
}
