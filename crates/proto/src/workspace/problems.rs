//! Finds the problems of a file: broken syntax, unknown or duplicate names, and broken rules of the language.

use std::collections::{HashMap, HashSet};

use locant_names::{Problem, Severity};
use locant_text::Range;

use super::declarers::{Declarer, Declarers};
use super::linked::Linked;
use super::mentions::Thing;
use super::rules;
use crate::file::{Declaration, DeclarationId, Form, Manner};
use crate::flaw::Flaw;
use crate::pool::{Unit, UnitId};

/// The problems of a file, in the order of their places.
pub(super) fn problems(linked: &Linked, id: UnitId) -> Vec<Problem> {
    let unit = linked.pool.unit(id);
    let mut problems: Vec<Problem> = unit
        .file
        .problems
        .iter()
        .map(|problem| of_flaw(problem.range, problem.flaw, Severity::Error))
        .collect();
    unknown(&mut problems, linked, id);
    declared_twice(&mut problems, linked, id);
    taken_numbers(&mut problems, unit);
    rules::check(&mut problems, &linked.pool, id);
    unused_imports(&mut problems, linked, id);
    problems.sort_by_key(|problem| (problem.range.start(), problem.range.end()));
    problems
}

fn of_flaw(range: Range, flaw: Flaw, severity: Severity) -> Problem {
    let hint = flaw.hint().to_owned();
    Problem { range, severity, code: flaw.code(), message: flaw.message(), hint, is_unused: false }
}

/// Adds a problem for each unknown name. If an imported file is missing, that file may declare the name, so the problem
/// is only a warning.
fn unknown(problems: &mut Vec<Problem>, linked: &Linked, id: UnitId) {
    let has_all =
        linked.pool.visible(id).iter().all(|&id| linked.pool.imports(id).iter().all(Option::is_some));
    let mut declarers = Declarers::new(linked, id);
    for mention in linked.mentions(id) {
        let Thing::Unknown(flaw) = mention.thing else { continue };
        if let Some(declarer) = declarers.of(mention.range, flaw) {
            problems.push(not_imported(mention.range, flaw, &declarer));
            continue;
        }
        let severity = match flaw {
            Flaw::MissingImport => Severity::Error,
            _ if has_all => Severity::Error,
            _ => Severity::Warning,
        };
        problems.push(of_flaw(mention.range, flaw, severity));
    }
}

/// The problem for an unknown name that is declared in a file that is not imported.
fn not_imported(range: Range, flaw: Flaw, declarer: &Declarer) -> Problem {
    let Declarer { import, otherwise, imports_back } = declarer;
    let message = match otherwise {
        None if *imports_back => format!("`{import}` declares this, but imports this file"),
        None => format!("`{import}` declares this, but is not imported"),
        Some(name) => format!("{}; `{import}` declares `{name}`", flaw.message()),
    };
    let hint = match otherwise {
        _ if *imports_back => "move it into a file that both can import".to_owned(),
        None => format!("add `import \"{import}\";`"),
        Some(name) => format!("correct the name, or add `import \"{import}\";` and write `{name}`"),
    };
    Problem { message, hint, ..of_flaw(range, flaw, Severity::Error) }
}

/// Adds a problem for each name that is already declared, in the file or in another file that it sees.
fn declared_twice(problems: &mut Vec<Problem>, linked: &Linked, id: UnitId) {
    let unit = linked.pool.unit(id);
    let others: Vec<&Unit> = linked
        .pool
        .visible(id)
        .iter()
        .filter(|&&other| other != id)
        .map(|&other| linked.pool.unit(other))
        .collect();
    let packages: HashSet<&str> =
        others.iter().chain([&unit]).flat_map(|unit| prefixes(&unit.package)).collect();
    // A package and a declaration must not have the same full name.
    let is_taken = |package| others.iter().any(|other| other.symbol(package).is_some());
    if let (true, Some(range)) = (prefixes(&unit.package).any(is_taken), unit.file.package) {
        problems.push(of_flaw(range, Flaw::Twice, Severity::Error));
    }
    // The members of a declaration that is declared twice are declared twice too. Only the outermost declaration is
    // reported.
    let mut is_double: HashSet<DeclarationId> = HashSet::new();
    for (declaration, Declaration { name, parent, .. }) in unit.file.iter() {
        let Some(range) = *name else { continue };
        let full_name = unit.full_name(declaration);
        let is_first = unit.symbol(&full_name) == Some(declaration);
        let is_elsewhere = others.iter().any(|other| other.symbol(&full_name).is_some());
        if is_first && !is_elsewhere && !packages.contains(full_name.as_str()) {
            continue;
        }
        is_double.insert(declaration);
        if parent.is_none_or(|parent| !is_double.contains(&parent)) {
            problems.push(of_flaw(range, Flaw::Twice, Severity::Error));
        }
    }
}

/// A package and the packages around it: `a`, `a.b` and `a.b.c` for `a.b.c`.
fn prefixes(package: &str) -> impl Iterator<Item = &str> {
    let ends = package.match_indices('.').map(|(at, _)| at).chain([package.len()]);
    ends.map(|end| &package[..end]).filter(|prefix| !prefix.is_empty())
}

/// Adds a problem for each field or enum value whose number an earlier one already has.
fn taken_numbers(problems: &mut Vec<Problem>, unit: &Unit) {
    let mut taken: HashMap<(DeclarationId, i32), DeclarationId> = HashMap::new();
    for (id, declaration) in unit.file.iter() {
        let number = match declaration.form {
            Form::Field(field) if field.extendee.is_none() => field.number,
            Form::Value { number } => number,
            _ => None,
        };
        let (Some(number), Some(parent), Some(range)) = (number, declaration.parent, declaration.name) else {
            continue;
        };
        let first = *taken.entry((parent, number)).or_insert(id);
        if first == id || unit.says(parent, b"allow_alias") {
            continue;
        }
        problems.push(Problem {
            range,
            severity: Severity::Error,
            code: "number-taken",
            message: format!("`{}` has the number {number} already", unit.name(first)),
            hint: "give it another number".to_owned(),
            is_unused: false,
        });
    }
}

/// Adds a problem for each import that nothing in the file uses.
fn unused_imports(problems: &mut Vec<Problem>, linked: &Linked, id: UnitId) {
    let unit = linked.pool.unit(id);
    let mentions = linked.mentions(id);
    // An unknown name may come from any import.
    if mentions.iter().any(|mention| matches!(mention.thing, Thing::Unknown(_))) {
        return;
    }
    let used: HashSet<UnitId> = mentions
        .iter()
        .filter_map(|mention| match mention.thing {
            Thing::Symbol(symbol) => Some(symbol.unit),
            _ => None,
        })
        .collect();
    for (import, found) in unit.file.imports.iter().zip(linked.pool.imports(id)) {
        let (Some(found), Some(range), Manner::Plain | Manner::Option) = (*found, import.path, import.manner)
        else {
            continue;
        };
        let is_used =
            used.contains(&found) || linked.pool.publicly_reached(found).iter().any(|id| used.contains(id));
        if !is_used {
            problems.push(Problem {
                range,
                severity: Severity::Hint,
                code: "unused-import",
                message: "nothing from this import is used".to_owned(),
                hint: "remove it".to_owned(),
                is_unused: true,
            });
        }
    }
}
