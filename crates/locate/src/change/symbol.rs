//! Changes to symbols.

use locant_text::{Offset, Range};
use locant_tree::{Outline, SymbolId, SymbolKind};

use super::indentation::{Foreign, indented};
use super::layout::{Layout, is_blank, is_comment, lines_of, n_blanks};
use super::removal::{Removal, separator_after};
use super::{Change, Rewrite, Unchangeable};

/// Changes a symbol. `None` when nothing changes.
pub(super) fn change(
    layout: &Layout<'_>,
    outline: &Outline,
    id: SymbolId,
    change: &Change,
    filler: Option<&str>,
) -> Result<Option<Rewrite>, Unchangeable> {
    let place = Place { layout, outline, id, extent: outline.get(id).extent };
    match change {
        Change::Delete => place.delete(filler).map(Some),
        Change::Replace(text) => match without_blank_ends(text) {
            "" => place.delete(filler).map(Some),
            text => Ok(Some(place.replace(text))),
        },
        Change::Before(text) | Change::After(text) if without_blank_ends(text).is_empty() => Ok(None),
        Change::Before(text) => Ok(Some(place.before(without_blank_ends(text)))),
        Change::After(text) => Ok(Some(place.after(without_blank_ends(text)))),
    }
}

/// The text without the blank lines at its start and end. The file decides how many blank lines are around a symbol.
fn without_blank_ends(text: &str) -> &str {
    let mut text = text;
    while let Some((first, rest)) = text.split_once('\n').filter(|(first, _)| first.trim().is_empty()) {
        debug_assert!(first.len() < text.len());
        text = rest;
    }
    let end = text.trim_end();
    // Blanks at the end of the last line are kept.
    let line = text[end.len()..].split(['\r', '\n']).next().unwrap_or_default();
    if end.is_empty() { "" } else { &text[..end.len() + line.len()] }
}

/// A symbol and the text around it.
struct Place<'p> {
    layout: &'p Layout<'p>,
    outline: &'p Outline,
    id: SymbolId,
    extent: Range,
}

