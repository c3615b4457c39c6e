//! Answers of a server as values: places, explanations, suggestions, problems.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use locant_engine::names::{
    Diagnostic, Hover, Mention, Parameter, Role, Severity, Signature, SignatureHelp, Suggestion,
    SuggestionKind, Target,
};
use locant_engine::{Range, Text};
use locant_workspace::Asked;
use serde_json::Value;

use crate::documents::path_of_uri;
use crate::position::{Counting, Sheet};
use crate::question::path_of;

/// Reads the answers of a server to a question.
pub(crate) struct Reader<'a> {
    pub(crate) asked: &'a Asked<'a>,
    pub(crate) counting: Counting,
}

/// A place in an answer, as the server writes it.
struct Raw<'v> {
    path: PathBuf,
    name: &'v Value,
    extent: &'v Value,
}

impl Reader<'_> {
    /// The text of a file, as the question sees it.
    pub(crate) fn text(&self, path: &Path) -> Option<Arc<Text>> {
        if path == path_of(self.asked) {
            return Some(Arc::clone(self.asked.document.shared_text()));
        }
        self.asked.scope.snapshot.text(path)
    }

    /// A path as answers write it.
    pub(crate) fn key(&self, path: &Path) -> String {
        self.asked.scope.project.below(path)
    }

    /// A range in the document of the question.
    pub(crate) fn here(&self, range: &Value) -> Option<Range> {
        Sheet::new(self.asked.document.text().bytes(), self.counting).range(range)
    }

    /// The places of an answer, which may be one location, several locations, or links. They are in the order of the
    /// answer. A place is `None` if it is in no file or in one that cannot be read, or if its range cannot be found
    /// there.
    pub(crate) fn targets(&self, value: &Value) -> Vec<Option<Target>> {
        let raws: Vec<Option<Raw<'_>>> = match value {
            Value::Null => Vec::new(),
            Value::Array(items) => items.iter().map(raw).collect(),
            one => vec![raw(one)],
        };
        let mut by_path: BTreeMap<&Path, Vec<(usize, &Raw<'_>)>> = BTreeMap::new();
        for (index, raw) in raws.iter().enumerate() {
            if let Some(raw) = raw {
                by_path.entry(&raw.path).or_default().push((index, raw));
            }
        }
        let mut targets = vec![None; raws.len()];
        for (path, here) in by_path {
            let Some(text) = self.text(path) else { continue };
            if self.counting.objection(text.bytes()).is_some() {
                continue;
            }
            let (sheet, key) = (Sheet::new(text.bytes(), self.counting), self.key(path));
            for (index, raw) in here {
                targets[index] = target(&sheet, &key, raw);
            }
        }
        targets
    }

    /// The mentions of an answer, in the order of paths and places and without duplicates. The number counts the places
    /// that are lost, because their files cannot be read or their ranges cannot be found there.
    pub(crate) fn mentions(&self, value: &Value) -> (Vec<Mention>, usize) {
        let targets = self.targets(value);
        let n_lost = targets.iter().filter(|target| target.is_none()).count();
        let mention =
            |Target { path, name, .. }| Mention { path, range: name, role: Role::Use, is_guess: false };
        let mut mentions: Vec<Mention> = targets.into_iter().flatten().map(mention).collect();
        mentions.sort_by(|one, other| {
            let place = |mention: &Mention| (mention.range.start().index(), mention.range.end().index());
            one.path.cmp(&other.path).then_with(|| place(one).cmp(&place(other)))
        });
        mentions.dedup();
        (mentions, n_lost)
    }

    /// What to show for a name; `None` when the server knows nothing of it.
    pub(crate) fn hover(&self, value: &Value) -> Option<Hover> {
        let docs = marked(value.get("contents")?);
        let range = value.get("range").and_then(|range| self.here(range));
        let range = range.unwrap_or_else(|| Range::new(self.asked.at, self.asked.at));
        (!docs.trim().is_empty()).then(|| Hover { range, code: String::new(), facts: Vec::new(), docs })
    }

    /// The suggestions of an answer, in the order that the server wants.
    pub(crate) fn suggestions(&self, value: &Value) -> Vec<Suggestion> {
        let items = value.get("items").unwrap_or(value).as_array().map(Vec::as_slice).unwrap_or_default();
        let mut items: Vec<&Value> = items.iter().collect();
        let text = |item: &Value, name: &str| item.get(name).and_then(Value::as_str).map(str::to_owned);
        items.sort_by_key(|item| text(item, "sortText").or_else(|| text(item, "label")));
        items.into_iter().filter_map(|item| self.suggestion(item)).collect()
    }

    fn suggestion(&self, item: &Value) -> Option<Suggestion> {
        let label = item.get("label")?.as_str()?.trim().to_owned();
        let edit = item.get("textEdit");
        let replaced = edit.and_then(|edit| edit.get("range").or_else(|| edit.get("replace")));
        let replaces = replaced.and_then(|range| self.here(range));
        let new = edit.and_then(|edit| edit.get("newText")).or_else(|| item.get("insertText"));
        let is_snippet = item.get("insertTextFormat").and_then(Value::as_u64) == Some(2);
        let text = new.and_then(Value::as_str).unwrap_or(&label).to_owned();
        let detail = item.get("detail").and_then(Value::as_str);
        let detail = detail.or_else(|| item.pointer("/labelDetails/description").and_then(Value::as_str));
        Some(Suggestion {
            text: if is_snippet { without_stops(&text) } else { text },
            label: Some(label),
            kind: suggestion_kind(item.get("kind").and_then(Value::as_u64).unwrap_or_default()),
            detail: detail.unwrap_or_default().to_owned(),
            docs: item.get("documentation").map(marked).unwrap_or_default(),
            replaces: replaces.unwrap_or_else(|| self.word_before()),
        })
    }

    /// The part of a word before the place of the question.
    fn word_before(&self) -> Range {
        let (bytes, at) = (self.asked.document.text().bytes(), self.asked.at.index());
        let is_word = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_' || !byte.is_ascii();
        let n_before = bytes[..at.min(bytes.len())].iter().rev().take_while(is_word).count();
        Range::of_indices(at - n_before..at)
    }

    /// What is wrong in the document of the question, in the order of places.
    pub(crate) fn problems(&self, items: &[Value]) -> Vec<Diagnostic> {
        let sheet = Sheet::new(self.asked.document.text().bytes(), self.counting);
        let mut problems: Vec<Diagnostic> = items.iter().filter_map(|item| problem(&sheet, item)).collect();
        problems.sort_by_key(|problem| (problem.range.start().index(), problem.range.end().index()));
        problems
    }
}

