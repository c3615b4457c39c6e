//! Explains why a location has no single answer: what was tried, why it failed, and what to try next.

use std::collections::HashMap;
use std::iter;

use locant_text::{Encoding, Extent, Offset, Position, Range};
use locant_tree::{Outline, SymbolId};

use crate::answer::{Candidate, Diagnosis, Document};
use crate::hint::{Hint, Reason};
use crate::hits::{Hits, MOST_CANDIDATES};
use crate::location::{Scope, Segment};
use crate::mark::{Marked, Unmarked};
use crate::marker::take_marker;
use crate::nearest;
use crate::symbols::{self, Group, Named, Region};
use crate::tokens;

/// The most mentions to show. A mention is a place where a name occurs but declares no symbol.
const MOST_MENTIONS: usize = 3;

/// Where a find was searched for.
pub(crate) enum Where<'w> {
    /// In the whole file.
    File,
    /// In some lines.
    Lines { first: u32, last: u32, range: Range },
    /// In all symbols with one path.
    Symbol { outline: &'w Outline, path: &'w [Segment], group: &'w Group },
}

/// The diagnosis if the find has no match, or too few matches for its index.
pub(crate) fn no_match(document: &dyn Document, hits: &Hits, find: &str, place: &Where<'_>) -> Diagnosis {
    let path = document.path();
    if hits.n_all() > 0 {
        return index_past_matches(hits, find, &place.words(path));
    }
    let mut candidates = matches_outside(document, find, place);
    let is_elsewhere = !candidates.is_empty();
    if !is_elsewhere {
        candidates = nearest::lines(document.text(), place.range(document), find);
    }
    let has_nothing_like_it = candidates.is_empty();
    if let Where::Lines { range, .. } = place
        && has_nothing_like_it
    {
        let line = document.text().slice(*range);
        let start = range.start() + Extent::of_len(tokens::blanks_after(line, 0).min(line.len()));
        candidates.extend((start < range.end()).then(|| candidate(start, Reason::WholeScope)));
    }
    let hint = if find.contains("<|>") && take_marker(find).at.is_none() {
        Hint::WriteMarkerOnce
    } else if is_elsewhere {
        Hint::SearchOutsideScope
    } else if !has_nothing_like_it {
        Hint::CopyNearLine
    } else {
        Hint::Read(place.scope())
    };
    let cut_marker = has_cut_marker(find).then_some(Hint::WriteWholeMarker);
    let message = format!("`{}` is not in {}", shorten(find), place.words(path));
    Diagnosis { message, hints: iter::once(hint).chain(cut_marker).collect(), candidates }
}

/// Whether a find has no marker, but something that a slip may have made of one.
fn has_cut_marker(find: &str) -> bool {
    take_marker(find).at.is_none() && !find.contains("<|>") && (find.contains("<|") || find.contains("|>"))
}

/// The diagnosis for a coordinate outside of the text or inside a character.
pub(crate) fn no_coordinate(document: &dyn Document, position: Position) -> Diagnosis {
    let text = document.text();
    let Some(content) = text.line_content(position.line) else { return no_line(document, position.line) };
    let last = text.position(content.end(), Encoding::Utf16).map_or(1, |end| end.character);
    let (message, place) = if position.character > last {
        let message = format!("line {} of {} ends at column {last}", position.line, document.path());
        (message, candidate(content.end(), Reason::EndOfLine))
    } else {
        let before = Position { character: position.character.saturating_sub(1), ..position };
        let start = text.offset(before, Encoding::Utf16).unwrap_or(content.start());
        let message =
            format!("column {} of line {} is inside a character", position.character, position.line);
        (message, candidate(start, Reason::StartOfCharacter))
    };
    Diagnosis { message, hints: vec![Hint::DropColumn], candidates: vec![place] }
}

/// The diagnosis for a line after the end of the file.
pub(crate) fn no_line(document: &dyn Document, line: u32) -> Diagnosis {
    let (path, n_lines) = (document.path(), document.text().n_lines());
    Diagnosis {
        message: match line {
            u32::MAX => format!("{path} has only {}", counted(n_lines as usize, "line")),
            line => {
                format!("there is no line {line} in {path}: it has {}", counted(n_lines as usize, "line"))
            }
        },
        hints: vec![Hint::UseLastLine(n_lines)],
        candidates: Vec::new(),
    }
}

