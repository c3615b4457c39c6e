//! Finds the end of a type: `A.B<C>[]?`, `(int a, string b)`.

use super::Reader;
use crate::stream::MAX_AHEAD;

impl Reader<'_> {
    /// The token after the type that starts here.
    pub(super) fn after_type(&self, start: usize) -> Option<usize> {
        let mut at = start;
        while self.stream.is_among(at, &["ref", "readonly", "scoped"]) {
            at += 1;
        }
        at = match self.stream.mark(at) {
            b'(' => self.stream.after(at),
            _ => self.after_name(at)?,
        };
        loop {
            match self.stream.mark(at) {
                b'?' | b'*' => at += 1,
                b'[' if self.is_rank(at) => at = self.stream.after(at),
                _ => return Some(at),
            }
        }
    }

    /// Whether brackets are those of an array type: `[]`, `[,]`.
    fn is_rank(&self, open: usize) -> bool {
        (open + 1..self.stream.partner(open)).all(|at| self.stream.mark(at) == b',')
    }

    /// The token after a name with dots and type arguments: `global::A.B<C>`.
    fn after_name(&self, start: usize) -> Option<usize> {
        let mut at = start;
        loop {
            if !self.stream.is_name(at) || self.stream.is_among(at, self.table.keywords) {
                return None;
            }
            at += 1;
            if self.stream.mark(at) == b'<' {
                at = self.stream.after_angles(at)?;
            }
            match self.stream.mark(at) {
                b'.' if self.stream.is_name(at + 1) => at += 1,
                b':' if self.stream.mark(at + 1) == b':' => at += 2,
                _ => return Some(at),
            }
        }
    }

    /// The last word of a name that may start with an interface: `Dispose` of `IDisposable.Dispose`.
    pub(super) fn last_name(&self, start: usize) -> Option<usize> {
        let mut at = start;
        loop {
            if !self.stream.is_name(at) {
                return None;
            }
            let mut next = at + 1;
            if self.stream.mark(next) == b'<' {
                next = self.stream.after_angles(next)?;
            }
            match self.stream.mark(next) {
                b'.' => at = next + 1,
                b':' if self.stream.mark(next + 1) == b':' => at = next + 2,
                _ => return Some(at),
            }
        }
    }

    /// The token after the constraints that start here: `where T : class, new()`. If none start here, `start` itself.
    pub(super) fn after_constraints(&self, start: usize) -> Option<usize> {
        let mut at = start;
        if !self.stream.is(at, self.table.constraint) {
            return Some(at);
        }
        for _ in 0..MAX_AHEAD {
            match self.stream.mark(at) {
                b'{' | b';' => return Some(at),
                0 | b'}' | b')' | b']' => return None,
                _ if self.is_arrow(at) => return Some(at),
                _ => at = self.stream.after(at),
            }
        }
        None
    }
}
