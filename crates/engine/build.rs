//! Computes a digest of all sources that decide how files are read. A cache is used only if the same sources wrote it.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let root = here.join("../..");
    // A published crate has no workspace around it, so none of these paths exist. There the version of the crate, which
    // is part of the same key, is enough.
    let sources = ["languages", "Cargo.lock"].into_iter().map(|name| root.join(name));
    let crates = ["text", "tree", "parse", "lang", "rholang", "proto", "skim"];
    let crates = crates.into_iter().map(|name| root.join("crates").join(name).join("src"));
    let mut digest = 0xcbf2_9ce4_8422_2325;
    for source in sources.chain(crates).filter(|source| source.exists()) {
        println!("cargo::rerun-if-changed={}", source.display());
        add(&mut digest, &source);
    }
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=LOCANT_READERS={digest:016x}");
}

/// Adds a file to the digest, or all files of a folder, sorted by name.
fn add(digest: &mut u64, path: &Path) {
    let mut inside: Vec<PathBuf> = fs::read_dir(path)
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    inside.sort();
    for path in &inside {
        add(digest, path);
    }
    // Other line endings give another digest although they mean the same. That costs only a rewrite of the cache.
    for byte in fs::read(path).unwrap_or_default() {
        *digest = (*digest ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    }
}
