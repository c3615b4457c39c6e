//! Changes to whole lines.

use locant_text::Range;

use super::indentation::{Foreign, indented};
use super::layout::{Layout, lines_of};
use super::{Change, Rewrite};

/// Changes lines. `None` when nothing changes.
pub(super) fn change(layout: &Layout<'_>, first: u32, last: u32, change: &Change) -> Option<Rewrite> {
    match change {
        Change::Delete => delete(layout, first, last),
        Change::Replace(text) if lines_of(text, false).is_empty() => delete(layout, first, last),
        Change::Replace(text) => {
            let shown = (first..=last).find(|line| !layout.is_blank(*line)).unwrap_or(first);
            let new = written(layout, text, &layout.indent(shown), first);
            // The new text ends with a line break only if the old lines did.
            let ends = layout.has_break(last) || is_after_last_break(layout, last);
            let end = if ends { layout.line_break(first) } else { "" };
            Some(Rewrite::new(Range::new(layout.start(first), layout.end(last)), new + end))
        }
        Change::Before(text) | Change::After(text) if lines_of(text, false).is_empty() => None,
        Change::Before(text) => {
            let new = written(layout, text, &layout.indent(first), first);
            Some(Rewrite::insert(layout.start(first), new + layout.line_break(first)))
        }
        Change::After(text) => {
            let new = written(layout, text, &indent_after(layout, last), last);
            let line_break = layout.line_break(last);
            let is_ended = layout.has_break(last) || is_after_last_break(layout, last);
            let new = if is_ended { new + line_break } else { format!("{line_break}{new}") };
            Some(Rewrite::insert(layout.end(last), new))
        }
    }
}

/// Removes lines.
pub(super) fn delete(layout: &Layout<'_>, first: u32, last: u32) -> Option<Rewrite> {
    if first == last && is_after_last_break(layout, first) {
        return None;
    }
    Some(Rewrite::new(range_of(layout, first, last), String::new()))
}

/// The range to remove so that these lines are gone. If the file ends with them, without a line break, the line break
/// before them is removed instead.
pub(super) fn range_of(layout: &Layout<'_>, first: u32, last: u32) -> Range {
    let end = layout.end(last);
    let is_unended = !layout.has_break(last) && !is_after_last_break(layout, last);
    let start = if first > 1 && is_unended { layout.content(first - 1).end() } else { layout.start(first) };
    Range::new(start, end)
}

/// Whether a line is the empty line after the last line break, or the only line of an empty file.
fn is_after_last_break(layout: &Layout<'_>, line: u32) -> bool {
    line == layout.text.n_lines() && layout.content(line).is_empty()
}

/// The indentation of a new line after this one. If the next line is deeper, this line opens a block, and the new line
/// is put into the block.
fn indent_after(layout: &Layout<'_>, line: u32) -> String {
    let own = layout.indent(line).into_owned();
    let next = layout.below(line).filter(|_| !layout.is_blank(line)).map(|next| layout.indent(next));
    match next {
        Some(next) if next.len() > own.len() && next.starts_with(&own) => next.into_owned(),
        _ => own,
    }
}

/// The given lines with this indentation and the line breaks of the file, without a line break at the end.
fn written(layout: &Layout<'_>, text: &str, indent: &str, near: u32) -> String {
    let lines = indented(&lines_of(text, false), indent, layout.style(), Foreign::Kept);
    lines.join(layout.line_break(near))
}
