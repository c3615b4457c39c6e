//! Patterns with a choice. `p \/ q` matches if one side matches, so both sides must bind the same names.

use std::collections::BTreeSet;

use locant_text::Range;

use crate::bind::BinderId;
use crate::kinds::Kind;
use crate::program::Program;
use crate::syntax::NodeId;

/// Whether it is a mistake that a pattern binds a name at two places. It is not a mistake if they are on different
/// sides of a choice. `first` comes before `second`.
pub(crate) fn is_twice(program: &Program, (second, first): (NodeId, BinderId)) -> bool {
    let syntax = &program.syntax;
    let first = program.bindings.binders[first as usize].range;
    let around = syntax.ancestors(second).find(|&around| syntax.range(around).covers(first));
    around.is_none_or(|around| syntax.kind(around) != Kind::Disjunction)
}

/// The places of names that one side of a choice binds and another does not.
pub(crate) fn one_sided(program: &Program) -> Vec<Range> {
    let bound = bound(program);
    let mut found = Vec::new();
    for &(choice, scope) in program.bindings.choices.iter().filter(|(choice, _)| is_whole(program, *choice)) {
        let sides: Vec<Vec<Range>> = sides(program, choice)
            .into_iter()
            .map(|side| bound_in(&bound, program.syntax.range(side), scope))
            .collect();
        let said: Vec<BTreeSet<&[u8]>> =
            sides.iter().map(|side| side.iter().map(|&name| program.slice(name)).collect()).collect();
        let is_everywhere = |name: Range| said.iter().all(|side| side.contains(program.slice(name)));
        found.extend(sides.into_iter().flatten().filter(|&name| !is_everywhere(name)));
    }
    // A choice and a choice inside it may both miss the same name.
    found.sort_unstable_by_key(|name| name.start());
    found.dedup();
    found
}

/// Whether a choice is not a side of a larger choice.
fn is_whole(program: &Program, choice: NodeId) -> bool {
    program.syntax.parent(choice).is_none_or(|around| program.syntax.kind(around) != Kind::Disjunction)
}

/// The places in a range that bind a name in this scope.
fn bound_in(bound: &[(Range, usize)], range: Range, scope: usize) -> Vec<Range> {
    let n_before = bound.partition_point(|(name, _)| name.start() < range.start());
    let inside = bound[n_before..].iter().take_while(|(name, _)| name.end() <= range.end());
    inside.filter(|(_, other)| *other == scope).map(|&(name, _)| name).collect()
}

/// The sides of a choice. There may be more than two: `p \/ q \/ r`.
fn sides(program: &Program, choice: NodeId) -> Vec<NodeId> {
    let mut open = vec![choice];
    let mut sides = Vec::new();
    while let Some(node) = open.pop() {
        match program.syntax.kind(node) {
            Kind::Disjunction => open.extend(program.syntax.parts(node)),
            _ => sides.push(node),
        }
    }
    sides
}

/// Every place that binds a name, including duplicates, with the scope that gets the name. They are in the order of the
/// text.
fn bound(program: &Program) -> Vec<(Range, usize)> {
    let bindings = &program.bindings;
    let mut scope_of = vec![0; bindings.binders.len()];
    for (number, scope) in bindings.scopes.iter().enumerate() {
        scope.binders.iter().for_each(|&binder| scope_of[binder as usize] = number);
    }
    let first = bindings.binders.iter().map(|binder| binder.range).zip(scope_of.iter().copied());
    let again = bindings
        .duplicates
        .iter()
        .map(|&(node, binder)| (program.syntax.range(node), scope_of[binder as usize]));
    let mut bound: Vec<_> = first.chain(again).collect();
    bound.sort_unstable_by_key(|(name, _)| name.start());
    bound
}
