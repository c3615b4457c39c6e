//! `cargo xtask languages`: writes docs/languages.md from the folders of the languages and the measured figures.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use toml::{Table, Value};

use crate::figures::{self, Agreement, Figure};
use crate::root::root;

const HEAD: &str = "\
# Languages

<!-- Written by `cargo xtask languages` from the folders in `languages/` and the figures of the last runs. -->

The symbols of these languages have names in locations. Text and lines are found in every file, whatever its language.
";

const AGREEMENT: &str = "
## Agreement with others

Our outlines compared with those of another program for the same real files (`cargo xtask agree`). A symbol agrees when
both have its name at the same line and column (with universal-ctags: the same line, because it knows no columns). A
difference is *explained* if it belongs to a class of differences that are right; each class is a rule with a reason in
`xtask/agree.toml`. The agreement is the share of their symbols, without the explained ones, that are also ours.

";

const SURVIVAL: &str = "
## There and back, and broken files

Positions of real files are described and looked up again (`cargo xtask roundtrip`). Then one line is cut out of the
same files, and the symbols outside the cut that are still found with their path are counted. No registry has Rholang,
so its files are from public repositories.

";

const HELD_OUT: &str = "
## On sources that no rule was made for

The same measures on files of public repositories that were chosen after the rules were written
(`cargo xtask agree --sources=DIR`, `cargo xtask roundtrip --sources=DIR`). They show how well the rules work for other
code. For languages that no other program reads, there is no agreement.

| language | files | both | theirs only | explained | ours only | explained | agreement | positions | lost | survive |
|---|---|---|---|---|---|---|---|---|---|---|
";

/// Protocol Buffers have their own reader and no folder in `languages/`, so their data is here.
const PROTO: &str = r#"
title = "Protocol Buffers"
extensions = ["proto"]
symbol = [
  { kind = "enum" }, { kind = "enum-member" }, { kind = "field" }, { kind = "interface" }, { kind = "method" },
  { kind = "property" }, { kind = "struct" },
]
"#;
const PROTO_CASES: &str = "```outline\nfield Person.name\n```\n";

/// Writes docs/languages.md.
pub(crate) fn run() -> Result<()> {
    fs::write(path(), page()?).with_context(|| format!("could not write {}", path().display()))
}

fn path() -> PathBuf {
    root().join("docs/languages.md")
}

/// A folder of `languages/`.
struct Language {
    name: String,
    table: Table,
    cases: String,
}

fn page() -> Result<String> {
    let languages = languages()?;
    let figures = figures::read()?.languages;
    let mut page =
        format!("{HEAD}\n| language | files | what has a name | for example |\n|---|---|---|---|\n");
    for language in &languages {
        writeln!(page, "{}", language.row(&languages)?)?;
    }
    page += AGREEMENT;
    page += "| language | read by | files | both | theirs only | explained | ours only | explained | agreement |\n";
    page += "|---|---|---|---|---|---|---|---|---|\n";
    for language in &languages {
        if let Some(agreement) = figures.get(&language.name).and_then(|figure| figure.agreement.as_ref()) {
            writeln!(page, "{}", agreement_row(language.title(), agreement))?;
        }
    }
    page += SURVIVAL;
    page += "| language | files | positions | lost | symbols outside cuts | survive |\n|---|---|---|---|---|---|\n";
    for language in &languages {
        if let Some(row) = figures.get(&language.name).and_then(|figure| cut_row(language.title(), figure)) {
            writeln!(page, "{row}")?;
        }
    }
    let held_out = |language: &Language| held_out_row(language.title(), figures.get(&language.name)?);
    let rows: Vec<String> = languages.iter().filter_map(held_out).collect();
    if !rows.is_empty() {
        page += HELD_OUT;
        page += &rows.join("\n");
        page.push('\n');
    }
    Ok(page)
}

fn languages() -> Result<Vec<Language>> {
    let mut languages = Vec::new();
    for entry in fs::read_dir(root().join("languages"))? {
        let folder = entry?.path();
        let text = fs::read_to_string(folder.join("language.toml"))
            .with_context(|| format!("could not read {}", folder.display()))?;
        let table: Table = text.parse().with_context(|| format!("{} is no TOML", folder.display()))?;
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        languages.push(Language { name, table, cases: fs::read_to_string(folder.join("cases.md"))? });
    }
    let table: Table = PROTO.parse().context("what is said of protocol buffers is no TOML")?;
    languages.push(Language { name: "proto".to_owned(), table, cases: PROTO_CASES.to_owned() });
    languages.sort_by_key(|language| language.title().to_lowercase());
    Ok(languages)
}

impl Language {
    fn title(&self) -> &str {
        self.table.get("title").and_then(Value::as_str).unwrap_or(&self.name)
    }

    fn row(&self, all: &[Language]) -> Result<String> {
        let dotted = self.words("extensions").map(|extension| format!("`.{extension}`"));
        let named = self.words("files").map(|file| format!("`{file}`"));
        let files: Vec<String> = dotted.chain(named).collect();
        let kinds: Vec<String> = self.kinds(all).into_iter().map(|kind| kind.replace('-', " ")).collect();
        let example = self.example().with_context(|| format!("{} has no cases", self.name))?;
        Ok(format!("| {} | {} | {} | `{example}` |", self.title(), files.join(" "), kinds.join(", ")))
    }

