//! Links the files of a workspace by their imports.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, LazyLock, OnceLock};

use locant_names::{self as names, Target};
use locant_text::{Offset, Range};

use super::mentions::{self, Mention, Thing, mentions};
use crate::file::{File, Form, Method, OptionValue};
use crate::known::{known_file, known_files};
use crate::pool::{Pool, SymbolRef, Unit, UnitId};

/// The files of a workspace by their paths.
#[derive(Clone, Debug, Default)]
pub(super) struct Files {
    /// The directories that imports are relative to, in the order in which they are searched.
    roots: Vec<String>,
    pub(super) units: BTreeMap<String, Arc<Unit>>,
    /// The paths by their file name: `b.proto` for `a/b.proto`.
    by_name: HashMap<String, BTreeSet<String>>,
}

impl Files {
    pub(super) fn new(roots: Vec<String>) -> Files {
        Files { roots, ..Files::default() }
    }

    pub(super) fn insert(&mut self, unit: Arc<Unit>) {
        self.by_name.entry(last_name(&unit.path).to_owned()).or_default().insert(unit.path.clone());
        self.units.insert(unit.path.clone(), unit);
    }

    pub(super) fn remove(&mut self, path: &str) -> Option<Arc<Unit>> {
        if let Some(paths) = self.by_name.get_mut(last_name(path)) {
            paths.remove(path);
        }
        self.units.remove(path)
    }

    /// The path of the file that an import in the file `from` names.
    fn find(&self, from: &str, import: &str) -> Option<String> {
        let found = resolve(&self.roots, &self.units, from, import);
        found.or_else(|| nearest(self.by_name.get(last_name(import))?, from, import))
    }

    /// The imports of a file that name no file of the workspace, as written. Imports of files that come with protoc are
    /// included, because a project may have its own copy.
    pub(super) fn outside_imports(&self, unit: &Unit) -> Vec<String> {
        let imports = unit.file.imports.iter().filter_map(|import| unit.import_path(import));
        imports.filter(|import| self.find(&unit.path, import).is_none()).collect()
    }

    /// The paths of the workspace files that a file imports.
    pub(super) fn inside_imports(&self, unit: &Unit) -> Vec<String> {
        let imports = unit.file.imports.iter().filter_map(|import| unit.import_path(import));
        imports.filter_map(|import| self.find(&unit.path, &import)).collect()
    }
}

/// The files of a workspace, linked by their imports.
///
/// When a file is added or changed, only that file and the files that may import it are linked again. So the cost of a
/// change does not grow with the number of files.
#[derive(Clone, Debug)]
pub(super) struct Linked {
    pub(super) pool: Pool,
    /// The directories that imports are relative to.
    pub(super) roots: Vec<String>,
    by_path: BTreeMap<String, UnitId>,
    /// For each file name, the files that import a path with this file name.
    importers: HashMap<String, BTreeSet<UnitId>>,
    /// The files whose options have values in braces. Names in these values can mean a declaration in any file of the
    /// workspace.
    worldly: BTreeSet<UnitId>,
    /// The mentions in each file. Computed on first use.
    mentions: Vec<OnceLock<Vec<Mention>>>,
}

/// The files that come with protoc, parsed.
static KNOWN: LazyLock<BTreeMap<&'static str, Arc<Unit>>> = LazyLock::new(|| {
    let unit = |path: &'static str| {
        let text = known_file(path)?.into_bytes();
        let file = File::parse(&text);
        Some((path, Arc::new(Unit::new(path, text, file))))
    };
    known_files().filter_map(unit).collect()
});

/// The files that come with protoc, in no particular order.
pub(super) fn known_units() -> impl Iterator<Item = &'static Unit> {
    known_files().filter_map(|path| KNOWN.get(path).map(Arc::as_ref))
}

