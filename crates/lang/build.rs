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
    let folder = Path::new(&variable("CARGO_MANIFEST_DIR")).join("../../languages");
    println!("cargo::rerun-if-changed={}", folder.display());
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build");
    let sources = read_all(&folder).unwrap_or_else(|message| fail(&message));
    let code = write_all(&sources).unwrap_or_else(|message| fail(&message));
    let target = PathBuf::from(variable("OUT_DIR")).join("languages.rs");
    fs::write(target, code).unwrap_or_else(|error| fail(&format!("cannot write the tables: {error}")));
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
/// language, and one for each type of item in the tables.
fn write_all(sources: &BTreeMap<String, Table>) -> Result<String, String> {
    let mut code = String::new();
    let _ = writeln!(code, "pub(super) static LANGUAGES: [super::Language; {}] = [", sources.len());
    let mut leads = Leads::default();
    let pack = Pack::default();
    for name in sources.keys() {
        let table = inherit::inherited(name, sources)?;
        let context = format!("languages/{name}/language.toml");
        leads.next_language(name);
        code += &emit::language(name, &table, &mut leads, &pack)
            .map_err(|message| format!("{context}: {message}"))?;
    }
    code += "];\n";
    code += &leads.code();
    code += &pack.code();
    Ok(code)
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| fail(&format!("{name} is not set; cargo sets it")))
}

fn fail(message: &str) -> ! {
    println!("cargo::error={}", message.replace('\n', " "));
    eprintln!("{message}");
    std::process::exit(1)
}
