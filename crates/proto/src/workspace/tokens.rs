//! The tokens of a file with their kinds, and the ranges that an editor can fold.

use locant_names::{Fold, FoldKind, Token, TokenKind};
use locant_text::Range;

use super::linked::Linked;
use super::mentions::{Mention, Thing};
use crate::file::Form;
use crate::lexer::{self, Lexer};
use crate::pool::{Unit, UnitId};
use crate::value::is_scalar;

/// The tokens of a file with their kinds, including comments, in the order of their places.
pub(super) fn tokens(linked: &Linked, id: UnitId) -> Vec<Token> {
    let unit = linked.pool.unit(id);
    let mentions = linked.mentions(id);
    let mut tokens = Vec::new();
    let mut next = 0;
    let mut last_end = 0;
    let mut lexer = Lexer::new(&unit.text);
    loop {
        let token = lexer.next();
        let (start, end) = (token.start as usize, token.end as usize);
        comments(&mut tokens, &unit.text, last_end, start);
        last_end = end;
        let range = Range::of_indices(start..end);
        while mentions.get(next).is_some_and(|mention| mention.range.end() <= range.start()) {
            next += 1;
        }
        let mention = mentions.get(next).filter(|mention| mention.range == range);
        let kind = match (token.kind, mention) {
            (lexer::TokenKind::End, _) => return tokens,
            (lexer::TokenKind::Symbol(_), _) => continue,
            (lexer::TokenKind::String, _) => TokenKind::String,
            (lexer::TokenKind::Integer | lexer::TokenKind::Float, _) => TokenKind::Number,
            (lexer::TokenKind::Identifier, Some(mention)) => match named(linked, mention) {
                Some(kind) => kind,
                None => continue,
            },
            (lexer::TokenKind::Identifier, None) => match &unit.text[start..end] {
                word if is_scalar(word, unit.file.syntax) => TokenKind::Type,
                word if is_keyword(word) => TokenKind::Keyword,
                _ => continue,
            },
        };
        let is_declaration = mention.is_some_and(|mention| mention.is_declaration);
        tokens.push(Token { range, kind, is_declaration });
    }
}

fn named(linked: &Linked, mention: &Mention) -> Option<TokenKind> {
    match &mention.thing {
        Thing::Symbol(symbol) => Some(match linked.pool.declaration(*symbol).form {
            Form::Message { .. } => TokenKind::Type,
            Form::Field(_) | Form::Oneof => TokenKind::Property,
            Form::Enum => TokenKind::Enum,
            Form::Value { .. } => TokenKind::EnumMember,
            Form::Service => TokenKind::Interface,
            Form::Method(_) => TokenKind::Method,
        }),
        Thing::Package(_) => Some(TokenKind::Namespace),
        Thing::File(_) => Some(TokenKind::String),
        Thing::Unknown(_) => None,
    }
}

/// The words that have a meaning of their own in statements.
pub(super) const KEYWORDS: &[&str] = &[
    "syntax",
    "edition",
    "package",
    "import",
    "public",
    "weak",
    "option",
    "message",
    "enum",
    "service",
    "rpc",
    "returns",
    "stream",
    "extend",
    "extensions",
    "reserved",
    "to",
    "max",
    "oneof",
    "map",
    "optional",
    "required",
    "repeated",
    "group",
    "true",
    "false",
    "inf",
    "nan",
    "export",
    "local",
    "default",
    "json_name",
];

fn is_keyword(word: &[u8]) -> bool {
    KEYWORDS.iter().any(|keyword| keyword.as_bytes() == word)
}

/// Adds the comments between two tokens.
fn comments(tokens: &mut Vec<Token>, text: &[u8], from: usize, to: usize) {
    for range in comment_ranges(text, from, to) {
        tokens.push(Token { range, kind: TokenKind::Comment, is_declaration: false });
    }
}

fn comment_ranges(text: &[u8], from: usize, to: usize) -> Vec<Range> {
    let mut ranges = Vec::new();
    let mut lexer = Lexer::new(text);
    lexer.at = from;
    while lexer.at < to {
        let start = lexer.at;
        match &text[start..to] {
            [b'/', b'/', ..] => lexer.line_comment(),
            [b'/', b'*', ..] => lexer.block_comment(),
            _ => {
                lexer.at += 1;
                continue;
            }
        }
        let end = start + text[start..lexer.at.min(to)].trim_ascii_end().len();
        ranges.push(Range::of_indices(start..end));
    }
    ranges
}

/// The ranges that an editor can fold: blocks, comments and imports that take more than one line.
pub(super) fn folds(unit: &Unit) -> Vec<Fold> {
    let mut folds = Vec::new();
    let mut blocks: Vec<usize> = Vec::new();
    let mut last_end = 0;
    let mut run: Option<Range> = None;
    let mut lexer = Lexer::new(&unit.text);
    loop {
        let token = lexer.next();
        let (start, end) = (token.start as usize, token.end as usize);
        for comment in comment_ranges(&unit.text, last_end, start) {
            run = Some(match run.filter(|run| is_next_line(&unit.text, *run, comment)) {
                Some(run) => run.cover(comment),
                None => {
                    folds.extend(run.map(|range| Fold { range, kind: FoldKind::Comment }));
                    comment
                }
            });
        }
        last_end = end;
        match token.kind {
            lexer::TokenKind::End => break,
            lexer::TokenKind::Symbol(b'{') => blocks.push(start),
            lexer::TokenKind::Symbol(b'}') => {
                let block = blocks.pop().map(|open| Range::of_indices(open..end));
                folds.extend(block.map(|range| Fold { range, kind: FoldKind::Block }));
            }
            _ => {}
        }
    }
    folds.extend(run.map(|range| Fold { range, kind: FoldKind::Comment }));
    folds.extend(imports(unit).map(|range| Fold { range, kind: FoldKind::Imports }));
    folds.retain(|fold| unit.text[fold.range.indices()].contains(&b'\n'));
    folds.sort_by_key(|fold| (fold.range.start(), fold.range.end()));
    folds
}

/// Whether the second of two comments starts on the line after the first, with only blanks between them.
fn is_next_line(text: &[u8], one: Range, other: Range) -> bool {
    let between = &text[one.end().index()..other.start().index()];
    between.iter().all(u8::is_ascii_whitespace) && between.iter().filter(|&&byte| byte == b'\n').count() == 1
}

/// The range from the first import to the last.
fn imports(unit: &Unit) -> Option<Range> {
    let range = |import: &crate::file::Import| {
        let location = unit.file.table.get(import.location);
        Range::new(location.start(), location.end().max(location.start()))
    };
    let (first, last) = (unit.file.imports.first()?, unit.file.imports.last()?);
    Some(range(first).cover(range(last)))
}
