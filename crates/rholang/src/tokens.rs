//! The tokens of a program with their kinds, for highlighting.

use std::collections::HashSet;

use locant_names::{Token, TokenKind};
use locant_text::Range;

use crate::bind::{BinderId, BinderKind, Meaning, Mention};
use crate::kinds::{Field, Kind};
use crate::program::Program;
use crate::slips::{self, SlipKind};
use crate::syntax::{Node, NodeId};

pub(crate) fn tokens(program: &Program) -> Vec<Token> {
    let names = program.contracts.iter().filter_map(|contract| contract.name);
    let channels: HashSet<Channel<'_>> = names.map(|name| channel(program, program.mention(name))).collect();
    let mut mentions = program.bindings.mentions.iter().peekable();
    let mut tokens = Vec::new();
    let mut end = 0;
    for (id, node) in program.syntax.all() {
        // Mentions are in the order of the text, as nodes are.
        while mentions.next_if(|mention| mention.node < id).is_some() {}
        let mention = mentions.peek().copied().filter(|mention| mention.node == id);
        let is_inside = node.start < end;
        let kind = kind(program, node, mention, &channels);
        let Some(kind) = kind.filter(|_| !is_inside && node.start < node.end) else { continue };
        let is_contract = node.field == Field::Name && names_contract(program, id);
        let is_declaration = mention.is_some_and(|mention| mention.binds) || is_contract;
        tokens.push(Token { range: node.range(), kind, is_declaration });
        // A string is one token. The escapes inside it are skipped.
        end = node.end;
    }
    // The parser is given blanks in place of a comment that is not closed. So the comment has no node.
    let open = slips::slips(program.text()).into_iter().find(|slip| slip.kind == SlipKind::OpenComment);
    tokens.extend(open.map(|slip| Token {
        range: Range::of_indices(slip.range.start().index()..program.text().len()),
        kind: TokenKind::Comment,
        is_declaration: false,
    }));
    tokens
}

/// The channel that a mention means. Two mentions of the same channel have equal values.
#[derive(PartialEq, Eq, Hash)]
enum Channel<'p> {
    Bound(BinderId),
    Public(&'p [u8]),
    Bare(&'p [u8]),
}

fn channel<'p>(program: &'p Program, mention: &Mention) -> Channel<'p> {
    match mention.meaning {
        Meaning::Bound(binder) => Channel::Bound(binder),
        Meaning::Public => Channel::Public(program.slice(mention.range)),
        Meaning::Free | Meaning::Implicit => Channel::Bare(program.slice(mention.range)),
    }
}

fn kind(
    program: &Program,
    node: &Node,
    mention: Option<&Mention>,
    channels: &HashSet<Channel<'_>>,
) -> Option<TokenKind> {
    Some(match node.kind {
        Kind::LineComment | Kind::BlockComment => TokenKind::Comment,
        Kind::String | Kind::Uri => TokenKind::String,
        Kind::Number => TokenKind::Number,
        Kind::Type => TokenKind::Type,
        Kind::Nil | Kind::Boolean | Kind::Word => TokenKind::Keyword,
        Kind::Identifier if node.field == Field::Method => TokenKind::Method,
        Kind::Identifier => match mention {
            Some(mention) if channels.contains(&channel(program, mention)) => TokenKind::Function,
            Some(mention) => bound(program, mention),
            None => TokenKind::Method,
        },
        Kind::Mark => match program.slice(node.range()) {
            b"(" | b")" | b"[" | b"]" | b"{" | b"}" | b"," | b"." | b";" | b":" | b"{|" | b"|}" | b"\"" => {
                return None;
            }
            _ => TokenKind::Operator,
        },
        _ => return None,
    })
}

fn bound(program: &Program, mention: &Mention) -> TokenKind {
    match mention.meaning {
        Meaning::Bound(binder) => match program.bindings.binders[binder as usize].kind {
            BinderKind::Formal => TokenKind::Parameter,
            _ => TokenKind::Variable,
        },
        _ => TokenKind::Variable,
    }
}

fn names_contract(program: &Program, id: NodeId) -> bool {
    program.syntax.parent(id).is_some_and(|parent| program.syntax.kind(parent) == Kind::Contract)
}
