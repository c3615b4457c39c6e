//! Compiles the generated parser; `cargo xtask grammar` generates it from `grammar/grammar.js`.

fn main() {
    println!("cargo::rerun-if-changed=grammar/src");
    cc::Build::new()
        .std("c11")
        .include("grammar/src")
        .file("grammar/src/parser.c")
        .warnings(false)
        .compile("tree-sitter-rholang");
}
