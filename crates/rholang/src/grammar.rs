//! The generated parser, as tree-sitter wants it.
#![allow(unsafe_code, reason = "a parser in C is entered through a pointer")]

use tree_sitter_language::LanguageFn;

unsafe extern "C" {
    fn tree_sitter_rholang() -> *const ();
}

/// The grammar of Rholang.
// SAFETY: the function is the one that tree-sitter generated into `grammar/src/parser.c`, which the build script
// compiles into this crate. It takes nothing and returns a pointer to a constant `TSLanguage`.
pub const LANGUAGE: LanguageFn = unsafe { LanguageFn::from_raw(tree_sitter_rholang) };
