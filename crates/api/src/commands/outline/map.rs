//! The map of a tree: as many symbols as a budget allows, starting with those that most files mention.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;

use locant_engine::{Offset, Outline, SymbolKind};
use locant_workspace::catalog::{Asked, Names, sweep_symbols};
use locant_workspace::mentions::mentions;
use locant_workspace::query::Place;
use locant_workspace::sweep::{Sweep, may_have_symbols};
use schemars::JsonSchema;
use serde::Serialize;

use super::symbols::one_line;
use crate::answer::Answer;
use crate::failure::Failure;
use crate::files::{Files, Source, language};
use crate::flags::Flags;
use crate::phrase::{Phrase, Voice, phrase, setting};
use crate::show;
use crate::symbol_search::named_at;
use crate::whole_tree::WholeTree;
use crate::wire;

/// How deep symbols of a map may be nested: types with their members, and functions.
const DEPTH: usize = 2;

/// How many symbols of a tree are ranked. More would not fit into any readable budget.
const RANKED: usize = 100_000;

/// How many characters of a signature a map shows.
const SIGNATURE: usize = 80;

/// The map of a tree.
#[derive(Debug, JsonSchema, Serialize)]
pub struct Map {
    /// The folder that paths start from.
    root: String,
    /// The files. The file with the most mentioned symbol comes first.
    map: Vec<MapFile>,
    /// How many symbols the tree has.
    total: usize,
    /// How many of these symbols are listed.
    listed: usize,
    /// The requested size, in characters.
    budget: usize,
    #[serde(skip)]
    is_elsewhere: bool,
}

/// A file and its listed symbols.
#[derive(Debug, JsonSchema, Serialize)]
struct MapFile {
    /// The path of the file.
    file_path: String,
    /// The symbols, in the order of the file.
    symbols: Vec<MapSymbol>,
}

/// A symbol of a map.
#[derive(Debug, JsonSchema, Serialize)]
struct MapSymbol {
    /// The names of the enclosing symbols, followed by its own name.
    path: Vec<String>,
    /// The kind of the symbol.
    kind: &'static str,
    /// Where the name of the symbol is.
    position: wire::Position,
    /// A location that leads to the symbol.
    location: String,
    /// How many files contain the name of the symbol.
    mentioned_in: u32,
    /// The signature on one line.
    detail: String,
}

/// A symbol that may be listed.
struct Ranked {
    /// How many files mention the name, times how much a mention counts, divided by the number of symbols that share
    /// the name.
    weight: f64,
    n_files: u32,
    /// Where the name of the symbol starts.
    start: Offset,
    path: Vec<String>,
}

/// The map of the tree below a directory.
pub(super) fn map(directory: &str, budget: usize, flags: &Flags, files: &Files) -> Result<Map, Failure> {
    let language = language(flags)?.map(locant_engine::Reader::name);
    let tree = WholeTree::at(directory, flags);
    let sweep = Sweep { root: &tree.root, wants: &may_have_symbols };
    let swept = sweep_symbols(&sweep, true, &Listed { language });
    let names: HashSet<&str> = swept
        .found
        .iter()
        .flat_map(|(_, some)| some.iter().filter_map(|one| one.1.last()))
        .map(String::as_str)
        .collect();
    let counts = mentions(&sweep, &names);
    let ranked = ranked(&swept.found, &counts);
    let total = swept.found.iter().map(|(_, some)| some.len()).sum();
    let chosen = chosen(&ranked, budget);
    let map: Vec<MapFile> =
        chosen.into_iter().filter_map(|(path, some)| file(path, some, &tree, flags, files)).collect();
    let listed = map.iter().map(|file| file.symbols.len()).sum();
    Ok(Map { root: tree.written(), map, total, listed, budget, is_elsewhere: tree.is_elsewhere() })
}

/// The symbols that a map may list.
struct Listed {
    /// The language that is asked for.
    language: Option<&'static str>,
}

impl Asked for Listed {
    type Found = Vec<(Offset, Vec<String>)>;

    fn may_find(&self, language: &str, _: Names<'_>) -> bool {
        self.language.is_none_or(|asked| asked == language)
    }

    fn look(&self, path: &str, language: &str, outline: &Outline) -> Option<Self::Found> {
        let is_asked = self.language.is_none_or(|asked| asked == language) && !Place::new(path).is_aside();
        let listed = if is_asked { declared(outline) } else { Vec::new() };
        (!listed.is_empty()).then_some(listed)
    }
}

/// The symbols of a file that a map may list.
fn declared(outline: &Outline) -> Vec<(Offset, Vec<String>)> {
    let mut declared = Vec::new();
    for (id, symbol) in outline.iter() {
        let path = outline.path(id);
        let is_private = path.iter().any(|name| name.starts_with('_'));
        if path.len() <= DEPTH && is_code(symbol.kind) && !is_private && symbol.name.len() > 2 {
            let start = symbol.name_range.start();
            declared.push((start, path.into_iter().map(str::to_owned).collect()));
        }
    }
    declared
}

/// Whether a symbol is code that other files use by name. Keys and headings in data and markup are not.
fn is_code(kind: SymbolKind) -> bool {
    let is_markup =
        matches!(kind, SymbolKind::Key | SymbolKind::Heading | SymbolKind::Selector | SymbolKind::Element);
    !is_markup && !kind.is_value()
}

