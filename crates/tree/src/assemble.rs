//! From the items that a reader found to the outline: kinds, extents and headers are settled, and embedded texts are
//! added.

use std::borrow::Cow;
use std::fmt;

use locant_text::{Offset, Range, trimmed};

use crate::attach::{Attachments, Front};
use crate::item::{Frame, Item};
use crate::nest::Link;
use crate::outline::{Outline, Symbol, SymbolKind};

/// What a language says about its declarations, beside what a reader of it finds.
#[derive(Clone, Copy)]
pub struct Conventions<'a> {
    /// The byte that may end a declaration without being part of its range: `;`.
    pub terminator: Option<u8>,
    /// The length of what may stand between the body of a declaration and its terminator, such as attributes in C.
    pub after_body: &'a dyn Fn(&[u8]) -> usize,
    /// What the qualifier of a name is if the file does not declare it. With `Type`, the `f` in `s.f` is a method.
    pub front: Frame,
    /// Whether a method with the name of its type is a constructor.
    pub constructor_named_as_type: bool,
}

impl fmt::Debug for Conventions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Conventions({:?}, {:?})", self.terminator, self.front)
    }
}

/// The items of a text that become its outline.
#[derive(Clone, Copy, Debug)]
pub struct Assembly<'a> {
    /// The declarations and scopes. Parents come before their members.
    pub items: &'a [Item],
    /// Where each item belongs, by index.
    pub links: &'a [Link],
    /// The comments and decorators of the text.
    pub attachments: &'a Attachments<'a>,
    /// What the language says.
    pub conventions: Conventions<'a>,
}

/// The symbols of a text inside the text, such as the arguments of a macro.
#[derive(Debug)]
pub struct InnerSymbols {
    /// The symbols, with ranges in the outer text.
    pub symbols: Vec<Symbol>,
    /// The item that becomes the parent of the symbols without one. It may be a scope.
    pub owner: Option<usize>,
}

