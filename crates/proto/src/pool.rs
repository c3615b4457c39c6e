//! Files that import each other, and what names mean in them.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use locant_text::Range;

use crate::file::{
    Declaration, DeclarationId, Field, FieldKind, File, Form, Holder, Manner, OptionUse, OptionValue,
};
use crate::known::known_file;
use crate::value;

/// Where imported files come from.
pub trait Sources {
    /// The text of the file at the path that an import names; `None` when there is no such file.
    fn text(&self, path: &str) -> Option<Vec<u8>>;
}

/// No sources: only the files that come with protoc can be imported.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSources;

impl Sources for NoSources {
    fn text(&self, _: &str) -> Option<Vec<u8>> {
        None
    }
}

/// The number of a file in its pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitId(usize);

/// Files that import each other: one file with all that it imports, or all files of a workspace.
#[derive(Clone, Debug)]
pub struct Pool {
    /// Invariant: the file that the pool was made for, if it was made for one, is the first.
    units: Vec<Arc<Unit>>,
    /// How many known files, which come with protoc, are at the start of `units`. It is 0 if the pool was made for one
    /// file. If another file declares the same name as a known file, the other file is preferred.
    n_known: usize,
    /// Invariant: one element for each element of `units`.
    links: Vec<Links>,
}

/// The files that the imports of a file lead to.
#[derive(Clone, Debug, Default)]
struct Links {
    /// The file that each import names, in their order; `None` when it is missing.
    imports: Vec<Option<UnitId>>,
    /// The files whose names the file can use: itself, its imports, and what these import publicly. Computed on first
    /// use.
    visible: OnceLock<Vec<UnitId>>,
    /// The copy of descriptor.proto that declares the options of the file. Computed on first use.
    descriptor: OnceLock<Option<UnitId>>,
}

/// One file of a pool.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The path by which other files import it.
    pub path: String,
    /// Its text.
    pub text: Vec<u8>,
    /// What it declares.
    pub file: File,
    /// The package, without blanks.
    pub package: String,
    /// The declarations by full name, including fields and enum values.
    symbols: HashMap<String, DeclarationId>,
    /// The fields whose values are not kept at run time.
    source_only: HashSet<DeclarationId>,
    /// The indices in `file.options` of the options of each holder. Computed on first use.
    options: OnceLock<HashMap<Holder, Vec<usize>>>,
    /// The message of each field that is a group. Computed on first use.
    groups: OnceLock<HashMap<DeclarationId, DeclarationId>>,
}

/// A declaration of a file of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolRef {
    /// The file.
    pub unit: UnitId,
    /// The declaration.
    pub id: DeclarationId,
}

/// What a full name stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Named {
    Package,
    Symbol(SymbolRef),
}

/// What kind of declaration a lookup is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A message or an enum: other things with that name are passed over.
    Type,
    /// Anything.
    Any,
}

/// The file that declares the messages of options.
const DESCRIPTOR: &str = "google/protobuf/descriptor.proto";

impl UnitId {
    /// The file that the pool was made for.
    pub const MAIN: UnitId = UnitId(0);

    /// The id of the file at an index of the pool.
    pub(crate) const fn at(index: usize) -> UnitId {
        UnitId(index)
    }

    /// The index of the file in the pool.
    pub(crate) const fn index(self) -> usize {
        self.0
    }
}

impl Pool {
    /// Reads a file and all that it imports.
    pub fn new(path: &str, text: &[u8], sources: &dyn Sources) -> Pool {
        Pool::of(path, text, File::parse(text), sources)
    }

    /// A pool for a file that has been parsed already, with all that it imports.
    pub fn of(path: &str, text: &[u8], file: File, sources: &dyn Sources) -> Pool {
        let main = Arc::new(Unit::new(path, text.to_vec(), file));
        let read = |path: &str| {
            let text = sources.text(path).or_else(|| known_file(path).map(String::into_bytes))?;
            let file = File::parse(&text);
            Some(Arc::new(Unit::new(path, text, file)))
        };
        let mut found = HashMap::from([(path.to_owned(), Some(Arc::clone(&main)))]);
        Pool::linked(vec![main], &mut |_, path| {
            found.entry(path.to_owned()).or_insert_with(|| read(path)).clone()
        })
    }

