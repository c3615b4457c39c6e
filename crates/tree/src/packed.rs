//! Outlines as bytes, for a cache.
//!
//! The bytes have the package, the damage, and then each symbol. The extent of a symbol counts from the start of the
//! previous symbol's extent, and the other ranges of a symbol count from the start of its extent. So the numbers are
//! small, and small numbers take fewer bytes. A difference `d` that may be negative is written as `2d`, or as
//! `-2d - 1` if it is negative.
//!
//! Example: the symbol `f` for `def f(): pass` starts 20 bytes after the previous symbol. It takes about twenty bytes:
//! `kind, 0 (no parent), 1, 'f', 0 (no qualifier), 40, 13, …`.
//!
//! The fields of an outline that depend only on the language, such as `silent`, are not written.

use locant_text::{Offset, Range};

use crate::outline::{Outline, Symbol, SymbolId, SymbolKind};
use crate::stream::{Reader, put_varint};

impl Outline {
    /// The outline as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        put_words(&mut bytes, &self.package);
        bytes.push(u8::from(self.is_damaged) | u8::from(self.is_by_line) << 1);
        put_len(&mut bytes, self.damage.len());
        for &range in &self.damage {
            put_range(&mut bytes, Offset::ZERO, range);
        }
        put_len(&mut bytes, self.symbols().len());
        let mut last = Offset::ZERO;
        for (id, symbol) in self.iter() {
            put_symbol(&mut bytes, id, last, symbol);
            last = symbol.extent.start();
        }
        bytes
    }

    /// Reads an outline of a text that ends at `end`. `None` if the bytes are not such an outline.
    pub fn from_bytes(bytes: &[u8], end: Offset) -> Option<Outline> {
        let mut unpacker = Unpacker { reader: Reader::new(bytes), end };
        let mut outline = Outline::new(unpacker.words()?);
        let flags = unpacker.reader.byte()?;
        outline.is_damaged = flags & 1 != 0;
        outline.is_by_line = flags & 2 != 0;
        for _ in 0..unpacker.len()? {
            outline.damage.push(unpacker.range(Offset::ZERO)?);
        }
        let mut last = Offset::ZERO;
        for n in 0..unpacker.len()? {
            let symbol = unpacker.symbol(u32::try_from(n).ok()?, last)?;
            last = symbol.extent.start();
            outline.push(symbol);
        }
        (flags < 4 && unpacker.reader.n_left() == 0).then_some(outline)
    }
}

fn put_symbol(bytes: &mut Vec<u8>, id: SymbolId, last: Offset, symbol: &Symbol) {
    // `SymbolKind::ALL` lists the kinds in the order in which they are declared, so this number is an index into it.
    bytes.push(symbol.kind as u8);
    let parent = symbol.parent.map_or(0, |parent| id.index() - parent.index());
    put_len(bytes, parent);
    put_word(bytes, &symbol.name);
    put_words(bytes, &symbol.qualifier);
    put_range(bytes, last, symbol.extent);
    let start = symbol.extent.start();
    for range in [symbol.declaration, symbol.header, symbol.name_range] {
        put_range(bytes, start, range);
    }
    let (docs, within) = (symbol.docs, symbol.within);
    bytes.push(u8::from(docs.is_some()) | u8::from(within.is_some()) << 1);
    for range in docs.into_iter().chain(within) {
        put_range(bytes, start, range);
    }
}

fn put_words(bytes: &mut Vec<u8>, words: &[String]) {
    put_len(bytes, words.len());
    for word in words {
        put_word(bytes, word);
    }
}

fn put_word(bytes: &mut Vec<u8>, word: &str) {
    put_len(bytes, word.len());
    bytes.extend_from_slice(word.as_bytes());
}

/// Writes a range as the distance from `from` to its start, and its length.
fn put_range(bytes: &mut Vec<u8>, from: Offset, range: Range) {
    let (from, start) = (from.to_u32(), range.start().to_u32());
    // A difference of 2 GiB or more wraps around. Reading wraps it back.
    let difference = start.wrapping_sub(from).cast_signed();
    put_varint(bytes, ((difference << 1) ^ (difference >> 31)).cast_unsigned());
    put_varint(bytes, range.end().to_u32() - start);
}

fn put_len(bytes: &mut Vec<u8>, len: usize) {
    put_varint(bytes, u32::try_from(len).expect("a text has fewer than 2^32 bytes"));
}

struct Unpacker<'b> {
    reader: Reader<'b>,
    /// Where the text ends.
    end: Offset,
}