/// How much a mention of a name counts. A plain word such as `get` may mean anything. `QuerySet` or `get_or_create`
/// usually means the symbol.
fn telling(name: &str) -> f64 {
    let is_plain = name.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_word = is_plain || name.len() < 5 || name[1..].bytes().all(|byte| byte.is_ascii_lowercase());
    if is_word { 0.05 } else { 1.0 }
}

type Declared = (String, Vec<(Offset, Vec<String>)>);

/// The symbols sorted by weight. If several symbols share a name, its mentions are divided among them.
fn ranked<'f>(found: &'f [Declared], counts: &HashMap<String, u32>) -> Vec<(&'f str, Ranked)> {
    let mut n_declared: HashMap<&str, u32> = HashMap::new();
    for name in found.iter().flat_map(|(_, some)| some.iter().filter_map(|(_, path)| path.last())) {
        *n_declared.entry(name).or_default() += 1;
    }
    let mut ranked = Vec::new();
    for (file, some) in found {
        for (start, path) in some {
            let name = path.last().map(String::as_str).unwrap_or_default();
            let n_files = counts.get(name).copied().unwrap_or(0);
            let n_declared = f64::from(n_declared.get(name).copied().unwrap_or(1));
            let weight = telling(name) * f64::from(n_files) / n_declared;
            ranked.push((file.as_str(), Ranked { weight, n_files, start: *start, path: path.clone() }));
        }
    }
    ranked.sort_by(|(_, one), (_, other)| other.weight.total_cmp(&one.weight));
    ranked.truncate(RANKED);
    ranked
}

/// The symbols that fit into the budget, by file. The file with the most mentioned symbol comes first.
fn chosen<'f, 'r>(ranked: &'r [(&'f str, Ranked)], budget: usize) -> Vec<(&'f str, Vec<&'r Ranked>)> {
    let mut by_file: BTreeMap<&str, (usize, Vec<&Ranked>)> = BTreeMap::new();
    let mut left = budget;
    for (order, (file, one)) in ranked.iter().enumerate() {
        let heading = if by_file.contains_key(file) { 0 } else { file.len() + 2 };
        // The estimated length of a line with its number, kind and signature.
        let cost = heading + 20 + one.path.iter().map(String::len).sum::<usize>() + SIGNATURE / 2;
        if cost > left {
            break;
        }
        left -= cost;
        by_file.entry(file).or_insert_with(|| (order, Vec::new())).1.push(one);
    }
    let mut files: Vec<(usize, &str, Vec<&Ranked>)> =
        by_file.into_iter().map(|(file, (order, some))| (order, file, some)).collect();
    files.sort_by_key(|(order, ..)| *order);
    files.into_iter().map(|(_, file, some)| (file, some)).collect()
}

fn file(
    path: &str,
    mut some: Vec<&Ranked>,
    tree: &WholeTree,
    flags: &Flags,
    files: &Files,
) -> Option<MapFile> {
    let shown = tree.shown(path);
    let document = files.open(Source { path: &shown, text: None }, flags).ok()?;
    some.sort_by_key(|one| one.start);
    let symbols = some.into_iter().filter_map(|one| {
        let (_, symbol) = named_at(&document, one.start)?;
        Some(MapSymbol {
            path: one.path.clone(),
            kind: symbol.kind.word(),
            position: wire::position(&document, one.start, flags.encoding()),
            location: wire::location(&document, one.start),
            mentioned_in: one.n_files,
            detail: one_line(&document.text().lossy(symbol.header)),
        })
    });
    Some(MapFile { file_path: shown.clone(), symbols: symbols.collect() })
}

impl Answer for Map {
    fn text(&self, _: &dyn Voice) -> String {
        let mut text = String::new();
        for file in &self.map {
            // Writing to a string does not fail.
            let _ = writeln!(text, "{}:1:1", show::path(&file.file_path));
            for symbol in &file.symbols {
                let wire::Position { line, character } = symbol.position;
                let _ = writeln!(text, "  {line}:{character}  {}", show::visible(&symbol.said()));
            }
        }
        text
    }

    fn markdown(&self, _: &dyn Voice) -> String {
        let mut markdown = String::new();
        for file in &self.map {
            let _ = writeln!(markdown, "{}", show::code(&file.file_path));
            for symbol in &file.symbols {
                let _ = writeln!(markdown, "- {}: {}", symbol.position.line, symbol.said());
            }
        }
        markdown
    }

    fn notes(&self) -> Vec<Phrase> {
        let root = self.is_elsewhere.then(|| format!("paths start from `{}`", self.root).into());
        let part = (self.listed < self.total).then(|| {
            let said = format!("these are the {} most mentioned of {} symbols; `", self.listed, self.total);
            phrase![said, setting("budget", (self.budget * 4).to_string()), "` lists more"]
        });
        root.into_iter().chain(part).collect()
    }
}

impl MapSymbol {
    fn said(&self) -> String {
        let name = self.path.join(".");
        let signature = match self.detail.char_indices().nth(SIGNATURE) {
            Some((cut, _)) => format!("{}…", &self.detail[..cut]),
            None => self.detail.clone(),
        };
        format!("{} {name}  {signature}", self.kind)
    }
}
