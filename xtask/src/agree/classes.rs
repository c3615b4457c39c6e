//! Classes of differences: each says why one side may have a symbol that the other side does not have.

use serde::Deserialize;

use super::reader::Symbol;

/// A rule that recognises differences that are right as they are. All conditions of the rule must hold.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Class {
    pub(super) name: String,
    /// Why the difference is right.
    pub(super) why: String,
    /// Which side has the symbol.
    #[serde(default)]
    pub(super) side: Side,
    /// The symbol has one of these kinds.
    #[serde(default)]
    kind: Vec<String>,
    /// The symbol is inside a symbol of one of these kinds, at any depth.
    #[serde(default)]
    inside: Vec<String>,
    /// The symbol is directly inside a symbol of one of these kinds; `""` stands for the file.
    #[serde(default)]
    within: Vec<String>,
    /// Its name starts with one of these texts. `*a` stands for names that end with `a`, and `*a*` for names that
    /// contain `a`.
    #[serde(default)]
    named: Vec<String>,
    /// Its name has no lower-case letters.
    #[serde(default)]
    capitals: bool,
    /// The line of the name contains one of these texts. `{name}` stands for the name.
    #[serde(default)]
    line_has: Vec<String>,
    /// The line of the name starts with one of these texts, after blanks. `{name}` stands for the name.
    #[serde(default)]
    line_starts: Vec<String>,
    /// The path of the file contains one of these texts.
    #[serde(default)]
    path_has: Vec<String>,
    /// On its line, the name is followed by something other than a body: `struct a;`, `struct a b = {`.
    #[serde(default)]
    mentioned: bool,
    /// Both sides have a symbol with the same name somewhere in the file.
    #[serde(default)]
    known: bool,
    /// Both sides have a symbol with the same name on this line or a line above it.
    #[serde(default)]
    known_before: bool,
    /// The other side has a symbol with another name at the same place.
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

/// What a class can look at besides the symbol.
pub(super) struct Surroundings<'a> {
    pub(super) path: &'a str,
    /// The line that the name is in.
    pub(super) line: &'a str,
    /// Whether both sides have a symbol with the same name somewhere in the file.
    pub(super) is_known: bool,
    /// Whether both sides have a symbol with the same name on this line or a line above it.
    pub(super) is_known_before: bool,
    /// Whether the other side has a symbol with another name at this place.
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

    /// Whether the class has a condition. A class without conditions would fit everything.
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

/// Whether the condition holds for one of the texts, or the list is empty.
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

/// Whether the name on a line is followed by something other than a body.
fn is_mentioned(name: &str, line: &str) -> bool {
    let behind = line.split_once(name).map_or("", |(_, behind)| behind.trim());
    match behind.chars().next() {
        None | Some('{') => false,
        // After the `:` comes a base class, or the type of an enum.
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
