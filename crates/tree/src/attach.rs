//! Decides which comments and decorators belong to a declaration. Only some comments before a declaration belong to it.
//! A comment at its end may belong to what follows.
//!
//! All crates that make outlines use these rules, so that a declaration has the same extent and docs however it was
//! found.

use std::fmt;

use locant_text::{Range, trimmed};

/// A comment, decorator or attribute, which may belong to the declaration after it.
#[derive(Clone, Copy, Debug)]
pub struct Attachable {
    /// Where it is.
    pub range: Range,
    /// When it belongs to the declaration after it.
    pub attached: Attached,
}

/// When a comment or decorator belongs to the declaration after it, and whether it is documentation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attached {
    /// Belongs to the declaration if it is right above it. Is documentation.
    Comment,
    /// Belongs to the declaration at any distance. Is documentation.
    Docs,
    /// Belongs to the declaration at any distance. Is not documentation.
    Decorator,
}

/// The comments and decorators of a text.
pub struct Attachments<'a> {
    /// The whole text.
    pub text: &'a [u8],
    /// Invariant: in source order.
    pub attachables: &'a [Attachable],
    /// Whether a comment belongs to the block it is in, not to the declaration after it.
    pub is_inner: &'a dyn Fn(&[u8]) -> bool,
    /// Whether the language has bullets: list items are members even if they are not indented.
    pub has_bullets: bool,
}

impl fmt::Debug for Attachments<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Attachments({:?})", self.attachables)
    }
}

/// What is attached before a declaration.
#[derive(Clone, Copy, Debug)]
pub struct Front {
    /// Where the first attached comment or decorator starts. If there is none, where the declaration starts.
    pub start: usize,
    /// The attached comments.
    pub docs: Option<Range>,
}

