//! Fixes for the problems of a file.

use locant_names::{Fix, Problem};
use locant_text::{Offset, Range};

use super::declarers::{Declarer, Declarers};
use super::linked::Linked;
use super::mentions::Thing;
use super::problems::problems;
use crate::number::file as number;
use crate::pool::{Unit, UnitId};

/// The fixes for the problems that touch a part of a file.
pub(super) fn fixes(linked: &Linked, id: UnitId, within: Range) -> Vec<Fix> {
    let unit = linked.pool.unit(id);
    let touches = |range: Range| range.start() <= within.end() && within.start() <= range.end();
    let mut fixes = Vec::new();
    for problem in problems(linked, id).iter().filter(|problem| touches(problem.range)) {
        match problem.code {
            "unused-import" | "import-twice" => fixes.extend(without_import(unit, problem)),
            "expected" => fixes.extend(inserted(problem)),
            _ => {}
        }
    }
    let mut declarers = Declarers::new(linked, id);
    for mention in linked.mentions(id).iter().filter(|mention| touches(mention.range)) {
        let Thing::Unknown(flaw) = mention.thing else { continue };
        let declarer = declarers.of(mention.range, flaw).filter(|declarer| !declarer.imports_back);
        fixes.extend(declarer.map(|declarer| imported(unit, mention.range, flaw.code(), &declarer)));
    }
    fixes.sort_by_key(|fix| fix.problem.start());
    fixes
}

/// A fix that adds the import of the file that declares a name.
fn imported(unit: &Unit, range: Range, code: &'static str, declarer: &Declarer) -> Fix {
    let Declarer { import, otherwise, .. } = declarer;
    let (at, before, after) = place_of_imports(unit);
    let statement = format!("{before}import \"{import}\";{after}");
    let mut edits = vec![(Range::empty(at), statement)];
    let title = match otherwise {
        None => format!("Import `{import}`"),
        Some(name) => format!("Import `{import}` and write `{name}`"),
    };
    edits.extend(otherwise.as_ref().map(|name| (range, name.clone())));
    edits.sort_by_key(|(range, _)| range.start());
    Fix { title, problem: range, code, edits, is_sure: otherwise.is_none() }
}

/// The place for a new import, and the line breaks to write before and after it. The place is after the last import;
/// without imports, after the package; without a package, after the syntax; otherwise at the start.
fn place_of_imports(unit: &Unit) -> (Offset, &'static str, &'static str) {
    let line_break = if unit.text.windows(2).any(|two| two == b"\r\n") { "\r\n" } else { "\n" };
    let paths = [number::DEPENDENCY, number::PACKAGE, number::SYNTAX];
    let statement = |path: i32| {
        let of_kind = unit.file.table.iter().filter(|location| location.path().first() == Some(&path));
        of_kind.map(|location| location.end()).max()
    };
    match paths.into_iter().find_map(statement) {
        Some(end) => (end, line_break, ""),
        None => {
            let mark = if unit.text.starts_with("\u{FEFF}".as_bytes()) { 3 } else { 0 };
            (Offset::of_index(mark), "", line_break)
        }
    }
}

/// A fix that removes an import, together with its line if nothing else is on the line.
fn without_import(unit: &Unit, problem: &Problem) -> Option<Fix> {
    let is_import =
        |path: &[i32]| matches!(path.first(), Some(&(number::DEPENDENCY | number::OPTION_DEPENDENCY)));
    let statements = unit.file.table.iter().filter(|location| is_import(location.path()));
    let statement = statements
        .map(|location| Range::new(location.start(), location.end()))
        .find(|range| range.covers(problem.range))?;
    let (start, end) = (statement.start().index(), statement.end().index());
    let line = unit.text[..start].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let rest = unit.text[end..].iter().position(|&byte| byte == b'\n').map(|at| end + at + 1);
    let is_blank = |bytes: &[u8]| bytes.iter().all(u8::is_ascii_whitespace);
    let gone = match rest {
        Some(rest) if is_blank(&unit.text[line..start]) && is_blank(&unit.text[end..rest]) => line..rest,
        _ => start..end,
    };
    let edits = vec![(Range::of_indices(gone), String::new())];
    let title = "Remove the import".to_owned();
    Some(Fix { title, problem: problem.range, code: problem.code, edits, is_sure: true })
}

/// A fix that inserts the expected token, if the message of the problem names exactly one.
fn inserted(problem: &Problem) -> Option<Fix> {
    let word = problem.message.strip_prefix("expected `")?.strip_suffix('`')?;
    if word.contains('`') {
        return None;
    }
    let edits = vec![(Range::empty(problem.range.start()), word.to_owned())];
    let title = format!("Insert `{word}`");
    Some(Fix { title, problem: problem.range, code: problem.code, edits, is_sure: false })
}
