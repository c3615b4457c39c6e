//! From the findings of the walk to the outline.

use std::borrow::Cow;

use locant_text::Range;
use locant_tree::{Attachments, Front, Outline, Symbol, SymbolId, SymbolKind};

use crate::bytes::trimmed;
use crate::embedded::Embedded;
use crate::item::{Findings, Item};
use crate::nest::{self, Link};
use crate::table::{Tables, Words};
use crate::{join, mask};

/// Nests, names and orders the items that were found.
pub(crate) fn to_outline(
    mut found: Findings,
    embedded: Vec<Embedded>,
    text: &[u8],
    tables: &Tables,
) -> Outline {
    let words = &tables.words;
    let mut links = nest::link(&found.items, text);
    join::join(&mut found, &mut links, text);
    let has_bullets = !words.bullets.is_empty();
    let attachments = Attachments {
        text,
        attachables: &found.attachables,
        is_inner: &|comment| words.inner_comments.iter().any(|start| comment.starts_with(start.as_bytes())),
        has_bullets,
    };
    let mut builder = Builder { attachments, words, last: None };
    let mut symbols = Vec::with_capacity(found.items.len());
    for (index, (item, link)) in found.items.iter().zip(&links).enumerate() {
        let kind = nest::final_kind(&found.items, link, index, text, words);
        let kind = kind.filter(|_| link.repeats.is_none());
        symbols.push(kind.map(|kind| {
            let within = item.parent.and_then(|around| header_of_scope(&found.items[around], text));
            Symbol { within, ..builder.symbol(item, link, kind) }
        }));
    }
    let mut parents: Vec<Option<usize>> = links.iter().map(|link| link.parent).collect();
    for Embedded { symbols: inner, owner, .. } in embedded {
        let n_before = symbols.len();
        let inside = |parent: SymbolId| n_before + parent.index();
        // A scope is not a symbol; it only adds its name to the qualifier.
        let scope = owner.filter(|&owner| found.items[owner].kind.is_none());
        let holder = scope.map_or(owner, |scope| links[scope].parent);
        parents.extend(inner.iter().map(|symbol| symbol.parent.map(inside).or(holder)));
        let owned = |symbol: Symbol| match owner.filter(|_| symbol.parent.is_none()) {
            Some(owner) => builder.owned(symbol, &found.items[owner], scope.map(|scope| &links[scope])),
            None => symbol,
        };
        symbols.extend(inner.into_iter().map(owned).map(Some));
    }
    Outline::new(found.package).filled(symbols, &parents)
}

struct Builder<'a> {
    attachments: Attachments<'a>,
    words: &'a Words,
    /// The last result of `in_front`, and the start that it is for. The names of one declaration share a start.
    last: Option<(usize, Front)>,
}

impl Builder<'_> {
    fn symbol(&mut self, item: &Item, link: &Link, kind: SymbolKind) -> Symbol {
        let start = item.range.start().index();
        let end = self.end(item, kind);
        let front = self.front(start);
        let declaration_start = self.attachments.after_decorators(item.range);
        // A body before the name does not end the header, as in `struct { … } name`.
        let body = item.body.map(locant_text::Offset::index);
        let body = body.filter(|&body| item.name.end().index() <= body && body <= end);
        let header_end = body.map_or(end, |body| self.attachments.header_end(declaration_start, body));
        let docs = item.docs.or(front.docs);
        Symbol {
            name: item.spelled.clone().unwrap_or_else(|| in_one_line(self.lossy(item.name))),
            kind,
            name_range: item.name,
            extent: Range::of_indices(front.start..end),
            declaration: Range::of_indices(declaration_start.min(end)..end),
            header: Range::of_indices(declaration_start.min(header_end)..header_end),
            docs,
            parent: None,
            qualifier: link.qualifier.iter().map(|&name| self.lossy(name).into_owned()).collect(),
            within: None,
        }
    }

    /// A symbol of an inner text, as a member of the item around the inner text.
    fn owned(&self, mut symbol: Symbol, owner: &Item, scope: Option<&Link>) -> Symbol {
        let names = scope.map_or(&[][..], |link| &link.qualifier);
        symbol.qualifier.splice(0..0, names.iter().map(|&name| self.lossy(name).into_owned()));
        symbol.kind = nest::kind_in(symbol.kind, owner.frame);
        symbol.within = symbol.within.or_else(|| header_of_scope(owner, self.attachments.text));
        symbol
    }

    fn front(&mut self, start: usize) -> Front {
        match self.last {
            Some((known, front)) if known == start => front,
            _ => {
                let front = self.attachments.in_front(start);
                self.last = Some((start, front));
                front
            }
        }
    }

    /// The end of a declaration, including a `;` that is not part of its node.
    fn end(&self, item: &Item, kind: SymbolKind) -> usize {
        let text = self.attachments.text;
        let end = self.attachments.without_tail(item.range).max(item.name.end().index());
        let Some(terminator) = self.words.terminator.filter(|_| kind != SymbolKind::EnumMember) else {
            return end;
        };
        if text[..end].last() == Some(&terminator) {
            return end;
        }
        let body = text[..end].ends_with(b"}");
        let attributes = if body { mask::after_body(&text[end..], self.words) } else { 0 };
        let after = end + attributes;
        let blanks = text[after..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        if text.get(after + blanks) == Some(&terminator) { after + blanks + 1 } else { end }
    }

    fn lossy(&self, range: Range) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.attachments.text[range.indices()])
    }
}

/// The header of a scope, up to its body.
fn header_of_scope(scope: &Item, text: &[u8]) -> Option<Range> {
    let (start, end) = (scope.range.start().index(), scope.body?.index());
    (scope.kind.is_none() && start < end).then(|| trimmed(text, start..end))
}

/// Writes a name that spans several lines in one line: `.a .b`, even if `.b` is on the next line.
fn in_one_line(name: Cow<'_, str>) -> String {
    if name.contains(['\n', '\r']) {
        name.split_whitespace().collect::<Vec<_>>().join(" ")
    } else {
        name.into_owned()
    }
}
