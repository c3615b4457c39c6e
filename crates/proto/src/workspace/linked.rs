//! The files of a workspace as they import each other.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, LazyLock, OnceLock};

use locant_names::{self as names, Target};
use locant_text::{Offset, Range};

use super::mentions::{self, Mention, Thing, mentions};
use crate::file::{File, Form, Method};
use crate::known::{known_file, known_files};
use crate::pool::{Pool, SymbolRef, Unit, UnitId};

/// The files of a workspace as they import each other.
#[derive(Clone, Debug)]
pub(super) struct Linked {
    pub(super) pool: Pool,
    /// How many of the files of the pool are of the workspace. Invariant: they stand first, in the order of paths.
    n_files: usize,
    by_path: HashMap<String, UnitId>,
    /// The directories that imports are relative to.
    pub(super) roots: Vec<String>,
    /// The mentions of each file, once someone has asked.
    mentions: Vec<OnceLock<Vec<Mention>>>,
}

/// The files that come with protoc, as they are read.
static KNOWN: LazyLock<HashMap<&'static str, Arc<Unit>>> = LazyLock::new(|| {
    let unit = |path: &'static str| {
        let text = known_file(path)?.into_bytes();
        let file = File::parse(&text);
        Some((path, Arc::new(Unit::new(path, text, file))))
    };
    known_files().filter_map(unit).collect()
});

/// The files that come with protoc, in no order.
pub(super) fn known_units() -> impl Iterator<Item = &'static Unit> {
    known_files().filter_map(|path| KNOWN.get(path).map(Arc::as_ref))
}

impl Linked {
    pub(super) fn new(roots: &[String], files: &BTreeMap<String, Arc<Unit>>) -> Linked {
        let mut by_name: HashMap<&str, Vec<&str>> = HashMap::new();
        for path in files.keys() {
            by_name.entry(last_name(path)).or_default().push(path);
        }
        let units: Vec<Arc<Unit>> = files.values().cloned().collect();
        let n_files = units.len();
        let by_path = units.iter().zip(0..).map(|(unit, index)| (unit.path.clone(), UnitId::at(index)));
        let by_path = by_path.collect();
        let pool = Pool::linked(units, &mut |from, import| {
            let found = resolve(roots, files, &from.path, import);
            let found = found.or_else(|| nearest(by_name.get(last_name(import))?, &from.path, import));
            found.and_then(|path| files.get(&path)).or_else(|| KNOWN.get(import)).cloned()
        });
        let mentions = pool.units().map(|_| OnceLock::new()).collect();
        Linked { pool, n_files, by_path, roots: roots.to_vec(), mentions }
    }

    /// Puts a new text of a file in place of the old one. When that changes what is imported, it is given back.
    pub(super) fn replace(&mut self, unit: Arc<Unit>) -> Result<(), Arc<Unit>> {
        let Some(&id) = self.by_path.get(&unit.path) else { return Err(unit) };
        self.pool.replace(id, unit)?;
        // Names in any file may mean something else now.
        self.mentions = self.pool.units().map(|_| OnceLock::new()).collect();
        Ok(())
    }

    /// The file of the workspace with a path.
    pub(super) fn file(&self, path: &str) -> Option<UnitId> {
        self.by_path.get(path).copied()
    }

    /// The files of the workspace, in the order of paths.
    pub(super) fn files(&self) -> impl Iterator<Item = (UnitId, &Unit)> {
        self.pool.units().take(self.n_files)
    }

    /// Is a file one of the workspace, and not one of those that are always there?
    pub(super) fn is_file(&self, id: UnitId) -> bool {
        id.index() < self.n_files
    }

    /// What a file imports, and how it is written there.
    pub(super) fn imports_of(&self, id: UnitId) -> impl Iterator<Item = (UnitId, String)> {
        let unit = self.pool.unit(id);
        let imports = unit.file.imports.iter().zip(self.pool.imports(id));
        imports.filter_map(|(import, found)| Some(((*found)?, unit.import_path(import)?)))
    }

    /// The same of all files.
    pub(super) fn written_imports(&self) -> impl Iterator<Item = (UnitId, String)> {
        self.files().flat_map(|(id, _)| self.imports_of(id))
    }

    /// The mentions of a file, in the order of places.
    pub(super) fn mentions(&self, id: UnitId) -> &[Mention] {
        self.mentions[id.index()].get_or_init(|| mentions(&self.pool, id))
    }

    /// The mentions of a thing in a file.
    pub(super) fn mentions_of(&self, thing: &Thing, file: UnitId) -> Vec<names::Mention> {
        if matches!(thing, Thing::Unknown(_)) {
            return Vec::new();
        }
        let same = self.mentions(file).iter().filter(|mention| mention.thing == *thing);
        let mention = |mention: &Mention| names::Mention {
            path: self.pool.unit(file).path.clone(),
            range: mention.range,
            role: super::role(mention),
            is_guess: false,
        };
        same.map(mention).collect()
    }

