//! Finds out which of several contracts a send can reach.

use std::collections::{HashMap, HashSet};

use crate::kinds::{Field, Kind};
use crate::program::{Contract, Program};
use crate::syntax::NodeId;

/// A send, as the contracts on its channel see it.
#[derive(Debug)]
pub(crate) struct Call {
    /// The arguments that a contract receives, including arguments that are not written.
    arguments: Vec<Argument>,
    /// How many arguments are not written. They come first.
    pub(crate) n_unwritten: usize,
}

#[derive(Clone, Copy, Debug)]
enum Argument {
    Written(NodeId),
    /// The channel for the reply.
    Reply,
    /// The name of a method, which is sent as a string.
    Method(NodeId),
}

impl Call {
    /// The send whose channel is this node.
    pub(crate) fn with_channel(program: &Program, node: NodeId) -> Option<Call> {
        let syntax = &program.syntax;
        // The channel `@"name"` is the quote around the string.
        let channel = syntax.quote_around(node).unwrap_or(node);
        let send = syntax.parent(channel)?;
        (syntax.node(channel).field == Field::Channel).then(|| Call::of(program, send)).flatten()
    }

    /// Reads a node as a send; `None` if it is not one.
    pub(crate) fn of(program: &Program, node: NodeId) -> Option<Call> {
        let syntax = &program.syntax;
        let method = syntax.child(node, Field::Method);
        let mut arguments = match syntax.kind(node) {
            Kind::Send => Vec::new(),
            Kind::SyncSend | Kind::SendReceive => vec![Argument::Reply],
            Kind::MethodSend | Kind::MethodReceive => vec![Argument::Reply, Argument::Method(method?)],
            _ => return None,
        };
        let n_unwritten = arguments.len();
        let written = syntax.child(node, Field::Arguments)?;
        let is_whole = |&part: &NodeId| syntax.kind(part) != Kind::Error;
        arguments.extend(syntax.parts(written).filter(is_whole).map(Argument::Written));
        Some(Call { arguments, n_unwritten })
    }

    /// How many arguments a contract receives.
    pub(crate) fn arity(&self) -> usize {
        self.arguments.len()
    }

    /// Whether `contract` of `program` could take what `caller` sends.
    pub(crate) fn fits(&self, caller: &Program, program: &Program, contract: &Contract) -> bool {
        let fits = |(formal, argument): (&NodeId, &Argument)| match argument {
            Argument::Reply => true,
            Argument::Method(name) => {
                let said = [b"\"", caller.slice(caller.syntax.range(*name)), b"\""].concat();
                let value = Value { kind: Kind::String, text: &said, program: caller, node: None };
                may_match(program, *formal, value, MOST_NESTED)
            }
            Argument::Written(node) => may_match(program, *formal, value(caller, *node), MOST_NESTED),
        };
        contract.takes(self.arity()) && contract.formals.iter().zip(&self.arguments).all(fits)
    }
}

/// An argument or a part of one. The name of a method has no node, because it is not written as a string.
#[derive(Clone, Copy)]
struct Value<'a> {
    kind: Kind,
    text: &'a [u8],
    program: &'a Program,
    node: Option<NodeId>,
}

fn value(program: &Program, node: NodeId) -> Value<'_> {
    let (kind, text) = (program.syntax.kind(node), program.slice(program.syntax.range(node)));
    Value { kind, text, program, node: Some(node) }
}

/// How deeply patterns are compared. Anything deeper counts as a match.
const MOST_NESTED: usize = 32;

/// Whether a value could match a pattern. It is `false` only if the value certainly does not match.
fn may_match(program: &Program, pattern: NodeId, value: Value<'_>, n_left: usize) -> bool {
    let Some(n_left) = n_left.checked_sub(1) else { return true };
    let syntax = &program.syntax;
    let may_match = |inner| may_match(program, inner, value, n_left);
    let mut parts = syntax.parts(pattern);
    match syntax.kind(pattern) {
        Kind::Quote | Kind::Parenthesized | Kind::Block => parts.next().is_none_or(may_match),
        Kind::Conjunction => parts.all(may_match),
        Kind::Disjunction => parts.any(may_match),
        _ if !is_known(value.kind) => true,
        Kind::Type => is_of_type(program.slice(syntax.range(pattern)), value),
        kind if is_literal(kind) => kind == value.kind && program.slice(syntax.range(pattern)) == value.text,
        kind if is_collection(kind) => kind == value.kind && may_hold(program, pattern, value, n_left),
        _ => true,
    }
}

