//! What the words of a program are.

use std::collections::{BTreeSet, HashMap};

use locant_names::{Token, TokenKind};

use crate::bind::{BinderKind, Meaning, Mention};
use crate::kinds::{Field, Kind};
use crate::program::Program;
use crate::syntax::NodeId;

pub(crate) fn tokens(program: &Program) -> Vec<Token> {
    let mentions: HashMap<NodeId, &Mention> =
        program.bindings.mentions.iter().map(|mention| (mention.node, mention)).collect();
    let names = program.contracts.iter().filter_map(|contract| contract.name);
    let channels: BTreeSet<String> = names.map(|name| channel(program, program.mention(name))).collect();
    let mut tokens = Vec::new();
    let mut end = 0;
    for (id, node) in program.syntax.all() {
        let start = node.range().start().to_u32();
        // A string is one token, whatever is escaped in it.
        let is_inside = start < end;
        let mention = mentions.get(&id).copied();
        let Some(kind) =
            kind(program, id, mention, &channels).filter(|_| !is_inside && !node.range().is_empty())
        else {
            continue;
        };
        let is_contract = node.field == Field::Name && names_contract(program, id);
        let is_declaration = mention.is_some_and(|mention| mention.binds) || is_contract;
        tokens.push(Token { range: node.range(), kind, is_declaration });
        end = node.range().end().to_u32();
    }
    tokens
}

fn kind(
    program: &Program,
    id: NodeId,
    mention: Option<&Mention>,
    channels: &BTreeSet<String>,
) -> Option<TokenKind> {
    let node = program.syntax.node(id);
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

/// What a mention means, so that two of one channel are equal.
fn channel(program: &Program, mention: &Mention) -> String {
    match mention.meaning {
        Meaning::Bound(binder) => format!("#{binder}"),
        Meaning::Public => format!("@{}", program.said(mention.range)),
        Meaning::Free | Meaning::Implicit => program.said(mention.range),
    }
}

fn names_contract(program: &Program, id: NodeId) -> bool {
    program.syntax.parent(id).is_some_and(|parent| program.syntax.kind(parent) == Kind::Contract)
}
