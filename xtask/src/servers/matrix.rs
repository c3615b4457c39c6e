//! The position matrix: each server is asked about names after emoji, byte-order marks and other traps.
//!
//! The traps, the texts and the servers are in `tests/servers/matrix.toml`. The right answers come from the texts
//! alone: the name occurs only as this word, so its places are the places of the word.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde_json::{Value, json};

use super::session::Session;
use crate::root;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Matrix {
    trap: Vec<Trap>,
    language: Vec<Language>,
    pub(crate) server: Vec<Row>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[derive(Default)]
struct Trap {
    name: String,
    inline: String,
    lines: String,
    start: String,
    ends: String,
    word: String,
    /// How often `inline` is repeated; 0 as once.
    times: usize,
    /// How the names of the files start that have `start` and `ends`; empty for all.
    only_in: String,
    /// Whether the last line has no end.
    is_open: bool,
    except: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Language {
    name: String,
    comment: String,
    ask: String,
    files: BTreeMap<String, String>,
    /// The start of the message of a problem that is reported at each place of the word. Empty if no problem is
    /// reported.
    #[serde(default)]
    problems: String,
}

/// A server, and what it can be asked.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Row {
    pub(crate) name: String,
    language: String,
    #[serde(default)]
    encodings: Vec<String>,
    /// The traps for which the server may refuse to answer.
    #[serde(default)]
    refuses: Vec<String>,
    /// The questions that the server does not answer.
    #[serde(default)]
    without: Vec<String>,
}

/// The results of the questions.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) n_right: usize,
    pub(crate) n_refused: usize,
    pub(crate) wrong: Vec<String>,
}

/// The files of one trap: their texts, and where the word is in each.
struct Sheet {
    word: String,
    ask: String,
    texts: BTreeMap<String, String>,
    /// Each place of the word: the file and the offset.
    places: BTreeSet<(String, u64)>,
    definition: (String, u64),
}

/// A trap that is asked about.
struct Trial<'t> {
    session: &'t mut Session,
    folder: &'t Path,
    row: &'t Row,
    trap: &'t Trap,
    sheet: &'t Sheet,
    tally: &'t mut Tally,
}

pub(crate) fn read() -> Result<Matrix> {
    let path = root::root().join("tests/servers/matrix.toml");
    let text = fs::read_to_string(&path).with_context(|| format!("could not read {}", path.display()))?;
    toml::from_str(&text).with_context(|| format!("{} is wrong", path.display()))
}

impl Matrix {
    /// Asks a server, once for each of its encodings. `home` is an empty folder.
    pub(crate) fn try_row(&self, locant: &Path, row: &Row, home: &Path) -> Result<Tally> {
        let language = self.language.iter().find(|language| language.name == row.language);
        let language = language.with_context(|| format!("there is no language {}", row.language))?;
        let mut tally = Tally::default();
        let any = [String::new()];
        let encodings = if row.encodings.is_empty() { any.as_slice() } else { &row.encodings };
        for encoding in encodings {
            let home = home.join(format!("{}-{encoding}", language.name));
            let folder = home.join("project");
            fs::create_dir_all(home.join("settings/locant"))?;
            fs::create_dir_all(&folder)?;
            if !encoding.is_empty() {
                let settings = format!("[servers.{}]\nencodings = [\"{encoding}\"]\n", row.name);
                fs::write(home.join("settings/locant/locant.toml"), settings)?;
            }
            let traps = self.trap.iter().filter(|trap| !trap.except.contains(&language.name));
            let traps: Vec<&Trap> = traps.collect();
            let sheets: Vec<Sheet> =
                traps.iter().enumerate().map(|(n, trap)| Sheet::new(language, trap, n)).collect();
            for sheet in &sheets {
                sheet.write(&folder, &sheets)?;
            }
            let mut session = Session::start(locant, &folder, &home.join("settings"), &row.name)?;
            for (trap, sheet) in traps.into_iter().zip(&sheets) {
                let session = &mut session;
                let mut trial = Trial { session, folder: &folder, row, trap, sheet, tally: &mut tally };
                trial
                    .run(&language.problems)
                    .with_context(|| format!("{} {encoding}, {}", row.name, trap.name))?;
            }
        }
        Ok(tally)
    }
}

impl Sheet {
    fn new(language: &Language, trap: &Trap, number: usize) -> Sheet {
        let (word, module) = (format!("Target{number}x{}", trap.word), format!("m{number}"));
        let lines = trap.lines.replace('#', &language.comment);
        let inline = trap.inline.repeat(trap.times.max(1));
        let (mut texts, mut definition) = (BTreeMap::new(), None);
        for (name, text) in &language.files {
            let is_source = name.contains("MODULE");
            let mut text = text.replace("INLINE", &inline).replace("LINES", &lines);
            text = text.replace("WORD", &word).replace("MODULE", &module);
            if is_source && trap.is_open {
                text.truncate(text.trim_end_matches('\n').len());
            }
            if is_source && name.starts_with(&trap.only_in) {
                text = format!("{}{text}", trap.start);
                if !trap.ends.is_empty() {
                    text = text.replace('\n', &trap.ends);
                }
            }
            let name = name.replace("MODULE", &module);
            // The files come in the order of their names, so the file with the declaration is the first.
            let at = text.find('§').or_else(|| text.find(&word));
            definition = definition.or_else(|| Some((name.clone(), at? as u64)));
            texts.insert(name, text.replace('§', ""));
        }
        let places = texts
            .iter()
            .flat_map(|(name, text)| text.match_indices(&word).map(|(at, _)| (name.clone(), at as u64)))
            .collect();
        let definition = definition.expect("one of the texts has the word");
        Sheet { ask: language.ask.replace("MODULE", &module), word, texts, places, definition }
    }

