//! Computes a digest of all sources that decide how files are read, so that a cache that was written by other readers
//! is not used.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let root = here.join("../..");
    // A published crate has no workspace around it; there the version of the crate is enough.
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

/// Adds a file to the digest, or all files of a folder in the order of their names.
fn add(digest: &mut u64, path: &Path) {
    let mut inside: Vec<PathBuf> = fs::read_dir(path)
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    inside.sort();
    for path in &inside {
        add(digest, path);
    }
    // A changed line ending changes the digest though not the meaning; it only makes the cache be written again.
    for byte in fs::read(path).unwrap_or_default() {
        *digest = (*digest ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    }
}
