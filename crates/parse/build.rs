//! Compiles the C code of this crate. The guard leaves a parse by a jump over stack frames, and only frames of C may be
//! jumped over. So the guard is in C, and so is all code that it guards.

fn main() {
    let files = ["src/guard.c", "src/accept.c"];
    files.iter().chain(&["src/guard.h"]).for_each(|file| println!("cargo::rerun-if-changed={file}"));
    let include = std::env::var("DEP_TREE_SITTER_INCLUDE").expect("tree-sitter tells where its header is");
    // The layout of a grammar's tables is in a header beside the sources.
    let sources = format!("{include}/../src");
    cc::Build::new().std("c11").include(include).include(sources).files(files).compile("locant-guard");
}
