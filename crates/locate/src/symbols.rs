//! Finds the symbols that a path leads to, and the parts of the text to search inside them.

use std::collections::{BTreeMap, HashMap};
use std::iter::successors;

use locant_text::{Offset, Range, Text};
use locant_tree::{Outline, Symbol, SymbolId, SymbolKind};

use crate::headed;
use crate::location::Segment;
use crate::qualifier::Holders;
use crate::scope::segment_end;
use crate::signature::Signature;
use crate::spelling::{Fit, Spelling};
use crate::types::Likeness;
use crate::without_markup::WithoutMarkup;

/// Symbols with the same path from the top of the file, in document order.
pub(crate) type Group = Vec<SymbolId>;

/// The symbols that a path leads to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Named {
    /// All symbols that were found have the same path.
    One(Group),
    /// All symbols that were found have the same path. But the location gives parameters that could not be compared,
    /// because the parameters of the declaration cannot be read.
    Unread(Group),
    /// The symbols that were found have different paths, which all end with the given path.
    Several(Vec<Group>),
    /// These symbols have the path, but their declarations contradict the parameters or words beside it.
    Others(Group),
    /// No symbol has the path.
    Nothing,
}

/// A part of the text in which a find is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    /// Matches must be inside this range.
    pub(crate) range: Range,
    /// Matches must start inside this range. So matches in a declaration can be found before those that start in its
    /// comments and decorators.
    pub(crate) starts: Range,
}

/// Finds the symbols that a path leads to. These are the symbols that have exactly this path, from the top of the file.
/// If there are none, those whose paths end with it. If there are none either, other readings are tried: the path as
/// its language writes it, or as one name that contains dots, such as `print.default` in R.
pub(crate) fn named(text: &Text, outline: &Outline, path: &[Segment]) -> Named {
    let Some(last) = path.last() else { return Named::Nothing };
    let (mut groups, mut index) = (by_names(text, outline, path), last.index);
    let (mut is_unread, mut others) = (false, Group::new());
    let telling = without_silent(outline, path);
    let path = &telling[..];
    if groups.is_empty() {
        groups = by_names(text, outline, path);
    }
    if groups.is_empty() {
        groups = by_reference(text, outline, path);
    }
    if groups.is_empty() && path.iter().any(|segment| segment.index.is_some()) {
        // The brackets may be a part of the name.
        groups = by_names(text, outline, &path.iter().map(Segment::with_brackets).collect::<Vec<_>>());
        index = index.filter(|_| groups.is_empty());
    }
    if groups.is_empty() {
        groups = by_holder(text, outline, path);
    }
    // An index in the middle shows where each name ends, so the path cannot be read in another way.
    let has_inner_index = path.iter().rev().skip(1).any(|segment| segment.index.is_some());
    if groups.is_empty() && !has_inner_index {
        groups = by_whole_name(outline, path);
    }
    if groups.is_empty() && !has_inner_index {
        Spelled { groups, is_unread, others } = spelled(text, outline, path);
    }
    if groups.is_empty() && others.is_empty() {
        groups = by_name_without_markup(text, outline, path);
    }
    if groups.is_empty() && others.is_empty() {
        let named = headed::named(text, outline, path);
        if named != Named::Nothing {
            return named;
        }
    }
    if path.len() == 1 {
        give_way_to_class(outline, &mut groups);
    }
    if index.is_some() {
        groups.retain(|group| !means_item(text, outline, group[0]));
    }
    pick_index(&mut groups, index);
    match groups.len() {
        0 if !others.is_empty() => Named::Others(others),
        0 => Named::Nothing,
        1 if is_unread => Named::Unread(groups.remove(0)),
        1 => Named::One(groups.remove(0)),
        _ => Named::Several(groups),
    }
}

/// A path without names that mean nothing before other names, such as `prototype` of `User.prototype.save` and `module`
/// and `exports` of `module.exports.rules`.
fn without_silent(outline: &Outline, path: &[Segment]) -> Vec<Segment> {
    let Some((last, front)) = path.split_last() else { return Vec::new() };
    let says_something =
        |segment: &&Segment| segment.index.is_some() || !outline.silent.contains(&segment.name.as_str());
    front.iter().filter(says_something).chain([last]).cloned().collect()
}