    /// Files together with what they import. `find` takes a file and the path of one of its imports, and returns the
    /// imported file. Files are told apart by [`Unit::path`], so `find` must always give the same file the same path.
    pub(crate) fn linked(
        units: Vec<Arc<Unit>>,
        find: &mut dyn FnMut(&Unit, &str) -> Option<Arc<Unit>>,
    ) -> Pool {
        let by_path = units.iter().enumerate().map(|(index, unit)| (unit.path.clone(), UnitId(index)));
        let mut linker = Linker { by_path: by_path.collect(), units, find };
        let mut links = Vec::with_capacity(linker.units.len());
        while links.len() < linker.units.len() {
            let unit = Arc::clone(&linker.units[links.len()]);
            let imports = unit.file.imports.iter();
            let imports = imports.map(|import| linker.load(&unit, &unit.import_path(import)?)).collect();
            links.push(Links { imports, ..Links::default() });
        }
        // Options are fields of messages in this file, so it is needed even if nothing imports it.
        if let Some(unit) = linker.units.first().cloned() {
            linker.load(&unit, DESCRIPTOR);
        }
        links.resize(linker.units.len(), Links::default());
        Pool { units: linker.units, n_known: 0, links }
    }

    /// A pool of the known files, to which others can be added. The caller sets their imports with `link`.
    pub(crate) fn of_known(units: Vec<Arc<Unit>>) -> Pool {
        let links = vec![Links::default(); units.len()];
        Pool { n_known: units.len(), units, links }
    }

    /// Adds a file. The caller sets its imports with `link`.
    pub(crate) fn push(&mut self, unit: Arc<Unit>) -> UnitId {
        self.units.push(unit);
        self.links.push(Links::default());
        UnitId(self.units.len() - 1)
    }

    /// Replaces a file. The caller sets its imports with `link`.
    pub(crate) fn replace(&mut self, id: UnitId, unit: Arc<Unit>) {
        self.units[id.0] = unit;
    }

    /// Sets which files the imports of a file name, in the order of the imports.
    pub(crate) fn link(&mut self, id: UnitId, imports: Vec<Option<UnitId>>) {
        self.links[id.0] = Links { imports, ..Links::default() };
    }

    /// Forgets what was derived from the imports of all files, since some imports have changed.
    pub(crate) fn forget(&mut self) {
        for links in &mut self.links {
            (links.visible, links.descriptor) = (OnceLock::new(), OnceLock::new());
        }
    }

    /// Whether a file is one of the known files.
    pub(crate) fn is_known(&self, id: UnitId) -> bool {
        id.0 < self.n_known
    }

    /// A file and what it imports publicly, directly or indirectly.
    pub(crate) fn publicly_reached(&self, id: UnitId) -> Vec<UnitId> {
        self.reached(id, |manner| manner == Manner::Public)
    }

    /// A file and what it imports, directly or indirectly, through the kinds of import that `is_followed` accepts.
    pub(crate) fn reached(&self, id: UnitId, is_followed: impl Fn(Manner) -> bool) -> Vec<UnitId> {
        let mut reached = vec![id];
        let mut seen = HashSet::from([id]);
        let mut next = 0;
        while let Some(&at) = reached.get(next) {
            for (import, &found) in self.unit(at).file.imports.iter().zip(self.imports(at)) {
                reached.extend(found.filter(|&found| is_followed(import.manner) && seen.insert(found)));
            }
            next += 1;
        }
        reached
    }

    /// One file.
    pub fn unit(&self, id: UnitId) -> &Unit {
        &self.units[id.0]
    }

    /// All files. If the pool was made for one file, that file is the first.
    pub fn units(&self) -> impl Iterator<Item = (UnitId, &Unit)> {
        self.units.iter().enumerate().map(|(index, unit)| (UnitId(index), unit.as_ref()))
    }

    /// The file that each import of a file names, in their order; `None` when it is missing.
    pub fn imports(&self, id: UnitId) -> &[Option<UnitId>] {
        &self.links[id.0].imports
    }

    /// The paths of a file's imports that were not found.
    pub fn missing_imports(&self, id: UnitId) -> Vec<String> {
        let unit = self.unit(id);
        let imports = unit.file.imports.iter().zip(self.imports(id));
        imports
            .filter(|(_, found)| found.is_none())
            .filter_map(|(import, _)| unit.import_path(import))
            .collect()
    }

    /// The declaration of a symbol.
    pub fn declaration(&self, symbol: SymbolRef) -> &Declaration {
        self.unit(symbol.unit).file.get(symbol.id)
    }

    /// The name of a symbol with its package and the names of the declarations around it.
    pub fn full_name(&self, symbol: SymbolRef) -> String {
        self.unit(symbol.unit).full_name(symbol.id)
    }

    /// The symbol with a full name, in the files that `from` can see.
    pub fn find(&self, from: UnitId, full_name: &str) -> Option<SymbolRef> {
        match self.meaning(self.visible(from), full_name)? {
            Named::Symbol(symbol) => Some(symbol),
            Named::Package => None,
        }
    }