impl Unpacker<'_> {
    fn symbol(&mut self, n: u32, last: Offset) -> Option<Symbol> {
        let kind = *SymbolKind::ALL.get(usize::from(self.reader.byte()?))?;
        let parent = match self.reader.varint()? {
            0 => None,
            above => Some(SymbolId::of_index(n.checked_sub(above)?)),
        };
        let name = self.word()?;
        let qualifier = self.words()?;
        let extent = self.range(last)?;
        let start = extent.start();
        let (declaration, header, name_range) = (self.range(start)?, self.range(start)?, self.range(start)?);
        let flags = self.reader.byte()?;
        let docs = if flags & 1 != 0 { Some(self.range(start)?) } else { None };
        let within = if flags & 2 != 0 { Some(self.range(start)?) } else { None };
        (flags < 4).then_some(Symbol {
            name,
            kind,
            name_range,
            extent,
            declaration,
            header,
            docs,
            parent,
            qualifier,
            within,
        })
    }

    fn words(&mut self) -> Option<Vec<String>> {
        (0..self.len()?).map(|_| self.word()).collect()
    }

    fn word(&mut self) -> Option<String> {
        let len = self.len()?;
        std::str::from_utf8(self.reader.take(len)?).ok().map(str::to_owned)
    }

    /// How many items follow. Each item takes at least one byte, so there cannot be more items than bytes left.
    fn len(&mut self) -> Option<usize> {
        let len = self.reader.varint()? as usize;
        (len <= self.reader.n_left()).then_some(len)
    }

    fn range(&mut self, from: Offset) -> Option<Range> {
        let (zigzag, len) = (self.reader.varint()?, self.reader.varint()?);
        let difference = (zigzag >> 1) ^ (zigzag & 1).wrapping_neg();
        let start = from.to_u32().wrapping_add(difference);
        let end = start.checked_add(len)?;
        (end <= self.end.to_u32()).then(|| Range::of_indices(start as usize..end as usize))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const END: Offset = Offset::new(1000);

    fn range() -> impl Strategy<Value = Range> {
        (0..1000usize, 0..1000usize).prop_map(|(a, b)| Range::of_indices(a.min(b)..a.max(b)))
    }

    fn symbol() -> impl Strategy<Value = Symbol> {
        let ranges =
            (range(), range(), range(), range(), prop::option::of(range()), prop::option::of(range()));
        let words = (".{0,5}", prop::collection::vec("[a-z]{0,3}", 0..3), 0..SymbolKind::ALL.len());
        (ranges, words).prop_map(|((extent, declaration, header, name_range, docs, within), words)| Symbol {
            name: words.0,
            kind: SymbolKind::ALL[words.2],
            name_range,
            extent,
            declaration,
            header,
            docs,
            parent: None,
            qualifier: words.1,
            within,
        })
    }

    fn outline() -> impl Strategy<Value = Outline> {
        let symbols = prop::collection::vec((symbol(), any::<prop::sample::Index>(), any::<bool>()), 0..20);
        (symbols, any::<bool>(), prop::collection::vec("[a-z]{0,3}", 0..3)).prop_map(
            |(symbols, is_damaged, package)| {
                let mut outline = Outline::new(package);
                outline.is_damaged = is_damaged;
                for (n, (symbol, parent, has_parent)) in (0..).zip(symbols) {
                    let parent = (has_parent && n > 0).then(|| parent.index(n));
                    let parent = parent.and_then(|parent| u32::try_from(parent).ok()).map(SymbolId::of_index);
                    outline.push(Symbol { parent, ..symbol });
                }
                outline
            },
        )
    }

    proptest! {
        #[test]
        fn an_outline_comes_back_from_its_bytes(outline in outline()) {
            prop_assert_eq!(Outline::from_bytes(&outline.to_bytes(), END), Some(outline));
        }

        #[test]
        fn other_bytes_are_an_outline_of_the_text_or_none(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            if let Some(outline) = Outline::from_bytes(&bytes, END) {
                prop_assert!(outline.symbols().iter().all(|symbol| symbol.extent.end() <= END));
            }
        }

        #[test]
        fn changed_bytes_do_no_harm(outline in outline(), at in any::<prop::sample::Index>(), byte: u8) {
            let mut bytes = outline.to_bytes();
            let at = at.index(bytes.len());
            bytes[at] = byte;
            let _ = Outline::from_bytes(&bytes, END);
        }
    }
}