/// The symbols whose paths are, or end with, the names of the path.
fn by_names(text: &Text, outline: &Outline, path: &[Segment]) -> Vec<Group> {
    let is_last = |symbol: &Symbol| path.last().is_some_and(|last| last.name == symbol.name);
    let same_name = outline.iter().filter(|(_, symbol)| is_last(symbol)).map(|(id, _)| id);
    farthest(outline, same_name, |id| reach(text, outline, id, path, |name, wanted| name == wanted))
}

/// The symbols for a path that is written like a reference to them. In HCL, `var.region` refers to `variable.region`.
fn by_reference(text: &Text, outline: &Outline, path: &[Segment]) -> Vec<Group> {
    let Some((first, rest)) = path.split_first().filter(|(_, rest)| !rest.is_empty()) else {
        return Vec::new();
    };
    let Some((_, declared)) = outline.spoken.iter().find(|(spoken, _)| *spoken == first.name) else {
        return Vec::new();
    };
    let first = Segment { name: (*declared).to_owned(), index: first.index };
    by_names(text, outline, &[&[first], rest].concat())
}

/// The symbols whose names without markup, or whose ids, are the names of the path. `Install` and `setup` both lead to
/// the heading `*Install* {#setup}`.
fn by_name_without_markup(text: &Text, outline: &Outline, path: &[Segment]) -> Vec<Group> {
    if outline.markup.is_empty() {
        return Vec::new();
    }
    let groups = by_each_without_markup(text, outline, path);
    if !groups.is_empty() || path.len() == 1 {
        return groups;
    }
    // A heading may contain dots.
    let names: Vec<&str> = path.iter().map(|segment| segment.name.as_str()).collect();
    by_each_without_markup(text, outline, &[Segment { name: names.join("."), index: None }])
}

fn by_each_without_markup(text: &Text, outline: &Outline, path: &[Segment]) -> Vec<Group> {
    let reads_as = |name: &str, wanted: &str| WithoutMarkup::of(name, outline.markup).is(wanted);
    let Some(last) = path.last() else { return Vec::new() };
    let ids = outline.iter().filter(|(_, symbol)| reads_as(&symbol.name, &last.name)).map(|(id, _)| id);
    farthest(outline, ids, |id| reach(text, outline, id, path, reads_as))
}

/// The symbols for which the whole path is one name that contains separators, such as `1.1.0 (2023)` in a changelog and
/// `Foo::Bar` in CMake.
fn by_whole_name(outline: &Outline, path: &[Segment]) -> Vec<Group> {
    let names: Vec<&str> = path.iter().map(|segment| segment.name.as_str()).collect();
    let written = names.join(".");
    let is_so = |name: &str| name == written || name.contains("::") && name.replace("::", ".") == written;
    let ids = outline.iter().filter(|(_, symbol)| path.len() > 1 && is_so(&symbol.name)).map(|(id, _)| id);
    by_path(outline, ids.collect())
}

/// The symbols for a path that has one name more than their own paths: the name of a symbol around them. In Kotlin, a
/// function in `A.Companion` has the path `A.f`, but people may write `A.Companion.f`.
fn by_holder(text: &Text, outline: &Outline, path: &[Segment]) -> Vec<Group> {
    let through = (0..path.len() - 1).map(|at| through_holder(text, outline, path, at));
    through.into_iter().find(|groups| !groups.is_empty()).unwrap_or_default()
}

/// The symbols for a path from which the name at `at` has to be left out. It is the name of a symbol around them.
fn through_holder(text: &Text, outline: &Outline, path: &[Segment], at: usize) -> Vec<Group> {
    let mut holders = by_names(text, outline, &path[..=at]);
    pick_index(&mut holders, path[at].index);
    let holders = holders.concat();
    if holders.is_empty() {
        return Vec::new();
    }
    let mut groups = by_names(text, outline, &[&path[..at], &path[at + 1..]].concat());
    for group in &mut groups {
        group.retain(|&id| holders.iter().any(|&holder| is_held(outline, id, holder)));
    }
    groups.retain(|group| !group.is_empty());
    groups
}

/// Whether `holder` is around a symbol without being one of its parents. Parents are part of the path, so they were
/// tried already.
fn is_held(outline: &Outline, id: SymbolId, holder: SymbolId) -> bool {
    let mut above = successors(Some(id), |&id| outline.get(id).parent);
    outline.get(holder).extent.covers(outline.get(id).extent) && !above.any(|above| above == holder)
}