    fn write(&self, folder: &Path, all: &[Sheet]) -> Result<()> {
        let directory = folder.to_string_lossy();
        let files = all.iter().flat_map(|sheet| sheet.texts.keys().filter(|name| name.ends_with(".c")));
        let commands = files.map(|file| {
            json!({"directory": directory, "file": file, "arguments": ["cc", "-c", file]}).to_string()
        });
        let commands = commands.collect::<Vec<_>>().join(",\n");
        for (name, text) in &self.texts {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap_or(folder))?;
            fs::write(path, text.replace("COMMANDS", &commands))?;
        }
        Ok(())
    }
}

impl Trial<'_> {
    fn run(&mut self, problems: &str) -> Result<()> {
        let n_here = self.sheet.places.iter().filter(|(name, _)| *name == self.sheet.ask).count();
        let place = json!({"locate": {"file_path": self.sheet.ask, "find": format!("<|>{}", self.sheet.word),
            "find_index": n_here - 1}});
        if !problems.is_empty() {
            let fields = json!({"file_path": self.sheet.ask});
            self.ask("diagnostics", &fields, &self.sheet.places.clone(), problems)?;
        }
        if self.has("definition") {
            self.ask("definition", &place, &BTreeSet::from([self.sheet.definition.clone()]), "")?;
        }
        if self.has("references") {
            self.ask("references", &place, &self.sheet.places.clone(), "")?;
        }
        if self.has("rename") { self.rename(&place) } else { Ok(()) }
    }

    fn has(&self, question: &str) -> bool {
        !self.row.without.iter().any(|without| without == question)
    }

    /// Asks for places, and compares them with the right ones. Of problems, only those whose message starts with
    /// `message` count.
    fn ask(
        &mut self,
        op: &str,
        fields: &Value,
        right: &BTreeSet<(String, u64)>,
        message: &str,
    ) -> Result<()> {
        let answer = self.session.ask(op, fields)?;
        let Some(items) = answer["items"].as_array() else { return self.refusal(op, &answer) };
        let mut found = BTreeSet::new();
        // Answers count in UTF-16.
        let n_columns = self.sheet.word.encode_utf16().count() as u64;
        let counts = |item: &&Value| item["message"].as_str().is_none_or(|own| own.starts_with(message));
        for item in items.iter().filter(counts) {
            let file = item["file_path"].as_str().unwrap_or_default();
            let (start, end) = (&item["range"]["start"], &item["range"]["end"]);
            let is_word =
                end["character"].as_u64().zip(start["character"].as_u64()).is_some_and(|(end, start)| {
                    // A reference may also contain a mark after the word. For other questions, any end is accepted.
                    end >= start + if op == "references" { n_columns } else { 0 }
                });
            let quotes = u64::from(op == "diagnostics");
            if !is_word || start["line"] != end["line"] {
                self.wrong(op, &format!("{file} {start}-{end} is not the word"));
            }
            found.insert((file.to_owned(), item["offset"].as_u64().unwrap_or_default() + quotes));
        }
        if found == *right {
            self.tally.n_right += 1;
        } else {
            self.wrong(op, &format!("found {found:?} and not {right:?}"));
        }
        Ok(())
    }

    /// Renames the word, first as a preview and then in the files.
    fn rename(&mut self, place: &Value) -> Result<()> {
        let new = format!("Renamed{}", self.sheet.word);
        let mut fields = place.clone();
        fields["new_name"] = json!(new);
        let preview = self.session.ask("rename", &fields)?;
        if preview["diff"].as_str().is_none_or(str::is_empty) {
            return self.refusal("rename", &preview);
        }
        let n_places = self.sheet.places.len();
        if preview["total"] == json!(n_places) {
            self.tally.n_right += 1;
        } else {
            self.wrong("rename", &format!("{} changes and not {n_places}", preview["total"]));
        }
        let applied = self.session.ask("apply", &json!({"preview": preview["id"]}))?;
        if applied.get("error").is_some() {
            bail!("a change was not applied: {}", applied["error"]["message"]);
        }
        for (name, text) in &self.sheet.texts {
            let now = fs::read(self.folder.join(name))?;
            if name.contains(".json") && text.contains("COMMANDS") {
                continue;
            }
            if now != text.replace(&self.sheet.word, &new).into_bytes() {
                self.wrong("applied", &format!("{name} is {:?}", String::from_utf8_lossy(&now)));
                return Ok(());
            }
        }
        self.tally.n_right += 1;
        Ok(())
    }

    /// An answer without places is right only if the server may refuse this trap.
    fn refusal(&mut self, op: &str, answer: &Value) -> Result<()> {
        if self.row.refuses.contains(&self.trap.name) {
            self.tally.n_refused += 1;
        } else {
            self.wrong(op, &format!("no places: {}", answer["error"]["message"]));
        }
        Ok(())
    }

    fn wrong(&mut self, op: &str, what: &str) {
        self.tally.wrong.push(format!("{}, {}, {op}: {what}", self.row.name, self.trap.name));
    }
}
