//! Reads `languages/*/language.toml`, checks the rules and writes them as static tables.
//!
//! A mistake in a rule file ends the build. The message names the file and the rule, and says what is expected there.

#[path = "build/emit.rs"]
mod emit;
#[path = "build/inherit.rs"]
mod inherit;
#[path = "build/leads.rs"]
mod leads;
#[path = "build/pack.rs"]
mod pack;
#[path = "build/section.rs"]
mod section;
#[path = "build/steps.rs"]
mod steps;
#[path = "build/words.rs"]
mod words;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use toml::Table;

use crate::leads::Leads;
use crate::pack::Pack;

fn main() {
    let folder = folder_of_languages();
    println!("cargo::rerun-if-changed={}", folder.display());
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build");
    let sources = read_all(&folder).unwrap_or_else(|message| fail(&message));
    let code = write_all(&sources).unwrap_or_else(|message| fail(&message));
    let target = PathBuf::from(variable("OUT_DIR")).join("languages.rs");
    fs::write(target, code).unwrap_or_else(|error| fail(&format!("cannot write the tables: {error}")));
}

/// The folder `languages`. A link next to this file puts the folder into the published package. On systems without
/// links, the folder is found at the root of the project.
fn folder_of_languages() -> PathBuf {
    let here = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    let own = here.join("languages");
    if own.is_dir() { own } else { here.join("../../languages") }
}

/// The rule files by folder name.
fn read_all(folder: &Path) -> Result<BTreeMap<String, Table>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut sources = BTreeMap::new();
    for entry in entries.flatten() {
        let file = entry.path().join("language.toml");
        let Ok(text) = fs::read_to_string(&file) else { continue };
        println!("cargo::rerun-if-changed={}", file.display());
        let name = entry.file_name().to_string_lossy().into_owned();
        let table =
            text.parse::<Table>().map_err(|error| format!("languages/{name}/language.toml: {error}"))?;
        sources.insert(name, table);
    }
    Ok(sources)
}

/// Writes one static with all languages, ordered by name. Also writes one static for each kind of word that leads to a
/// language, and one static for each type of item in the tables.
fn write_all(sources: &BTreeMap<String, Table>) -> Result<String, String> {
    let mut code = String::new();
    let mut leads = Leads::default();
    let pack = Pack::default();
    let mut left_out = Vec::new();
    let mut n_languages = 0;
    for name in sources.keys() {
        let table = inherit::inherited(name, sources)?;
        let context = format!("languages/{name}/language.toml");
        if let Some(package) = missing_package(&table) {
            left_out
                .push(emit::left_out(&package, table).map_err(|message| format!("{context}: {message}"))?);
            continue;
        }
        n_languages += 1;
        leads.next_language(name);
        code += &emit::language(name, &table, &mut leads, &pack)
            .map_err(|message| format!("{context}: {message}"))?;
    }
    code = format!("pub(super) static LANGUAGES: [super::Language; {n_languages}] = [\n{code}];\n");
    let _ = writeln!(code, "pub(super) static LEFT_OUT: &[super::LeftOut] = &[{}];", left_out.join(", "));
    code += &leads.code();
    code += &pack.code();
    Ok(code)
}

/// The package with the grammar of a language, if the features of this build leave it out. Each grammar of others is a
/// feature, named like its package.
fn missing_package(table: &Table) -> Option<String> {
    let library = table.get("grammar")?.as_str()?.split("::").next()?;
    let is_there = env::var_os(format!("CARGO_FEATURE_{}", library.to_uppercase())).is_some();
    let is_optional = library.starts_with("tree_sitter_");
    (is_optional && !is_there).then(|| library.replace('_', "-"))
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| fail(&format!("{name} is not set; cargo sets it")))
}

fn fail(message: &str) -> ! {
    println!("cargo::error={}", message.replace('\n', " "));
    eprintln!("{message}");
    std::process::exit(1)
}