    /// The files of the workspace that may mention a thing: those that have its name in their text.
    pub(super) fn mentioning(&self, thing: &Thing) -> impl Iterator<Item = UnitId> {
        let word = match thing {
            Thing::Symbol(symbol) => self.pool.unit(symbol.unit).written_name(symbol.id),
            Thing::Package(name) => last_of_dotted(name).to_owned(),
            Thing::File(id) => last_name(&self.pool.unit(*id).path).to_owned(),
            Thing::Unknown(_) => String::new(),
        };
        // The field of a group is in lower case.
        let lower = word.to_lowercase();
        let has = |text: &[u8], word: &str| memchr::memmem::find(text, word.as_bytes()).is_some();
        let files = self.files().filter(move |(_, unit)| has(&unit.text, &word) || has(&unit.text, &lower));
        files.map(|(id, _)| id)
    }

    /// Where a symbol is declared. The path may be one that only imports name: of a file that comes with protoc.
    pub(super) fn target(&self, symbol: SymbolRef) -> Target {
        let declaration = self.pool.declaration(symbol);
        let name = declaration.name.unwrap_or(Range::empty(declaration.range.start()));
        let path = self.pool.unit(symbol.unit).path.clone();
        Target { path, name, extent: declaration.range, is_guess: false }
    }

    /// The start of a file.
    pub(super) fn file_target(&self, id: UnitId) -> Target {
        let start = Range::empty(Offset::ZERO);
        Target { path: self.pool.unit(id).path.clone(), name: start, extent: start, is_guess: false }
    }

    /// The statements that declare a package, in the files that a file can see.
    pub(super) fn package_targets(&self, from: UnitId, name: &str) -> Vec<Target> {
        let visible = self.pool.visible(from).iter().filter(|&&id| self.is_file(id));
        let statement = |&id: &UnitId| {
            let declared = |mention: &&Mention| {
                mention.is_declaration && matches!(&mention.thing, Thing::Package(package) if package == name)
            };
            let found = self.mentions(id).iter().find(declared)?;
            let unit = self.pool.unit(id);
            let extent = unit.file.package.unwrap_or(found.range);
            Some(Target { path: unit.path.clone(), name: found.range, extent, is_guess: false })
        };
        visible.filter_map(statement).collect()
    }

    /// The type of a symbol: of a field, of what a method answers, the enum of a value.
    pub(super) fn type_of(&self, symbol: SymbolRef) -> Option<SymbolRef> {
        let declaration = self.pool.declaration(symbol);
        match declaration.form {
            Form::Field(_) => self.pool.type_of(symbol).or_else(|| self.pool.map_value(symbol)),
            Form::Value { .. } => Some(SymbolRef { unit: symbol.unit, id: declaration.parent? }),
            Form::Method(Method { output, .. }) => self.pool.type_named(symbol, output?),
            Form::Message { .. } | Form::Enum => Some(symbol),
            Form::Oneof | Form::Service => None,
        }
    }

    /// The innermost declaration around a place; of a group its message.
    pub(super) fn around(&self, id: UnitId, at: Offset) -> Option<SymbolRef> {
        let file = &self.pool.unit(id).file;
        let holds = |range: Range| range.start() < at && at < range.end();
        let innermost = file.iter().filter(|(_, declaration)| holds(declaration.range)).last()?.0;
        Some(mentions::canonical(&self.pool, SymbolRef { unit: id, id: innermost }))
    }
}

/// The file that an import names below the roots and the directories above the file it stands in.
fn resolve(
    roots: &[String],
    files: &BTreeMap<String, Arc<Unit>>,
    from: &str,
    import: &str,
) -> Option<String> {
    let above =
        std::iter::successors(from.rsplit_once('/').map_or(Some(""), |(above, _)| Some(above)), |path| {
            if path.is_empty() {
                return None;
            }
            Some(path.rsplit_once('/').map_or("", |(above, _)| above))
        });
    let mut places = roots.iter().map(String::as_str).chain(above);
    places.find_map(|directory| {
        let path = match directory {
            "" | "." => import.to_owned(),
            directory => format!("{}/{import}", directory.trim_end_matches('/')),
        };
        files.contains_key(&path).then_some(path)
    })
}

/// The file whose path ends with an import; of several the one nearest to the file that it stands in.
fn nearest(paths: &[&str], from: &str, import: &str) -> Option<String> {
    let ends = |path: &&&str| path.strip_suffix(import).is_some_and(|above| above.ends_with('/'));
    let n_shared =
        |path: &str| path.split('/').zip(from.split('/')).take_while(|(one, other)| one == other).count();
    let found = paths.iter().filter(ends);
    // The first of the best, whatever the order of asking.
    let best = found.min_by_key(|path| (std::cmp::Reverse(n_shared(path)), path.len(), **path));
    best.map(|path| (*path).to_owned())
}

fn last_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn last_of_dotted(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}
