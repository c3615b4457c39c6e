//! The words that lead to a language: names, extensions, file names and interpreters. They are sorted, so that a
//! search for one language does not load the others.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::section::Result;

#[derive(Default)]
pub(crate) struct Leads {
    /// The languages so far; the last one is being read.
    languages: Vec<String>,
    /// For each list and word, the index of the language that the word leads to.
    owners: BTreeMap<(&'static str, String), usize>,
    /// The extensions that languages claim because of the text of a file. Several languages may claim the same one.
    claims: BTreeSet<(String, usize)>,
}

impl Leads {
    pub(crate) fn next_language(&mut self, name: &str) {
        self.languages.push(name.to_owned());
    }

    pub(crate) fn add(&mut self, list: &'static str, word: &str) -> Result<()> {
        let this = self.languages.len() - 1;
        match self.owners.insert((list, word.to_owned()), this) {
            Some(other) if other != this => {
                Err(format!("{list}: {word:?} already leads to {}", self.languages[other]))
            }
            Some(_) => Err(format!("{list}: {word:?} is there twice")),
            None => Ok(()),
        }
    }

    pub(crate) fn claim(&mut self, extension: &str) {
        self.claims.insert((extension.to_owned(), self.languages.len() - 1));
    }

    pub(crate) fn code(&self) -> String {
        let mut code = String::new();
        for list in ["names", "extensions", "files", "interpreters"] {
            let of_list =
                |(key, at): (&(&str, String), &usize)| (key.0 == list).then(|| (key.1.clone(), *at));
            table(&mut code, list, self.owners.iter().filter_map(of_list).collect());
        }
        table(&mut code, "claims", self.claims.iter().cloned().collect());
        code
    }
}

fn table(code: &mut String, list: &str, entries: Vec<(String, usize)>) {
    let _ = writeln!(code, "pub(super) static {}: &[(&str, usize)] = &{entries:?};", list.to_uppercase());
}
