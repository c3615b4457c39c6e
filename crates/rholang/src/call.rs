//! Which of several contracts a send can reach.

use crate::kinds::{Field, Kind};
use crate::program::{Contract, Program};
use crate::syntax::NodeId;

/// What is sent on a channel.
#[derive(Debug)]
pub(crate) struct Call {
    /// The arguments that a contract gets, the ones that are not written included.
    arguments: Vec<Argument>,
    /// How many of them are not written: they come first.
    pub(crate) n_unwritten: usize,
}

#[derive(Clone, Copy, Debug)]
enum Argument {
    Written(NodeId),
    /// The channel for the reply.
    Reply,
    /// The name of a method, as a string.
    Method(NodeId),
}

impl Call {
    /// The send whose channel a node is.
    pub(crate) fn with_channel(program: &Program, node: NodeId) -> Option<Call> {
        let syntax = &program.syntax;
        // A quoted channel is around its string.
        let channel = syntax.quote_around(node).unwrap_or(node);
        let send = syntax.parent(channel)?;
        (syntax.node(channel).field == Field::Channel).then(|| Call::of(program, send)).flatten()
    }

    /// The send that a node is.
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

    /// How many arguments a contract gets.
    pub(crate) fn arity(&self) -> usize {
        self.arguments.len()
    }

    /// Could the contract of a program take what is sent?
    pub(crate) fn fits(&self, caller: &Program, program: &Program, contract: &Contract) -> bool {
        let fits = |(formal, argument): (&NodeId, &Argument)| match argument {
            Argument::Reply => true,
            Argument::Method(name) => {
                let said = [b"\"", caller.slice(caller.syntax.range(*name)), b"\""].concat();
                may_match(program, *formal, Value { kind: Kind::String, text: &said }, MOST_NESTED)
            }
            Argument::Written(node) => may_match(program, *formal, value(caller, *node), MOST_NESTED),
        };
        contract.takes(self.arity()) && contract.formals.iter().zip(&self.arguments).all(fits)
    }
}

/// What is known of an argument: what it is and how it is written.
#[derive(Clone, Copy)]
struct Value<'a> {
    kind: Kind,
    text: &'a [u8],
}

fn value(program: &Program, node: NodeId) -> Value<'_> {
    Value { kind: program.syntax.kind(node), text: program.slice(program.syntax.range(node)) }
}

/// How deep a pattern is looked into; deeper ones match whatever comes.
const MOST_NESTED: usize = 32;

/// Could a value match a pattern? Only what certainly does not is ruled out.
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
        kind if is_collection(kind) => kind == value.kind,
        _ => true,
    }
}

/// Can it be told from how it is written what value this is?
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
        // A literal is neither a byte array nor a large number.
        b"ByteArray" => false,
        _ => true,
    }
}
