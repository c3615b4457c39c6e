//! From the findings of a reader to the outline.

use locant_tree::{Assembly, Attachments, Conventions, Frame, InnerSymbols, Outline, link};

use crate::embed::Embedded;
use crate::item::Findings;

/// The words of a language that the outline needs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Words {
    /// Comments that start with one of these belong to the block they are in, not to the declaration after them.
    pub(crate) inner_comments: &'static [&'static str],
    /// The byte that may end a declaration without being part of its range: `;`.
    pub(crate) terminator: Option<u8>,
    /// Names that mean nothing in a qualifier.
    pub(crate) silent: &'static [&'static str],
}

/// The outline made from what a reader found.
pub(crate) fn finish(found: &Findings, embedded: &[Embedded], text: &[u8], words: &Words) -> Outline {
    let attachments = Attachments {
        text,
        attachables: &found.attachables,
        is_inner: &|comment| words.inner_comments.iter().any(|start| comment.starts_with(start.as_bytes())),
        has_bullets: false,
    };
    let conventions = Conventions {
        terminator: words.terminator,
        after_body: &|_| 0,
        front: Frame::Type,
        constructor_named_as_type: false,
    };
    let mut outline = Outline::new(found.package.clone());
    outline.silent = words.silent;
    let inner =
        embedded.iter().map(|inner| InnerSymbols { symbols: inner.symbols().collect(), owner: inner.owner });
    let links = link(&found.items, text);
    Assembly { items: &found.items, links: &links, attachments: &attachments, conventions }
        .fill(outline, inner)
}
