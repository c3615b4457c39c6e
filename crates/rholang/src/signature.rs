//! The contracts that a send could reach, shown while the send is being written.

use locant_names::{Parameter, Signature, SignatureHelp};
use locant_text::{Offset, Range};

use crate::call::Call;
use crate::docs::docs_before;
use crate::hover::one_line;
use crate::kinds::{Field, Kind};
use crate::program::{Contract, Program};
use crate::syntax::NodeId;
use crate::workspace::{At, Workspace};

pub(crate) fn signatures(workspace: &Workspace, path: &str, at: Offset) -> Option<SignatureHelp> {
    let program = workspace.program(path)?;
    let (channel, open, call) = sent_around(program, at)?;
    let mention = program.mention_of(channel)?;
    let found = workspace.at(path, program.mention(mention).range.start())?;
    let places = workspace.contracts_on(At { mention, ..found });
    let contracts: Vec<_> = places.iter().filter_map(|place| workspace.contract(place)).collect();
    if contracts.is_empty() {
        return None;
    }
    let n_commas = commas_between(program, open, at);
    let n_unwritten = call.as_ref().map_or(0, |call| call.n_unwritten);
    let active_parameter = n_commas + n_unwritten;
    let takes_it = |contract: &Contract| active_parameter < contract.formals.len() || contract.has_remainder;
    let fits = |(other, contract): &(&Program, &Contract)| {
        takes_it(contract) && call.as_ref().is_none_or(|call| call.fits(program, other, contract))
    };
    let active = contracts.iter().position(fits);
    let active =
        active.or_else(|| contracts.iter().position(|(_, contract)| takes_it(contract))).unwrap_or(0);
    let signatures = contracts.iter().map(|(program, contract)| signature(program, contract)).collect();
    Some(SignatureHelp { signatures, active, active_parameter })
}

/// The innermost send whose arguments contain a place. Returns its channel, its opening parenthesis, and the send
/// itself if the parser read it as one.
fn sent_around(program: &Program, at: Offset) -> Option<(NodeId, Offset, Option<Call>)> {
    let syntax = &program.syntax;
    let before = Offset::new(at.to_u32().checked_sub(1)?);
    let inner = syntax.innermost(before);
    for around in std::iter::once(inner).chain(syntax.ancestors(inner)) {
        let range = syntax.range(around);
        match syntax.kind(around) {
            Kind::Arguments if range.start() < at && (at < range.end() || !is_closed(program, around)) => {
                let send = syntax.parent(around)?;
                let channel = syntax.child(send, Field::Channel)?;
                return Some((channel, range.start(), Call::of(program, send)));
            }
            // A place inside a block is not among the arguments of a send around the block.
            Kind::Block if range.start() < at && at < range.end() => return broken_send(program, around, at),
            Kind::Error | Kind::SourceFile => return broken_send(program, around, at),
            _ => {}
        }
    }
    None
}

fn is_closed(program: &Program, arguments: NodeId) -> bool {
    let last = program.syntax.children(arguments).last();
    last.is_some_and(|last| {
        !program.syntax.node(last).is_missing && program.slice(program.syntax.range(last)) == b")"
    })
}

/// The channel and the opening parenthesis of a send that the parser did not read as one, such as `x!(1, `.
fn broken_send(program: &Program, around: NodeId, at: Offset) -> Option<(NodeId, Offset, Option<Call>)> {
    let syntax = &program.syntax;
    let mut tokens: Vec<NodeId> = Vec::new();
    leaves(&mut tokens, program, around, at);
    let mut n_closed = 0;
    for (nth, &token) in tokens.iter().enumerate().rev() {
        match program.slice(syntax.range(token)) {
            b")" | b"]" | b"}" => n_closed += 1,
            b"(" if n_closed == 0 => {
                let mark = *tokens.get(nth.checked_sub(1)?)?;
                let is_send = matches!(program.slice(syntax.range(mark)), b"!" | b"!!" | b"!?");
                let channel = tokens[..nth.checked_sub(1)?].last().copied().filter(|_| is_send)?;
                return Some((named(program, channel), syntax.range(token).start(), None));
            }
            b"[" | b"{" if n_closed == 0 => return None,
            b"(" | b"[" | b"{" => n_closed -= 1,
            _ => {}
        }
    }
    None
}

/// The string that a closing quote belongs to, or the node itself.
fn named(program: &Program, node: NodeId) -> NodeId {
    let parent = program.syntax.parent(node);
    parent.filter(|&parent| program.syntax.kind(parent) == Kind::String).unwrap_or(node)
}

/// Adds the tokens inside a node that end at a place or before it.
fn leaves(tokens: &mut Vec<NodeId>, program: &Program, around: NodeId, at: Offset) {
    let syntax = &program.syntax;
    let is_leaf = |&(id, _): &(NodeId, Range)| syntax.children(id).next().is_none();
    let all = syntax.all().map(|(id, node)| (id, node.range()));
    let inside = all
        .filter(|(_, range)| syntax.range(around).covers(*range) && range.end() <= at && !range.is_empty());
    tokens.extend(inside.filter(is_leaf).map(|(id, _)| id));
}

/// How many commas there are between two places, not counting those inside brackets.
fn commas_between(program: &Program, open: Offset, at: Offset) -> usize {
    let syntax = &program.syntax;
    let (mut depth, mut n_commas) = (0usize, 0);
    let marks = syntax.all().filter(|(_, node)| node.kind == Kind::Mark);
    for (_, node) in marks.filter(|(_, node)| open < node.range().start() && node.range().end() <= at) {
        match program.slice(node.range()) {
            b"(" | b"[" | b"{" | b"{|" => depth += 1,
            b")" | b"]" | b"}" | b"|}" => depth = depth.saturating_sub(1),
            b"," if depth == 0 => n_commas += 1,
            _ => {}
        }
    }
    n_commas
}

fn signature(program: &Program, contract: &Contract) -> Signature {
    let syntax = &program.syntax;
    let docs = docs_before(program, contract.node);
    let name = syntax.child(contract.node, Field::Name);
    let mut label = name.map_or_else(String::new, |name| one_line(&program.said(syntax.range(name))));
    label.push('(');
    let mut parameters = Vec::new();
    let remainder =
        syntax.child(contract.node, Field::Formals).and_then(|formals| remainder(program, formals));
    for (nth, formal) in contract.formals.iter().copied().chain(remainder).enumerate() {
        label += if nth == 0 { "" } else { ", " };
        let written = one_line(&program.said(syntax.range(formal)));
        let start = label.len();
        label += &written;
        let said = docs.parameter(written.trim_start_matches(['@', '.'])).unwrap_or_default();
        parameters.push(Parameter { label: start..label.len(), docs: said.to_owned() });
    }
    label.push(')');
    Signature { label, docs: docs.markdown(), parameters }
}

fn remainder(program: &Program, formals: NodeId) -> Option<NodeId> {
    let syntax = &program.syntax;
    let names = syntax.parts(formals).find(|&part| syntax.kind(part) == Kind::Names)?;
    syntax.parts(names).find(|&part| syntax.kind(part) == Kind::NameRemainder)
}
