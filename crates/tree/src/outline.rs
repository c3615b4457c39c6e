//! The named declarations of a file.

use locant_text::Range;

use crate::around::Around;

/// The symbols of one file, in the order in which their declarations start; but a parent comes before its members, even
/// before those that are declared earlier (a Go method above its type).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// The file-wide package or namespace, by segments: an optional prefix of every path.
    pub package: Vec<String>,
    /// Whether the parser found errors in the text, so that symbols may be missing or misread.
    pub is_damaged: bool,
    /// Where the parser found errors: symbols in these ranges may have been misread. Empty if nothing is damaged.
    ///
    /// Invariant: sorted and apart.
    pub damage: Vec<Range>,
    /// Whether the parser gave up, so that the symbols were found line by line.
    pub is_by_line: bool,
    /// Names that mean nothing before another name, such as `exports` and `prototype` of JavaScript: no path has them,
    /// but people write them.
    pub silent: &'static [&'static str],
    /// Words that references use, each with the word that the declaration has in its place: `var.x` of HCL is
    /// `variable.x`.
    pub spoken: &'static [(&'static str, &'static str)],
    /// The characters that mark emphasis in names, which no reader sees: a name with them is also found without them.
    pub markup: &'static str,
    /// Invariant: a parent comes before its children.
    symbols: Vec<Symbol>,
    /// A digest of the path to each symbol, so that symbols with the same path are found without comparing names.
    digests: Vec<u64>,
    /// Invariant: made from the symbols as they are now.
    around: Around,
}

/// The number of a symbol in its outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId(u32);

/// One named declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The name as a person would say it, without quotes or heading marks.
    pub name: String,
    /// What it is.
    pub kind: SymbolKind,
    /// Where the name is written.
    pub name_range: Range,
    /// From the first attached comment, decorator, attribute or modifier to the end of the declaration, its
    /// `;` included, the line break not.
    pub extent: Range,
    /// The extent without attached comments and decorators.
    pub declaration: Range,
    /// The declaration without its body: what a signature shows.
    pub header: Range,
    /// Its documentation: attached comments before it, or the doc string inside.
    pub docs: Option<Range>,
    /// The symbol it is a member of. Its range may lie outside the parent's: a method of an `impl` block, of a
    /// Go receiver, of a C++ class defined elsewhere in the file.
    pub parent: Option<SymbolId>,
    /// Names between the parent and this symbol that are no symbols of this file: the type of an `impl` block for a
    /// type that is declared elsewhere.
    pub qualifier: Vec<String>,
    /// The header of the block around it, if that block is no symbol: `impl<T> Show for Pair<T>` of Rust,
    /// `extension Pair: Show` of Swift.
    pub within: Option<Range>,
}

