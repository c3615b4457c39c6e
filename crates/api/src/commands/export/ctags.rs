//! A tags file, as universal-ctags writes it.
//!
//! Each symbol is one line: its name, its file, its line, and then named fields. The format is described in the manual
//! page `tags(5)` of universal-ctags. The lines are sorted by their bytes, so that readers can use binary search.

use std::borrow::Cow;
use std::convert::Infallible;
use std::fmt::Write as _;

use locant_engine::{Document, Outline, Symbol, SymbolId, SymbolKind};

use super::language;
use super::tree::{Listed, Piece, Tally, Tree};

/// Lines that describe the file itself. They are in sorted order, and sort before all tags.
const HEADER: &str = concat!(
    "!_TAG_FILE_ENCODING\tutf-8\t//\n",
    "!_TAG_FILE_FORMAT\t2\t/extended format/\n",
    "!_TAG_FILE_SORTED\t1\t/0=unsorted, 1=sorted, 2=foldcase/\n",
    "!_TAG_OUTPUT_EXCMD\tnumber\t/number, pattern, mixed, or combineV2/\n",
    "!_TAG_OUTPUT_FILESEP\tslash\t/slash or backslash/\n",
    "!_TAG_OUTPUT_MODE\tu-ctags\t/u-ctags or e-ctags/\n",
    "!_TAG_PROGRAM_NAME\tlocant\t//\n",
    "!_TAG_PROGRAM_VERSION\t",
    env!("CARGO_PKG_VERSION"),
    "\t//\n",
);

/// The tags of all files.
pub(super) fn tags(tree: &Tree) -> (String, Tally) {
    let mut all = Vec::new();
    let taken = tree.each_file(lines, |lines| {
        all.extend_from_slice(&lines);
        Ok::<(), Infallible>(())
    });
    let Ok(tally) = taken;
    let all = String::from_utf8(all).expect("all lines are strings");
    let mut lines: Vec<&str> = all.split_inclusive('\n').collect();
    lines.sort_unstable();
    let mut tags = String::with_capacity(HEADER.len() + all.len());
    tags.push_str(HEADER);
    tags.extend(lines);
    (tags, tally)
}

/// The tags of one file.
fn lines(document: &Document, outline: &Outline, listed: &Listed) -> Piece {
    let path = escaped(document.path());
    let language = document.reader().map_or("", language::ctags);
    let mut lines = String::new();
    let mut n_symbols = 0;
    for &id in &listed.ids {
        let symbol = outline.get(id);
        // A tag must not have an empty name: its line would start with the separator.
        if symbol.name.is_empty() {
            continue;
        }
        n_symbols += 1;
        let (name, kind) = (tag_name(&symbol.name), word(symbol.kind));
        let line = document.text().line_of(symbol.name_range.start());
        let end = document.text().line_of(symbol.extent.end());
        let fields = format!("{kind}\tline:{line}\tlanguage:{language}");
        let scope = scope(outline, id, symbol);
        // Writing to a string does not fail.
        let _ = writeln!(lines, "{name}\t{path}\t{line};\"\t{fields}{scope}\tend:{end}");
    }
    Piece { bytes: lines.into_bytes(), n_symbols }
}

/// The field that names the symbols around this one.
fn scope(outline: &Outline, id: SymbolId, symbol: &Symbol) -> String {
    let names = outline.path(id);
    let above = match names.as_slice() {
        [above @ .., _own] if !above.is_empty() => above.join("."),
        _ => return String::new(),
    };
    // If the symbol is qualified, as in `void A::f()`, the names in front belong to a type in another file.
    let kind = match symbol.parent.filter(|_| symbol.qualifier.is_empty()) {
        Some(parent) => word(outline.get(parent).kind),
        None => word(SymbolKind::Class),
    };
    format!("\t{kind}:{}", escaped(&above))
}

/// The word for a kind. It is also used as the name of the scope field, which may contain only letters.
fn word(kind: SymbolKind) -> &'static str {
    match kind {
        SymbolKind::EnumMember => "enumerator",
        kind => kind.word(),
    }
}

/// A name as the first field of a line. A leading `!` or blank is escaped, because lines that start with `!` describe
/// the file itself.
fn tag_name(name: &str) -> Cow<'_, str> {
    match name.as_bytes() {
        [first @ (b'!' | b' '), ..] => Cow::Owned(format!("\\x{first:02x}{}", escaped(&name[1..]))),
        _ => escaped(name),
    }
}

/// Escapes everything that would end a field or a line: `\t` for a tab, `\\` for a backslash, `\x01` for other control
/// characters.
fn escaped(text: &str) -> Cow<'_, str> {
    let is_special = |c: char| c.is_ascii_control() || c == '\\';
    if !text.contains(is_special) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\\' => escaped.push_str("\\\\"),
            '\t' => escaped.push_str("\\t"),
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            c if is_special(c) => escaped.push_str(&format!("\\x{:02x}", u32::from(c))),
            c => escaped.push(c),
        }
    }
    Cow::Owned(escaped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_name_ends_a_field_or_a_line() {
        assert_eq!(escaped("a\tb\nc\rd\\e\u{1}\u{7f}é"), "a\\tb\\nc\\rd\\\\e\\x01\\x7fé");
        assert_eq!(tag_name("!x"), "\\x21x");
        assert_eq!(tag_name(" x\\"), "\\x20x\\\\");
        assert_eq!(tag_name("operator !"), "operator !");
    }

    #[test]
    fn the_header_is_sorted_and_every_kind_is_a_name_of_a_field() {
        assert!(HEADER.lines().is_sorted());
        for &kind in SymbolKind::ALL {
            assert!(word(kind).bytes().all(|byte| byte.is_ascii_lowercase()), "{kind:?}");
        }
    }
}
