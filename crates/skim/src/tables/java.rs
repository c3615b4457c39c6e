//! Java.

use locant_tree::SymbolKind;

use crate::finish::Words;
use crate::tokens::{Lexicon, Quotes, Tick};
use crate::typed::{Style, TypeWord, Typed};

pub(crate) static JAVA: Typed = Typed {
    lexicon: Lexicon {
        nested_comments: false,
        has_directives: false,
        has_hash_comments: false,
        heredoc: "",
        prefixes: &[],
        texts: &[
            Quotes { open: "\"\"\"", close: "\"\"\"", escapes: true, is_long: true },
            Quotes { open: "\"", close: "\"", escapes: true, is_long: false },
        ],
        tick: Tick::Character,
        word_marks: b"$",
        marked_words: b"",
    },
    package: "package",
    skipped: &["import"],
    types: &[
        TypeWord { word: "interface", kind: SymbolKind::Interface, style: Style::Interface },
        TypeWord { word: "class", kind: SymbolKind::Class, style: Style::Class },
        TypeWord { word: "enum", kind: SymbolKind::Enum, style: Style::Enum },
        TypeWord { word: "record", kind: SymbolKind::Struct, style: Style::Record },
    ],
    modifiers: &[
        "public",
        "private",
        "protected",
        "static",
        "final",
        "abstract",
        "synchronized",
        "native",
        "default",
        "sealed",
        "strictfp",
        "transient",
        "volatile",
    ],
    constant: &["static", "final"],
    annotation: b'@',
    makes: "new",
    throws: "throws",
    default: "default",
    unknown: &["module", "open"],
    words: Words { inner_comments: &[], terminator: Some(b';'), silent: &[] },
};
