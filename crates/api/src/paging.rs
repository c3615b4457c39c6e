//! Long lists come in pages: which part is requested, and which part is given.

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::failure::Failure;
use crate::phrase::{Phrase, phrase, setting};

/// Which part of a list is asked for.
#[derive(Args, Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Paging {
    /// List at most N of them; the default is 1000, and 50000 for the symbols of a file
    #[arg(long, value_name = "N", conflicts_with = "all")]
    limit: Option<usize>,
    /// List all of them, however many there are
    #[arg(long)]
    all: bool,
    /// Start where an earlier page ended: the value that it gave as `next`
    #[arg(long, value_name = "NEXT")]
    next: Option<usize>,
}

/// How many items are listed by default.
pub(crate) const FEW: usize = 1_000;

impl Paging {
    /// The whole list, however long it is.
    pub(crate) const ALL: Paging = Paging { limit: None, all: true, next: None };

    /// Refuses `limit` 0, which would make every page empty, and `limit` together with `all`.
    pub(crate) fn checked(self) -> Result<Paging, Failure> {
        match (self.limit, self.all) {
            (Some(0), _) => {
                Err(Failure::invalid("a list of at most 0 has nothing in it", "give `limit` 1 or more"))
            }
            (Some(_), true) => Err(Failure::invalid("`limit` and `all` were both given", "give one of them")),
            _ => Ok(self),
        }
    }

    /// The requested part of `total` items. `usual` is the length of a page without `limit`.
    pub(crate) fn part_of(self, total: usize, usual: usize) -> Part {
        let most = self.limit.unwrap_or(if self.all { usize::MAX } else { usual });
        let first = self.next.unwrap_or(0).min(total);
        Part { first, end: first.saturating_add(most).min(total), total }
    }

    /// Cuts a list down to the requested part.
    pub(crate) fn cut<T>(self, mut items: Vec<T>) -> Listed<T> {
        let part = self.part_of(items.len(), FEW);
        items.truncate(part.end);
        items.drain(..part.first);
        Listed { items, part }
    }
}

/// A part of a list.
#[derive(Debug)]
pub(crate) struct Listed<T> {
    /// Invariant: as many items as `part` has.
    pub(crate) items: Vec<T>,
    pub(crate) part: Part,
}

impl<T> Listed<T> {
    /// Converts each item. Items for which `make` returns `None` are dropped, and are no longer counted in `part`.
    pub(crate) fn filter_map<U>(self, make: impl FnMut(T) -> Option<U>) -> Listed<U> {
        let Part { first, end, total } = self.part;
        let items: Vec<U> = self.items.into_iter().filter_map(make).collect();
        let n_missing = end - first - items.len();
        Listed { items, part: Part { first, end: end - n_missing, total: total - n_missing } }
    }
}

/// Which part of a list is given.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Part {
    /// The index of the first item.
    pub(crate) first: usize,
    /// The index after the last item.
    pub(crate) end: usize,
    /// How many items the whole list has.
    pub(crate) total: usize,
}

impl Part {
    /// Whether the part is the whole list.
    pub(crate) fn is_whole(self) -> bool {
        self.first == 0 && self.end == self.total
    }

    /// Where the next part starts, if there are more items.
    pub(crate) fn next(self) -> Option<usize> {
        (self.end < self.total).then_some(self.end)
    }

    /// The note for a list that is not complete, and how to see the rest.
    pub(crate) fn note(self, what: &str) -> Option<Phrase> {
        let Part { first, end, total } = self;
        let rest = match self.next() {
            _ if self.is_whole() => return None,
            _ if first == end => return Some(format!("there are only {total} {what}").into()),
            Some(next) => phrase![
                "; add `",
                setting("next", next.to_string()),
                "` for the next ones, or `",
                setting("all", ""),
                "` for all",
            ],
            None => Phrase::default(),
        };
        let which = match first {
            0 => format!("these are the first {end} of {total} {what}"),
            _ => format!("these are {} to {end} of {total} {what}", first + 1),
        };
        Some(Phrase::from(which).and(rest))
    }
}

#[cfg(test)]
mod tests {
    use super::{Paging, Part};

    /// Pages that follow each other by `next` contain every item exactly once, whatever their length.
    #[test]
    fn pages_do_not_overlap_and_lose_nothing() {
        for total in [0, 1, 2, 9, 10, 11, 1_000, 2_500] {
            for limit in [None, Some(1), Some(3), Some(10), Some(usize::MAX)] {
                let mut seen = Vec::new();
                let mut paging = Paging { limit, ..Paging::default() };
                loop {
                    let listed = paging.cut((0..total).collect());
                    assert_eq!(listed.part.total, total);
                    seen.extend(listed.items);
                    let Some(next) = listed.part.next() else { break };
                    paging.next = Some(next);
                }
                assert_eq!(seen, (0..total).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn what_is_past_the_end_is_told() {
        let paging = Paging { next: Some(usize::MAX), ..Paging::default() };
        let part = paging.part_of(3, 10);
        assert_eq!((part, part.next()), (Part { first: 3, end: 3, total: 3 }, None));
        assert_eq!(part.note("places"), Some("there are only 3 places".into()));
    }

    #[test]
    fn a_page_of_nothing_is_refused() {
        assert!(Paging { limit: Some(0), ..Paging::default() }.checked().is_err());
    }
}