impl Linked {
    pub(super) fn new(files: &Files) -> Linked {
        let known: Vec<Arc<Unit>> = KNOWN.values().cloned().collect();
        let mut linked = Linked {
            pool: Pool::of_known(known),
            roots: files.roots.clone(),
            by_path: BTreeMap::new(),
            importers: HashMap::new(),
            worldly: BTreeSet::new(),
            mentions: Vec::new(),
        };
        for unit in files.units.values() {
            let id = linked.pool.push(Arc::clone(unit));
            linked.by_path.insert(unit.path.clone(), id);
        }
        let all: Vec<UnitId> = linked.pool.units().map(|(id, _)| id).collect();
        for &id in &all {
            locant_stop::check();
            linked.list(id);
            linked.link(files, id);
        }
        linked.mentions = all.iter().map(|_| OnceLock::new()).collect();
        linked
    }

    /// Adds a file, or replaces it if it is there already.
    pub(super) fn put(&mut self, files: &Files, unit: Arc<Unit>) {
        let (path, is_descriptor) = (unit.path.clone(), is_descriptor(&unit));
        let old = self.by_path.get(&path).copied();
        let id = match old {
            Some(id) => {
                self.unlist(id);
                self.pool.replace(id, unit);
                id
            }
            None => {
                self.mentions.push(OnceLock::new());
                self.pool.push(unit)
            }
        };
        self.by_path.insert(path, id);
        self.list(id);
        self.link(files, id);
        let has_importers = old.is_none() && self.link_importers(files, id);
        if old.is_some() || has_importers || is_descriptor {
            self.forget();
        } else {
            // No file imports the new file. So only the mentions in `worldly` files can change.
            self.worldly.iter().for_each(|id| self.mentions[id.index()] = OnceLock::new());
        }
    }

    /// Removes a file. Its id stays in use, for an empty file.
    pub(super) fn remove(&mut self, files: &Files, path: &str) {
        let Some(id) = self.by_path.remove(path) else { return };
        self.unlist(id);
        self.pool.replace(id, Arc::new(Unit::new(path, Vec::new(), File::parse(b""))));
        self.pool.link(id, Vec::new());
        self.link_importers(files, id);
        self.forget();
    }

    /// Whether most ids belong to removed files, so that it is better to link all files again with new ids.
    pub(super) fn is_mostly_empty(&self) -> bool {
        self.mentions.len() > 2 * (self.by_path.len() + KNOWN.len())
    }

    /// Links again the files that may import a file. Returns whether there are any besides the file itself.
    fn link_importers(&mut self, files: &Files, id: UnitId) -> bool {
        let name = last_name(&self.pool.unit(id).path);
        let importers: Vec<UnitId> = self.importers.get(name).into_iter().flatten().copied().collect();
        importers.iter().for_each(|&importer| self.link(files, importer));
        importers.iter().any(|&importer| importer != id)
    }

    /// Finds the files that the imports of a file name.
    fn link(&mut self, files: &Files, id: UnitId) {
        let unit = self.pool.unit(id);
        let known = |import: &str| KNOWN.keys().position(|path| *path == import).map(UnitId::at);
        let find = |import: &str| match files.find(&unit.path, import) {
            Some(path) => self.by_path.get(&path).copied(),
            None => known(import),
        };
        let imports = unit.file.imports.iter().map(|import| find(&unit.import_path(import)?)).collect();
        self.pool.link(id, imports);
    }

    fn list(&mut self, id: UnitId) {
        let unit = self.pool.unit(id);
        for import in imported_names(unit) {
            self.importers.entry(import).or_default().insert(id);
        }
        if unit.file.options.iter().any(|option| matches!(option.value, OptionValue::Aggregate(_))) {
            self.worldly.insert(id);
        }
    }

    fn unlist(&mut self, id: UnitId) {
        for import in imported_names(self.pool.unit(id)) {
            if let Some(importers) = self.importers.get_mut(&import) {
                importers.remove(&id);
            }
        }
        self.worldly.remove(&id);
    }

