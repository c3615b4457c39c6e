//! Writes the table of servers in docs/servers.md.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result};
use serde::Deserialize;

use super::install::Installation;
use crate::root::root;

/// The lines in docs/servers.md before and after the table.
const STARTS: &str = "<!-- servers: written by cargo xtask servers -->";
const ENDS: &str = "<!-- end of the servers -->";

/// What was asked of a server.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked {
    pub(crate) n_questions: usize,
    pub(crate) n_right: usize,
    pub(crate) n_refused: usize,
}

/// What the table shows of a server's own data.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Entry {
    languages: Vec<String>,
    extensions: BTreeMap<String, String>,
    preference: u32,
    only_by_name: bool,
}

/// Writes the table. Servers that were not asked this time keep their rows.
pub(crate) fn write(table: &[Installation], asked: &BTreeMap<String, Asked>) -> Result<()> {
    let page = root().join("docs/servers.md");
    let text = fs::read_to_string(&page).with_context(|| format!("could not read {}", page.display()))?;
    let (before, rest) = text.split_once(STARTS).context("docs/servers.md has no place for the table")?;
    let (old, after) = rest.split_once(ENDS).context("the table in docs/servers.md has no end")?;
    let mut rows = Vec::new();
    for (installation, name) in
        table.iter().flat_map(|one| one.tries().into_iter().map(move |name| (one, name)))
    {
        let start = format!("| {name} |");
        let kept = old.lines().find(|line| line.starts_with(&start)).map(|line| format!("{line}\n"));
        let file = root().join("servers").join(format!("{name}.toml"));
        let text = fs::read_to_string(&file).with_context(|| format!("could not read {}", file.display()))?;
        let entry: Entry = toml::from_str(&text).with_context(|| format!("{} is wrong", file.display()))?;
        let row = asked.get(name).map(|asked| row(installation, name, &entry, asked));
        rows.extend(row.or(kept).map(|row| (entry.languages.first().cloned(), entry.preference, row)));
    }
    rows.sort();
    let rows: String = rows.into_iter().map(|(_, _, row)| row).collect();
    let head = "| server | languages | installed | order | questions | positions right | refused |\n\
                |---|---|---|--:|--:|--:|--:|\n";
    fs::write(&page, format!("{before}{STARTS}\n\n{head}{rows}\n{ENDS}{after}"))
        .context("could not write the page")
}

fn row(installation: &Installation, name: &str, entry: &Entry, asked: &Asked) -> String {
    let languages: Vec<&str> =
        entry.languages.iter().chain(entry.extensions.values()).map(String::as_str).collect();
    let mut languages: Vec<&str> = languages;
    languages.dedup();
    let order = if entry.only_by_name { "when named".to_owned() } else { entry.preference.to_string() };
    let Asked { n_questions, n_right, n_refused } = asked;
    format!(
        "| {name} | {} | {} | {order} | {n_questions} | {n_right} | {n_refused} |\n",
        languages.join(", "),
        installation.said()
    )
}