/// The diagnosis for marked lines that are not found. The candidates are the lines with their numbers.
pub(crate) fn unmarked(document: &dyn Document, marked: &Marked, why: &Unmarked) -> Diagnosis {
    let text = document.text();
    let (message, line) = match why {
        Unmarked::Gone(mark) => {
            (format!("the line `{mark}` is another one now, and is nowhere else for sure"), mark.line)
        }
        Unmarked::ChangedBetween { first, last } => (
            format!("between the lines `{marked}` others came or went: they are {first} to {last} now"),
            *first,
        ),
    };
    let candidate = |line: Range| Candidate { offset: line.start(), reason: Reason::HasItsNumber };
    Diagnosis {
        message,
        hints: vec![Hint::ReadAgain],
        candidates: text.line_content(line).map(candidate).into_iter().collect(),
    }
}

/// The diagnosis for a symbol in a file whose language is not supported.
pub(crate) fn no_language(document: &dyn Document) -> Diagnosis {
    let path = document.path();
    Diagnosis {
        message: format!("the language of {path} is not one whose symbols are read"),
        hints: vec![Hint::UseTextOrLine],
        candidates: Vec::new(),
    }
}

/// The diagnosis for a path like `save` that is the end of the paths of several symbols.
pub(crate) fn several_symbols(
    document: &dyn Document,
    outline: &Outline,
    path: &[Segment],
    groups: &[Group],
) -> Diagnosis {
    let candidates = groups.iter().take(MOST_CANDIDATES).map(|group| {
        let symbol = outline.get(group[0]);
        candidate(symbol.name_range.start(), Reason::Symbol(symbol.kind))
    });
    let n = groups.len();
    Diagnosis {
        message: format!("{n} symbols of {} end in `{}`", document.path(), written(path)),
        hints: iter::once(Hint::WriteWholePath).chain(some_are_shown(n)).collect(),
        candidates: candidates.collect(),
    }
}

/// The diagnosis if symbols have the path, but their declarations contradict what was written with it: parameters, a
/// trait or type arguments.
pub(crate) fn none_fits(
    document: &dyn Document,
    outline: &Outline,
    path: &[Segment],
    others: &Group,
) -> Diagnosis {
    let candidates = others.iter().take(MOST_CANDIDATES).map(|&id| {
        let symbol = outline.get(id);
        candidate(symbol.name_range.start(), Reason::Symbol(symbol.kind))
    });
    let (file, n) = (document.path(), others.len());
    let is_one_path = others.iter().all(|&id| outline.have_same_path(id, others[0]));
    let name = others.first().map(|&id| outline.path(id).join(".")).unwrap_or_default();
    let wanted = plainly(path);
    let message = match n {
        1 => format!("`{name}` of {file} is not declared as `{wanted}`"),
        _ if is_one_path => format!("none of the {n} `{name}` of {file} is declared as `{wanted}`"),
        _ => format!("none of the {n} symbols of {file} that it may be is declared as `{wanted}`"),
    };
    let hint = if n == 1 { Hint::TakeCandidate } else { Hint::ChooseCandidate };
    let hints = iter::once(hint).chain(some_are_shown(n)).collect();
    Diagnosis { message, hints, candidates: candidates.collect() }
}

/// The hint that not all candidates are shown, if there are too many.
fn some_are_shown(n_all: usize) -> Option<Hint> {
    (n_all > MOST_CANDIDATES).then_some(Hint::SomeAreShown { n_shown: MOST_CANDIDATES, n_all })
}

/// A path as the user wrote it, but with `.` between the names.
fn plainly(path: &[Segment]) -> String {
    path.iter().map(|segment| segment.with_brackets().name).collect::<Vec<_>>().join(".")
}

