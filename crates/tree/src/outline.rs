//! The named declarations of a file.

use locant_text::Range;

use crate::around::Around;

/// The symbols of one file, in the order in which their declarations start. But a parent always comes before its
/// members, even before a member that is declared earlier, such as a Go method above its type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// The package or namespace of the whole file, by segments. Any path may start with it.
    pub package: Vec<String>,
    /// Whether the parser found errors in the text. If so, symbols may be missing or misread.
    pub is_damaged: bool,
    /// Where the parser found errors. Symbols in these ranges may be misread.
    ///
    /// Invariant: sorted, and no two ranges overlap or touch.
    pub damage: Vec<Range>,
    /// Whether the parser gave up. If so, the symbols were found line by line.
    pub is_by_line: bool,
    /// Names that mean nothing before another name, such as `exports` and `prototype` in JavaScript. People write
    /// them, but paths do not contain them.
    pub silent: &'static [&'static str],
    /// Pairs of a word that references use and the word that the declaration uses instead: in HCL, `var.x` refers to
    /// `variable.x`.
    pub spoken: &'static [(&'static str, &'static str)],
    /// The characters that mark emphasis in names. Readers do not see them, so a name is also found without them.
    pub markup: &'static str,
    /// Invariant: a parent comes before its children.
    symbols: Vec<Symbol>,
    /// A digest of the path of each symbol, to find symbols with the same path without comparing names.
    digests: Vec<u64>,
    /// Invariant: computed from the current symbols, or not computed yet.
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
    /// What kind of declaration it is.
    pub kind: SymbolKind,
    /// Where the name is written.
    pub name_range: Range,
    /// From the first attached comment, decorator, attribute or modifier to the end of the declaration. Includes its
    /// `;`, but not the line break.
    pub extent: Range,
    /// The extent without attached comments and decorators.
    pub declaration: Range,
    /// The declaration without its body, as shown in a signature.
    pub header: Range,
    /// The documentation: attached comments before the declaration, or the doc string inside it.
    pub docs: Option<Range>,
    /// The symbol that this one is a member of. A member may lie outside the range of its parent. Examples are methods
    /// of an `impl` block, methods with a Go receiver, and methods of a C++ class defined elsewhere in the file.
    pub parent: Option<SymbolId>,
    /// Names between the parent and this symbol that are not symbols of this file. An example is the type of an `impl`
    /// block if that type is declared in another file.
    pub qualifier: Vec<String>,
    /// The header of the block around this symbol, if that block is not itself a symbol: `impl<T> Show for Pair<T>` in
    /// Rust, `extension Pair: Show` in Swift.
    pub within: Option<Range>,
}

macro_rules! symbol_kinds {
    ($($(#[$doc:meta])* $variant:ident = $word:literal,)*) => {
        /// What kind of declaration a symbol is. The words are those of the language server protocol where it has one.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum SymbolKind { $($(#[$doc])* $variant,)* }

        impl SymbolKind {
            /// All kinds, in the order in which they are declared.
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
    /// A function that does not belong to a type.
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
    /// A markup element with a name or an id.
    Element = "element",
}

impl SymbolKind {
    /// The kind with this word.
    pub fn of_word(word: &str) -> Option<SymbolKind> {
        SymbolKind::ALL.iter().copied().find(|kind| kind.word() == word)
    }

    /// Whether symbols of this kind hold a value.
    pub fn is_value(self) -> bool {
        use SymbolKind::{Constant, EnumMember, Field, Key, Property, Variable};
        matches!(self, Constant | Variable | Field | Property | Key | EnumMember)
    }

    /// Whether symbols of this kind can contain statements. Variables inside such symbols are locals.
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

    /// The index of the symbol in [`Outline::symbols`].
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

    /// The names that lead from the top of the file to a symbol. The symbol's own name is last. The package is not
    /// included.
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

    /// The symbols whose extents cover a range, in no particular order. The time grows with the number of these
    /// symbols, not with the size of the outline.
    pub fn around(&self, range: Range) -> impl Iterator<Item = (SymbolId, &Symbol)> {
        let covering = self.around.covering(&self.symbols, (0..).map(SymbolId), range);
        covering.map(|id| (id, self.get(id)))
    }

    /// A number for the path of a symbol. Symbols with the same path have the same number; other paths almost never do.
    pub fn path_digest(&self, id: SymbolId) -> u64 {
        self.digests[id.index()]
    }

    /// Whether both symbols have the same path.
    pub fn have_same_path(&self, one: SymbolId, other: SymbolId) -> bool {
        if self.digests[one.index()] != self.digests[other.index()] {
            return false;
        }
        // Usually the two symbols, or two of their ancestors, share a parent. The comparison ends there.
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

/// The ranges in order, with ranges that overlap or touch joined into one.
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

/// Adds one more name to a digest, using the FNV-1a hash of its bytes. A zero byte ends the name, so that `a.bc` and
/// `ab.c` have different digests.
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
        // Extents that are nested, side by side, equal, empty, touching or overlapping, in no order.
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
