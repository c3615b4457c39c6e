//! Removes a symbol so that the rest still reads well: the separator of the symbol is removed too, and blank lines that
//! were around it do not add up.

use locant_text::{Offset, Range};

use super::Rewrite;
use super::layout::{Layout, is_comment, n_blanks};
use super::whole_lines;

/// A symbol that is removed.
pub(super) struct Removal<'r> {
    pub(super) layout: &'r Layout<'r>,
    pub(super) extent: Range,
    /// The symbol before it in the same list.
    pub(super) sibling: Option<Range>,
}

impl Removal<'_> {
    /// The rewrite that removes the symbol. If its block is left empty, the block gets `filler`.
    pub(super) fn rewrite(&self, filler: Option<&str>) -> Rewrite {
        let (layout, extent) = (self.layout, self.extent);
        if let Some((_, end)) = separator_after(layout, extent.end()) {
            return self.of_stretch(Range::new(extent.start(), end), filler);
        }
        if let Some((_, start)) = separator_before(layout, extent.start()) {
            return self.of_stretch(Range::new(start, extent.end()), filler);
        }
        // A comment may be between the separator and the symbol. It belongs to the symbol before, so it is kept.
        let above = self.sibling.and_then(|above| separator_after(layout, above.end()));
        if let Some((separator, end)) = above.filter(|(_, end)| *end <= extent.start()) {
            let between = Range::new(end, layout.start(layout.text.line_of(extent.start())).max(end));
            let kept = String::from_utf8_lossy(layout.bytes(between)).trim_end().to_owned();
            let range = Range::new(
                Offset::of_index(end.index() - separator.len_utf8()),
                self.end_of_line(extent.end()),
            );
            return Rewrite::new(range, kept);
        }
        self.of_stretch(extent, filler)
    }

    /// The end of the line if only a comment follows `end`, since this comment is removed too. Otherwise `end` itself.
    fn end_of_line(&self, end: Offset) -> Offset {
        let rest = self.layout.rest(end);
        if is_comment(self.layout.bytes(rest)) { rest.end() } else { end }
    }

    fn of_stretch(&self, stretch: Range, filler: Option<&str>) -> Rewrite {
        let layout = self.layout;
        let (first, last) = (layout.text.line_of(stretch.start()), layout.text.line_of(stretch.end()));
        let starts_line = layout.starts_line(stretch.start());
        let is_last = is_comment(layout.bytes(layout.rest(stretch.end())));
        match (starts_line, is_last) {
            (true, true) => self.of_lines(first, last, filler),
            // Code follows on the line. The blanks between the symbol and this code are removed too.
            (_, false) => {
                let rest = layout.rest(stretch.end());
                let n_after = n_blanks(layout.bytes(rest));
                let end = Offset::of_index(stretch.end().index() + n_after);
                Rewrite::new(Range::new(stretch.start(), end), String::new())
            }
            (false, true) => {
                let before = Range::new(layout.start(first), stretch.start());
                let kept = layout.bytes(before).trim_ascii_end().len();
                let start = Offset::of_index(before.start().index() + kept);
                Rewrite::new(Range::new(start, self.end_of_line(stretch.end())), String::new())
            }
        }
    }

    /// Removes whole lines, and blank lines next to them.
    fn of_lines(&self, first: u32, last: u32, filler: Option<&str>) -> Rewrite {
        let layout = self.layout;
        let own = layout.indent(first);
        let is_deep = |line: u32| layout.indent(line).len() >= own.len();
        let (above, below) = (layout.above(first), layout.below(last));
        let is_first = above.is_none_or(|line| !is_deep(line));
        let is_last = below.is_none_or(|line| !is_deep(line));
        let opens = |line: u32| layout.bytes(layout.content(line)).trim_ascii_end().ends_with(b":");
        let is_emptied = is_first && is_last && above.is_some_and(|line| opens(line) && !is_deep(line));
        if let Some(filler) = filler.filter(|_| is_emptied) {
            let core = Range::new(layout.start(first), layout.content(last).end());
            return Rewrite::new(core, format!("{own}{filler}"));
        }
        let core = whole_lines::range_of(layout, first, last);
        let n_above = first - above.map_or(1, |line| line + 1);
        let n_below = below.map_or(layout.text.n_lines(), |line| line - 1).saturating_sub(last);
        let (from, to) = match (is_first, is_last) {
            (_, true) => (first - n_above, last),
            (true, false) => (first, last + n_below),
            (false, false) => (first, last + n_below.min(n_above)),
        };
        Rewrite { range: whole_lines::range_of(layout, from, to).cover(core), core, text: String::new() }
    }
}

/// The separator after a place, and where it ends. Only blanks and line breaks may be between the two.
pub(super) fn separator_after(layout: &Layout<'_>, place: Offset) -> Option<(char, Offset)> {
    let rest = layout.bytes(Range::new(place, layout.text.end()));
    let at = rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
    let separator = separator(&rest[at..])?;
    Some((separator, Offset::of_index(place.index() + at + 1)))
}

/// The separator before a place, and where it starts. Only blanks and line breaks may be between the two.
pub(super) fn separator_before(layout: &Layout<'_>, place: Offset) -> Option<(char, Offset)> {
    let before = layout.bytes(Range::new(layout.text.start(), place)).trim_ascii_end();
    let (&last, rest) = before.split_last()?;
    let is_double = rest.last() == Some(&last);
    let separator = separator(&[last]).filter(|_| !is_double)?;
    Some((separator, Offset::of_index(layout.text.start().index() + rest.len())))
}

fn separator(bytes: &[u8]) -> Option<char> {
    match bytes {
        [b',', ..] => Some(','),
        [b'|', b'|' | b'>' | b'=', ..] => None,
        [b'|', ..] => Some('|'),
        _ => None,
    }
}
