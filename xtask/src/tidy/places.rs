//! Rules about paths: no file names a folder or registry of one machine, and no Rust file is for one language.

use std::fs;

use super::file::{File, Problem};
use crate::root::root;

/// Folders that only some machines have. The names are written in pieces, because this file would break its own rule
/// otherwise.
const OF_A_MACHINE: &[&str] = &[concat!("/wo", "rk/"), concat!("/ho", "me/"), concat!("/ro", "ot/")];

/// The source that a lock file names for a package from the public registry.
const PUBLIC: &str = "registry+https://github.com/rust-lang/crates.io-index";

pub(super) fn machine_paths(file: &File) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (index, line) in file.text.lines().enumerate() {
        // A path directly after a name is the end of a relative path, which is fine on all machines.
        let is_absolute = |path: &str| {
            let is_name = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '/' | '}');
            line.match_indices(path).any(|(at, _)| !line[..at].ends_with(is_name))
        };
        let found = OF_A_MACHINE.iter().filter(|path| is_absolute(path));
        problems.extend(found.map(|path| file.problem(index + 1, *path, "no other machine has that folder")));
    }
    problems
}

pub(super) fn registries(file: &File) -> Vec<Problem> {
    const WHY: &str = "which mirror a machine uses is its own affair";
    let lines = file.text.lines().enumerate();
    if file.path.ends_with("Cargo.lock") {
        return lines
            .filter(|(_, line)| line.starts_with("source = ") && !line.contains(PUBLIC))
            .map(|(index, _)| file.problem(index + 1, "not the public registry", WHY))
            .collect();
    }
    if file.path == ".cargo/config.toml" {
        return lines
            .filter(|(_, line)| line.starts_with("[source") || line.starts_with("[registr"))
            .map(|(index, _)| file.problem(index + 1, "a source of one machine", WHY))
            .collect();
    }
    let is_setting = [".npmrc", "pip.conf", ".pypirc"].iter().any(|name| file.path.ends_with(name));
    if is_setting { vec![file.problem(1, "the settings of a client", WHY)] } else { Vec::new() }
}

pub(super) fn one_language(file: &File) -> Vec<Problem> {
    let Some(name) = file.path.strip_prefix("crates/lang/src/").and_then(|name| name.strip_suffix(".rs"))
    else {
        return Vec::new();
    };
    let words = name.rsplit('/').next().unwrap_or(name);
    let is_language =
        |name: &str| name == words || words.split('_').any(|word| word == name && name.len() > 2);
    let Ok(languages) = fs::read_dir(root().join("languages")) else { return Vec::new() };
    let is_one = languages.flatten().any(|language| is_language(&language.file_name().to_string_lossy()));
    let why = "a language is a folder of data; if it needs Rust, the rules lack a word";
    if is_one { vec![file.problem(1, "a file for one language", why)] } else { Vec::new() }
}
