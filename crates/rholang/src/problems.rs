//! The problems of a program. There is one function for each rule that a program may break.

use std::collections::{HashMap, HashSet};

use locant_names::{Problem, Severity};
use locant_text::{Offset, Range};

use crate::bind::{Meaning, Sort};
use crate::choices;
use crate::kinds::{Field, Kind};
use crate::program::Program;
use crate::slips::{self, SlipKind};
use crate::syntax::{Node, NodeId};
use crate::workspace::{At, Workspace};

pub(crate) fn problems(workspace: &Workspace, path: &str, program: &Program) -> Vec<Problem> {
    let mut found = missing(program);
    found.extend(errors(program));
    found.extend(unbound(workspace, path, program));
    found.extend(mistaken(program));
    found.extend(duplicates(program));
    found.extend(made_twice(program));
    found.extend(one_sided(program));
    found.extend(miscounted(program));
    found.extend(misplaced(program));
    found.extend(methods_of_sends(program));
    found.extend(numbers(program));
    found.extend(unused(program));
    slips(&mut found, program);
    found.sort_by_key(|problem| (problem.range.start(), problem.range.end()));
    found
}

/// The syntax errors of a program, sorted by place.
pub(crate) fn of_syntax(program: &Program) -> Vec<Problem> {
    let mut found = missing(program);
    found.extend(errors(program));
    slips(&mut found, program);
    found.sort_by_key(|problem| (problem.range.start(), problem.range.end()));
    if found.is_empty() && program.syntax.is_broken() {
        let all = Range::of_indices(0..program.text().len());
        found.push(problem(all, "syntax", "the parser gives up on this program".to_owned(), ""));
    }
    found
}

fn problem(range: Range, code: &'static str, message: String, hint: &str) -> Problem {
    Problem { range, severity: Severity::Error, code, message, hint: hint.to_owned(), is_unused: false }
}

/// Adds a problem for each slip. A slip that could not be mended for the parser also causes syntax errors on its line.
/// These errors are removed.
fn slips(found: &mut Vec<Problem>, program: &Program) {
    for slip in slips::slips(program.text()) {
        if !slip.is_mended() {
            let line = line_around(program.text(), slip.range);
            let is_by_slip = |problem: &Problem| {
                line.touches(problem.range.start())
                    && matches!(problem.code, "syntax" | "missing" | "not-closed")
            };
            found.retain(|problem| !is_by_slip(problem));
        }
        found.push(match slip.kind {
            SlipKind::OpenComment => {
                let message = "the comment is not closed, so that all after it is a part of it";
                problem(slip.range, "open-comment", message.to_owned(), "close it with `*/`")
            }
            SlipKind::PatternWithEquals => {
                let message = "a pattern is bound with `<-` in a `let`; only a plain name with `=`";
                problem(slip.range, "pattern-with-equals", message.to_owned(), "write `<-`")
            }
        });
    }
}