    /// Forgets what the names in all files mean, because they may mean something else now.
    fn forget(&mut self) {
        self.pool.forget();
        self.mentions.iter_mut().for_each(|mentions| drop(mentions.take()));
    }

    /// The file of the workspace with this path.
    pub(super) fn file(&self, path: &str) -> Option<UnitId> {
        self.by_path.get(path).copied()
    }

    /// The files of the workspace, in the order of paths.
    pub(super) fn files(&self) -> impl Iterator<Item = (UnitId, &Unit)> {
        self.by_path.values().map(|&id| (id, self.pool.unit(id)))
    }

    /// Whether a file is one of the workspace, and not one that comes with protoc.
    pub(super) fn is_file(&self, id: UnitId) -> bool {
        !self.pool.is_known(id)
    }

    /// The files that a file imports, each with the import as written.
    pub(super) fn imports_of(&self, id: UnitId) -> impl Iterator<Item = (UnitId, String)> {
        let unit = self.pool.unit(id);
        let imports = unit.file.imports.iter().zip(self.pool.imports(id));
        imports.filter_map(|(import, found)| Some(((*found)?, unit.import_path(import)?)))
    }

    /// The files that any file of the workspace imports, each with the import as written.
    pub(super) fn written_imports(&self) -> impl Iterator<Item = (UnitId, String)> {
        self.files().flat_map(|(id, _)| self.imports_of(id))
    }

    /// The mentions in a file, in the order of their places.
    pub(super) fn mentions(&self, id: UnitId) -> &[Mention] {
        self.mentions[id.index()].get_or_init(|| {
            locant_stop::check();
            mentions(&self.pool, id)
        })
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
            role: mention.role(),
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
        // The name of a group's field is in lower case.
        let lower = word.to_lowercase();
        let has = |text: &[u8], word: &str| memchr::memmem::find(text, word.as_bytes()).is_some();
        let files = self.files().filter(move |(_, unit)| has(&unit.text, &word) || has(&unit.text, &lower));
        files.map(|(id, _)| id)
    }

    /// Where a symbol is declared. The path of a file that comes with protoc is the path by which it is imported.
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

    /// The package statements for a package, in the files that a file can see.
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

    /// The type of a symbol: the type of a field, the response of a method, the enum of a value.
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

    /// The innermost declaration around a place. For a group it is the message.
    pub(super) fn around(&self, id: UnitId, at: Offset) -> Option<SymbolRef> {
        let file = &self.pool.unit(id).file;
        let holds = |range: Range| range.start() < at && at < range.end();
        let innermost = file.iter().filter(|(_, declaration)| holds(declaration.range)).last()?.0;
        Some(mentions::canonical(&self.pool, SymbolRef { unit: id, id: innermost }))
    }
}

/// The path of the file that an import names, in one of the roots or in a directory above the importing file.
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

/// The path that ends with an import. If there are several, it is the one nearest to the importing file.
fn nearest(paths: &BTreeSet<String>, from: &str, import: &str) -> Option<String> {
    let ends = |path: &&String| path.strip_suffix(import).is_some_and(|above| above.ends_with('/'));
    let n_shared =
        |path: &str| path.split('/').zip(from.split('/')).take_while(|(one, other)| one == other).count();
    let found = paths.iter().filter(ends);
    // The path breaks ties, so that the answer does not depend on the order of the files.
    found.min_by_key(|path| (std::cmp::Reverse(n_shared(path)), path.len(), *path)).cloned()
}

/// The file names of the paths that a file imports.
fn imported_names(unit: &Unit) -> Vec<String> {
    let imports = unit.file.imports.iter().filter_map(|import| unit.import_path(import));
    imports.map(|import| last_name(&import).to_owned()).collect()
}

/// Whether a file is a copy of descriptor.proto, which declares the options messages.
fn is_descriptor(unit: &Unit) -> bool {
    unit.symbol("google.protobuf.FileOptions").is_some()
}

fn last_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn last_of_dotted(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}
