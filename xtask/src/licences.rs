//! `cargo xtask licences`: writes `docs/third-party.md`, the list of all packages that the program is built from.
//!
//! In the tests, it checks that the list is up to date. It also checks the rules of `deny.toml` that need no network:
//! every licence is allowed, all packages come from one registry, and no version is left open. The advisories are on
//! the network; `cargo deny check` reads them, too.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::children::{cargo, output};
use crate::root;

/// A package that somebody else wrote.
struct Package {
    name: String,
    version: String,
    licence: String,
    authors: String,
    source: String,
    folder: std::path::PathBuf,
}

const LIST: &str = "docs/third-party.md";

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let packages = packages()?;
    match arguments {
        [] => Ok(fs::write(root::root().join(LIST), list(&packages))?),
        [word, file] if word == "--texts" => Ok(fs::write(file, texts(&packages)?)?),
        _ => bail!("ask `cargo xtask licences` or `cargo xtask licences --texts FILE`"),
    }
}

/// Checks that every licence is allowed, and that the list of packages is up to date.
pub(crate) fn check() -> Result<()> {
    let (packages, allowed) = (packages()?, allowed()?);
    for Package { name, licence, .. } in &packages {
        ensure!(
            is_allowed(licence, &allowed),
            "{name} has the licence `{licence}`, which deny.toml does not allow"
        );
    }
    for Package { name, source, .. } in &packages {
        ensure!(
            source.starts_with("registry+") && *source == packages[0].source,
            "{name} comes from `{source}`, not from the registry that the others come from"
        );
    }
    let open = open_versions()?;
    ensure!(open.is_empty(), "no version is asked for: {}", open.join(", "));
    let written = fs::read_to_string(root::root().join(LIST)).unwrap_or_default();
    ensure!(written == list(&packages), "{LIST} is out of date: run `cargo xtask licences`");
    Ok(())
}

/// The dependencies of our packages that allow any version.
fn open_versions() -> Result<Vec<String>> {
    let metadata = output(&mut cargo(&["metadata", "--format-version", "1", "--locked", "--no-deps"]))?;
    let metadata: Value = serde_json::from_str(&metadata).context("cargo metadata is no JSON")?;
    let mut open = Vec::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let wanted = package["dependencies"].as_array().into_iter().flatten();
        let is_open = |wanted: &&Value| wanted["req"] == "*";
        open.extend(
            wanted.filter(is_open).map(|wanted| format!("{} by {}", wanted["name"], package["name"])),
        );
    }
    Ok(open)
}

/// All packages of others that a build of the program contains or needs, in the order of their names.
fn packages() -> Result<Vec<Package>> {
    let metadata = output(&mut cargo(&["metadata", "--format-version", "1", "--locked"]))?;
    let metadata: Value = serde_json::from_str(&metadata).context("cargo metadata is no JSON")?;
    let ours: BTreeSet<&str> = strings(&metadata["workspace_members"]).collect();
    let needed = needed(&metadata, &["locant", "locant-python"]);
    let all = metadata["packages"].as_array().context("cargo metadata lists no packages")?;
    let others = all.iter().filter(|package| {
        let id = package["id"].as_str().unwrap_or_default();
        !ours.contains(id) && needed.contains(id)
    });
    let mut packages: Vec<Package> = others.map(package).collect::<Result<_>>()?;
    packages.sort_by(|one, other| (&one.name, &one.version).cmp(&(&other.name, &other.version)));
    Ok(packages)
}

/// The ids of the packages that the packages called `names` need to run or to be built. Packages that only their tests
/// need are left out.
fn needed(metadata: &Value, names: &[&str]) -> BTreeSet<String> {
    let is_named = |package: &&Value| names.contains(&package["name"].as_str().unwrap_or_default());
    let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let nodes = metadata["resolve"]["nodes"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut waiting: Vec<String> = packages
        .iter()
        .filter(is_named)
        .filter_map(|package| package["id"].as_str())
        .map(str::to_owned)
        .collect();
    let mut needed = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        let node = nodes.iter().find(|node| node["id"] == id.as_str());
        let dependencies = node.and_then(|node| node["deps"].as_array()).into_iter().flatten();
        let real = dependencies.filter(|dependency| {
            let kinds = dependency["dep_kinds"].as_array().into_iter().flatten();
            kinds.into_iter().any(|kind| kind["kind"] != "dev")
        });
        waiting.extend(real.filter_map(|dependency| dependency["pkg"].as_str()).map(str::to_owned));
        needed.insert(id);
        waiting.retain(|id| !needed.contains(id));
    }
    needed
}