/// The symbols that a path leads to from the top of the file. If there are none, those that it leads to from further
/// inside.
fn farthest(
    outline: &Outline,
    ids: impl Iterator<Item = SymbolId>,
    reach: impl Fn(SymbolId) -> Option<Reach>,
) -> Vec<Group> {
    let (mut whole, mut ending) = (Vec::new(), Vec::new());
    for id in ids {
        match reach(id) {
            Some(Reach::Top) => whole.push(id),
            Some(Reach::Inside) => ending.push(id),
            None => {}
        }
    }
    by_path(outline, if whole.is_empty() { ending } else { whole })
}

/// The symbols for a path that is written as in their language.
#[derive(Default)]
struct Spelled {
    /// The symbols that fit the text beside the path best, such as its parameters.
    groups: Vec<Group>,
    /// Whether there are parameters that could not be compared.
    is_unread: bool,
    /// If no symbol fits, all symbols that have the path.
    others: Group,
}

fn spelled(text: &Text, outline: &Outline, path: &[Segment]) -> Spelled {
    let dotted = spelled_with(text, outline, path, ".");
    // Names may also contain `::`, as targets of CMake do.
    let is_known = path.len() == 1 || !dotted.groups.is_empty() || !dotted.others.is_empty();
    if is_known { dotted } else { spelled_with(text, outline, path, "::") }
}

/// The symbols for a path that is written as in their language, with this separator between its names.
fn spelled_with(text: &Text, outline: &Outline, path: &[Segment], separator: &str) -> Spelled {
    let names: Vec<&str> = path.iter().map(|segment| segment.name.as_str()).collect();
    let written = names.join(separator);
    let spelling = Spelling::new(&written);
    if spelling.is_empty() || names.into_iter().any(has_separator) {
        return Spelled::default();
    }
    let holders = Holders::new(text, outline);
    let reached: BTreeMap<SymbolId, Reached> =
        outline.iter().filter_map(|(id, _)| Some((id, reach_by_spelling(&holders, id, spelling)?))).collect();
    let likeness = |id: &SymbolId| reached.get(id).and_then(|reached| reached.likeness);
    let qualified = reached.keys().copied().filter(|id| likeness(id).is_some());
    let mut groups = farthest(outline, qualified, |id| reached.get(&id).map(|reached| reached.reach));
    if groups.is_empty() {
        return Spelled { others: reached.into_keys().collect(), ..Spelled::default() };
    }
    if spelling.is_called() && !groups.iter().flatten().any(|&id| has_brackets(text, outline.get(id))) {
        groups = constructors(outline, &groups).unwrap_or(groups);
    }
    let fit = |id: &SymbolId| {
        let beside = fit_beside(text, outline.get(*id), spelling);
        (beside != Fit::Not, likeness(id), beside)
    };
    let best = groups.iter().flatten().map(fit).max();
    let Some(best) = best.filter(|(fits, ..)| *fits) else {
        return Spelled { others: groups.concat(), ..Spelled::default() };
    };
    groups.iter_mut().for_each(|group| group.retain(|id| fit(id) == best));
    groups.retain(|group| !group.is_empty());
    // `f()` may mean a function with parameters, but only if it is the only function with this name.
    if best.2 == Fit::Unread && spelling.is_call() && groups.iter().map(Vec::len).sum::<usize>() > 1 {
        return Spelled { others: groups.concat(), ..Spelled::default() };
    }
    Spelled { groups, is_unread: best.2 == Fit::Unread, others: Group::new() }
}

/// Whether a name contains a separator, apart from one at its start and those in its parameters. Such a name was
/// written in backticks, so it must not be split.
fn has_separator(name: &str) -> bool {
    let rest = name.strip_prefix("::").or_else(|| name.strip_prefix('.')).unwrap_or(name);
    segment_end(rest) < rest.len()
}

fn has_brackets(text: &Text, symbol: &Symbol) -> bool {
    Signature::of(text, symbol).has_brackets()
}

/// How well a symbol fits the text beside the path.
fn fit_beside(text: &Text, symbol: &Symbol, spelling: Spelling<'_>) -> Fit {
    let signature = Signature::of(text, symbol);
    let fit = spelling.fit(&symbol.name, &signature);
    // The value of a variable may be a function.
    let may_hold_function = spelling.is_call() && symbol.kind.is_value() && !signature.has_brackets();
    if may_hold_function { fit.min(Fit::Unread) } else { fit }
}

