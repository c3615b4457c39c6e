//! Rust.

use locant_tree::{Frame, SymbolKind};

use crate::finish::Words;
use crate::keyworded::{Declaration, Form, Keyworded};
use crate::tokens::{self, Lexicon, Prefix, Quotes, Tick};

pub(crate) static RUST: Keyworded = Keyworded {
    lexicon: Lexicon {
        nested_comments: true,
        has_directives: false,
        has_hash_comments: false,
        heredoc: "",
        prefixes: &[
            Prefix { marks: "r", form: tokens::Form::Hashes },
            Prefix { marks: "br", form: tokens::Form::Hashes },
            Prefix { marks: "cr", form: tokens::Form::Hashes },
            Prefix { marks: "b", form: tokens::Form::Plain },
            Prefix { marks: "c", form: tokens::Form::Plain },
        ],
        texts: &[Quotes { open: "\"", close: "\"", escapes: true, is_long: true }],
        tick: Tick::Lifetime,
        word_marks: b"",
        marked_words: b"",
    },
    declarations: &[
        Declaration { word: "fn", form: Form::Function },
        Declaration { word: "struct", form: Form::Structure },
        Declaration { word: "union", form: Form::SoftStructure },
        Declaration { word: "enum", form: Form::Enumeration },
        Declaration { word: "trait", form: Form::Holder(SymbolKind::Interface) },
        Declaration { word: "mod", form: Form::Holder(SymbolKind::Module) },
        Declaration {
            word: "const",
            form: Form::Value(SymbolKind::Constant, &[Frame::File, Frame::Module, Frame::Type]),
        },
        Declaration {
            word: "static",
            form: Form::Value(SymbolKind::Variable, &[Frame::File, Frame::Module]),
        },
        Declaration {
            word: "type",
            form: Form::Value(
                SymbolKind::Type,
                &[Frame::File, Frame::Module, Frame::Type, Frame::Function, Frame::Value],
            ),
        },
        Declaration { word: "impl", form: Form::Scope },
        Declaration { word: "macro_rules", form: Form::Macro },
        Declaration { word: "use", form: Form::Nothing },
        Declaration { word: "crate", form: Form::Foreign },
    ],
    modifiers: &["pub", "async", "unsafe", "const", "default", "extern", "auto"],
    visibility: "pub",
    foreign: "extern",
    nameless: "_",
    declares: &["fn", "struct", "enum", "trait", "mod", "impl", "union", "type", "macro_rules"],
    transparent: &[
        "thread_local",
        "task_local",
        "lazy_static",
        "bitflags",
        "cfg_if",
        "proptest",
        "quickcheck",
    ],
    words: Words { inner_comments: &["//!", "/*!"], terminator: Some(b';'), silent: &["crate"] },
};
