//! Which symbol a declaration is a member of: scopes become names, names become parents where they are declared.

use std::collections::HashMap;

use locant_text::Range;
use locant_tree::SymbolKind;

use crate::item::{Frame, Item};

/// Where an item belongs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Link {
    /// The symbol it is a member of. Never a scope.
    pub(crate) parent: Option<usize>,
    /// Names between the parent and it.
    pub(crate) qualifier: Vec<Range>,
    /// A declaration that does not count: the one that stands for it.
    pub(crate) repeats: Option<usize>,
}

/// More names in front, or more scopes around, than a person would write.
const MAX_NAMES: usize = 32;
const MAX_SCOPES: usize = 64;

/// The links of all items, by index.
pub(crate) fn link(items: &[Item], text: &[u8]) -> Vec<Link> {
    let n_known = if items.iter().any(|item| !item.qualifier.is_empty()) { items.len() } else { 0 };
    let mut nest = Nest {
        items,
        text,
        links: Vec::with_capacity(items.len()),
        known: HashMap::with_capacity(n_known),
        first: Vec::with_capacity(items.len()),
        declared: HashMap::new(),
        has_qualifiers: n_known > 0,
        counts_first_only: items.iter().any(|item| item.first_only),
    };
    for index in 0..items.len() {
        nest.enter(index);
    }
    for index in 0..items.len() {
        if !nest.links[index].qualifier.is_empty() {
            nest.resolve(index);
        }
    }
    nest.links
}

/// What a declaration finally is: a function of a type is a method, a variable of a type is a field.
pub(crate) fn final_kind(items: &[Item], link: &Link, index: usize) -> Option<SymbolKind> {
    let item = &items[index];
    let scope = item.parent.map(|parent| &items[parent]).filter(|parent| parent.kind.is_none());
    let frame = match link.qualifier.last() {
        Some(_) => scope.map_or(Frame::Type, |scope| scope.frame),
        None => link.parent.map_or(Frame::File, |parent| items[parent].frame),
    };
    Some(kind_in(item.kind?, frame))
}

/// What a declaration is, given what stands around it.
pub(crate) fn kind_in(kind: SymbolKind, frame: Frame) -> SymbolKind {
    match (kind, frame) {
        (SymbolKind::Function, Frame::Type) => SymbolKind::Method,
        (SymbolKind::Variable, Frame::Type) => SymbolKind::Field,
        (kind, _) => kind,
    }
}

struct Nest<'a> {
    items: &'a [Item],
    text: &'a [u8],
    links: Vec<Link>,
    /// By the scope and the name: the symbols declared so. Empty if nothing has a qualifier.
    known: HashMap<(usize, &'a [u8]), SamePath>,
    /// By index: the first symbol with the same path, which stands for all of them.
    first: Vec<usize>,
    /// By the holding symbol and the name: the first declaration, where only the first one counts.
    declared: HashMap<(usize, &'a [u8]), usize>,
    has_qualifiers: bool,
    counts_first_only: bool,
}

#[derive(Clone, Copy)]
struct SamePath {
    first: usize,
    /// The one to have members.
    best: usize,
}

/// The scope of what stands at the top of the file.
const TOP: usize = usize::MAX;

impl<'a> Nest<'a> {
    fn enter(&mut self, index: usize) {
        let item = &self.items[index];
        let mut link = match item.parent {
            Some(parent) if self.items[parent].kind.is_none() => self.links[parent].clone(),
            Some(parent) => {
                Link { parent: Some(self.links[parent].repeats.unwrap_or(parent)), ..Link::default() }
            }
            None => Link::default(),
        };
        if link.qualifier.len() + item.qualifier.len() <= MAX_NAMES {
            link.qualifier.extend(&item.qualifier);
        }
        let is_known = item.kind.is_some() && link.qualifier.is_empty();
        self.links.push(link);
        self.first.push(index);
        if is_known {
            self.register(index);
        }
    }

    fn register(&mut self, index: usize) {
        if self.has_qualifiers {
            let key = (self.scope(self.links[index].parent), self.name(self.items[index].name));
            let known = self.known.entry(key).or_insert(SamePath { first: index, best: index });
            self.first[index] = known.first;
            if rank(&self.items[known.best]) < rank(&self.items[index]) {
                known.best = index;
            }
        }
        if self.counts_first_only {
            self.count(index);
        }
    }

    /// Notes a repeated declaration. Two types of one path are two scopes, so this goes by the holder itself.
    fn count(&mut self, index: usize) {
        let key = (self.links[index].parent.unwrap_or(TOP), self.name(self.items[index].name));
        let first = *self.declared.entry(key).or_insert(index);
        if self.items[index].first_only && first != index {
            self.links[index].repeats = Some(first);
        }
    }

    fn scope(&self, parent: Option<usize>) -> usize {
        parent.map_or(TOP, |parent| self.first[parent])
    }

    fn name(&self, range: Range) -> &'a [u8] {
        &self.text[range.indices()]
    }

    /// Looks for the first name in the scopes around, the nearest first, then for the others in what was found.
    fn resolve(&mut self, index: usize) {
        let mut around = self.links[index].parent;
        let mut found = None;
        for _ in 0..MAX_SCOPES {
            found = self.member(around, self.links[index].qualifier[0], index);
            match around {
                Some(scope) if found.is_none() => around = self.links[scope].parent,
                _ => break,
            }
        }
        while let Some(parent) = found {
            self.links[index].parent = Some(parent);
            self.links[index].qualifier.remove(0);
            let next = self.links[index].qualifier.first().copied();
            found = next.and_then(|name| self.member(Some(parent), name, index));
        }
        if self.items[index].kind.is_some() && self.links[index].qualifier.is_empty() {
            self.register(index);
        }
    }

    fn member(&self, scope: Option<usize>, name: Range, asker: usize) -> Option<usize> {
        let known = self.known.get(&(self.scope(scope), self.name(name)))?;
        (known.best != asker && rank(&self.items[known.best]) > 0).then_some(known.best)
    }
}

/// How well a symbol can have members that stand elsewhere.
fn rank(item: &Item) -> u8 {
    match item.kind {
        Some(SymbolKind::EnumMember | SymbolKind::Field | SymbolKind::Property | SymbolKind::Macro)
        | None => 0,
        Some(_) if item.frame == Frame::Type => 3,
        Some(_) if item.frame == Frame::Module => 2,
        Some(_) => 1,
    }
}
