//! Fields, and the members of enumerations.

use locant_tree::{Frame, Item, SymbolKind};

use super::{Reader, Region, Style};

impl Reader<'_> {
    pub(super) fn fields(&mut self, region: Region) -> Option<()> {
        let mut at = region.first;
        while at < region.end {
            let start = self.attributes(at);
            let name = self.after_modifiers(start);
            if !self.stream.is_name(name) || self.stream.mark(name + 1) != b':' {
                return None;
            }
            let end = self.type_end(name + 2, region.end)?;
            let range = self.stream.span(start, end - 1);
            self.add(Item::new(SymbolKind::Field, self.stream.range(name), range, region.owner));
            at = end + 1;
        }
        Some(())
    }

    /// The `,` after a type, or the end of the region.
    fn type_end(&self, mut at: usize, end: usize) -> Option<usize> {
        while at < end {
            at = match self.stream.mark(at) {
                b',' => return Some(at),
                b'<' => self.stream.after_angles(at)?,
                b'=' => return None,
                _ => self.stream.after(at),
            };
        }
        (at == end).then_some(end)
    }

    pub(super) fn variants(&mut self, region: Region) -> Option<()> {
        let mut at = region.first;
        while at < region.end {
            let n_regions = self.regions.len();
            at = self.variant(at, region)?;
            if self.comes_first(n_regions, Region { first: at, ..region }) {
                return Some(());
            }
        }
        Some(())
    }

    fn variant(&mut self, start: usize, region: Region) -> Option<usize> {
        let start = self.attributes(start);
        let name = self.after_modifiers(start);
        if !self.stream.is_name(name) || self.stream.mark(name + 1) == b'!' {
            return None;
        }
        let mut end = name + 1;
        if self.stream.mark(end) == b'(' && self.has_names(end) {
            return None;
        }
        if matches!(self.stream.mark(end), b'(' | b'{') {
            end = self.stream.after(end);
        }
        if end < region.end && !matches!(self.stream.mark(end), b',' | b'=') {
            return None;
        }
        while end < region.end && self.stream.mark(end) != b',' {
            end = self.stream.after(end);
        }
        let range = self.stream.span(start, end - 1);
        let item = Item::new(SymbolKind::EnumMember, self.stream.range(name), range, region.owner);
        let item = self.add(item);
        if self.stream.mark(name + 1) == b'{' {
            self.descend(name + 1, Style::Fields, Frame::Type, Some(item));
        }
        Some(end + 1)
    }

    /// Whether something in these brackets has a name: `(flag: String)`. This occurs only in the arguments of macros.
    fn has_names(&self, open: usize) -> bool {
        let mut inside = open + 1..self.stream.partner(open);
        inside.any(|at| {
            let is_path = self.stream.mark(at + 1) == b':' || self.stream.before(at) == b':';
            self.stream.mark(at) == b':' && !is_path
        })
    }
}
