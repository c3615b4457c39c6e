//! Classes of differences: why a symbol that one side has is not to be expected of the other.

use serde::Deserialize;

use super::reader::Symbol;

/// A rule that recognises a difference and says why it is none to mend. All that it says must hold.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Class {
    pub(super) name: String,
    /// For the page, and for whoever wonders.
    pub(super) why: String,
    /// Whose symbols it is about.
    #[serde(default)]
    pub(super) side: Side,
    /// One of these kinds.
    #[serde(default)]
    kind: Vec<String>,
    /// Somewhere inside one of these kinds.
    #[serde(default)]
    inside: Vec<String>,
    /// Directly inside one of these kinds; `""` is the file.
    #[serde(default)]
    within: Vec<String>,
    /// Names that start, or with `*` in front end, so; with `*` on both sides they have it.
    #[serde(default)]
    named: Vec<String>,
    /// Names without small letters.
    #[serde(default)]
    capitals: bool,
    /// One of these stands in the line of the name, for which `{name}` stands.
    #[serde(default)]
    line_has: Vec<String>,
    /// The line of the name starts so, blanks aside; `{name}` is as above.
    #[serde(default)]
    line_starts: Vec<String>,
    /// The path of the file has one of these.
    #[serde(default)]
    path_has: Vec<String>,
    /// No body follows the name on its line: `struct a;`, `struct a b = {`.
    #[serde(default)]
    mentioned: bool,
    /// The same name is a symbol on both sides elsewhere in the file.
    #[serde(default)]
    known: bool,
    /// The same, further up.
    #[serde(default)]
    known_before: bool,
    /// The other side has a symbol of another name at the same place.
    #[serde(default)]
    renamed: bool,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Side {
    #[default]
    Theirs,
    Ours,
}

/// What a class can look at beside the symbol.
pub(super) struct Surroundings<'a> {
    pub(super) path: &'a str,
    /// The line that the name is in.
    pub(super) line: &'a str,
    /// Is the same name found by both sides elsewhere in the file?
    pub(super) is_known: bool,
    /// The same, further up or on this line.
    pub(super) is_known_before: bool,
    /// Does the other side have a symbol of another name here?
    pub(super) is_renamed: bool,
}

impl Class {
    pub(super) fn fits(&self, symbol: &Symbol, around: &Surroundings<'_>) -> bool {
        let line = around.line.trim_start();
        let holder = symbol.inside.last().map_or("", String::as_str);
        any(&self.kind, |kind| symbol.kind == *kind)
            && any(&self.inside, |kind| symbol.inside.contains(kind))
            && any(&self.within, |kind| holder == kind)
            && any(&self.named, |name| is_named(&symbol.name, name))
            && any(&self.line_has, |part| around.line.contains(&part.replace("{name}", &symbol.name)))
            && any(&self.line_starts, |part| line.starts_with(&part.replace("{name}", &symbol.name)))
            && any(&self.path_has, |part| around.path.contains(part.as_str()))
            && (!self.capitals || !symbol.name.contains(char::is_lowercase))
            && (!self.mentioned || is_mentioned(&symbol.name, around.line))
            && (!self.known || around.is_known)
            && (!self.known_before || around.is_known_before)
            && (!self.renamed || around.is_renamed)
    }

    /// Is there anything that must hold? A class that fits everything would explain nothing.
    #[cfg(test)]
    pub(super) fn says_something(&self) -> bool {
        let lists = [
            &self.kind,
            &self.inside,
            &self.within,
            &self.named,
            &self.line_has,
            &self.line_starts,
            &self.path_has,
        ];
        self.mentioned || self.known || self.known_before || lists.iter().any(|list| !list.is_empty())
    }
}

/// Does one of them hold, or is nothing asked?
fn any(list: &[String], holds: impl Fn(&String) -> bool) -> bool {
    list.is_empty() || list.iter().any(holds)
}

fn is_named(name: &str, pattern: &str) -> bool {
    match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(rest), Some(_)) => rest.strip_suffix('*').is_some_and(|part| name.contains(part)),
        (Some(end), None) => name.ends_with(end),
        (None, _) => name.starts_with(pattern),
    }
}

/// Does something other than a body follow the name?
fn is_mentioned(name: &str, line: &str) -> bool {
    let behind = line.split_once(name).map_or("", |(_, behind)| behind.trim());
    match behind.chars().next() {
        None | Some('{') => false,
        // A base, or what an enum is made of.
        Some(':') => behind.ends_with(';') && !behind.contains('{'),
        Some(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_with_a_body_is_no_mention() {
        for mention in
            ["struct pair;", "struct pair *b;", "static struct pair b = {", "enum class pair : int;"]
        {
            assert!(is_mentioned("pair", mention), "{mention}");
        }
        for body in ["struct pair {", "struct pair", "struct pair : b {", "enum pair : int { c };"] {
            assert!(!is_mentioned("pair", body), "{body}");
        }
    }
}