/// The constructors of these classes. A class itself has no parameters, so parameters after its name are those of a
/// constructor.
fn constructors(outline: &Outline, classes: &[Group]) -> Option<Vec<Group>> {
    let classes = classes.concat();
    let is_constructor = |id: &SymbolId| {
        let Symbol { name, parent, .. } = outline.get(*id);
        parent.is_some_and(|parent| classes.contains(&parent) && outline.get(parent).name == *name)
    };
    let constructors: Vec<SymbolId> = outline.iter().map(|(id, _)| id).filter(is_constructor).collect();
    (!constructors.is_empty()).then(|| by_path(outline, constructors))
}

/// The members directly below a path that no symbol has. For example, the members of an `impl` block whose type is
/// declared in another file.
pub(crate) fn members(outline: &Outline, path: &[Segment]) -> Group {
    let wanted: Vec<&str> = path.iter().map(|segment| segment.name.as_str()).collect();
    let is_member = |id: SymbolId, symbol: &Symbol| {
        !symbol.qualifier.is_empty()
            && outline.path(id).split_last().is_some_and(|(_, above)| above == wanted)
    };
    outline.iter().filter(|&(id, symbol)| is_member(id, symbol)).map(|(id, _)| id).collect()
}

/// Whether a path starts at the top of the file or further inside.
#[derive(Clone, Copy)]
enum Reach {
    Top,
    Inside,
}

/// Compares a path with the names above a symbol, from the last name up.
fn reach(
    text: &Text,
    outline: &Outline,
    id: SymbolId,
    path: &[Segment],
    is_same: impl Fn(&str, &str) -> bool,
) -> Option<Reach> {
    let mut above = Above::new(outline, id);
    let mut segments = path.iter().rev();
    let own = segments.next()?;
    debug_assert!(is_same(&outline.get(id).name, &own.name), "the caller compared the last name");
    above.next();
    for segment in segments {
        let (name, symbol) = above.next()?;
        let is_meant = match (segment.index, symbol) {
            (None, _) | (Some(0), None) => true,
            (Some(_), None) => false,
            (Some(_), Some(symbol)) if means_item(text, outline, symbol) => false,
            (Some(index), Some(symbol)) => rank(outline, symbol).0 == index as usize,
        };
        if !is_same(name, &segment.name) || !is_meant {
            return None;
        }
    }
    Some(if above.is_at_top() { Reach::Top } else { Reach::Inside })
}

/// Whether the value of a symbol is a list, so that an index after its name would mean an item of the list. Items are
/// not symbols, so such a path must not lead to the symbol.
pub(crate) fn means_item(text: &Text, outline: &Outline, id: SymbolId) -> bool {
    let symbol = outline.get(id);
    let after = Range::new(symbol.name_range.end(), symbol.extent.end().max(symbol.name_range.end()));
    let after = text.slice(after).trim_ascii_start();
    let value = after.strip_prefix(b"\"").unwrap_or(after).trim_ascii_start();
    let value = value.strip_prefix(b":").or_else(|| value.strip_prefix(b"=")).map(<[u8]>::trim_ascii_start);
    let holds_list = value.is_some_and(|value| value.starts_with(b"[") || value.starts_with(b"- "));
    holds_list && rank(outline, id).1 == 1
}

/// The result of comparing a path, written as in its language, with a symbol.
struct Reached {
    reach: Reach,
    /// How well the qualifiers in the path fit; `None` if they do not.
    likeness: Option<Likeness>,
}

/// Compares a path, written as in its language, with the names above a symbol.
fn reach_by_spelling(holders: &Holders<'_>, id: SymbolId, spelling: Spelling<'_>) -> Option<Reached> {
    let mut above = Above::new(holders.outline, id);
    let (mut rest, mut likeness) = (spelling, Some(Likeness::Exact));
    let (mut member, mut is_own) = (id, true);
    while !rest.is_empty() {
        let (name, symbol) = above.next()?;
        let (front, qualifier) = rest.in_front_of(name)?;
        rest = front;
        if !qualifier.is_none() {
            likeness = likeness.min(match (is_own, holders.of_member(member, name, qualifier)) {
                (false, Some(likeness)) => likeness,
                _ => symbol.and_then(|symbol| holders.of_symbol(symbol, qualifier)),
            });
        }
        is_own = false;
        member = symbol.unwrap_or(member);
    }
    Some(Reached { reach: if above.is_at_top() { Reach::Top } else { Reach::Inside }, likeness })
}

/// The names of a symbol's path from the last to the first: its own name, its qualifiers, then the same for each
/// parent, and finally the package.
struct Above<'o> {
    outline: &'o Outline,
    symbol: Option<SymbolId>,
    /// How many qualifiers of `symbol` are still to come; `None` before its own name.
    qualifiers: Option<usize>,
    package: usize,
}

