//! Real sources: a few megabytes for each language, fetched from package registries with their usual clients.
//!
//! The packages are listed in `xtask/sources.toml`. A package that has been fetched once is used again without a
//! network.

mod apt;
mod clients;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Deserialize;

pub(crate) use apt::{proto_parser, unpack_with_dependencies, unpacked};
pub(crate) use clients::{cargo_program, fetched, pip_packages, pip_program, python, source_of};

use crate::root;

/// The contents of `xtask/sources.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sources {
    /// The languages for which no registry has a package.
    #[cfg_attr(not(test), expect(dead_code, reason = "for the readers of the table, and a test"))]
    without: Vec<String>,
    /// For each language, patterns for the names of its files, each with one `*` at most.
    files: BTreeMap<String, Vec<String>>,
    package: Vec<Package>,
}

/// A package of some registry.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Package {
    from: Client,
    name: String,
    /// Empty if the Linux distribution of the machine decides on the version.
    #[serde(default)]
    version: String,
    /// The folder in the package from which files are taken. If it is empty, files are taken from all folders.
    #[serde(default)]
    folder: String,
    languages: Vec<String>,
    /// The most megabytes to take for each language. If it is absent, all files are taken.
    megabytes: Option<u64>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Client {
    Cargo,
    Npm,
    Pip,
    Wheel,
    Deb,
    DebSource,
}

/// The size of the largest file that is taken. Larger files are generated, and would take more time than all others.
const MOST_BYTES_OF_A_FILE: u64 = 2_000_000;

/// The result of fetching.
#[derive(Debug, Default)]
pub(crate) struct Fetched {
    /// A message for each client that is not installed, with the packages that are therefore missing.
    pub(crate) missing: Vec<String>,
}

/// Fetches all packages that have not been fetched yet.
pub(crate) fn fetch() -> Result<Fetched> {
    fetch_those(&|_| true)
}

/// Fetches the packages with files of these languages that have not been fetched yet. If no language is named, it
/// fetches the packages of all languages.
pub(crate) fn fetch_languages(languages: &[&str]) -> Result<Fetched> {
    let is_named = |own: &String| languages.contains(&own.as_str());
    fetch_those(&|package| languages.is_empty() || package.languages.iter().any(is_named))
}

fn fetch_those(is_asked_for: &dyn Fn(&Package) -> bool) -> Result<Fetched> {
    let sources = read()?;
    let mut fetched = Fetched::default();
    for client in Client::ALL {
        let is_wanted =
            |package: &&Package| package.from == client && is_asked_for(package) && !package.is_there();
        let wanted: Vec<&Package> = sources.package.iter().filter(is_wanted).collect();
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
        clients::prepare(client, &wanted)?;
        for package in wanted {
            let folder = clients::unpack(package).with_context(|| {
                format!(
                    "could not fetch {} with {}: is its registry reachable?",
                    package.name,
                    client.program()
                )
            })?;
            package.keep(&folder, &sources.files)?;
        }
    }
    Ok(fetched)
}

/// The folder with the files of one package in one language.
pub(crate) fn folder_of(package: &str, language: &str) -> PathBuf {
    root::sources().join(language).join(plain(package))
}

/// The files of a language in a folder of sources, sorted by path. Files of other languages are left out.
pub(crate) fn files(sources: &Path, language: &str) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    collect(&mut paths, &sources.join(language))?;
    if let Some(patterns) = read()?.files.get(language) {
        paths.retain(|path| is_of(path, patterns));
    }
    paths.sort();
    Ok(paths)
}

fn read() -> Result<Sources> {
    let path = root::root().join("xtask/sources.toml");
    let text = fs::read_to_string(&path).with_context(|| format!("could not read {}", path.display()))?;
    toml::from_str(&text).with_context(|| format!("{} is not as it should be", path.display()))
}

impl Package {
    fn is_there(&self) -> bool {
        fs::read_to_string(self.stamp()).is_ok_and(|stamp| stamp == self.wish())
    }

    /// The file that marks a package as fetched. It is written last, so that an interrupted fetch is done again.
    fn stamp(&self) -> PathBuf {
        root::sources().join(".fetched").join(plain(&self.name))
    }

    /// The content of the file `stamp`: the entry of the package in `sources.toml`. If the entry is changed, the
    /// package is fetched again.
    fn wish(&self) -> String {
        format!("{self:?}\n")
    }