/// The diagnosis if no symbol has this path. `members` are the symbols whose paths start with it, such as methods of a
/// type that another file declares.
pub(crate) fn no_symbol(
    document: &dyn Document,
    outline: &Outline,
    path: &[Segment],
    members: &Group,
) -> Diagnosis {
    let name = |id| outline.get(id).name_range.start();
    let mut candidates: Vec<Candidate> =
        members.iter().take(MOST_CANDIDATES).map(|&id| candidate(name(id), Reason::Member)).collect();
    let mut is_mentioned = false;
    if members.is_empty() {
        let near = nearest::symbols(outline, path);
        // A place with exactly this name is more likely to be meant than a similar name, even if it declares nothing.
        if !near.has_name {
            candidates = mentions(document, outline, path);
            is_mentioned = !candidates.is_empty();
        }
        let similar = near.symbols.into_iter().map(|id| candidate(name(id), Reason::SimilarName));
        candidates.extend(similar.take(MOST_CANDIDATES - candidates.len()));
    }
    if candidates.is_empty() {
        let siblings = members_of_parent(document, outline, path);
        candidates = siblings.map(|id| candidate(name(id), Reason::Sibling)).take(MOST_CANDIDATES).collect();
    }
    let file = document.path();
    let message = if members.is_empty() {
        format!("there is no symbol `{}` in {file}", written(path))
    } else {
        format!("`{}` is not declared in {file}, only members of it", written(path))
    };
    let hint = match (members.is_empty(), candidates.is_empty()) {
        (false, _) => Hint::NameMember,
        (true, false) if is_mentioned => Hint::UseNameAsText,
        (true, false) => Hint::TakeSimilar,
        (true, true) => Hint::Outline,
    };
    let hints = iter::once(hint).chain(what_was_missed(outline)).collect();
    Diagnosis { message, hints, candidates }
}

/// A hint that explains why an outline may lack a symbol that is in the file.
fn what_was_missed(outline: &Outline) -> Option<Hint> {
    match (outline.is_by_line, outline.is_damaged) {
        (true, _) => Some(Hint::ReadByLine),
        (false, true) => Some(Hint::HasErrors),
        (false, false) => None,
    }
}

/// The members of the symbol in which the last name of a path was searched for.
fn members_of_parent<'o>(
    document: &dyn Document,
    outline: &'o Outline,
    path: &[Segment],
) -> impl Iterator<Item = SymbolId> + 'o {
    let above = path.split_last().map(|(_, above)| above).filter(|above| !above.is_empty());
    let parents = match above.map(|above| symbols::named(document.text(), outline, above)) {
        Some(Named::One(group) | Named::Unread(group)) => group,
        _ => Group::new(),
    };
    let is_below = move |parent: SymbolId| parents.contains(&parent);
    outline.iter().filter(move |(_, symbol)| symbol.parent.is_some_and(&is_below)).map(|(id, _)| id)
}

/// Where the last name of a path occurs as text. It may be an attribute, a local variable, or a declaration that was
/// not recognised. Occurrences inside the names of symbols are left out.
fn mentions(document: &dyn Document, outline: &Outline, path: &[Segment]) -> Vec<Candidate> {
    let Some(last) = path.last() else { return Vec::new() };
    let everywhere = Region { range: document.text().range(), starts: document.text().range() };
    let hits = Hits::search(document.text(), &[everywhere], &last.name, usize::MAX);
    let is_in_name = |place: Offset| outline.symbols().iter().any(|symbol| symbol.name_range.contains(place));
    let whole = hits.others().filter(|hit| !hit.partial && !is_in_name(hit.place));
    let mut places: Vec<Offset> = mentions_inside(document, outline, path);
    places.retain(|place| !is_in_name(*place));
    places.extend(whole.map(|hit| hit.place).filter(|place| !places.contains(place)).collect::<Vec<_>>());
    places.into_iter().take(MOST_MENTIONS).map(|place| candidate(place, Reason::NameAsText)).collect()
}

