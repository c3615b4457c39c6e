//! What is wrong in a program.

use locant_names::{Problem, Severity};
use locant_text::{Offset, Range};

use crate::bind::{Meaning, Sort};
use crate::kinds::Kind;
use crate::program::Program;
use crate::syntax::NodeId;
use crate::workspace::{At, Workspace};

pub(crate) fn problems(workspace: &Workspace, path: &str, program: &Program) -> Vec<Problem> {
    let mut found = missing(program);
    found.extend(errors(program));
    found.extend(unbound(workspace, path, program));
    found.extend(mistaken(program));
    found.extend(duplicates(program));
    found.extend(unused(program));
    found.sort_by_key(|problem| (problem.range.start(), problem.range.end()));
    found
}

fn problem(range: Range, code: &'static str, message: String, hint: &str) -> Problem {
    Problem { range, severity: Severity::Error, code, message, hint: hint.to_owned(), is_unused: false }
}

fn missing(program: &Program) -> Vec<Problem> {
    let problem = |(id, word): &(NodeId, String)| {
        let id = *id;
        let around = program.syntax.parent(id).map(|parent| (parent, program.syntax.kind(parent)));
        let end = end_of_code(program, program.syntax.range(id).start());
        match around {
            Some((call, Kind::Call)) => problem(
                program.syntax.range(call + 1),
                "missing-send",
                "there are no calls: this is a send without its `!`".to_owned(),
                "write `!` in front of the parenthesis",
            ),
            _ => problem(Range::empty(end), "missing", format!("{} is missing here", shown(word)), ""),
        }
    };
    program.syntax.missing().iter().map(problem).collect()
}

/// A kind of token in words.
fn shown(word: &str) -> String {
    match word {
        "identifier" => "a name".to_owned(),
        word => format!("`{word}`"),
    }
}

/// Where the code in front of a place ends: something is missing there, not behind blanks and comments.
fn end_of_code(program: &Program, at: Offset) -> Offset {
    let blank =
        program.text()[..at.index()].iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
    Offset::of_index(at.index() - blank)
}

fn errors(program: &Program) -> Vec<Problem> {
    let syntax = &program.syntax;
    let mut found = Vec::new();
    for (id, _) in syntax.all().filter(|(_, node)| node.kind == Kind::Error) {
        let is_in_error = syntax.parent(id).is_some_and(|parent| syntax.kind(parent) == Kind::Error);
        let unclosed = unclosed(program, id);
        match unclosed.last() {
            Some(&open) => {
                let range = syntax.range(open);
                let message = format!("`{}` is not closed", program.said(range));
                found.push(problem(range, "not-closed", message, ""));
            }
            None if is_in_error => {}
            None => found.push(unexpected(program, id)),
        }
    }
    found
}

/// The brackets in an error that nothing closes.
fn unclosed(program: &Program, error: NodeId) -> Vec<NodeId> {
    let syntax = &program.syntax;
    let mut open: Vec<NodeId> = Vec::new();
    for child in syntax.children(error).filter(|&child| syntax.kind(child) == Kind::Mark) {
        match program.slice(syntax.range(child)) {
            b"(" | b"[" | b"{" | b"{|" => open.push(child),
            b")" | b"]" | b"}" | b"|}" => drop(open.pop()),
            _ => {}
        }
    }
    open
}

/// An error by its first token, as what follows is mostly whole.
fn unexpected(program: &Program, error: NodeId) -> Problem {
    let syntax = &program.syntax;
    let first = syntax.children(error).next();
    let range = first.map_or(syntax.range(error), |first| syntax.range(first));
    let indices = range.indices();
    let n_line = program.text()[indices.clone()].iter().take_while(|&&byte| byte != b'\n').count();
    let range = Range::of_indices(indices.start..indices.start + n_line);
    let written = program.said(range);
    let shown: String = written.chars().take(40).collect();
    problem(range, "syntax", format!("`{}` is not expected here", shown.trim_end()), "")
}

fn unbound(workspace: &Workspace, path: &str, program: &Program) -> Vec<Problem> {
    let problem = |mention: usize| {
        let range = program.mention(mention).range;
        let name = program.said(range);
        let contracts = workspace.contracts_on(At { path, program, mention });
        let elsewhere = contracts.iter().find(|place| place.is_guess);
        let mut problem =
            problem(range, "unbound-name", format!("`{name}` is not bound"), "bind it with `new`");
        if let Some(place) = elsewhere {
            problem.severity = Severity::Warning;
            problem.message += &format!("; {} has a contract of this name", place.path);
        }
        problem
    };
    program.mentions_with(Meaning::Free).map(problem).collect()
}

/// Names that are used as processes, and the other way around.
fn mistaken(program: &Program) -> Vec<Problem> {
    let mut found = Vec::new();
    // In an error it is not known what a name stands for: the `!` behind it may belong to it or not.
    let is_read = |node: NodeId| {
        program.syntax.parent(node).is_none_or(|around| program.syntax.kind(around) != Kind::Error)
    };
    for mention in program.bindings.mentions.iter().filter(|mention| !mention.binds && is_read(mention.node))
    {
        let Meaning::Bound(binder) = mention.meaning else { continue };
        let name = program.said(mention.range);
        let (what, written) = match (program.bindings.binders[binder as usize].sort, mention.sort) {
            (Sort::Name, Sort::Process) => ("name, not a process", format!("*{name}")),
            (Sort::Process, Sort::Name) => ("process, not a name", format!("@{name}")),
            _ => continue,
        };
        let message = format!("`{name}` is a {what}");
        found.push(problem(mention.range, "wrong-sort", message, &format!("write `{written}`")));
    }
    found
}

fn duplicates(program: &Program) -> Vec<Problem> {
    let problem = |&(node, _): &(NodeId, _)| {
        let range = program.syntax.range(node);
        let message = format!("`{}` is bound twice by one pattern", program.said(range));
        problem(range, "duplicate-name", message, "take another name, or `_`")
    };
    program.bindings.duplicates.iter().map(problem).collect()
}

fn unused(program: &Program) -> Vec<Problem> {
    let mut is_used = vec![false; program.bindings.binders.len()];
    for mention in program.bindings.mentions.iter().filter(|mention| !mention.binds) {
        if let Meaning::Bound(binder) = mention.meaning {
            is_used[binder as usize] = true;
        }
    }
    let binders = program.bindings.binders.iter().zip(is_used);
    let unused =
        binders.filter(|(binder, is_used)| !is_used && !program.slice(binder.range).starts_with(b"_"));
    let problem = |range: Range| Problem {
        severity: Severity::Hint,
        is_unused: true,
        ..problem(range, "unused-name", format!("`{}` is not used", program.said(range)), "")
    };
    unused.map(|(binder, _)| problem(binder.range)).collect()
}
