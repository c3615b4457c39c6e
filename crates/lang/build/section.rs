//! Reads a table of a rule file. Every key must be known and have the right type.

use toml::{Table, Value};

/// A table from which keys are taken one by one. A key that is left at the end is a mistake.
pub(crate) struct Section {
    /// The name of the table in messages: `[[symbol]] of class_definition`.
    title: String,
    table: Table,
}

pub(crate) type Result<T> = std::result::Result<T, String>;

impl Section {
    pub(crate) fn new(title: impl Into<String>, table: Table) -> Section {
        Section { title: title.into(), table }
    }

    /// A message about this section.
    pub(crate) fn error(&self, message: impl std::fmt::Display) -> String {
        format!("{}: {message}", self.title)
    }

    /// A required word.
    pub(crate) fn word(&mut self, key: &str) -> Result<String> {
        self.optional(key)?.ok_or_else(|| self.error(format!("{key:?} is missing")))
    }

    /// A word that may be absent.
    pub(crate) fn optional(&mut self, key: &str) -> Result<Option<String>> {
        match self.table.remove(key) {
            None => Ok(None),
            Some(Value::String(word)) => Ok(Some(word)),
            Some(other) => Err(self.error(format!("{key:?} must be a string, not {other}"))),
        }
    }

    /// True or false.
    pub(crate) fn flag(&mut self, key: &str, default: bool) -> Result<bool> {
        match self.table.remove(key) {
            None => Ok(default),
            Some(Value::Boolean(flag)) => Ok(flag),
            Some(other) => Err(self.error(format!("{key:?} must be true or false, not {other}"))),
        }
    }

    /// A number that may be absent.
    pub(crate) fn number(&mut self, key: &str) -> Result<Option<usize>> {
        match self.table.remove(key) {
            None => Ok(None),
            Some(Value::Integer(number)) => usize::try_from(number)
                .map(Some)
                .map_err(|_| self.error(format!("{key:?} must not be negative"))),
            Some(other) => Err(self.error(format!("{key:?} must be a number, not {other}"))),
        }
    }

    /// A list of words. A single word may be written without brackets.
    pub(crate) fn words(&mut self, key: &str) -> Result<Vec<String>> {
        let values = match self.table.remove(key) {
            None => return Ok(Vec::new()),
            Some(Value::String(word)) => return Ok(vec![word]),
            Some(Value::Array(values)) => values,
            Some(other) => return Err(self.error(format!("{key:?} must be a list of strings, not {other}"))),
        };
        let word = |value: Value| match value {
            Value::String(word) => Ok(word),
            other => Err(self.error(format!("{key:?} must hold strings, not {other}"))),
        };
        values.into_iter().map(word).collect()
    }

    /// The rules under a key, `[[key]]`, each as a section.
    pub(crate) fn rules(&mut self, key: &str) -> Result<Vec<Section>> {
        let values = match self.table.remove(key) {
            None => return Ok(Vec::new()),
            Some(Value::Array(values)) => values,
            Some(_) => return Err(self.error(format!("write [[{key}]], not [{key}]"))),
        };
        let rule = |value: Value| match value {
            Value::Table(table) => {
                let of = table.get("node").or_else(|| table.get("line")).map(ToString::to_string);
                Ok(Section::new(format!("[[{key}]] of {}", of.unwrap_or_else(|| "nothing".into())), table))
            }
            other => Err(self.error(format!("[[{key}]] must hold tables, not {other}"))),
        };
        values.into_iter().map(rule).collect()
    }

    /// The table under a key.
    pub(crate) fn section(&mut self, key: &str) -> Result<Section> {
        match self.table.remove(key) {
            None => Ok(Section::new(format!("[{key}]"), Table::new())),
            Some(Value::Table(table)) => Ok(Section::new(format!("[{key}]"), table)),
            Some(_) => Err(self.error(format!("{key:?} must be a table: [{key}]"))),
        }
    }

    /// All keys with their values.
    pub(crate) fn entries(self) -> impl Iterator<Item = (String, Value)> {
        self.table.into_iter()
    }

    /// Fails if a key has not been read.
    pub(crate) fn finish(self) -> Result<()> {
        match self.table.keys().next() {
            None => Ok(()),
            Some(key) => {
                Err(self.error(format!("unknown key {key:?}; docs/languages-vocabulary.md lists the words")))
            }
        }
    }
}