/// Whether a collection could match a pattern of the same kind.
fn may_hold(program: &Program, pattern: NodeId, value: Value<'_>, n_left: usize) -> bool {
    let Some(node) = value.node else { return true };
    let (wanted, takes_more) = elements(program, pattern);
    let (given, has_more) = elements(value.program, node);
    // The remainder of a value may hold anything.
    let fits_in_number = wanted.len() == given.len() || takes_more && wanted.len() < given.len() || has_more;
    match value.kind {
        Kind::List | Kind::Tuple => {
            let fits = |(&wanted, &given): (&NodeId, &NodeId)| {
                may_match(program, wanted, self::value(value.program, given), n_left)
            };
            fits_in_number && (has_more || wanted.iter().zip(&given).all(fits))
        }
        // An element that is written twice counts once. So the number of elements says nothing.
        Kind::Set if !has_more => {
            let given: Option<HashSet<&[u8]>> =
                given.iter().map(|&node| literal(value.program, node)).collect();
            let is_given = |&node: &NodeId| {
                literal(program, node)
                    .is_none_or(|wanted| given.as_ref().is_none_or(|given| given.contains(wanted)))
            };
            wanted.iter().all(is_given)
        }
        Kind::Map if !has_more => {
            let (pattern, map) = ((program, wanted.as_slice()), (value.program, given.as_slice()));
            may_have_pairs(pattern, takes_more, map, n_left)
        }
        _ => true,
    }
}

/// Whether a map with the pairs `given` could match a pattern with the pairs `wanted`. Only keys that are literals are
/// looked up.
fn may_have_pairs(
    (program, wanted): (&Program, &[NodeId]),
    takes_more: bool,
    (caller, given): (&Program, &[NodeId]),
    n_left: usize,
) -> bool {
    let pair = |program: &Program, pair: NodeId| {
        let mut parts = program.syntax.parts(pair);
        Some((parts.next()?, parts.next()?))
    };
    let mut by_key: HashMap<&[u8], NodeId> = HashMap::new();
    for &one in given {
        let Some((key, value)) = pair(caller, one) else { return true };
        // A key that is not a literal may be equal to any key.
        let Some(key) = literal(caller, key) else { return true };
        // If two keys are equal, the last one counts.
        by_key.insert(key, value);
    }
    let fits_in_number = wanted.len() == by_key.len() || takes_more && wanted.len() < by_key.len();
    fits_in_number
        && wanted.iter().all(|&one| {
            let Some((key, pattern)) = pair(program, one) else { return true };
            let Some(key) = literal(program, key) else { return true };
            let given = by_key.get(key);
            given.is_some_and(|&given| may_match(program, pattern, value(caller, given), n_left))
        })
}

/// The elements of a collection, and whether there may be more. There may be if it has a remainder or an error.
fn elements(program: &Program, collection: NodeId) -> (Vec<NodeId>, bool) {
    let syntax = &program.syntax;
    let (rest, elements): (Vec<NodeId>, Vec<NodeId>) = syntax
        .parts(collection)
        .partition(|&part| matches!(syntax.kind(part), Kind::Remainder | Kind::Error));
    (elements, !rest.is_empty())
}

/// The text of a literal; `None` for anything else.
fn literal(program: &Program, node: NodeId) -> Option<&[u8]> {
    is_literal(program.syntax.kind(node)).then(|| program.slice(program.syntax.range(node)))
}

/// Whether the value of a node of this kind can be read from its text.
fn is_known(kind: Kind) -> bool {
    is_literal(kind) || is_collection(kind)
}

fn is_literal(kind: Kind) -> bool {
    matches!(kind, Kind::Nil | Kind::Unit | Kind::Boolean | Kind::Number | Kind::String | Kind::Uri)
}

fn is_collection(kind: Kind) -> bool {
    matches!(kind, Kind::List | Kind::Tuple | Kind::Set | Kind::Map | Kind::Pathmap)
}

fn is_of_type(type_word: &[u8], value: Value<'_>) -> bool {
    match type_word {
        b"Bool" => value.kind == Kind::Boolean,
        b"Int" => value.kind == Kind::Number && value.text.iter().all(u8::is_ascii_digit),
        b"String" => value.kind == Kind::String,
        b"Uri" => value.kind == Kind::Uri,
        // There are no literals for byte arrays.
        b"ByteArray" => false,
        _ => true,
    }
}