fn raw(item: &Value) -> Option<Raw<'_>> {
    let address = item.get("targetUri").or_else(|| item.get("uri"))?.as_str()?;
    let path = path_of_uri(address)?;
    let extent = item.get("targetRange").or_else(|| item.get("range"))?;
    let name = item.get("targetSelectionRange").or_else(|| item.get("selectionRange")).unwrap_or(extent);
    Some(Raw { path, name, extent })
}

fn target(sheet: &Sheet<'_>, key: &str, raw: &Raw<'_>) -> Option<Target> {
    let (name, extent) = (sheet.name(raw.name)?, sheet.range(raw.extent)?);
    Some(Target { path: key.to_owned(), name, extent, is_guess: false })
}

/// Text that may be Markdown, in any of the forms of the protocol.
pub(crate) fn marked(contents: &Value) -> String {
    match contents {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(marked).collect::<Vec<_>>().join("\n\n"),
        Value::Object(fields) => {
            let value = fields.get("value").and_then(Value::as_str).unwrap_or_default();
            match fields.get("language").and_then(Value::as_str) {
                Some(language) => format!("```{language}\n{value}\n```"),
                None => value.to_owned(),
            }
        }
        _ => String::new(),
    }
}

/// A snippet without its stops: `f(${1:x}, $2)$0` is `f(x, )`.
fn without_stops(snippet: &str) -> String {
    let mut text = String::new();
    let mut characters = snippet.chars().peekable();
    // How many stops with a default text are open. The brackets that close them are not text.
    let mut n_open = 0;
    while let Some(character) = characters.next() {
        match character {
            '\\' => text.extend(characters.next()),
            '$' if characters.peek() == Some(&'{') => {
                characters.next();
                while characters.next_if(|next| next.is_ascii_alphanumeric() || *next == '_').is_some() {}
                match characters.next_if(|next| matches!(next, ':' | '}')) {
                    Some(':') => n_open += 1,
                    Some(_) => {}
                    // This is a choice or a transformation, which is skipped.
                    None => while characters.next().is_some_and(|next| next != '}') {},
                }
            }
            '$' if characters.peek().is_some_and(char::is_ascii_digit) => {
                while characters.next_if(char::is_ascii_digit).is_some() {}
            }
            '}' if n_open > 0 => n_open -= 1,
            character => text.push(character),
        }
    }
    text
}