impl<'o> Above<'o> {
    fn new(outline: &'o Outline, id: SymbolId) -> Above<'o> {
        Above { outline, symbol: Some(id), qualifiers: None, package: outline.package.len() }
    }

    /// Whether all names up to the top of the file have been returned, with all of its package or none of it.
    fn is_at_top(&self) -> bool {
        let is_in_file = self.symbol.is_some_and(|symbol| {
            let symbol = self.outline.get(symbol);
            self.qualifiers != Some(0) || symbol.parent.is_some()
        });
        !is_in_file && (self.package == self.outline.package.len() || self.package == 0)
    }
}

impl<'o> Iterator for Above<'o> {
    type Item = (&'o str, Option<SymbolId>);

    fn next(&mut self) -> Option<Self::Item> {
        while let Some(id) = self.symbol {
            let symbol = self.outline.get(id);
            match self.qualifiers {
                None => {
                    self.qualifiers = Some(symbol.qualifier.len());
                    return Some((&symbol.name, Some(id)));
                }
                Some(0) => (self.symbol, self.qualifiers) = (symbol.parent, None),
                Some(left) => {
                    self.qualifiers = Some(left - 1);
                    return Some((&symbol.qualifier[left - 1], None));
                }
            }
        }
        self.package = self.package.checked_sub(1)?;
        Some((&self.outline.package[self.package], None))
    }
}

/// All symbols with the path of this symbol, including the symbol itself.
pub(crate) fn twins(outline: &Outline, id: SymbolId) -> impl Iterator<Item = SymbolId> {
    outline.iter().map(|(twin, _)| twin).filter(move |&twin| outline.have_same_path(twin, id))
}

/// The index of a symbol among all symbols with its path, and the number of these symbols.
pub(crate) fn rank(outline: &Outline, id: SymbolId) -> (usize, usize) {
    twins(outline, id).fold((0, 0), |(before, all), twin| (before + usize::from(twin < id), all + 1))
}

fn by_path(outline: &Outline, symbols: Vec<SymbolId>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut known: HashMap<u64, Vec<usize>> = HashMap::new();
    for id in symbols {
        let same_digest = known.entry(outline.path_digest(id)).or_default();
        match same_digest.iter().find(|&&group| outline.have_same_path(groups[group][0], id)) {
            Some(&group) => groups[group].push(id),
            None => {
                same_digest.push(groups.len());
                groups.push(vec![id]);
            }
        }
    }
    groups
}

/// In a path of one name, a class is preferred to its constructor.
fn give_way_to_class(outline: &Outline, groups: &mut Vec<Group>) {
    let is_constructor = |group: &Group| outline.get(group[0]).kind == SymbolKind::Constructor;
    if !groups.iter().all(is_constructor) {
        groups.retain(|group| !is_constructor(group));
    }
}

/// Keeps only the symbol of each group that `[n]` picks.
fn pick_index(groups: &mut Vec<Group>, index: Option<u32>) {
    let Some(index) = index else { return };
    for group in groups.iter_mut() {
        *group = group.get(index as usize).copied().into_iter().collect();
    }
    groups.retain(|group| !group.is_empty());
}

/// The path to a symbol, with an index if other symbols have the same path.
pub(crate) fn path_to(outline: &Outline, id: SymbolId) -> Vec<Segment> {
    path_with_rank(outline, id, rank(outline, id))
}

/// The paths to all symbols that are nested in at most `deepest` other symbols, in the order of the outline.
pub(crate) fn paths(outline: &Outline, deepest: usize) -> Vec<(SymbolId, Vec<Segment>)> {
    let mut depths: Vec<usize> = Vec::with_capacity(outline.symbols().len());
    for symbol in outline.symbols() {
        depths.push(symbol.parent.map_or(0, |parent| depths[parent.index()] + 1));
    }
    let mut ids: Vec<SymbolId> = outline.iter().map(|(id, _)| id).collect();
    let groups = by_path(outline, ids.clone());
    let mut ranks = vec![(0, 1); outline.symbols().len()];
    for group in &groups {
        group.iter().enumerate().for_each(|(rank, id)| ranks[id.index()] = (rank, group.len()));
    }
    ids.retain(|id| depths[id.index()] <= deepest);
    ids.into_iter().map(|id| (id, path_with_rank(outline, id, ranks[id.index()]))).collect()
}

fn path_with_rank(outline: &Outline, id: SymbolId, (rank, n_twins): (usize, usize)) -> Vec<Segment> {
    let names = outline.path(id);
    let mut path: Vec<Segment> =
        names.into_iter().map(|name| Segment { name: name.to_owned(), index: None }).collect();
    if n_twins > 1
        && let Some(last) = path.last_mut()
    {
        last.index = u32::try_from(rank).ok();
    }
    path
}

/// The regions to search for a find in these symbols. For each symbol, they are its declaration, then its comments and
/// decorators, then its members elsewhere in the file. Matches of different regions have different starts.
pub(crate) fn regions(outline: &Outline, group: &[SymbolId]) -> Vec<Region> {
    let elsewhere = members_elsewhere(outline, group);
    let mut regions = Vec::new();
    for id in group {
        let symbol = outline.get(*id);
        regions.extend(own_regions(symbol));
        // Members are sorted by start, so the text after `seen` is in no region of a member yet.
        let mut seen = Offset::ZERO;
        for member in elsewhere.get(id).into_iter().flatten() {
            let extent = member.extent;
            let fresh = Range::new(extent.start().max(seen).min(extent.end()), extent.end());
            let own = own_regions(member).into_iter();
            regions.extend(own.filter_map(|region| region.within(fresh)?.outside(symbol.extent)));
            seen = seen.max(extent.end());
        }
    }
    regions
}

/// For each symbol of the group, the members that are not inside its extent.
fn members_elsewhere<'o>(outline: &'o Outline, group: &[SymbolId]) -> HashMap<SymbolId, Vec<&'o Symbol>> {
    let mut is_in_group = vec![false; outline.symbols().len()];
    group.iter().for_each(|id| is_in_group[id.index()] = true);
    let mut holders: Vec<Option<SymbolId>> = Vec::with_capacity(outline.symbols().len());
    let mut elsewhere: HashMap<SymbolId, Vec<&Symbol>> = HashMap::new();
    for symbol in outline.symbols() {
        // A parent comes before its children, so its holder has been found already.
        let holder = symbol.parent.and_then(|parent| {
            if is_in_group[parent.index()] { Some(parent) } else { holders[parent.index()] }
        });
        holders.push(holder);
        if let Some(holder) = holder.filter(|&holder| !outline.get(holder).extent.covers(symbol.extent)) {
            elsewhere.entry(holder).or_default().push(symbol);
        }
    }
    elsewhere
}