macro_rules! symbol_kinds {
    ($($(#[$doc:meta])* $variant:ident = $word:literal,)*) => {
        /// What a symbol is, in the words of the language server protocol where it has one.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum SymbolKind { $($(#[$doc])* $variant,)* }

        impl SymbolKind {
            /// All kinds.
            pub const ALL: &[SymbolKind] = &[$(SymbolKind::$variant,)*];

            /// The word for the kind in rule tables and answers.
            pub fn word(self) -> &'static str {
                match self { $(SymbolKind::$variant => $word,)* }
            }
        }
    };
}

symbol_kinds! {
    /// A module, namespace or package block.
    Module = "module",
    /// A class.
    Class = "class",
    /// A struct, union or record.
    Struct = "struct",
    /// An interface, trait or protocol.
    Interface = "interface",
    /// An enumeration.
    Enum = "enum",
    /// A member of an enumeration.
    EnumMember = "enum-member",
    /// A type alias.
    Type = "type",
    /// A function that belongs to no type.
    Function = "function",
    /// A function that belongs to a type.
    Method = "method",
    /// A function that makes a value of its type.
    Constructor = "constructor",
    /// A field of a type.
    Field = "field",
    /// A property of a type.
    Property = "property",
    /// A constant of a file, module or type.
    Constant = "constant",
    /// A variable of a file, module or type.
    Variable = "variable",
    /// A macro.
    Macro = "macro",
    /// A key of a data file.
    Key = "key",
    /// A heading of a document.
    Heading = "heading",
    /// A selector of a style sheet.
    Selector = "selector",
    /// An element with a name or an id.
    Element = "element",
}

impl SymbolKind {
    /// The kind that `word` names.
    pub fn of_word(word: &str) -> Option<SymbolKind> {
        SymbolKind::ALL.iter().copied().find(|kind| kind.word() == word)
    }

    /// Whether a symbol of this kind holds a value.
    pub fn is_value(self) -> bool {
        use SymbolKind::{Constant, EnumMember, Field, Key, Property, Variable};
        matches!(self, Constant | Variable | Field | Property | Key | EnumMember)
    }

    /// Whether a symbol of this kind can hold statements, so that variables inside are locals.
    pub fn is_callable(self) -> bool {
        matches!(
            self,
            SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor | SymbolKind::Macro
        )
    }
}

impl SymbolId {
    /// The symbol with this index in [`Outline::symbols`].
    pub(crate) const fn of_index(index: u32) -> SymbolId {
        SymbolId(index)
    }

    /// Its index in [`Outline::symbols`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Outline {
    /// An outline without symbols.
    pub fn new(package: Vec<String>) -> Outline {
        Outline { package, ..Outline::default() }
    }

    /// Adds a symbol after all others.
    ///
    /// # Panics
    /// When its parent is not in the outline yet.
    pub fn push(&mut self, symbol: Symbol) -> SymbolId {
        let id = SymbolId(u32::try_from(self.symbols.len()).expect("fewer symbols than bytes"));
        assert!(symbol.parent.is_none_or(|parent| parent < id), "a parent stands before its children");
        let above = symbol.parent.map_or(EMPTY_DIGEST, |parent| self.digests[parent.index()]);
        let names = symbol.qualifier.iter().chain([&symbol.name]);
        self.digests.push(names.fold(above, |digest, name| digest_of(digest, name)));
        self.symbols.push(symbol);
        self.around = Around::default();
        id
    }

    /// All symbols.
    pub fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }

    /// All symbols with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (SymbolId, &Symbol)> {
        (0..).map(SymbolId).zip(&self.symbols)
    }

    /// The symbol with this id.
    pub fn get(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.index()]
    }

    /// The names that lead to a symbol from the top of the file, its own last; the package is not among them.
    pub fn path(&self, id: SymbolId) -> Vec<&str> {
        let mut path = Vec::new();
        let mut next = Some(id);
        while let Some(id) = next {
            let symbol = self.get(id);
            path.push(symbol.name.as_str());
            path.extend(symbol.qualifier.iter().rev().map(String::as_str));
            next = symbol.parent;
        }
        path.reverse();
        path
    }

    /// The symbols whose extents cover a range, in no order. The time grows with the number of such symbols, not with
    /// that of all symbols.
    pub fn around(&self, range: Range) -> impl Iterator<Item = (SymbolId, &Symbol)> {
        let covering = self.around.covering(&self.symbols, (0..).map(SymbolId), range);
        covering.map(|id| (id, self.get(id)))
    }

    /// A number for the path to a symbol: equal for all symbols with that path, and hardly ever for another path.
    pub fn path_digest(&self, id: SymbolId) -> u64 {
        self.digests[id.index()]
    }

    /// Whether the same names lead to both symbols.
    pub fn have_same_path(&self, one: SymbolId, other: SymbolId) -> bool {
        if self.digests[one.index()] != self.digests[other.index()] {
            return false;
        }
        // Mostly both symbols, or their parents, have the same parent, and the comparison ends there.
        let mut pair = Some((one, other));
        while let Some((one, other)) = pair.filter(|(one, other)| one != other) {
            let (a, b) = (self.get(one), self.get(other));
            if (&a.name, &a.qualifier) != (&b.name, &b.qualifier) || a.parent.is_some() != b.parent.is_some()
            {
                return self.path(one) == self.path(other);
            }
            pair = a.parent.zip(b.parent);
        }
        true
    }

    /// The members of a symbol, or with `None` the symbols at the top of the file.
    pub fn children(&self, parent: Option<SymbolId>) -> impl Iterator<Item = SymbolId> {
        self.iter().filter(move |(_, symbol)| symbol.parent == parent).map(|(id, _)| id)
    }
}

