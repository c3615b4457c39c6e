//! Texts of other languages inside a text: scripts and styles of a page, code fences of a document.
//!
//! The inner text is read as if it were a file, and its symbols join the outline around it. Nothing is set up for a
//! language that does not occur.

use locant_text::Range;
use locant_tree::{Outline, Symbol};

use crate::attach::line_start;
use crate::language::{BYTE_ORDER_MARK, Language, for_word};
use crate::node::Node;
use crate::path::{Place, Reader};
use crate::table::EmbedRule;
use crate::walk::{Item, trimmed};

/// A text inside another one.
pub(crate) struct Embed {
    language: &'static Language,
    pub(crate) range: Range,
    /// What is none of it: the marks of a quotation in front of every line.
    holes: Vec<Range>,
    /// Does it count only where it can be read without an error?
    is_whole: bool,
    /// Do its symbols stand at the top of the file, wherever it stands?
    is_at_top: bool,
}

/// The symbols of an inner text.
pub(crate) struct Embedded {
    /// Their ranges are those in the text around.
    pub(crate) symbols: Vec<Symbol>,
    /// The item that those without a parent belong to; it may be a scope.
    pub(crate) owner: Option<usize>,
    /// Where the parser stumbled over a text that is a part of the file, rather than a quotation.
    pub(crate) damage: Vec<Range>,
}

/// How many texts may be nested in each other. People do not go further; made up texts do.
pub(crate) const MAX_DEPTH: usize = 3;

/// Farther from the start of its line, an inner text counts as a line of its own.
const MAX_COLUMN: usize = 200;

impl Embed {
    /// The text that a node holds, by the first rule that holds.
    pub(crate) fn of<N: Node>(rules: &[u16], reader: &Reader<'_>, place: Place<'_, N>) -> Option<Embed> {
        let rules = rules.iter().map(|&rule| &reader.tables.embeds[usize::from(rule)]);
        let rule = rules.into_iter().find(|rule| reader.holds(rule.conditions, place))?;
        let node = reader.first(rule.text, place)?;
        let (range, holes) = if rule.is_bracketed {
            (inside_brackets(node)?, Vec::new())
        } else {
            let range = inside(reader.text, node.byte_range(), rule.fence);
            (range, holes(node, range))
        };
        let language = language(rule, reader, place)?;
        let (is_whole, is_at_top) = (rule.is_whole, rule.is_at_top);
        let counts = !is_whole || language.kinds().may_declare(&reader.text[range.indices()]);
        counts.then_some(Embed { language, range, holes, is_whole, is_at_top })
    }

    /// Its symbols, the items around it being in the order of their starts.
    pub(crate) fn read(&self, text: &[u8], items: &[Item], depth: usize) -> Embedded {
        let (inner, start) = self.inner(text);
        let outline = self.language.outline_within(&inner, depth);
        Embedded {
            owner: if self.is_at_top { None } else { innermost(items, self.range) },
            damage: if self.is_at_top { moved_ranges(&outline.damage, start) } else { Vec::new() },
            symbols: if self.is_whole && outline.is_damaged { Vec::new() } else { moved(&outline, start) },
        }
    }

    /// The inner text and where it starts. It starts with its line, and what is none of it is blank, so that all its
    /// lines are indented as in the text around.
    fn inner(&self, text: &[u8]) -> (Vec<u8>, usize) {
        let content = self.range.start().index();
        let near = content.saturating_sub(MAX_COLUMN);
        let start = match line_start(&text[near..], content - near) {
            0 if near > 0 => content,
            0 if text[..content] == *BYTE_ORDER_MARK => content,
            column => near + column,
        };
        let mut inner = text[start..self.range.end().index()].to_vec();
        inner[..content - start].fill(b' ');
        for hole in &self.holes {
            inner[hole.start().index() - start..hole.end().index() - start].fill(b' ');
        }
        (inner, start)
    }
}

/// The named nodes inside a text, which are none of it.
fn holes<N: Node>(node: N, range: Range) -> Vec<Range> {
    let named = node.children().filter(|child| child.is_named());
    // A tree that was kept may be that of another text, with children on the fence.
    let in_range = |child: N| {
        let start = child.start_byte().max(range.start().index());
        let end = child.end_byte().min(range.end().index());
        (start < end).then(|| Range::of_indices(start..end))
    };
    named.filter_map(in_range).collect()
}

/// What stands between the first and the last token of a node.
fn inside_brackets(node: impl Node) -> Option<Range> {
    let (open, close) = (node.children().next()?, node.children().last()?);
    let is_closed = open.end_byte() <= close.start_byte() && !close.is_missing();
    is_closed.then(|| Range::of_indices(open.end_byte()..close.start_byte()))
}

/// A range without the fence at its start, and at its end if it is there too.
fn inside(text: &[u8], range: std::ops::Range<usize>, fence: &str) -> Range {
    let whole = trimmed(text, range.clone()).indices();
    let inner = text[whole.clone()].strip_prefix(fence.as_bytes());
    match inner
        .map(|inner| inner.strip_suffix(fence.as_bytes()).unwrap_or(inner))
        .filter(|_| !fence.is_empty())
    {
        Some(inner) => {
            let start = whole.start + fence.len();
            Range::of_indices(start..start + inner.len())
        }
        None => Range::of_indices(range),
    }
}

/// The fixed language of a rule, or the one that the text names.
fn language<N: Node>(
    rule: &EmbedRule,
    reader: &Reader<'_>,
    place: Place<'_, N>,
) -> Option<&'static Language> {
    match reader.first(rule.named, place) {
        Some(node) => for_word(&String::from_utf8_lossy(reader.text(node))),
        None => for_word(rule.language?),
    }
}

/// The smallest item around a range. The items are in an order in which parents stand before what they hold.
fn innermost(items: &[Item], range: Range) -> Option<usize> {
    let n_before = items.partition_point(|item| item.range.start() <= range.start());
    let mut around = std::iter::successors(n_before.checked_sub(1), |&item| items[item].parent);
    // A text that nothing closes runs on over blanks that are none of the item.
    around.find(|&item| items[item].range.contains(range.start()))
}

fn moved_ranges(ranges: &[Range], start: usize) -> Vec<Range> {
    ranges.iter().map(|range| moved_range(*range, start)).collect()
}

/// The symbols of an outline with their places in the text around.
fn moved(outline: &Outline, start: usize) -> Vec<Symbol> {
    let range = |range: Range| moved_range(range, start);
    let moved = |symbol: &Symbol| Symbol {
        name_range: range(symbol.name_range),
        extent: range(symbol.extent),
        declaration: range(symbol.declaration),
        header: range(symbol.header),
        docs: symbol.docs.map(range),
        within: symbol.within.map(range),
        ..symbol.clone()
    };
    outline.symbols().iter().map(moved).collect()
}

fn moved_range(range: Range, start: usize) -> Range {
    Range::of_indices(range.start().index() + start..range.end().index() + start)
}