    /// The symbol with a full name in any file of the pool.
    pub fn find_anywhere(&self, full_name: &str) -> Option<SymbolRef> {
        let (others, known) = (self.units().skip(self.n_known), self.units().take(self.n_known));
        let mut all = others.chain(known);
        all.find_map(|(unit, file)| file.symbols.get(full_name).map(|&id| SymbolRef { unit, id }))
    }

    /// A message of descriptor.proto. It is from the copy that a file imports, directly or indirectly, or else from any
    /// copy.
    pub(crate) fn descriptor_message(&self, from: UnitId, name: &str) -> Option<SymbolRef> {
        let unit = (*self.links[from.0].descriptor.get_or_init(|| self.reached_descriptor(from)))?;
        let id = *self.unit(unit).symbols.get(&format!("google.protobuf.{name}"))?;
        Some(SymbolRef { unit, id })
    }

    fn reached_descriptor(&self, from: UnitId) -> Option<UnitId> {
        const MESSAGE: &str = "google.protobuf.FileOptions";
        let mut reached = vec![from];
        let mut seen = HashSet::from([from]);
        let mut next = 0;
        while let Some(&unit) = reached.get(next) {
            if self.unit(unit).symbols.contains_key(MESSAGE) {
                return Some(unit);
            }
            reached.extend(self.imports(unit).iter().flatten().filter(|&&id| seen.insert(id)));
            next += 1;
        }
        self.find_anywhere(MESSAGE).map(|symbol| symbol.unit)
    }

    /// The symbol that a name means in a declaration whose full name is `scope`. The search starts in the scope around
    /// the declaration and goes outward: with the scope `pkg.Foo.bar`, it tries `pkg.Foo.name`, `pkg.name`, then
    /// `name`.
    pub fn look_up(&self, from: UnitId, name: &str, scope: &str, wanted: Wanted) -> Option<SymbolRef> {
        let visible = self.visible(from);
        let symbol = |meaning| match meaning {
            Named::Symbol(symbol) => Some(symbol),
            Named::Package => None,
        };
        if let Some(full_name) = name.strip_prefix('.') {
            return self.meaning(visible, full_name).and_then(symbol);
        }
        let first = name.split('.').next().unwrap_or(name);
        let mut scope = scope;
        while let Some((outer, _)) = scope.rsplit_once('.') {
            scope = outer;
            let Some(meaning) = self.meaning(visible, &format!("{scope}.{first}")) else { continue };
            if first.len() == name.len() {
                if wanted == Wanted::Any || self.is_type(meaning) {
                    return symbol(meaning);
                }
            } else if self.has_members(meaning) {
                // As in C++, the first part of a dotted name decides: it hides the same name farther out.
                return self.meaning(visible, &format!("{scope}.{name}")).and_then(symbol);
            }
        }
        self.meaning(visible, name).and_then(symbol)
    }

    /// The message or enum that is the type of a field; `None` for a scalar type and for an unknown type.
    pub fn type_of(&self, symbol: SymbolRef) -> Option<SymbolRef> {
        let field = self.declaration(symbol).field()?;
        let unit = self.unit(symbol.unit);
        match field.kind {
            FieldKind::Type(range) => self.type_named(symbol, range),
            FieldKind::Group => {
                let id = *unit.groups().get(&symbol.id)?;
                Some(SymbolRef { unit: symbol.unit, id })
            }
            FieldKind::Map { .. } | FieldKind::Missing => None,
        }
    }

    /// The message or enum that is the type of the values of a map; `None` for a scalar type.
    pub(crate) fn map_value(&self, symbol: SymbolRef) -> Option<SymbolRef> {
        match self.declaration(symbol).field()?.kind {
            FieldKind::Map { value, .. } => self.type_named(symbol, value),
            _ => None,
        }
    }

    /// The message that an extension extends.
    pub(crate) fn extended(&self, extension: SymbolRef) -> Option<SymbolRef> {
        self.type_named(extension, self.declaration(extension).field()?.extendee?)
    }

    /// The message or enum that is named at `range`, inside the declaration `within`.
    pub(crate) fn type_named(&self, within: SymbolRef, range: Range) -> Option<SymbolRef> {
        let name = value::dotted(&self.unit(within.unit).text[range.indices()]);
        let is_scalar = value::is_scalar(name.as_bytes(), self.unit(within.unit).file.syntax);
        let scope = self.full_name(within);
        (!is_scalar).then(|| self.look_up(within.unit, &name, &scope, Wanted::Type)).flatten()
    }