/// The kind of a suggestion, by the numbers of the protocol.
fn suggestion_kind(kind: u64) -> SuggestionKind {
    match kind {
        2 => SuggestionKind::Method,
        3 | 4 => SuggestionKind::Function,
        5 | 10 => SuggestionKind::Field,
        7 | 8 | 22 | 25 => SuggestionKind::Type,
        9 => SuggestionKind::Module,
        13 => SuggestionKind::Enum,
        20 => SuggestionKind::EnumMember,
        17 | 19 => SuggestionKind::File,
        14 | 15 => SuggestionKind::Keyword,
        _ => SuggestionKind::Variable,
    }
}

fn problem(sheet: &Sheet<'_>, item: &Value) -> Option<Diagnostic> {
    let code = match item.get("code") {
        Some(Value::String(code)) => code.clone(),
        Some(Value::Number(code)) => code.to_string(),
        _ => String::new(),
    };
    let tags = item.get("tags").and_then(Value::as_array);
    Some(Diagnostic {
        range: sheet.range(item.get("range")?)?,
        severity: match item.get("severity").and_then(Value::as_u64) {
            Some(2) => Severity::Warning,
            Some(3 | 4) => Severity::Hint,
            _ => Severity::Error,
        },
        code,
        source: item.get("source").and_then(Value::as_str).unwrap_or_default().to_owned(),
        message: item.get("message").map(marked).unwrap_or_default(),
        hint: String::new(),
        is_unused: tags.is_some_and(|tags| tags.contains(&Value::from(1))),
    })
}

/// The ways to call something; `None` when nothing is called around the place.
pub(crate) fn signatures(value: &Value) -> Option<SignatureHelp> {
    let number = |of: &Value, name: &str| of.get(name)?.as_u64().and_then(|n| usize::try_from(n).ok());
    let signatures: Vec<&Value> = value.get("signatures")?.as_array()?.iter().collect();
    let active = number(value, "activeSignature").unwrap_or_default();
    let own = signatures.get(active).and_then(|signature| number(signature, "activeParameter"));
    let help = SignatureHelp {
        signatures: signatures.iter().filter_map(|signature| self::signature(signature)).collect(),
        active,
        active_parameter: own.or_else(|| number(value, "activeParameter")).unwrap_or_default(),
    };
    (!help.signatures.is_empty()).then_some(help)
}

fn signature(value: &Value) -> Option<Signature> {
    let label = value.get("label")?.as_str()?.to_owned();
    let docs = value.get("documentation").map(marked).unwrap_or_default();
    let parameters = value.get("parameters").and_then(Value::as_array);
    let parameters = parameters.into_iter().flatten().filter_map(|parameter| {
        let docs = parameter.get("documentation").map(marked).unwrap_or_default();
        let label = match parameter.get("label")? {
            Value::String(text) => label.find(text.as_str()).map(|at| at..at + text.len()),
            ends => {
                // These ends are always counted in UTF-16, whatever encoding the server has chosen for positions.
                let end = |n: usize| ends.get(n)?.as_u64().and_then(|at| usize::try_from(at).ok());
                Some(utf16_offset(&label, end(0)?)..utf16_offset(&label, end(1)?))
            }
        }?;
        Some(Parameter { label, docs })
    });
    Some(Signature { parameters: parameters.collect(), docs, label: label.clone() })
}

fn utf16_offset(text: &str, units: usize) -> usize {
    let mut left = units;
    for (at, character) in text.char_indices() {
        if left < character.len_utf16() {
            return at;
        }
        left -= character.len_utf16();
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snippet_is_text_without_its_stops() {
        for (snippet, text) in [
            ("f(${1:x}, $2)$0", "f(x, )"),
            ("${1|a,b|}!", "!"),
            ("cost \\$5", "cost $5"),
            ("for ${1:i} in ${2:range(${3:n})} {$0}", "for i in range(n) {}"),
        ] {
            assert_eq!(without_stops(snippet), text);
        }
    }
}