fn line_around(text: &[u8], range: Range) -> Range {
    let (start, end) = (range.start().index(), range.end().index());
    let n_before = text[..start].iter().rev().take_while(|&&byte| byte != b'\n').count();
    let n_after = text[end..].iter().take_while(|&&byte| byte != b'\n').count();
    Range::of_indices(start - n_before..end + n_after)
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

/// A missing token as a message shows it, given the grammar's word for it.
fn shown(word: &str) -> String {
    match word {
        "identifier" => "a name".to_owned(),
        word => format!("`{word}`"),
    }
}

/// The end of the code before a place, without the blanks between. A missing token belongs there.
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

/// The brackets that an error opens and does not close.
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

/// The problem for an error. It is reported at the first token of the error, because what follows is mostly
/// well-formed. But if the first token is a word such as `for`, that word is right, and the token after the error is
/// the unexpected one.
fn unexpected(program: &Program, error: NodeId) -> Problem {
    let syntax = &program.syntax;
    let first = syntax.children(error).next();
    let is_start = first.is_some_and(|first| syntax.kind(first) == Kind::Word);
    let stuck = || syntax.leaf_after(error).or_else(|| syntax.children(error).last());
    let token = if is_start { stuck() } else { first };
    let range = token.map_or(syntax.range(error), |token| syntax.range(token));
    let indices = range.indices();
    let n_line = program.text()[indices.clone()].iter().take_while(|&&byte| byte != b'\n').count();
    let range = Range::of_indices(indices.start..indices.start + n_line);
    let written = program.said(range);
    let shown: String = written.chars().take(40).collect();
    problem(range, "syntax", format!("`{}` is not expected here", shown.trim_end()), "")
}

fn unbound(workspace: &Workspace, path: &str, program: &Program) -> Vec<Problem> {
    // Each name is looked up only once, because a program may mention a name thousands of times.
    let mut elsewhere: HashMap<&[u8], Option<String>> = HashMap::new();
    let mut found = Vec::new();
    for mention in program.mentions_with(Meaning::Free) {
        let range = program.mention(mention).range;
        let name = program.said(range);
        let message = format!("`{name}` is not bound");
        let mut problem = problem(range, "unbound-name", message, "bind it with `new`");
        let elsewhere = elsewhere.entry(program.slice(range)).or_insert_with(|| {
            let contracts = workspace.contracts_on(At { path, program, mention });
            contracts.into_iter().find(|place| place.is_guess).map(|place| place.path)
        });
        if let Some(elsewhere) = elsewhere {
            problem.severity = Severity::Warning;
            problem.message += &format!("; {elsewhere} has a contract of this name");
        }
        found.push(problem);
    }
    found
}

/// Names that are used as processes, and processes that are used as names.
fn mistaken(program: &Program) -> Vec<Problem> {
    let mut found = Vec::new();
    // In an error it is not clear what a name stands for, because the `!` after it may or may not belong to it.
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
    let twice = program.bindings.duplicates.iter().filter(|&&pair| choices::is_twice(program, pair));
    twice.map(problem).collect()
}

/// Names that one `new` makes twice: in `new x, x in P`, the first `x` is out of reach.
fn made_twice(program: &Program) -> Vec<Problem> {
    let syntax = &program.syntax;
    let mut found = Vec::new();
    for (made, _) in syntax.all().filter(|(_, node)| node.kind == Kind::New) {
        let declarations = syntax.parts(made).filter(|&part| syntax.kind(part) == Kind::Declaration);
        let names = declarations.filter_map(|declaration| syntax.child(declaration, Field::Name));
        let mut seen = HashSet::new();
        let again = names.map(|name| syntax.range(name)).filter(|&name| !seen.insert(program.slice(name)));
        found.extend(again.map(|name| Problem {
            severity: Severity::Warning,
            ..problem(name, "duplicate-name", format!("`{}` is made twice", program.said(name)), "")
        }));
    }
    found
}

/// Names that not all sides of `\/` bind. In a broken program nothing is reported, because the sides may be incomplete.
fn one_sided(program: &Program) -> Vec<Problem> {
    if program.syntax.is_broken() {
        return Vec::new();
    }
    let problem = |name: Range| {
        let message = format!("`{}` is not bound by every side of `\\/`", program.said(name));
        problem(name, "one-sided-name", message, "bind the same names on all sides, or write `_`")
    };
    choices::one_sided(program).into_iter().map(problem).collect()
}

/// Bindings of `let` with the wrong number of values, such as `let x, y <- 1 in P`. Each name takes one value, and a
/// remainder takes all other values.
fn miscounted(program: &Program) -> Vec<Problem> {
    let syntax = &program.syntax;
    let problem = |(binding, _): (NodeId, &Node)| {
        let names = syntax.child(binding, Field::Names).into_iter().flat_map(|names| syntax.parts(names));
        let values = syntax.child(binding, Field::Values)?;
        let (rest, names): (Vec<NodeId>, Vec<NodeId>) =
            names.partition(|&name| syntax.kind(name) == Kind::NameRemainder);
        let n_values = syntax.parts(values).count();
        let fits = if rest.is_empty() { names.len() == n_values } else { names.len() <= n_values };
        let message = format!("{} for {}", counted(n_values, "value"), counted(names.len(), "name"));
        (!fits).then(|| problem(syntax.range(values), "wrong-count", message, "give every name one value"))
    };
    let bindings = syntax.all().filter(|(_, node)| node.kind == Kind::Binding);
    bindings.filter_map(problem).collect()
}

fn counted(count: usize, word: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {word}{plural}")
}

/// Nodes outside of patterns that have a meaning only in patterns. In a broken program nothing is reported, because it
/// is not clear what was meant as a pattern.
fn misplaced(program: &Program) -> Vec<Problem> {
    if program.syntax.is_broken() {
        return Vec::new();
    }
    let problem = |&node: &NodeId| {
        let (range, kind) = (program.syntax.range(node), program.syntax.kind(node));
        let (written, severity) = match kind {
            Kind::Wildcard => ("_", Severity::Error),
            Kind::Conjunction => ("/\\", Severity::Error),
            Kind::Disjunction => ("\\/", Severity::Error),
            Kind::Negation => ("~", Severity::Error),
            Kind::VarRef => ("=", Severity::Warning),
            Kind::Type => ("the name of a type", Severity::Warning),
            _ => ("...", Severity::Warning),
        };
        let written = if kind == Kind::Type { written.to_owned() } else { format!("`{written}`") };
        let message = format!("{written} has a meaning in patterns only");
        Problem { severity, ..problem(range, "only-in-patterns", message, "") }
    };
    program.bindings.misplaced.iter().map(problem).collect()
}

/// Methods that are called on a send, as in `x!(1).m()`. A send has no value. The grammar accepts such a call because
/// patterns may have sends as operands.
fn methods_of_sends(program: &Program) -> Vec<Problem> {
    let syntax = &program.syntax;
    let calls = syntax.all().filter(|(_, node)| node.kind == Kind::MethodCall);
    let receivers = calls.filter_map(|(call, _)| syntax.parts(call).next());
    let sends = receivers
        .filter(|&receiver| matches!(syntax.kind(receiver), Kind::Send | Kind::SyncSend | Kind::MethodSend));
    let problem = |send: NodeId| {
        let hint = "call the method on what arrives, or on a value in parentheses";
        problem(syntax.range(send), "no-value", "a send has no value, so it has no methods".to_owned(), hint)
    };
    sends.map(problem).collect()
}

/// Integers that do not fit into 64 bits, and suffixes with a number of bits that is not allowed.
fn numbers(program: &Program) -> Vec<Problem> {
    let syntax = &program.syntax;
    let numbers = syntax.all().filter(|(_, node)| node.kind == Kind::Number);
    let problem = |(id, node): (NodeId, &Node)| {
        let is_negative = syntax.parent(id).is_some_and(|around| syntax.kind(around) == Kind::Unary);
        let written = program.said(node.range());
        let hint = wrong_number(&written, is_negative)?;
        Some(problem(node.range(), "wrong-number", format!("there is no number `{written}`"), hint))
    };
    numbers.filter_map(problem).collect()
}

/// The hint for a wrong number; `None` if the number is right.
fn wrong_number(written: &str, is_negative: bool) -> Option<&'static str> {
    let suffix = written.trim_start_matches(|c: char| c.is_ascii_digit());
    let most = i64::MAX.unsigned_abs() + u64::from(is_negative);
    match suffix.strip_prefix(['i', 'u']) {
        _ if suffix.is_empty() => {
            let fits = written.parse::<u64>().is_ok_and(|number| number <= most);
            (!fits).then_some("an integer has 64 bits; write `n` after it for a larger one")
        }
        Some(width) => {
            let is_width = width.parse::<u64>().is_ok_and(|width| width >= 8 && width.is_power_of_two());
            (!is_width).then_some("the number of bits is 8, 16, 32 and so on")
        }
        None => None,
    }
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