    /// Copies the files of each of its languages to the folder of the language.
    fn keep(&self, unpacked: &Path, files: &BTreeMap<String, Vec<String>>) -> Result<()> {
        let from = unpacked.join(&self.folder);
        let mut paths = Vec::new();
        collect(&mut paths, &from)?;
        paths.sort();
        for language in &self.languages {
            let patterns = files.get(language).with_context(|| format!("no files are of {language}"))?;
            let to = folder_of(&self.name, language);
            if to.exists() {
                fs::remove_dir_all(&to).with_context(|| format!("could not empty {}", to.display()))?;
            }
            let own: Vec<&PathBuf> = paths.iter().filter(|path| is_of(path, patterns)).collect();
            self.copy(&own, &from, &to).with_context(|| format!("{} files of {}", language, self.name))?;
        }
        let stamp = self.stamp();
        fs::create_dir_all(stamp.parent().expect("a stamp lies in a folder"))?;
        fs::write(&stamp, self.wish()).with_context(|| format!("could not write {}", stamp.display()))
    }

    fn copy(&self, paths: &[&PathBuf], from: &Path, to: &Path) -> Result<()> {
        let most = self.megabytes.map_or(u64::MAX, |megabytes| megabytes * 1_000_000);
        let mut n_bytes = 0;
        for path in paths {
            let length = fs::metadata(path)?.len();
            if length > MOST_BYTES_OF_A_FILE || n_bytes + length > most {
                continue;
            }
            n_bytes += length;
            let target = to.join(path.strip_prefix(from).expect("it was found there"));
            fs::create_dir_all(target.parent().expect("a file lies in a folder"))?;
            // `fs::copy` would copy the permissions too. Packages have read-only files, and the next fetch must be able
            // to replace them.
            let bytes = fs::read(path).with_context(|| format!("could not read {}", path.display()))?;
            fs::write(&target, bytes).with_context(|| format!("could not write {}", target.display()))?;
        }
        anyhow::ensure!(n_bytes > 0, "there are none");
        Ok(())
    }
}

impl Client {
    const ALL: [Client; 6] =
        [Client::Cargo, Client::Npm, Client::Pip, Client::Wheel, Client::Deb, Client::DebSource];

    fn program(self) -> &'static str {
        match self {
            Client::Cargo => "cargo",
            Client::Npm => "npm",
            Client::Pip | Client::Wheel => "pip",
            Client::Deb | Client::DebSource => "apt-get",
        }
    }

    fn is_installed(self) -> bool {
        match self {
            Client::Cargo => true,
            Client::Npm => crate::children::exists("npm", "--version"),
            Client::Pip | Client::Wheel => clients::python().is_some(),
            Client::Deb | Client::DebSource => crate::children::exists("apt-get", "--version"),
        }
    }
}

fn names(packages: &[&Package]) -> String {
    packages.iter().map(|package| package.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// The name of the folder for a package.
fn plain(name: &str) -> String {
    name.trim_start_matches('@').replace('/', "-").to_lowercase()
}

/// Whether the name of a file fits one of the patterns.
fn is_of(path: &Path, patterns: &[String]) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    patterns.iter().any(|pattern| match pattern.split_once('*') {
        Some((start, end)) => {
            name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
        }
        None => name == *pattern,
    })
}

fn collect(paths: &mut Vec<PathBuf>, folder: &Path) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("could not read {}", folder.display()))?;
    for entry in entries {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            collect(paths, &entry.path())?;
        } else if kind.is_file() {
            paths.push(entry.path());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_of_the_project_has_sources() {
        let sources = read().expect("sources.toml can be read");
        let languages = fs::read_dir(root::root().join("languages")).expect("there are languages");
        for language in languages {
            let language = language.expect("it can be read").file_name().to_string_lossy().into_owned();
            let has_it = |package: &Package| package.languages.contains(&language);
            let has_none = sources.without.contains(&language);
            assert!(sources.package.iter().any(has_it) != has_none, "what has sources of {language}?");
        }
    }

    #[test]
    fn a_file_is_told_by_its_name() {
        let patterns = ["*.mk".to_owned(), "Makefile".to_owned(), "Makefile.*".to_owned()];
        assert!(is_of(Path::new("a/b.mk"), &patterns));
        assert!(is_of(Path::new("a/Makefile"), &patterns));
        assert!(is_of(Path::new("Makefile.in"), &patterns));
        assert!(!is_of(Path::new("a/Makefile/x"), &patterns));
        assert!(!is_of(Path::new("NotMakefile"), &patterns));
    }
}
