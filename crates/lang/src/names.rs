//! From a declaration to the names it declares, by way of declarators, patterns and qualified names.

use locant_text::Range;

use crate::node::Node;
use crate::path::{NodeContext, Reader};
use crate::table::{Local, Through};

/// Marks that quote a whole name. Nothing inside them is trimmed.
const QUOTATION_MARKS: &[u8] = b"\"'`";

/// A declared name.
pub(crate) struct Name {
    pub(crate) range: Range,
    /// The names before it: `a` in `a::b`.
    pub(crate) qualifier: Vec<Range>,
    /// The kind of the innermost node around it that is not a qualified name.
    pub(crate) hangs_in: Option<Local>,
    /// Whether the qualifier is a complete path. If so, its first name is not looked up in the scopes around.
    pub(crate) is_path: bool,
    /// Whether the name is a keyword of the grammar that is a name only here, such as `init`.
    pub(crate) is_token: bool,
}

/// How many names a qualifier may have. A longer qualifier is dropped, so that hostile nesting takes linear time.
const MAX_QUALIFIER: usize = 32;

impl Reader<'_> {
    /// Adds the names at or under `node`, in source order.
    pub(crate) fn names(&self, acc: &mut Vec<Name>, node: impl Node, hangs_in: Option<Local>) {
        let mut stack = vec![(node, hangs_in, Vec::new(), false)];
        while let Some((node, hangs_in, mut qualifier, is_path)) = stack.pop() {
            let Some(role) = self.kinds.role(self.tables, node) else { continue };
            if role.is_name {
                let (front, range) = self.apart(self.name_range(node), &role.separator);
                qualifier.extend(front);
                if !range.is_empty() && !self.is_among(&self.tables.words.nameless, range) {
                    acc.push(Name { range, qualifier, hangs_in, is_path, is_token: !node.is_named() });
                }
                continue;
            }
            let Some(through) = self.through(node) else { continue };
            if through.last {
                let mut nodes = self.each(through.name, NodeContext::of(node));
                let Some(last) = nodes.pop() else { continue };
                let Some(fronts) = nodes.iter().map(|&front| self.flatten(front)).collect::<Option<Vec<_>>>()
                else {
                    continue;
                };
                qualifier.extend(fronts.concat());
                stack.push((last, hangs_in, qualifier, true));
                continue;
            }
            let is_qualified = !through.qualifier.is_empty();
            let hangs_in = if is_qualified { hangs_in } else { self.kinds.of(node) };
            // `::f` has no name before the `::`.
            if is_qualified && let Some(front) = self.one(through.qualifier, NodeContext::of(node)) {
                let Some(names) = self.flatten(front) else { continue };
                qualifier.extend(names);
            }
            stack
                .extend(self.targets(through, node).map(|next| (next, hangs_in, qualifier.clone(), is_path)));
        }
    }

    /// The names of a qualifying expression or type, the outermost first. `None` if it consists of more than names.
    pub(crate) fn flatten(&self, node: impl Node) -> Option<Vec<Range>> {
        let mut names = Vec::new();
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            let role = self.kinds.role(self.tables, node)?;
            if role.is_name {
                let (front, last) = self.apart(self.name_range(node), &role.separator);
                // `"".a` has an empty name, which no path can contain.
                if last.is_empty() {
                    return None;
                }
                names.extend(front);
                names.push(last);
                continue;
            }
            let through = self.through(node)?;
            stack.extend(self.targets(through, node));
            if !through.qualifier.is_empty() {
                stack.extend(self.one(through.qualifier, NodeContext::of(node)));
            }
            if stack.len() + names.len() > MAX_QUALIFIER {
                return None;
            }
        }
        names.retain(|&name| !self.is_among(self.tables.words.silent, name));
        Some(names)
    }

    /// Splits a name that is a single token at its separators. Returns the parts before the last one, and the last
    /// one. If a part would be empty, the name stays whole.
    fn apart(&self, name: Range, separator: &str) -> (Vec<Range>, Range) {
        if separator.is_empty() {
            return (Vec::new(), name);
        }
        let text = &self.text[name.indices()];
        let mut parts = Vec::new();
        let mut start = 0;
        for at in memchr::memmem::find_iter(text, separator) {
            parts.push(start..at);
            start = at + separator.len();
        }
        parts.push(start..text.len());
        if parts.len() > MAX_QUALIFIER || parts.iter().any(|part| part.is_empty()) {
            return (Vec::new(), name);
        }
        let offset = name.start().index();
        let range = |part: &std::ops::Range<usize>| Range::of_indices(offset + part.start..offset + part.end);
        let mut parts: Vec<Range> = parts.iter().map(range).collect();
        let last = parts.pop().unwrap_or(name);
        parts.retain(|&part| !self.is_among(self.tables.words.silent, part));
        (parts, last)
    }

    fn is_among(&self, words: &[impl AsRef<str>], name: Range) -> bool {
        let text = &self.text[name.indices()];
        words.iter().any(|word| word.as_ref().as_bytes() == text)
    }

    fn through(&self, node: impl Node) -> Option<&Through> {
        let role = self.kinds.role(self.tables, node)?;
        role.through.first().map(|&rule| &self.tables.through[usize::from(rule)])
    }

    /// The nodes that a `through` rule leads to. They come in reverse order, because they are pushed on a stack.
    fn targets<N: Node>(&self, through: &Through, node: N) -> impl Iterator<Item = N> + use<N> {
        self.each(through.name, NodeContext::of(node)).into_iter().rev()
    }

    /// The range of a name without its quotes.
    fn name_range(&self, node: impl Node) -> Range {
        let mut range = node.byte_range();
        let role = self.kinds.role(self.tables, node);
        let until = role.and_then(|role| role.name_until);
        if let Some(end) = until.and_then(|path| self.one(path, NodeContext::of(node))) {
            range.end = end.start_byte();
        }
        let until = role.map_or("", |role| role.name_until_text.get());
        if let Some(length) = memchr::memmem::find(&self.text[range.clone()], until.as_bytes())
            && !until.is_empty()
        {
            range.end = range.start + length;
        }
        range.end -= self.closing(&self.text[range.clone()]);
        let name = self.unquoted(&self.text[range.clone()]);
        let start = range.start + name.start;
        Range::of_indices(start..self.doubled(range.start + name.end, name.end < range.len()))
    }

    /// Where a quoted name really ends, if the grammar ends it at `end`. A doubled quote is part of the name, as in ``
    /// `a``b` ``, but not all grammars know that.
    fn doubled(&self, end: usize, is_quoted: bool) -> usize {
        let mark = self.text.get(end).copied().filter(|mark| is_quoted && QUOTATION_MARKS.contains(mark));
        let Some(mark) = mark.filter(|mark| self.tables.words.doubled.as_bytes().contains(mark)) else {
            return end;
        };
        let mut at = end;
        while self.text.get(at..at + 2) == Some(&[mark, mark]) {
            let rest = &self.text[at + 2..];
            let is_end = |byte: &u8| *byte == mark || matches!(byte, b'\n' | b'\r');
            at += 2 + rest.iter().position(is_end).unwrap_or(rest.len());
        }
        at
    }

    /// A name without the blanks and quotes around it. A name that starts with a quotation mark loses only this mark
    /// and the closing one, so `"a\""` becomes `a\"`, and `' a '` keeps its blanks. Other signs are removed from both
    /// ends, as in `:a`, `${a}` and `( + )`.
    fn unquoted(&self, name: &[u8]) -> std::ops::Range<usize> {
        let quotes = self.tables.words.quotes.as_bytes();
        let is_edge = |byte: &u8| {
            byte.is_ascii_whitespace() || quotes.contains(byte) && !QUOTATION_MARKS.contains(byte)
        };
        let start = name.iter().take_while(|byte| is_edge(byte)).count();
        let end = name.len() - name[start..].iter().rev().take_while(|byte| is_edge(byte)).count();
        let opens = |mark: &u8| QUOTATION_MARKS.contains(mark) && quotes.contains(mark);
        match &name[start..end] {
            [mark, .., last] if opens(mark) && mark == last => start + 1..end - 1,
            // A polymorphic variant of OCaml (`` `A ``), or a quotation that is not closed.
            [mark, _, ..] if opens(mark) => start + 1..end,
            _ => start..end,
        }
    }

    /// The length of the closing marks of a name: a run of marks at its end, either after a blank or on their own.
    fn closing(&self, name: &[u8]) -> usize {
        let Some(mark) = self.tables.words.closing else { return 0 };
        let marked = name.trim_ascii_end();
        let n_marks = marked.iter().rev().take_while(|&&byte| byte == mark).count();
        let front = &marked[..marked.len() - n_marks];
        match front.last() {
            None | Some(b' ' | b'\t') => name.len() - front.len(),
            Some(_) => 0,
        }
    }
}
