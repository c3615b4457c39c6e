//! Suggestions for what to write at a place.

use locant_names::{Suggestion, SuggestionKind};
use locant_text::{Offset, Range};

use super::hover::{code, docs};
use super::linked::Linked;
use super::tokens::KEYWORDS;
use crate::file::{Form, Holder};
use crate::interpret::options_message;
use crate::lexer::{Lexer, TokenKind};
use crate::pool::{SymbolRef, UnitId, Wanted};
use crate::value;

/// What can be written at a place.
enum Asked {
    /// A file to import.
    File,
    /// A type.
    Type,
    /// A message.
    Message,
    /// The type of a request or a response: a message, or `stream` and a message.
    Body,
    /// A type that the keys of a map can have.
    Key,
    /// The start of a statement, which may be a type.
    Statement,
    /// An option of the declaration around the place.
    Option,
    /// An extension, as an option in parentheses.
    Extension,
    Nothing,
}

/// The suggestions for a place.
pub(super) fn suggestions(linked: &Linked, id: UnitId, at: Offset) -> Vec<Suggestion> {
    let text = &linked.pool.unit(id).text;
    let at = at.index().min(text.len());
    let (words, string) = before(text, at);
    if let Some(start) = string {
        return match asked(&words) {
            Asked::File => files(linked, id, Range::of_indices(start..at)),
            _ => Vec::new(),
        };
    }
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
    let start = at - text[..at].iter().rev().take_while(|byte| is_word(byte)).count();
    let replaces = Range::of_indices(start..at);
    let (words, _) = before(text, start);
    match asked(&words) {
        Asked::Type => types(linked, id, replaces),
        Asked::Message => messages(linked, id, replaces),
        Asked::Body => {
            let mut found = messages(linked, id, replaces);
            found.push(plain("stream", SuggestionKind::Keyword, replaces));
            found
        }
        Asked::Key => keys().map(|name| plain(name, SuggestionKind::Type, replaces)).collect(),
        Asked::Statement => {
            let mut found = types(linked, id, replaces);
            found.extend(KEYWORDS.iter().map(|word| plain(word, SuggestionKind::Keyword, replaces)));
            found
        }
        Asked::Option => options(linked, id, replaces),
        Asked::Extension => extensions(linked, id, replaces),
        Asked::File | Asked::Nothing => Vec::new(),
    }
}

/// The tokens between the start of a statement and a place. If the place is in a string, the start of the string is
/// returned too.
fn before(text: &[u8], at: usize) -> (Vec<String>, Option<usize>) {
    let mut lexer = Lexer::new(text);
    let mut words: Vec<String> = Vec::new();
    loop {
        let token = lexer.next();
        let (start, end) = (token.start as usize, token.end as usize);
        let is_open_string = token.kind == TokenKind::String && start < at && at < end.max(start + 1);
        let is_closed = end - start > 1 && text[start] == text[end - 1];
        let ends_open = token.kind == TokenKind::String && end == at && !is_closed;
        if is_open_string || ends_open {
            return (words, Some(start + 1));
        }
        if token.kind == TokenKind::End || end > at {
            return (words, None);
        }
        match token.kind {
            TokenKind::Symbol(b';' | b'{' | b'}') => words.clear(),
            _ => words.push(String::from_utf8_lossy(&text[start..end]).into_owned()),
        }
    }
}

fn asked(words: &[String]) -> Asked {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["import", ..] => Asked::File,
        [] | ["optional" | "required" | "repeated"] => Asked::Statement,
        ["map", "<", .., ","] => Asked::Type,
        ["map", "<"] => Asked::Key,
        ["extend"] | ["rpc", .., "stream"] => Asked::Message,
        ["rpc", .., "("] => Asked::Body,
        ["option"] | [.., "["] => Asked::Option,
        ["option", "("] | [.., "[", "("] => Asked::Extension,
        [.., ","] if words.contains(&"[") => Asked::Option,
        _ => Asked::Nothing,
    }
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

fn of_symbol(linked: &Linked, symbol: SymbolRef, text: String, replaces: Range) -> Suggestion {
    let kind = match linked.pool.declaration(symbol).form {
        Form::Enum => SuggestionKind::Enum,
        Form::Value { .. } => SuggestionKind::EnumMember,
        Form::Field(_) | Form::Oneof => SuggestionKind::Field,
        Form::Message { .. } | Form::Service => SuggestionKind::Type,
        Form::Method(_) => SuggestionKind::Method,
    };
    Suggestion { text, kind, detail: code(linked, symbol), docs: docs(linked, symbol), replaces, label: None }
}

/// The scalar types, and all messages and enums that the file sees, each by its shortest name.
fn types(linked: &Linked, id: UnitId, replaces: Range) -> Vec<Suggestion> {
    let mut found = declared(linked, id, replaces, |form| matches!(form, Form::Message { .. } | Form::Enum));
    found.extend(value::scalars().map(|name| plain(name, SuggestionKind::Type, replaces)));
    found
}

