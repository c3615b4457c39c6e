//! Puts the files of the folder `servers/` into the program.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

fn main() {
    // A link beside this file puts the folder into the published package. On systems without links, the folder at the
    // root of the project is read.
    let here = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let own = Path::new(&here).join("servers");
    let folder = if own.is_dir() { own } else { Path::new(&here).join("../../servers") };
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files: Vec<_> = fs::read_dir(&folder)
        .expect("the folder is a part of the project")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    files.sort();
    let mut list = format!("const FILES: [(&str, &str); {}] = [\n", files.len());
    for path in files {
        let name = path.file_stem().expect("it has an extension").to_string_lossy().into_owned();
        let path = path.canonicalize().expect("it was just listed");
        println!("cargo::rerun-if-changed={}", path.display());
        writeln!(list, "    ({name:?}, include_str!({:?})),", path.display().to_string())
            .expect("a string grows");
    }
    list.push_str("];\n");
    let out = env::var("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("catalogue.rs"), list).expect("cargo made the folder");
}