impl Assembly<'_> {
    /// Fills an outline with the items and with the symbols of inner texts.
    #[must_use]
    pub fn fill(&self, outline: Outline, inner: impl IntoIterator<Item = InnerSymbols>) -> Outline {
        let mut symbols = Vec::with_capacity(self.items.len());
        let mut last = None;
        for (index, (item, link)) in self.items.iter().zip(self.links).enumerate() {
            let kind = self.kind(index).filter(|_| link.repeats.is_none());
            symbols.push(kind.map(|kind| self.symbol(item, link, kind, &mut last)));
        }
        let mut parents: Vec<Option<usize>> = self.links.iter().map(|link| link.parent).collect();
        for InnerSymbols { symbols: inner, owner } in inner {
            let n_before = symbols.len();
            // A scope is not a symbol; it only adds its name to the qualifier.
            let scope = owner.filter(|&owner| self.items[owner].kind.is_none());
            let holder = scope.map_or(owner, |scope| self.links[scope].parent);
            for symbol in inner {
                let parent = symbol.parent.map(|parent| n_before + parent.index());
                let owner = owner.filter(|_| parent.is_none());
                parents.push(parent.or(holder));
                symbols.push(Some(match owner {
                    Some(owner) => self.owned(symbol, owner, scope),
                    None => symbol,
                }));
            }
        }
        outline.filled(symbols, &parents)
    }

    /// The kind of a declaration, given its place: a function in a type is a method, a variable in a type is a field.
    fn kind(&self, index: usize) -> Option<SymbolKind> {
        let (item, link) = (&self.items[index], &self.links[index]);
        let scope = item.parent.map(|parent| &self.items[parent]).filter(|parent| parent.kind.is_none());
        let frame = match link.qualifier.last() {
            Some(_) => scope.map_or(self.conventions.front, |scope| scope.frame),
            None => link.parent.map_or(Frame::File, |parent| self.items[parent].frame),
        };
        let kind = kind_in(item.kind?, frame);
        let makes_values = self.conventions.constructor_named_as_type && kind == SymbolKind::Method;
        Some(if makes_values && self.is_named_as_holder(item, link) { SymbolKind::Constructor } else { kind })
    }

    fn is_named_as_holder(&self, item: &Item, link: &Link) -> bool {
        let parent = || link.parent.map(|parent| self.items[parent].name);
        let holder = link.qualifier.last().copied().or_else(parent);
        holder.is_some_and(|holder| self.bytes(holder) == self.bytes(item.name))
    }

    /// The symbol of an item. `last` keeps what is in front of a start, because the names of one declaration share a
    /// start.
    fn symbol(
        &self,
        item: &Item,
        link: &Link,
        kind: SymbolKind,
        last: &mut Option<(usize, Front)>,
    ) -> Symbol {
        let start = item.range.start().index();
        let front = match *last {
            Some((known, front)) if known == start => front,
            _ => self.attachments.in_front(start),
        };
        *last = Some((start, front));
        let end = self.end(item, kind);
        let declaration_start = self.attachments.after_decorators(item.range);
        // A body before the name does not end the header, as in `struct { … } name`.
        let body = item.body.map(Offset::index);
        let body = body.filter(|&body| item.name.end().index() <= body && body <= end);
        let header_end = body.map_or(end, |body| self.attachments.header_end(declaration_start, body));
        Symbol {
            name: item.spelled.clone().unwrap_or_else(|| in_one_line(self.lossy(item.name))),
            kind,
            name_range: item.name,
            extent: Range::of_indices(front.start..end),
            declaration: Range::of_indices(declaration_start.min(end)..end),
            header: Range::of_indices(declaration_start.min(header_end)..header_end),
            docs: item.docs.or(front.docs),
            parent: None,
            qualifier: link.qualifier.iter().map(|&name| self.lossy(name).into_owned()).collect(),
            within: item.parent.and_then(|around| self.header_of_scope(around)),
        }
    }

    /// A symbol of an inner text, as a member of the item around the inner text.
    fn owned(&self, mut symbol: Symbol, owner: usize, scope: Option<usize>) -> Symbol {
        let names = scope.map_or(&[][..], |scope| &self.links[scope].qualifier);
        symbol.qualifier.splice(0..0, names.iter().map(|&name| self.lossy(name).into_owned()));
        symbol.kind = kind_in(symbol.kind, self.items[owner].frame);
        symbol.within = symbol.within.or_else(|| self.header_of_scope(owner));
        symbol
    }

    /// The end of a declaration, including a `;` that is not part of its range.
    fn end(&self, item: &Item, kind: SymbolKind) -> usize {
        let text = self.attachments.text;
        let end = self.attachments.without_tail(item.range).max(item.name.end().index());
        let terminator = self.conventions.terminator.filter(|_| kind != SymbolKind::EnumMember);
        let Some(terminator) = terminator else { return end };
        if text[..end].last() == Some(&terminator) {
            return end;
        }
        let has_body = text[..end].ends_with(b"}");
        let after = end + if has_body { (self.conventions.after_body)(&text[end..]) } else { 0 };
        let blanks = text[after..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        if text.get(after + blanks) == Some(&terminator) { after + blanks + 1 } else { end }
    }

    /// The header of a scope, up to its body.
    fn header_of_scope(&self, item: usize) -> Option<Range> {
        let scope = &self.items[item];
        let (start, end) = (scope.range.start().index(), scope.body?.index());
        (scope.kind.is_none() && start < end).then(|| trimmed(self.attachments.text, start..end))
    }

    fn bytes(&self, range: Range) -> &[u8] {
        &self.attachments.text[range.indices()]
    }

    fn lossy(&self, range: Range) -> Cow<'_, str> {
        String::from_utf8_lossy(self.bytes(range))
    }
}

/// The kind of a declaration inside this frame.
fn kind_in(kind: SymbolKind, frame: Frame) -> SymbolKind {
    match (kind, frame) {
        (SymbolKind::Function, Frame::Type) => SymbolKind::Method,
        (SymbolKind::Variable, Frame::Type) => SymbolKind::Field,
        (kind, _) => kind,
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
