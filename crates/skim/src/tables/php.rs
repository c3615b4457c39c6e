//! PHP.

use locant_tree::SymbolKind;

use crate::finish::Words;
use crate::sigiled::Sigiled;
use crate::tokens::{Lexicon, Quotes, Tick};

pub(crate) static PHP: Sigiled = Sigiled {
    lexicon: Lexicon {
        nested_comments: false,
        has_directives: false,
        has_hash_comments: true,
        heredoc: "<<<",
        prefixes: &[],
        texts: &[
            Quotes { open: "\"", close: "\"", escapes: true, is_long: true },
            Quotes { open: "`", close: "`", escapes: true, is_long: true },
        ],
        tick: Tick::Text,
        word_marks: b"$",
        marked_words: b"",
    },
    opens: "<?php",
    closes: "?>",
    namespace: "namespace",
    skipped: &["use", "declare"],
    types: &[
        ("class", SymbolKind::Class),
        ("trait", SymbolKind::Class),
        ("interface", SymbolKind::Interface),
        ("enum", SymbolKind::Enum),
    ],
    function: "function",
    constructor: "__construct",
    constant: "const",
    case: "case",
    makes: "new",
    modifiers: &["public", "private", "protected", "static", "final", "abstract", "readonly", "var"],
    declaring_calls: &["define", "describe", "it", "test"],
    words: Words { inner_comments: &[], terminator: Some(b';'), silent: &[] },
};
