//! What is known of a language server before it is started.

use std::collections::BTreeMap;
use std::time::Duration;

use locant_engine::Encoding;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A language server: how it is started, which languages it is for, and how it counts lines and columns.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Entry {
    /// Its name, by which it is chosen. In the data it is the name of the file.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The arguments with which the program prints its version, for servers that do not send it.
    pub version_arguments: Vec<String>,
    /// The lowest major version of the program that has a language server. The version is read from the `package.json`
    /// in a folder above the program. If there is none, any version will do.
    pub least_version: Option<u32>,
    /// The languages it is for, as locant calls them.
    pub languages: Vec<String>,
    /// Extensions of files in languages that locant does not read, and how the protocol calls those languages.
    pub extensions: BTreeMap<String, String>,
    /// Files whose folder is the root for the server. The nearest one above the file counts.
    pub root_markers: Vec<String>,
    /// The options in the first message to it.
    pub initialization_options: Value,
    /// Options of the first message with which the server runs programs of the project, such as its build scripts.
    /// They are added to the others only where the user has allowed the folder of the project.
    pub options_if_allowed: Value,
    /// The answer when it asks for its settings.
    pub settings: Value,
    /// Variables of its environment, in addition to those of this process.
    pub env: BTreeMap<String, String>,
    /// The command that installs it.
    pub install: String,
    /// Whether it has been tried together with locant.
    pub tried: bool,
    /// Of several servers for a language, the one with the lowest number is asked first.
    pub preference: u32,
    /// The units of columns that it is offered, the preferred first; empty for all.
    pub encodings: Vec<Unit>,
    /// The unit in which it counts columns, if it is not the one that the server announces.
    pub counts: Option<Unit>,
    /// What it does with a byte-order mark.
    pub bom: Bom,
    /// Where it breaks lines.
    pub lines: LineRule,
    /// How it shows that it has read the project.
    pub ready: Ready,
    /// When its answers take a change into account that it was told of.
    pub changes: Changes,
    /// It reads the whole project only if one of these is below its root; empty if it always does.
    pub reads_all_with: Vec<String>,
    /// Whether it is told of a change of an open document by closing the document and opening it again.
    pub reopens: bool,
    /// Whether it ends a name before a character outside of the basic multilingual plane, such as `𝒳`.
    pub cuts_names: bool,
    /// The methods that it is not asked, because its answers cannot be relied on.
    pub without: Vec<String>,
    /// The commands that do no more than send edits. Others are never run, because nothing may be written for a
    /// preview.
    pub commands: Vec<String>,
    /// The kinds of actions for which it writes files itself, so that they are never asked for.
    pub writes_itself: Vec<String>,
    /// Whether it is asked only when it is chosen by name, such as a linter that knows no definitions.
    pub only_by_name: bool,
    /// How many seconds it may show no progress on a request, if not as long as others.
    pub patience: Option<f64>,
    /// Whether the project names the server or changes how it is started. Then it is started only if the user has
    /// allowed that.
    #[serde(skip)]
    pub is_of_project: bool,
}

impl Entry {
    /// The server as it is started where the user has allowed the folder of the project.
    pub(crate) fn allowed(&self) -> Entry {
        let mut allowed = self.clone();
        add(&mut allowed.initialization_options, &self.options_if_allowed);
        allowed
    }

    /// How long it may show no progress on a request, if not as long as others.
    pub(crate) fn patience(&self) -> Option<Duration> {
        self.patience.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
    }
}

/// Adds the fields of `more` to those of `to`, also in nested objects. If both have a value, that of `more` counts.
fn add(to: &mut Value, more: &Value) {
    match (to, more) {
        (Value::Object(to), Value::Object(more)) => {
            for (name, value) in more {
                add(to.entry(name).or_insert(Value::Null), value);
            }
        }
        (_, Value::Null) => {}
        (to, more) => more.clone_into(to),
    }
}

/// What a column counts.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub enum Unit {
    /// Bytes.
    #[serde(rename = "utf-8")]
    Utf8,
    /// Units of UTF-16.
    #[serde(rename = "utf-16")]
    Utf16,
    /// Characters.
    #[serde(rename = "utf-32")]
    Utf32,
}

impl From<Unit> for Encoding {
    fn from(unit: Unit) -> Encoding {
        match unit {
            Unit::Utf8 => Encoding::Utf8,
            Unit::Utf16 => Encoding::Utf16,
            Unit::Utf32 => Encoding::Utf32,
        }
    }
}

/// What a server does with a byte-order mark at the start of a file.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bom {
    /// It counts the mark as a character of the first line.
    Counted,
    /// It drops the mark from files that it reads itself. So texts are sent to it without the mark.
    Dropped,
    /// It drops the mark in some answers and counts it in others. Of the two readings of a range, the one that covers
    /// whole words is taken.
    #[default]
    Either,
}

/// Where a server breaks lines.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LineRule {
    /// After `\n`, `\r\n` and a lone `\r`, as the protocol says.
    #[default]
    Protocol,
    /// After `\n` alone.
    LineFeed,
    /// As the protocol says, and after U+2028 and U+2029, as in JavaScript.
    Unicode,
    /// After a lone `\r` in some messages and not in others. So no question is asked about a file that contains one.
    NoLoneReturn,
    /// As the protocol says, and in some messages also after a form feed, U+2028 and others. So no question is asked
    /// about a file that contains one of these.
    PlainOnly,
}

/// When the answers of a server take a change into account that it was told of.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Changes {
    /// From the next answer on.
    #[default]
    AtOnce,
    /// After a while, so that a question after a change is asked again until the answer stays the same.
    Later,
}

/// How a server shows that it has read the whole project. From then on its answers are complete.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ready {
    /// Its first answer is complete.
    AtOnce,
    /// It reports the progress of its reading.
    Progress,
    /// It does not show it. A question is asked again until the answer stays the same.
    #[default]
    Repeat,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn options_for_allowed_folders_are_added_to_the_others() {
        let entry = Entry {
            initialization_options: json!({"a": {"b": false, "c": 1}, "d": 2}),
            options_if_allowed: json!({"a": {"b": true}, "e": {"f": 3}}),
            ..Entry::default()
        };
        let expected = json!({"a": {"b": true, "c": 1}, "d": 2, "e": {"f": 3}});
        assert_eq!(entry.allowed().initialization_options, expected);
        assert_eq!(Entry::default().allowed(), Entry::default());
    }
}
