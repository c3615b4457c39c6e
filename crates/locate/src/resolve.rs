//! Resolves a location: finds the place that it means.

use locant_text::{Encoding, Extent, Offset, Position, Range, Text};
use locant_tree::{Outline, SymbolId};

use crate::answer::{Candidate, Diagnosis, Document, Found, Resolution, Wanted};
use crate::check;
use crate::diagnosis;
use crate::hint::{Hint, Reason};
use crate::hits::{Hit, Hits, MOST_CANDIDATES};
use crate::location::{InvalidLocation, Location, Scope, Segment, find_after_coordinate};
use crate::mark::{Marked, Marks};
use crate::scope::{check_coordinate, line_scope};
use crate::symbols::{self, Group, Named, Region};
use crate::tokens;

/// Whether to explain why there is no single answer. The search for similar places takes longer than everything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Diagnose {
    Yes,
    /// Leave diagnoses empty.
    No,
}

/// Finds the place that a location means in a document.
///
/// The path in the location is ignored. The caller has used it to read the document.
pub fn resolve(document: &dyn Document, location: &Location, wanted: Wanted) -> Resolution {
    resolve_with(document, location, wanted, Diagnose::Yes)
}

/// Resolves a location like [`resolve`], but leaves diagnoses empty.
pub(crate) fn resolve_quietly(document: &dyn Document, location: &Location, wanted: Wanted) -> Resolution {
    resolve_with(document, location, wanted, Diagnose::No)
}

fn resolve_with(
    document: &dyn Document,
    location: &Location,
    wanted: Wanted,
    diagnose: Diagnose,
) -> Resolution {
    match check::take(document, location) {
        Some((plain, check)) => check::resolve_checked(document, &plain, check, wanted, diagnose),
        None => resolve_unchecked(document, location, wanted, diagnose),
    }
}

/// Resolves a location like [`resolve`], but treats a check at the end of the find as text to find.
pub(crate) fn resolve_unchecked(
    document: &dyn Document,
    location: &Location,
    wanted: Wanted,
    diagnose: Diagnose,
) -> Resolution {
    let find = location.find.as_deref().filter(|find| !find.is_empty());
    let question = Question { document, find, index: location.find_index, wanted, diagnose };
    let answer = match (&location.scope, find) {
        (None, None) => Err(Resolution::Invalid(nothing_to_find(&location.path))),
        (None, Some(find)) => question.in_file(find),
        (Some(Scope::Coordinate { .. }), Some(_)) => Err(Resolution::Invalid(find_after_coordinate())),
        (Some(Scope::Coordinate { start, end }), None) => question.coordinate(*start, *end),
        (Some(Scope::Lines { first, last }), _) => question.lines(*first, *last),
        (Some(Scope::Marked(marked)), _) => question.marked(marked),
        (Some(scope @ Scope::Symbol(path)), _) if path.first().is_some_and(|first| first.index.is_some()) => {
            question.descriptor(scope).unwrap_or_else(|| question.symbol(path))
        }
        (Some(Scope::Symbol(path)), _) => question.symbol(path),
        (Some(scope @ Scope::Descriptor(_)), _) => {
            question.descriptor(scope).unwrap_or_else(|| question.in_brackets(scope))
        }
    };
    match answer {
        Ok(found) => Resolution::Found(found),
        Err(resolution) => resolution,
    }
}

/// The parts of a location, except its scope, and the document to search.
struct Question<'q> {
    document: &'q dyn Document,
    find: Option<&'q str>,
    index: usize,
    wanted: Wanted,
    diagnose: Diagnose,
}

