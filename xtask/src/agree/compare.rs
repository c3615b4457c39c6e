//! Compares the symbols of two readers of the same files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::classes::{Class, Side, Surroundings};
use super::reader::{Outlines, Symbol};
use super::reading::Reading;
use crate::figures::Agreement;

/// The outcome for one language.
#[derive(Debug, Default)]
pub(super) struct Comparison {
    n_files: usize,
    /// Files that the other reader could not read, with its messages.
    unread: Vec<String>,
    n_both: usize,
    theirs: OneSide,
    ours: OneSide,
}

/// The symbols that only one side has.
#[derive(Debug, Default)]
struct OneSide {
    /// How many symbols each class explains.
    explained: BTreeMap<String, usize>,
    /// The symbols that no class explains: the file, the symbol, and its line.
    unexplained: Vec<(PathBuf, Symbol, String)>,
}

/// Line, column and name. Two symbols are the same if these are equal. The column is 0 where the other reader has none.
type Place = (u64, u64, String);

impl Comparison {
    pub(super) const HEADER: &'static str = "language     files unread    both  theirs only (explained)  \
                                             ours only (explained)  agreement  by";

    pub(super) fn of(theirs: &Outlines, ours: &Outlines, reading: &Reading) -> Comparison {
        let mut comparison = Comparison::default();
        for (path, outline) in ours {
            comparison.n_files += 1;
            // A file that the other reader could not read is left out. If our outline failed, it counts as empty.
            match (&theirs[path], outline) {
                (Err(why), _) => comparison.unread.push(format!("{}: {why}", path.display())),
                (Ok(theirs), Ok(ours)) => comparison.add(path, theirs, ours, reading),
                (Ok(theirs), Err(_)) => comparison.add(path, theirs, &[], reading),
            }
        }
        comparison
    }

    fn add(&mut self, path: &Path, theirs: &[Symbol], ours: &[Symbol], reading: &Reading) {
        let places = |symbols: &[Symbol]| -> BTreeMap<Place, Symbol> {
            symbols.iter().map(|symbol| (place(symbol, reading), symbol.clone())).collect()
        };
        let (theirs, ours) = (places(theirs), places(ours));
        let both: Vec<&Place> = theirs.keys().filter(|place| ours.contains_key(*place)).collect();
        // For each name, the first line on which both sides have it. `both` is sorted by line.
        let mut known: BTreeMap<&str, u64> = BTreeMap::new();
        for (line, _, name) in &both {
            known.entry(name).or_insert(*line);
        }
        self.n_both += both.len();
        let bytes = fs::read(path).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = lines(&text);
        let sides =
            [(Side::Theirs, &theirs, &ours, &mut self.theirs), (Side::Ours, &ours, &theirs, &mut self.ours)];
        for (side, own, others, found) in sides {
            for (place, symbol) in own.iter().filter(|(place, _)| !others.contains_key(*place)) {
                let line = usize::try_from(place.0).ok().and_then(|line| lines.get(line.checked_sub(1)?));
                let around = Surroundings {
                    path: &path.to_string_lossy(),
                    line: line.copied().unwrap_or_default(),
                    is_known: known.contains_key(symbol.name.as_str()),
                    is_known_before: known.get(symbol.name.as_str()).is_some_and(|first| *first <= place.0),
                    is_renamed: others.keys().any(|other| (other.0, other.1) == (place.0, place.1)),
                };
                let fits = |class: &&Class| class.side == side && class.fits(symbol, &around);
                match reading.class.iter().find(fits) {
                    Some(class) => *found.explained.entry(class.name.clone()).or_default() += 1,
                    None => {
                        let line = around.line.trim().to_owned();
                        found.unexplained.push((path.to_owned(), symbol.clone(), line));
                    }
                }
            }
        }
    }

    /// The percentage of their symbols that are also ours. Symbols that a class explains are left out.
    pub(super) fn percent(&self) -> f64 {
        let n_theirs = self.n_both + self.theirs.unexplained.len();
        100.0 * self.n_both as f64 / n_theirs.max(1) as f64
    }

    pub(super) fn row(&self, language: &str, by: &str) -> String {
        format!(
            "{language:12} {:5} {:6} {:7} {:7} {:17} {:10} {:11} {:9.2}%  {by}",
            self.n_files,
            self.unread.len(),
            self.n_both,
            self.theirs.unexplained.len(),
            format!("({})", self.theirs.n_explained()),
            self.ours.unexplained.len(),
            format!("({})", self.ours.n_explained()),
            self.percent(),
        )
    }

