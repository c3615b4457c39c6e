//! From the findings of the walk to the outline.

use locant_tree::{Assembly, Attachments, Conventions, InnerSymbols, Outline, link};

use crate::embedded::Embedded;
use crate::item::Findings;
use crate::table::Tables;
use crate::{join, mask};

/// Nests, names and orders the items that were found.
pub(crate) fn to_outline(
    mut found: Findings,
    embedded: Vec<Embedded>,
    text: &[u8],
    tables: &Tables,
) -> Outline {
    let words = &tables.words;
    let mut links = link(&found.items, text);
    join::join(&mut found, &mut links, text);
    let attachments = Attachments {
        text,
        attachables: &found.attachables,
        is_inner: &|comment| words.inner_comments.iter().any(|start| comment.starts_with(start.as_bytes())),
        has_bullets: !words.bullets.is_empty(),
    };
    let conventions = Conventions {
        terminator: words.terminator,
        after_body: &|rest| mask::after_body(rest, words),
        front: words.front,
        constructor_named_as_type: words.constructor_named_as_type,
    };
    let inner = embedded.into_iter().map(|inner| InnerSymbols { symbols: inner.symbols, owner: inner.owner });
    Assembly { items: &found.items, links: &links, attachments: &attachments, conventions }
        .fill(Outline::new(found.package), inner)
}
