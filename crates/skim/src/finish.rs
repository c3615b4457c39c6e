//! From the findings of a reader to the outline: items are linked, named and ordered.

use std::borrow::Cow;

use locant_text::{Offset, Range};
use locant_tree::{Attachments, Front, Outline, Symbol, SymbolKind};

use crate::bytes::trimmed;
use crate::embed::Embedded;
use crate::item::{Findings, Item};
use crate::nest::{self, Link};

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
    let links = nest::link(&found.items, text);
    let attachments = Attachments {
        text,
        attachables: &found.attachables,
        is_inner: &|comment| words.inner_comments.iter().any(|start| comment.starts_with(start.as_bytes())),
        has_bullets: false,
    };
    let mut builder = Builder { attachments, terminator: words.terminator, last: None };
    let mut symbols = Vec::with_capacity(found.items.len());
    for (index, (item, link)) in found.items.iter().zip(&links).enumerate() {
        let kind = nest::final_kind(&found.items, link, index).filter(|_| link.repeats.is_none());
        symbols.push(kind.map(|kind| {
            let within = item.parent.and_then(|around| header_of_scope(&found.items[around], text));
            Symbol { within, ..builder.symbol(item, link, kind) }
        }));
    }
    let mut parents: Vec<Option<usize>> = links.iter().map(|link| link.parent).collect();
    for inner in embedded {
        let n_before = symbols.len();
        // A scope is not a symbol; it only adds its name to the qualifier.
        let scope = inner.owner.filter(|&owner| found.items[owner].kind.is_none());
        let holder = scope.map_or(inner.owner, |scope| links[scope].parent);
        for symbol in inner.symbols() {
            let parent = symbol.parent.map(|parent| n_before + parent.index());
            let owner = inner.owner.filter(|_| parent.is_none()).map(|owner| &found.items[owner]);
            let scope = scope.map(|scope| &links[scope]);
            parents.push(parent.or(holder));
            symbols.push(Some(match owner {
                Some(owner) => builder.owned(symbol, owner, scope),
                None => symbol,
            }));
        }
    }
    let mut outline = Outline::new(found.package.clone());
    outline.silent = words.silent;
    outline.filled(symbols, &parents)
}

struct Builder<'a> {
    attachments: Attachments<'a>,
    terminator: Option<u8>,
    /// The last result of `in_front`, and the start that it is for. The names of one declaration share a start.
    last: Option<(usize, Front)>,
}

impl Builder<'_> {
    fn symbol(&mut self, item: &Item, link: &Link, kind: SymbolKind) -> Symbol {
        let front = self.front(item.range.start().index());
        let end = self.end(item, kind);
        let declaration_start = self.attachments.after_decorators(item.range);
        // A body before the name does not end the header.
        let body = item.body.map(Offset::index);
        let body = body.filter(|&body| item.name.end().index() <= body && body <= end);
        let header_end = body.map_or(end, |body| self.attachments.header_end(declaration_start, body));
        Symbol {
            name: in_one_line(self.lossy(item.name)),
            kind,
            name_range: item.name,
            extent: Range::of_indices(front.start..end),
            declaration: Range::of_indices(declaration_start.min(end)..end),
            header: Range::of_indices(declaration_start.min(header_end)..header_end),
            docs: item.docs.or(front.docs),
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

    /// The end of a declaration, including a `;` that is not part of its range.
    fn end(&self, item: &Item, kind: SymbolKind) -> usize {
        let text = self.attachments.text;
        let end = self.attachments.without_tail(item.range).max(item.name.end().index());
        let Some(terminator) = self.terminator.filter(|_| kind != SymbolKind::EnumMember) else { return end };
        if text[..end].last() == Some(&terminator) {
            return end;
        }
        let blanks = text[end..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        if text.get(end + blanks) == Some(&terminator) { end + blanks + 1 } else { end }
    }

    fn lossy(&self, range: Range) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.attachments.text[range.indices()])
    }
}

/// Writes a name that spans several lines in one line: `.a .b`, even if `.b` is on the next line.
fn in_one_line(name: Cow<'_, str>) -> String {
    if name.contains(['\n', '\r']) {
        name.split_whitespace().collect::<Vec<_>>().join(" ")
    } else {
        name.into_owned()
    }
}

/// The header of a scope, up to its body.
fn header_of_scope(scope: &Item, text: &[u8]) -> Option<Range> {
    let (start, end) = (scope.range.start().index(), scope.body?.index());
    (scope.kind.is_none() && start < end).then(|| trimmed(text, start..end))
}
