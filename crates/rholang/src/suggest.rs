//! Suggestions for what to write at a place.

use std::collections::BTreeSet;

use locant_names::{Suggestion, SuggestionKind};
use locant_text::{Offset, Range};

use crate::bind::{BinderId, BinderKind, Meaning};
use crate::docs::docs_before;
use crate::hover::{header, one_line};
use crate::kinds::{Kind, RESERVED};
use crate::program::Program;
use crate::syntax::NodeId;
use crate::workspace::Workspace;

/// The methods of values.
const METHODS: &[&str] = &[
    "add",
    "bytesToHex",
    "contains",
    "delete",
    "diff",
    "get",
    "getOrElse",
    "hexToBytes",
    "keys",
    "length",
    "nth",
    "set",
    "size",
    "slice",
    "take",
    "toByteArray",
    "toList",
    "toMap",
    "toSet",
    "toUtf8Bytes",
    "union",
];

pub(crate) fn suggestions(workspace: &Workspace, program: &Program, at: Offset) -> Vec<Suggestion> {
    let text = program.text();
    if at.index() > text.len() {
        return Vec::new();
    }
    let word = word_before(text, at);
    let before = text[..word.start().index()].trim_ascii_end();
    let mut found = match where_is(program, at) {
        Where::Nowhere => Vec::new(),
        Where::Channel(string) => channels(workspace, string, at),
        Where::Process if before.ends_with(b".") && !before.ends_with(b"...") => methods(word),
        Where::Process => {
            let mut found = visible(program, at, word);
            found.extend(elsewhere(workspace, program, &found, word));
            found.extend(keywords(word));
            found
        }
    };
    let typed = String::from_utf8_lossy(&text[word.indices()]).to_lowercase();
    let is_channel = |suggestion: &Suggestion| suggestion.replaces != word;
    found.retain(|suggestion| is_channel(suggestion) || suggestion.text.to_lowercase().starts_with(&typed));
    found
}

enum Where {
    /// In a comment, a URI, or a string that is not a channel.
    Nowhere,
    /// In the string of a channel.
    Channel(Range),
    /// Where a process may be written.
    Process,
}

fn where_is(program: &Program, at: Offset) -> Where {
    let syntax = &program.syntax;
    // A cursor right after a line comment still counts as in the comment.
    let before = Offset::new(at.to_u32().saturating_sub(1));
    let inner = syntax.innermost(before);
    let string =
        std::iter::once(inner).chain(syntax.ancestors(inner)).find(|&id| syntax.kind(id) == Kind::String);
    let is_inside = |id: &NodeId| syntax.range(*id).start() < at && at < syntax.range(*id).end();
    match (syntax.kind(inner), string.filter(is_inside)) {
        (Kind::LineComment, _) => Where::Nowhere,
        (Kind::BlockComment, _) if is_inside(&inner) => Where::Nowhere,
        (Kind::Uri, _) if is_inside(&inner) => Where::Nowhere,
        (_, Some(string)) if is_quoted(program, string) => {
            Where::Channel(crate::bind::inside_quotes(syntax.range(string), program.text()))
        }
        (_, Some(_)) => Where::Nowhere,
        _ => Where::Process,
    }
}

fn is_quoted(program: &Program, string: NodeId) -> bool {
    program.syntax.quote_around(string).is_some()
}

fn word_before(text: &[u8], at: Offset) -> Range {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'\'');
    let n_bytes = text[..at.index()].iter().rev().take_while(|byte| is_part(byte)).count();
    Range::of_indices(at.index() - n_bytes..at.index())
}

