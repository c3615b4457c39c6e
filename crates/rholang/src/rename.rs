//! Renames a name at all its mentions, or says why it cannot be renamed.
//!
//! There are no rules for when the new name clashes with another binder. Instead, the changed texts are parsed, and
//! every name in them must mean what it meant before.

use std::collections::BTreeMap;

use locant_names::{Refusal, Replacement};
use locant_text::{Offset, Range};

use crate::bind::Meaning;
use crate::kinds::RESERVED;
use crate::program::Program;
use crate::workspace::{At, Key, Thing, Workspace, thing};

pub(crate) fn renamable(workspace: &Workspace, path: &str, at: Offset) -> Result<Range, Refusal> {
    let at = workspace.at(path, at).ok_or_else(nothing)?;
    may_change(workspace, at)?;
    Ok(at.program.mention(at.mention).range)
}

pub(crate) fn rename(
    workspace: &Workspace,
    path: &str,
    at: Offset,
    name: &str,
) -> Result<Vec<Replacement>, Refusal> {
    let at = workspace.at(path, at).ok_or_else(nothing)?;
    may_change(workspace, at)?;
    let is_public = at.program.mention(at.mention).meaning == Meaning::Public;
    if is_public {
        check_string(name)?
    } else {
        check_identifier(name)?
    }
    let mentions = workspace.mentions(at);
    let places = mentions.iter().filter(|(_, is_guess)| !is_guess).map(|(at, _)| *at);
    let mut by_path: BTreeMap<&str, Vec<At<'_>>> = BTreeMap::new();
    for place in places {
        by_path.entry(place.path).or_default().push(place);
    }
    for (path, places) in &by_path {
        check_meaning(path, places, name)?;
    }
    if is_public {
        check_public(workspace, name)?;
    }
    let replacement = |at: &At<'_>| Replacement {
        path: at.path.to_owned(),
        range: at.program.mention(at.mention).range,
        text: name.to_owned(),
    };
    Ok(by_path.values().flatten().map(replacement).collect())
}

/// The refusal for a place without a name.
fn nothing() -> Refusal {
    Refusal::no_name("give a place in a name that the program binds")
}

/// Fails if the name cannot be renamed: it is `this`, `private` or `return` of an agent, or some of its mentions are
/// only guesses.
fn may_change(workspace: &Workspace, at: At<'_>) -> Result<(), Refusal> {
    let name = at.program.said(at.program.mention(at.mention).range);
    let guessed = || workspace.mentions(at).into_iter().find(|(_, is_guess)| *is_guess);
    match thing(at) {
        Thing::Bound(_) => match guessed() {
            None => Ok(()),
            Some(_) => Err(Refusal::new(
                format!("the program is broken, and it is not sure where `{name}` is meant"),
                "mend the errors first",
            )),
        },
        Thing::Keyed(Key::Public(_)) => Ok(()),
        Thing::Implicit => {
            Err(Refusal::new(format!("`{name}` is a word of agents"), "it cannot be called otherwise"))
        }
        Thing::Keyed(Key::Bare(_)) => match guessed() {
            None => Ok(()),
            Some((other, _)) => Err(Refusal::new(
                format!("`{name}` is bound nowhere, and {} mentions it too", other.path),
                "bind it with `new`, so that it is known what it means",
            )),
        },
    }
}

fn check_identifier(name: &str) -> Result<(), Refusal> {
    let hint = "take a letter and then letters, digits, `_` and `'`";
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '\'';
    let starts =
        name.starts_with(|c: char| c.is_ascii_alphabetic()) || name.starts_with('_') && name.len() > 1;
    if !starts || !name.chars().all(is_part) {
        return Err(Refusal::bad_name(format!("`{name}` cannot be a name"), hint));
    }
    if RESERVED.contains(&name) {
        Err(Refusal::bad_name(format!("`{name}` is a word of the language"), hint))
    } else {
        Ok(())
    }
}

fn check_string(name: &str) -> Result<(), Refusal> {
    if name.contains(['"', '\\']) {
        Err(Refusal::bad_name(format!("`{name}` cannot stand in quotes"), "leave out `\"` and `\\`"))
    } else {
        Ok(())
    }
}

/// Fails if a program already has a public channel with this name.
fn check_public(workspace: &Workspace, name: &str) -> Result<(), Refusal> {
    let is_taken = |program: &Program| {
        let mut others = program.mentions_with(Meaning::Public);
        others.any(|other| program.slice(program.mention(other).range) == name.as_bytes())
    };
    match workspace.programs().find(|(_, program)| is_taken(program)) {
        None => Ok(()),
        Some((path, _)) => Err(Refusal::new(
            format!("`@\"{name}\"` is another channel already, in {path}"),
            "take a string that no program uses",
        )),
    }
}

/// Fails if the renaming changes what any mention in the program means.
fn check_meaning(path: &str, places: &[At<'_>], name: &str) -> Result<(), Refusal> {
    let Some(program) = places.first().map(|at| at.program) else { return Ok(()) };
    let ranges: Vec<Range> = places.iter().map(|at| at.program.mention(at.mention).range).collect();
    let changed = Program::new(&replaced(program.text(), &ranges, name));
    if changed.syntax.is_broken() && !program.syntax.is_broken() {
        return Err(Refusal::new(
            format!("with `{name}`, {path} could not be read any more"),
            "take another name",
        ));
    }
    let (old, new) = (&program.bindings.mentions, &changed.bindings.mentions);
    let differs =
        old.iter().zip(new).position(|(old, new)| (old.meaning, old.binds) != (new.meaning, new.binds));
    let differs = differs.or((old.len() != new.len()).then_some(old.len().min(new.len())));
    // A name that is bound nowhere must not become the same as another name that is bound nowhere.
    let is_free = places.iter().any(|at| at.program.mention(at.mention).meaning == Meaning::Free);
    let merges = is_free
        && program
            .mentions_with(Meaning::Free)
            .any(|other| program.slice(program.mention(other).range) == name.as_bytes());
    match differs {
        None if !merges => Ok(()),
        None => Err(Refusal::new(format!("`{name}` is mentioned in {path} already"), "take another name")),
        Some(number) => {
            let caught = old.get(number).map(|mention| line_of(program.text(), mention.range));
            let place = caught.map_or_else(|| path.to_owned(), |line| format!("{path}:{line}"));
            Err(Refusal::new(
                format!("with `{name}`, a name in {place} would mean something else"),
                "take a name that is not bound around there",
            ))
        }
    }
}

/// The text with the name in place of every range. The ranges must be in order.
fn replaced(text: &[u8], ranges: &[Range], name: &str) -> Vec<u8> {
    let mut new = Vec::with_capacity(text.len());
    let mut end = 0;
    for range in ranges {
        new.extend_from_slice(&text[end..range.start().index()]);
        new.extend_from_slice(name.as_bytes());
        end = range.end().index();
    }
    new.extend_from_slice(&text[end..]);
    new
}

fn line_of(text: &[u8], range: Range) -> usize {
    text[..range.start().index()].iter().filter(|&&byte| byte == b'\n').count() + 1
}
