//! Which reader a file gets.

use std::sync::LazyLock;

use locant_lang::Language;

/// How a file is read.
#[derive(Clone, Copy, Debug)]
pub enum Reader {
    /// By a tree-sitter grammar and the rules of the language.
    Grammar(&'static Language),
    /// By the hand-written reader of .proto files.
    Proto,
}

const PROTO: &str = "proto";

/// Identifies everything that decides how files are read: the version, the grammars and the rules. A cache entry is
/// valid only if it was written by a program with the same text here.
pub static READERS: LazyLock<String> = LazyLock::new(|| {
    let sources = [env!("CARGO_PKG_VERSION"), env!("LOCANT_READERS")];
    let left_out = locant_lang::left_out().iter().map(|language| language.package);
    sources.into_iter().chain(left_out).collect::<Vec<_>>().join(" ")
});

impl Reader {
    /// The reader of a file, chosen by its name or its text; `None` when its language is not supported.
    pub fn for_file(path: &str, text: &[u8]) -> Option<Reader> {
        let is_proto = path.rsplit_once('.').is_some_and(|(_, extension)| extension == PROTO);
        if is_proto { Some(Reader::Proto) } else { locant_lang::for_file(path, text).map(Reader::Grammar) }
    }

    /// The reader of the language with this name.
    pub fn by_name(name: &str) -> Option<Reader> {
        match name {
            PROTO | "protobuf" => Some(Reader::Proto),
            name => locant_lang::by_name(name).map(Reader::Grammar),
        }
    }

    /// The names of all supported languages, sorted.
    pub fn names() -> Vec<&'static str> {
        let mut names: Vec<_> = locant_lang::all().iter().map(|language| language.name()).collect();
        names.push(PROTO);
        names.sort_unstable();
        names
    }

    /// The extensions of files in its language, without the dot.
    pub fn extensions(self) -> &'static [&'static str] {
        match self {
            Reader::Grammar(language) => language.extensions(),
            Reader::Proto => &[PROTO],
        }
    }

    /// The name of its language.
    pub fn name(self) -> &'static str {
        match self {
            Reader::Grammar(language) => language.name(),
            Reader::Proto => PROTO,
        }
    }
}
