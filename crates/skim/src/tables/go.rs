//! Go.

use crate::finish::Words;
use crate::lined::Lined;
use crate::tokens::{Lexicon, Quotes, Tick};

pub(crate) static GO: Lined = Lined {
    lexicon: Lexicon {
        nested_comments: false,
        has_directives: false,
        has_hash_comments: false,
        heredoc: "",
        prefixes: &[],
        texts: &[
            Quotes { open: "\"", close: "\"", escapes: true, is_long: false },
            Quotes { open: "`", close: "`", escapes: false, is_long: true },
        ],
        tick: Tick::Character,
        word_marks: b"",
        marked_words: b"",
    },
    package: "package",
    import: "import",
    function: "func",
    declares_type: "type",
    constant: "const",
    variable: "var",
    structure: "struct",
    interface: "interface",
    runs: "Run",
    nameless: "_",
    words: Words { inner_comments: &[], terminator: None, silent: &[] },
};