/// The names in scope at a place, those of the innermost scope first.
fn visible(program: &Program, at: Offset, word: Range) -> Vec<Suggestion> {
    let bindings = &program.bindings;
    let around = bindings.regions.iter().filter(|(range, _)| range.touches(at));
    let innermost = around.min_by_key(|(range, _)| range.extent()).map(|(_, scope)| *scope);
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    let parent = |&scope: &usize| bindings.scopes.get(scope)?.parent;
    for scope in std::iter::successors(innermost.or(Some(0)), parent) {
        for &binder in bindings.scopes.get(scope).into_iter().flat_map(|scope| &scope.binders).rev() {
            let range = bindings.binders[binder as usize].range;
            // The word that is being written is not suggested.
            if range != word && seen.insert(program.slice(range)) {
                found.push(bound(program, binder, word));
            }
        }
    }
    found
}

fn bound(program: &Program, id: BinderId, word: Range) -> Suggestion {
    let binder = &program.bindings.binders[id as usize];
    let meaning = Meaning::Bound(id);
    let is_on = |name: usize| program.mention(name).meaning == meaning;
    let contract = program.contracts.iter().find(|contract| contract.name.is_some_and(is_on));
    let how = match binder.kind {
        BinderKind::New => "new",
        BinderKind::Formal => "parameter",
        BinderKind::Received => "received",
        BinderKind::Let => "let",
        BinderKind::Matched => "matched",
    };
    Suggestion {
        text: program.said(binder.range),
        kind: contract.map_or(SuggestionKind::Variable, |_| SuggestionKind::Function),
        detail: contract.map_or_else(|| how.to_owned(), |contract| header(program, contract)),
        docs: contract.map_or_else(String::new, |contract| docs_before(program, contract.node).markdown()),
        replaces: word,
        label: None,
    }
}

/// Contracts of all programs whose names are not bound. Names that are already suggested are left out.
fn elsewhere(workspace: &Workspace, own: &Program, known: &[Suggestion], word: Range) -> Vec<Suggestion> {
    let mut seen: BTreeSet<String> = known.iter().map(|suggestion| suggestion.text.clone()).collect();
    let mut found = Vec::new();
    for (path, program) in workspace.programs() {
        for contract in &program.contracts {
            let Some(name) = contract.name.map(|name| program.mention(name)) else { continue };
            if name.meaning != Meaning::Free || !seen.insert(program.said(name.range)) {
                continue;
            }
            let place = if std::ptr::eq(program, own) { String::new() } else { format!(" in {path}") };
            found.push(Suggestion {
                text: program.said(name.range),
                kind: SuggestionKind::Function,
                detail: format!("{}{place}", header(program, contract)),
                docs: docs_before(program, contract.node).markdown(),
                replaces: word,
                label: None,
            });
        }
    }
    found
}

/// The public channels of all programs.
fn channels(workspace: &Workspace, string: Range, at: Offset) -> Vec<Suggestion> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for (path, program) in workspace.programs() {
        for number in program.mentions_with(Meaning::Public) {
            let mention = program.mention(number);
            // The channel that is being written is not suggested.
            let is_own = mention.range.touches(at) && mention.range == string;
            if is_own || !seen.insert(program.said(mention.range)) {
                continue;
            }
            let contract = program.contract_named(number).map(|nth| header(program, &program.contracts[nth]));
            found.push(Suggestion {
                text: program.said(mention.range),
                kind: SuggestionKind::Function,
                detail: contract.unwrap_or_else(|| one_line(path)),
                docs: String::new(),
                replaces: string,
                label: None,
            });
        }
    }
    found
}

fn methods(word: Range) -> Vec<Suggestion> {
    METHODS.iter().map(|&method| plain(method, SuggestionKind::Method, word)).collect()
}

fn keywords(word: Range) -> Vec<Suggestion> {
    let words = RESERVED.iter().chain(&["in", "agent"]);
    words.map(|&keyword| plain(keyword, SuggestionKind::Keyword, word)).collect()
}

fn plain(text: &str, kind: SuggestionKind, replaces: Range) -> Suggestion {
    Suggestion {
        text: text.to_owned(),
        kind,
        detail: String::new(),
        docs: String::new(),
        replaces,
        label: None,
    }
}
