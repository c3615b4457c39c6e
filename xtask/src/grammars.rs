//! The C sources of the grammars: where cargo keeps them, and whether their scanners can handle all characters.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::children::{cargo, output};
use crate::root::root;

/// A grammar in a package: a folder with a `parser.c`, and a `scanner.c` if it needs one.
pub(crate) struct Grammar {
    /// The name of the package in cargo: `tree-sitter-bash`.
    pub(crate) package: String,
    /// The C function that returns the language: `tree_sitter_bash`.
    pub(crate) function: String,
    pub(crate) folder: PathBuf,
}

/// Functions of C that are defined only for the first 256 characters.
const NARROW: &[&str] = &[
    "isalnum", "isalpha", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint", "ispunct",
    "isspace", "isupper", "isxdigit", "tolower", "toupper",
];

/// Fails if a scanner calls a function in `NARROW`, but one of its languages does not have `narrow = true`. This
/// setting keeps all other characters away from the scanner.
pub(crate) fn check() -> Result<()> {
    let mut problems = Vec::new();
    for grammar in grammars()? {
        let calls = narrow_calls(&grammar.folder)?;
        let is_narrow = all_are_narrow(&grammar.package)?;
        if let Some(call) = calls.first().filter(|_| !is_narrow) {
            problems.push(format!("{} calls {call}: its languages need `narrow = true`", grammar.package));
        }
    }
    ensure!(problems.is_empty(), "{}", problems.join("\n"));
    Ok(())
}

/// All grammars that the workspace uses, in the order of their packages.
pub(crate) fn grammars() -> Result<Vec<Grammar>> {
    let mut grammars = Vec::new();
    for (package, folder) in packages()? {
        let mut folders = Vec::new();
        collect(&mut folders, &folder, 0)?;
        folders.sort();
        for folder in folders {
            let function = function(&folder.join("parser.c"))?;
            grammars.push(Grammar { package: package.clone(), function, folder });
        }
    }
    let own = root().join("crates/rholang/grammar/src");
    let function = function(&own.join("parser.c"))?;
    grammars.push(Grammar { package: "locant-rholang".to_owned(), function, folder: own });
    Ok(grammars)
}

/// Whether a grammar is given only the characters of Latin-1.
pub(crate) fn is_narrow(grammar: &Grammar) -> Result<bool> {
    Ok(!narrow_calls(&grammar.folder)?.is_empty() && all_are_narrow(&grammar.package)?)
}

/// The folder of the tree-sitter library, which runs the grammars.
pub(crate) fn library() -> Result<PathBuf> {
    let metadata = metadata()?;
    let found = folders(&metadata).find(|(name, _)| name == "tree-sitter");
    found.map(|(_, folder)| folder).context("the workspace uses no tree-sitter")
}

fn packages() -> Result<Vec<(String, PathBuf)>> {
    let metadata = metadata()?;
    let are_grammars = |name: &str| {
        let is_other = ["tree-sitter-language", "tree-sitter-generate"].contains(&name);
        name.starts_with("tree-sitter-") && !is_other
    };
    let mut packages: Vec<_> = folders(&metadata).filter(|(name, _)| are_grammars(name)).collect();
    packages.sort();
    Ok(packages)
}

fn metadata() -> Result<serde_json::Value> {
    let metadata = output(&mut cargo(&["metadata", "--format-version", "1"]))?;
    serde_json::from_str(&metadata).context("cargo metadata is no JSON")
}

/// The names and folders of all packages in the metadata: those of the workspace and their dependencies.
fn folders(metadata: &serde_json::Value) -> impl Iterator<Item = (String, PathBuf)> {
    let packages = metadata["packages"].as_array().cloned().unwrap_or_default();
    packages.into_iter().filter_map(|package| {
        let manifest = Path::new(package["manifest_path"].as_str()?);
        Some((package["name"].as_str()?.to_owned(), manifest.parent()?.to_owned()))
    })
}

/// Collects the folders with a `parser.c`, up to a few levels down. Some packages have several.
fn collect(found: &mut Vec<PathBuf>, folder: &Path, depth: usize) -> Result<()> {
    const DEEPEST: usize = 3;
    if folder.join("parser.c").is_file() {
        found.push(folder.to_owned());
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() && depth < DEEPEST {
            collect(found, &path, depth + 1)?;
        }
    }
    Ok(())
}

/// The name of the C function that returns the language, read from `parser.c`.
fn function(parser: &Path) -> Result<String> {
    let text = fs::read_to_string(parser).with_context(|| format!("could not read {}", parser.display()))?;
    let declaration = text.rsplit_once("const TSLanguage *").map(|(_, declaration)| declaration);
    let name = declaration.and_then(|declaration| declaration.split('(').next());
    name.map(|name| name.trim().to_owned())
        .with_context(|| format!("{} declares no language", parser.display()))
}

/// The calls of functions in `NARROW` by a scanner and the files that it includes, such as `scanner.c: isdigit`.
fn narrow_calls(folder: &Path) -> Result<Vec<String>> {
    let mut calls = Vec::new();
    // If several grammars of a package share files, these are in the folder `common` beside the folders of the
    // grammars.
    let shared = folder.parent().and_then(Path::parent).map(|parent| parent.join("common"));
    for folder in [Some(folder.to_owned()), shared].into_iter().flatten().filter(|folder| folder.is_dir()) {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let is_scanner = (name.ends_with(".c") && name != "parser.c") || name.ends_with(".h");
            if is_scanner && path.is_file() {
                let text = fs::read_to_string(&path)?;
                calls.extend(calls_in(&text).into_iter().map(|call| format!("{name}: {call}")));
            }
        }
    }
    Ok(calls)
}

fn calls_in(text: &str) -> Vec<&'static str> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_called = |function: &str| {
        text.match_indices(function).any(|(at, _)| {
            let after = text[at + function.len()..].trim_start();
            !text[..at].ends_with(is_word) && after.starts_with('(')
        })
    };
    NARROW.iter().copied().filter(|function| is_called(function)).collect()
}

/// Whether all languages that use a package have `narrow = true`.
fn all_are_narrow(package: &str) -> Result<bool> {
    let grammar = format!("grammar = \"{}::", package.replace('-', "_"));
    for entry in fs::read_dir(root().join("languages"))? {
        let path = entry?.path().join("language.toml");
        let text = fs::read_to_string(&path).with_context(|| format!("could not read {}", path.display()))?;
        if text.contains(&grammar) && !text.contains("\nnarrow = true\n") {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_of_functions_for_256_characters() {
        assert_eq!(calls_in("if (isdigit(lexer->lookahead))"), ["isdigit"]);
        assert_eq!(calls_in("x = toupper (c)"), ["toupper"]);
        assert!(calls_in("iswdigit(c); my_isdigit(c); isdigits(c); bool isalpha;").is_empty());
    }

    #[test]
    fn no_scanner_is_asked_more_than_it_knows() {
        check().unwrap();
    }
}