    fn words(&self, key: &str) -> impl Iterator<Item = &str> {
        self.table.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
    }

    /// The kinds that its symbols have: the kinds in its rules, and the kinds that functions and variables get inside a
    /// type.
    fn kinds(&self, all: &[Language]) -> BTreeSet<String> {
        let mut kinds = self.kinds_of_rules(all);
        for (own, become_of) in [("function", "method"), ("function", "constructor"), ("variable", "field")] {
            let occurs = || outlined(&self.cases, 0).any(|kind| kind == become_of);
            if kinds.contains(own) && occurs() {
                kinds.insert(become_of.to_owned());
            }
        }
        kinds
    }

    /// The kinds in its rules, including inherited rules.
    fn kinds_of_rules(&self, all: &[Language]) -> BTreeSet<String> {
        let rules = self.table.get("symbol").and_then(Value::as_array).into_iter().flatten();
        let mut kinds: BTreeSet<String> =
            rules.filter_map(|rule| rule.get("kind")?.as_str().map(str::to_owned)).collect();
        let parent = self.table.get("inherit").and_then(Value::as_str);
        if let Some(parent) = parent.and_then(|name| all.iter().find(|language| language.name == name)) {
            kinds.extend(parent.kinds_of_rules(all));
        }
        kinds
    }

    /// An example of a location. Its symbol path is the first one in the cases that has two plain names, or else the
    /// first plain one.
    fn example(&self) -> Option<String> {
        let file = match self.words("extensions").next() {
            Some(extension) => format!("example.{extension}"),
            None => self.words("files").next()?.to_owned(),
        };
        let paths: Vec<&str> =
            outlined(&self.cases, 1).filter(|path| path.split('.').all(|name| !name.is_empty())).collect();
        let is_member = |path: &&&str| {
            path.split('.').count() == 2 && path.chars().all(|c| c.is_alphanumeric() || "._".contains(c))
        };
        let is_plain = |path: &&&str| path.chars().all(|c| c.is_alphanumeric() || "._-".contains(c));
        let path = paths.iter().find(is_member).or_else(|| paths.iter().find(is_plain))?;
        Some(format!("{file}:{path}"))
    }
}

/// The `n`-th word of each line in the outlines of a `cases.md`. Word 0 is the kind, and word 1 is the path.
fn outlined(cases: &str, n: usize) -> impl Iterator<Item = &str> {
    let mut is_inside = false;
    cases.lines().filter_map(move |line| {
        if line.starts_with("```") {
            is_inside = line == "```outline";
            return None;
        }
        // The package of a file is an optional prefix, not a symbol.
        let is_symbol = is_inside && !line.starts_with("package ");
        is_symbol.then(|| line.split_whitespace().nth(n)).flatten()
    })
}

fn agreement_row(title: &str, agreement: &Agreement) -> String {
    let Agreement { by, files, both, theirs_only, ours_only, .. } = agreement;
    let (theirs, ours) = (explained(&agreement.theirs_explained), explained(&agreement.ours_explained));
    let percent = agreement.percent();
    format!(
        "| {title} | {by} | {files} | {both} | {theirs_only} | {theirs} | {ours_only} | {ours} | {percent:.2} % |"
    )
}

fn explained(classes: &std::collections::BTreeMap<String, usize>) -> String {
    let list: Vec<String> = classes.iter().map(|(class, n)| format!("{n} {class}")).collect();
    list.join(", ")
}

fn cut_row(title: &str, figure: &Figure) -> Option<String> {
    let trip = figure.round_trip.as_ref()?;
    let percent = trip.survived_percent();
    let (files, positions, lost, outside) = (trip.files, trip.positions, trip.lost, trip.outside_cuts);
    Some(format!("| {title} | {files} | {positions} | {lost} | {outside} | {percent:.2} % |"))
}

fn held_out_row(title: &str, figure: &Figure) -> Option<String> {
    let trip = figure.held_out_round_trip.as_ref();
    let agreement = figure.held_out_agreement.as_ref();
    let files = trip.map(|trip| trip.files).or(agreement.map(|agreement| agreement.files))?;
    let agreed = agreement.map_or(" |  |  |  |  | ".to_owned(), |agreement| {
        let n_theirs: usize = agreement.theirs_explained.values().sum();
        let n_ours: usize = agreement.ours_explained.values().sum();
        let Agreement { both, theirs_only, ours_only, .. } = agreement;
        let percent = agreement.percent();
        format!("{both} | {theirs_only} | {n_theirs} | {ours_only} | {n_ours} | {percent:.2} %")
    });
    let found = trip.map_or(" |  | ".to_owned(), |trip| {
        format!("{} | {} | {:.2} %", trip.positions, trip.lost, trip.survived_percent())
    });
    Some(format!("| {title} | {files} | {agreed} | {found} |"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_current() {
        let written = fs::read_to_string(path()).unwrap_or_default();
        let page = page().expect("the page can be made");
        if std::env::var_os("UPDATE").is_some() {
            return run().expect("the page can be written");
        }
        assert!(written == page, "docs/languages.md is not current: cargo xtask languages writes it");
    }
}