impl Question<'_> {
    fn text(&self) -> &Text {
        self.document.text()
    }

    fn not_found(&self, diagnosis: impl FnOnce() -> Diagnosis) -> Resolution {
        Resolution::NotFound(self.diagnosed(diagnosis))
    }

    fn diagnosed(&self, diagnosis: impl FnOnce() -> Diagnosis) -> Diagnosis {
        match self.diagnose {
            Diagnose::Yes => diagnosis(),
            Diagnose::No => Diagnosis::default(),
        }
    }

    fn in_file(&self, find: &str) -> Result<Found, Resolution> {
        let everywhere = Region { range: self.text().range(), starts: self.text().range() };
        let hits = Hits::search(self.text(), &[everywhere], find, self.index);
        self.pick(&hits, None).ok_or_else(|| {
            self.not_found(|| diagnosis::no_match(self.document, &hits, find, &diagnosis::Where::File))
        })
    }

    fn coordinate(&self, start: Position, end: Option<Position>) -> Result<Found, Resolution> {
        check_coordinate(start, end).map_err(Resolution::Invalid)?;
        let offset = |position| {
            let offset = self.text().offset(position, Encoding::Utf16);
            offset.ok_or_else(|| Resolution::NotFound(diagnosis::no_coordinate(self.document, position)))
        };
        let from = offset(start)?;
        let range = Range::new(from, end.map_or(Ok(from), offset)?);
        self.only(from, range, None)
    }

    fn lines(&self, first: u32, last: Option<u32>) -> Result<Found, Resolution> {
        line_scope(first, last.unwrap_or(0)).map_err(Resolution::Invalid)?;
        let text = self.text();
        let last = last.unwrap_or(text.n_lines().max(first));
        let (Some(content), Some(end)) = (text.line_content(first), text.line_with_break(last)) else {
            return Err(Resolution::NotFound(diagnosis::no_line(self.document, first.max(last))));
        };
        let lines = Range::new(content.start(), end.end());
        let Some(find) = self.find else {
            return self.only(first_non_blank(text, content), lines, None);
        };
        let hits = Hits::search(text, &[Region { range: lines, starts: lines }], find, self.index);
        self.pick(&hits, None).ok_or_else(|| {
            let place = diagnosis::Where::Lines { first, last, range: lines };
            self.not_found(|| diagnosis::no_match(self.document, &hits, find, &place))
        })
    }

    /// The place in marked lines, wherever they are now.
    fn marked(&self, marked: &Marked) -> Result<Found, Resolution> {
        match Marks::new(self.text()).find(marked) {
            Ok(lines) => self.lines(lines.first, Some(lines.last)),
            Err(why) => Err(self.not_found(|| diagnosis::unmarked(self.document, marked, &why))),
        }
    }

    fn symbol(&self, path: &[Segment]) -> Result<Found, Resolution> {
        let Some(outline) = self.document.outline() else {
            return Err(Resolution::Unsupported(diagnosis::no_language(self.document)));
        };
        match (symbols::named(self.text(), outline, path), self.find) {
            (Named::One(group), _) => self.in_group(outline, path, group),
            (Named::Unread(group), _) => {
                let found = self.in_group(outline, path, group)?;
                Ok(Found { has_unread_parameters: true, ..found })
            }
            (Named::Others(others), _) => Err(self.not_found(|| {
                self.inside(outline, diagnosis::none_fits(self.document, outline, path, &others))
            })),
            (Named::Several(groups), Some(find)) => self.in_groups(outline, path, find, &groups),
            (Named::Several(groups), None) => Err(Resolution::Ambiguous(
                self.diagnosed(|| diagnosis::several_symbols(self.document, outline, path, &groups)),
            )),
            (Named::Nothing, _) => self.without_symbol(outline, path),
        }
    }

    /// The place in a group of symbols that have the same path.
    fn in_group(&self, outline: &Outline, path: &[Segment], group: Group) -> Result<Found, Resolution> {
        match self.find {
            None => self.declaration(outline, path, &group),
            Some(find) => self.in_groups(outline, path, find, &[group]),
        }
    }

    /// The answer for a path that no symbol has. If other paths start with it and there is a find, their symbols are
    /// searched.
    fn without_symbol(&self, outline: &Outline, path: &[Segment]) -> Result<Found, Resolution> {
        let miscounted = diagnosis::item_of_list(self.document, outline, path)
            .or_else(|| diagnosis::index_past_twins(self.document, outline, path));
        if let Some(diagnosis) = miscounted {
            return Err(Resolution::NotFound(diagnosis));
        }
        let members = symbols::members(outline, path);
        match self.find {
            Some(find) if !members.is_empty() => self.in_groups(outline, path, find, &[members]),
            _ => Err(self.not_found(|| {
                self.inside(outline, diagnosis::no_symbol(self.document, outline, path, &members))
            })),
        }
    }

    /// In files without descriptors, reads two numbers in brackets as a coordinate. Maven prints coordinates as
    /// `[171,24]`.
    fn in_brackets(&self, scope: &Scope) -> Result<Found, Resolution> {
        let Scope::Descriptor(numbers) = scope else { return Err(no_descriptors(self.document)) };
        let number =
            |at: usize| numbers.get(at).and_then(|&number| u32::try_from(number).ok()).filter(|&n| n > 0);
        match (numbers.len(), number(0), number(1), self.find) {
            (2, Some(line), Some(character), None) => self.coordinate(Position { line, character }, None),
            _ => Err(no_descriptors(self.document)),
        }
    }

    /// The place that a descriptor path leads to; `None` if the scope is not a descriptor path in this file.
    fn descriptor(&self, scope: &Scope) -> Option<Result<Found, Resolution>> {
        let spans = match self.document.descriptor_spans(scope)? {
            Ok(spans) => spans,
            Err(diagnosis) => return Some(Err(Resolution::NotFound(diagnosis))),
        };
        if let Some(find) = self.find {
            let regions: Vec<Region> = spans.iter().map(|&range| Region { range, starts: range }).collect();
            let hits = Hits::search(self.text(), &regions, find, self.index);
            return Some(self.pick(&hits, None).ok_or_else(|| {
                self.not_found(|| diagnosis::no_match(self.document, &hits, find, &diagnosis::Where::File))
            }));
        }
        let Some(&range) = spans.get(self.index) else {
            let place = spans.first().map_or(self.text().start(), |span| span.start());
            return Some(Err(Resolution::NotFound(diagnosis::index_past_only(self.index, place))));
        };
        let others = spans.iter().enumerate().filter(|(index, _)| *index != self.index).take(MOST_CANDIDATES);
        Some(Ok(Found {
            offset: range.start(),
            range,
            matches: spans.len(),
            partial: false,
            has_unread_parameters: false,
            symbol: None,
            others: others.map(|(_, span)| Candidate::twin(span.start())).collect(),
        }))
    }

    /// The declaration of the symbol that the index picks from a group.
    fn declaration(&self, outline: &Outline, path: &[Segment], group: &Group) -> Result<Found, Resolution> {
        let Some(&id) = group.get(self.index) else {
            return Err(Resolution::NotFound(diagnosis::index_past_symbols(
                self.document,
                outline,
                path,
                group,
            )));
        };
        let symbol = outline.get(id);
        let others = group.iter().filter(|&&other| other != id).take(MOST_CANDIDATES);
        Ok(Found {
            offset: symbol.name_range.start(),
            range: symbol.extent,
            matches: group.len(),
            partial: false,
            has_unread_parameters: false,
            symbol: Some(id),
            others: others.map(|&other| Candidate::twin(outline.get(other).name_range.start())).collect(),
        })
    }

    /// Searches for the find in each group of symbols. It must match in exactly one group.
    fn in_groups(
        &self,
        outline: &Outline,
        path: &[Segment],
        find: &str,
        groups: &[Group],
    ) -> Result<Found, Resolution> {
        let search = |group| Hits::search(self.text(), &symbols::regions(outline, group), find, self.index);
        let mut all: Vec<(&Group, Hits)> = groups.iter().map(|group| (group, search(group))).collect();
        // Matches that cut a word count only if there are no others.
        if all.iter().any(|(_, hits)| hits.n_whole() > 0) {
            all.retain(|(_, hits)| hits.n_whole() > 0);
        } else if all.iter().any(|(_, hits)| hits.n_matches() > 0) {
            all.retain(|(_, hits)| hits.n_matches() > 0);
        }
        match all.as_slice() {
            [(group, hits)] => self.pick(hits, Some(group[0])).ok_or_else(|| {
                let place = diagnosis::Where::Symbol { outline, path, group };
                self.not_found(|| diagnosis::no_match(self.document, hits, find, &place))
            }),
            _ => {
                let groups: Vec<Group> = all.iter().map(|(group, _)| (*group).clone()).collect();
                let mut diagnosis = diagnosis::several_symbols(self.document, outline, path, &groups);
                for (candidate, (_, hits)) in diagnosis.candidates.iter_mut().zip(&all) {
                    candidate.offset = hits.picked.as_ref().map_or(candidate.offset, |hit| self.offset(hit));
                }
                let is_nowhere = all.iter().all(|(_, hits)| hits.n_matches() == 0);
                Err(Resolution::Ambiguous(if is_nowhere { diagnosis.and_no_match(find) } else { diagnosis }))
            }
        }
    }

    /// Moves each candidate that is a symbol to the match of the find inside it. Candidates with a match come first.
    fn inside(&self, outline: &Outline, diagnosis: Diagnosis) -> Diagnosis {
        let Some(find) = self.find else { return diagnosis };
        let place_inside = |candidate: &Candidate| {
            let (id, _) = outline.iter().find(|(_, symbol)| symbol.name_range.start() == candidate.offset)?;
            let hits = Hits::search(self.text(), &symbols::regions(outline, &[id]), find, self.index);
            hits.picked.as_ref().map(|hit| self.offset(hit))
        };
        let (mut candidates, mut others) = (Vec::new(), Vec::new());
        for candidate in diagnosis.candidates {
            match place_inside(&candidate) {
                Some(offset) => candidates.push(Candidate { offset, ..candidate }),
                None => others.push(candidate),
            }
        }
        candidates.append(&mut others);
        Diagnosis { candidates, ..diagnosis }
    }

    /// The match that the index picks, as an answer.
    fn pick(&self, hits: &Hits, symbol: Option<SymbolId>) -> Option<Found> {
        let hit = hits.picked.as_ref()?;
        let others = hits.others().take(MOST_CANDIDATES);
        Some(Found {
            offset: self.offset(hit),
            range: hit.range,
            matches: hits.n_matches(),
            partial: hit.partial,
            has_unread_parameters: false,
            symbol,
            others: others.map(|other| Candidate::twin(self.offset(other))).collect(),
        })
    }

    fn offset(&self, hit: &Hit) -> Offset {
        match self.wanted {
            Wanted::Position => hit.place,
            Wanted::Range => hit.range.start(),
        }
    }

    /// The answer for a location that can mean only one place. Fails if the index is not 0.
    fn only(&self, offset: Offset, range: Range, symbol: Option<SymbolId>) -> Result<Found, Resolution> {
        match self.index {
            0 => Ok(Found {
                offset,
                range,
                matches: 1,
                partial: false,
                has_unread_parameters: false,
                symbol,
                others: Vec::new(),
            }),
            index => Err(Resolution::NotFound(diagnosis::index_past_only(index, offset))),
        }
    }
}

impl Candidate {
    fn twin(offset: Offset) -> Candidate {
        Candidate { offset, reason: Reason::MatchesAsWell }
    }
}

/// The first character of a line that is not a blank; the start of the line if it has only blanks.
fn first_non_blank(text: &Text, content: Range) -> Offset {
    let line = text.slice(content);
    match tokens::blanks_after(line, 0) {
        blanks if blanks == line.len() => content.start(),
        blanks => content.start() + Extent::of_len(blanks),
    }
}

fn nothing_to_find(path: &str) -> InvalidLocation {
    InvalidLocation {
        message: "the location names a file, but neither a scope nor a text to find in it".to_owned(),
        hint: format!("write {path}:Symbol, {path}:42 or {path}@text"),
    }
}

fn no_descriptors(document: &dyn Document) -> Resolution {
    Resolution::Unsupported(Diagnosis {
        message: format!("`{}` is no .proto file, so no descriptor path leads into it", document.path()),
        hints: vec![Hint::UseOtherScope],
        candidates: Vec::new(),
    })
}
