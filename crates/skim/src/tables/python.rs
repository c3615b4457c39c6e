//! Python.

use crate::finish::Words;
use crate::indented::Indented;

pub(crate) static PYTHON: Indented = Indented {
    function: "def",
    before_function: "async",
    class: "class",
    alias: "type",
    decorator: b'@',
    compound: &["if", "elif", "else", "for", "while", "try", "except", "finally", "with", "async"],
    unsure: &["match", "case"],
    unfinished: &[
        "and", "or", "not", "in", "is", "if", "else", "lambda", "await", "import", "from", "as", "assert",
        "del", "global", "nonlocal", "for", "while", "with", "elif", "class", "def", "async",
    ],
    no_names: &[
        "lambda", "in", "is", "and", "or", "not", "if", "else", "return", "yield", "await", "del", "import",
        "from", "raise", "assert", "pass", "break", "continue", "global", "nonlocal", "None", "True",
        "False", "for", "while", "with", "try", "def", "class",
    ],
    before_text: &["return", "raise"],
    before_texts: &["assert"],
    with_colon: &["lambda"],
    loops: &["for"],
    declares: &["def", "class", "type"],
    words: Words { inner_comments: &["#!"], terminator: None, silent: &[] },
};