/// Where the last name of a path occurs in the symbol that the rest of the path leads to. For `Parser.prog`, that is
/// `self.prog = …` in the class `Parser`.
fn mentions_inside(document: &dyn Document, outline: &Outline, path: &[Segment]) -> Vec<Offset> {
    let Some((last, above)) = path.split_last().filter(|(_, above)| !above.is_empty()) else {
        return Vec::new();
    };
    let text = document.text();
    let (Named::One(group) | Named::Unread(group)) = symbols::named(text, outline, above) else {
        return Vec::new();
    };
    let hits = Hits::search(text, &symbols::regions(outline, &group), &last.name, usize::MAX);
    let mut places: Vec<Offset> = hits.others().filter(|hit| !hit.partial).map(|hit| hit.place).collect();
    // Places where a value is assigned to the name come first: they are almost declarations.
    places.sort_by_key(|place| !is_assigned(text.slice(Range::new(*place, text.range().end())), &last.name));
    places
}

/// Whether the name at the start of the text is followed by `=` or `:=`.
fn is_assigned(text: &[u8], name: &str) -> bool {
    let after = text[name.len().min(text.len())..].trim_ascii_start();
    matches!(after, [b'=', next, ..] if *next != b'=') || after.starts_with(b":=")
}

/// The diagnosis if the index is too high for the number of symbols with a path.
pub(crate) fn index_past_symbols(
    document: &dyn Document,
    outline: &Outline,
    path: &[Segment],
    group: &Group,
) -> Diagnosis {
    let candidates = group.iter().take(MOST_CANDIDATES).map(|&id| {
        let symbol = outline.get(id);
        candidate(symbol.name_range.start(), Reason::Symbol(symbol.kind))
    });
    let there_are = counted(group.len(), "symbol");
    Diagnosis {
        message: format!("{} has {there_are} `{}`; the index counts from 0", document.path(), written(path)),
        hints: vec![highest_index(group.len())],
        candidates: candidates.collect(),
    }
}

/// The diagnosis if the last `[n]` of a path is too high for the number of symbols with that path. `None` if no symbol
/// has that path.
pub(crate) fn index_past_twins(
    document: &dyn Document,
    outline: &Outline,
    path: &[Segment],
) -> Option<Diagnosis> {
    let mut path = path.to_vec();
    path.last_mut()?.index.take()?;
    match symbols::named(document.text(), outline, &path) {
        Named::One(group) | Named::Unread(group) => {
            Some(index_past_symbols(document, outline, &path, &group))
        }
        Named::Several(_) | Named::Others(_) | Named::Nothing => None,
    }
}

/// The diagnosis for a path like `steps[1].name`, where `steps` is a list. Items of a list have no names, so its index
/// cannot be resolved. `None` if no part of the path is an index into a list.
pub(crate) fn item_of_list(
    document: &dyn Document,
    outline: &Outline,
    path: &[Segment],
) -> Option<Diagnosis> {
    let text = document.text();
    let holder = |at: usize| {
        let index = path[at].index?;
        let mut list = path[..=at].to_vec();
        list[at].index = None;
        match symbols::named(text, outline, &list) {
            Named::One(group) if symbols::means_item(text, outline, group[0]) => {
                Some((list, group[0], index))
            }
            _ => None,
        }
    };
    let (at, (list, holder, index)) = (0..path.len()).find_map(|at| Some((at, holder(at)?)))?;
    let mut inside = list.clone();
    inside.extend_from_slice(&path[at + 1..]);
    let named = match inside.len() - list.len() {
        0 => nth_of_each_name(outline, holder, index as usize),
        _ => nth_or_all(document, outline, inside, index),
    };
    let example = named.first().map(|&id| symbols::path_to(outline, id));
    let candidates = named.into_iter().take(MOST_CANDIDATES).map(|id| {
        let symbol = outline.get(id);
        candidate(symbol.name_range.start(), Reason::Symbol(symbol.kind))
    });
    Some(Diagnosis {
        message: format!(
            "`{}` of {} is a list, and its items have no names",
            written(&list),
            document.path()
        ),
        hints: vec![example.map_or(Hint::Outline, Hint::NameInsideItem)],
        candidates: candidates.collect(),
    })
}

/// Of all symbols with a path, the one with this index. If the index is too high, all of them.
fn nth_or_all(document: &dyn Document, outline: &Outline, mut path: Vec<Segment>, index: u32) -> Group {
    let Some(last) = path.last_mut() else { return Group::new() };
    last.index = None;
    let Named::One(group) = symbols::named(document.text(), outline, &path) else { return Group::new() };
    match group.get(index as usize) {
        Some(&nth) => vec![nth],
        None => group,
    }
}

