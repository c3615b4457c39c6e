//! Renames a declaration, or says why it cannot be renamed.
//!
//! A rename is tried out first, in a copy of the workspace. It is refused if a name would mean something else
//! afterwards, in any file that can see the declaration.

use locant_names::{Names, Problem, Refusal, Replacement, Severity};
use locant_text::Range;

use super::Workspace;
use super::linked::Linked;
use super::mentions::{Mention, Thing};
use super::problems::problems;
use crate::file::Form;
use crate::flaw::Flaw;
use crate::pool::{SymbolRef, UnitId};

/// The range of a mention, and the symbol that it means, if the symbol can be renamed.
pub(super) fn renamable(linked: &Linked, mention: Option<&Mention>) -> Result<(Range, SymbolRef), Refusal> {
    let Some(mention) = mention else {
        return Err(Refusal::no_name("give a place in a name"));
    };
    match &mention.thing {
        Thing::Symbol(symbol) if linked.is_file(symbol.unit) => Ok((mention.range, *symbol)),
        Thing::Symbol(symbol) => {
            let path = &linked.pool.unit(symbol.unit).path;
            let name = linked.pool.full_name(*symbol);
            Err(Refusal::new(
                format!("`{name}` is declared in {path}, which is not a file of the workspace"),
                "only what the workspace declares can be renamed",
            ))
        }
        Thing::Package(_) => Err(Refusal::new(
            "this is a package: files outside of the workspace may be in it too",
            "change the package statements of its files",
        )),
        Thing::File(_) => {
            Err(Refusal::new("this is a file", "move the file, then change the imports that name it"))
        }
        Thing::Unknown(flaw) => Err(Refusal::new(flaw.message(), flaw.hint())),
    }
}

/// The replacements that give a symbol another name.
pub(super) fn rename(
    workspace: &Workspace,
    symbol: SymbolRef,
    name: &str,
) -> Result<Vec<Replacement>, Refusal> {
    let linked = workspace.linked();
    check_name(linked, symbol, name)?;
    let old = linked.pool.unit(symbol.unit).written_name(symbol.id);
    let thing = Thing::Symbol(symbol);
    let mut replacements = Vec::new();
    for file in linked.mentioning(&thing) {
        let unit = linked.pool.unit(file);
        for mention in linked.mentions_of(&thing, file) {
            let written = String::from_utf8_lossy(&unit.text[mention.range.indices()]);
            // The name of a group's field is the name of its message in lower case.
            let text = if written == old { name.to_owned() } else { name.to_lowercase() };
            replacements.push(Replacement { path: mention.path, range: mention.range, text });
        }
    }
    replacements.retain(|one| {
        let old = linked.file(&one.path).map(|id| &linked.pool.unit(id).text[one.range.indices()]);
        old != Some(one.text.as_bytes())
    });
    try_out(workspace, symbol, &replacements)?;
    Ok(replacements)
}

fn check_name(linked: &Linked, symbol: SymbolRef, name: &str) -> Result<(), Refusal> {
    let is_start = |c: char| c.is_ascii_alphabetic() || c == '_';
    let is_rest = |c: char| is_start(c) || c.is_ascii_digit();
    if !(name.starts_with(is_start) && name.chars().all(is_rest)) {
        return Err(Refusal::bad_name(
            format!("`{name}` cannot be a name"),
            "names are letters, digits and `_`, and do not start with a digit",
        ));
    }
    let is_group = matches!(linked.pool.declaration(symbol).form, Form::Message { group: Some(_) });
    if is_group && !name.starts_with(|c: char| c.is_ascii_uppercase()) {
        return Err(Refusal::bad_name("the name of a group starts with a capital", "write a capital first"));
    }
    Ok(())
}

/// Makes the replacements in a copy of the workspace. Fails if a name then means something else, or if there are new
/// errors.
fn try_out(workspace: &Workspace, symbol: SymbolRef, replacements: &[Replacement]) -> Result<(), Refusal> {
    let mut tried = workspace.clone();
    for (path, unit) in &workspace.files.units {
        let own: Vec<_> = replacements.iter().filter(|one| one.path == *path).collect();
        if !own.is_empty() {
            tried.set(path, &replaced(&unit.text, &own));
        }
    }
    let (before, after) = (workspace.linked(), tried.linked());
    for (id, unit) in before.files() {
        if !before.pool.visible(id).contains(&symbol.unit) {
            continue;
        }
        let is_same = |(one, other): (&Mention, &Mention)| one.thing == other.thing;
        let (old, new) = (before.mentions(id), after.mentions(id));
        let changed = old.iter().zip(new).find(|&pair| !is_same(pair)).map(|(mention, _)| mention);
        if changed.is_some() || old.len() != new.len() {
            let range = changed.map_or(Range::empty(locant_text::Offset::ZERO), |mention| mention.range);
            let written = String::from_utf8_lossy(&unit.text[range.indices()]);
            return Err(Refusal::new(
                format!("`{written}` in {} would no longer mean what it does", unit.path),
                "choose a name that is not taken",
            ));
        }
        let (was_wrong, is_wrong) = (errors(before, id), errors(after, id));
        if was_wrong.len() < is_wrong.len() {
            let new =
                is_wrong.iter().find(|problem| !was_wrong.iter().any(|was| was.message == problem.message));
            return Err(match new {
                Some(problem) if problem.code != Flaw::Twice.code() => Refusal::new(
                    format!("{} would have an error: {}", unit.path, problem.message),
                    "choose another name",
                ),
                _ => Refusal::new(
                    format!("the name is already taken where {} sees it", unit.path),
                    "choose a name that is not taken",
                ),
            });
        }
    }
    Ok(())
}

fn errors(linked: &Linked, id: UnitId) -> Vec<Problem> {
    problems(linked, id).into_iter().filter(|problem| problem.severity == Severity::Error).collect()
}

/// A text after replacements, which must be sorted by their places.
fn replaced(text: &[u8], replacements: &[&Replacement]) -> Vec<u8> {
    let mut new = Vec::with_capacity(text.len());
    let mut done = 0;
    for one in replacements {
        new.extend_from_slice(&text[done..one.range.start().index()]);
        new.extend_from_slice(one.text.as_bytes());
        done = one.range.end().index();
    }
    new.extend_from_slice(&text[done..]);
    new
}