    /// Prints how many differences each class explains, and some that no class explains.
    pub(super) fn show(&self, n_shown: usize, classes: &[Class]) {
        if n_shown == 0 {
            return;
        }
        for (whose, side) in [("theirs", &self.theirs), ("ours", &self.ours)] {
            for (class, n) in &side.explained {
                let why = classes.iter().find(|known| known.name == *class).map_or("", |class| &class.why);
                println!("  {whose}: {n} {class}: {why}");
            }
            // The examples are taken from all files, not only from the first.
            let step = (side.unexplained.len() / n_shown).max(1);
            for (path, symbol, line) in side.unexplained.iter().step_by(step).take(n_shown) {
                let Symbol { name, kind, line: at, column, inside } = symbol;
                let path = path.display();
                println!("  {whose}: {path}:{at}:{column}: {kind} {name:?} in {inside:?}: {line:.90}");
            }
        }
        for unread in self.unread.iter().take(n_shown) {
            println!("  unread: {unread:.200}");
        }
    }

    pub(super) fn figures(&self, by: &str) -> Agreement {
        Agreement {
            by: by.to_owned(),
            files: self.n_files,
            unread: self.unread.len(),
            both: self.n_both,
            theirs_only: self.theirs.unexplained.len(),
            theirs_explained: self.theirs.explained.clone(),
            ours_only: self.ours.unexplained.len(),
            ours_explained: self.ours.explained.clone(),
        }
    }
}

impl OneSide {
    fn n_explained(&self) -> usize {
        self.explained.values().sum()
    }
}

fn place(symbol: &Symbol, reading: &Reading) -> Place {
    let column = if reading.columns.is_some() { symbol.column } else { 0 };
    (symbol.line, column, spelled_alike(&symbol.name))
}

/// A name in a common spelling. Names with blanks in them, such as a selector or `operator ==`, may be written with
/// more or fewer blanks. So only blanks that separate two words are kept, as one blank each.
fn spelled_alike(name: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut alike = String::new();
    for word in name.split_whitespace() {
        if alike.ends_with(is_word) && word.starts_with(is_word) {
            alike.push(' ');
        }
        alike.push_str(word);
    }
    alike
}

/// The lines of a text, as editors count them.
fn lines(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = text;
    while let Some(end) = rest.find(['\n', '\r']) {
        lines.push(&rest[..end]);
        let is_pair = rest[end..].starts_with("\r\n");
        rest = &rest[end + if is_pair { 2 } else { 1 }..];
    }
    lines.push(rest);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The agreement in percent, with these classes.
    fn percent(theirs: &[(&str, u64)], ours: &[(&str, u64)], classes: &str) -> f64 {
        let reading = format!("language = 'x'\nby = 'y'\nrun = []\n{classes}");
        let reading: Reading = toml::from_str(&reading).expect("a reading");
        let outlines = |symbols: &[(&str, u64)]| {
            let symbol = |&(name, line): &(&str, u64)| Symbol {
                name: name.to_owned(),
                kind: "function".to_owned(),
                line,
                column: 0,
                inside: Vec::new(),
            };
            Outlines::from([(PathBuf::from("no such file"), Ok(symbols.iter().map(symbol).collect()))])
        };
        Comparison::of(&outlines(theirs), &outlines(ours), &reading).percent()
    }

    #[test]
    fn what_we_miss_lowers_the_agreement() {
        let theirs = [("f", 1), ("g", 2)];
        assert_eq!(percent(&theirs, &[("f", 1), ("g", 2)], ""), 100.0);
        assert_eq!(percent(&theirs, &[("f", 1)], ""), 50.0, "a name is missing");
        assert_eq!(percent(&theirs, &[("f", 1), ("g", 3)], ""), 50.0, "a name is elsewhere");
        assert_eq!(percent(&theirs, &[], ""), 0.0, "an outline is empty");
    }

    #[test]
    fn a_class_explains_only_what_it_is_about() {
        let renamed = "[[class]]\nname = 'c'\nwhy = 'w'\nnamed = ['*>']\nrenamed = true\n";
        assert_eq!(percent(&[("f<int>", 1), ("g", 2)], &[("f", 1), ("g", 2)], renamed), 100.0);
        assert_eq!(percent(&[("f<int>", 1), ("g", 2)], &[("g", 2)], renamed), 50.0, "it is not there at all");
        assert_eq!(percent(&[("f", 1), ("g", 2)], &[("h", 1), ("g", 2)], renamed), 50.0, "another name");
    }

    #[test]
    fn blanks_beside_marks_say_nothing() {
        assert_eq!(spelled_alike("operator  =="), spelled_alike("operator=="));
        assert_ne!(spelled_alike("a b"), spelled_alike("ab"));
    }
}
