//! The entry point of the generated parser, in the form that tree-sitter expects.
#![allow(unsafe_code, reason = "a parser in C is entered through a pointer")]

use tree_sitter_language::LanguageFn;

unsafe extern "C" {
    fn tree_sitter_rholang() -> *const ();
}

/// The grammar of Rholang.
// SAFETY: tree-sitter generated this function into `grammar/src/parser.c`, which the build script compiles into this
// crate. The function takes no arguments and returns a pointer to a constant `TSLanguage`.
pub const LANGUAGE: LanguageFn = unsafe { LanguageFn::from_raw(tree_sitter_rholang) };
