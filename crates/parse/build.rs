//! Compiles the guard around tree-sitter. The guard is written in C because only C may jump out of C code.

fn main() {
    println!("cargo::rerun-if-changed=src/guard.c");
    let include = std::env::var("DEP_TREE_SITTER_INCLUDE").expect("tree-sitter tells where its header is");
    cc::Build::new().std("c11").include(include).file("src/guard.c").compile("locant-guard");
}
