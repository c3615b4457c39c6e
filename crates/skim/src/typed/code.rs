//! Finds what is declared among statements and expressions.

use super::{Reader, Region, Style};

impl Reader<'_> {
    /// Looks for types, and for values with members of their own: `new A() { … }`.
    pub(super) fn code(&mut self, region: Region) -> Option<()> {
        let mut at = region.first;
        let mut is_start = true;
        while at < region.end {
            let mark = self.stream.mark(at);
            if is_start && self.starts_type(at) {
                let n_regions = self.regions.len();
                let first = self.member(region, at)?;
                self.regions.insert(n_regions, Region { first, ..region });
                return Some(());
            }
            if self.stream.is(at, self.table.makes)
                && let Some(body) = self.anonymous_body(at)
            {
                self.descend(self.stream.after(body), region.end, Style::Code, region.owner);
                self.descend(body + 1, self.stream.partner(body), Style::Class, region.owner);
                self.descend(at + 1, body, Style::Code, region.owner);
                return Some(());
            }
            if self.is_class_elsewhere(at) {
                return None;
            }
            is_start = matches!(mark, b'{' | b'}' | b';' | b':')
                || mark == b'>' && self.stream.is_glued(at) && self.stream.before(at) == b'-';
            at += 1;
        }
        Some(())
    }

    /// Whether a class seems to be declared here, although no statement starts here.
    fn is_class_elsewhere(&self, at: usize) -> bool {
        let is_class = self.type_word(at).is_some_and(|word| word.style == Style::Class);
        is_class && self.stream.before(at) != b'.'
    }

    /// Whether the statement that starts here declares a type.
    fn starts_type(&self, start: usize) -> bool {
        let mut at = start;
        loop {
            if self.stream.mark(at) == self.table.annotation && self.is_annotation(at) {
                at = self.after_inner_annotations(at);
            } else if self.stream.is_among(at, self.table.modifiers) {
                at += 1;
            } else {
                break;
            }
        }
        self.type_word(at).is_some_and(|word| self.opens_type(at, word))
    }

    /// The `{` of `new A(…) { … }`.
    fn anonymous_body(&self, at: usize) -> Option<usize> {
        let mut after = at + 1;
        if self.stream.mark(after) == b'<' {
            after = self.stream.after_angles(after)?;
        }
        let open = self.after_plain_type(after)?;
        let body = (self.stream.mark(open) == b'(').then(|| self.stream.after(open))?;
        (self.stream.mark(body) == b'{').then_some(body)
    }
}
