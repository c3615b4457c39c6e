//! Real sources: a few megabytes of each language, from package registries by their ordinary clients.
//!
//! Most of it comes with cargo alone, since packages that wrap other people's libraries carry their sources.
//! What has been fetched once is used again without a network.

mod clients;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

pub(crate) use clients::pip_program;

use crate::root;

/// A package of some registry.
#[derive(Debug)]
struct Package {
    client: Client,
    name: &'static str,
    version: &'static str,
    /// The folder inside to take from; empty for all of it.
    folder: &'static str,
    /// For each language the extensions of its files.
    languages: &'static [(&'static str, &'static [&'static str])],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Client {
    Cargo,
    Npm,
    Pip,
}

const C: (&str, &[&str]) = ("c", &["c", "h"]);
const CPP: (&str, &[&str]) = ("cpp", &["cc", "cpp", "cxx", "hh", "hpp"]);
const GO: (&str, &[&str]) = ("go", &["go"]);
const JAVA: (&str, &[&str]) = ("java", &["java"]);
const JAVASCRIPT: (&str, &[&str]) = ("javascript", &["js", "jsx", "mjs", "cjs"]);
const PYTHON: (&str, &[&str]) = ("python", &["py"]);
const RUST: (&str, &[&str]) = ("rust", &["rs"]);
const TSX: (&str, &[&str]) = ("tsx", &["tsx"]);
const TYPESCRIPT: (&str, &[&str]) = ("typescript", &["ts", "mts", "cts"]);

const PACKAGES: &[Package] = &[
    // regex-automata and syn: idiomatic, documented, full of generics and macros.
    cargo("regex-automata", "0.4.18", "", &[RUST]),
    cargo("syn", "2.0.119", "", &[RUST]),
    cargo("itertools", "0.14.0", "", &[RUST]),
    cargo("libgit2-sys", "0.18.8", "libgit2", &[C]),
    cargo("zstd-sys", "2.1.2", "zstd", &[C]),
    cargo("protobuf-src", "2.1.1", "protobuf", &[CPP, JAVA]),
    cargo("harfbuzz-sys", "0.8.0", "", &[CPP]),
    cargo("boring-sys", "5.4.0", "deps", &[CPP, GO]),
    cargo("rustpython-pylib", "0.6.0", "", &[PYTHON]),
    npm("effect", "3.19.3", "src", &[TYPESCRIPT]),
    npm("rxjs", "7.8.2", "src", &[TYPESCRIPT]),
    npm("tldraw", "4.1.2", "src", &[TYPESCRIPT, TSX]),
    npm("three", "0.181.1", "", &[JAVASCRIPT]),
    npm("lodash", "4.17.21", "", &[JAVASCRIPT]),
    npm("@wordpress/block-editor", "15.7.0", "src", &[JAVASCRIPT]),
    // A large tree of one project: the outlines of others are measured on it.
    Package { client: Client::Pip, name: "Django", version: "5.2.8", folder: "", languages: &[PYTHON] },
];

const fn cargo(
    name: &'static str,
    version: &'static str,
    folder: &'static str,
    languages: &'static [(&'static str, &'static [&'static str])],
) -> Package {
    Package { client: Client::Cargo, name, version, folder, languages }
}

const fn npm(
    name: &'static str,
    version: &'static str,
    folder: &'static str,
    languages: &'static [(&'static str, &'static [&'static str])],
) -> Package {
    Package { client: Client::Npm, name, version, folder, languages }
}

/// What could be had.
#[derive(Debug, Default)]
pub(crate) struct Fetched {
    /// Why some packages are not there: their client is not installed.
    pub(crate) missing: Vec<String>,
}

/// Fetches all packages that are not there yet.
pub(crate) fn fetch() -> Result<Fetched> {
    let mut fetched = Fetched::default();
    for client in [Client::Cargo, Client::Npm, Client::Pip] {
        let wanted: Vec<&Package> =
            PACKAGES.iter().filter(|package| package.client == client && !package.is_there()).collect();
        if wanted.is_empty() {
            continue;
        }
        if !client.is_installed() {
            fetched.missing.push(format!(
                "{} is not installed, which fetches {}",
                client.program(),
                names(&wanted)
            ));
            continue;
        }
        println!("fetching {} with {}", names(&wanted), client.program());
        let folders = clients::unpack(client, &wanted).with_context(|| {
            format!(
                "could not fetch {} with {}: is its registry reachable?",
                names(&wanted),
                client.program()
            )
        })?;
        for (package, folder) in wanted.iter().zip(folders) {
            package.keep(&folder)?;
        }
    }
    Ok(fetched)
}

/// Where the files of one package in one language are.
pub(crate) fn folder_of(package: &str, language: &str) -> PathBuf {
    root::sources().join(language).join(plain(package))
}

impl Package {
    fn is_there(&self) -> bool {
        self.stamp().exists()
    }

    /// Written last: a package is there as a whole or not at all.
    fn stamp(&self) -> PathBuf {
        root::sources().join(".fetched").join(format!("{}-{}", plain(self.name), self.version))
    }

    /// Copies the files of its languages to their folders.
    fn keep(&self, unpacked: &Path) -> Result<()> {
        let from = unpacked.join(self.folder);
        for (language, extensions) in self.languages {
            let to = folder_of(self.name, language);
            if to.exists() {
                fs::remove_dir_all(&to).with_context(|| format!("could not empty {}", to.display()))?;
            }
            copy(&from, &to, extensions)?;
        }
        let stamp = self.stamp();
        fs::create_dir_all(stamp.parent().expect("a stamp lies in a folder"))?;
        fs::write(&stamp, "").with_context(|| format!("could not write {}", stamp.display()))
    }
}

impl Client {
    fn program(self) -> &'static str {
        match self {
            Client::Cargo => "cargo",
            Client::Npm => "npm",
            Client::Pip => "pip",
        }
    }

    fn is_installed(self) -> bool {
        match self {
            Client::Cargo => true,
            Client::Npm => crate::children::exists("npm", "--version"),
            Client::Pip => clients::python().is_some(),
        }
    }
}

fn names(packages: &[&Package]) -> String {
    packages.iter().map(|package| package.name).collect::<Vec<_>>().join(", ")
}

/// A package's name as that of a folder.
fn plain(name: &str) -> String {
    name.trim_start_matches('@').replace('/', "-").to_lowercase()
}

fn copy(from: &Path, to: &Path, extensions: &[&str]) -> Result<()> {
    let entries = fs::read_dir(from).with_context(|| format!("could not read {}", from.display()))?;
    for entry in entries {
        let entry = entry?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type()?;
        if kind.is_dir() {
            copy(&path, &target, extensions)?;
        } else if kind.is_file() && path.extension().is_some_and(|own| extensions.iter().any(|&e| own == e)) {
            fs::create_dir_all(to)?;
            fs::copy(&path, &target).with_context(|| format!("could not copy {}", path.display()))?;
        }
    }
    Ok(())
}