    /// The field of a message that has this name.
    pub fn field(&self, message: SymbolRef, name: &str) -> Option<SymbolRef> {
        let unit = self.unit(message.unit);
        let id = *unit.symbols.get(&format!("{}.{name}", unit.full_name(message.id)))?;
        let declaration = unit.file.get(id);
        let is_field = declaration.field().is_some_and(|field| field.extendee.is_none());
        is_field.then_some(SymbolRef { unit: message.unit, id })
    }

    /// Whether the value of a field is not kept at run time.
    pub(crate) fn is_source_only(&self, field: SymbolRef) -> bool {
        self.unit(field.unit).source_only.contains(&field.id)
    }

    /// The files whose names a file can use: itself, its imports, and what these import publicly.
    pub fn visible(&self, from: UnitId) -> &[UnitId] {
        self.links[from.0].visible.get_or_init(|| self.visible_from(from))
    }

    fn visible_from(&self, from: UnitId) -> Vec<UnitId> {
        let mut visible = vec![from];
        let mut seen = HashSet::from([from]);
        let mut directs = HashSet::new();
        for &direct in self.imports(from).iter().flatten().filter(|&&direct| directs.insert(direct)) {
            visible.extend(self.publicly_reached(direct).into_iter().filter(|&id| seen.insert(id)));
        }
        visible
    }

    fn meaning(&self, visible: &[UnitId], full_name: &str) -> Option<Named> {
        let symbol = visible.iter().find_map(|&unit| {
            self.unit(unit).symbols.get(full_name).map(|&id| Named::Symbol(SymbolRef { unit, id }))
        });
        let is_package = |unit: &UnitId| {
            let rest = self.unit(*unit).package.strip_prefix(full_name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        symbol.or_else(|| visible.iter().any(is_package).then_some(Named::Package))
    }

    fn is_type(&self, meaning: Named) -> bool {
        match meaning {
            Named::Package => false,
            Named::Symbol(symbol) => {
                matches!(self.declaration(symbol).form, Form::Message { .. } | Form::Enum)
            }
        }
    }

    fn has_members(&self, meaning: Named) -> bool {
        match meaning {
            Named::Package => true,
            Named::Symbol(symbol) => {
                let form = self.declaration(symbol).form;
                matches!(form, Form::Message { .. } | Form::Enum | Form::Service)
            }
        }
    }
}

/// Collects files while their imports are followed.
struct Linker<'f> {
    units: Vec<Arc<Unit>>,
    by_path: HashMap<String, UnitId>,
    find: &'f mut dyn FnMut(&Unit, &str) -> Option<Arc<Unit>>,
}

impl Linker<'_> {
    fn load(&mut self, from: &Unit, import: &str) -> Option<UnitId> {
        let unit = (self.find)(from, import)?;
        Some(*self.by_path.entry(unit.path.clone()).or_insert_with(|| {
            self.units.push(unit);
            UnitId(self.units.len() - 1)
        }))
    }
}

impl Unit {
    pub(crate) fn new(path: &str, text: Vec<u8>, file: File) -> Unit {
        let package = file.package.map(|range| value::dotted(&text[range.indices()])).unwrap_or_default();
        let mut unit = Unit {
            path: path.to_owned(),
            text,
            file,
            package,
            symbols: HashMap::new(),
            source_only: HashSet::new(),
            options: OnceLock::new(),
            groups: OnceLock::new(),
        };
        unit.symbols = unit.all_symbols();
        unit.source_only = unit.all_source_only();
        unit
    }

    /// The path that an import names.
    pub fn import_path(&self, import: &crate::file::Import) -> Option<String> {
        let said = value::strings(&self.text[import.path?.indices()]);
        Some(String::from_utf8_lossy(&said).into_owned())
    }

    /// The name of a declaration, as the descriptor has it: the name of a group's field is in lower case.
    pub fn name(&self, id: DeclarationId) -> String {
        let declaration = self.file.get(id);
        let Some(range) = declaration.name else { return String::new() };
        let name = String::from_utf8_lossy(&self.text[range.indices()]).into_owned();
        match declaration.form {
            Form::Field(Field { kind: FieldKind::Group, .. }) => name.to_lowercase(),
            _ => name,
        }
    }

    /// The name of a declaration with its package and the names of the declarations around it. An enum is not a scope:
    /// the value `A` of the enum `pkg.E` is `pkg.A`.
    pub fn full_name(&self, id: DeclarationId) -> String {
        let mut names = vec![self.name(id)];
        let declaration = self.file.get(id);
        let mut parent = declaration.parent;
        if matches!(declaration.form, Form::Value { .. }) {
            parent = parent.and_then(|parent| self.file.get(parent).parent);
        }
        while let Some(id) = parent {
            names.push(self.name(id));
            parent = self.file.get(id).parent;
        }
        if !self.package.is_empty() {
            names.push(self.package.clone());
        }
        names.reverse();
        names.join(".")
    }

