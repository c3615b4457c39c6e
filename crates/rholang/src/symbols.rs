//! Finds contracts, agents, methods and names in all programs by some letters of their names.

use locant_names::{FoundSymbol, Target};
use locant_tree::SymbolKind;

use crate::bind::{BinderId, BinderKind, Meaning};
use crate::kinds::{Field, Kind};
use crate::program::Program;
use crate::syntax::NodeId;
use crate::workspace::Workspace;

pub(crate) fn symbols(workspace: &Workspace, query: &str) -> Vec<FoundSymbol> {
    let mut found = Vec::new();
    for (path, program) in workspace.programs() {
        let mut own = contracts(path, program);
        own.extend(agents(path, program));
        own.extend(made_names(path, program));
        own.retain(|symbol| has_letters(&symbol.name, query));
        own.sort_by_key(|symbol| symbol.target.name.start());
        found.extend(own);
    }
    found
}

fn contracts(path: &str, program: &Program) -> Vec<FoundSymbol> {
    let mut found = Vec::new();
    for contract in &program.contracts {
        let Some(name) = contract.name.map(|name| program.mention(name).range) else { continue };
        let extent = program.syntax.range(contract.node);
        found.push(FoundSymbol {
            name: program.said(name),
            kind: SymbolKind::Function,
            container: container(program, contract.node),
            target: Target { path: path.to_owned(), name, extent, is_guess: false },
        });
    }
    found
}

fn agents(path: &str, program: &Program) -> Vec<FoundSymbol> {
    let mut found = Vec::new();
    for (id, node) in program.syntax.all() {
        let kind = match node.kind {
            Kind::Agent => SymbolKind::Class,
            Kind::Method => SymbolKind::Method,
            _ => continue,
        };
        let Some(name) = program.syntax.child(id, Field::Name) else { continue };
        let name = program.syntax.range(name);
        found.push(FoundSymbol {
            name: program.said(name),
            kind,
            container: container(program, id),
            target: Target { path: path.to_owned(), name, extent: node.range(), is_guess: false },
        });
    }
    found
}

/// Names that `new` makes at the top of a program. Names with a contract are left out, because the contract is found
/// instead.
fn made_names(path: &str, program: &Program) -> Vec<FoundSymbol> {
    let mut found = Vec::new();
    for (id, binder) in (0..).zip(&program.bindings.binders) {
        let is_made = binder.kind == BinderKind::New && binder.is_at_top;
        if !is_made || has_contract(program, id) {
            continue;
        }
        let extent = program.binder_extent(id);
        found.push(FoundSymbol {
            name: program.said(binder.range),
            kind: SymbolKind::Variable,
            container: String::new(),
            target: Target { path: path.to_owned(), name: binder.range, extent, is_guess: false },
        });
    }
    found
}

fn has_contract(program: &Program, binder: BinderId) -> bool {
    let is_on = |name: usize| program.mention(name).meaning == Meaning::Bound(binder);
    program.contracts.iter().any(|contract| contract.name.is_some_and(is_on))
}

/// The names of the contracts, agents and methods around a node, joined by dots.
fn container(program: &Program, node: NodeId) -> String {
    let syntax = &program.syntax;
    let is_symbol = |&id: &NodeId| matches!(syntax.kind(id), Kind::Contract | Kind::Agent | Kind::Method);
    let name = |id: NodeId| {
        let name = syntax.child(id, Field::Name)?;
        Some(program.said(syntax.range(name)).trim_start_matches('@').trim_matches('"').to_owned())
    };
    let mut names: Vec<String> = syntax.ancestors(node).filter(is_symbol).filter_map(name).collect();
    names.reverse();
    names.join(".")
}

/// Whether a name contains the letters of a query in this order, ignoring case. Other letters may be between them.
fn has_letters(name: &str, query: &str) -> bool {
    let mut letters = name.chars().flat_map(char::to_lowercase);
    query.chars().flat_map(char::to_lowercase).all(|wanted| letters.any(|letter| letter == wanted))
}
