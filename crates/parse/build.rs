//! Compiles what works with tree-sitter from C. The guard is written in C because only C may jump out of C code, and so
//! is all that it guards.

fn main() {
    let files = ["src/guard.c", "src/accept.c"];
    files.iter().chain(&["src/guard.h"]).for_each(|file| println!("cargo::rerun-if-changed={file}"));
    let include = std::env::var("DEP_TREE_SITTER_INCLUDE").expect("tree-sitter tells where its header is");
    // The layout of a grammar's tables is in a header beside the sources.
    let sources = format!("{include}/../src");
    cc::Build::new().std("c11").include(include).include(sources).files(files).compile("locant-guard");
}
