//! Finds the symbol that each declaration is a member of. The name of a scope becomes part of the qualifier of its
//! members. A name in a qualifier becomes a parent if the file declares it.

use std::collections::HashMap;

use locant_text::Range;

use crate::item::{Frame, Item};
use crate::outline::SymbolKind;

/// Where an item belongs in the outline.
#[derive(Clone, Debug, Default)]
pub struct Link {
    /// The symbol that the item is a member of. Never a scope.
    pub parent: Option<usize>,
    /// The names between the parent and the item.
    pub qualifier: Vec<Range>,
    /// For a declaration that is left out: the item that replaces it.
    pub repeats: Option<usize>,
}

/// Limits for the names in a qualifier and for the scopes that are searched. People do not write more. The rest is
/// ignored, so that hostile nesting takes linear time.
const MAX_NAMES: usize = 32;
const MAX_SCOPES: usize = 64;

/// The links of all items, by index.
///
/// In the items, parents must come before their members.
pub fn link(items: &[Item], text: &[u8]) -> Vec<Link> {
    let has_qualifiers = items.iter().any(|item| !item.qualifier.is_empty());
    let mut nest = Nest {
        items,
        text,
        links: Vec::with_capacity(items.len()),
        known: HashMap::with_capacity(if has_qualifiers { items.len() } else { 0 }),
        first: Vec::with_capacity(items.len()),
        declared: HashMap::new(),
        has_qualifiers,
        counts_first_only: items.iter().any(|item| item.first_only),
    };
    for index in 0..items.len() {
        nest.enter(index);
    }
    for (index, item) in items.iter().enumerate() {
        // If the qualifier is shorter than before, `enter` has already resolved this key and found its parent.
        let is_open = nest.links[index].qualifier.len() >= item.qualifier.len();
        if !nest.links[index].qualifier.is_empty() && is_open {
            nest.resolve(index);
        }
    }
    nest.give_way();
    nest.links
}

struct Nest<'a> {
    items: &'a [Item],
    text: &'a [u8],
    links: Vec<Link>,
    /// The symbols that a scope declares under a name. Empty if no item has a qualifier, since only qualifiers are
    /// looked up.
    known: HashMap<(usize, &'a [u8]), SamePath>,
    /// For each item, the first symbol with the same path. Symbols with the same path share one scope for their
    /// members.
    first: Vec<usize>,
    /// For each parent and name, the first declaration. Needed for items that count only if they are the first.
    declared: HashMap<(usize, &'a [u8]), usize>,
    has_qualifiers: bool,
    counts_first_only: bool,
}

#[derive(Clone, Copy)]
struct SamePath {
    first: usize,
    /// The symbol that becomes the parent of members declared elsewhere.
    best: usize,
}

/// The scope for symbols at the top level of the file.
const TOP: usize = usize::MAX;

impl<'a> Nest<'a> {
    fn enter(&mut self, index: usize) {
        let item = &self.items[index];
        let mut link = match item.parent {
            Some(parent) if self.items[parent].kind.is_none() => self.links[parent].clone(),
            Some(parent) => Link { parent: Some(self.counted(parent)), ..Link::default() },
            None => Link::default(),
        };
        if link.qualifier.len() + item.qualifier.len() <= MAX_NAMES {
            link.qualifier.extend(&item.qualifier);
        }
        self.links.push(link);
        self.first.push(index);
        match item.kind {
            Some(_) if self.links[index].qualifier.is_empty() => self.register(index),
            // For a key, the nearest table above counts: `[a.b]` belongs to the `[[a]]` above it.
            Some(SymbolKind::Key) => self.resolve(index),
            _ => {}
        }
    }

    fn counted(&self, index: usize) -> usize {
        self.links[index].repeats.unwrap_or(index)
    }

    fn register(&mut self, index: usize) {
        if self.has_qualifiers {
            self.make_known(index);
        }
        if self.counts_first_only {
            self.count(index);
        }
    }

    fn make_known(&mut self, index: usize) {
        let key = (self.scope(self.links[index].parent), self.name(self.items[index].name));
        let known = self.known.entry(key).or_insert(SamePath { first: index, best: index });
        self.first[index] = known.first;
        let is_key = self.items[index].kind == Some(SymbolKind::Key);
        let (best, own) = (rank(&self.items[known.best]), rank(&self.items[index]));
        if best < own || best == own && is_key {
            known.best = index;
        }
    }

    /// Records a repeated declaration. Two types with the same path share a scope, but here their members are counted
    /// separately. So the key has the parent itself, not the scope.
    fn count(&mut self, index: usize) {
        let key = (self.links[index].parent.unwrap_or(TOP), self.name(self.items[index].name));
        let first = *self.declared.entry(key).or_insert(index);
        if self.items[index].first_only && first != index {
            self.links[index].repeats = Some(first);
        }
    }

    /// Replaces each declaration that gives way by another one with the same name and parent, if there is one.
    fn give_way(&mut self) {
        if !self.items.iter().any(|item| item.gives_way) {
            return;
        }
        let mut firm = HashMap::new();
        for (index, item) in self.items.iter().enumerate().filter(|(_, item)| item.kind.is_some()) {
            if !item.gives_way {
                firm.entry((self.links[index].parent, self.name(item.name))).or_insert(index);
            }
        }
        for (index, item) in self.items.iter().enumerate().filter(|(_, item)| item.gives_way) {
            if let Some(&other) = firm.get(&(self.links[index].parent, self.name(item.name))) {
                self.links[index].repeats = Some(other);
            }
        }
    }

    fn scope(&self, parent: Option<usize>) -> usize {
        parent.map_or(TOP, |parent| self.first[parent])
    }

    fn name(&self, range: Range) -> &'a [u8] {
        &self.text[range.indices()]
    }

    /// Looks up the first name of the qualifier in the scopes around, the innermost first. Then looks up each further
    /// name in the symbol that was found.
    fn resolve(&mut self, index: usize) {
        let mut around = self.links[index].parent;
        let mut found = None;
        // The first name of a key is looked up only in its own table.
        let item = &self.items[index];
        let is_near = item.is_path || item.kind == Some(SymbolKind::Key);
        let n_scopes = if is_near { 1 } else { MAX_SCOPES };
        for _ in 0..n_scopes {
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

/// How well a symbol is suited as the parent of members that are declared elsewhere. 0 means not at all.
fn rank(item: &Item) -> u8 {
    match item.kind {
        Some(SymbolKind::EnumMember | SymbolKind::Field | SymbolKind::Property | SymbolKind::Macro)
        | None => 0,
        Some(_) if item.frame == Frame::Type => 3,
        Some(_) if item.frame == Frame::Module => 2,
        Some(_) => 1,
    }
}