/// The ranges sorted, with those that overlap or touch joined into one.
pub fn apart(mut ranges: Vec<Range>) -> Vec<Range> {
    ranges.sort_by_key(|range| range.start());
    let mut apart: Vec<Range> = Vec::new();
    for range in ranges {
        match apart.last_mut() {
            Some(last) if last.touches(range.start()) => *last = last.cover(range),
            _ => apart.push(range),
        }
    }
    apart
}

const EMPTY_DIGEST: u64 = 0xcbf2_9ce4_8422_2325;

/// Continues a digest with one more name, by the FNV-1a hash of its bytes. A zero byte ends the name, so that `a.bc`
/// and `ab.c` differ.
fn digest_of(above: u64, name: &str) -> u64 {
    name.bytes()
        .chain([0])
        .fold(above, |digest, byte| (digest ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use locant_text::Offset;

    use super::*;

    fn symbol(name: &str, parent: Option<SymbolId>, qualifier: &[&str]) -> Symbol {
        let nowhere = Range::empty(Offset::ZERO);
        Symbol {
            name: name.to_owned(),
            kind: SymbolKind::Class,
            name_range: nowhere,
            extent: nowhere,
            declaration: nowhere,
            header: nowhere,
            docs: None,
            parent,
            qualifier: qualifier.iter().map(|&name| name.to_owned()).collect(),
            within: None,
        }
    }

    #[test]
    fn a_qualifier_and_a_parent_make_the_same_path() {
        let mut outline = Outline::new(vec!["pkg".to_owned()]);
        let a = outline.push(symbol("a", None, &[]));
        let nested = outline.push(symbol("f", Some(a), &[]));
        let qualified = outline.push(symbol("f", None, &["a"]));
        let other = outline.push(symbol("af", None, &[]));
        assert_eq!(outline.path(nested), ["a", "f"]);
        assert!(outline.have_same_path(nested, qualified));
        assert!(!outline.have_same_path(nested, other));
        assert_eq!(outline.children(Some(a)).collect::<Vec<_>>(), [nested]);
    }

    #[test]
    fn around_a_range_is_what_covers_it() {
        // Nested, side by side, equal, empty, touching, and overlapping extents, not sorted.
        let extents =
            [(0, 9), (1, 3), (3, 3), (3, 5), (3, 5), (4, 8), (2, 6), (9, 9), (10, 12), (11, 11), (0, 2)];
        let mut outline = Outline::default();
        for (start, end) in extents {
            let extent = Range::of_indices(start..end);
            outline.push(Symbol { extent, ..symbol("a", None, &[]) });
        }
        for (start, end) in (0..14).flat_map(|start| (start..14).map(move |end| (start, end))) {
            let range = Range::of_indices(start..end);
            let mut around: Vec<SymbolId> = outline.around(range).map(|(id, _)| id).collect();
            around.sort();
            let all = outline.iter().filter(|(_, symbol)| symbol.extent.covers(range));
            assert_eq!(around, all.map(|(id, _)| id).collect::<Vec<_>>(), "{start}..{end}");
        }
    }

    #[test]
    fn ranges_that_touch_become_one() {
        let range = |start: usize, end: usize| Range::of_indices(start..end);
        assert_eq!(apart(vec![range(8, 9), range(2, 4), range(3, 5)]), [range(2, 5), range(8, 9)]);
    }

    #[test]
    fn every_kind_has_a_word_of_its_own() {
        for &kind in SymbolKind::ALL {
            assert_eq!(SymbolKind::of_word(kind.word()), Some(kind));
        }
        assert_eq!(SymbolKind::of_word("thing"), None);
    }
}