fn package(value: &Value) -> Result<Package> {
    let text = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
    let (name, licence) = (text("name"), text("license"));
    ensure!(!licence.is_empty(), "{name} does not say what its licence is");
    let manifest = text("manifest_path");
    let folder = Path::new(&manifest).parent().context("a manifest lies in a folder")?.to_owned();
    let authors: Vec<&str> =
        strings(&value["authors"]).map(|author| author.split(" <").next().unwrap_or(author)).collect();
    let (version, source) = (text("version"), text("source"));
    Ok(Package { name, version, licence, authors: authors.join(", "), source, folder })
}

fn strings(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str)
}

fn allowed() -> Result<Vec<String>> {
    let text = fs::read_to_string(root::root().join("deny.toml"))?;
    let table: toml::Table = text.parse().context("deny.toml")?;
    let allowed = table.get("licenses").and_then(|licences| licences.get("allow")?.as_array());
    let allowed = allowed.context("deny.toml allows no licence")?;
    Ok(allowed.iter().filter_map(|licence| licence.as_str()).map(str::to_owned).collect())
}

/// Whether one of the choices that an expression gives has only licences that are allowed. Old expressions write `/`
/// for `OR`.
fn is_allowed(expression: &str, allowed: &[String]) -> bool {
    let plain = expression.replace(['(', ')'], "").replace('/', " OR ");
    // Parentheses may be ignored here, because requiring all parts of each `AND` can only make the check stricter.
    plain.split(" AND ").all(|part| {
        part.split(" OR ").map(str::trim).any(|licence| allowed.iter().any(|allowed| allowed == licence))
    })
}

fn list(packages: &[Package]) -> String {
    let mut list = format!(
        "# Packages of others\n\n\
         The program is built from these {} packages, each under its own licence. `cargo xtask licences` writes this\n\
         page; `cargo xtask licences --texts FILE` writes the texts of their licences into a file.\n\n\
         | package | version | licence | authors |\n|---|---|---|---|\n",
        packages.len()
    );
    for Package { name, version, licence, authors, .. } in packages {
        let _ = writeln!(list, "| {name} | {version} | {licence} | {authors} |");
    }
    list
}

/// The texts of all licences. Equal texts are written once, below the names of their packages.
fn texts(packages: &[Package]) -> Result<String> {
    let mut by_text: Vec<(String, Vec<String>)> = Vec::new();
    for Package { name, version, licence, folder, .. } in packages {
        let named = format!("{name} {version} ({licence})");
        for text in licence_files(folder)? {
            match by_text.iter_mut().find(|(known, _)| *known == text) {
                Some((_, names)) => names.push(named.clone()),
                None => by_text.push((text, vec![named.clone()])),
            }
        }
    }
    let sections = by_text.iter().map(|(text, names)| format!("{}\n\n{}\n\n", names.join("\n"), text.trim()));
    Ok(sections.collect::<Vec<_>>().join(&format!("{}\n\n", "-".repeat(80))))
}

fn licence_files(folder: &Path) -> Result<Vec<String>> {
    let mut files: Vec<_> = fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    files.sort();
    let is_licence = |path: &std::path::PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().to_uppercase()).unwrap_or_default();
        ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"].iter().any(|start| name.starts_with(start))
    };
    let texts = files.iter().filter(|path| is_licence(path) && path.is_file()).map(fs::read_to_string);
    Ok(texts.collect::<Result<Vec<_>, _>>()?)
}

#[cfg(test)]
mod tests {
    use super::is_allowed;

    #[test]
    fn one_choice_must_be_allowed() {
        let allowed =
            ["MIT".to_owned(), "Unicode-3.0".to_owned(), "Apache-2.0 WITH LLVM-exception".to_owned()];
        for (expression, expected) in [
            ("MIT", true),
            ("GPL-3.0", false),
            ("MIT OR GPL-3.0", true),
            ("GPL-3.0/MIT", true),
            ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
            ("MIT AND GPL-3.0", false),
            ("Apache-2.0 WITH LLVM-exception", true),
        ] {
            assert_eq!(is_allowed(expression, &allowed), expected, "{expression}");
        }
    }
}
