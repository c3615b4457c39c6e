//! Which parts of a text are code: everything but comments and the contents of strings.

use locant_text::Range;
use locant_tree::{Kind, Outline, Tree};

/// A text with blanks in place of its comments and the contents of its strings. Every other byte stays where it is:
/// `greet("hi"); // greet` becomes `greet("  ");         `.
///
/// An expression inside a string, such as `${name}`, is code. So is the name of a symbol that is written as a string,
/// such as a key in JSON.
pub(crate) fn code_of(text: &[u8], tree: &Tree, outline: &Outline) -> Vec<u8> {
    let mut code = text.to_vec();
    let parts: Vec<Option<Part>> = tree.vocabulary().kinds().iter().map(Part::of_kind).collect();
    for node in tree.nodes() {
        match parts.get(usize::from(node.label.kind())).copied().flatten() {
            // Parents come before their children, so an expression inside a string is restored after the string was
            // blanked.
            Some(Part::Computed) => code[node.range.indices()].copy_from_slice(&text[node.range.indices()]),
            Some(Part::Comment) => blank(&mut code, node.range),
            Some(Part::Text) => blank(&mut code, inside(text, node.range)),
            None => {}
        }
    }
    for symbol in outline.symbols() {
        code[symbol.name_range.indices()].copy_from_slice(&text[symbol.name_range.indices()]);
    }
    code
}

/// The part that nodes of a kind play in a comment or a string.
#[derive(Clone, Copy)]
enum Part {
    Comment,
    Text,
    /// Code inside a string.
    Computed,
}

impl Part {
    /// Recognises a kind by the words that grammars use in the names of kinds.
    fn of_kind(kind: &Kind) -> Option<Part> {
        const COMPUTED: [&str; 3] = ["interpolat", "substitution", "expansion"];
        const COMMENTS: [&str; 3] = ["comment", "marginalia", "haddock"];
        const TEXTS: [&str; 12] = [
            "string",
            "char_literal",
            "character",
            "rune_literal",
            "heredoc_body",
            "heredoc_content",
            "nowdoc",
            "charlist",
            "quoted_argument",
            "quoted_template",
            "quote_scalar",
            "sigil",
        ];
        let name = kind.name.to_ascii_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
        // `interpolated_string` is a string, `string_interpolation` a part of one.
        let is_text = has(&TEXTS) && !name.contains("interpolation");
        if !kind.is_named {
            None
        } else if has(&COMMENTS) {
            Some(Part::Comment)
        } else if is_text && !PLAIN.contains(&name.as_str()) {
            Some(Part::Text)
        } else {
            has(&COMPUTED).then_some(Part::Computed)
        }
    }
}

/// Kinds that have `string` or the like in their names but are values without quotes, and so code.
const PLAIN: [&str; 2] = ["string_scalar", "unquoted_argument"];

/// The range without the quotation marks at its ends. The marks are not blanked, so that `f("x")` does not look like
/// the call `f()`.
fn inside(text: &[u8], range: Range) -> Range {
    let indices = range.indices();
    let is_mark = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_punctuation);
    let start = indices.start + usize::from(is_mark(text.get(indices.start)));
    let end = indices.end - usize::from(indices.end > start && is_mark(text.get(indices.end - 1)));
    Range::of_indices(start.min(end)..end)
}

fn blank(code: &mut [u8], range: Range) {
    for byte in &mut code[range.indices()] {
        if !matches!(byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
}