    /// The declaration with a full name.
    pub(crate) fn symbol(&self, full_name: &str) -> Option<DeclarationId> {
        self.symbols.get(full_name).copied()
    }

    /// The name of a declaration as it is written.
    pub(crate) fn written_name(&self, id: DeclarationId) -> String {
        let name = self.file.get(id).name;
        name.map(|range| String::from_utf8_lossy(&self.text[range.indices()]).into_owned())
            .unwrap_or_default()
    }

    /// Whether a declaration sets the option with this name to `true`.
    pub(crate) fn says(&self, id: DeclarationId, name: &[u8]) -> bool {
        let is_true = |value| match value {
            OptionValue::Identifier(range) => &self.text[range.indices()] == b"true",
            _ => false,
        };
        let is_named = |option: &OptionUse| match self.file.name_of(option) {
            [part] => !part.is_extension && &self.text[part.name.indices()] == name,
            _ => false,
        };
        self.options_of(Holder::Declaration(id)).any(|option| is_named(option) && is_true(option.value))
    }

    /// The options of a holder, in the order of the text.
    pub(crate) fn options_of(&self, holder: Holder) -> impl Iterator<Item = &OptionUse> {
        let by_holder = self.options.get_or_init(|| {
            let mut by_holder: HashMap<Holder, Vec<usize>> = HashMap::new();
            for (index, option) in self.file.options.iter().enumerate() {
                by_holder.entry(option.holder).or_default().push(index);
            }
            by_holder
        });
        let own = by_holder.get(&holder).map_or(&[][..], Vec::as_slice);
        own.iter().map(|&index| &self.file.options[index])
    }

    fn groups(&self) -> &HashMap<DeclarationId, DeclarationId> {
        self.groups.get_or_init(|| {
            let of_group = |(id, declaration): (DeclarationId, &Declaration)| match declaration.form {
                Form::Message { group: Some(field) } => Some((field, id)),
                _ => None,
            };
            self.file.iter().filter_map(of_group).collect()
        })
    }

    /// The value of an enum that has this name.
    pub(crate) fn value(&self, kind: DeclarationId, name: &[u8]) -> Option<DeclarationId> {
        let is_it = |declaration: &Declaration| {
            let is_named = declaration.name.is_some_and(|range| &self.text[range.indices()] == name);
            declaration.parent == Some(kind) && matches!(declaration.form, Form::Value { .. }) && is_named
        };
        // The full name of a value is in the scope around its enum, so another declaration may have the same full name.
        let beside = self.full_name(kind);
        let scope = beside.rfind('.').map_or("", |end| &beside[..=end]);
        let found = *self.symbols.get(&format!("{scope}{}", String::from_utf8_lossy(name)))?;
        let all = || self.file.children(Some(kind)).find(|(_, value)| is_it(value)).map(|(id, _)| id);
        if is_it(self.file.get(found)) { Some(found) } else { all() }
    }

    fn all_symbols(&self) -> HashMap<String, DeclarationId> {
        let mut symbols = HashMap::with_capacity(self.file.declarations.len());
        // Parents come before their children, so their full names are in `names` already.
        let mut names: Vec<String> = Vec::with_capacity(self.file.declarations.len());
        for (id, declaration) in self.file.iter() {
            let mut parent = declaration.parent;
            if matches!(declaration.form, Form::Value { .. }) {
                parent = parent.and_then(|parent| self.file.get(parent).parent);
            }
            let scope = parent.map_or(self.package.as_str(), |parent| names[parent.index()].as_str());
            let name = self.name(id);
            let full = if scope.is_empty() { name } else { format!("{scope}.{name}") };
            if declaration.name.is_some() {
                symbols.entry(full.clone()).or_insert(id);
            }
            names.push(full);
        }
        symbols
    }

    fn all_source_only(&self) -> HashSet<DeclarationId> {
        let says_source = |value| match value {
            OptionValue::Identifier(range) => &self.text[range.indices()] == b"RETENTION_SOURCE",
            _ => false,
        };
        let is_retention = |option: &&OptionUse| match self.file.name_of(option) {
            [part] => !part.is_extension && &self.text[part.name.indices()] == b"retention",
            _ => false,
        };
        let found = self.file.options.iter().filter(is_retention).filter(|option| says_source(option.value));
        found
            .filter_map(|option| match option.holder {
                Holder::Declaration(id) => Some(id),
                _ => None,
            })
            .collect()
    }
}
