//! The hover of a name: how it is bound, its contracts, and their documentation.

use locant_names::Hover;

use crate::bind::{Binder, BinderId, BinderKind, Sort};
use crate::docs::{Docs, docs_before};
use crate::kinds::{Field, Kind};
use crate::program::{Contract, Program};
use crate::workspace::{At, ContractAt, Key, Thing, Workspace, thing};

/// The most contracts to show.
const SHOWN: usize = 8;

pub(crate) fn hover(workspace: &Workspace, at: At<'_>) -> Option<Hover> {
    let range = at.program.mention(at.mention).range;
    let contracts = workspace.contracts(at);
    let mut hover = Hover { range, code: String::new(), facts: Vec::new(), docs: String::new() };
    if !contracts.is_empty() {
        describe_contracts(&mut hover, workspace, &contracts);
    }
    match thing(at) {
        Thing::Bound(binder) => describe_binder(&mut hover, at.program, binder),
        Thing::Keyed(Key::Public(_)) => {
            hover.facts.push("a public channel: the same in every program".to_owned());
        }
        Thing::Keyed(Key::Bare(name)) => {
            let name = String::from_utf8_lossy(&name).into_owned();
            hover.facts.push(format!("`{name}` is not bound in this program"));
        }
        Thing::Implicit => hover.facts.push(implicit(at).to_owned()),
    }
    if hover.code.is_empty() {
        hover.code = at.program.said(range);
    }
    Some(hover)
}

fn describe_contracts(hover: &mut Hover, workspace: &Workspace, contracts: &[ContractAt]) {
    let mut headers = Vec::new();
    for place in contracts.iter().take(SHOWN) {
        let Some((program, contract)) = workspace.contract(place) else { continue };
        headers.push(header(program, contract));
        if hover.docs.is_empty() {
            hover.docs = docs_before(program, contract.node).markdown();
        }
    }
    hover.code = headers.join("\n");
    if contracts.len() > SHOWN {
        hover.facts.push(format!("and {} more contracts on this channel", contracts.len() - SHOWN));
    }
    if let Some(place) = contracts.iter().find(|place| place.is_guess) {
        hover.facts.push(format!("a guess: {} has a contract of this name", place.path));
    }
}

/// A contract up to its body, on one line.
pub(crate) fn header(program: &Program, contract: &Contract) -> String {
    let syntax = &program.syntax;
    let whole = syntax.range(contract.node);
    let end = syntax
        .child(contract.node, Field::Formals)
        .map_or(whole.end(), |formals| syntax.range(formals).end());
    one_line(&program.said(locant_text::Range::new(whole.start(), end)))
}

/// Text on one line: every run of blanks and line breaks becomes one blank.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn describe_binder(hover: &mut Hover, program: &Program, id: BinderId) {
    let binder = &program.bindings.binders[id as usize];
    let written = one_line(&program.said(program.binder_extent(id)));
    let code = match binder.kind {
        BinderKind::New => format!("new {written}"),
        BinderKind::Let => format!("let {written}"),
        BinderKind::Received => format!("for ({written})"),
        BinderKind::Formal | BinderKind::Matched => written,
    };
    if hover.code.is_empty() {
        hover.code = code;
    }
    if hover.docs.is_empty() {
        hover.docs = binder_docs(program, binder);
    }
    hover.facts.push(binder_fact(program, binder));
    let meaning = crate::bind::Meaning::Bound(id);
    let n_uses = program.mentions_with(meaning).filter(|&number| !program.mention(number).binds).count();
    hover.facts.push(match n_uses {
        0 => "not used".to_owned(),
        1 => "used once".to_owned(),
        n => format!("used {n} times"),
    });
}

fn binder_fact(program: &Program, binder: &Binder) -> String {
    let what = match binder.sort {
        Sort::Name => "a name",
        Sort::Process => "a process variable",
    };
    let how = match binder.kind {
        BinderKind::New => "made by `new`".to_owned(),
        BinderKind::Formal => match owner(program, binder) {
            Some(name) => format!("a parameter of `{name}`"),
            None => "a parameter".to_owned(),
        },
        BinderKind::Received => "bound by what is received".to_owned(),
        BinderKind::Let => "bound by `let`".to_owned(),
        BinderKind::Matched => "bound by a pattern".to_owned(),
    };
    format!("{what}, {how}")
}

/// The name of the contract or method that a parameter belongs to. If it has no name, its first word, such as
/// `default`.
fn owner(program: &Program, binder: &Binder) -> Option<String> {
    let syntax = &program.syntax;
    let around = syntax.ancestors(binder.node).find(|&id| syntax.child(id, Field::Formals).is_some())?;
    match syntax.child(around, Field::Name) {
        Some(name) => Some(program.said(syntax.range(name))),
        None => Some(program.said(syntax.range(around + 1))),
    }
}

/// The documentation of a binder. For a name of `new` or `let`, it is the comments before it. For a parameter, it is
/// the `@param` text in the comments before the contract.
fn binder_docs(program: &Program, binder: &Binder) -> String {
    let syntax = &program.syntax;
    let name = program.said(binder.range);
    for around in syntax.ancestors(binder.node) {
        match (syntax.kind(around), binder.kind) {
            (Kind::Contract | Kind::Method | Kind::Constructor | Kind::Default, BinderKind::Formal) => {
                return docs_before(program, around).parameter(&name).unwrap_or_default().to_owned();
            }
            (Kind::New, BinderKind::New) | (Kind::Let, BinderKind::Let) => {
                return documented(program, binder, around).markdown();
            }
            _ => {}
        }
    }
    String::new()
}

/// The comments right before one name of a `new` or `let`. If there are none, the comments before the whole `new` or
/// `let`.
fn documented(program: &Program, binder: &Binder, around: crate::syntax::NodeId) -> Docs {
    let own = program.syntax.parent(binder.node).map(|parent| docs_before(program, parent));
    own.filter(|docs| !docs.is_empty()).unwrap_or_else(|| docs_before(program, around))
}

fn implicit(at: At<'_>) -> &'static str {
    match at.program.slice(at.program.mention(at.mention).range) {
        b"this" => "the agent itself, known in all its methods",
        b"private" => "the private channel of the agent, known in all its methods",
        _ => "the channel that a method replies on",
    }
}