/// For each name among the direct members of a symbol, the n-th member with this name.
fn nth_of_each_name(outline: &Outline, holder: SymbolId, n: usize) -> Group {
    let mut n_before: HashMap<&str, usize> = HashMap::new();
    let mut members = Group::new();
    for (id, symbol) in outline.iter().filter(|(_, symbol)| symbol.parent == Some(holder)) {
        let before = n_before.entry(&symbol.name).or_default();
        if *before == n {
            members.push(id);
        }
        *before += 1;
    }
    members
}

impl Diagnosis {
    /// Adds to the message that the find is in none of the symbols.
    pub(crate) fn and_no_match(self, find: &str) -> Diagnosis {
        Diagnosis { message: format!("{}, and `{}` is in none of them", self.message, shorten(find)), ..self }
    }
}

/// The diagnosis if an index above 0 was given, but there is only one place.
pub(crate) fn index_past_only(index: usize, offset: Offset) -> Diagnosis {
    Diagnosis {
        message: format!("there is only 1 match, so none with index {index}"),
        hints: vec![Hint::DropIndex],
        candidates: vec![candidate(offset, Reason::OnlyMatch)],
    }
}

fn index_past_matches(hits: &Hits, find: &str, place: &str) -> Diagnosis {
    let there_are = counted(hits.n_all(), "match");
    Diagnosis {
        message: format!("{place} has {there_are} of `{}`; the index counts from 0", shorten(find)),
        hints: vec![highest_index(hits.n_all())],
        candidates: hits
            .others()
            .take(MOST_CANDIDATES)
            .map(|hit| candidate(hit.place, Reason::Matches))
            .collect(),
    }
}

fn highest_index(n: usize) -> Hint {
    match n {
        1 => Hint::DropIndex,
        _ => Hint::UseIndexUpTo(n - 1),
    }
}

/// Matches of the find outside the scope.
fn matches_outside(document: &dyn Document, find: &str, place: &Where<'_>) -> Vec<Candidate> {
    if matches!(place, Where::File) {
        return Vec::new();
    }
    let everywhere = Region { range: document.text().range(), starts: document.text().range() };
    let hits = Hits::search(document.text(), &[everywhere], find, usize::MAX);
    hits.others().take(5).map(|hit| candidate(hit.place, Reason::OutsideScope)).collect()
}

impl Where<'_> {
    fn words(&self, path: &str) -> String {
        match self {
            Where::File => path.to_owned(),
            Where::Lines { first, last, .. } if first == last => format!("line {first} of {path}"),
            Where::Lines { first, last, .. } => format!("lines {first}-{last} of {path}"),
            Where::Symbol { path: symbol, .. } => format!("`{}` of {path}", written(symbol)),
        }
    }

    fn scope(&self) -> Option<Scope> {
        match self {
            Where::File => None,
            Where::Lines { first, last, .. } => Some(Scope::Lines { first: *first, last: Some(*last) }),
            Where::Symbol { path, .. } => Some(Scope::Symbol(path.to_vec())),
        }
    }

    fn range(&self, document: &dyn Document) -> Range {
        match self {
            Where::File => document.text().range(),
            Where::Lines { range, .. } => *range,
            Where::Symbol { outline, group, .. } => outline.get(group[0]).extent,
        }
    }
}

fn candidate(offset: Offset, reason: Reason) -> Candidate {
    Candidate { offset, reason }
}

fn written(path: &[Segment]) -> String {
    Scope::Symbol(path.to_vec()).to_string()
}

fn counted(n: usize, thing: &str) -> String {
    match (n, thing) {
        (1, _) => format!("1 {thing}"),
        (_, "match") => format!("{n} matches"),
        _ => format!("{n} {thing}s"),
    }
}

/// Cuts a long find, so that a message stays readable.
fn shorten(find: &str) -> String {
    const MOST: usize = 60;
    match find.char_indices().nth(MOST) {
        None => find.to_owned(),
        Some((end, _)) => format!("{}…", &find[..end]),
    }
}