/// All messages that the file sees.
fn messages(linked: &Linked, id: UnitId, replaces: Range) -> Vec<Suggestion> {
    declared(linked, id, replaces, |form| matches!(form, Form::Message { .. }))
}

/// The scalar types that keys of maps can have.
fn keys() -> impl Iterator<Item = &'static str> {
    value::scalars().filter(|name| !matches!(*name, "float" | "double" | "bytes"))
}

/// The declarations that the file sees and whose form `is_asked` accepts, each by its shortest name.
fn declared(linked: &Linked, id: UnitId, replaces: Range, is_asked: fn(&Form) -> bool) -> Vec<Suggestion> {
    let scope = scope(linked, id, replaces.start());
    let symbols = linked.pool.visible(id).iter().flat_map(|&unit| {
        let all = linked.pool.unit(unit).file.iter();
        let asked = all.filter(|(_, declaration)| is_asked(&declaration.form) && declaration.name.is_some());
        asked.map(move |(id, _)| SymbolRef { unit, id })
    });
    let named = symbols.map(|symbol| {
        let text = shortest(linked, id, symbol, &scope, Wanted::Type);
        of_symbol(linked, symbol, text, replaces)
    });
    named.collect()
}

/// The shortest name that means the symbol in a scope.
fn shortest(linked: &Linked, from: UnitId, symbol: SymbolRef, scope: &str, wanted: Wanted) -> String {
    let full_name = linked.pool.full_name(symbol);
    let mut starts: Vec<usize> = full_name.match_indices('.').map(|(at, _)| at + 1).collect();
    starts.push(0);
    starts.sort_unstable_by(|one, other| other.cmp(one));
    let means = |name: &&str| linked.pool.look_up(from, name, scope, wanted) == Some(symbol);
    let found = starts.into_iter().map(|start| &full_name[start..]).find(means);
    found.map_or_else(|| format!(".{full_name}"), str::to_owned)
}

/// A scope for looking up names at a place. [`Pool::look_up`](crate::Pool::look_up) starts beside the last name of a
/// scope, so `_` is added: the search starts inside the declaration around the place.
fn scope(linked: &Linked, id: UnitId, at: Offset) -> String {
    match linked.around(id, at) {
        Some(symbol) => format!("{}._", linked.pool.full_name(symbol)),
        None => format!("{}._", linked.pool.unit(id).package),
    }
}

/// The paths of files that could be imported, as an import would write them.
fn files(linked: &Linked, id: UnitId, replaces: Range) -> Vec<Suggestion> {
    let own = &linked.pool.unit(id).path;
    let above = own.rsplit_once('/').map_or("", |(above, _)| above);
    let known = crate::known::known_files().map(str::to_owned);
    let others = linked.files().filter(|(other, _)| *other != id).map(|(_, unit)| {
        let mut directory = above;
        loop {
            let below = match directory {
                "" => Some(unit.path.as_str()),
                directory => unit.path.strip_prefix(directory).and_then(|rest| rest.strip_prefix('/')),
            };
            match below {
                Some(below) => return below.to_owned(),
                None => directory = directory.rsplit_once('/').map_or("", |(above, _)| above),
            }
        }
    });
    others.chain(known).map(|path| plain(&path, SuggestionKind::File, replaces)).collect()
}

/// The options of the declaration around a place.
fn options(linked: &Linked, id: UnitId, replaces: Range) -> Vec<Suggestion> {
    let holder =
        linked.around(id, replaces.start()).map_or(Holder::File, |symbol| Holder::Declaration(symbol.id));
    let Some(message) = options_message(&linked.pool, id, holder) else { return Vec::new() };
    let fields = linked.pool.unit(message.unit).file.children(Some(message.id));
    let fields =
        fields.filter(|(_, declaration)| declaration.field().is_some() && !declaration.is_extension());
    let fields = fields.map(|(id, _)| SymbolRef { unit: message.unit, id });
    fields
        .map(|field| of_symbol(linked, field, linked.pool.unit(field.unit).name(field.id), replaces))
        .collect()
}

/// The extensions that can be options of the declaration around a place.
fn extensions(linked: &Linked, id: UnitId, replaces: Range) -> Vec<Suggestion> {
    let around = linked.around(id, replaces.start());
    let holder = around.map_or(Holder::File, |symbol| Holder::Declaration(symbol.id));
    let pool = &linked.pool;
    let Some(message) = options_message(pool, id, holder).map(|message| pool.full_name(message)) else {
        return Vec::new();
    };
    let scope = scope(linked, id, replaces.start());
    let mut found = Vec::new();
    for &unit in pool.visible(id) {
        for (declaration, extension) in pool.unit(unit).file.iter() {
            let symbol = SymbolRef { unit, id: declaration };
            let extendee = extension.field().and_then(|field| pool.type_named(symbol, field.extendee?));
            if extendee.is_some_and(|extendee| pool.full_name(extendee) == message) {
                let text = shortest(linked, id, symbol, &scope, Wanted::Any);
                found.push(of_symbol(linked, symbol, text, replaces));
            }
        }
    }
    found
}
