//! Texts of other languages inside a text: scripts and styles in a page, code fences in a document.
//!
//! The inner text is read as if it were a file, and its symbols become part of the outer outline. A language is loaded
//! only if it occurs.

use locant_text::{Range, trimmed};

use crate::language::{Language, for_word};
use crate::node::Node;
use crate::path::{NodeContext, Reader};
use crate::table::EmbedRule;

/// A text of another language inside a text.
pub(crate) struct Embed {
    pub(crate) language: &'static Language,
    pub(crate) range: Range,
    /// Ranges inside `range` that are not part of the inner text. In Markdown, these are the `>` at the start of each
    /// line of a quotation.
    pub(crate) holes: Vec<Range>,
    /// Whether the symbols count only if the inner text parses without an error.
    pub(crate) is_whole: bool,
    /// Whether the symbols are at the top level of the file, wherever the inner text is.
    pub(crate) is_at_top: bool,
}

impl Embed {
    /// The inner text of a node, as given by the first rule whose conditions hold.
    pub(crate) fn of<N: Node>(
        rules: &[u16],
        reader: &Reader<'_>,
        place: NodeContext<'_, N>,
    ) -> Option<Embed> {
        let rules = rules.iter().map(|&rule| &reader.tables.embeds[usize::from(rule)]);
        let rule = rules.into_iter().find(|rule| reader.holds(rule.conditions, place))?;
        let node = reader.first(rule.text, place)?;
        let (range, holes) = if rule.is_bracketed {
            (inside_brackets(node)?, Vec::new())
        } else {
            let range = inside(reader.text, node.byte_range(), &rule.fence);
            (range, holes(node, range))
        };
        let language = language(rule, reader, place)?;
        let (is_whole, is_at_top) = (rule.is_whole, rule.is_at_top);
        let counts = !is_whole || language.kinds().may_declare(&reader.text[range.indices()]);
        counts.then_some(Embed { language, range, holes, is_whole, is_at_top })
    }
}

/// The named nodes inside the range. They are not part of the inner text.
fn holes<N: Node>(node: N, range: Range) -> Vec<Range> {
    let named = node.children().filter(|child| child.is_named());
    // A stored tree may belong to another text, so a child may overlap the fence.
    let in_range = |child: N| {
        let start = child.start_byte().max(range.start().index());
        let end = child.end_byte().min(range.end().index());
        (start < end).then(|| Range::of_indices(start..end))
    };
    named.filter_map(in_range).collect()
}

/// The range between the first and the last token of a node.
fn inside_brackets(node: impl Node) -> Option<Range> {
    let (open, close) = (node.children().next()?, node.children().last()?);
    let is_closed = open.end_byte() <= close.start_byte() && !close.is_missing();
    is_closed.then(|| Range::of_indices(open.end_byte()..close.start_byte()))
}

/// A range without the fences at its start and end. The closing fence may be missing.
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

/// The language that the text itself names, if the rule finds such a name. Otherwise the fixed language of the rule.
fn language<N: Node>(
    rule: &EmbedRule,
    reader: &Reader<'_>,
    place: NodeContext<'_, N>,
) -> Option<&'static Language> {
    match reader.first(rule.named, place) {
        Some(node) => for_word(&String::from_utf8_lossy(reader.text(node))),
        None => for_word(&rule.language?),
    }
}