impl Attachments<'_> {
    /// What is attached to the declaration at `start`. Comments must be right above it, without an empty line between.
    /// A decorator belongs to the declaration below it at any distance, and so does everything between the two.
    pub fn in_front(&self, start: usize) -> Front {
        let mut front = Front { start, docs: None };
        // Like `front`, but with further comments. They count only if a decorator comes before them.
        let mut tentative = front;
        let n_before = self.attachables.partition_point(|item| item.range.end().index() <= start);
        if n_before == 0 {
            return front;
        }
        // A declaration that follows code on its line counts as deeper than any comment.
        let column = column(self.text, start).unwrap_or(usize::MAX);
        for (at, item) in self.attachables[..n_before].iter().enumerate().rev() {
            let gap = &self.text[item.range.end().index()..tentative.start];
            if !gap.iter().all(u8::is_ascii_whitespace) {
                break;
            }
            let is_after_decorator = self.is_after_decorator(at);
            if item.attached == Attached::Comment && !is_after_decorator && !self.may_attach(at, column) {
                break;
            }
            let is_next = front.start == tentative.start && n_breaks(gap) <= 1;
            tentative.start = item.range.start().index();
            if item.attached != Attached::Decorator && !is_after_decorator {
                tentative.docs = Some(tentative.docs.map_or(item.range, |docs| docs.cover(item.range)));
            }
            if is_next || item.attached != Attached::Comment {
                front = tentative;
            }
        }
        front
    }

    /// Where the declaration itself starts, after the annotations at the start of its range.
    pub fn after_decorators(&self, range: Range) -> usize {
        let mut start = range.start().index();
        let mut next = self.attachables.partition_point(|item| item.range.start() < range.start());
        while let Some(item) = self.attachables.get(next)
            && item.range.start().index() == start
            && item.range.end() < range.end()
        {
            start = trimmed(self.text, item.range.end().index()..range.end().index()).start().index();
            next += 1;
        }
        start
    }

    /// The end of a declaration without the comments at its end that are about what follows. These are comments right
    /// above the next declaration, and comments that are indented no more than this declaration.
    pub fn without_tail(&self, range: Range) -> usize {
        let mut end = range.end().index();
        let n_before = self.attachables.partition_point(|item| item.range.end().index() <= end);
        let mut next = None;
        for item in self.attachables[..n_before].iter().rev().take(MAX_TAIL) {
            let is_tail = item.attached == Attached::Comment
                && item.range.end().index() == end
                && range.start() < item.range.start();
            if !is_tail {
                break;
            }
            let start = item.range.start().index();
            if let Some(column) = column(self.text, start) {
                let next = *next.get_or_insert_with(|| self.column_right_below(end));
                let is_above_next = next.is_some_and(|next| column <= next);
                if !is_above_next && !self.is_outside(range, start, column) {
                    break;
                }
            }
            end = trimmed(self.text, range.start().index()..start).end().index();
        }
        end
    }

    /// Where the header that starts at `start` ends, at most at `end`. Comments between the header and the body are
    /// left out.
    pub fn header_end(&self, start: usize, end: usize) -> usize {
        let mut end = trimmed(self.text, start..end).end().index();
        let n_before = self.attachables.partition_point(|item| item.range.start().index() < end);
        for item in self.attachables[..n_before].iter().rev() {
            if item.range.end().index() != end || item.range.start().index() <= start {
                break;
            }
            end = trimmed(self.text, start..item.range.start().index()).end().index();
        }
        end
    }

    /// Whether a comment at the end of a declaration is indented no more than the declaration, though the members are
    /// indented. Such a comment is not about a member.
    fn is_outside(&self, declaration: Range, comment: usize, column: usize) -> bool {
        let start = declaration.start().index();
        let last = trimmed(self.text, start..comment).end().index();
        let own = start - near_line_start(self.text, start);
        let line = &self.text[near_line_start(self.text, last)..last];
        let indent = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        column <= own && (own < indent || self.has_bullets)
    }

    /// The indentation of the next line with text, if no empty line comes before it.
    fn column_right_below(&self, end: usize) -> Option<usize> {
        let rest = &self.text[end..];
        let gap = rest.iter().take(MAX_TAIL).take_while(|byte| byte.is_ascii_whitespace()).count();
        let is_near = n_breaks(&rest[..gap]) <= 1 && gap < rest.len();
        column(self.text, end + gap).filter(|_| is_near)
    }

    /// Whether the attachable is a comment after a decorator on the same line. Such a comment is about the decorator.
    fn is_after_decorator(&self, at: usize) -> bool {
        let comment = &self.attachables[at];
        let Some(before) = at.checked_sub(1).map(|before| &self.attachables[before]) else { return false };
        comment.attached == Attached::Comment
            && before.attached != Attached::Comment
            && self.is_beside(before.range, comment.range)
    }

    /// Whether a comment may belong to a declaration in this column. A comment after code belongs to that code, and a
    /// comment that is indented more belongs to the block above.
    fn may_attach(&self, at: usize, column: usize) -> bool {
        let text = &self.text[self.attachables[at].range.indices()];
        let is_inner = (self.is_inner)(text);
        let first = self.attachables[self.first_in_row(at)].range.start().index();
        !is_inner && self::column(self.text, first).is_some_and(|own| own <= column)
    }

    /// The first of the comments that are on one line with the comment at `at`: `/* a */ /* b */`.
    fn first_in_row(&self, at: usize) -> usize {
        let before = |at: &usize| {
            let (before, own) = (&self.attachables[at.checked_sub(1)?], &self.attachables[*at]);
            let is_in_row = before.attached == Attached::Comment && self.is_beside(before.range, own.range);
            is_in_row.then(|| at - 1)
        };
        std::iter::successors(Some(at), before).take(MAX_ROW).last().unwrap_or(at)
    }

    /// Whether there are only blanks between two ranges.
    fn is_beside(&self, one: Range, other: Range) -> bool {
        let gap = self.text.get(one.end().index()..other.start().index());
        gap.is_some_and(|gap| gap.iter().all(|byte| matches!(byte, b' ' | b'\t')))
    }
}

/// How many comments, or blanks after them, are examined. There is a limit because many nested declarations may end in
/// the same place.
const MAX_TAIL: usize = 1000;

/// How many comments on one line are examined. Nobody writes more.
const MAX_ROW: usize = 16;

/// Where the line that contains an offset starts. If that is far away, the start of the text.
fn near_line_start(text: &[u8], offset: usize) -> usize {
    let is_break = |byte: &u8| matches!(byte, b'\n' | b'\r');
    text[..offset].iter().rev().take(MAX_TAIL).position(is_break).map_or(0, |length| offset - length)
}

/// How many blanks there are between the start of the line and the offset. `None` if there is anything else.
fn column(text: &[u8], offset: usize) -> Option<usize> {
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\x0c');
    let n_blanks = text[..offset].iter().rev().take_while(is_blank).count();
    let is_first = matches!(text[..offset - n_blanks].last(), None | Some(b'\n' | b'\r'));
    is_first.then_some(n_blanks)
}

/// How many line breaks a run of blanks has.
fn n_breaks(gap: &[u8]) -> usize {
    let n_feeds = gap.iter().filter(|&&byte| byte == b'\n').count();
    let n_returns = gap.iter().filter(|&&byte| byte == b'\r').count();
    n_feeds.max(n_returns)
}