fn own_regions(symbol: &Symbol) -> Vec<Region> {
    let declaration =
        Region { range: symbol.extent, starts: Range::new(symbol.declaration.start(), symbol.extent.end()) };
    let attached = Range::new(symbol.extent.start(), symbol.declaration.start());
    if attached.is_empty() {
        vec![declaration]
    } else {
        vec![declaration, Region { range: symbol.extent, starts: attached }]
    }
}

impl Region {
    /// The region restricted to matches that start in `part`; `None` if nothing is left.
    fn within(self, part: Range) -> Option<Region> {
        let (start, end) = (self.starts.start().max(part.start()), self.starts.end().min(part.end()));
        (start < end).then(|| Region { starts: Range::new(start, end), ..self })
    }

    /// The region restricted to matches that do not start in `other`; `None` if nothing is left. The two may overlap in
    /// broken source.
    fn outside(self, other: Range) -> Option<Region> {
        let before = Range::new(Offset::ZERO, other.start());
        let after = Range::new(other.end(), self.starts.end().max(other.end()));
        self.within(after).or_else(|| self.within(before))
    }
}

/// The innermost symbol around a place or range. If there is none, the innermost symbol that ends there.
pub(crate) fn innermost(outline: &Outline, target: Range) -> Option<SymbolId> {
    let smallest = |holds: &dyn Fn(Range) -> bool| {
        let around = outline.around(target).filter(|(_, symbol)| holds(symbol.extent));
        around.map(|(id, symbol)| (symbol.extent.extent(), id)).min().map(|(_, id)| id)
    };
    smallest(&|extent| extent.contains(target.start())).or_else(|| smallest(&|_| true))
}

/// Of a symbol and its parents, the one whose path has `n_names` names. There may be none: in `void A::f()`, `A` is a
/// name of the path, but need not be a symbol of the file.
pub(crate) fn with_path_length(outline: &Outline, symbol: SymbolId, n_names: usize) -> Option<SymbolId> {
    successors(Some(symbol), |&id| outline.get(id).parent).find(|&id| outline.path(id).len() == n_names)
}