impl Place<'_> {
    fn first(&self) -> u32 {
        self.layout.text.line_of(self.extent.start())
    }

    fn last(&self) -> u32 {
        self.layout.text.line_of(self.extent.end())
    }

    fn delete(&self, filler: Option<&str>) -> Result<Rewrite, Unchangeable> {
        if let Some(other) = self.declared_together() {
            return Err(Unchangeable::DeclaredTogether(other));
        }
        let filler = filler.filter(|_| self.outline.get(self.id).kind != SymbolKind::Key);
        Ok(Removal { layout: self.layout, extent: self.extent, sibling: self.sibling_above() }
            .rewrite(filler))
    }

    /// The name of another symbol of the same declaration, as in `int a, b;`.
    fn declared_together(&self) -> Option<String> {
        let mut others = self.outline.iter().filter(|(id, _)| *id != self.id && !self.is_inside(*id));
        let together = others.find(|(_, other)| other.extent == self.extent);
        together.map(|(_, other)| other.name.clone())
    }

    /// Whether one of the two symbols is inside the other, or they are the same.
    fn is_inside(&self, other: SymbolId) -> bool {
        let above = |id: SymbolId| std::iter::successors(Some(id), |id| self.outline.get(*id).parent);
        above(other).any(|id| id == self.id) || above(self.id).any(|id| id == other)
    }

    /// The symbols of the same block, in the order of the text.
    fn siblings(&self) -> Vec<Range> {
        let symbol = self.outline.get(self.id);
        let parent = symbol.parent.map(|parent| self.outline.get(parent).extent);
        // The members of a type may be in several blocks, or outside of the type. Only members in the same block count.
        let is_within = |extent: Range| parent.is_some_and(|parent| parent.covers(extent));
        let is_near = |id: SymbolId| {
            let other = self.outline.get(id);
            let is_same =
                other.within == symbol.within && is_within(other.extent) == is_within(symbol.extent);
            is_same.then_some(other.extent)
        };
        let mut siblings: Vec<Range> = self.outline.children(symbol.parent).filter_map(is_near).collect();
        siblings.sort_by_key(|extent| (extent.start(), extent.end()));
        siblings.dedup();
        siblings
    }

    fn sibling_above(&self) -> Option<Range> {
        self.siblings().into_iter().rfind(|extent| extent.end() <= self.extent.start())
    }

    fn sibling_below(&self) -> Option<Range> {
        self.siblings().into_iter().find(|extent| self.extent.end() <= extent.start())
    }

    /// Replaces the symbol. The indentation before the symbol stays, so the first line of the new text has none.
    fn replace(&self, text: &str) -> Rewrite {
        let text = self.without_repeated_end(text);
        let is_alone = self.layout.starts_line(self.extent.start());
        let target = self.layout.indent(self.first());
        let mut lines = indented(&lines_of(text, false), &target, self.layout.style(), Foreign::Shifted);
        if let Some(first) = lines.iter_mut().find(|line| !line.trim().is_empty()) {
            *first = if is_alone {
                first[target.len().min(first.len())..].to_owned()
            } else {
                first.trim_start().to_owned()
            };
        }
        Rewrite::new(self.extent, lines.join(self.layout.line_break(self.first())))
    }

    /// The text without the `,` or `;` at its end, if the same mark already follows the symbol.
    fn without_repeated_end<'t>(&self, text: &'t str) -> &'t str {
        let next = self.layout.bytes(self.layout.rest(self.extent.end())).trim_ascii_start().first();
        let shown = text.trim_end();
        match (shown.as_bytes().last(), next) {
            (Some(end @ (b',' | b';')), Some(next)) if end == next => &shown[..shown.len() - 1],
            _ => text,
        }
    }

    fn before(&self, text: &str) -> Rewrite {
        let (layout, line) = (self.layout, self.first());
        let line_break = layout.line_break(line);
        let target = self.member_indent();
        let is_in_list = self.separator().is_some();
        let new = self.new_lines(text, is_in_list);
        let gap = line_break.repeat(1 + self.n_blank_lines(text, Side::Above));
        if layout.starts_line(self.extent.start()) {
            return Rewrite::insert(layout.start(line), format!("{new}{gap}"));
        }
        let start = self.extent.start();
        let before = layout.bytes(Range::new(layout.start(line), start));
        let n_kept = before.trim_ascii_end().len();
        let blanks = Range::new(Offset::of_index(layout.start(line).index() + n_kept), start);
        Rewrite::new(blanks, format!("{line_break}{new}{gap}{target}"))
    }

    fn after(&self, text: &str) -> Rewrite {
        let (layout, line) = (self.layout, self.last());
        let line_break = layout.line_break(line);
        let gap = line_break.repeat(1 + self.n_blank_lines(text, Side::Below));
        let own = separator_after(layout, self.extent.end());
        let in_list = self.separator();
        let Some(tail) = self.tail() else { return self.after_in_line(text) };
        match (in_list, own) {
            // The symbol is the last in its list and has no separator. It gets one, and the new symbol has none.
            (Some(separator), None) => {
                let tail_text = String::from_utf8_lossy(layout.bytes(tail)).into_owned();
                let new = self.new_lines(self.without_end(text, separator), false);
                if tail_text.trim().is_empty() || is_comment(tail_text.as_bytes()) {
                    let range = Range::new(self.extent.end(), tail.end());
                    Rewrite::new(range, format!("{}{tail_text}{gap}{new}", spaced(separator)))
                } else {
                    Rewrite::insert(self.extent.end(), format!("{}{gap}{new}", spaced(separator)))
                }
            }
            (Some(_), Some((_, end))) if end > tail.end() => {
                // The separator is on a line below.
                let line_of_end = layout.content(layout.text.line_of(end)).end();
                Rewrite::insert(line_of_end, format!("{gap}{}", self.new_lines(text, true)))
            }
            (in_list, _) => {
                Rewrite::insert(tail.end(), format!("{gap}{}", self.new_lines(text, in_list.is_some())))
            }
        }
    }

    /// Inserts the text after the symbol although other code follows on its line. This code is moved to a new line
    /// below.
    fn after_in_line(&self, text: &str) -> Rewrite {
        let (layout, line) = (self.layout, self.last());
        let own = separator_after(layout, self.extent.end());
        let end = own.map_or(self.extent.end(), |(_, end)| end);
        let rest = layout.bytes(layout.rest(end));
        let blanks = Range::of_indices(end.index()..end.index() + n_blanks(rest));
        let comma = self.separator().filter(|_| own.is_none()).map(spaced).unwrap_or_default();
        let outer = layout.indent(line);
        let inner = self.member_indent();
        let closes = rest.trim_ascii_start().first().is_some_and(|byte| matches!(byte, b'}' | b')' | b']'));
        let target = if closes { outer.as_ref() } else { &inner };
        let line_break = layout.line_break(line);
        let new = self.new_lines(text, own.is_some());
        Rewrite::new(blanks, format!("{comma}{line_break}{new}{line_break}{target}"))
    }

    /// The indentation of the symbol's line. If the symbol follows the name of its parent on that line, the indentation
    /// that it would have on a line of its own.
    fn member_indent(&self) -> String {
        let layout = self.layout;
        let own = layout.indent(self.first());
        // The extent of the parent may start with comments and attributes on lines above.
        let parent =
            self.outline.get(self.id).parent.map(|parent| self.outline.get(parent).name_range.start());
        let is_on_line = |name: Offset| layout.text.line_of(name) == self.first();
        let is_inner = !layout.starts_line(self.extent.start()) && parent.is_some_and(is_on_line);
        let unit = if own.starts_with('\t') { "\t".to_owned() } else { " ".repeat(layout.style().unit) };
        if is_inner { format!("{own}{unit}") } else { own.into_owned() }
    }

    /// What follows the symbol on its line: a separator, a comment, or nothing. `None` if anything else follows.
    fn tail(&self) -> Option<Range> {
        let rest = self.layout.rest(self.extent.end());
        let bytes = self.layout.bytes(rest).trim_ascii();
        let bare = bytes.strip_prefix(b",").or_else(|| bytes.strip_prefix(b";")).unwrap_or(bytes);
        let bare = if bare.starts_with(b"||") { bare } else { bare.strip_prefix(b"|").unwrap_or(bare) };
        is_comment(bare).then_some(rest)
    }

    /// What separates this symbol from its siblings, if anything does: `,` in a list of keys, `|` between processes.
    fn separator(&self) -> Option<char> {
        let all = self.siblings();
        let near = [Some(self.extent), self.sibling_above(), self.sibling_below()];
        let found = near.into_iter().flatten().find_map(|extent| separator_after(self.layout, extent.end()));
        // The only symbol of a list may have a separator before it.
        let alone =
            || super::removal::separator_before(self.layout, self.extent.start()).filter(|_| all.len() == 1);
        found.map(|(separator, _)| separator).or_else(|| alone().map(|(separator, _)| separator))
    }

    fn without_end<'t>(&self, text: &'t str, separator: char) -> &'t str {
        text.trim_end().strip_suffix(separator).unwrap_or(text)
    }

    /// The given lines, indented like the symbol, without a line break at the end. If `is_separated`, they end with the
    /// separator of the list.
    fn new_lines(&self, text: &str, is_separated: bool) -> String {
        let text = match self.separator() {
            Some(separator) if is_separated && !text.trim_end().ends_with(separator) => {
                format!("{}{}", text.trim_end(), spaced(separator))
            }
            _ => text.to_owned(),
        };
        let target = self.member_indent();
        let lines = indented(&lines_of(&text, false), &target, self.layout.style(), Foreign::Shifted);
        lines.join(self.layout.line_break(self.first()))
    }

    /// How many blank lines to put between the symbol and a new one. It follows from the blank lines between the symbol
    /// and its neighbours.
    fn n_blank_lines(&self, text: &str, side: Side) -> usize {
        let above = self.sibling_above().and_then(|above| self.gap(above.end(), self.extent.start()));
        let below = self.sibling_below().and_then(|below| self.gap(self.extent.end(), below.start()));
        let (near, far) = match side {
            Side::Above => (above, below),
            Side::Below => (below, above),
        };
        let is_line = lines_of(text, false).len() == 1 && self.first() == self.last();
        let known: Vec<usize> = near.into_iter().chain(far).collect();
        let chosen = if is_line { known.iter().min() } else { known.iter().max() };
        chosen.copied().unwrap_or_else(|| self.usual_gap(is_line))
    }

    /// How many blank lines are between two symbols. `None` if they share a line, or if other lines are between them.
    fn gap(&self, end: Offset, start: Offset) -> Option<usize> {
        let between = self.layout.bytes(Range::new(end, start));
        let layout = self.layout;
        let (first, last) = (layout.text.line_of(end), layout.text.line_of(start));
        let blank = (first + 1..last).filter(|line| layout.is_blank(*line)).count();
        let is_apart = first < last && (is_blank(between) || blank + 1 == (last - first) as usize);
        is_apart.then_some(blank)
    }

    /// The usual number of blank lines between symbols of the file: the median. If this symbol is at the top of the
    /// file, only such symbols count, else only members. `is_line` says whether symbols of one line count, or all
    /// others.
    fn usual_gap(&self, is_line: bool) -> usize {
        let is_top = self.outline.get(self.id).parent.is_none();
        let is_near = |id: &SymbolId| self.outline.get(*id).parent.is_none() == is_top;
        let mut extents: Vec<Range> = self
            .outline
            .iter()
            .filter(|(id, _)| is_near(id))
            .map(|(_, symbol)| symbol.extent)
            .filter(|extent| {
                is_line
                    == (self.layout.text.line_of(extent.start()) == self.layout.text.line_of(extent.end()))
            })
            .collect();
        extents.sort_by_key(|extent| extent.start());
        let pairs = extents.windows(2).filter(|pair| pair[0].end() <= pair[1].start());
        let mut gaps: Vec<usize> =
            pairs.filter_map(|pair| self.gap(pair[0].end(), pair[1].start())).collect();
        gaps.sort_unstable();
        let usual = gaps.get(gaps.len() / 2).copied();
        usual.unwrap_or(usize::from(!is_line && self.outline.get(self.id).kind != SymbolKind::Key))
    }
}

/// The side of a symbol on which a text goes.
#[derive(Clone, Copy)]
enum Side {
    Above,
    Below,
}

/// A separator as it is written after a symbol: `,` directly, `|` after a blank.
fn spaced(separator: char) -> String {
    if separator == '|' { " |".to_owned() } else { separator.to_string() }
}
